"""A corpus as an rdflib graph, for SPARQL, SHACL and whatever else works on graphs."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from elcurate.formats.base import Writing
from elcurate.formats.nif_write import write
from elcurate.model.corpus import Corpus

if TYPE_CHECKING:
    import rdflib


def to_graph(corpus: Corpus) -> rdflib.Graph:
    """The corpus in the default NIF dialect as a graph.

    A graph has no order; documents, candidates and mentions of one span carry theirs in the
    property ``elc:rank`` and ``elc:mention``.
    """
    import rdflib

    turtle = io.BytesIO()
    write(Writing(corpus.name, corpus.documents, corpus.metadata), turtle, ordered=True)
    return rdflib.Graph().parse(data=turtle.getvalue(), format="turtle")
