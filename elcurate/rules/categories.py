"""Rules on the categories of links."""

from __future__ import annotations

import re
from collections.abc import Iterator

from elcurate.kb.pages import wikipedia_title
from elcurate.model.categories import DIMENSIONS, GROUPS
from elcurate.model.corpus import Document, Link, Mention
from elcurate.rules.base import Problem, rule
from elcurate.rules.overlap import overlap_leaves

SOURCE = "Rosales-Méndez, Hogan and Poblete, EMNLP 2019, section 4"

_PROPER = frozenset(GROUPS["base_form"]["proper_form"])
_PRONOUN = re.compile(
    r"i|me|my|mine|myself|you|yours?|yourself|he|him|his|himself|she|hers?|herself|its?|itself"
    r"|we|us|ours?|ourselves|they|them|theirs?|themselves|who|whom|whose",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"[+-]?\d[\d.,:/-]*(?:st|nd|rd|th|s|%)?")
_IN_BRACKETS = re.compile(r" \([^()]*\)$")
_WORD = re.compile(r"\w+")


@rule(
    "C101",
    "missing-dimension",
    "error",
    example="a link with base form, part of speech and reference, but no overlap",
    source=SOURCE,
)
def missing_dimension(link: Link) -> Iterator[Problem]:
    """The link has categories, but none in some dimension.

    Links without any category are left alone: the corpus may not be categorised.
    """
    missing = [name for name in DIMENSIONS if not link.categories.leaves(name)]
    if 0 < len(missing) < len(DIMENSIONS):
        yield Problem("no leaf in a dimension", ", ".join(missing))


@rule(
    "C102",
    "several-leaves",
    "error",
    example="`el:Olp-None` and `el:Olp-Minimal` at one link",
    source=SOURCE,
)
def several_leaves(link: Link) -> Iterator[Problem]:
    """The link has more than one leaf in a dimension; they exclude each other."""
    for name in DIMENSIONS:
        leaves = link.categories.leaves(name)
        if len(leaves) > 1:
            yield Problem(f"several leaves of {name}", ", ".join(leaves))


@rule(
    "C201",
    "overlap-leaf",
    "error",
    fix="safe",
    example="`none` for `York` within `New York`",
    source=f"{SOURCE}; seven links of VoxEL",
)
def overlap_leaf(document: Document) -> Iterator[Problem]:
    """The overlap leaf isn't the one that the spans of the document give.

    It is computed from the distinct spans: a mention that contains others is maximal, one that
    lies within another minimal, one that does both intermediate, any other none. A document with a
    span that its text doesn't have is left alone.
    """
    last = None if document.text is None else len(document.text)
    if any(not _possible(mention, last) for mention in document.mentions):
        return
    leaves = overlap_leaves(mention.span for mention in document.mentions)
    for number, mention in enumerate(document.mentions):
        right = leaves[mention.span]
        for at, link in enumerate(mention.links):
            if len(link.categories.overlap) == 1 and link.categories.overlap[0] != right:
                found = link.categories.overlap[0]
                edits = (("categories.overlap", right),)
                yield Problem(f"the spans make it {right}", found, edits, number, at)


@rule(
    "C202",
    "pro-form-anaphoric",
    "error",
    example="`she` as a pro-form with direct reference",
    source=SOURCE,
)
def pro_form_anaphoric(link: Link) -> Iterator[Problem]:
    """A pro-form that isn't anaphoric, or an anaphoric reference that is no pro-form."""
    base, reference = link.categories.base_form, link.categories.reference
    if len(base) == 1 == len(reference) and (base[0] == "pro_form") != (
        reference[0] == "anaphoric"
    ):
        yield Problem(f"{base[0]} can't go with {reference[0]}", f"{base[0]}, {reference[0]}")


@rule(
    "C203",
    "name-descriptive",
    "warning",
    example="`Curie` as a short name with descriptive reference",
    source=SOURCE,
)
def name_descriptive(link: Link) -> Iterator[Problem]:
    """A name whose reference is descriptive: names name, they don't describe."""
    base = link.categories.base_form
    if len(base) == 1 and base[0] in _PROPER and link.categories.reference == ("descriptive",):
        yield Problem(f"{base[0]} with descriptive reference", f"{base[0]}, descriptive")


