"""brat standoff: the sample, what brat itself demands, every quirk, every kind of wrong input."""

from __future__ import annotations

import gzip
import io
import random
import re
import tempfile
from collections import Counter
from pathlib import Path

import pytest
from formats.brat_rules import Rules
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from roundtrip import check_kept, through
from shared_data import SHARED, needs_shared
from strategies import IDS, corpora, torture_corpus

import elcurate
from elcurate.errors import ReadError, WriteError
from elcurate.formats.all import FORMATS, claims
from elcurate.formats.base import ReadOptions
from elcurate.formats.brat_entities import entity_of, normalisation_of
from elcurate.formats.brat_index import INDEX, FileNames
from elcurate.formats.brat_vocabulary import configuration
from elcurate.formats.io import read
from elcurate.formats.outputs import write
from elcurate.model.categories import LEAVES, Categories
from elcurate.model.corpus import Corpus, Document, Link, Mention, Span, in_order

BRAT = FORMATS.get("brat")
SAMPLE = SHARED / "formats" / "brat"
GOLD = SHARED / "finegrained"
SYSTEMS = ("TAGME", "BABELFYr", "AIDA", "FREMENER")
WIKIPEDIA = "https://en.wikipedia.org/wiki/"
TEXT = "Paris and London\nTower of Paris"


def pair(folder: Path, lines: str | bytes, text: str | bytes = TEXT, name: str = "doc") -> Path:
    """A pair of files; returns the annotations."""
    folder.mkdir(exist_ok=True)
    for suffix, content in ((".txt", text), (".ann", lines)):
        data = content.encode() if isinstance(content, str) else content
        (folder / f"{name}{suffix}").write_bytes(data)
    return folder / f"{name}.ann"


def one(folder: Path, lines: str | bytes, text: str | bytes = TEXT) -> tuple[Document, Corpus]:
    """The document of a pair."""
    corpus = read(pair(folder, lines, text))
    assert len(corpus.documents) == 1
    return corpus.documents[0], corpus


def kinds(corpus: Corpus) -> dict[str, int]:
    return dict(Counter(repair.kind for repair in corpus.repairs))


def again(corpus: Corpus, folder: Path) -> Corpus:
    """Written and read; brat accepts what is written."""
    losses = write(corpus, folder / "again", format="brat", overwrite=True)
    assert losses == []
    assert Rules(folder / "again").complaints() == []
    return read(folder / "again")


def lines_in(folder: Path) -> list[str]:
    """The annotations in a written collection of one document."""
    (path,) = (folder / "again").glob("*.ann")
    return path.read_text("utf-8").splitlines()


def document(*mentions: Mention, text: str = TEXT, **more: object) -> Corpus:
    found = Document(id="doc", text=text, mentions=in_order(list(mentions)), **more)
    return Corpus(name="again", documents=(found,))


@needs_shared
class TestSample:
    def test_counts(self) -> None:
        corpus = read(SAMPLE)
        (found,) = corpus.documents
        links = [link for mention in found.mentions for link in mention.links]
        assert (found.id, len(found.mentions), len(links)) == ("doc1", 14, 15)
        assert sum(link.is_nil for link in links) == 2
        assert sum(len(list(link.categories.pairs())) for link in links) == 60
        assert Counter(link.type for link in links) == {
            "Person": 5,
            "Miscellany": 4,
            "Place": 4,
            "Organisation": 2,
        }
        assert corpus.repairs == ()
        assert corpus.name == "brat"

    def test_values(self) -> None:
        (found,) = read(SAMPLE).documents
        film, jackson = found.mentions[:2]
        assert film.links[0].entity == WIKIPEDIA + "Living_with_Michael_Jackson"
        assert jackson.links[0].categories == Categories.of(
            [
                ("base_form", "full_name"),
                ("part_of_speech", "singular_noun"),
                ("overlap", "minimal"),
                ("reference", "direct"),
            ]
        )
        assert jackson.links[0].attributes == {"references": ["Wikidata:Q2831"]}
        ranch = next(mention for mention in found.mentions if mention.begin == 107)
        assert (ranch.end, ranch.fragments) == (122, ())
        assert found.surface(ranch) == "Neverland\nRanch"
        note = "mention crosses a line break: two fragments"
        assert ranch.links[0].attributes == {"AnnotatorNotes": note}
        york = next(mention for mention in found.mentions if mention.span == (131, 139))
        assert [link.entity for link in york.links] == [
            WIKIPEDIA + "New_York_City",
            WIKIPEDIA + "New_York_(state)",
        ]
        assert found.text == (SAMPLE / "doc1.txt").read_bytes().decode()

    @pytest.mark.parametrize("name", ["doc1.txt", "doc1.ann", "annotation.conf", "tools.conf"])
    def test_any_file_leads_to_it(self, name: str) -> None:
        assert read(SAMPLE / name).documents == read(SAMPLE).documents

    def test_all_files_are_one_corpus(self) -> None:
        corpus = read(*sorted(SAMPLE.iterdir()))
        assert corpus.documents == read(SAMPLE).documents

    def test_round_trip_gives_the_same_lines(self, tmp_path: Path) -> None:
        corpus = read(SAMPLE)
        assert again(corpus, tmp_path).documents == corpus.documents
        before = (SAMPLE / "doc1.ann").read_text("utf-8")
        after = (tmp_path / "again" / "doc1.ann").read_text("utf-8")
        assert after == before.replace("#9\t", "#1\t")
        text = (tmp_path / "again" / "doc1.txt").read_bytes()
        assert text == (SAMPLE / "doc1.txt").read_bytes()

    def test_our_configuration_spells_as_it_does(self) -> None:
        def values(text: str) -> dict[str, set[str]]:
            found = re.findall(r"^(\w+)\tArg:<ENTITY>(?:, Value:(\S+))?", text, re.M)
            return {name: set(stated.split("|")) for name, stated in found}

        ours = configuration()["annotation.conf"]
        theirs = (SAMPLE / "annotation.conf").read_text("utf-8")
        assert values(ours) == values(theirs)
        for line in re.findall(r"^\w+\t<NORM>.*$|^<OVERLAP>.*$|^Equiv.*$", theirs, re.M):
            assert line in ours.splitlines()

    def test_it_keeps_brats_rules(self) -> None:
        assert Rules(SAMPLE).complaints() == []


@needs_shared
class TestPublished:
    @pytest.mark.parametrize("name", ["KORE50", "VoxEL"])
    def test_gold_survives(self, name: str, tmp_path: Path) -> None:
        gold = read(GOLD / "gold" / f"{name}.ttl")
        back = again(gold, tmp_path)
        assert back.documents == gold.documents
        assert (back.name, back.metadata) == (gold.name, gold.metadata)
        assert back.repairs == ()
        assert again(back, tmp_path).documents == gold.documents

    @pytest.mark.parametrize("name", ["KORE50", "VoxEL"])
    def test_scores_are_the_same(self, name: str, tmp_path: Path) -> None:
        gold = read(GOLD / "gold" / f"{name}.ttl")
        write(gold, tmp_path / "gold", format="brat")
        systems = [read(GOLD / "systems" / f"{system}_{name}.ttl") for system in SYSTEMS]
        ours = []
        for system in systems:
            assert write(system, tmp_path / system.name, format="brat") == []
            assert Rules(tmp_path / system.name).complaints() == []
            ours.append(read(tmp_path / system.name))
            assert ours[-1].documents == system.documents
        before, after = (
            elcurate.evaluate(
                corpus,
                dict(zip(SYSTEMS, outputs, strict=True)),
                profile="emnlp2019",
                by=["categories"],
            )
            for corpus, outputs in ((gold, systems), (read(tmp_path / "gold"), ours))
        )
        assert before.systems == after.systems
        assert len(before.systems) == 4
        assert all(len(system.scores) > 20 for system in before.systems)


