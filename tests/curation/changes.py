"""Pairs of versions of a corpus, the second made of the first by edits of every kind."""

from __future__ import annotations

from hypothesis import strategies as st
from strategies import attributes, categories, corpora, documents, links, mentions, texts

from elcurate.model.corpus import Corpus, Document, Mention, in_order


@st.composite
def edited_mention(draw: st.DrawFn, mention: Mention, length: int) -> Mention:
    """A mention with a change in its links, its span or its attributes."""
    found = list(mention.links)
    kind = draw(st.sampled_from(["links", "add", "drop", "swap", "span", "attributes", "field"]))
    if kind == "span":
        begin = draw(st.integers(0, length))
        return mention.model_copy(update={"begin": begin, "end": draw(st.integers(begin, length))})
    if kind == "attributes":
        return mention.model_copy(update={"attributes": draw(attributes()), "surface": None})
    if kind == "links":
        found = draw(st.lists(links(), max_size=3))
    elif kind == "add":
        found.insert(draw(st.integers(0, len(found))), draw(links()))
    elif kind == "swap":
        found.reverse()
    elif found:
        place = draw(st.integers(0, len(found) - 1))
        one = found.pop(place)
        if kind == "field":
            update = {"categories": draw(categories()), "type": draw(st.sampled_from([None, "P"]))}
            found.insert(place, one.model_copy(update=update))
    return mention.model_copy(update={"links": tuple(found)})


@st.composite
def edited_document(draw: st.DrawFn, document: Document) -> Document:
    """A document with some of its fields or mentions changed."""
    length = 40 if document.text is None else len(document.text)
    kept = []
    for mention in document.mentions:
        kind = draw(st.sampled_from(["keep", "edit", "drop", "twice"]))
        kept += [mention] * {"keep": 1, "edit": 0, "drop": 0, "twice": 2}[kind]
        if kind == "edit":
            kept.append(draw(edited_mention(mention, length)))
    kept += draw(st.lists(mentions(length, document.text is not None), max_size=1))
    update = {"mentions": in_order(kept)}
    if draw(st.integers(0, 3)) == 0:
        update["metadata"] = draw(attributes())
    if draw(st.integers(0, 7)) == 0:
        update["text"] = draw(st.none() | texts())
    if draw(st.integers(0, 7)) == 0:
        update["tags"], update["sentences"] = document.tags[1:], document.sentences[:1]
    if draw(st.integers(0, 15)) == 0:
        update["mentions"] = tuple(reversed(kept))
    return document.model_copy(update=update)


@st.composite
def pairs_of_versions(draw: st.DrawFn) -> tuple[Corpus, Corpus]:
    """A corpus and an edited version of it."""
    old = draw(corpora(max_documents=2))
    found = []
    for document in old.documents:
        kind = draw(st.sampled_from(["keep", "edit", "edit", "edit", "drop"]))
        if kind != "drop":
            found.append(draw(edited_document(document)) if kind == "edit" else document)
    if draw(st.integers(0, 3)) == 0:
        found = draw(st.permutations(found))
    if draw(st.integers(0, 3)) == 0:
        found.insert(draw(st.integers(0, len(found))), draw(documents("new document")))
    update = {"documents": tuple(found)}
    if draw(st.integers(0, 3)) == 0:
        update["metadata"] = draw(attributes())
    return old, old.model_copy(update=update)
