"""Patches as properties: round trips, inverses, merging, conflicts, whatever they say."""

from __future__ import annotations

import pytest
from curation.changes import pairs_of_versions
from hypothesis import given
from hypothesis import strategies as st
from strategies import corpora, json_values

from elcurate.curation.apply import apply, check, revert
from elcurate.curation.diff import diff
from elcurate.curation.inverse import inverse
from elcurate.curation.merge import merge
from elcurate.curation.patch import Entry, Patch, PatchError
from elcurate.curation.places import claims
from elcurate.report.changelog import render_patch


def read_back(patch):
    return Patch.model_validate_json(patch.model_dump_json())


def split(patch, chosen):
    """Two patches of disjoint places: what belongs together stays together."""
    whole = {e.document for e in patch.entries if (e.document,) in claims(e) or e.field == "order"}
    parts = ([], [])
    for entry in patch.entries:
        corpus_wide = entry.document is None or entry.field == "document"
        alone = (entry.document, "all") if entry.document in whole else _unit(entry)
        parts[0 if corpus_wide else chosen(alone)].append(entry)
    header = patch.header
    return [Patch.of(part, header.old) for part in parts]


def _unit(entry):
    return (entry.document, entry.begin, entry.end, entry.begin is None and entry.field)


@given(pairs_of_versions())
def test_applying_the_difference_gives_the_other_version(versions):
    old, new = versions
    patch = read_back(diff(old, new))
    assert apply(old, patch).documents == new.documents
    assert apply(old, patch).metadata == new.metadata
    assert revert(new, patch).documents == old.documents
    assert revert(new, patch).metadata == old.metadata


@given(corpora(), corpora())
def test_versions_that_share_nothing(old, new):
    patch = diff(old, new)
    assert apply(old, patch).documents == new.documents
    assert revert(new, patch).documents == old.documents


@given(pairs_of_versions())
def test_undoing_twice_is_doing(versions):
    old, new = versions
    twice = inverse(inverse(diff(old, new)))
    assert apply(old, twice).documents == new.documents
    assert revert(new, twice).documents == old.documents


@given(pairs_of_versions(), st.data())
def test_disjoint_patches_commute_and_merge(versions, data):
    old, new = versions
    seen = {}

    def chosen(place):
        if place not in seen:
            seen[place] = data.draw(st.integers(0, 1))
        return seen[place]

    one, other = split(diff(old, new), chosen)
    assert apply(old, one, other).documents == new.documents
    assert apply(old, other, one).documents == apply(old, one, other).documents
    assert apply(old, merge(one, other)).documents == new.documents
    assert revert(new, one, other).documents == old.documents


@given(pairs_of_versions())
def test_a_patch_fits_its_own_version_alone(versions):
    old, new = versions
    patch = diff(old, new)
    assert check(old, patch) == []
    if patch.entries:
        assert new.documents != old.documents or new.metadata != old.metadata
        assert check(new, patch)


@given(pairs_of_versions())
def test_a_patch_merged_with_itself_is_itself(versions):
    patch = diff(*versions)
    assert merge(patch, patch).entries == patch.entries


@given(pairs_of_versions(), st.data())
def test_a_conflict_changes_nothing(versions, data):
    old, new = versions
    patch = diff(old, new)
    if not patch.entries:
        return
    wrong = data.draw(st.sampled_from(range(len(patch.entries))))
    entries = list(patch.entries)
    entries[wrong] = entries[wrong].model_copy(update={"document": "another", "field": "tags"})
    before = old.fingerprint()
    with pytest.raises(PatchError) as error:
        apply(old, Patch.of(entries))
    assert wrong + 2 in {conflict.line for conflict in error.value.conflicts}
    assert old.fingerprint() == before


FIELDS = (
    *("mention", "span", "fragments", "surface", "attributes", "link", "entity", "score", "type"),
    *("categories.overlap", "categories.x", "document", "text", "tags", "tokens", "mentions"),
    *("metadata", "order", ""),
)
VALUES = json_values() | st.sampled_from(
    [[0, 1], [[0, 1]], [1], {"begin": 0, "end": 1}, [{"begin": 0, "end": 1}], {"entity": "Q1"}]
)


@given(pairs_of_versions(), st.data())
def test_whatever_a_patch_says_is_applied_or_refused(versions, data):
    old, _ = versions
    places = [(one.id, mention.span) for one, mention in old.mentions()] or [("d", (0, 1))]
    made = []
    for _ in range(data.draw(st.integers(1, 3))):
        document, (begin, end) = data.draw(st.sampled_from(places))
        entry = {
            "document": data.draw(st.sampled_from([document, document, None, "x"])),
            "begin": data.draw(st.sampled_from([begin, begin, None, -1])),
            "end": data.draw(st.sampled_from([end, end, None])),
            "mention": data.draw(st.sampled_from([0, 0, 1, -1])),
            "link": data.draw(st.sampled_from([None, 0, 0, 1, -1, 9])),
            "field": data.draw(st.sampled_from(FIELDS)),
            "old": data.draw(st.none() | VALUES),
            "new": data.draw(st.none() | VALUES),
        }
        made.append(Entry.model_validate(entry))
    patch = Patch.of(made)
    if check(old, patch) == []:
        changed = apply(old, patch)
        assert revert(changed, patch).documents == old.documents
    merge(patch)
    render_patch(patch)