class TestMentions:
    def test_a_span_with_a_note_a_type_and_attributes_but_no_link_is_bare(
        self, tmp_path: Path
    ) -> None:
        lines = (
            "T1\tPlace 0 5\tParis\nA1\tBaseForm T1 ProperForm\nA2\tNegation T1\n"
            "#1\tAnnotatorNotes T1\twhich one?\nT2\tUntyped 10 16\tLondon\n"
        )
        found, corpus = one(tmp_path, lines)
        paris, london = found.mentions
        assert paris.links == london.links == ()
        assert london.attributes == {}
        assert paris.attributes == {
            "type": "Place",
            "BaseForm": "ProperForm",
            "Negation": True,
            "AnnotatorNotes": "which one?",
        }
        assert again(corpus, tmp_path).documents == (found,)
        assert sorted(lines_in(tmp_path)) == sorted(lines.splitlines())

    def test_alternatives_and_distinct_mentions_are_kept_apart(self, tmp_path: Path) -> None:
        rome = Link(entity=WIKIPEDIA + "Rome")
        oslo = Link(entity=WIKIPEDIA + "Oslo")
        corpora = [
            document(Mention(begin=0, end=5, links=(rome, oslo))),
            document(
                Mention(begin=0, end=5, links=(rome,)), Mention(begin=0, end=5, links=(oslo,))
            ),
            document(
                Mention(begin=0, end=5, links=(rome, oslo)),
                Mention(begin=0, end=5),
                Mention(begin=0, end=5, links=(rome,)),
                Mention(begin=0, end=5, links=(oslo, rome)),
            ),
        ]
        for corpus in corpora:
            assert again(corpus, tmp_path).documents == corpus.documents

    def test_annotations_on_one_span_are_alternatives_by_default(self, tmp_path: Path) -> None:
        lines = (
            "T1\tPlace 0 5\tParis\nT2\tPerson 0 5\tParis\nT3\tPerson 0 5\tParis\n"
            "N1\tReference T1 Wikipedia:Paris\tParis\nN2\tReference T2 Wikidata:Q47899\tParis\n"
        )
        found, _ = one(tmp_path, lines)
        assert [[link.entity for link in mention.links] for mention in found.mentions] == [
            [WIKIPEDIA + "Paris", "http://www.wikidata.org/entity/Q47899"],
            [],
        ]

    def test_a_moved_annotation_leaves_its_group(self, tmp_path: Path) -> None:
        odd = Mention(
            begin=0, end=6, surface="said", links=(Link(entity="Q1"),), attributes={"k": 1}
        )
        assert again(document(odd), tmp_path).documents[0].mentions == (odd,)
        path = tmp_path / "again" / "doc.ann"
        path.write_text(path.read_text("utf-8").replace("0 5\tParis", "10 16\tLondon"), "utf-8")
        (moved,) = read(path).documents[0].mentions
        assert (moved.span, moved.surface) == ((10, 16), None)
        assert (moved.links, moved.attributes) == (odd.links, odd.attributes)

    def test_fragments(self, tmp_path: Path) -> None:
        lines = (
            "T1\tX 0 5;10 16\tParis London\nT2\tX 10 16;17 22\tLondon Tower\n"
            "T3\tX 26 31;0 5\tParis Paris\n"
        )
        found, corpus = one(tmp_path, lines)
        assert [
            (mention.span, tuple((part.begin, part.end) for part in mention.fragments))
            for mention in found.mentions
        ] == [((0, 31), ((26, 31), (0, 5))), ((0, 16), ((0, 5), (10, 16))), ((10, 22), ())]
        assert corpus.repairs == ()
        assert again(corpus, tmp_path).documents == corpus.documents

    @pytest.mark.parametrize(
        "mention",
        [
            Mention(begin=10, end=22),
            Mention(begin=9, end=17),
            Mention(begin=16, end=17),
            Mention(begin=5, end=6),
            Mention(begin=3, end=3),
            Mention(begin=31, end=31),
            Mention(begin=5, end=2),
            Mention(begin=-4, end=99),
            Mention(begin=10**15, end=10**15 + 1),
            Mention(begin=0, end=9, fragments=(Span(begin=0, end=5), Span(begin=5, end=9))),
            Mention(begin=0, end=9, fragments=(Span(begin=0, end=6), Span(begin=2, end=9))),
            Mention(begin=0, end=9, fragments=(Span(begin=6, end=9), Span(begin=0, end=6))),
            Mention(begin=10, end=22, fragments=(Span(begin=10, end=16), Span(begin=17, end=22))),
            Mention(begin=0, end=5, fragments=(Span(begin=10, end=16),)),
        ],
    )
    def test_every_span_survives(self, mention: Mention, tmp_path: Path) -> None:
        linked = mention.model_copy(update={"links": (Link(entity="Q1"), Link(entity="Q2"))})
        corpus = document(mention, linked)
        assert again(corpus, tmp_path).documents == corpus.documents

    @pytest.mark.parametrize("gap", ["\n", "\r\n", "\x0b", "\x1c", "\x85", "\u2028", " \n\n "])
    def test_line_breaks_of_brat_part_a_span(self, gap: str, tmp_path: Path) -> None:
        text = f"New{gap}York"
        corpus = document(Mention(begin=0, end=len(text)), text=text)
        assert again(corpus, tmp_path).documents == corpus.documents
        (path,) = (tmp_path / "again").glob("*.ann")
        line = f"T1\tUntyped 0 3;{len(text) - 4} {len(text)}\tNew York\n"
        assert path.read_bytes().decode() == line

    @pytest.mark.parametrize("text", ["", "\n", " \x85\u2028"])
    def test_no_visible_character(self, text: str, tmp_path: Path) -> None:
        corpus = document(Mention(begin=0, end=len(text)), text=text)
        losses = write(corpus, tmp_path / "out", format="brat")
        assert [(loss.kind, loss.where) for loss in losses] == [("mention", f"doc 0-{len(text)}")]
        assert Rules(tmp_path / "out").complaints() == []

    def test_texts_are_kept_to_the_byte(self, tmp_path: Path) -> None:
        data = "\ufeffZürich\r\nis\r\n\x00\u2028 old \n".encode()
        path = pair(tmp_path / "in", "T1\tX 1 7\tZürich\nT2\tX 9 11\tis\n", data)
        corpus = read(path)
        (found,) = corpus.documents
        assert found.text == data.decode()
        assert [found.surface(mention) for mention in found.mentions] == ["Zürich", "is"]
        assert corpus.repairs == ()
        again(corpus, tmp_path)
        assert (tmp_path / "again" / "doc.txt").read_bytes() == data


