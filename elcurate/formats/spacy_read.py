"""Reading a DocBin, ours or anybody's."""

from __future__ import annotations

import gc
import json
import re
import zlib
from collections.abc import Iterator
from functools import partial
from typing import Any

from pydantic import JsonValue

from elcurate.errors import ReadError
from elcurate.formats import carried
from elcurate.formats.base import Reading, ReadOptions
from elcurate.formats.fields import links_of
from elcurate.formats.source import Source
from elcurate.formats.spacy_terms import GROUP, NIL, OWN, spacy_tokens
from elcurate.model.change import Repair
from elcurate.model.corpus import Attributes, Document, Link, Mention, in_order

_MOST = 1 << 28
"""Data that unpack to more than this and to more than the following factor are refused."""
_FACTOR = 200
_SPAN_ID = re.compile(r"(\d+)(?:\.\d+)?")
_LAYERS = ("tag_", "pos_", "morph", "lemma_", "dep_")

Object = dict[str, Any]


def read(source: Source, options: ReadOptions) -> Reading:
    """Reads all documents, with a vocabulary of their own and without any model."""
    spacy = spacy_tokens(ReadError)
    found = _guarded(source, lambda: spacy.DocBin().from_bytes(_checked(source)))
    return Reading(source.stem, _documents(source, found, options), repairs=source.repairs)


def _documents(source: Source, found: Any, options: ReadOptions) -> Iterator[Document]:
    from spacy.vocab import Vocab

    docs = found.get_docs(Vocab())
    for number in range(1, len(found) + 1):
        doc = _guarded(source, lambda: next(docs))
        try:
            yield _guarded(source, partial(_document, source, number, doc))
        except ReadError as error:
            options.fail(error)


def _document(source: Source, number: int, doc: Any) -> Document:
    return _Doc(source, number, doc).document()


def _guarded(source: Source, make: Any) -> Any:
    """What a call into spaCy gives; all that can go wrong there is a fault of the file."""
    try:
        return make()
    except ReadError:
        raise
    except Exception as error:
        raise ReadError(
            f"not a readable DocBin: {type(error).__name__}: {error}".splitlines()[0],
            path=source.path,
            remedy="The file may be damaged, or be of another version of spaCy.",
        ) from error
    finally:
        gc.enable()  # the unpacker of spaCy leaves it disabled when it fails


def _checked(source: Source) -> bytes:
    """The packed data, if they don't unpack to absurdly many."""
    data = source.bytes()
    limit = max(_MOST, _FACTOR * len(data))
    unpacker = zlib.decompressobj()
    unpacker.decompress(data, limit)
    if unpacker.unconsumed_tail:
        raise ReadError(f"it unpacks to more than {limit} bytes", path=source.path)
    return data


