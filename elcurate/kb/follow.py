"""Following redirects from page to page."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from elcurate.kb.resolution import Outcome, Resolution
from elcurate.kb.wikis import with_namespace


class Page(NamedTuple):
    """A page as the snapshot has it; the fields from namespace to fragment are of its redirect."""

    title: str
    is_redirect: int
    namespace: int | None
    target: str | None
    interwiki: str | None
    fragment: str | None
    disambiguation: int
    item: int | None


class Asked(NamedTuple):
    """An identifier that names an article, by the article's title."""

    identifier: str
    title: str
    section: str | None


Pages = dict[str, Page]


def follow(asked: Asked, pages: Pages, root: str, absent: Callable[[str], Outcome]) -> Resolution:
    """Where an article's title leads.

    Args:
        asked: What is asked for.
        pages: The page of that title and all that its redirects lead to, as far as they exist.
        root: What stands before a title in the canonical IRIs of the wiki.
        absent: What it means that there is no page of a title.
    """
    page = pages.get(asked.title)
    path: list[str] = []
    section = None
    outcome: Outcome | None = None
    while page is not None and page.is_redirect and outcome is None:
        if page.target is None:
            page = None
            break
        section = page.fragment or None
        target = with_namespace(page.namespace or 0, page.target)
        if page.interwiki:
            target, outcome = f"{page.interwiki}:{target}", "interwiki"
        elif page.namespace:
            outcome = "wrong-namespace"
        elif target == asked.title or target in path:
            outcome = "loop"
        else:
            page = pages.get(target)
        path.append(target)
    if page is None:
        outcome = absent(path[-1] if path else asked.title)
    elif outcome is None:
        return _arrived(asked, page, path, section, root)
    return Resolution(
        identifier=asked.identifier,
        outcome=outcome,
        title=asked.title,
        target=path[-1] if path else None,
        section=asked.section,
        path=tuple(path),
        page=_iri(root, asked.title, None),
        entity=_iri(root, asked.title, asked.section),
    )


def _arrived(
    asked: Asked, page: Page, path: list[str], section: str | None, root: str
) -> Resolution:
    """What is said of a page, and of the way to it."""
    outcome: Outcome = "ok"
    if page.disambiguation:
        outcome = "disambiguation"
    elif len(path) > 1:
        outcome = "double-redirect"
    elif path:
        outcome = "section-redirect" if section and not asked.section else "redirect"
    meant = asked.section or section
    return Resolution(
        identifier=asked.identifier,
        outcome=outcome,
        title=asked.title,
        target=path[-1] if path else None,
        section=meant,
        section_of_redirect=meant is not None and not asked.section,
        path=tuple(path),
        page=_iri(root, page.title, None),
        entity=_iri(root, page.title, meant),
        item=None if page.item is None else f"Q{page.item}",
    )


def _iri(root: str, title: str, section: str | None) -> str:
    name = title.replace("?", "%3F") if "?" in title else title
    if section is None:
        return root + name
    # "&" and a section would read as an HTML entity
    name = f"{name[:-1]}%26" if name[-1] == "&" else name
    return f"{root}{name}#{section}"
