"""Rules on single links."""

from __future__ import annotations

import re
from collections.abc import Iterator

from elcurate.kb.iri import canonical, parse
from elcurate.model.corpus import Document, Link, Mention
from elcurate.rules.base import Problem, rule

_NIL_PAGE = re.compile(
    r"https?://[^/]+/(?:wiki|resource|page)/(?:NotInLexicon?|NotInWiki|NIL|NME|--NME--|\*null\*)"
)
_NO_ENTITY = frozenset(
    ("", "--NME--", "--OOE--", "--NIL--", "*null*", "null", "NULL", "None", "none", "<none>", "nil")
)
_MOJIBAKE = re.compile("[\u00c2-\u00f4][\u0080-\u00bf\u0152-\u02dc\u2013-\u2122]")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")
_BAD_IRI = re.compile(r"[\x00-\x20\x7f<>\"{}|^`\\]")
_IRI = re.compile(r"https?://", re.IGNORECASE)


@rule(
    "L101",
    "malformed-identifier",
    "error",
    example="`https://en.wikipedia.org/wiki/A[1]`",
    source="MediaWiki, Manual:$wgLegalTitleChars; RFC 3987",
)
def malformed(link: Link) -> Iterator[Problem]:
    """The identifier can't be one of the knowledge base it names.

    No page has such a title, or no item such a number.
    """
    if link.entity is None or link.is_nil or is_nil_page(link.entity):
        return
    problem = parse(link.entity).problem
    if problem == "replacement-character":
        return
    if problem is not None:
        yield Problem(f"no valid identifier: {problem.replace('-', ' ')}", link.entity)
    elif _IRI.match(link.entity) and parse(link.entity).kind == "other":
        match = _BAD_IRI.search(link.entity.strip())
        if match:
            yield Problem(f"{match[0]!r} is not allowed in an IRI", link.entity)


@rule(
    "L102",
    "nil-as-page",
    "error",
    fix="safe",
    repairs=("nil-as-page",),
    example="`https://en.wikipedia.org/wiki/NotInLexico`",
    source="both corpora of EMNLP 2019",
)
def nil_as_page(link: Link) -> Iterator[Problem]:
    """NIL is spelled as a page or a name, so it counts as an entity, and as one that all share."""
    if link.entity is not None and is_nil_page(link.entity):
        yield Problem("NIL spelled as an entity", link.entity, (("entity", None),))


@rule(
    "L103",
    "damaged-characters",
    "warning",
    fix="unsafe",
    example="`Angela_Merkel_\u00e2\u0080\u0093_Biografie`, `Z\u00c3\u00bcrich`",
    source="UTF-8 read as Windows-1252",
)
def damaged(link: Link) -> Iterator[Problem]:
    """The identifier holds characters that were decoded wrongly or lost.

    What decodes again is proposed.
    """
    entity = link.entity
    if entity is None or entity.isascii():
        return
    if "\ufffd" in entity:
        yield Problem("a character was lost", entity)
    elif _MOJIBAKE.search(entity):
        meant = _redecoded(entity)
        if meant is not None:
            yield Problem("UTF-8 that was read as another encoding", entity, (("entity", meant),))


@rule(
    "L201",
    "not-canonical",
    "info",
    fix="safe",
    example="`http://en.wikipedia.org/wiki/angela%20Merkel`",
    source="MediaWiki's title parser",
)
def not_canonical(link: Link) -> Iterator[Problem]:
    """The identifier isn't in its canonical form.

    elcurate compares canonical forms; tools that compare strings take it for another entity.
    """
    entity = link.entity
    if entity is None or link.is_nil or is_nil_page(entity):
        return
    form = canonical(entity)
    if form != entity:
        yield Problem(f"the canonical form is {form}", entity, (("entity", form),))


@rule(
    "L203",
    "wrong-namespace",
    "warning",
    example="`https://en.wikipedia.org/wiki/File:Berlin.jpg`",
    source="Wikipedia: only the main namespace has articles",
)
def wrong_namespace(link: Link) -> Iterator[Problem]:
    """The page isn't an article, but a file, category, user page or the like."""
    entity = link.entity
    if entity is None or ":" not in entity:
        return
    found = parse(entity)
    if found.problem is None and found.namespace is not None:
        yield Problem(f"a page of the namespace {found.namespace}", entity)


@rule(
    "L204",
    "section-link",
    "info",
    example="`https://en.wikipedia.org/wiki/Berlin#History`",
    source="sections are no entities of their own in most systems",
)
def section_link(link: Link) -> Iterator[Problem]:
    """The identifier is of a section of a page, which systems don't give."""
    if link.entity is None or "#" not in link.entity:
        return
    found = parse(link.entity)
    if found.kind in ("wikipedia", "dbpedia") and found.problem is None and found.fragment:
        yield Problem(f"the section {found.fragment}", link.entity)


@rule(
    "L205",
    "repeated-link",
    "warning",
    fix="safe",
    example="two links to Berlin at one mention",
    source="alternatives that were joined",
)
def repeated_link(mention: Mention, document: Document) -> Iterator[Problem]:
    """A link occurs twice at one mention, so annotations are counted twice.

    The fix removes links that are equal in all they say; others only get the finding.
    """
    if len(mention.links) < 2:
        return
    seen: dict[str, list[Link]] = {}
    for number, link in enumerate(mention.links):
        if link.entity is None:
            continue
        others = seen.setdefault(canonical(link.entity), [])
        if link in others:
            yield Problem("the link occurs twice", link.entity, (("link", None),), link=number)
        elif others and any(
            other.categories == link.categories and other.type == link.type for other in others
        ):
            yield Problem("another link has this entity", link.entity, link=number)
        others.append(link)


def is_nil_page(entity: str) -> bool:
    """Whether an identifier is a way of writing NIL that is not NIL to the model."""
    return entity in _NO_ENTITY or _NIL_PAGE.fullmatch(entity) is not None


def _redecoded(text: str) -> str | None:
    """The text with every run of characters decoded again that can be; None if none can."""
    meant = _NOT_ASCII.sub(lambda match: _decoded_again(match[0]), text)
    return None if meant == text else meant


def _decoded_again(run: str) -> str:
    for encoding in ("cp1252", "latin-1"):
        try:
            return run.encode(encoding).decode("utf-8")
        except UnicodeError:
            continue
    return run