class _Doc:
    """One Doc, which makes one document."""

    def __init__(self, source: Source, number: int, doc: Any) -> None:
        self.path = source.path
        self.repairs = source.repairs
        self.doc = doc
        self.own = self.object(json.loads(doc.user_data.get(OWN) or "{}"))
        self.extensions: dict[tuple[object, ...], Attributes] = {}
        for key, value in doc.user_data.items():
            if isinstance(key, tuple) and len(key) == 4 and key[0] == "._.":
                self.extensions.setdefault(key[2:], {})[str(key[1])] = _json(value)
        stated = self.own.get("id", doc.user_data.get("id"))
        self.id = str(f"{source.stem}-{number}" if stated is None else stated)

    def document(self) -> Document:
        """The document."""
        doc = self.doc
        if doc.has_unknown_spaces:
            self.repair("unknown-spaces", "", "a blank between words")
        spans = list(doc.spans.get(GROUP, [])) if self.own else []
        mentions = self.mentions(spans)
        known = {(span.start_char, span.end_char) for span in spans}
        mentions += [
            self.mention([span], "")
            for span in doc.ents
            if (span.start_char, span.end_char) not in known
        ]
        for name, group in doc.spans.items():
            if name != GROUP or not self.own:
                mentions += [self.mention([span], name) for span in group]
        for rest in self.own.get("unplaced", []):
            mentions.append(carried.restored(Mention, rest, self.path, self.id))
        fields: Object = {"id": self.id, "text": doc.text}
        kept = {
            key: self.own[key] for key in self.own if key not in ("mentions", "links", "unplaced")
        }
        if not self.own:
            kept = {
                "tokens": self.tokens(),
                "sentences": self.sentences(),
                "metadata": self.facts(),
            }
        made = carried.restored(Document, kept, self.path, self.id, **fields)
        return made.model_copy(update={"mentions": in_order(mentions)})

    def mentions(self, spans: list[Any]) -> list[Mention]:
        """The mentions in our group: spans with one number and place are alternatives."""
        found: dict[tuple[Any, ...], list[Any]] = {}
        for place, span in enumerate(spans):
            match = _SPAN_ID.fullmatch(span.id_)
            number = match[1] if match is not None else f"new {place}"
            found.setdefault((number, span.start_char, span.end_char), []).append(span)
        return [self.mention(same, GROUP, key[0]) for key, same in found.items()]

    def mention(self, spans: list[Any], group: str, number: str = "") -> Mention:
        """The mention that spans of one place make."""
        place = {"begin": spans[0].start_char, "end": spans[0].end_char}
        links: list[Link] = []
        said: Attributes = {}
        for span in spans:
            fields = self.fields(span)
            found = links_of(fields, self.unknown_category)
            links += [self.link(link, span.id_) for link in found]
            said |= {} if found else fields
        if group and not number:
            said["group"] = group
        if not number and spans[0].id_:
            said["ent_id"] = spans[0].id_
        rest = self.object(self.own.get("mentions", {})).get(number, {})
        made = carried.restored(Mention, rest, self.path, self.id, links=tuple(links), **place)
        return made.model_copy(update={"attributes": {**said, **made.attributes}})

    def fields(self, span: Any) -> Attributes:
        """What is said of a span: its label, its identifier and its extensions."""
        fields: Attributes = {"type": span.label_} if span.label_ else {}
        if span.kb_id_:
            fields |= {"nil": True} if span.kb_id_ == NIL else {"identifier": span.kb_id_}
        elif "." in span.id_ and self.own:
            fields["nil"] = True
        return fields | self.extensions.get((span.start_char, span.end_char), {})

    def link(self, link: Link, name: str) -> Link:
        """A link with what rides along."""
        rest = dict(self.object(self.own.get("links", {})).get(name, {}))
        if link.entity is not None:
            rest.pop("entity", None)
        if link.type is not None:
            rest.pop("type", None)
        fields = link.model_dump(exclude_defaults=True)
        return carried.restored(Link, {**fields, **rest}, self.path, self.id)

    def tokens(self) -> list[Object]:
        """The tokens that are not white space."""
        spans = [(token.idx, token.idx + len(token)) for token in self.doc if not token.is_space]
        return [{"begin": begin, "end": end} for begin, end in spans]

    def sentences(self) -> list[Object]:
        """The sentences, if they are set."""
        if not len(self.doc) or not self.doc.has_annotation("SENT_START"):
            return []
        return [{"begin": one.start_char, "end": one.end_char} for one in self.doc.sents]

    def facts(self) -> Object:
        """User data of the document, its categories, and what is said of its tokens."""
        stated = {key: value for key, value in self.doc.user_data.items() if isinstance(key, str)}
        facts: Object = {key: _json(stated[key]) for key in stated if key not in (OWN, "id")}
        facts |= self.extensions.get((None, None), {})
        facts |= {"cats": _json(self.doc.cats)} if self.doc.cats else {}
        for name in _LAYERS:
            values = [str(getattr(token, name)) for token in self.doc if not token.is_space]
            facts |= {name.rstrip("_"): values} if any(values) else {}
        return facts

    def unknown_category(self, name: str, value: str) -> None:
        """Reports a category that is none."""
        self.repair("unknown-category", f"{name}={value}", "kept as an attribute")

    def repair(self, kind: str, before: str, after: str) -> None:
        """Reports a repair."""
        self.repairs.append(Repair(kind=kind, where=self.id, before=before, after=after))

    def object(self, value: object) -> Object:
        """A value that has to be an object."""
        if isinstance(value, dict):
            return value
        raise ReadError("what elcurate wrote for itself was changed", path=self.path)


def _json(value: object) -> JsonValue:
    """A value as JSON; what is none as text."""
    found: JsonValue = json.loads(json.dumps(value, default=str))
    return found
