"""Where the problems and the texts of a corpus in the form of MSNBC are."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from pathlib import Path

from elcurate.errors import ReadError
from elcurate.formats.base import ReadOptions
from elcurate.formats.msnbc_problem import Problem
from elcurate.formats.source import Source
from elcurate.formats.surfaces import alike
from elcurate.formats.text_folder import Texts, folders, raw_text, visible
from elcurate.model.change import Repair

MARK = b"<ReferenceProblem"
_TRIED = 5


@dataclass(frozen=True)
class Place:
    """The parts of a corpus.

    Attributes:
        problems: The problem files.
        texts: The texts.
        whole: Whether these are all problems that there are.
        name: The corpus's name.
    """

    problems: list[Source]
    texts: Texts
    whole: bool
    name: str


def claim(path: Path) -> int:
    """Sure of a folder of problems or one that holds some, and of the texts beside one."""
    try:
        if path.is_dir():
            found = _is_problems(path) or _problems_in(path) or _problems_for_texts(path)
            return 90 if found else 0
        return 85 if path.is_file() and _problem_for_text(path) else 0
    except (OSError, ReadError):
        return 0


def find(source: Source, options: ReadOptions) -> Place:
    """The problems and texts of an input: a folder of either, one that holds both, or one file.

    Raises:
        ReadError: when either is missing.
    """
    if not source.is_folder:
        return _one(source, options)
    path = Path(source.path).absolute()
    known, name = None, path.parent.name
    problems: Path | None = path
    if not _is_problems(path):
        problems = _problems_in(path)
        if problems is not None:
            name = path.name
        else:
            problems, known = _problems_for_texts(path), path
    if problems is None:
        raise ReadError(
            "there are no problem files in it",
            path=path,
            remedy="A folder of files with <ReferenceProblem> is needed.",
        )
    source.used.add(problems.resolve())
    files = [source.part(file) for file in visible(problems).values()]
    texts = _texts(source, problems, files, known, options)
    return Place(files, texts, whole=True, name=name)


def _one(source: Source, options: ReadOptions) -> Place:
    """The place of a single problem, or of the problem of a single text."""
    path = Path(source.path).absolute()
    problem = None if MARK in source.head else _problem_for_text(path)
    if problem is None and MARK not in source.head:
        raise ReadError(
            "there is no ReferenceProblem in it" if source.head else "the file is empty",
            path=source.path,
            remedy="A problem file is needed, or the text of one.",
        )
    if problem is None:
        texts = _texts(source, path.parent, [source], None, options)
        return Place([source], texts, whole=False, name=source.stem)
    texts = _opened(source, options.texts or path.parent)
    return Place([source.part(problem)], texts, whole=False, name=source.stem)


def _texts(
    source: Source, problems: Path, files: list[Source], known: Path | None, options: ReadOptions
) -> Texts:
    """The texts: where the user says, or in the folder beside the problems that fits best."""
    if options.texts is not None or known is not None:
        return _opened(source, options.texts or known or problems)
    found = []
    for folder in [] if source.path == "-" else folders(problems.parent):
        if folder == problems or _is_problems(folder):
            continue
        texts = Texts(source, folder)
        number = sum(texts.find(file.name) is not None for file in files)
        if number or (not files and "text" in folder.name.lower()):
            found.append((number, texts))
    if not found:
        raise ReadError(
            "there is no folder with the texts of these problems",
            path=source.path,
            remedy="Put it beside the folder of problems, or name it with --texts.",
        )
    best = found[0][1]
    if len(found) > 1:
        ranks = [(number, *_agreement(files, texts)) for number, texts in found]
        best = found[ranks.index(max(ranks))][1]
        source.repairs.append(
            Repair(
                kind="several-text-folders",
                where=str(problems),
                before=", ".join(texts.folder.name for _, texts in found),
                after=best.folder.name,
            )
        )
    return _opened(source, best.folder)


def _opened(source: Source, folder: Path) -> Texts:
    source.used.add(folder.resolve())
    return Texts(source, folder)


def _agreement(files: list[Source], texts: Texts) -> tuple[int, int]:
    """How many surfaces of the first problems the texts have, and how many of these are UTF-8."""
    agreeing = utf8 = 0
    for file in itertools.islice(files, _TRIED):
        path = texts.find(file.name)
        if path is None:
            continue
        try:
            problem = Problem.of(Source(file.path))
            trial = Source(path)
            text = raw_text(trial)
            spans = [instance.span for instance in problem.instances]
        except ReadError:
            continue
        utf8 += not trial.repairs
        for begin, length, surface in spans:
            agreeing += alike(surface or "", text[max(begin, 0) : max(begin + length, 0)])
    return agreeing, utf8


def _is_problem(path: Path) -> bool:
    try:
        return MARK in Source(path).head
    except ReadError:
        return False


def _is_problems(folder: Path) -> bool:
    """Whether one of a folder's first files is a problem."""
    first = itertools.islice(visible(folder).values(), _TRIED)
    return any(_is_problem(path) for path in first)


def _problems_in(folder: Path) -> Path | None:
    """The only folder of problems in a folder; an empty one tells by its name."""
    inner = folders(folder)
    found = [one for one in inner if _is_problems(one)]
    if not found and any("text" in one.name.lower() for one in inner):
        found = [one for one in inner if one.name.lower() == "problems" and not visible(one)]
    return found[0] if len(found) == 1 else None


def _problems_for_texts(texts: Path) -> Path | None:
    """The folder of problems beside a folder of texts."""
    for path in itertools.islice(visible(texts).values(), _TRIED):
        problem = _problem_for_text(path)
        if problem is not None:
            return problem.parent
    return None


def _problem_for_text(text: Path) -> Path | None:
    """The problem of the same name in a folder beside that of a text."""
    own = text.absolute().parent
    for folder in folders(own.parent):
        problem = folder / text.name
        if folder != own and problem.is_file() and _is_problem(problem):
            return problem
    return None
