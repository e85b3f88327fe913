"""``elcurate convert``: what it writes, what it says, what it returns."""

from __future__ import annotations

import gzip
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
from click.testing import Result
from strategies import torture_corpus
from typer.testing import CliRunner

from elcurate.cli.main import app
from elcurate.errors import ElcurateError, ReadError, SpecError, WriteError
from elcurate.formats.io import read
from elcurate.formats.outputs import write

SCHEMA = Path(__file__).resolve().parents[2] / "schemas" / "conversion.schema.json"


def convert(*arguments: object, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(app, ["convert", *map(str, arguments)], input=stdin)


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    """A corpus that neleval's format can't carry."""
    path = tmp_path / "gold.jsonl"
    write(torture_corpus(), path)
    return path


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    """Rows with two repairs."""
    path = tmp_path / "rows.tsv"
    path.write_bytes(b"a\t0\t4\tQ1\t0.5\r\na\t7\t9\tQ2\tnan\r\n")
    return path


def test_lossless(gold: Path, tmp_path: Path) -> None:
    result = convert(gold, "-o", tmp_path / "out.ttl", "--strict")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "4 documents" in result.stderr
    assert f"written to {tmp_path / 'out.ttl'} as nif" in result.stderr
    assert read(tmp_path / "out.ttl").documents == torture_corpus().documents


def test_losses_are_reported_and_strict_returns_1(gold: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.tsv"
    result = convert(gold, "-o", out)
    assert result.exit_code == 0
    assert "losses:" in result.stderr
    assert "no place for sentences" in result.stderr
    strict = convert(gold, "-o", out, "--strict")
    assert strict.exit_code == 1
    assert out.exists()


def test_loss_file_holds_every_change(rows: Path, gold: Path, tmp_path: Path) -> None:
    report = tmp_path / "loss.jsonl"
    convert(rows, gold, "-o", tmp_path / "out.tsv", "--loss", report)
    lines = [json.loads(line) for line in report.read_text().splitlines()]
    names = [line["change"] for line in lines]
    assert names == sorted(names, key=["repair", "loss"].index)
    repairs = [line for line in lines if line["change"] == "repair"]
    assert [line["kind"] for line in repairs] == ["crlf", "score-not-finite"]
    assert all(line["where"] for line in lines)
    assert {"text", "sentences", "tags", "metadata"} <= {line["kind"] for line in lines}


def test_a_loss_says_what_was_lost(gold: Path, tmp_path: Path) -> None:
    report = tmp_path / "loss.jsonl"
    convert(gold, "-o", tmp_path / "out.tsv", "--loss", report)
    lines = [json.loads(line) for line in report.read_text().splitlines()]
    surfaces = [line for line in lines if line["kind"] == "surfaces"]
    assert {line["what"] for line in surfaces} == {"stated", "Ap\tple"}


def test_json_report_on_standard_output(rows: Path, tmp_path: Path) -> None:
    result = convert(rows, "-o", tmp_path / "out.jsonl", "--format", "json")
    report = json.loads(result.stdout)
    jsonschema.validate(report, json.loads(SCHEMA.read_text()))
    assert report["summary"]["repairs"] == {"crlf": 1, "score-not-finite": 1}
    assert [report["summary"][name] for name in ("documents", "mentions", "links")] == [1, 2, 2]
    assert len(report["repairs"]) == 2
    assert report["losses"] == []


def test_json_report_on_standard_error_beside_data(rows: Path) -> None:
    result = convert(rows, "-o", "-", "--to", "neleval", "-f", "json")
    assert result.stdout_bytes == b"a\t0\t4\tQ1\t0.5\na\t7\t9\tQ2\n"
    assert json.loads(result.stderr)["summary"]["links"] == 2


def test_standard_input() -> None:
    result = convert("-", "-o", "-", "--to", "neleval", stdin=b"a\t0\t4\tQ1\n")
    assert result.exit_code == 0
    assert result.stdout_bytes == b"a\t0\t4\tQ1\n"


def test_standard_input_may_be_compressed() -> None:
    packed = gzip.compress(b"a\t0\t4\tQ1\n")
    result = convert("-", "-o", "-", "--to", "neleval", stdin=packed)
    assert result.stdout_bytes == b"a\t0\t4\tQ1\n"


@pytest.mark.parametrize("packed", [".gz", ".bz2", ".zst"])
def test_compressed_output(gold: Path, packed: str, tmp_path: Path) -> None:
    out = tmp_path / f"out.ttl{packed}"
    assert convert(gold, "-o", out).exit_code == 0
    assert read(out).documents == torture_corpus().documents
    again = tmp_path / "again.jsonl"
    assert convert(out, "-o", again).exit_code == 0
    assert read(again).documents == torture_corpus().documents


def test_several_inputs_are_one_corpus(rows: Path, gold: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    assert convert(rows, gold, "-o", out, "--name", "both").exit_code == 0
    corpus = read(out)
    assert corpus.name == "both"
    assert [document.id for document in corpus.documents][:2] == ["a", '947testa "ü" #1']


def test_duplicates(rows: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    result = convert(rows, rows, "-o", out)
    assert isinstance(result.exception, ReadError)
    assert "this document id occurs twice" in str(result.exception)
    assert not out.exists()
    assert convert(rows, rows, "-o", out, "--rename-duplicates").exit_code == 0
    assert [document.id for document in read(out).documents] == ["a", "a~2"]


def test_a_failure_leaves_the_output_as_it_was(tmp_path: Path) -> None:
    bad, out = tmp_path / "bad.tsv", tmp_path / "out.jsonl"
    bad.write_text("a\t0\t4\tQ1\na\tx\t4\tQ1\n")
    out.write_text("what was there")
    before = sorted(tmp_path.iterdir())
    result = convert(bad, "-o", out, "--from", "neleval", "--loss", tmp_path / "loss")
    assert isinstance(result.exception, ReadError)
    assert out.read_text() == "what was there"
    assert sorted(tmp_path.iterdir()) == before


def test_output_over_its_own_input(gold: Path) -> None:
    assert convert(gold, "-o", gold).exit_code == 0
    assert read(gold).documents == torture_corpus().documents


def test_devices_and_links_stay_what_they_are(gold: Path, tmp_path: Path) -> None:
    assert convert(gold, "-o", os.devnull, "--to", "nif").exit_code == 0
    assert not Path(os.devnull).is_file()
    real, link = tmp_path / "real.ttl", tmp_path / "link.ttl"
    real.touch()
    link.symlink_to(real)
    assert convert(gold, "-o", link).exit_code == 0
    assert link.is_symlink()
    assert read(real).documents == torture_corpus().documents


def test_no_repair(rows: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    result = convert(rows, "-o", out, "--no-repair")
    assert isinstance(result.exception, ReadError)
    assert "2 repairs would be needed" in str(result.exception)
    assert not out.exists()


def test_nil_iri(tmp_path: Path) -> None:
    source, out = tmp_path / "x.ttl", tmp_path / "out.tsv"
    source.write_text(
        "@prefix nif: <http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#> .\n"
        '<http://e.org/d> a nif:Context ; nif:isString "Paris" .\n'
        "<http://e.org/d#1> a nif:Phrase ; nif:referenceContext <http://e.org/d> ;\n"
        " nif:beginIndex 0 ; nif:endIndex 5 ; itsrdf:taIdentRef <http://nil.org/1> .\n"
    )
    assert convert(source, "-o", out, "--nil-iri", "http://nil.org/").exit_code == 0
    assert out.read_text() == "http://e.org/d\t0\t4\tNIL\n"


@pytest.mark.parametrize(
    ("arguments", "error", "match"),
    [
        (["missing.ttl", "-o", "out.ttl"], ReadError, "there is no file missing.ttl"),
        (["no1", "no2", "-o", "o.ttl"], ReadError, "no file no1; there is no file no2"),
        (["{rows}", "-o", "out.xyz"], ElcurateError, "can't tell in which format to write"),
        (["{rows}", "-o", "-"], ElcurateError, "can't tell in which format to write"),
        (["{rows}", "-o", "o.ttl", "--to", "niv"], SpecError, "Did you mean nif"),
        (["{rows}", "-o", "o.ttl", "--from", "nelevl"], SpecError, "Did you mean neleval"),
        (["{rows}", "-o", "o.ttl", "-f", "xml"], SpecError, "text or json, not 'xml'"),
        (["{rows}", "-o", "{folder}/no/o.ttl"], WriteError, "can't be written: No such file"),
        (["{rows}", "-o", "{folder}", "--to", "nif"], WriteError, "can't be written"),
        (["{rows}", "-o", "{folder}/o.ttl", "--from", "parquet"], ReadError, "not a readable"),
    ],
)
def test_wrong_arguments(
    arguments: list[str], error: type[Exception], match: str, rows: Path, tmp_path: Path
) -> None:
    before = sorted(tmp_path.rglob("*"))
    filled = [part.format(rows=rows, folder=tmp_path) for part in arguments]
    result = convert(*filled)
    assert isinstance(result.exception, error)
    assert match in str(result.exception)
    assert result.exception.exit_code == 2
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("arguments", [[], ["x.ttl"], ["-o", "x.ttl"], ["x", "-o", "y", "--nope"]])
def test_usage(arguments: list[str]) -> None:
    assert convert(*arguments).exit_code == 2


def test_help_has_examples() -> None:
    assert "elcurate convert gold.ttl" in convert("--help").stdout


class TestProcess:
    def run(self, *arguments: object, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-m", "elcurate.cli.main", "convert", *map(str, arguments)]
        return subprocess.run(command, input=stdin, capture_output=True, check=False)

    def test_errors_are_printed(self, tmp_path: Path) -> None:
        bad = tmp_path / "bad.tsv"
        bad.write_text("a\t0\t4\tQ1\na\tx\t4\tQ1\n")
        done = self.run(bad, "-o", tmp_path / "out.ttl", "--from", "neleval")
        assert (done.returncode, done.stdout) == (2, b"")
        wanted = f"elcurate: {bad}:2: 'x' is no offset. Offsets are whole numbers.\n"
        assert done.stderr.decode() == wanted

    def test_pipe(self) -> None:
        done = self.run("-", "-o", "-", "--to", "jsonl", stdin=b"a\t0\t4\tQ1\n")
        assert done.returncode == 0
        lines = done.stdout.splitlines()
        assert json.loads(lines[0])["name"] == "stdin"
        assert json.loads(lines[1])["id"] == "a"
        assert b"written to standard output as jsonl" in done.stderr

    def test_binary_pipe(self) -> None:
        done = self.run("-", "-o", "-", "--to", "parquet", stdin=b"a\t0\t4\tQ1\n")
        assert io.BytesIO(done.stdout).read(4) == b"PAR1"
