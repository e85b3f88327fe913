"""Input that is wrong: a clear error with its place, or a counted repair. Never a traceback."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import os
import random
from pathlib import Path

import polars as pl
import pytest
import zstandard
from roundtrip import target
from strategies import torture_corpus

from elcurate.errors import ElcurateError, ReadError
from elcurate.formats.all import FORMATS
from elcurate.formats.base import Format
from elcurate.formats.io import read, read_table
from elcurate.formats.outputs import write
from elcurate.model.corpus import Corpus
from elcurate.model.table import LINK_SCHEMA, Table

NIF = "http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#"
HEADER = f"""@prefix nif: <{NIF}> .
@prefix itsrdf: <http://www.w3.org/2005/11/its/rdf#> .
@prefix fel: <http://w3id.org/vcb/fel#> .
"""
CONTEXT = '<http://e.org/d> a nif:Context ; nif:isString "Paris" .\n'
TEXT_FORMATS = {
    "x.jsonl": '{"format": "elcurate", "version": 1}\n{"id": "a", "text": "Zürich"}\n',
    "x.tsv": "a\t0\t5\tX\nZürich\t0\t3\tX\n",
    "x.ttl": HEADER + '<http://e.org/d>\n a nif:Context ; nif:isString "Zürich" .\n',
    "x.trig": HEADER + '<http://e.org/d>\n a nif:Context ; nif:isString "Zürich" .\n',
    "x.nt": f'<http://e.org/d> <{NIF}isString> "Zürich" .\n',
    "x.jsonld": f'[{{"@id": "http://e.org/d",\n "@type": "{NIF}Context",'
    f' "{NIF}isString": "Zürich"}}]',
    "x.rdf": '<?xml version="1.0"?>\n<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns'
    f'#" xmlns:n="{NIF}">\n<n:Context rdf:about="http://e.org/d"><n:isString>Zürich</n:isString>'
    "</n:Context></rdf:RDF>",
}


def node(begin: object, end: object, rest: str = "") -> str:
    return (
        f"<http://e.org/d#char={begin},{end}> a nif:Phrase ; "
        f"nif:referenceContext <http://e.org/d> ; "
        f'nif:beginIndex "{begin}" ; nif:endIndex "{end}" {rest} .\n'
    )


def put(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def fails(path: Path, match: str = ".", **options: object) -> ReadError:
    with pytest.raises(ReadError, match=match) as caught:
        read(path, **options)
    assert str(path) in str(caught.value)
    return caught.value


def kinds(corpus: Corpus) -> dict[str, int]:
    found: dict[str, int] = {}
    for repair in corpus.repairs:
        found[repair.kind] = found.get(repair.kind, 0) + 1
    return found


class TestFiles:
    def test_missing(self, tmp_path: Path) -> None:
        fails(tmp_path / "no.ttl", "can't be opened: No such file")

    def test_empty_folder(self, tmp_path: Path) -> None:
        fails(tmp_path, "the folder has no files")

    def test_folder_of_hidden_files(self, tmp_path: Path) -> None:
        put(tmp_path, ".hidden", "x")
        fails(tmp_path, "the folder has no files")

    @pytest.mark.parametrize("name", ["x", *TEXT_FORMATS, "x.parquet"])
    def test_empty_file(self, name: str, tmp_path: Path) -> None:
        fails(put(tmp_path, name, ""), "empty")

    @pytest.mark.parametrize("name", ["x", "x.bin"])
    def test_unknown_content(self, name: str, tmp_path: Path) -> None:
        fails(put(tmp_path, name, b"\x89PNG\r\n\x1a\n" + bytes(100)), "can't tell its format")

    @pytest.mark.parametrize("name", TEXT_FORMATS)
    def test_latin1_names_the_line(self, name: str, tmp_path: Path) -> None:
        error = fails(put(tmp_path, name, TEXT_FORMATS[name].encode("latin-1")))
        wanted = TEXT_FORMATS[name].split("ü")[0].count("\n") + 1
        assert error.line in (wanted, None) or name in ("x.jsonld", "x.rdf")
        assert "UTF-8" in str(error) or name in ("x.jsonld", "x.rdf", "x.nt")

    @pytest.mark.parametrize("name", TEXT_FORMATS)
    def test_utf16(self, name: str, tmp_path: Path) -> None:
        data = TEXT_FORMATS[name].encode("utf-16")
        fails(put(tmp_path, name, data))

    @pytest.mark.parametrize("name", TEXT_FORMATS)
    def test_byte_order_mark_is_a_repair(self, name: str, tmp_path: Path) -> None:
        if name == "x.nt":
            content = TEXT_FORMATS[name] + f"<http://e.org/d> <{n_type()}> <{NIF}Context> .\n"
        else:
            content = TEXT_FORMATS[name]
        plain = read(put(tmp_path, name, content))
        marked = read(put(tmp_path, "bom-" + name, b"\xef\xbb\xbf" + content.encode()))
        assert marked.documents == plain.documents
        assert kinds(marked)["byte-order-mark"] == 1

    @pytest.mark.parametrize("suffix", [".gz", ".bz2", ".zst"])
    @pytest.mark.parametrize("name", ["x.jsonl", "x.ttl", "x.tsv"])
    def test_truncated_archive(self, suffix: str, name: str, tmp_path: Path) -> None:
        content = TEXT_FORMATS[name].encode() + b"\n# " + random.Random(1).randbytes(99_000)
        pack = {
            ".gz": gzip.compress,
            ".bz2": bz2.compress,
            ".zst": zstandard.ZstdCompressor().compress,
        }[suffix]
        data = pack(content)
        for cut in (len(data) // 2, len(data) - 3):
            path = put(tmp_path, name + suffix, data[:cut])
            with pytest.raises(ReadError) as caught:
                read(path)
            assert str(path) in str(caught.value)

    def test_zstandard_frames_follow_each_other(self, tmp_path: Path) -> None:
        pack = zstandard.ZstdCompressor().compress
        path = put(tmp_path, "x.tsv.zst", pack(b"a\t0\t1\tX\n") + pack(b"b\t0\t1\tX\n"))
        assert [document.id for document in read(path).documents] == ["a", "b"]

    def test_not_compressed_in_spite_of_its_name(self, tmp_path: Path) -> None:
        assert len(read(put(tmp_path, "x.tsv.gz", "a\t0\t1\tX\n")).documents) == 1
        fails(put(tmp_path, "x.jsonl.gz", b"\x1f\x8b\x00\x00garbage"), "can't be read")

    def test_corrupt_archive(self, tmp_path: Path) -> None:
        data = bytearray(gzip.compress(TEXT_FORMATS["x.jsonl"].encode() * 50))
        data[30] ^= 255
        fails(put(tmp_path, "x.jsonl.gz", bytes(data)), "can't be read")

    def test_the_file_with_the_duplicate_is_named(self, tmp_path: Path) -> None:
        first = put(tmp_path, "1.jsonl", '{"id": "a", "text": ""}\n')
        second = put(tmp_path, "2.jsonl", '{"id": "a", "text": ""}\n')
        with pytest.raises(ReadError, match=r"2\.jsonl \(document a\): this document id") as caught:
            read(first, second)
        assert "--rename-duplicates" in str(caught.value)
        both = read(first, second, rename_duplicates=True)
        assert [document.id for document in both.documents] == ["a", "a~2"]

    def test_a_numbered_id_may_be_taken(self, tmp_path: Path) -> None:
        lines = [json.dumps({"id": name, "text": ""}) for name in ("a~2", "a", "a", "a")]
        path = put(tmp_path, "x.jsonl", "\n".join(lines))
        renamed = read(path, rename_duplicates=True)
        assert [document.id for document in renamed.documents] == ["a~2", "a", "a~3", "a~4"]

    def test_no_repair(self, tmp_path: Path) -> None:
        path = put(tmp_path, "x.tsv", "a\t0\t1\tX\r\n")
        with pytest.raises(ReadError, match="1 repairs would be needed, the first crlf"):
            read(path, repair=False)


def n_type() -> str:
    return "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"


class TestTurtle:
    def test_truncated(self, tmp_path: Path) -> None:
        error = fails(put(tmp_path, "x.ttl", HEADER + CONTEXT + node(0, 5)[:-20]), "not valid RDF")
        assert error.line is not None

    def test_unknown_prefix(self, tmp_path: Path) -> None:
        path = put(tmp_path, "x.ttl", HEADER + CONTEXT + node(0, 5, "; foo:bar 1"))
        assert fails(path, "the prefix foo: is not declared").line == 5

    def test_well_known_prefix_is_a_repair(self, tmp_path: Path) -> None:
        content = HEADER + CONTEXT + node(0, 5, "; itsrdf:taIdentRef dbr:Paris")
        corpus = read(put(tmp_path, "x.ttl", content))
        assert kinds(corpus) == {"undeclared-prefix": 1}
        assert next(corpus.links())[2].entity == "http://dbpedia.org/resource/Paris"

    @pytest.mark.parametrize(("begin", "end"), [(0, 9), (-1, 5), (4, 2), (10**12, 10**12 + 1)])
    def test_span_outside_the_text(self, begin: int, end: int, tmp_path: Path) -> None:
        corpus = read(put(tmp_path, "x.ttl", HEADER + CONTEXT + node(begin, end)))
        assert kinds(corpus) == {"span-outside-text": 1}
        assert corpus.documents[0].mentions[0].span == (begin, end)
        assert Table.of(corpus).links.height == 1

    def test_absurd_span(self, tmp_path: Path) -> None:
        path = put(tmp_path, "x.ttl", HEADER + CONTEXT + node(0, 10**30))
        assert fails(path, "absurd").document == "http://e.org/d"

    @pytest.mark.parametrize("value", ["x", "", "1.5", "9" * 5000])
    def test_offset_that_is_no_number(self, value: str, tmp_path: Path) -> None:
        corpus = read(put(tmp_path, "x.ttl", HEADER + CONTEXT + node(0, value)))
        assert kinds(corpus) == {"annotation-without-offsets": 1}

    def test_surface_that_disagrees(self, tmp_path: Path) -> None:
        corpus = read(put(tmp_path, "x.ttl", HEADER + CONTEXT + node(0, 5, '; nif:anchorOf "Rom"')))
        assert kinds(corpus) == {"surface-differs": 1}
        assert corpus.documents[0].mentions[0].surface == "Rom"

    def test_colliding_iris_stay_apart(self, tmp_path: Path) -> None:
        content = HEADER + CONTEXT
        content += node(0, 5, "; itsrdf:taIdentRef <http://e.org/A>")
        content += node(0, 5, "; itsrdf:taIdentRef <http://e.org/B>")
        corpus = read(put(tmp_path, "x.ttl", content))
        assert [link.entity for _, _, link in corpus.links()] == [
            "http://e.org/A",
            "http://e.org/B",
        ]
        assert kinds(corpus) == {"shared-iri": 1}

    def test_unknown_category(self, tmp_path: Path) -> None:
        rest = "; itsrdf:taIdentRef <http://e.org/A> ; itsrdf:taClassRef fel:Nonsense"
        corpus = read(put(tmp_path, "x.ttl", HEADER + CONTEXT + node(0, 5, rest)))
        assert kinds(corpus) == {"unknown-category": 1}
        assert next(corpus.links())[2].attributes

    def test_annotation_of_the_whole_text_under_its_iri(self, tmp_path: Path) -> None:
        offsets = '; nif:beginIndex "0" ; nif:endIndex "5" .'
        for context in (CONTEXT, CONTEXT.replace(" .", offsets)):
            content = context + node(0, 5, "; itsrdf:taIdentRef <http://e.org/A>")
            content = HEADER + content.replace("e.org/d>", "e.org/d#char=0,5>")
            corpus = read(put(tmp_path, "x.ttl", content))
            assert [(m.span, k.entity, k.attributes) for _, m, k in corpus.links()] == [
                ((0, 5), "http://e.org/A", {})
            ]
            assert corpus.documents[0].text == "Paris"

    def test_no_context(self, tmp_path: Path) -> None:
        fails(put(tmp_path, "x.ttl", "<a:b> <a:c> <a:d> ."), "no nif:Context")

    def test_contexts_sharing_an_iri(self, tmp_path: Path) -> None:
        other = CONTEXT.replace("Paris", "Lyon")
        path = put(tmp_path, "x.ttl", HEADER + CONTEXT + other)
        assert "share one IRI" in str(fails(path, "share one IRI"))
        same = read(put(tmp_path, "y.ttl", HEADER + CONTEXT + CONTEXT))
        assert len(same.documents) == 1

    def test_annotation_of_an_unknown_context(self, tmp_path: Path) -> None:
        corpus = read(put(tmp_path, "x.ttl", HEADER + node(0, 5)))
        assert kinds(corpus)["undeclared-context"] == 1
        assert corpus.documents[0].text is None

    @pytest.mark.parametrize("score", ["NaN", "INF", "much", ""])
    def test_score_that_is_no_number(self, score: str, tmp_path: Path) -> None:
        rest = f'; itsrdf:taIdentRef <http://e.org/A> ; itsrdf:taConfidence "{score}"'
        corpus = read(put(tmp_path, "x.ttl", HEADER + CONTEXT + node(0, 5, rest)))
        assert kinds(corpus) == {"malformed-confidence": 1}

    @pytest.mark.parametrize(
        "value", ["[" * 100_000, "{", "[1]", '{\\"a\\": NaN}', '{\\"a\\": 1e999}']
    )
    def test_our_attributes_malformed(self, value: str, tmp_path: Path) -> None:
        rest = f'; <https://w3id.org/elcurate#attributes> "{value}" ; itsrdf:taIdentRef <a:b>'
        corpus = read(put(tmp_path, "x.ttl", HEADER + CONTEXT + node(0, 5, rest)))
        assert kinds(corpus) == {"malformed-attributes": 1}

    def test_sentences_far_apart_take_no_memory(self, tmp_path: Path) -> None:
        content = "".join(
            f"<http://e.org/d_{place}> a nif:Context ; nif:isString 'ab' ; nif:beginIndex {place} ;"
            f" nif:endIndex {place + 2} ; nif:broaderContext <http://e.org/d> .\n"
            for place in (0, 10**12)
        )
        corpus = read(put(tmp_path, "x.ttl", HEADER + content))
        assert kinds(corpus)["sentence-offsets"] == 1

    def test_deep_nesting(self, tmp_path: Path) -> None:
        deep = "[ <a:b> " * 50_000 + "1" + " ]" * 50_000
        corpus = read(put(tmp_path, "x.ttl", HEADER + CONTEXT + f"<a:b> <a:c> {deep} .\n"))
        assert len(corpus.documents) == 1

    def test_contexts_in_a_circle(self, tmp_path: Path) -> None:
        content = "".join(
            f"<http://e.org/{a}> a nif:Context ; nif:beginIndex 0 ; nif:endIndex 1 ;"
            f" nif:broaderContext <http://e.org/{b}> .\n"
            for a, b in ("ab", "bc", "ca")
        )
        with _Anything():
            read(put(tmp_path, "x.ttl", HEADER + content))


class _Anything:
    """Lets ElcurateErrors pass: what matters is that it ends."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type | None, error: object, trace: object) -> bool:
        return kind is None or issubclass(kind, ElcurateError)


