"""The named measures of the field, and the sets of them that papers and campaigns report.

Source: the documentation of neleval 3.1.1 (Hachey, Nothman and Radford, ACL 2014).
"""

from __future__ import annotations

from collections.abc import Iterable

from elcurate.errors import SpecError, suggestion
from elcurate.measures.base import Measure
from elcurate.registry import Registry

MEASURES: Registry[Measure] = Registry("measure")

for _name, _text in {
    "strong_mention_match": "sets::span",
    "strong_typed_mention_match": "sets::span+type",
    "strong_linked_mention_match": "sets:is_linked:span",
    "strong_link_match": "sets:is_linked:span+kbid",
    "strong_nil_match": "sets:is_nil:span",
    "strong_all_match": "sets::span+kbid",
    "strong_typed_link_match": "sets:is_linked:span+type+kbid",
    "strong_typed_nil_match": "sets:is_nil:span+type",
    "strong_typed_all_match": "sets::span+type+kbid",
    "entity_match": "sets:is_linked:docid+kbid",
}.items():
    MEASURES.add(_name, Measure.parse(_text))

MEASURE_SETS: dict[str, tuple[str, ...]] = {
    "all-tagging": tuple(MEASURES.names()),
    "cornolti": ("strong_linked_mention_match", "strong_link_match", "entity_match"),
    "hachey": (
        "strong_mention_match",
        "strong_linked_mention_match",
        "strong_link_match",
        "entity_match",
    ),
    "tac09": ("strong_link_match", "strong_nil_match", "strong_all_match"),
}
"""Names that stand for several measures."""

_NAMES = {measure: name for name in MEASURES.names() for measure in [MEASURES.get(name)]}


def find_measures(names: Iterable[str]) -> list[Measure]:
    """The measures of names, sets of names, or forms ``aggregator:filter:key+key``.

    Raises:
        SpecError: for a name or form that isn't one, all of them together.
    """
    found: dict[Measure, None] = {}
    problems = []
    for name in names:
        try:
            for measure in _find(name.strip()):
                found[measure] = None
        except SpecError as error:
            problems.append(str(error))
    if problems:
        raise SpecError("\n".join(problems))
    return list(found)


def measure_name(measure: Measure) -> str:
    """The name of a measure, or its form when it has none."""
    plain = Measure(measure.keys, measure.filter, measure.aggregator)
    name = _NAMES.get(plain, str(plain))
    return f"fuzzy({name})" if measure.fuzzy else name


def _find(name: str) -> list[Measure]:
    if name.startswith("fuzzy(") and name.endswith(")"):
        return [measure.as_fuzzy() for measure in _find(name[len("fuzzy(") : -1])]
    if name in MEASURE_SETS:
        return [MEASURES.get(member) for member in MEASURE_SETS[name]]
    if ":" in name:
        return [Measure.parse(name)]
    known = [*MEASURES.names(), *MEASURE_SETS]
    if name not in MEASURES and name not in known:
        raise SpecError(f"there is no measure named {name!r}", remedy=suggestion(name, known))
    return [MEASURES.get(name)]
