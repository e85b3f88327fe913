"""Membership functions: how much each gold link belongs to the gold standard.

Source: Rosales-Méndez, Hogan and Poblete, EMNLP 2019, section 6 (fuzzy recall and F1).
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

from elcurate.errors import SpecError, suggestion
from elcurate.measures.degrees import COMBINE as COMBINE
from elcurate.measures.degrees import LEVELS as LEVELS
from elcurate.measures.degrees import Membership as Membership
from elcurate.measures.degrees import degree_of
from elcurate.model.categories import DIMENSIONS, GROUPS, LEAVES, Categories, expand
from elcurate.registry import Registry
from elcurate.spec import Form, parse_form

Maker = Callable[[Form, str], Membership]
MEMBERSHIPS: Registry[Maker] = Registry("membership")

STRICT_LEAVES: Mapping[str, frozenset[tuple[str, str]]] = {
    variant: frozenset(
        [("base_form", leaf) for leaf in GROUPS["base_form"]["proper_form"]]
        + [("part_of_speech", leaf) for leaf in GROUPS["part_of_speech"]["noun_phrase"]]
        + [("overlap", leaf) for leaf in overlap]
        + [("reference", "direct")]
    )
    for variant, overlap in {"emnlp2019": ("none", "maximal"), "emnlp2019-paper": ("none",)}.items()
}
"""The leaves with membership 1 under ``strict-relaxed``: as published, and as in the text."""

QUESTIONNAIRE: Mapping[str, float] = {
    "full_name": 0.5536,
    "short_name": 0.6677777778,
    "extended_name": 0.5536,
    "alias": 0.7766666667,
    "numeric_temporal": 0.28,
    "common_form": 0.1540909091,
    "pro_form": 0.475,
    "singular_noun": 0.5036574074,
    "plural_noun": 0.3326984127,
    "adjective": 0.2544444444,
    "verb": 0.06142857143,
    "adverb": 0.2544444444,
    "none": 0.3478205128,
    "maximal": 0.6798148148,
    "intermediate": 0.2709259259,
    "minimal": 0.2709259259,
    "direct": 0.3702287582,
    "anaphoric": 0.4833333333,
    "metaphoric": 0.125,
    "metonymic": 0.7777777778,
    "related": 0.7777777778,
    "descriptive": 0.7777777778,
}
"""Share of the 36 respondents who would link a mention, averaged over the mentions of the
questionnaire that carry the leaf: the averages in the scripts published with the paper."""


def parse_membership(text: str, variant: str = "emnlp2019-paper") -> Membership:
    """A membership from its printed form, a YAML or JSON file, or ``module:object``.

    Args:
        text: Such as ``strict-relaxed(0.25)``, ``degrees.yaml`` or ``mypackage.degrees:vote``
            (modules of the current folder are found too).
        variant: Which reading of the paper ``strict-relaxed`` follows when it doesn't say.

    Raises:
        SpecError: when there is no such preset, file or object, or a degree is not in [0, 1].
    """
    if text.endswith((".yaml", ".yml", ".json")):
        return _from_file(Path(text), variant)
    form = parse_form(text)
    if ":" in form.name:
        if form.args or form.kwargs:
            raise SpecError(f"{form.name} is a Python object and takes no values")
        return _from_python(form.name)
    return MEMBERSHIPS.get(form.name)(form, variant)


def from_function(name: str, function: Callable[[Categories], float]) -> Membership:
    """A membership from a function of a link's `Categories`; the signature carries its name."""
    return Membership(Form(name), function=function)


def _strict_relaxed(form: Form, variant: str) -> Membership:
    given = form.bind("alpha", "variant", "level", "cutoff")
    if "alpha" not in given:
        raise SpecError("strict-relaxed needs alpha", remedy="Write strict-relaxed(0.25).")
    variant = str(given.get("variant", variant))
    if variant not in STRICT_LEAVES:
        raise SpecError(
            f"strict-relaxed has no variant {variant!r}",
            remedy=suggestion(variant, list(STRICT_LEAVES)),
        )
    alpha = degree_of(given["alpha"])
    level = str(given.get("level", "mention" if variant == "emnlp2019" else "link"))
    relaxed = {pair: alpha for pair in LEAVES if pair not in STRICT_LEAVES[variant]}
    return _finished("strict-relaxed", {"alpha": alpha, "variant": variant}, relaxed, level, given)