class TestRdf:
    def test_billion_laughs(self, tmp_path: Path) -> None:
        entities = '<!ENTITY a0 "lol">' + "".join(
            f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">' for i in range(1, 10)
        )
        body = TEXT_FORMATS["x.rdf"].replace("Zürich", "&a9;").partition("\n")[2]
        content = f'<?xml version="1.0"?><!DOCTYPE x [{entities}]>{body}'
        assert fails(put(tmp_path, "x.rdf", content), "entity would grow").line == 1

    def test_one_long_entity(self, tmp_path: Path) -> None:
        body = TEXT_FORMATS["x.rdf"].replace("Zürich", "&a;" * 100_000).partition("\n")[2]
        content = f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "{"x" * 100_000}">]>{body}'
        fails(put(tmp_path, "x.rdf", content), "entity would grow")

    def test_namespace_abbreviations_are_read(self, tmp_path: Path) -> None:
        body = TEXT_FORMATS["x.rdf"].replace(f'"{NIF}"', '"&nif;"').partition("\n")[2]
        content = f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY nif "{NIF}">]>{body}'
        assert read(put(tmp_path, "x.rdf", content)).documents[0].text == "Zürich"

    def test_external_entity(self, tmp_path: Path) -> None:
        secret = put(tmp_path, "secret", "TOP SECRET")
        body = TEXT_FORMATS["x.rdf"].replace("Zürich", "&x;").partition("\n")[2]
        content = f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY x SYSTEM "file://{secret}">]>{body}'
        with _Anything():
            assert "SECRET" not in str(read(put(tmp_path, "x.rdf", content)).documents)

    def test_truncated_xml(self, tmp_path: Path) -> None:
        fails(put(tmp_path, "x.rdf", TEXT_FORMATS["x.rdf"][:-30]), "not valid RDF")

    def test_remote_context_is_not_fetched(self, tmp_path: Path) -> None:
        content = '{"@context": "http://localhost:9/context.jsonld", "@id": "http://e.org/d"}'
        fails(put(tmp_path, "x.jsonld", content), "not valid RDF|no nif:Context")

    @pytest.mark.parametrize("content", ["[" * 100_000, '{"@id":"a:b","a:c":' * 1000, "{", "[NaN]"])
    def test_hostile_jsonld(self, content: str, tmp_path: Path) -> None:
        fails(put(tmp_path, "x.jsonld", content), "not valid RDF")

    def test_ntriples_error_has_a_line(self, tmp_path: Path) -> None:
        path = put(tmp_path, "x.nt", "<a:b> <a:c> <a:d> .\n<a:b> <a:c> oops .\n")
        assert fails(path, "not valid RDF").line == 2


