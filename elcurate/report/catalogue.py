"""What the registries hold, described for `elcurate list`, `explain` and the docs."""

from __future__ import annotations

from dataclasses import asdict

from pydantic import Field

from elcurate.evaluation.profiles import PROFILES
from elcurate.formats.all import FORMATS
from elcurate.formats.features import FEATURES
from elcurate.kb.resolution import OUTCOMES
from elcurate.match.policy import CHOICES
from elcurate.measures.base import AGGREGATORS, FILTERS, KEYS, Measure
from elcurate.measures.membership import COMBINE, LEVELS
from elcurate.measures.named import MEASURE_SETS, MEASURES
from elcurate.model.categories import DIMENSIONS, FEL_CLASSES, GROUPS, PUBLISHED_TAGS
from elcurate.model.definitions import DEFINITIONS
from elcurate.model.record import Record
from elcurate.rules.all import RULES


class Entry(Record):
    """One thing that has a name.

    Attributes:
        name: As given on the command line.
        text: What it is, in a sentence.
        details: Further facts.
    """

    name: str
    text: str
    details: dict[str, str] = Field(default_factory=dict)


def catalogue(kind: str) -> list[Entry]:
    """The entries of one kind, such as ``formats`` and ``rules``."""
    return {
        "formats": _formats,
        "rules": _rules,
        "measures": _measures,
        "profiles": _profiles,
        "memberships": _memberships,
        "policies": _policies,
        "categories": _categories,
        "outcomes": _outcomes,
    }[kind]()


def describe_measure(text: str) -> Entry:
    """A measure in words, from its form.

    Raises:
        SpecError: when it is none.
    """
    measure = Measure.parse(text)
    name = measure.filter or ""
    return Entry(
        name=text,
        text=f"{AGGREGATORS[measure.aggregator][1]}, compared by {', '.join(measure.keys)}",
        details={
            "form": str(measure),
            **{f"key {key}": KEYS[key].text for key in measure.keys},
            **({f"filter {name}": FILTERS[name][1]} if name else {}),
        },
    )


def format_matrix() -> dict[str, list[bool]]:
    """Which features (in the order of `FEATURES`) each format that can be written keeps."""
    return {
        form.name: [name in form.keeps for name in FEATURES] for form in FORMATS if form.can_write
    }


def _formats() -> list[Entry]:
    entries = []
    for form in FORMATS:
        can = [name for name, ready in (("read", form.read), ("write", form.can_write)) if ready]
        details = {"can": " and ".join(can)}
        if form.suffixes:
            details["suffix"] = ", ".join(form.suffixes)
        if form.write_folder is not None:
            details["writes"] = "a folder"
        if form.can_write:
            details["loses"] = ", ".join(sorted(set(FEATURES) - form.keeps)) or "nothing"
        entries.append(Entry(name=form.name, text=form.text, details=details))
    return entries


def _measures() -> list[Entry]:
    entries = []
    for name in MEASURES.names():
        described = describe_measure(str(MEASURES.get(name)))
        entries.append(described.model_copy(update={"name": name}))
    entries.append(
        Entry(
            name="ratio",
            text="each value of one measure over that of another",
            details={"form": "ratio(strong_link_match, strong_mention_match)"},
        )
    )
    for name, members in MEASURE_SETS.items():
        entries.append(Entry(name=name, text=f"the measures {', '.join(members)}"))
    return entries


def _rules() -> list[Entry]:
    entries = []
    for rule in RULES:
        details = {
            "slug": rule.slug,
            "family": rule.family,
            "severity": rule.severity,
            "looks at": rule.scope,
            **({"fix": rule.fix} if rule.fix else {}),
            **({} if rule.default else {"default": "off"}),
            "example": rule.example,
            "source": rule.source,
        }
        entries.append(Entry(name=rule.code, text=" ".join(rule.text.split()), details=details))
    return entries


def _profiles() -> list[Entry]:
    return [
        Entry(
            name=profile.name,
            text=profile.text,
            details={
                **asdict(profile.policy),
                "measures": ", ".join(profile.measures),
                "strict-relaxed": profile.variant,
            },
        )
        for profile in PROFILES
    ]


def _memberships() -> list[Entry]:
    combine, level = "|".join(COMBINE), "|".join(LEVELS)
    return [
        Entry(
            name="strict-relaxed",
            text="1 for strict leaves, alpha for the others",
            details={"form": f"strict-relaxed(ALPHA, variant=…, level={level}, cutoff=0)"},
        ),
        Entry(
            name="per-leaf",
            text="a degree per leaf, 1 where none is given",
            details={"form": f"per-leaf({{alias: 0.5}}, combine={combine}, level={level})"},
        ),
        Entry(
            name="questionnaire",
            text="the shares of the 36 respondents of EMNLP 2019, averaged per leaf",
            details={"form": f"questionnaire(combine={combine}, level={level})"},
        ),
        Entry(name="constant", text="the same degree for all", details={"form": "constant(1)"}),
        Entry(
            name="PATH.yaml",
            text="degrees from a YAML or JSON file: leaf names with degrees",
            details={"form": "degrees.yaml"},
        ),
        Entry(
            name="module:object",
            text="a function of Categories, or a Membership, that can be imported",
            details={"form": "module:object"},
        ),
    ]


def _policies() -> list[Entry]:
    return [
        Entry(name=name, text=" | ".join(values), details=dict(values))
        for name, values in CHOICES.items()
    ]


def _outcomes() -> list[Entry]:
    return [Entry(name=name, text=text) for name, text in OUTCOMES.items()]


def _categories() -> list[Entry]:
    entries = []
    for dimension, leaves in DIMENSIONS.items():
        for leaf in leaves:
            groups = [name for name, members in GROUPS[dimension].items() if leaf in members]
            details = {
                "filter": f"{dimension}={leaf}",
                "fel": FEL_CLASSES[dimension, leaf],
                "published": f"el:{PUBLISHED_TAGS[dimension, leaf]}",
                **({"group": groups[0]} if groups else {}),
            }
            entries.append(Entry(name=leaf, text=DEFINITIONS[leaf], details=details))
    return entries
