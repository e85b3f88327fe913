"""Filter expressions: ``base_form=proper_form & !(reference=direct | nil=true)``."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from elcurate.errors import SpecError, suggestion
from elcurate.match.encode import Pair
from elcurate.match.numbering import Bools
from elcurate.model.categories import BITS, DIMENSIONS, GROUPS, expand

_TOKEN = re.compile(
    r"""\s*(?:(?P<op>&&?|\|\|?|!=|!|=|,|\(|\))
    |(?P<string>"(?:[^"\\]|\\.)*")
    |(?P<word>[^\s&|!=(),"]+))""",
    re.VERBOSE,
)
_WORDS = {"and": "&", "or": "|", "not": "!", "&&": "&", "||": "|"}
_FIELDS = (*DIMENSIONS, "type", "nil", "document")
_MISSING = "missing"

Test = Callable[[Pair], Bools]


@dataclass(frozen=True)
class Expression:
    """A parsed filter over gold links.

    Attributes:
        text: The canonical form.
        test: Which gold rows of a pair pass.
    """

    text: str
    test: Test

    def __str__(self) -> str:
        return self.text


def parse_expression(text: str) -> Expression:
    """Parses a filter.

    A comparison is ``field=value`` or ``field!=value``; several values are joined by commas. The
    fields are the four dimensions (with leaves, groups, or ``missing``), ``type``, ``nil``
    (``true``, ``false``) and ``document``. They are joined by ``&``, ``|``, ``!`` (or and, or,
    not) and parentheses.

    Raises:
        SpecError: with the position, for anything else.
    """
    try:
        return _Parser(text).whole()
    except RecursionError:
        raise SpecError(f"{text[:40]!r}… is nested too deeply") from None


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[tuple[str, str, int]] = []
        at = 0
        while at < len(text.rstrip()):
            found = _TOKEN.match(text, at)
            if found is None:
                raise SpecError(f"{text!r}: character {at + 1} doesn't fit", remedy=_REMEDY)
            kind = found.lastgroup or ""
            value = found.group(kind)
            if kind == "word" and value.lower() in _WORDS:
                kind = "op"
            if kind == "op":
                value = _WORDS.get(value.lower(), value)
            self.tokens.append((kind, value, found.start(kind) + 1))
            at = found.end()
        self.at = 0

    def whole(self) -> Expression:
        found = self.any_of()
        if self.at < len(self.tokens):
            self.fail("an operator or the end")
        return found

    def fail(self, expected: str) -> SpecError:
        if self.at < len(self.tokens):
            _, value, place = self.tokens[self.at]
            found = f"{value!r} at character {place}"
        else:
            found = "the end"
        raise SpecError(f"{self.text!r}: expected {expected}, found {found}", remedy=_REMEDY)

    def has(self, op: str) -> bool:
        if self.at < len(self.tokens) and self.tokens[self.at][:2] == ("op", op):
            self.at += 1
            return True
        return False

    def any_of(self) -> Expression:
        parts = [self.all_of()]
        while self.has("|"):
            parts.append(self.all_of())
        return _joined(parts, " | ", np.logical_or)

    def all_of(self) -> Expression:
        parts = [self.one()]
        while self.has("&"):
            parts.append(self.one())
        return _joined(parts, " & ", np.logical_and)

    def one(self) -> Expression:
        if self.has("!"):
            inner = self.one()
            return Expression(f"!{inner.text}", lambda pair: ~inner.test(pair))
        if self.has("("):
            found = self.any_of()
            if not self.has(")"):
                self.fail("')'")
            return found
        return self.comparison()

    def word(self, expected: str) -> str:
        if self.at < len(self.tokens) and self.tokens[self.at][0] != "op":
            kind, value, _ = self.tokens[self.at]
            self.at += 1
            return re.sub(r"\\(.)", r"\1", value[1:-1]) if kind == "string" else value
        raise self.fail(expected)

    def comparison(self) -> Expression:
        name = self.word("a field")
        if name not in _FIELDS:
            raise SpecError(f"there is no field {name!r}", remedy=suggestion(name, list(_FIELDS)))
        equal = self.has("=")
        if not equal and not self.has("!="):
            self.fail("= or !=")
        values = [self.word("a value")]
        while self.has(","):
            values.append(self.word("a value"))
        values = sorted(set(values))
        shown = ",".join(_shown(value) for value in values)
        test = _test(name, values)
        if equal:
            return Expression(f"{name}={shown}", test)
        return Expression(f"{name}!={shown}", lambda pair: ~test(pair))


_REMEDY = 'Write, for example: "base_form=proper_form & reference!=direct".'


def _joined(
    parts: list[Expression], sign: str, join: Callable[[Bools, Bools], Bools]
) -> Expression:
    if len(parts) == 1:
        return parts[0]

    def test(pair: Pair) -> Bools:
        total = parts[0].test(pair)
        for part in parts[1:]:
            total = join(total, part.test(pair))
        return total

    return Expression("(" + sign.join(part.text for part in parts) + ")", test)


def _shown(value: str) -> str:
    plain = re.fullmatch(r'[^\s&|!=(),"]+', value) and value.lower() not in _WORDS
    return value if plain else '"' + re.sub(r'(["\\])', r"\\\1", value) + '"'


def _test(name: str, values: list[str]) -> Test:
    if name in DIMENSIONS:
        return _category_test(name, values)
    if name == "nil":
        return _nil_test(values)
    wanted = set(values)
    if name == "type":
        return lambda pair: _member(pair.types, wanted)[pair.gold.type]
    return lambda pair: _member(pair.documents, wanted)[pair.gold.doc]


def _member(names: list[str], wanted: set[str]) -> Bools:
    """Whether each name is wanted; the last element stands for no name (number -1)."""
    return np.array([*(name in wanted for name in names), _MISSING in wanted], dtype=bool)


def _category_test(dimension: str, values: list[str]) -> Test:
    whole = np.uint32(sum(BITS[dimension, leaf] for leaf in DIMENSIONS[dimension]))
    leaves = {leaf for value in values if value != _MISSING for leaf in _expanded(dimension, value)}
    bits = np.uint32(sum(BITS[dimension, leaf] for leaf in leaves))
    missing = _MISSING in values

    def test(pair: Pair) -> Bools:
        found: Bools = (pair.gold.mask & bits) != 0
        return found | ((pair.gold.mask & whole) == 0) if missing else found

    return test


def _expanded(dimension: str, value: str) -> tuple[str, ...]:
    known: Mapping[str, object] = {**dict.fromkeys(DIMENSIONS[dimension]), **GROUPS[dimension]}
    if value not in known:
        remedy = suggestion(value, [*known, _MISSING])
        raise SpecError(f"{dimension} has no leaf {value!r}", remedy=remedy)
    return expand(dimension, value)


def _nil_test(values: list[str]) -> Test:
    if not set(values) <= {"true", "false"}:
        raise SpecError(f"nil is true or false, not {','.join(values)}")
    wanted = {value == "true" for value in values}
    return lambda pair: np.isin(pair.gold.nil, list(wanted))