class TestJsonLines:
    HEAD = '{"format": "elcurate", "version": 1, "name": "x"}\n'

    @pytest.mark.parametrize(
        ("line", "match"),
        [
            ('{"id": "a", "txt": ""}', "txt: Extra inputs"),
            ('{"text": "a"}', "id: Field required"),
            ('{"id": 5}', "id: "),
            ('{"id": "a", "mentions": [{"begin": "x", "end": 1}]}', r"mentions\.0\.begin"),
            ('{"id": "a", "mentions": [{"begin": 0.5, "end": 1}]}', r"mentions\.0\.begin"),
            ('{"id": "a"', "not JSON"),
            ("nonsense", "not JSON"),
            ("[1]", "object"),
            ("null", "object"),
            ('{"id": "a", "metadata": {"x": ' + "[" * 100_000, "not JSON"),
            ('{"id": "a", "metadata": {"x": ' + "[" * 9999 + "]" * 9999 + "}}", "not JSON"),
            ('{"id": "a", "metadata": {"x": NaN}}', "not JSON"),
            ('{"id": "a", "metadata": {"x": 1e999}}', "not JSON"),
            ('{"id": "a", "metadata": {"x": "\\ud800"}}', "not JSON"),
            ('{"id": "\\udfff"}', "not JSON"),
        ],
    )
    def test_bad_line(self, line: str, match: str, tmp_path: Path) -> None:
        path = put(tmp_path, "x.jsonl", self.HEAD + '{"id": "ok"}\n\n' + line + "\n")
        assert fails(path, match).line == 4

    @pytest.mark.parametrize("score", ["NaN", "Infinity", "-Infinity", "1e999"])
    def test_score_not_finite(self, score: str, tmp_path: Path) -> None:
        link = f'{{"entity": "Q1", "score": {score}}}'
        line = f'{{"id": "a", "mentions": [{{"begin": 0, "end": 1, "links": [{link}]}}]}}'
        fails(put(tmp_path, "x.jsonl", self.HEAD + line), "finite")

    @pytest.mark.parametrize("end", [10**30, -(10**16), 2**53 + 1])
    def test_absurd_offset(self, end: int, tmp_path: Path) -> None:
        line = f'{{"id": "a", "mentions": [{{"begin": 0, "end": {end}}}]}}'
        assert fails(put(tmp_path, "x.jsonl", self.HEAD + line), "absurd").document == "a"

    @pytest.mark.parametrize(("begin", "end"), [(0, 3), (-1, 1), (2, 1)])
    def test_span_outside_the_text(self, begin: int, end: int, tmp_path: Path) -> None:
        line = f'{{"id": "a", "text": "ab", "mentions": [{{"begin": {begin}, "end": {end}}}]}}'
        corpus = read(put(tmp_path, "x.jsonl", self.HEAD + line))
        assert kinds(corpus) == {"span-outside-text": 1}

    def test_unknown_category_is_suggested(self, tmp_path: Path) -> None:
        link = '{"entity": "Q1", "categories": {"reference": "metonimic"}}'
        line = f'{{"id": "a", "mentions": [{{"begin": 0, "end": 1, "links": [{link}]}}]}}'
        error = fails(put(tmp_path, "x.jsonl", self.HEAD + line), "categories.reference")
        assert "Did you mean metonymic" in str(error)

    @pytest.mark.parametrize(
        ("header", "match"),
        [
            ('{"format": "elcurate", "version": 2}', "version 2"),
            ('{"format": "elcurate", "version": "1"}', "version '1'"),
            ('{"format": "elcurate"}', "version None"),
            ('{"format": "other", "version": 1}', "names the format 'other'"),
            ('{"format": "elcurate", "version": 1, "metadata": 5}', "metadata is no object"),
            ('{"format": "elcurate", "version": 1, "metadata": {"a": NaN}}', "not JSON"),
            ('{"format": "elcurate", "version": 1, "name": "\\ud800"}', "not JSON"),
            ('{"format": "elcurate", "version": 1', "not JSON"),
        ],
    )
    def test_bad_header(self, header: str, match: str, tmp_path: Path) -> None:
        assert fails(put(tmp_path, "x.jsonl", header + "\n"), match).line == 1

    def test_without_header_and_with_crlf(self, tmp_path: Path) -> None:
        corpus = read(put(tmp_path, "x.jsonl", '{"id": "a", "text": "x"}\r\n\r\n{"id": "b"}'))
        assert [document.id for document in corpus.documents] == ["a", "b"]
        assert corpus.name == "x"

    def test_nul_in_the_text(self, tmp_path: Path) -> None:
        corpus = read(put(tmp_path, "x.jsonl", '{"id": "a", "text": "x\\u0000y"}'))
        assert corpus.documents[0].text == "x\0y"