class TestLinks:
    @pytest.mark.parametrize(
        ("entity", "normalisation"),
        [
            (WIKIPEDIA + "New_York_(state)", "Wikipedia:New_York_(state)"),
            (WIKIPEDIA + "2003", "Wikipedia:2003"),
            (WIKIPEDIA + "The_%22Boss%22", 'Wikipedia:The_"Boss"'),
            (WIKIPEDIA + "C%2B%2B", f"Entity:{WIKIPEDIA}C%252B%252B"),
            ("https://de.wikipedia.org/wiki/Köln", "Wikipedia-de:Köln"),
            ("http://en.wikipedia.org/wiki/Rome", "Entity:http://en.wikipedia.org/wiki/Rome"),
            ("http://www.wikidata.org/entity/Q2831", "Wikidata:Q2831"),
            ("https://www.wikidata.org/wiki/Q2", "Entity:https://www.wikidata.org/wiki/Q2"),
            ("http://dbpedia.org/resource/AC/DC", "DBpedia:AC/DC"),
            ("UniProt:P12345", "UniProt:P12345"),
            ("Wikipedia:Rome", "Entity:Wikipedia:Rome"),
            ("Q42", "Entity:Q42"),
            (" a b\u2028", "Entity:%20a%20b%E2%80%A8"),
            ("100%", "Entity:100%25"),
            ("", "Entity:%"),
            ("NIL0001", "NIL:NIL0001"),
            ("NIL", "NIL:NIL"),
        ],
    )
    def test_normalisations(self, entity: str, normalisation: str, tmp_path: Path) -> None:
        assert ":".join(normalisation_of(entity)) == normalisation
        assert entity_of(*normalisation_of(entity), {}) == entity
        corpus = document(Mention(begin=0, end=5, links=(Link(entity=entity),)))
        assert again(corpus, tmp_path).documents == corpus.documents
        assert f"N1\tReference T1 {normalisation}\t" in "\n".join(lines_in(tmp_path))

    def test_wikipedia_names_the_entity_and_the_others_are_kept(self, tmp_path: Path) -> None:
        lines = (
            "T1\tX 0 5\tParis\nN1\tReference T1 GO:1\t\nN2\tReference T1 Wikidata:Q90\tParis (F)\n"
            "N3\tReference T1 Wikipedia:Paris\t\t\tParis\n"
        )
        found, corpus = one(tmp_path, lines)
        (link,) = found.mentions[0].links
        assert link.entity == WIKIPEDIA + "Paris"
        assert link.attributes == {"references": ["GO:1", "Wikidata:Q90\tParis (F)"]}
        assert again(corpus, tmp_path).documents == (found,)
        assert lines_in(tmp_path)[1:] == [
            "N1\tReference T1 Wikipedia:Paris\tParis",
            "N2\tReference T1 GO:1\tParis",
            "N3\tReference T1 Wikidata:Q90\tParis (F)",
        ]

    def test_several_of_one_database_are_alternatives(self, tmp_path: Path) -> None:
        lines = (
            "T1\tPlace 0 5\tParis\nA1\tOverlap T1 None\nN1\tReference T1 Wikipedia:Paris\tParis\n"
            "N2\tReference T1 Wikipedia:Paris,_Texas\tParis, Texas\n"
            "N3\tReference T1 Wikidata:Q830149\tParis, Texas\n"
        )
        found, corpus = one(tmp_path, lines)
        first, second = found.mentions[0].links
        assert second.entity == WIKIPEDIA + "Paris,_Texas"
        assert (first.attributes, second.attributes) == ({}, {"references": ["Wikidata:Q830149"]})
        assert first.categories == second.categories != Categories()
        assert again(corpus, tmp_path).documents == (found,)

    def test_a_number_with_another_name_is_a_page(self, tmp_path: Path) -> None:
        lines = "T1\tX 0 5\tParis\nN1\tReference T1 Wikipedia:534366\tBarack Obama\n"
        found, corpus = one(tmp_path, lines)
        (link,) = found.mentions[0].links
        assert link.entity == "https://en.wikipedia.org/?curid=534366"
        assert link.attributes == {"label": "Barack Obama"}
        assert kinds(corpus) == {"page-number": 1}
        assert again(corpus, tmp_path).documents == (found,)

    def test_databases_lead_where_the_configuration_says(self, tmp_path: Path) -> None:
        (tmp_path / "in").mkdir()
        pair(
            tmp_path / "in" / "deep",
            "T1\tX 0 5\tParis\nN1\tReference T1 Wiki:5\tx\nT2\tX 10 16\tLondon\n"
            "N2\tReference T2 WD:Q5\tx\nT3\tX 17 22\tTower\nN3\tReference T3 GO:5\tx\n",
        )
        (tmp_path / "in" / "tools.conf").write_text(
            "[normalization]\nWiki  <URL>:http://en.wikipedia.org, "
            "<URLBASE>:http://en.wikipedia.org/?curid=%s\n"
            "WD\t<URL>:x, <URLBASE>:https://www.wikidata.org/wiki/%s\n"
            "GO <URL>:x, <URLBASE>:http://amigo/%s\n"
        )
        corpus = read(tmp_path / "in")
        assert [link.entity for _, _, link in corpus.links()] == [
            "http://en.wikipedia.org/?curid=5",
            "http://www.wikidata.org/entity/Q5",
            "GO:5",
        ]
        assert kinds(corpus) == {}
        assert corpus.documents[0].id == "deep/doc"

    def test_nil(self, tmp_path: Path) -> None:
        links = [Link(entity=None, type="Person"), Link(entity="NIL1"), Link(entity="NIL")]
        corpus = document(
            *(
                Mention(begin=place, end=place + 5, links=(link,))
                for place, link in enumerate(links)
            ),
            Mention(begin=17, end=22, links=(Link(entity="NIL1"),)),
        )
        assert again(corpus, tmp_path).documents == corpus.documents
        assert "*\tEquiv T2 T4" in lines_in(tmp_path)
        assert sum("\tNIL T" in line for line in lines_in(tmp_path)) == 4

    def test_nil_prefix_is_an_option(self, tmp_path: Path) -> None:
        path = pair(tmp_path, "T1\tX 0 5\tParis\nN1\tReference T1 Wikipedia:NotInWiki\tx\n")
        options = ReadOptions(nil_iris=(WIKIPEDIA + "NotInW",))
        corpus = read(path, options=options)
        assert [link.entity for _, _, link in corpus.links()] == [None]
        assert kinds(corpus) == {"nil-as-page": 1}

    def test_groups_of_nil_mentions_are_clusters(self, tmp_path: Path) -> None:
        lines = "".join(
            f"T{number}\tX {number} {number + 1}\t{TEXT[number]}\nA{number}\tNIL T{number}\n"
            for number in (0, 1, 2, 3, 10)
        )
        lines += "*\tEquiv T0 T2\n*\tEquiv T10 T2\nN1\tReference T3 NIL:X\tX\n"
        found, corpus = one(tmp_path, lines)
        clusters = [mention.links[0].entity for mention in found.mentions]
        assert clusters == ["NIL:doc:1", None, "NIL:doc:1", "NIL:X", "NIL:doc:1"]
        assert again(corpus, tmp_path).documents == (found,)
        path = next((tmp_path / "again").glob("*.ann"))
        path.write_text(path.read_text("utf-8") + "*\tEquiv T2 T4\n", "utf-8")
        joined = read(path).documents[0]
        assert [mention.links[0].entity for mention in joined.mentions][1] == "NIL:X"

    def test_a_new_group_gets_a_new_name(self, tmp_path: Path) -> None:
        links = (Link(entity="NIL:doc:1"),)
        corpus = document(
            Mention(begin=0, end=5, links=links),
            *(Mention(begin=b, end=b + 5, links=(Link(),)) for b in (10, 17)),
        )
        write(corpus, tmp_path / "again", format="brat")
        path = tmp_path / "again" / "doc.ann"
        path.write_text(path.read_text("utf-8") + "*\tEquiv T2 T3\n", "utf-8")
        entities = [link.entity for _, _, link in read(path).links()]
        assert entities == ["NIL:doc:1", "NIL:doc:2", "NIL:doc:2"]

    def test_conflicting_clusters_are_kept_apart(self, tmp_path: Path) -> None:
        lines = "".join(
            f"T{number}\tX {number} {number + 1}\t{TEXT[number]}\n"
            f"N{number}\tReference T{number} NIL:NIL{number}\tx\n"
            for number in (1, 2)
        )
        lines += "T3\tX 3 4\ti\nA3\tNIL T3\n"
        for groups in ("*\tEquiv T1 T2\n", "*\tEquiv T1 T3\n*\tEquiv T3 T2\n"):
            found, corpus = one(tmp_path, lines + groups)
            entities = [link.entity for _, _, link in corpus.links()]
            assert entities == ["NIL1", "NIL2", None]
            assert kinds(corpus)["conflicting-clusters"] == groups.count("*")
            assert again(corpus, tmp_path).documents == (found,)

    def test_types(self, tmp_path: Path) -> None:
        types = [
            None,
            "Person",
            "Untyped",
            "PER",
            "http://e.org/Person",
            "x#Person",
            "NIL",
            "?",
            "",
        ]
        links = tuple(Link(entity=f"Q{n}", type=type_) for n, type_ in enumerate(types))
        corpus = document(Mention(begin=0, end=5, links=links))
        assert again(corpus, tmp_path).documents == corpus.documents
        written = [line.split()[1] for line in lines_in(tmp_path) if line[0] == "T"]
        assert written == [
            *("Untyped", "Person", "Untyped_2", "PER", "Person_2", "Person_3", "NIL"),
            *("Type", "Type_2"),
        ]

    def test_a_type_that_brat_can_name_takes_its_name(self, tmp_path: Path) -> None:
        link = Link(entity="Q1", type="http://dbpedia.org/ontology/Person")
        corpus = document(Mention(begin=0, end=5, links=(link,)))
        assert again(corpus, tmp_path).documents == corpus.documents
        assert lines_in(tmp_path)[0] == "T1\tPerson 0 5\tParis"

    @pytest.mark.parametrize(
        ("attributes", "line"),
        [
            ({"Negation": True}, "A1\tNegation T1"),
            ({"Confidence": "High"}, "A1\tConfidence T1 High"),
            ({"Confidence": ["High", "Low"]}, "A2\tConfidence T1 Low"),
            ({"BaseForm": "ProperForm"}, "A1\tBaseForm T1 ProperForm"),
            ({"NIL": True}, "A1\tNIL T1"),
            ({"AnnotatorNotes": "a b"}, "#1\tAnnotatorNotes T1\ta b"),
            ({"AnnotatorNotes": ["a", "a"]}, "#2\tAnnotatorNotes T1\ta"),
            ({"#Unsure": ""}, "#1\tUnsure T1\t"),
            ({"label": "The\tname"}, "N1\tReference T1 Entity:Q1\tThe\tname"),
            ({"references": ["GO:1"]}, "N2\tReference T1 GO:1\tQ1"),
            ({"BaseForm": "ProForm"}, None),
            ({"BaseForm": "Mnt-Alias"}, None),
            ({"Confidence": "very high"}, None),
            ({"Confidence": ["High", "High"]}, None),
            ({"Confidence": ["High"]}, None),
            ({"a b": "x"}, None),
            ({"AnnotatorNotes": "a\u2028b"}, None),
            ({"#Elcurate": "{}"}, None),
            ({"label": "Q1"}, None),
            ({"references": ["Wikipedia:X"]}, None),
            ({"references": ["Entity:X"]}, None),
            ({"references": ["GO:1", "GO:1"]}, None),
            ({"references": ["GO:1\tQ1"]}, None),
            ({"brat": "T5"}, None),
            ({"k": None, "n": [1.5, {"x": "\n\x85"}]}, None),
        ],
    )
    def test_attributes(self, attributes: dict, line: str | None, tmp_path: Path) -> None:
        corpus = document(
            Mention(begin=0, end=5, links=(Link(entity="Q1", attributes=attributes),))
        )
        assert again(corpus, tmp_path).documents == corpus.documents
        said = [text for text in lines_in(tmp_path) if "\tElcurate T1\t" not in text]
        assert (line in said) if line else len(said) == 2

    def test_all_leaves_in_one_dimension(self, tmp_path: Path) -> None:
        link = Link(entity="Q1", score=-0.5, categories=Categories.of(LEAVES))
        corpus = document(Mention(begin=0, end=5, links=(link,)))
        back = again(corpus, tmp_path)
        assert back.documents == corpus.documents
        assert kinds(back) == {"several-values": 4}
        assert [line for line in lines_in(tmp_path) if line[0] == "#"] == [
            '#1\tElcurate T1\t{"score": -0.5}'
        ]


