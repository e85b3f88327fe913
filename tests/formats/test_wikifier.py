"""The output of the Illinois Wikifier."""

from __future__ import annotations

import contextlib
import random
from pathlib import Path

import pytest
from formats.small_files import PAGE, REAL, fails, kinds, put, said
from shared_data import needs_shared

from elcurate.errors import ElcurateError
from elcurate.formats.all import detect
from elcurate.formats.io import read
from elcurate.formats.outputs import write
from elcurate.formats.source import Source
from elcurate.model.corpus import Corpus


def wikified(text: str, *entities: str) -> str:
    return (
        "<WikifierOutput>\n<InputFilename>\nd.txt\n</InputFilename>\n"
        f"<InputText>\n{text}\n</InputText>\n<WikifiedEntities>\n{''.join(entities)}"
        "</WikifiedEntities>\n</WikifierOutput>\n"
    )


def entity(surface: str, begin: object, top: str, candidates: str = "", words: str = "") -> str:
    end = begin + len(surface) if isinstance(begin, int) else begin
    return (
        f"<Entity>\n<EntitySurfaceForm>{surface}</EntitySurfaceForm>\n"
        f"<EntityTextStart>{begin}</EntityTextStart>\n<EntityTextEnd>{end}</EntityTextEnd>\n"
        f"<LinkerScore>-0.5</LinkerScore>\n<TopDisambiguation>\n{top}\n"
        f"<Attributes>{words}</Attributes>\n</TopDisambiguation>\n"
        f"<DisambiguationCandidates>\n{candidates}</DisambiguationCandidates>\n</Entity>\n"
    )


def page(title: str, score: object) -> str:
    return (
        f"<WikiTitle>{title}</WikiTitle> <WikiTitleID>7</WikiTitleID> "
        f"<RankerScore>{score}</RankerScore>\n"
    )


