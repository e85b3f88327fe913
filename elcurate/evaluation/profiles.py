"""Named bundles of policies, each of which reproduces one tool or paper."""

from __future__ import annotations

from dataclasses import dataclass

from elcurate.match.policy import Policy
from elcurate.measures.named import MEASURE_SETS
from elcurate.registry import Registry


@dataclass(frozen=True)
class Profile:
    """A named bundle.

    Attributes:
        name: As given to ``--profile``.
        policy: The policies.
        measures: The measures that are scored when none are named.
        variant: Which reading of the paper ``strict-relaxed`` memberships follow.
        text: What it reproduces, in a sentence.
    """

    name: str
    policy: Policy
    measures: tuple[str, ...]
    variant: str
    text: str


PROFILES: Registry[Profile] = Registry("profile")

_DEFAULT_MEASURES = (
    "strong_mention_match",
    "strong_link_match",
    "strong_nil_match",
    "strong_all_match",
    "entity_match",
)
_EMNLP = Policy(links="last-segment", missing="skip", restrict="gold", zero="emnlp2019")

for _profile in (
    Profile(
        "default",
        Policy(),
        _DEFAULT_MEASURES,
        "emnlp2019-paper",
        "What elcurate holds to be right: canonical links, all alternatives accepted, missing "
        "documents count, 0/0 stays undefined.",
    ),
    Profile(
        "emnlp2019",
        _EMNLP,
        ("strong_all_match",),
        "emnlp2019",
        "The published numbers of Rosales-Méndez, Hogan and Poblete (EMNLP 2019), as their "
        "scripts computed them.",
    ),
    Profile(
        "emnlp2019-paper",
        _EMNLP,
        ("strong_all_match",),
        "emnlp2019-paper",
        "The same, with the fuzzy measures as the text of the paper defines them.",
    ),
    Profile(
        "neleval",
        Policy(
            links="raw",
            nil_ids="prefix",
            alternatives="first",
            unknown="count",
            groups="own",
            unclustered="together",
            pairs="sweep",
            zero="zero",
        ),
        MEASURE_SETS["all"],
        "emnlp2019-paper",
        "neleval 3.1.1 (Hachey, Nothman and Radford, ACL 2014): sets of keys over the first "
        "candidate.",
    ),
    Profile(
        "cne2014",
        Policy(
            links="title",
            alternatives="first",
            duplicates="count",
            sentences="cut",
            zero="one",
        ),
        MEASURE_SETS["hachey"],
        "emnlp2019-paper",
        "conll03_nel_eval (Hachey, Nothman and Radford, ACL 2014): titles compared, repeated "
        "system mentions wrong, 0/0 is 1.",
    ),
):
    PROFILES.add(_profile.name, _profile)