class TestKept:
    LINES = """\
T1	Person 0 5	Paris
T2	Person 10 16	London
N1	Reference T2 Wikipedia:Jack_London	Jack London
T3	Build 17 22	Tower
E1	Build:T3 Theme:T1 Theme2:T2
E2	Build:T3
A1	Negation E1
M1	Speculation E1
#1	AnnotatorNotes E1	doubtful
R1	Near Arg1:T1 Arg2:T2
*	Equiv T1 T2
"""

    def test_relations_and_events(self, tmp_path: Path) -> None:
        found, corpus = one(tmp_path, self.LINES)
        assert corpus.repairs == ()
        paris, london = found.mentions
        assert (paris.attributes, london.links[0].attributes) == (
            {"type": "Person", "brat": "T1"},
            {"brat": "T2"},
        )
        assert found.metadata == {"brat": self.LINES.splitlines()[3:]}
        assert again(corpus, tmp_path).documents == (found,)
        assert sorted(lines_in(tmp_path)) == sorted(self.LINES.splitlines())
        assert '"brat"' not in (tmp_path / "again" / INDEX).read_text("utf-8")

    @pytest.mark.parametrize(
        "change",
        [
            ("R1\tNear", "R1\tNear of"),
            ("Arg2:T2", "Arg1:T2"),
            ("Arg2:T2", "Arg2:T9"),
            ("Build 17 22\tTower", "Build 17 23\tTower"),
            ("E2\tBuild:T3", "E2\tOther:T3"),
            ("A1\tNegation E1", "A1\tNegation T3"),
            ("A1\tNegation E1", "A1\tOverlap E1 None"),
            ("#1\tAnnotatorNotes", "E1\tAnnotatorNotes"),
            ("*\tEquiv T1 T2", "*\tEquiv T1"),
            ("*\tEquiv T1 T2", "X"),
        ],
    )
    def test_lines_that_brat_refuses_go_into_the_index(
        self, change: tuple[str, str], tmp_path: Path
    ) -> None:
        found, _ = one(tmp_path, self.LINES)
        lines = "\n".join(found.metadata["brat"]).replace(*change).split("\n")
        wrong = found.model_copy(update={"metadata": {"brat": lines}})
        corpus = Corpus(name="x", documents=(wrong,))
        assert again(corpus, tmp_path).documents == (wrong,)
        assert {line[0] for line in lines_in(tmp_path)} == {"T", "N", "#"}

    def test_ids_are_not_given_twice(self, tmp_path: Path) -> None:
        lines = (
            "T1\tX 0 5\tParis\nT9\tX 10 16\tLondon\nT2\tX 17 22\tTower\nA1\tF T2\nA5\tG R1\n"
            "R1\tNear Arg1:T2 Arg2:T1\n"
        )
        found, corpus = one(tmp_path, lines)
        assert again(corpus, tmp_path).documents == (found,)
        ids = [line.split("\t")[0] for line in lines_in(tmp_path)]
        assert ids == ["T1", "T3", "T2", "A1", "A5", "R1"]

    def test_lines_added_in_brat_join_those_in_the_index(self, tmp_path: Path) -> None:
        corpus = document(Mention(begin=0, end=5), metadata={"brat": ["wrong"]})
        write(corpus, tmp_path / "again", format="brat")
        path = tmp_path / "again" / "doc.ann"
        path.write_text("T1\tX 0 5\tParis\nT2\tX 0 3\tPar\nR1\tIn Arg1:T2 Arg2:T1\n")
        line = "R1\tIn Arg1:T2 Arg2:T1"
        assert read(path).documents[0].metadata == {"brat": ["wrong", line]}


