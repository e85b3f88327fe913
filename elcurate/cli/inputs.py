"""Gold and systems as commands name them, and how they are read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from elcurate.cli.common import check_files, report_kinds
from elcurate.errors import SpecError
from elcurate.evaluation.evaluate import Input
from elcurate.formats.all import FORMATS
from elcurate.formats.base import ReadOptions
from elcurate.formats.io import flat_table, read
from elcurate.formats.source import Source
from elcurate.model.change import Repair

Show = Callable[[str], None]


@dataclass(frozen=True)
class Inputs:
    """The inputs of a command that compares systems with a gold corpus.

    Attributes:
        gold: Files of the gold; several are pooled.
        systems: Name and file of each system; files of one name are pooled.
        from_: The format of all, detected when None.
        as_corpora: Whether documents are needed; else files that can be are read as tables.
        texts: Where the texts are, for formats that have none.
        repairs: What the readers repaired, by the name of the input.
    """

    gold: Sequence[str]
    systems: Sequence[tuple[str, str]]
    from_: str | None = None
    as_corpora: bool = False
    texts: Path | None = None
    repairs: dict[str, Sequence[Repair]] = field(default_factory=dict)

    def problems(self) -> list[str]:
        """A sentence for each file that doesn't exist, and for an unknown format."""
        texts = [] if self.texts is None else [str(self.texts)]
        found = check_files([*self.gold, *(path for _, path in self.systems), *texts])
        if self.from_ is not None:
            try:
                FORMATS.get(self.from_)
            except SpecError as error:
                found.append(str(error))
        return found

    def read(self, show: Show) -> tuple[Input, dict[str, Input]]:
        """The gold and the systems.

        Args:
            show: Is told what is being read.
        """
        pooled: dict[str, list[str]] = {}
        for name, path in self.systems:
            pooled.setdefault(name, []).append(path)
        show("Reading the gold")
        gold = self._read(self.gold)
        outputs = {}
        for name, paths in pooled.items():
            show(f"Reading {name}")
            outputs[name] = self._read(paths)
        return gold, outputs

    def report(self) -> None:
        """Prints what was repaired to standard error, a line for each input."""
        for name, repairs in self.repairs.items():
            report_kinds(repairs, name)

    def _read(self, paths: Sequence[str]) -> Input:
        found, repairs = read_input(paths, self.from_, as_corpus=self.as_corpora, texts=self.texts)
        if repairs:
            self.repairs[found.name] = repairs
        return found


def read_input(
    paths: Sequence[str],
    from_: str | None = None,
    *,
    as_corpus: bool = False,
    texts: Path | None = None,
) -> tuple[Input, Sequence[Repair]]:
    """One corpus of some files, as a table if that is possible, and what was repaired.

    Args:
        paths: The files.
        from_: Their format, detected when None.
        as_corpus: Whether documents are needed.
        texts: Where the texts are, for formats that have none.
    """
    by_columns = not as_corpus and len(paths) == 1
    flat = flat_table(paths[0], from_) if by_columns else None
    if flat is not None:
        return flat, ()
    name = "+".join(Source(path).stem for path in paths) if len(paths) > 1 else None
    corpus = read(*paths, format=from_, name=name, options=ReadOptions(texts=texts))
    return corpus, corpus.repairs


def named_system(argument: str) -> tuple[str, str]:
    """Name and path of ``NAME=PATH`` or ``PATH``; the default name is the file's stem."""
    name, sign, path = argument.partition("=")
    if sign and not Path(argument).exists():
        return name, path or argument
    return Source(argument).stem, argument


def distinct_systems(arguments: Sequence[str]) -> list[tuple[str, str]]:
    """Name and path of each system; files are pooled only under a name that was given.

    Raises:
        SpecError: for one file twice under one name, and for files whose own names are equal.
    """
    found = [named_system(argument) for argument in arguments]
    problems = []
    for name in dict.fromkeys(name for name, _ in found):
        paths = [path for other, path in found if other == name]
        twice = [path for path in dict.fromkeys(paths) if paths.count(path) > 1]
        if twice:
            problems.append(f"{twice[0]} is given twice. Leave it out once, or name it anew.")
        elif len(paths) > 1 and any(path in arguments for path in paths):
            named = " ".join(f"{name}{place}={path}" for place, path in enumerate(paths, 1))
            problems.append(f"{len(paths)} systems are called {name}. Name them: {named}")
    if problems:
        raise SpecError("\n".join(problems))
    return found


def named_policies(texts: Sequence[str]) -> dict[str, str]:
    """The values of ``NAME=VALUE``.

    Raises:
        SpecError: for what has no such form; names and values are checked where they are used.
    """
    found = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign:
            raise SpecError(f"{text!r} is no policy", remedy="Write NAME=VALUE, such as zero=one.")
        found[name.strip()] = value.strip()
    return found