class TestTsv:
    @pytest.mark.parametrize(
        ("row", "match"),
        [
            ("a\t0", "2 columns"),
            ("a", "1 columns"),
            ("a\tx\t1", "'x' is no offset"),
            ("a\t0\t1.5", "'1.5' is no offset"),
            ("a\t0\t1\tQ1\t1\tPER\tQ2", "4 columns after the end"),
            ("a\t0\t1\tQ1\tmuch", "'much' is no score"),
            (f"a\t0\t{10**30}", "absurd"),
            (f"a\t{-(10**17)}\t1", "absurd"),
            ("a\t0\t" + "9" * 5000, "is no offset"),
            ("a\t0\t1\tQ1\t1\t{oops", "the type is not JSON"),
            ("a\t0\t1\tQ1\t1\t{" + '"a":[' * 9999, "the type is not JSON"),
            ('a\t0\t1\tQ1\t1\t{"a": NaN}', "the type is not JSON"),
            ('a\t0\t1\tQ1\t1\t{"a": "\\ud800"}', "the type is not JSON"),
        ],
    )
    def test_bad_row(self, row: str, match: str, tmp_path: Path) -> None:
        path = put(tmp_path, "x.tsv", "ok\t0\t1\tQ1\n\n" + row + "\n")
        assert fails(path, match, format="neleval").line == 3

    @pytest.mark.parametrize(
        ("row", "repairs"),
        [
            ("a\t0\t1\tQ1\tnan", {"score-not-finite": 1}),
            ("a\t0\t1\tQ1\tinf", {"score-not-finite": 1}),
            ("a\t0\t1\t\t1", {"empty-id": 1}),
            ("a\t5\t1\tQ1", {"impossible-span": 1}),
            ("a\t-5\t1\tQ1", {"impossible-span": 1}),
            ('a\t0\t1\tQ1\t1\t{"reference": "odd"}', {"unknown-category": 1}),
            ('a\t0\t1\tQ1\t1\t{"reference": 5}', {"unknown-category": 1}),
            ("a\t0\t1\tQ1\r", {"crlf": 1}),
            ("a\t0\t1\tQ1\t\t\t\t", {}),
            ("a\0b\t0\t1\tQ\0", {}),
        ],
    )
    def test_repaired_row(self, row: str, repairs: dict[str, int], tmp_path: Path) -> None:
        corpus = read(put(tmp_path, "x.tsv", "ok\t0\t1\tQ1\n" + row + "\n"), format="neleval")
        assert kinds(corpus) == repairs
        assert Table.of(corpus).links.height == 2