class TestRepairs:
    @pytest.mark.parametrize(
        ("lines", "repairs"),
        [
            ("nonsense", {"unreadable-line": 1}),
            ("T2 X 0 5 Paris", {"unreadable-line": 1}),
            ("T2\tX 0 five\tParis", {"unreadable-line": 1}),
            ("T2\tX 0.5 5\tParis", {"unreadable-line": 1}),
            ("T2\tX\tParis", {"unreadable-line": 1}),
            ("X2\tX T1", {"unreadable-line": 1}),
            ("A2\tX", {"unreadable-line": 1}),
            ("M2\tX T1 y", {"unreadable-line": 1}),
            ("N2\tReference T1 Rome\tRome", {"unreadable-line": 1}),
            ("N2\tReference T1 Wikipedia: \tRome", {"unreadable-line": 1}),
            ("R2\tX T1 T1", {"unreadable-line": 1}),
            ("R2\tX Arg1:T1", {"unreadable-line": 1}),
            ("E2\tX", {"unreadable-line": 1}),
            ("*\tEquiv T1", {"unreadable-line": 1}),
            ("#2\tAnnotatorNotes\ttext", {"unreadable-line": 1}),
            ("A2\tX T9", {"unknown-reference": 1}),
            ("N2\tReference T9 Wikipedia:Rome\tRome", {"unknown-reference": 1}),
            ("#2\tAnnotatorNotes T9\ttext", {"unknown-reference": 1}),
            ("R2\tX Arg1:T1 Arg2:T9", {"unknown-reference": 1}),
            ("E2\tX:T9", {"unknown-reference": 1}),
            ("*\tEquiv T1 T9", {"unknown-reference": 1}),
            ("T1\tX 0 5\tParis", {"repeated-id": 1}),
            ("A1\tX T1\nA1\tY T1", {"repeated-id": 1}),
            ("A1\tX T1\tmore", {"surplus-text": 1}),
            ("A1\tX T1 y\nA2\tX T1 y", {"repeated-attribute": 1}),
            ("A1\tNIL T1\nA2\tBaseForm T1 Proper", {"unknown-category": 1}),
            ("A1\tNIL T1\nA2\tBaseForm T1", {"unknown-category": 1}),
            ("A1\tNIL T1\nA2\tBaseForm T1 ProForm", {"missing-category": 3}),
            (
                "A1\tNIL T1\nA2\tOverlap T1 none",
                {"category-spelling": 1, "missing-category": 3},
            ),
            (
                "A1\tNIL T1\nA2\tReference T1 Ref-Direct",
                {"category-spelling": 1, "missing-category": 3},
            ),
            (
                "A1\tNIL T1\nA2\tOverlap T1 None\nA3\tOverlap T1 Maximal",
                {"several-values": 1, "missing-category": 3},
            ),
            ("A1\tNIL T1\nN1\tReference T1 Wikipedia:Rome\tRome", {"nil-with-link": 1}),
            ("N1\tReference T1 Wikipedia:New York\tNew York", {"blank-in-id": 1}),
            ("N1\tIdentity T1 Wikipedia:Rome\tRome", {"normalisation-type": 1}),
            (
                "N1\tReference T1 GO:1\tx\nN2\tReference T1 GO:1\tx",
                {"repeated-normalisation": 1},
            ),
            ("#1\tElcurate T1\tnonsense", {"unreadable-note": 1}),
            ('#1\tElcurate T1\t{"score": NaN}', {"unreadable-note": 1}),
            ('#1\tElcurate T1\t{"score": "high"}', {"unreadable-note": 1}),
            ('#1\tElcurate T1\t{"number": "2"}', {"unreadable-note": 1}),
            ('#1\tElcurate T1\t{"mention": {"begin": 0}}', {"unreadable-note": 1}),
            ('#1\tElcurate T1\t{"other": 1}', {"unreadable-note": 1}),
            ("#1\tElcurate T1\t[1]", {"unreadable-note": 1}),
            ("T2\tX 0 5\tLondon", {"surface-differs": 1}),
            ("T2\tX 10 22\tLondon Tower", {"newline-in-span": 1}),
            ("T2\tX 10 22\tLondon\nTower", {"newline-in-span": 1, "broken-line": 1}),
            ("T2\tX 0 5;3 9\tParis is and", {"overlapping-fragments": 1}),
            ("T2\tX 0 5;10 16\tParisLondon", {"joined-fragments": 1}),
            (
                "T2\tX 0 99\tParis",
                {"span-outside-text": 1, "surface-differs": 1, "newline-in-span": 1},
            ),
            ("T2\tX 5 2\t", {"span-outside-text": 1}),
            ("T2\tX -9 5\t", {"span-outside-text": 1}),
            ("T2\tX 1000000000000 1000000000005\t", {"span-outside-text": 1}),
            ("T2\tX 0 5\r\nA1\tNIL T1\r", {"crlf": 1}),
            ("T2\tX 0 5\tParis ", {}),
            ("T2\tX 0 5", {}),
            ("\n\n", {}),
        ],
    )
    def test_wrong_lines(self, lines: str, repairs: dict[str, int], tmp_path: Path) -> None:
        found, corpus = one(tmp_path, f"T1\tX 0 5\tParis\n{lines}\n")
        assert kinds(corpus) == repairs
        assert all(str(tmp_path) in r.where or "doc " in r.where for r in corpus.repairs)
        assert len(found.mentions) == 1 + bool(re.search(r"^T\d\tX -?\d+ -?\d+", lines, re.M))
        back = again(corpus, tmp_path)
        assert back.documents == (found,)

    def test_notes_of_ours_don_t_hide_what_others_say(self, tmp_path: Path) -> None:
        lines = (
            'T1\tX 0 5\tParis\n#1\tElcurate T1\t{"mention": {"begin": 0, "end": 5, "attributes": '
            '{"k": "a"}}}\nA1\tk T1 b\n#2\tElcurate T1\t{"number": 3}\nT2\tX 10 16\tLondon\n'
            'A2\tNIL T2\n#3\tElcurate T2\t{"attributes": {"AnnotatorNotes": "a\\nb", "k": ["a"]}}\n'
            "A3\tk T2 b\n#4\tAnnotatorNotes T2\tc\n"
        )
        found, corpus = one(tmp_path, lines)
        paris, london = found.mentions
        assert paris.attributes == {
            "type": "X",
            "k": ["a", "b"],
            "#Elcurate": '{"number": 3}',
        }
        assert london.links[0].attributes == {"k": ["a", "b"], "AnnotatorNotes": ["a\nb", "c"]}
        assert kinds(corpus) == {"unreadable-note": 1}
        assert again(corpus, tmp_path).documents == (found,)

    def test_annotations_of_a_repeated_id_take_what_follows_them(self, tmp_path: Path) -> None:
        lines = (
            "N1\tReference T1 GO:1\tx\nT1\tX 0 5\tParis\nN2\tReference T1 GO:2\tx\n"
            "T1\tX 10 16\tLondon\nN3\tReference T1 GO:3\tx\n"
        )
        found, corpus = one(tmp_path, lines)
        assert [[link.entity for link in mention.links] for mention in found.mentions] == [
            ["GO:1", "GO:2"],
            ["GO:3"],
        ]
        assert kinds(corpus) == {"repeated-id": 1}

    def test_offsets_in_other_units(self, tmp_path: Path) -> None:
        text = "😀 Paris, 😀 London"
        lines = "T1\tX 3 8\tParis\nT2\tX 13 19\tLondon\n"
        found, corpus = one(tmp_path, lines, text)
        assert [found.surface(mention) for mention in found.mentions] == ["Paris", "London"]
        assert kinds(corpus) == {"offsets": 1}

    def test_what_the_configuration_does_not_declare(self, tmp_path: Path) -> None:
        folder = tmp_path / "in"
        pair(
            folder,
            "T1\tCity 0 5\tParis\nT2\tTown 10 16\tLondon\nT3\tTown 17 22\tTower\n"
            "A1\tSure T1 High\nA2\tSure T2 Low\nA3\tOdd T1\nN1\tReference T1 GO:1\tx\n"
            "N2\tReference T2 WN:1\tx\n",
        )
        (folder / "annotation.conf").write_text(
            "<LEVEL>=High|Middle\n[entities]\n<LEVELS>=High|Middle\n!Place\n City|Stadt <NORM>:GO\n"
            "---\n[attributes]\n<V>=High|Middle\nSure Arg:<ANY>, Value:<V>\n# Odd Arg:<ANY>\n"
        )
        corpus = read(folder)
        assert [(repair.kind, repair.before) for repair in corpus.repairs] == [
            ("undeclared", "attribute Odd"),
            ("undeclared", "type Town"),
            ("undeclared", "value of Sure Low"),
            ("unknown-database", "database WN"),
        ]

    def test_byte_order_mark_in_the_annotations(self, tmp_path: Path) -> None:
        _, corpus = one(tmp_path, b"\xef\xbb\xbfT1\tX 0 5\tParis\n")
        assert kinds(corpus) == {"byte-order-mark": 1}

    def test_no_repair(self, tmp_path: Path) -> None:
        path = pair(tmp_path, "T1\tX 0 5\tParis\nA1\tX T2\n")
        with pytest.raises(ReadError, match="unknown-reference"):
            read(path, repair=False)


