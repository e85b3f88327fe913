"""Planted errors in links and categories."""

from __future__ import annotations

import random
from collections.abc import Callable

from plant_base import PROPER, WIKI, Plant, Planted, has_form, on_mention, replaced

from elcurate.kb.pages import wikipedia_title
from elcurate.model.categories import DIMENSIONS, Categories
from elcurate.model.corpus import Document, Link, Mention


def _on_link(change: Callable[[random.Random, Link, str], dict[str, object] | None]) -> Plant:
    """A plant that changes the only link of a mention that has no other at its beginning."""

    def plant(rng: random.Random, document: Document, at: int) -> Planted | None:
        mention = document.mentions[at]
        alone = sum(one.begin == mention.begin for one in document.mentions) == 1
        if len(mention.links) != 1 or mention.links[0].is_nil or not alone:
            return None
        update = change(rng, mention.links[0], document.surface(mention) or "")
        if update is None:
            return None
        link = mention.links[0].model_copy(update=update)
        new = mention.model_copy(update={"links": (link,)})
        return replaced(document, at, new), [(document.id, mention.begin)]

    return plant


def _entity(change: Callable[[str], str]) -> Plant:
    return _on_link(lambda _, link, __: {"entity": change(link.entity or "")})


def _leaves(link: Link, **values: object) -> dict[str, object]:
    new = {**link.categories.model_dump(), **values}
    return {"categories": Categories.model_validate(new)}


def _two_links(pos: bool) -> Plant:
    """A plant that adds an alternative: the same again, or another with another part of speech."""

    def change(_: random.Random, __: Document, mention: Mention) -> Mention | None:
        if len(mention.links) != 1 or mention.links[0].is_nil:
            return None
        link = mention.links[0]
        if pos:
            leaf = "verb" if link.categories.part_of_speech != ("verb",) else "adverb"
            values = {"entity": f"{WIKI}Other", **_leaves(link, part_of_speech=leaf)}
            link = link.model_copy(update=values)
        return mention.model_copy(update={"links": (*mention.links, link)})

    return on_mention(change)


def _wrong_overlap(rng: random.Random, link: Link, _: str) -> dict[str, object]:
    leaves = [leaf for leaf in DIMENSIONS["overlap"] if (leaf,) != link.categories.overlap]
    return _leaves(link, overlap=rng.choice(leaves))


def _form(
    wrong: str, fits: Callable[[Link, str], bool]
) -> Callable[[random.Random, Link, str], dict[str, object] | None]:
    return lambda _, link, surface: _leaves(link, base_form=wrong) if fits(link, surface) else None


def _is_title(link: Link, surface: str) -> bool:
    return wikipedia_title(link.entity or "") == surface and has_form(link, "full_name")


PLANTS: dict[str, Plant] = {
    "L101": _entity(lambda entity: f"{entity}[1]"),
    "L102": _entity(lambda _: f"{WIKI}NotInLexico"),
    "L103": _entity(lambda entity: f"{entity}_Ã©tude"),
    "L201": _entity(lambda entity: entity.replace("https:", "http:")),
    "L202": _entity(lambda entity: entity.replace("//en.", "//de.")),
    "L203": _entity(lambda entity: entity.replace("/wiki/", "/wiki/Category:")),
    "L204": _entity(lambda entity: f"{entity}#History"),
    "L205": _two_links(pos=False),
    "L302": _on_link(lambda _, link, __: {"type": "Wrong"} if link.type else None),
    "L303": _entity(lambda entity: entity.replace(WIKI, "http://dbpedia.org/resource/")),
    "C101": _on_link(lambda rng, link, _: _leaves(link, **{rng.choice(list(DIMENSIONS)): ()})),
    "C102": _on_link(
        lambda _, link, __: (
            _leaves(link, overlap=(*link.categories.overlap, "intermediate"))
            if link.categories.overlap != ("intermediate",)
            else None
        )
    ),
    "C201": _on_link(_wrong_overlap),
    "C202": _on_link(
        lambda _, link, __: _leaves(
            link, reference="direct" if has_form(link, "pro_form") else "anaphoric"
        )
    ),
    "C203": _on_link(
        lambda _, link, __: (
            _leaves(link, reference="descriptive") if has_form(link, *PROPER) else None
        )
    ),
    "C204": _on_link(
        _form(
            "common_form", lambda link, text: text.isdigit() and has_form(link, "numeric_temporal")
        )
    ),
    "C205": _on_link(_form("short_name", _is_title)),
    "C206": _on_link(
        lambda rng, link, _: (
            {"entity": f"{WIKI}{rng.choice(['Kumquat', 'Xylophone', 'Zebra'])}"}
            if has_form(link, "full_name") and link.categories.reference == ("direct",)
            else None
        )
    ),
    "C207": _on_link(
        _form(
            "common_form",
            lambda link, text: (
                has_form(link, "pro_form") and link.categories.part_of_speech != ("adverb",)
            ),
        )
    ),
    "C208": _two_links(pos=True),
    "C301": _on_link(_form("alias", lambda link, _: has_form(link, "full_name"))),
}