@rule(
    "C204",
    "numeric-form",
    "warning",
    example="`1984` as a common form",
    source=SOURCE,
)
def numeric_form(link: Link, mention: Mention, document: Document) -> Iterator[Problem]:
    """The mention is only digits, but its base form isn't numeric or temporal.

    Names that are numbers (the novel *1984*) are proper forms and left alone.
    """
    base = link.categories.base_form
    if base in (("common_form",), ("pro_form",)) and _DIGITS.fullmatch(
        document.surface(mention) or ""
    ):
        yield Problem("a number that isn't numeric_temporal", base[0])


@rule(
    "C205",
    "name-form",
    "warning",
    fix="unsafe",
    example="`Marie Curie` as a short name of the page Marie Curie",
    source=SOURCE,
)
def name_form(link: Link, mention: Mention, document: Document) -> Iterator[Problem]:
    """The mention is the title of the page, but another form of the name than full."""
    base = link.categories.base_form
    if base not in (("short_name",), ("extended_name",), ("alias",)) or link.entity is None:
        return
    title = wikipedia_title(link.entity)
    if title is not None and title == document.surface(mention):
        edits = (("categories.base_form", "full_name"),)
        yield Problem("the mention is the whole title", base[0], edits)


@rule(
    "C206",
    "full-name",
    "warning",
    example="`Iron Lady` as a full name of Margaret Thatcher",
    source=SOURCE,
)
def full_name(link: Link, mention: Mention, document: Document) -> Iterator[Problem]:
    """The base form is a full name, but the title shares no beginning of a word with the mention.

    Only direct references: a metonymic *Kiev* is the full name of the city, not of the government.
    """
    if link.categories.base_form != ("full_name",) or link.entity is None or link.is_nil:
        return
    if link.categories.reference != ("direct",):
        return
    title, surface = wikipedia_title(link.entity), document.surface(mention)
    if title is None or surface is None:
        return
    if not _starts(surface) & _starts(_IN_BRACKETS.sub("", title)):
        yield Problem(f"not a form of the title {title}", "full_name")


@rule(
    "C207",
    "pronoun-form",
    "warning",
    example="`she` as a common form",
    source=SOURCE,
)
def pronoun_form(link: Link, mention: Mention, document: Document) -> Iterator[Problem]:
    """An English personal or relative pronoun whose base form isn't a pro-form.

    Capitals are names (`US`, `IT`, `WHO`), and so is the title of the page (the newspaper *i*).
    """
    base = link.categories.base_form
    if len(base) != 1 or base[0] == "pro_form":
        return
    surface = document.surface(mention) or ""
    if not _PRONOUN.fullmatch(surface) or (surface.isupper() and surface != "I"):
        return
    title = None if link.entity is None else wikipedia_title(link.entity)
    if title is None or _IN_BRACKETS.sub("", title).casefold() != surface.casefold():
        yield Problem("a pronoun that isn't a pro-form", base[0])


@rule(
    "C208",
    "part-of-speech-differs",
    "warning",
    example="a singular noun for one alternative and a verb for the other",
    source="the part of speech is the mention's, not the entity's",
)
def part_of_speech_differs(mention: Mention) -> Iterator[Problem]:
    """The alternatives of a mention differ in part of speech, which only depends on the words."""
    if len(mention.links) < 2:
        return
    found = dict.fromkeys(link.categories.part_of_speech for link in mention.links)
    leaves = [leaf[0] for leaf in found if len(leaf) == 1]
    if len(leaves) > 1:
        yield Problem("alternatives with several parts of speech", ", ".join(leaves))


def _possible(mention: Mention, last: int | None) -> bool:
    return 0 <= mention.begin < mention.end and (last is None or mention.end <= last)


def _starts(text: str) -> set[str]:
    return {word.casefold()[:3] for word in _WORD.findall(text)}