class TestWrongFiles:
    def test_annotations_without_text(self, tmp_path: Path) -> None:
        path = pair(tmp_path / "in", "T1\tX 0 5;10 16\tParis London\n")
        (tmp_path / "texts").mkdir()
        (tmp_path / "in" / "doc.txt").rename(tmp_path / "texts" / "doc.txt")
        corpus = read(path)
        (found,) = corpus.documents
        assert (found.text, found.mentions[0].surface) == (None, "Paris London")
        assert len(found.mentions[0].fragments) == 2
        assert kinds(corpus) == {"missing-text": 1}
        whole = read(path, options=ReadOptions(texts=tmp_path / "texts"))
        assert whole.documents[0].text == TEXT
        assert whole.repairs == ()

    def test_text_without_annotations(self, tmp_path: Path) -> None:
        pair(tmp_path, "", name="a")
        (tmp_path / "b.txt").write_text("Text")
        corpus = read(tmp_path)
        assert [(found.id, found.text) for found in corpus.documents] == [
            ("a", TEXT),
            ("b", "Text"),
        ]
        assert kinds(corpus) == {"missing-annotations": 1}
        assert read(tmp_path / "b.txt", format="brat").documents == corpus.documents[1:]

    def test_empty_files(self, tmp_path: Path) -> None:
        found, corpus = one(tmp_path, "", "")
        assert (found.text, found.mentions, corpus.repairs) == ("", (), ())

    @pytest.mark.parametrize("suffix", [".txt", ".ann"])
    def test_not_utf8(self, suffix: str, tmp_path: Path) -> None:
        pair(tmp_path, "T1\tX 0 5\tParis\n", name="a")
        pair(tmp_path, "T1\tX 0 5\tParis\n", name="c")
        wrong = pair(tmp_path, "T1\tX 0 5\tParis\n", name="b").with_suffix(suffix)
        wrong.write_bytes("T1\tX 0 1\ta\nZürich".encode("latin-1"))
        with pytest.raises(ReadError, match=r"0xfc is not UTF-8") as caught:
            read(tmp_path)
        assert (caught.value.path, caught.value.line) == (str(wrong), 2)
        assert caught.value.document == "b"
        errors: list[ReadError] = []
        corpus = read(tmp_path, options=ReadOptions(errors=errors))
        assert [found.id for found in corpus.documents] == ["a", "c"]
        assert [error.path for error in errors] == [str(wrong)]

    @pytest.mark.parametrize("content", ["text", b"\x00\x01", "{}\n[]\n", "T1 X 0 5 Paris"])
    def test_no_annotation_at_all(self, content: str | bytes, tmp_path: Path) -> None:
        path = pair(tmp_path, content)
        with pytest.raises(ReadError, match="no line is an annotation") as caught:
            read(path)
        assert (caught.value.path, caught.value.document) == (str(path), "doc")

    def test_a_folder_instead_of_a_file(self, tmp_path: Path) -> None:
        pair(tmp_path, "", name="a")
        (tmp_path / "b.txt").mkdir()
        (tmp_path / "b.ann").write_text("")
        assert [found.id for found in read(tmp_path).documents] == ["a", "b"]

    def test_absurd_offsets(self, tmp_path: Path) -> None:
        pair(tmp_path, f"T1\tX 0 {10**40}\tParis\n", name="a")
        pair(tmp_path, "T1\tX 0 5\tParis\n", name="b")
        with pytest.raises(ReadError, match="absurd") as caught:
            read(tmp_path)
        assert caught.value.document == "a"
        errors: list[ReadError] = []
        corpus = read(tmp_path, options=ReadOptions(errors=errors))
        assert [found.id for found in corpus.documents] == ["b"]
        assert [error.document for error in errors] == ["a"]

    @pytest.mark.parametrize(
        ("number", "line", "match"),
        [
            (2, "nonsense", "not a line of an index"),
            (2, '{"version": 2}', "version 2, not 1"),
            (2, "[1]", "not a line"),
            (3, '{"file": "a"}', "Field required"),
            (3, '{"file": "a", "document": {"id": 5}}', "not a line"),
            (3, '{"file": "a", "document": {"id": "x", "tags": NaN}}', "not finite"),
            (3, "[" * 99999, "nested too deeply"),
        ],
    )
    def test_wrong_index(self, number: int, line: str, match: str, tmp_path: Path) -> None:
        write(torture_corpus(), tmp_path / "x", format="brat")
        path = tmp_path / "x" / INDEX
        lines = path.read_text("utf-8").split("\n")
        lines[number - 1] = line
        path.write_text("\n".join(lines), "utf-8")
        with pytest.raises(ReadError, match=match) as caught:
            read(tmp_path / "x")
        assert (caught.value.path, caught.value.line) == (str(path), number)
        errors: list[ReadError] = []
        assert len(read(tmp_path / "x", options=ReadOptions(errors=errors)).documents) == 2
        assert len(errors) == 1

    def test_the_index_names_files_that_are_gone(self, tmp_path: Path) -> None:
        corpus = Corpus(documents=tuple(Document(id=name, text=name) for name in "zya"))
        write(corpus, tmp_path / "x", format="brat")
        for suffix in (".txt", ".ann"):
            (tmp_path / "x" / f"y{suffix}").unlink()
        pair(tmp_path / "x", "", name="new")
        found = read(tmp_path / "x")
        assert [one.id for one in found.documents] == ["z", "a", "new"]
        assert [(r.kind, r.before) for r in found.repairs] == [("missing-document", "y")]

    def test_the_index_leads_to_no_file_elsewhere(self, tmp_path: Path) -> None:
        pair(tmp_path, "", text="secret", name="secret")
        write(Corpus(documents=(Document(id="a", text="a"),)), tmp_path / "x", format="brat")
        path = tmp_path / "x" / INDEX
        path.write_text(path.read_text().replace('"file": "a"', '"file": "../secret"'))
        found = read(tmp_path / "x")
        assert [one.text for one in found.documents] == ["a"]
        assert kinds(found) == {"missing-document": 1}

    def test_mutations(self, tmp_path: Path) -> None:
        """Whatever is read is written so that brat accepts it, and nothing changes any more."""
        lines = TestKept.LINES + "A7\tNIL T1\nT7\tX 23 31\tof Paris\n*\tEquiv T1 T7\n"
        dice = random.Random(7)
        for _ in range(150):
            changed = list(lines)
            for _ in range(dice.randint(1, 4)):
                place = dice.randrange(len(changed))
                changed[place] = dice.choice(["", "\n", "\t", " ", ":", "9", "T1", "\x85", "\x00"])
            corpus = read(pair(tmp_path / "in", "".join(changed)))
            assert again(corpus, tmp_path).documents == corpus.documents


