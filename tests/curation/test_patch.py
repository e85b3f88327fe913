"""Patches by example: entries, conflicts, merging, masked texts, bad input."""

from __future__ import annotations

import json

import pytest
from strategies import torture_corpus

import elcurate
from elcurate import Corpus, Document, Link, Mention
from elcurate.curation.apply import apply, check, revert
from elcurate.curation.diff import Provenance, diff
from elcurate.curation.merge import merge
from elcurate.curation.patch import Patch, PatchError, read_patch, write_patch
from elcurate.errors import ReadError
from elcurate.model.change import Change

MERKEL = "https://en.wikipedia.org/wiki/Angela_Merkel"
TEXT = "Merkel met Merkel in Paris."


def corpus(*mentions, text=TEXT, name="d", **fields):
    document = Document(id=name, text=text, mentions=mentions, **fields)
    return Corpus(name="c", documents=(document,))


def mention(begin, end, *entities, **fields):
    return Mention(begin=begin, end=end, links=tuple(Link(entity=e) for e in entities), **fields)


def entries_of(old, new):
    return [
        entry.model_dump(exclude_defaults=True, exclude={"text_hash", "layout_hash", "document"})
        for entry in diff(old, new).entries
    ]


def test_one_entry_is_one_decision():
    old = corpus(mention(0, 6, MERKEL), mention(11, 17, "Q1"), mention(21, 26, "Q90"))
    new = corpus(mention(0, 6, "Q567"), mention(7, 10, None), mention(21, 26, "Q90", "Q2"))
    place = {"begin": 0, "end": 6, "surface": "Merkel", "link": 0, "entity": MERKEL}
    assert entries_of(old, new) == [
        {**place, "field": "entity", "old": MERKEL, "new": "Q567"},
        {"begin": 7, "end": 10, "surface": "met", "field": "mention", "new": dumped(new, 1)},
        {"begin": 11, "end": 17, "surface": "Merkel", "field": "mention", "old": dumped(old, 1)},
        {
            "begin": 21,
            "end": 26,
            "surface": "Paris",
            "link": 1,
            "field": "link",
            "links": 1,
            "new": {"entity": "Q2"},
        },
    ]


def dumped(found, place):
    return found.documents[0].mentions[place].model_dump(mode="json", exclude_defaults=True)


def test_a_mention_that_moved_and_changed():
    old = corpus(Mention(begin=0, end=7, links=(Link(entity="Q567", type="X"),)))
    new = corpus(Mention(begin=0, end=6, links=(Link(entity="Q567", type="PER"),)))
    where = {"begin": 0, "end": 7, "surface": "Merkel ", "new_surface": "Merkel"}
    assert entries_of(old, new) == [
        {**where, "field": "span", "old": [0, 7], "new": [0, 6]},
        {**where, "link": 0, "entity": "Q567", "field": "type", "old": "X", "new": "PER"},
    ]
    patch = diff(old, new)
    assert apply(old, patch) == new
    assert revert(new, patch) == old


def test_conflicts_say_where_and_what():
    old, new = corpus(mention(0, 6, "Q1")), corpus(mention(0, 6, "Q2"))
    patch = diff(old, new)
    assert [str(one) for one in check(corpus(mention(0, 6, "Q3")), patch)] == [
        'line 2: d 0-6: entity: expected "Q1", found "Q3"'
    ]
    moved = check(corpus(mention(11, 17, "Q1")), patch)
    assert moved[0].message == 'there is no mention; nearest: 11-17 "Merkel"'
    assert check(corpus(mention(0, 6)), patch)[0].message == "there is no link 0, the mention has 0"
    other = check(corpus(mention(0, 6, "Q1"), text=TEXT + " "), patch)
    assert other[0].message == "the patch is for another text"
    assert check(corpus(name="e"), patch)[0].message == "there is no such document"
    without = check(corpus(mention(0, 6, "Q1", surface="Kohl"), text=None), patch)
    assert without[0].message == 'the surface is "Kohl"'


def test_every_conflict_is_reported_at_once():
    old = corpus(mention(0, 6, "Q1"), mention(11, 17, "Q1"))
    patch = diff(old, corpus(mention(0, 6, "Q2"), mention(11, 17, "Q2")))
    with pytest.raises(PatchError, match="doesn't fit c in 2 places") as error:
        elcurate.apply(corpus(mention(0, 6, "Q3"), mention(11, 17, "Q3")), patch)
    assert [conflict.line for conflict in error.value.conflicts] == [2, 3]


def test_edited_by_hand():
    old, new = corpus(mention(0, 6, "Q1")), corpus(mention(0, 6, "Q2"))
    patch = diff(old, new)
    entry = patch.entries[0]

    def message(*entries):
        return [conflict.message for conflict in check(old, Patch.of(list(entries)))]

    assert message(entry, entry) == ["line 2 changes the same"]
    gone = entry.model_copy(
        update={"field": "mention", "link": None, "old": dumped(old, 0), "new": None}
    )
    assert message(gone, entry) == ["line 2 changes the whole"]
    assert "can't be used" in message(entry.model_copy(update={"new": 3}))[0]
    leaf = {"field": "categories.overlap", "old": None, "new": "middle"}
    assert "can't be used" in message(entry.model_copy(update=leaf))[0]
    assert message(entry.model_copy(update={"field": "colour"})) == ["a link has no such field"]
    span = {"field": "span", "link": None, "old": [0, 6], "new": [0, 6]}
    assert message(entry.model_copy(update=span)) == ["there is a mention already"]
    assert "can't be used" in message(entry.model_copy(update=span | {"new": "x"}))[0]


