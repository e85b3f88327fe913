"""What a snapshot says of an identifier."""

from __future__ import annotations

from typing import Literal

from elcurate.model.record import Record

Outcome = Literal[
    "ok",
    "redirect",
    "section-redirect",
    "double-redirect",
    "loop",
    "interwiki",
    "missing",
    "disambiguation",
    "wrong-namespace",
    "invalid",
    "other-wiki",
    "other-kind",
    "not-covered",
]

OUTCOMES: dict[Outcome, str] = {
    "ok": "an article",
    "redirect": "a redirect to an article",
    "section-redirect": "a redirect to a section of an article",
    "double-redirect": "a redirect to a redirect to an article",
    "loop": "redirects that lead back to themselves",
    "interwiki": "a redirect to another wiki",
    "missing": "no page, or a redirect to no page",
    "disambiguation": "a disambiguation page, or a redirect to one",
    "wrong-namespace": "no article but a page of another namespace, or a redirect to one",
    "invalid": "not a title that a page can have",
    "other-wiki": "a page of another language's Wikipedia or DBpedia",
    "other-kind": "no identifier of Wikipedia, DBpedia or Wikidata",
    "not-covered": "nothing the snapshot knows of",
}
"""Each outcome and what the identifier is."""


class Resolution(Record):
    """Where an identifier leads.

    Attributes:
        identifier: As given.
        outcome: What it is (`OUTCOMES`).
        title: The title of the page that it names, with underscores and namespace.
        target: The title of the page that redirects lead to, with namespace or interwiki prefix,
            also when there is no such page.
        section: The section that is meant of the page: the identifier's own, or else that of the
            last redirect.
        section_of_redirect: Whether the section is that of a redirect.
        path: The titles that redirects led through, the target last.
        entity: The canonical IRI in Wikipedia of what is meant; None when it names no page of this
            wiki. Redirects are followed if they end at an article or a disambiguation page.
        page: The canonical IRI without the section.
        item: The Wikidata item of that page.
    """

    identifier: str
    outcome: Outcome
    title: str | None = None
    target: str | None = None
    section: str | None = None
    section_of_redirect: bool = False
    path: tuple[str, ...] = ()
    entity: str | None = None
    page: str | None = None
    item: str | None = None

    @property
    def wikidata(self) -> str | None:
        """The canonical IRI of the Wikidata item."""
        return None if self.item is None else f"http://www.wikidata.org/entity/{self.item}"

    @property
    def dbpedia(self) -> str | None:
        """The canonical IRI in DBpedia, which has the titles of Wikipedia."""
        if self.page is None:
            return None
        host, _, title = self.page.removeprefix("https://").partition("/wiki/")
        language = host.removesuffix(".wikipedia.org")
        prefix = "" if language == "en" else f"{language}."
        return f"http://{prefix}dbpedia.org/resource/{title}"


class ResolutionReport(Record):
    """What ``elcurate kb resolve --format json`` prints.

    Attributes:
        snapshot: The snapshot's id.
        resolutions: In the order asked for.
    """

    snapshot: str
    resolutions: tuple[Resolution, ...]