class TestFolders:
    def test_nested_collections(self, tmp_path: Path) -> None:
        top = tmp_path / "top"
        pair(top, "", name="b")
        (top / "annotation.conf").write_text("[entities]\nX\n[attributes]\n")
        pair(top / "sub", "T1\tX 0 5\tParis\nT2\tY 10 16\tLondon\n", name="b")
        (top / ".hidden").mkdir()
        corpus = read(top)
        assert [found.id for found in corpus.documents] == ["b", "sub/b"]
        assert kinds(corpus) == {"undeclared": 1}
        assert kinds(read(top / "sub" / "b.txt")) == {"undeclared": 1}
        assert again(corpus, tmp_path).documents == corpus.documents
        assert read(*sorted(top.glob("[a-z]*"))).documents == corpus.documents

    def test_a_folder_of_collections(self, tmp_path: Path) -> None:
        (tmp_path / "all").mkdir()
        for name in ("a", "b"):
            corpus = Corpus(name=name, documents=(Document(id=f"http://{name}", text=name),))
            write(corpus, tmp_path / "all" / name, format="brat")
        assert [found.id for found in read(tmp_path / "all").documents] == ["http://a", "http://b"]

    def test_folders_that_lead_to_themselves_are_read_once(self, tmp_path: Path) -> None:
        pair(tmp_path, "", name="a")
        (tmp_path / "loop").symlink_to(tmp_path)
        pair(tmp_path / "b", "", name="c")
        (tmp_path / "z").symlink_to(tmp_path / "b")
        assert [found.id for found in read(tmp_path).documents] == ["a", "b/c"]

    def test_other_folders_are_not_claimed(self, tmp_path: Path) -> None:
        (tmp_path / "a").mkdir()
        (tmp_path / "a" / "x.txt").write_text("text")
        (tmp_path / "a" / "y.ann").write_text("T1\tX 0 1\tt\n")
        (tmp_path / "a" / "tools.conf").write_text("[x]")
        assert not any(
            BRAT.claim(path) for path in (tmp_path, tmp_path / "a", *(tmp_path / "a").iterdir())
        )
        assert BRAT.claim(tmp_path / "missing") == 0

    def test_either_file_leads_to_the_pair(self, tmp_path: Path) -> None:
        path = pair(tmp_path, "T1\tX 0 5\tParis\n")
        text = path.with_suffix(".txt")
        for inputs in ([path], [text], [path, text], [text, path], [tmp_path]):
            corpus = read(*inputs)
            assert [(found.id, len(found.mentions)) for found in corpus.documents] == [("doc", 1)]
            assert corpus.repairs == ()

    def test_packed_pairs(self, tmp_path: Path) -> None:
        for suffix, content in ((".txt.gz", TEXT), (".ann.gz", "T1\tX 0 5\tParis\n")):
            (tmp_path / f"doc{suffix}").write_bytes(gzip.compress(content.encode()))
        for path in (tmp_path, tmp_path / "doc.ann.gz", tmp_path / "doc.txt.gz"):
            assert [(d.id, d.text, len(d.mentions)) for d in read(path).documents] == [
                ("doc", TEXT, 1)
            ]

    def test_standard_input(self, monkeypatch: pytest.MonkeyPatch) -> None:
        data = b"T1\tX 0 5\tParis\nA1\tNIL T1\n"
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
        (found,) = read("-").documents
        assert (found.id, found.text, found.mentions[0].surface) == ("stdin", None, "Paris")

    @pytest.mark.parametrize(
        ("head", "name", "sure"),
        [
            (b"T1\tX 0 5\tParis\nA1\tY T1\n", "x.ann", 90),
            (b"T1\tX 0 5;7 9\tParis is\n", "x", 70),
            (b"\xef\xbb\xbf#1\tN T1\ttext\nT1\tX 0 5\r\n", "x", 70),
            (b"A1\tY T1\n", "x.ann", 0),
            (b"T1\tX 0 5\tParis\ntext\n", "x.ann", 0),
            (b"T1\t0\t5\n", "x", 0),
            (b"", "x.ann", 0),
        ],
    )
    def test_sniff(self, head: bytes, name: str, sure: int) -> None:
        assert BRAT.sniff(head, name) == sure

    def test_no_other_format_claims_a_collection(self, tmp_path: Path) -> None:
        write(torture_corpus(), tmp_path / "x", format="brat")
        for path in (tmp_path / "x", *(tmp_path / "x").iterdir()):
            assert {name for name, sure in claims(path).items() if sure} == {"brat"}, path


