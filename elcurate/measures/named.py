"""The named measures of the field, and the sets of them that papers and campaigns report.

Source: the documentation of neleval 3.1.1 (Hachey, Nothman and Radford, ACL 2014).
"""

from __future__ import annotations

from collections.abc import Iterable

from elcurate.errors import SpecError, suggestion
from elcurate.measures.base import Measure
from elcurate.measures.composite import PREFIX, Ratio, ratio_parts
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
    "muc": "muc::span",
    "b_cubed": "b_cubed::span",
    "b_cubed_plus": "b_cubed::span+kbid",
    "entity_ceaf": "entity_ceaf::span",
    "mention_ceaf": "mention_ceaf::span",
    "mention_ceaf_plus": "mention_ceaf::span+kbid",
    "typed_mention_ceaf": "mention_ceaf::span+type",
    "typed_mention_ceaf_plus": "mention_ceaf::span+type+kbid",
    "pairwise": "pairwise::span",
    "pairwise_negative": "pairwise_negative::span",
    "blanc": "blanc::span",
    "lea": "lea::span",
    "conll": "conll::span",
    "cs_b_cubed": "cs_b_cubed::span",
    "mention_cs_ceaf": "mention_cs_ceaf::span",
    "entity_cs_ceaf": "entity_cs_ceaf::span",
}.items():
    MEASURES.add(_name, Measure.parse(_text))

_TAGGING = tuple(name for name in MEASURES.names() if MEASURES.get(name).kind == "sets")
_COREF = (
    *("mention_ceaf", "entity_ceaf", "b_cubed", "pairwise", "muc", "b_cubed_plus"),
    *("typed_mention_ceaf", "mention_ceaf_plus", "typed_mention_ceaf_plus"),
)
_TAC09 = ("strong_link_match", "strong_nil_match", "strong_all_match")
_TAC11 = (*_TAC09, "b_cubed", "b_cubed_plus")

MEASURE_SETS: dict[str, tuple[str, ...]] = {
    "all": (*_TAGGING, *_COREF),
    "all-tagging": _TAGGING,
    "all-coref": _COREF,
    "cai": ("cs_b_cubed", "entity_cs_ceaf", "mention_cs_ceaf"),
    "cornolti": ("strong_linked_mention_match", "strong_link_match", "entity_match"),
    "hachey": (
        "strong_mention_match",
        "strong_linked_mention_match",
        "strong_link_match",
        "entity_match",
    ),
    "luo": ("muc", "b_cubed", "mention_ceaf", "entity_ceaf"),
    "tac09": _TAC09,
    "tac11": _TAC11,
    "tac14": (
        *_TAC11,
        *("strong_mention_match", "strong_typed_mention_match", "strong_typed_all_match"),
        *("mention_ceaf", "typed_mention_ceaf"),
    ),
}
"""Names that stand for several measures."""

_NAMES = {measure: name for name in MEASURES.names() for measure in [MEASURES.get(name)]}


def find_measures(names: Iterable[str]) -> list[Measure | Ratio]:
    """The measures of names, sets of names, forms ``aggregator:filter:key+key``, or ratios.

    Raises:
        SpecError: for a name or form that isn't one, all of them together.
    """
    found: dict[Measure | Ratio, None] = {}
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


def measure_name(measure: Measure | Ratio) -> str:
    """The name of a measure, or its form when it has none."""
    if isinstance(measure, Ratio):
        return f"{PREFIX}{', '.join(measure_name(part) for part in measure.parts)})"
    plain = Measure(measure.keys, measure.filter, measure.aggregator)
    name = _NAMES.get(plain, str(plain))
    return f"fuzzy({name})" if measure.fuzzy else name


def _find(name: str) -> list[Measure | Ratio]:
    if name.startswith("fuzzy(") and name.endswith(")"):
        return [measure.as_fuzzy() for measure in _find(name[len("fuzzy(") : -1])]
    if name.startswith(PREFIX):
        return [Ratio(*(_single(part) for part in ratio_parts(name)))]
    if name in MEASURE_SETS:
        return [MEASURES.get(member) for member in MEASURE_SETS[name]]
    if ":" in name:
        return [Measure.parse(name)]
    known = [*MEASURES.names(), *MEASURE_SETS]
    if name not in MEASURES and name not in known:
        raise SpecError(f"there is no measure named {name!r}", remedy=suggestion(name, known))
    return [MEASURES.get(name)]


def _single(name: str) -> Measure:
    found = _find(name)
    if len(found) > 1 or isinstance(found[0], Ratio):
        raise SpecError(f"a ratio is one of two measures, and {name} is no single one")
    return found[0]
