"""Mentions of CoNLL-U between the nodes that brackets name and the spans of the text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pydantic import ValidationError

from elcurate.errors import ReadError
from elcurate.formats.conllu_entity import Header, entities
from elcurate.formats.conllu_pairing import Marked
from elcurate.formats.conllu_rows import Layout
from elcurate.model.corpus import Attributes, Mention, Span

Pieces = list[tuple[int, int]]
NODES = "nodes"
"""The attribute with the nodes of a mention, where its span alone doesn't tell them."""


class Nodes:
    """Nodes (words and empty nodes) and the tokens of the text.

    Args:
        layout: The rows.
        tokens: The tokens that they make.
    """

    def __init__(self, layout: Layout, tokens: Sequence[Span]) -> None:
        self.tokens = tokens
        self.nodes = layout.nodes
        self.first: dict[int, int] = {}
        self.last: dict[int, int] = {}
        for node, token in enumerate(layout.nodes):
            if token >= 0:
                self.first.setdefault(token, node)
                self.last[token] = node

    def _ends(self, piece: tuple[int, int]) -> tuple[int, int]:
        """The first and the last token of a piece; the wrong way round when it has none."""
        first, last = self.nodes[piece[0]], self.nodes[piece[1]]
        return first if first >= 0 else ~first, last if last >= 0 else ~last - 1

    def span(self, piece: tuple[int, int]) -> Span:
        """The span of the tokens from one node to another; empty when there are none."""
        first, last = self._ends(piece)
        if first <= last:
            return Span(begin=self.tokens[first].begin, end=self.tokens[last].end)
        place = self.tokens[last].end if last >= 0 else 0
        return Span(begin=place, end=place)

    def usual(self, piece: tuple[int, int]) -> bool:
        """Whether the span tells the nodes: no empty one at an end, no part of a range."""
        first, last = self._ends(piece)
        return first <= last and piece == (self.first[first], self.last[last])

    def stated(self, value: Any) -> Pieces | None:
        """The pieces in a mention's attribute, if there are such nodes."""
        if not isinstance(value, list) or not value:
            return None
        count = len(self.nodes)
        for pair in value:
            if not isinstance(pair, list) or len(pair) != 2:
                return None
            first, last = pair
            if not (type(first) is int and type(last) is int and 0 <= first <= last < count):
                return None
        return [(first, last) for first, last in value]


def placed(
    found: Sequence[Marked], header: Header, nodes: Nodes, document: str, path: str
) -> Iterator[Mention]:
    """The mentions that brackets mark, in their order."""
    stated = entities([marked.values for marked in found], header, document)
    for marked, (link, attributes) in zip(found, stated, strict=True):
        pieces = [(min(piece), max(piece)) for piece in marked.pieces]
        spans = [nodes.span(piece) for piece in pieces]
        place: dict[str, Any] = {
            "begin": min(span.begin for span in spans),
            "end": max(span.end for span in spans),
            "fragments": tuple(spans) if len(spans) > 1 else (),
        }
        if isinstance(marked.extra, dict):
            yield _extended(place | marked.extra, marked, document, path)
            continue
        if not all(map(nodes.usual, pieces)):
            attributes[NODES] = [[first, last] for first, last in pieces]
        yield Mention(**place, links=(link,), attributes=attributes)


def _extended(fields: Attributes, marked: Marked, document: str, path: str) -> Mention:
    try:
        return Mention.model_validate(fields)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise ReadError(
            f"what elcurate added is no mention: {first['loc'][0]}: {first['msg']}",
            path=path,
            line=marked.line,
            document=document,
            remedy="Remove Elcurate= from MISC to read the brackets alone.",
        ) from error