class TestWriting:
    def test_names_and_metadata_survive(self, tmp_path: Path) -> None:
        corpus = Corpus(
            name="Ein Name",
            metadata={"a": ["\x85"]},
            documents=tuple(Document(id=name, text="x") for name in ("b", "a", "c")),
        )
        write(corpus, tmp_path / "x", format="brat")
        back = read(tmp_path / "x")
        assert (back.name, back.metadata, back.documents) == (
            corpus.name,
            corpus.metadata,
            corpus.documents,
        )

    def test_any_id_is_a_file_name(self, tmp_path: Path) -> None:
        ids = [
            *IDS,
            *("", ".", "..", "../x", "/etc/passwd", "a\0b", "hidden_x", "-x", "x.ann", "x.txt"),
            *("doc.txt", "DOC", "Doc", "~", "~7E", "doc~~2", INDEX, "annotation.conf"),
            *("x" * 300, "x" * 301, "東" * 300),
        ]
        corpus = Corpus(name="again", documents=tuple(Document(id=name, text=name) for name in ids))
        assert again(corpus, tmp_path).documents == corpus.documents
        names = [path.name for path in (tmp_path / "again").iterdir()]
        assert len(names) == 2 * len(ids) + 5
        assert len({name.lower() for name in names}) == len(names)
        assert all(len(name) < 200 for name in names)
        assert all(re.fullmatch("[A-Za-z0-9~][A-Za-z0-9._~-]*", name) for name in names)
        for path in (tmp_path / "again").glob("*.ann"):
            (found,) = read(path).documents
            assert found.id == found.text

    def test_file_names_are_readable(self) -> None:
        name = FileNames().of
        assert name("doc-1.final") == "doc-1.final"
        assert name("a/b c") == "a~2Fb~20c"
        assert name("doc-1.final") == "doc-1.final~~2"

    def test_without_text(self, tmp_path: Path) -> None:
        corpus = Corpus(name="x", documents=(Document(id="a"), Document(id="b", text="")))
        losses = write(corpus, tmp_path / "x", format="brat")
        assert {(loss.kind, loss.where) for loss in losses} == {("no-text", "a"), ("document", "a")}
        assert [found.id for found in read(tmp_path / "x").documents] == ["b"]

    def test_every_leaf_is_declared(self, tmp_path: Path) -> None:
        write(Corpus(name="x"), tmp_path / "x", format="brat")
        rules = Rules(tmp_path / "x")
        wanted = [
            Link(entity="Q1", categories=Categories.of([(dimension, leaf)]))
            for dimension, leaf in LEAVES
        ]
        mentions = [Mention(begin=0, end=5, links=tuple(wanted))]
        again(document(*mentions), tmp_path)
        values = {
            (line.split()[1], line.split()[3]) for line in lines_in(tmp_path) if line[0] == "A"
        }
        assert len(values) == len(LEAVES) == 22
        for name, value in values:
            assert value in rules.attributes[name]["Value"].split("|")
        declared = {len(f["Value"].split("|")) for f in rules.attributes.values() if "Value" in f}
        assert declared == {8, 5, 4, 6}

    def test_each_value_has_a_glyph(self) -> None:
        files = configuration()
        glyphs = dict(re.findall(r"^(\w+)\tglyph:([^,<]+), position", files["visual.conf"], re.M))
        values = dict(
            re.findall(r"^(\w+)\tArg:<ENTITY>, Value:(.*)$", files["annotation.conf"], re.M)
        )
        assert glyphs.keys() == values.keys()
        for name, value in values.items():
            assert len(glyphs[name].split("|")) == len(value.split("|"))

    def test_a_file_is_no_place(self, tmp_path: Path) -> None:
        (tmp_path / "x").write_text("")
        with pytest.raises(WriteError):
            write(torture_corpus(), tmp_path / "x", format="brat")

    def test_torture(self, tmp_path: Path) -> None:
        back, losses, path = through(torture_corpus(), BRAT, tmp_path)
        check_kept(torture_corpus(), back, BRAT, losses)
        assert {loss.kind for loss in losses} == {"no-text", "document"}
        assert Rules(path).complaints() == []


_NAMES = ["note", "BaseForm", "NIL", "type", "AnnotatorNotes", "#X", "label", "references", "brat"]
_VALUES = [True, "High", "ProperForm", "T1", ["a", "b"], ["a", "a"], ["GO:1"], "x\u2028", {"a": 1}]
_LINES = ["R1\tNear Arg1:T1 Arg2:T2", "*\tCoref T1 T2", "A1\tSure R1 High", "wrong"]
_attributes = st.dictionaries(st.sampled_from(_NAMES), st.sampled_from(_VALUES), max_size=3)


@settings(
    max_examples=60,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@given(data=st.data(), corpus=corpora())
def test_brat_accepts_what_is_written(data: st.DataObject, corpus: Corpus) -> None:
    def changed(found: Document) -> Document:
        mentions = []
        for number, mention in enumerate(found.mentions, 1):
            more = data.draw(_attributes | st.just({"brat": f"T{number}"}))
            links = tuple(
                link.model_copy(update={"attributes": more}) for link in mention.links[:1]
            )
            update = {"links": links + mention.links[1:], "attributes": {} if links else more}
            mentions.append(mention.model_copy(update=update))
        lines = data.draw(st.lists(st.sampled_from(_LINES[:3]), max_size=3) | st.just(_LINES))
        return found.model_copy(update={"mentions": mentions, "metadata": {"brat": lines}})

    odd = corpus.model_copy(update={"documents": tuple(map(changed, corpus.documents))})
    with tempfile.TemporaryDirectory() as folder:
        back, losses, path = through(odd, BRAT, Path(folder))
        check_kept(odd, back, BRAT, losses)
        assert Rules(path).complaints() == []
        once, _, _ = through(back, BRAT, Path(folder))
        assert once.documents == back.documents
