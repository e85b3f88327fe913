"""What every registered format promises."""

from __future__ import annotations

import tempfile
import warnings
from pathlib import Path

import pyoxigraph
import pytest
import rdflib
from hypothesis import HealthCheck, Phase, assume, given, settings
from roundtrip import check_kept, target, through
from strategies import corpora, torture_corpus

from elcurate.errors import ReadError
from elcurate.formats.all import FORMATS, detect, format_for
from elcurate.formats.base import Format
from elcurate.formats.features import EVERYTHING
from elcurate.formats.io import read, read_table
from elcurate.formats.outputs import write
from elcurate.formats.source import Source
from elcurate.model.corpus import Corpus
from elcurate.model.table import Table

ALL = [form for form in FORMATS if form.read and form.can_write]
RDF = {
    "nif": ("turtle", pyoxigraph.RdfFormat.TURTLE),
    "nif21": ("turtle", pyoxigraph.RdfFormat.TURTLE),
    "gerbil": ("turtle", pyoxigraph.RdfFormat.TURTLE),
    "nifify": ("turtle", pyoxigraph.RdfFormat.TURTLE),
    "nif-nt": ("nt11", pyoxigraph.RdfFormat.N_TRIPLES),
    "nif-jsonld": ("json-ld", pyoxigraph.RdfFormat.JSON_LD),
    "nif-rdfxml": ("xml", pyoxigraph.RdfFormat.RDF_XML),
    "nif-trig": ("trig", pyoxigraph.RdfFormat.TRIG),
}

TOLD_BY_SUFFIX = {"conll03-nel-offsets"}

formats = pytest.mark.parametrize("form", ALL, ids=lambda form: form.name)
files = pytest.mark.parametrize(
    "form", [form for form in ALL if form.write], ids=lambda form: form.name
)
rdf = pytest.mark.parametrize("name", RDF)
few = settings(
    max_examples=12,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@formats
def test_torture_survives(form: Format, tmp_path: Path) -> None:
    corpus = torture_corpus()
    back, losses, _ = through(corpus, form, tmp_path)
    check_kept(corpus, back, form, losses)


@formats
@few
@given(corpus=corpora())
def test_nothing_is_lost_in_silence(form: Format, corpus: Corpus) -> None:
    assume(corpus.documents or "tags" in form.keeps)
    with tempfile.TemporaryDirectory() as folder:
        back, losses, path = through(corpus, form, Path(folder))
        check_kept(corpus, back, form, losses)
        assert not path.stat().st_size or detect(Source(path)).read


@formats
@few
@given(corpus=corpora())
def test_reading_again_gives_the_same(form: Format, corpus: Corpus) -> None:
    assume(corpus.documents or "tags" in form.keeps)
    with tempfile.TemporaryDirectory() as folder:
        once, _, _ = through(corpus, form, Path(folder))
        if not once.documents:
            return
        twice, _, _ = through(once, form, Path(folder))
        thrice, losses, _ = through(twice, form, Path(folder))
        assert [loss for loss in losses if loss.kind not in set(EVERYTHING)] == []
        assert thrice.documents == twice.documents
        assert thrice.fingerprint() == twice.fingerprint()


@formats
def test_writing_is_deterministic(form: Format, tmp_path: Path) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    write(torture_corpus(), first, format=form.name)
    write(torture_corpus(), second, format=form.name)
    assert _content(first) == _content(second)


@formats
def test_detected_by_content(form: Format, tmp_path: Path) -> None:
    for name in ("x",) if form.write_folder else (f"x{form.suffixes[0]}", "x", "x.txt"):
        path = tmp_path / name
        write(torture_corpus(), path, format=form.name)
        if name == "x" and form.name == "nif-trig":
            continue
        if form.name in TOLD_BY_SUFFIX and not name.endswith(form.suffixes):
            continue
        found = detect(Source(path))
        assert read(path).documents == read(path, format=form.name).documents, found.name


@files
def test_suffix_names_the_format(form: Format) -> None:
    assert format_for(f"some.Name{form.suffixes[0]}") is form
    assert format_for(f"some.name{form.suffixes[0]}.gz") is form


@files
@pytest.mark.parametrize("packed", [".gz", ".bz2", ".zst"])
def test_compressed(form: Format, packed: str, tmp_path: Path) -> None:
    plain, path = tmp_path / f"x{form.suffixes[0]}", tmp_path / f"x{form.suffixes[0]}{packed}"
    write(torture_corpus(), plain)
    write(torture_corpus(), path)
    assert Source(path).bytes() == plain.read_bytes()
    assert read(path).documents == read(plain).documents


@formats
def test_empty_corpus(form: Format, tmp_path: Path) -> None:
    path = target(form, tmp_path)
    assert write(Corpus(name="x"), path, format=form.name) == []
    if "tags" in form.keeps:
        assert read(path).documents == ()
    else:
        _nothing_or_an_error(path, form)


@formats
def test_keeps_known_features(form: Format) -> None:
    assert form.keeps <= EVERYTHING
    assert form.text
    assert all(suffix.startswith(".") for suffix in form.suffixes)
    assert form.suffixes or form.write_folder
    assert (form.write is None) or (form.write_folder is None)


@formats
def test_table_of_a_file(form: Format, tmp_path: Path) -> None:
    path = target(form, tmp_path)
    write(torture_corpus(), path, format=form.name)
    corpus = read(path, format=form.name)
    assert read_table(path).links.equals(Table.of(corpus).links)


def _content(path: Path) -> dict[str, bytes]:
    inner = [path] if path.is_file() else sorted(path.rglob("*"))
    return {str(one.relative_to(path)): one.read_bytes() for one in inner if one.is_file()}


def _nothing_or_an_error(path: Path, form: Format) -> None:
    try:
        documents = read(path, format=form.name).documents
    except ReadError:
        return
    assert documents == ()


@rdf
@few
@given(corpus=corpora())
def test_rdf_is_strictly_valid(name: str, corpus: Corpus) -> None:
    _check_rdf(name, corpus)


@rdf
def test_torture_is_strictly_valid(name: str) -> None:
    _check_rdf(name, torture_corpus())


def _check_rdf(name: str, corpus: Corpus) -> None:
    theirs, ours = RDF[name]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x"
        write(corpus, path, format=name)
        data = path.read_bytes()
    strict = {quad.triple for quad in pyoxigraph.parse(data, format=ours, lenient=False)}
    graph = rdflib.Dataset(default_union=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        graph.parse(data=data.decode(), format=theirs)
    assert len(graph) == len(strict)