def test_merging_what_contradicts():
    old = corpus(mention(0, 6, "Q1"), mention(11, 17, "Q1"))
    one = diff(old, corpus(mention(0, 6, "Q2"), mention(11, 17, "Q1")))
    other = diff(old, corpus(mention(0, 6, "Q3"), mention(11, 17, "Q4")))
    with pytest.raises(PatchError) as error:
        merge(one, other)
    assert [str(conflict) for conflict in error.value.conflicts] == [
        'line 2: d 0-6: entity: patch 2 makes "Q1" "Q3", an earlier one "Q1" "Q2" (d 0-6: entity)'
    ]
    for whole in (corpus(mention(11, 17, "Q1")), corpus(mention(0, 6, "Q1"), text="x"), Corpus()):
        with pytest.raises(PatchError, match="contradict"):
            merge(one, diff(old, whole))
    more = diff(old, corpus(mention(0, 6, "Q1"), mention(11, 17, "Q1", "Q9")))
    merged = merge(one, more, one)
    assert merged.header.old == one.header.old
    assert apply(old, merged) == corpus(mention(0, 6, "Q2"), mention(11, 17, "Q1", "Q9"))


def test_a_moved_mention_takes_both_places():
    old = corpus(mention(0, 7, "Q1"))
    moved = diff(old, corpus(mention(0, 6, "Q1")))
    with pytest.raises(PatchError, match="contradict"):
        merge(moved, diff(old, corpus(mention(0, 7, "Q1"), mention(0, 6, "Q5"))))


def test_masked_patches_hold_no_text_and_fit_masked_copies():
    old, new = corpus(mention(0, 6, "Q1")), corpus(mention(0, 6, "Q2"), mention(21, 26, None))
    patch = diff(old, new, mask=True)
    assert "Merkel" not in "\n".join(patch.lines())
    assert "Paris" not in "\n".join(patch.lines())
    assert apply(old, patch) == new
    assert revert(new, patch) == old
    for text in ("Xxxxxx xxx Xxxxxx xx Xxxxx.", "______ ___ ______ __ ______", None):
        assert apply(corpus(mention(0, 6, "Q1"), text=text), patch) == corpus(
            *new.documents[0].mentions, text=text
        )
    assert check(corpus(mention(0, 6, "Q1"), text="Xxxxxx xxxx xxxxx xx Xxxxx."), patch)
    assert check(corpus(mention(0, 6, "Q1"), text="Merkel met Merkal in Paris."), patch)
    other = corpus(mention(0, 6, "Q1", surface="Kohl"), text=None)
    assert check(other, patch)[0].message == 'the surface is "Kohl"'


@pytest.mark.parametrize(
    "new",
    [
        corpus(mention(0, 6, "Q1"), text="other"),
        Corpus(),
        corpus(mention(0, 6, "Q1", surface="Kohl")),
        corpus(mention(0, 6, "Q1"), mention(21, 26, surface="Paris")),
    ],
)
def test_masked_patches_refuse_what_would_tell_the_text(new):
    old = corpus(mention(0, 6, "Q1"))
    with pytest.raises(PatchError, match="can't hold text"):
        diff(old, new, mask=True)


def test_provenance_of_each_entry():
    old = corpus(mention(0, 6, "Q1", "Q5"), mention(11, 17, "Q1"))
    new = corpus(mention(0, 6, "Q2", "Q6"), mention(11, 17, "Q2"))
    known = [
        Change(document="d", begin=0, end=6, link=n, field="entity", rule=rule, reason="redirect")
        for n, rule in enumerate(("L2", "L3"))
    ]
    told = Provenance(author="A. Nonym", reason="checked", date="2026-01-02", changes=known)
    one, second, other = diff(old, new, told).entries
    assert second.rule == "L3"
    assert (one.rule, one.author, one.reason, one.date) == (
        "L2",
        "A. Nonym",
        "redirect",
        "2026-01-02",
    )
    assert (other.rule, other.author, other.reason) == (None, "A. Nonym", "checked")


def test_files(tmp_path):
    old = torture_corpus()
    new = old.model_copy(update={"documents": old.documents[1:]})
    patch = diff(old, new)
    path = tmp_path / "p.jsonl.gz"
    write_patch(patch, path)
    assert read_patch(path) == patch


def test_files_that_are_no_patch(tmp_path):
    patch = diff(corpus(mention(0, 6, "Q1")), corpus(mention(0, 6, "Q2"), mention(7, 10)))
    header, one, other = patch.lines()
    path = tmp_path / "p.jsonl"

    def error(*lines):
        path.write_text("\n".join(lines), encoding="utf-8")
        with pytest.raises(ReadError) as found:
            read_patch(path)
        return str(found.value).removeprefix(str(path))

    assert error(header, one).startswith(":1: the header promises 2 entries, there are 1")
    assert error(header, one, other[:-5]).startswith(":3: not JSON")
    assert error("").startswith(":1: not JSON")
    assert error("[]").startswith(":1: the line is no JSON object")
    assert error('{"format": "elcurate", "version": 1}').startswith(":1: this is no patch")
    older = json.dumps({**json.loads(header), "version": 0})
    assert error(older, one, other).startswith(":1: this is version 0 of the format of patches")
    surplus = json.dumps({**json.loads(one), "colour": 1})
    assert error(header, surplus, other).startswith(":2: colour: Extra inputs")
    assert error(header, "{}", other).startswith(":2: field: Field required")


def test_ids_that_are_not_unique():
    twice = Corpus(documents=(Document(id="d"), Document(id="d")))
    with pytest.raises(PatchError, match="occurs twice"):
        diff(twice, Corpus())
    with pytest.raises(PatchError, match="twice"):
        apply(twice, diff(Corpus(), Corpus()))