class TestParquet:
    def flat(self, **columns: object) -> pl.DataFrame:
        frame = Table.of(torture_corpus()).links
        return frame.with_columns(**{name: pl.lit(value) for name, value in columns.items()})

    def save(self, frame: pl.DataFrame, folder: Path) -> Path:
        path = folder / "x.parquet"
        frame.write_parquet(path)
        return path

    def test_garbage(self, tmp_path: Path) -> None:
        fails(put(tmp_path, "x.parquet", b"PAR1" + os.urandom(500)), "not a readable Parquet")

    @pytest.mark.parametrize("cut", [4, 100, 0.5, -1])
    def test_truncated(self, cut: float, tmp_path: Path) -> None:
        data = self.save(self.flat(), tmp_path).read_bytes()
        end = int(len(data) * cut) if 0 < cut < 1 else int(cut)
        fails(put(tmp_path, "y.parquet", data[:end]), "not a readable Parquet")

    def test_other_columns(self, tmp_path: Path) -> None:
        fails(self.save(pl.DataFrame({"a": [1]}), tmp_path), "the columns are a")

    @pytest.mark.parametrize(
        ("columns", "match"),
        [
            ({"begin": "x"}, "another type"),
            ({"document": None}, "empty cell"),
            ({"end": None}, "empty cell"),
            ({"reference": "odd"}, "no leaf 'odd'"),
            ({"score": float("nan")}, "finite"),
        ],
    )
    def test_bad_links(self, columns: dict[str, object], match: str, tmp_path: Path) -> None:
        path = self.save(self.flat(**columns), tmp_path)
        fails(path, match)
        if "score" not in columns:
            with pytest.raises(ReadError, match=match):
                read_table(path)

    @pytest.mark.parametrize("name", ["id", "text", "mentions", "tags", "sentences", "metadata"])
    def test_bad_documents(self, name: str, tmp_path: Path) -> None:
        path = tmp_path / "x.parquet"
        write(torture_corpus(), path)
        frame = pl.read_parquet(path).with_columns(pl.lit(5.5).alias(name))
        fails(self.save(frame, tmp_path), "a row is no document")

    def test_foreign_header(self, tmp_path: Path) -> None:
        path = tmp_path / "x.parquet"
        write(torture_corpus(), path)
        out = io.BytesIO()
        pl.read_parquet(path).write_parquet(out, metadata={"elcurate": "[1]"})
        assert read(put(tmp_path, "y.parquet", out.getvalue())).name == "y"

    def test_no_rows(self, tmp_path: Path) -> None:
        path = self.save(pl.DataFrame(schema=LINK_SCHEMA), tmp_path)
        assert read(path).documents == ()


@pytest.mark.parametrize(
    "form",
    [one for one in FORMATS if one.read and one.can_write],
    ids=lambda one: one.name,
)
def test_mutations_raise_nothing_else(form: Format, tmp_path: Path) -> None:
    path = target(form, tmp_path, "x")
    write(torture_corpus(), path, format=form.name)
    inside = [path] if path.is_file() else sorted(path.rglob("*"))
    files = [one for one in inside if one.is_file() and one.stat().st_size]
    dice = random.Random(form.name)
    for turn in range(200):
        file = files[turn % len(files)]
        data = file.read_bytes()
        changed = bytearray(data)
        for _ in range(dice.randint(1, 3)):
            place = dice.randrange(len(changed))
            kind = dice.randrange(4)
            if kind == 0:
                changed[place] = dice.randrange(256)
            elif kind == 1:
                del changed[place : place + dice.randint(1, 40)]
            elif kind == 2:
                changed[place:place] = changed[place : place + 20]
            else:
                changed[place:place] = dice.choice(
                    [b'"', b"\t", b"\n", b"{", b"<", b"\0", b"9999999"]
                )
        file.write_bytes(bytes(changed))
        with _Anything():
            Table.of(read(path, format=form.name))
        file.write_bytes(data)
