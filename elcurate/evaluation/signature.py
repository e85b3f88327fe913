"""From a signature back to the setup that it stands for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from elcurate.errors import SpecError
from elcurate.evaluation.setup import Setup, make_setup
from elcurate.evaluation.slices import GROUP_FIELDS, Slice
from elcurate.kb.canonicalise import EntityMap
from elcurate.match.policy import CHOICES
from elcurate.measures.weights import TypeWeights
from elcurate.model.table import Table
from elcurate.spec import Form, parse_form, show

_SIGNATURE = re.compile(r"(Score|Confidence|Difference)\(")


def setup_from_signature(
    text: str,
    weights: TypeWeights | None = None,
    entities: EntityMap | None = None,
    linkable: Table | None = None,
) -> tuple[Setup, dict[str, str | None], dict[str, str]]:
    """The setup that a signature stands for, its group, and the inputs it names.

    Args:
        text: The signature.
        weights: The type weights, of which a signature has but a digest.
        entities: What replaced entities, of which a signature has but the name.
        linkable: The reference output, of which a signature has but the fingerprint.

    Raises:
        SpecError: when it isn't the signature of a score, or one with other type weights,
            another map of entities or another reference.
    """
    form = _signature_form(text)
    inputs = ("gold", "system", "elcurate")
    known = (
        *("measure", *CHOICES, "membership", "type_weights", "entities", "linkable_by"),
        *("where", "slice", "group"),
        *inputs,
    )
    given = form.bind(*known)
    if form.name != "Score" or form.args:
        raise SpecError("this is no signature of a score", remedy="Copy it from a report whole.")
    if "measure" not in given:
        raise SpecError("the signature lacks measure=…", remedy="Everything else has a default.")
    _check_given(given, weights, entities, linkable)
    membership = given.get("membership")
    part = {name: str(leaf) for name, leaf in _map(given, "slice").items()}
    group = _map(given, "group")
    where = given.get("where")
    setup = make_setup(
        measures=[str(given["measure"])],
        by=[name for name in (*group, *_group_fields(group)) if name in GROUP_FIELDS],
        where=None if where is None else str(where),
        membership=None if membership is None else show(membership),
        policies={name: str(given[name]) for name in CHOICES if name in given},
        weights=weights if given.get("type_weights") else None,
        entities=entities if given.get("entities") else None,
        linkable=linkable if given.get("linkable_by") else None,
    )
    named = {name: str(given[name]) for name in inputs if name in given}
    return replace(setup, profile="signature", slices=(Slice(part),)), group, named


def _check_given(
    given: Mapping[str, object],
    weights: TypeWeights | None,
    entities: EntityMap | None,
    linkable: Table | None,
) -> None:
    """Refuses what came from files if the signature names another one."""
    found = {
        "type_weights": None if weights is None else weights.digest,
        "entities": None if entities is None else entities.form,
        "linkable_by": None if linkable is None else linkable.fingerprint,
    }
    for name, (what, remedy) in _FILES.items():
        stated = given.get(name)
        if stated is not None and stated != found[name]:
            text = show(stated)
            raise SpecError(f"the signature was made with {what}{text}", remedy=remedy)


_FILES: Mapping[str, tuple[str, str]] = {
    "type_weights": (
        "the type weights ",
        "Name their file with --type-weights or --type-hierarchy.",
    ),
    "entities": ("", "Name the snapshot with --kb, or the map with --title-map, and all options."),
    "linkable_by": ("the reference output ", "Name its file with --linkable-by."),
}
"""What a signature has but a digest of: what it is, and how to give it."""


def _signature_form(text: str) -> Form:
    """The form of the score in a line of a report.

    It may stand after a name, within the signature of an interval, and with the quotes of CSV
    doubled.
    """
    start = _SIGNATURE.search(text)
    text = text[start.start() if start else 0 :].strip().strip('"`')
    try:
        form = parse_form(text)
    except SpecError:
        if '""' not in text:
            raise
        form = parse_form(text.replace('""', '"'))
    score = form.kwargs.get("score")
    return score if isinstance(score, Form) else form


def _group_fields(group: Mapping[str, str | None]) -> list[str]:
    fields = group.get("by") or group.get("over") or ""
    return fields.split("+")


def _map(given: Mapping[str, object], name: str) -> dict[str, str | None]:
    value = given.get(name, {})
    if not isinstance(value, Mapping):
        raise SpecError(f"{name} in a signature is a map, not {value!r}")
    return {key: None if item is None else str(item) for key, item in value.items()}