class TestWikifier:
    @needs_shared
    def test_real_sample(self) -> None:
        path = next((REAL / "wikifier").iterdir())
        assert detect(Source(path)).name == "wikifier"
        corpus = read(path)
        (document,) = corpus.documents
        assert document.id == "APW19980603_0791.htm"
        assert document.text is not None
        assert document.text.startswith("   THAILAND\n\n MORE and")
        assert len(document.mentions) == 36
        assert len(list(corpus.links())) == 394
        assert corpus.repairs == ()

    @needs_shared
    def test_values_checked_by_hand(self) -> None:
        corpus = read(REAL / "wikifier")
        (document,) = corpus.documents
        tumours, brain = document.mentions[1:3]
        assert document.surface(tumours) == "brain tumours"
        assert [link.entity for link in tumours.links] == [f"{PAGE}Brain_tumor"]
        assert brain.span == (87, 92)
        assert [(link.entity, link.score) for link in brain.links[:2]] == [
            (f"{PAGE}Brain", 0.4148892020146234),
            (f"{PAGE}Brain_tumor", 0.2100740945772447),
        ]
        assert len(brain.links) == 11
        assert brain.links[0].attributes == {"WikiTitleID": "3717", "Attributes": ["organs"]}
        assert brain.attributes == {"LinkerScore": 0.47374850790131684}
        by_surface = {document.surface(one): one for one in document.mentions}
        assert by_surface["Bangkok"].links[0].attributes["Attributes"] == [
            "capital",
            "place",
            "province",
        ]
        technology = by_surface["technology"]
        assert technology.links[0].entity == f"{PAGE}Inventions_in_the_Islamic_world"
        assert technology.attributes["LinkerScore"] < 0
        assert [len(by_surface[name].links) for name in ("radio surgery", "veins")] == [1, 3]

    def one(self, folder: Path, text: str, *entities: str) -> Corpus:
        return read(put(folder / "x.xml", wikified(text, *entities)))

    def test_the_choice_comes_first(self, tmp_path: Path) -> None:
        candidates = "".join(
            f"<Candidate>{page(title, score)}</Candidate>"
            for title, score in [("A", 0.1), ("B", 0.5), ("C", 0.7)]
        )
        corpus = self.one(tmp_path, "Rome", entity("Rome", 0, page("A", 0.1), candidates))
        links = [link for _, _, link in corpus.links()]
        assert [(link.entity, link.score) for link in links] == [
            (f"{PAGE}A", 0.1),
            (f"{PAGE}C", 0.7),
            (f"{PAGE}B", 0.5),
        ]

    def test_candidates_of_older_versions(self, tmp_path: Path) -> None:
        candidates = page("A", 0.9) + page("B", 0.5)
        corpus = self.one(tmp_path, "Rome", entity("Rome", 0, page("A", 0.9), candidates))
        assert [(link.entity, link.score) for _, _, link in corpus.links()] == [
            (f"{PAGE}A", 0.9),
            (f"{PAGE}B", 0.5),
        ]

    def test_attributes_are_not_escaped_by_the_tool(self, tmp_path: Path) -> None:
        corpus = self.one(tmp_path, "Rome", entity("Rome", 0, page("A", 1), words="at&t\trock"))
        (link,) = corpus.documents[0].mentions[0].links
        assert link.attributes["Attributes"] == ["at&t", "rock"]
        assert kinds(corpus) == {"stray-markup": 1}

    def test_line_ends_and_references(self, tmp_path: Path) -> None:
        text = "\nIt&apos;s\nNew\nYork"
        corpus = self.one(tmp_path, text, entity("New York", 6, page("New_York", 1)))
        assert corpus.documents[0].text == "\nIt's\nNew\nYork"
        assert said(corpus) == [("New\nYork", f"{PAGE}New_York")]
        assert corpus.repairs == ()

    @pytest.mark.parametrize("score", ["NaN", "Infinity"])
    def test_scores_that_are_not_finite(self, score: str, tmp_path: Path) -> None:
        corpus = self.one(tmp_path, "Rome", entity("Rome", 0, page("A", score)))
        assert corpus.documents[0].mentions[0].links[0].score is None
        assert kinds(corpus) == {"score-not-finite": 1}

    @pytest.mark.parametrize(
        ("content", "match"),
        [
            (wikified("Rome", entity("Rome", "x", page("A", 1))), "EntityTextStart 'x' is no"),
            (wikified("Rome", entity("Rome", 10**17, page("A", 1))), "absurd"),
            (wikified("Rome", entity("Rome", 0, page("A", "much"))), "'much' is no score"),
            (wikified("Rome", entity("Rome", 0, "")), "there is no WikiTitle"),
            (wikified("Rome").replace("InputText", "Text"), "there is no InputText"),
            ("<WikifierOutput", "not well-formed XML"),
            (wikified("Rome", entity("Rome", 0, page("A", 1)))[:250], "not well-formed XML"),
        ],
    )
    def test_bad_files(self, content: str, match: str, tmp_path: Path) -> None:
        path = put(tmp_path / "x.xml", content)
        assert fails(path, match).path == str(path)

    def test_it_is_not_written(self, tmp_path: Path) -> None:
        with pytest.raises(ElcurateError, match="can be read but not written"):
            write(Corpus(), tmp_path / "x.xml", format="wikifier")

    def test_mutations_raise_nothing_else(self, tmp_path: Path) -> None:
        top = page("A", 0.5)
        data = wikified("Rome é", entity("Rome", 0, top, f"<Candidate>{top}</Candidate>")).encode()
        dice = random.Random(5)
        path = tmp_path / "x.xml"
        for _ in range(300):
            changed = bytearray(data)
            place = dice.randrange(len(changed))
            changed[place : place + dice.randint(0, 20)] = dice.choice(
                [b"", b"<", b"&", b"\0", b"\xff", b"999999999999999999", b"</Entity>"]
            )
            path.write_bytes(bytes(changed))
            with contextlib.suppress(ElcurateError):
                read(path, format="wikifier")