def _per_leaf(form: Form, variant: str) -> Membership:
    given = form.bind("degrees", "combine", "level", "cutoff")
    stated = given.get("degrees")
    if not isinstance(stated, Mapping):
        raise SpecError(
            "per-leaf needs a map of degrees", remedy="Write per-leaf({alias: 0.5, verb: 0})."
        )
    degrees = {
        pair: degree_of(degree) for name, degree in stated.items() for pair in _leaves(str(name))
    }
    names = {leaf: degrees[dim, leaf] for dim, leaf in LEAVES if (dim, leaf) in degrees}
    combine = str(given.get("combine", "min"))
    shown = {"degrees": names, "combine": combine}
    return _finished("per-leaf", shown, degrees, str(given.get("level", "link")), given)


def _questionnaire(form: Form, variant: str) -> Membership:
    given = form.bind("combine", "level", "cutoff")
    degrees = {pair: QUESTIONNAIRE[pair[1]] for pair in LEAVES}
    combine = str(given.get("combine", "mean"))
    level = str(given.get("level", "link"))
    return _finished("questionnaire", {"combine": combine}, degrees, level, given)


def _constant(form: Form, variant: str) -> Membership:
    given = form.bind("degree", "cutoff")
    degree = degree_of(given.get("degree", 1))
    same = dict.fromkeys(LEAVES, degree)
    made = _finished("constant", {"degree": degree}, same, None, given)
    return replace(made, function=lambda categories: degree)


def _finished(
    name: str,
    shown: Mapping[str, object],
    degrees: Mapping[tuple[str, str], float],
    level: str | None,
    given: Mapping[str, object],
) -> Membership:
    cutoff = degree_of(given.get("cutoff", 0))
    parameters = dict(shown)
    parameters |= {"level": level} if level else {}
    parameters |= {"cutoff": cutoff} if cutoff else {}
    combine = str(shown.get("combine", "min"))
    return Membership(Form(name, (), parameters), degrees, combine, level or "link", cutoff)


for _name, _maker in {
    "strict-relaxed": _strict_relaxed,
    "per-leaf": _per_leaf,
    "questionnaire": _questionnaire,
    "constant": _constant,
}.items():
    MEMBERSHIPS.add(_name, _maker)


def _leaves(name: str) -> list[tuple[str, str]]:
    dimension, _, leaf = name.rpartition("=")
    if dimension:
        return [(dimension, member) for member in expand(dimension, leaf)]
    for dim in DIMENSIONS:
        if name in DIMENSIONS[dim] or name in GROUPS[dim]:
            return [(dim, member) for member in expand(dim, name)]
    known = [leaf for _, leaf in LEAVES] + [group for dim in GROUPS for group in GROUPS[dim]]
    raise SpecError(f"there is no category {name!r}", remedy=suggestion(name, known))


def _from_file(path: Path, variant: str) -> Membership:
    try:
        text = path.read_text(encoding="utf-8-sig")
        stated = json.loads(text) if path.suffix == ".json" else yaml.safe_load(text)
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
        raise SpecError(f"the membership file {path} can't be read: {error}") from error
    if not isinstance(stated, Mapping):
        raise SpecError(
            f"the membership file {path} holds no map",
            remedy="Write leaf names with degrees, or preset, and its parameters.",
        )
    fields = {str(key): value for key, value in stated.items()}
    if "preset" in fields:
        name = str(fields.pop("preset"))
        return MEMBERSHIPS.get(name)(Form(name, (), fields), variant)
    if "degrees" not in fields:
        fields = {"degrees": fields}
    return _per_leaf(Form("per-leaf", (), fields), variant)


def _from_python(text: str) -> Membership:
    module, _, name = text.partition(":")
    here = str(Path.cwd())
    sys.path.insert(0, here)
    try:
        found: Any = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, SyntaxError) as error:
        raise SpecError(f"the membership {text} can't be imported: {error}") from error
    finally:
        sys.path.remove(here)
    if isinstance(found, Membership):
        return found if found.function is None else replace(found, form=Form(text))
    if not callable(found):
        raise SpecError(f"{text} is neither a Membership nor a function of Categories")
    return from_function(text, found)
