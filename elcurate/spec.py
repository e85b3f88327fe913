"""Value objects with one canonical printed form, ``Name(key=value, …)``.

Measures, policies, memberships and signatures all print in this form and parse from it again:
``parse(print(x)) == x``. Values are numbers, ``true``, ``false``, ``null``, bare words, quoted
strings (JSON), lists, maps and nested forms.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NoReturn, TypeVar

from elcurate.errors import SpecError

T = TypeVar("T")

_WORD = re.compile(r"[A-Za-z_*](?:[\w\-.+/*]|:(?=\S))*")
_NUMBER = re.compile(r"-?\d+(\.\d+)?([eE][+-]?\d+)?(?![\w.])")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_BLANK = re.compile(r"\s*")
_CONSTANTS: Mapping[str, bool | None] = {"true": True, "false": False, "null": None}


@dataclass(frozen=True)
class Form:
    """A parsed ``name(positional, key=value)``.

    Attributes:
        name: The word before the parenthesis.
        args: Positional values.
        kwargs: Named values, in the order written.
    """

    name: str
    args: tuple[object, ...] = ()
    kwargs: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        return show(self)

    def bind(self, *names: str) -> dict[str, object]:
        """The arguments by name, positional ones taking ``names`` in order.

        Raises:
            SpecError: for an unknown name, one given twice, or too many values.
        """
        if len(self.args) > len(names):
            raise SpecError(f"{self.name} takes at most {len(names)} values, got {len(self.args)}")
        bound = dict(zip(names, self.args, strict=False))
        for key, value in self.kwargs.items():
            if key not in names:
                raise SpecError(
                    f"{self.name} has no parameter {key!r}",
                    remedy=f"It has: {', '.join(names) or 'none'}",
                )
            if key in bound:
                raise SpecError(f"{self.name} got {key!r} twice")
            bound[key] = value
        return bound


def show(value: object) -> str:
    """The canonical printed form of a value."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case float():
            if not math.isfinite(value):
                raise SpecError(f"{value} is not a number that a signature can carry")
            return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
        case str():
            bare = _WORD.fullmatch(value) and value not in _CONSTANTS
            return value if bare else json.dumps(value, ensure_ascii=False)
        case Form():
            parts = [show(item) for item in value.args]
            parts += [f"{key}={show(item)}" for key, item in value.kwargs.items()]
            return f"{value.name}({', '.join(parts)})"
        case Mapping():
            return "{" + ", ".join(f"{show(k)}: {show(v)}" for k, v in value.items()) + "}"
        case list() | tuple():
            return "[" + ", ".join(show(item) for item in value) + "]"
    raise SpecError(f"{type(value).__name__} has no printed form")


def parse(text: str) -> object:
    """Parses one value.

    Raises:
        SpecError: with the position of the first character that doesn't fit.
    """
    try:
        return _Parser(text).whole()
    except RecursionError:
        raise SpecError(f"{text[:40]!r}… is nested too deeply") from None


def parse_form(text: str) -> Form:
    """Parses ``name`` or ``name(…)``; anything else is a `SpecError`."""
    value = parse(text)
    if isinstance(value, str) and _WORD.fullmatch(text.strip()):
        return Form(value)
    if isinstance(value, Form):
        return value
    raise SpecError(f"expected name or name(key=value, …), got {text!r}")


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def whole(self) -> object:
        value = self.value()
        self.skip()
        if self.at < len(self.text):
            self.fail("the end")
        return value

    def fail(self, expected: str) -> NoReturn:
        found = self.text[self.at : self.at + 12] or "the end"
        raise SpecError(
            f"expected {expected} at character {self.at + 1} of {self.text!r}, found {found!r}"
        )

    def skip(self) -> None:
        blank = _BLANK.match(self.text, self.at)
        self.at = blank.end() if blank else self.at

    def take(self, pattern: re.Pattern[str]) -> str | None:
        self.skip()
        found = pattern.match(self.text, self.at)
        if found is None:
            return None
        self.at = found.end()
        return found.group()

    def has(self, token: str) -> bool:
        self.skip()
        if self.text.startswith(token, self.at):
            self.at += len(token)
            return True
        return False

    def expect(self, token: str) -> None:
        if not self.has(token):
            self.fail(repr(token))

    def value(self) -> object:
        if self.has("["):
            return tuple(self.items("]", self.value))
        if self.has("{"):
            return self.map()
        string = self.take(_STRING)
        if string is not None:
            return self.unquoted(string)
        number = self.take(_NUMBER)
        if number is not None:
            return float(number) if re.search(r"[.eE]", number) else int(number)
        word = self.take(_WORD)
        if word is None:
            self.fail("a value")
        if self.has("("):
            return self.form(word)
        return _CONSTANTS.get(word, word)

    def unquoted(self, string: str) -> str:
        try:
            return str(json.loads(string))
        except ValueError:
            self.fail("a JSON string")

    def form(self, name: str) -> Form:
        args: list[object] = []
        kwargs: dict[str, object] = {}
        for key, value in self.items(")", self.argument):
            if key is None:
                args.append(value)
            elif key in kwargs:
                raise SpecError(f"{name} got {key!r} twice")
            else:
                kwargs[key] = value
        return Form(name, tuple(args), kwargs)

    def items(self, close: str, one: Callable[[], T]) -> list[T]:
        found: list[T] = []
        while not self.has(close):
            found.append(one())
            if not self.has(","):
                self.expect(close)
                break
        return found

    def map(self) -> dict[str, object]:
        found: dict[str, object] = {}
        for key, value in self.items("}", self.pair):
            if key in found:
                raise SpecError(f"a map has the key {key!r} twice")
            found[key] = value
        return found

    def pair(self) -> tuple[str, object]:
        key = self.value()
        self.expect(":")
        return str(key), self.value()

    def argument(self) -> tuple[str | None, object]:
        start = self.at
        word = self.take(_WORD)
        if word is not None and self.has("="):
            return word, self.value()
        self.at = start
        return None, self.value()
