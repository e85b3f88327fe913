"""Reading corpora of problem files beside raw texts."""

from __future__ import annotations

from collections.abc import Iterator

from elcurate.errors import ReadError
from elcurate.formats.base import Reading, ReadOptions
from elcurate.formats.msnbc_problem import Problem
from elcurate.formats.offsets import Stated, settle
from elcurate.formats.problem_folders import MARK, Place, find
from elcurate.formats.source import Source
from elcurate.formats.surfaces import alike, report_spellings
from elcurate.formats.text_folder import is_file_name_of
from elcurate.model.change import Repair
from elcurate.model.corpus import Document, Link, Mention, in_order


def read(source: Source, options: ReadOptions) -> Reading:
    """Finds the problems and their texts; each document is read as it is asked for."""
    place = find(source, options)
    documents = _Reader(source, place, options).documents()
    return Reading(place.name, documents, repairs=source.repairs)


class _Reader:
    def __init__(self, source: Source, place: Place, options: ReadOptions) -> None:
        self.source = source
        self.place = place
        self.options = options
        self.repairs = source.repairs
        self.missing = set(options.annotators)

    def documents(self) -> Iterator[Document]:
        for file in self.place.problems:
            if self.place.whole and file.head and MARK not in file.head:
                self.repairs.append(
                    Repair(kind="no-problem-file", where=file.path, after="left out")
                )
                continue
            try:
                document = self.document(file)
            except ReadError as error:
                self.options.fail(error)
            else:
                if document.mentions or not self.options.annotators:
                    yield document
        if self.missing:
            nobody = ReadError(
                f"nobody named {' or '.join(sorted(self.missing))} annotated it",
                path=self.source.path,
                remedy="The names are in AnnotatorId.",
            )
            self.options.fail(nobody)
        if self.place.whole:
            self.place.texts.report_unused()

    def document(self, file: Source) -> Document:
        problem = Problem.of(file)
        name = problem.name
        path = self.place.texts.find(file.name, *([name] if name else []))
        if path is None:
            raise ReadError(
                f"there is no text of this name in {self.place.texts.folder}",
                path=file.path,
                remedy="Each problem needs the text that it is about.",
            )
        text = self.place.texts.read(path)
        id_ = self.id_of(file, name)
        return Document(id=id_, text=text, mentions=self.mentions(problem, text, id_))

    def id_of(self, file: Source, stated: str) -> str:
        """The stated name where the file is called after it, else the file's own."""
        if not stated or file.path == "-" or is_file_name_of(file.name, stated):
            return stated or file.name
        self.repairs.append(
            Repair(kind="other-file-name", where=file.path, before=stated, after=file.name)
        )
        return file.name

    def mentions(self, problem: Problem, text: str, id_: str) -> tuple[Mention, ...]:
        places: list[Stated] = []
        links: list[tuple[Link, ...]] = []
        for instance in problem.instances:
            self.missing -= set(instance.fields.all("AnnotatorId"))
            found = instance.links(self.options.annotators, self.repairs)
            if found:
                begin, length, surface = instance.span
                places.append(Stated(begin, begin + length, surface))
                links.append(found)
        settled = settle(text, places, self.repairs, id_, same=alike)
        report_spellings(text, places, settled, self.repairs, id_)
        return in_order(
            [
                Mention(begin=one.begin, end=one.end, surface=one.surface, links=found)
                for one, found in zip(settled, links, strict=True)
            ]
        )
