"""Reading the ten published NIF files: elcurate, rdflib and nifwrapper in turn."""

from __future__ import annotations

from pathlib import Path

import rdflib
from nifwrapper import NIFParser

import elcurate
from elcurate.formats.nif_terms import WELL_KNOWN
from tests.benchmarks.measure import Row, best

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "finegrained"
PREFIXES = "".join(f"@prefix {name}: <{iri}> .\n" for name, iri in WELL_KNOWN.items())


def rows() -> list[Row]:
    """Seconds for all files, and the ratios to the peers."""
    files = sorted(DATA.glob("*/*.ttl"))
    if not files:
        return [Row("reading the published NIF files", "skipped: the files are not here")]
    ours = best(lambda: [elcurate.read(file) for file in files], 7)
    graphs = best(lambda: [_rdflib(file) for file in files], 3)
    wrapper = best(lambda: [_nifwrapper(file) for file in files], 3)
    return [
        Row(f"{len(files)} NIF files to a Corpus", f"{ours:.3f} s"),
        Row("the same to an rdflib graph, prefixes added", f"{graphs:.3f} s"),
        Row("the same with nifwrapper", f"{wrapper:.3f} s"),
        Row("times faster than rdflib", f"{graphs / ours:.1f}", "≥ 10"),
        Row("times faster than nifwrapper", f"{wrapper / ours:.1f}", "≥ 10"),
    ]


def _rdflib(file: Path) -> rdflib.Graph:
    text = PREFIXES + file.read_text(encoding="utf-8")
    return rdflib.Graph().parse(data=text, format="turtle")


def _nifwrapper(file: Path) -> object:
    parser = NIFParser()
    parser.showWarnings = False
    return parser.parser_turtle(file.read_text(encoding="utf-8"))
