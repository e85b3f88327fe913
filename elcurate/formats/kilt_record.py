"""One record of a KILT dataset: a mention marked in its context, and its answers.

KILT cuts the context in ``input`` to a window; the whole ones stand in ``meta``. A blank is all
that KILT puts between context and mention, also where there is no context.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeGuard

from elcurate.formats.json_carried import without
from elcurate.formats.json_entries import Entry, MalformedError, document_id, each, stated, words
from elcurate.formats.page_names import entity_of, name_of
from elcurate.formats.zelda import PAGE
from elcurate.model.corpus import Attributes, Link, Mention

WINDOW = "input_window"
"""The attribute of a mention that says which part of the text its record has as ``input``."""
NIL = "NIL"
_CONTEXTS = ("left_context", "mention", "right_context")
_MARKED = re.compile(r"(.*?)\[START_ENT\] ?(.*?) ?\[END_ENT\](.*)", re.DOTALL)
_UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
_ID = re.compile(rf"(?:{_UUID}_)?(.+):[0-9]+", re.DOTALL)


@dataclass
class KiltRecord:
    """A record as read.

    Attributes:
        id: The record's own id.
        document: The id of the document that it names.
        text: The text around the mention, as far as the record has it.
        mention: The mention in that text.
        metadata: Of the document, if the record carries it.
    """

    id: str
    document: str
    text: str
    mention: Mention
    metadata: Attributes | None = None


def read_record(entry: Entry, place: int) -> KiltRecord:
    """The record in an entry of KILT's own fields."""
    name = document_id(entry, place)
    marked = _MARKED.fullmatch(stated(entry, "input"))
    if marked is None:
        raise MalformedError("input has no [START_ENT] … [END_ENT]")
    before, surface, after = marked.groups()
    before, after = ("" if part == " " else part for part in (before, after))
    text, begin = before + surface + after, len(before)
    links = tuple(each(entry, "output", _link))
    if all(link.score is not None for link in links):
        links = tuple(sorted(links, key=lambda link: -(link.score or 0)))
    meta = entry.pop("meta", None)
    whole = _joined(meta) if surface else None
    if whole is not None:
        start = len(meta["left_context"]) + 1 if meta["left_context"] else 0
        left, end = whole[:start], start + len(surface)
        if whole[start:end] == surface and left.endswith(before) and whole[end:].startswith(after):
            if whole != text:
                entry[WINDOW] = [start - len(before), end + len(after)]
            text, begin = whole, start
    end = begin + len(surface)
    rest = _without_contexts(meta, contexts(text, begin, end))
    if rest:
        entry["meta"] = rest
    found = _ID.fullmatch(name)
    return KiltRecord(
        name,
        found[1] if found else name,
        text,
        Mention(begin=begin, end=end, links=links, attributes={"id": name} | entry),
    )


def write_record(name: str, text: str, mention: Mention) -> Entry:
    """The entry of a mention, of KILT's own fields."""
    begin, end = mention.span
    window = mention.attributes.get(WINDOW)
    first, last = window if is_window(window, mention, text) else (0, len(text))
    before, after = text[first:begin], text[end:last]
    meta = mention.attributes.get("meta")
    return {
        "id": name,
        "input": f"{before}[START_ENT] {text[begin:end]} [END_ENT]{after}",
        "output": write_output(mention.links),
        "meta": contexts(text, begin, end) | (meta if isinstance(meta, dict) else {}),
        **without(mention.attributes, "id", "input", "output", "meta", WINDOW),
    }


def contexts(text: str, begin: int, end: int) -> dict[str, str]:
    """The contexts that ``meta`` has, without the blanks around the mention."""
    return {
        "left_context": text[:begin].removesuffix(" "),
        "mention": text[begin:end],
        "right_context": text[end:].removeprefix(" "),
    }


def names(name: str, document: str) -> bool:
    """Whether the id of a record is, or names, that document."""
    found = _ID.fullmatch(name)
    return document in (name, found[1] if found else name)


def write_output(links: tuple[Link, ...]) -> list[Entry]:
    """One answer for each link, with the page as its provenance."""
    return [_answer(link) for link in links]


def _joined(meta: object) -> str | None:
    """The text in the contexts of ``meta``, if all are there."""
    if not isinstance(meta, dict):
        return None
    parts = [meta.get(key) for key in _CONTEXTS]
    if not all(isinstance(part, str) for part in parts):
        return None
    return " ".join(part for part in parts if part)


def _without_contexts(meta: object, known: dict[str, str]) -> object:
    """What ``meta`` says besides the contexts that the text gives; all of it if they differ."""
    if not isinstance(meta, dict) or any(meta.get(key) != known[key] for key in known):
        return meta
    return {key: value for key, value in meta.items() if key not in known}


def is_window(window: object, mention: Mention, text: str) -> TypeGuard[list[int]]:
    """Whether a value is a part of the text that holds the mention."""
    if not isinstance(window, list) or [type(edge) for edge in window] != [int, int]:
        return False
    return bool(0 <= window[0] <= mention.begin and mention.end <= window[1] <= len(text))


def _link(one: Entry) -> Link:
    """An answer; a provenance that says no more than the page is not kept apart."""
    answer = words(one, "answer")
    provenance = one.get("provenance")
    if answer is None and isinstance(provenance, list) and provenance:
        answer = provenance[0].get("title") if isinstance(provenance[0], dict) else None
    score = one.pop("score", None)
    if provenance == [{"title": answer}]:
        del one["provenance"]
    elif (page := _page(provenance)) is not None and page["title"] == answer and PAGE not in one:
        del one["provenance"]
        one[PAGE] = page[PAGE]
    nil = answer is None or answer == NIL
    entity = None if nil else entity_of(str(answer))
    return Link(entity=entity, score=score, attributes=one)


def _page(provenance: object) -> Entry | None:
    """The page that is all of a provenance."""
    if isinstance(provenance, list) and len(provenance) == 1 and isinstance(provenance[0], dict):
        page: Entry = provenance[0]
        return page if page.keys() == {PAGE, "title"} else None
    return None


def _answer(link: Link) -> Entry:
    one: Entry = {"answer": NIL}
    if link.entity is not None:
        one["answer"] = link.entity if link.is_nil else name_of(link.entity)[0]
    rest = without(link.attributes, "answer", "score", PAGE)
    if "provenance" not in rest and not link.is_nil:
        page = link.attributes.get(PAGE)
        number = {} if page is None else {PAGE: page}
        one["provenance"] = [{**number, "title": one["answer"]}]
    if link.score is not None:
        one["score"] = link.score
    return one | rest
