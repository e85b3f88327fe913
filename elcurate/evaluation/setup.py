"""What is scored and how: one frozen value, printed in every signature."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TypeVar

from elcurate.errors import SpecError
from elcurate.evaluation.expression import Expression, parse_expression
from elcurate.evaluation.profiles import PROFILES
from elcurate.evaluation.slices import GROUP_FIELDS, Slice, check_fields
from elcurate.kb.canonicalise import EntityMap, Moves
from elcurate.kb.title_map import TitleMap
from elcurate.match.encode import Pair, encode
from elcurate.match.policy import Policy
from elcurate.measures.base import Measure
from elcurate.measures.composite import Ratio
from elcurate.measures.membership import Membership, parse_membership
from elcurate.measures.named import find_measures
from elcurate.measures.weights import TypeWeights
from elcurate.model.table import Table
from elcurate.spec import Form, show

T = TypeVar("T")


@dataclass(frozen=True)
class Setup:
    """One evaluation's parameters.

    Attributes:
        profile: Where the defaults came from.
        policy: The policies.
        measures: What is scored.
        by: The fields of slices and groups.
        where: A filter over the gold, or None.
        membership: Membership of gold links, or None.
        slices: These slices instead of those that ``by`` asks for.
        restrict_fuzzy: The restriction that fuzzy measures use.
        weights: Credit for types that are not equal, or None.
        entities: What replaces entities on both sides before they are compared, or None.
        linkable: A reference output; only mentions that overlap one that it links count.
        averages_only: Whether only the averages over groups are scored, not the groups.
    """

    profile: str
    policy: Policy
    measures: tuple[Measure | Ratio, ...]
    by: tuple[str, ...] = ()
    where: Expression | None = None
    membership: Membership | None = None
    slices: tuple[Slice, ...] | None = None
    restrict_fuzzy: str = "slices"
    weights: TypeWeights | None = None
    entities: EntityMap | None = None
    linkable: Table | None = None
    averages_only: bool = False

    def encode(self, gold: Table, system: Table) -> Pair:
        """Gold and a system as they are compared."""
        linkable = None if self.linkable is None else self.compared(self.linkable)
        return encode(self.compared(gold), self.compared(system), self.policy, linkable)

    def compared(self, table: Table) -> Table:
        """The table with the entities that are compared."""
        return self._replaced(table)[0]

    def moves(self, table: Table) -> Moves | None:
        """How many entities of a table are replaced before they are compared."""
        return self._replaced(table)[1]

    def _replaced(self, table: Table) -> tuple[Table, Moves | None]:
        if self.entities is None:
            return table, None
        key = f"entities {show(self.entities.form)} {self.policy.links}"
        if key not in table.memo:
            table.memo[key] = self.entities.apply(table)
        found: tuple[Table, Moves] = table.memo[key]
        return found

    def weights_for(self, measure: Measure) -> TypeWeights | None:
        """The type weights that a measure uses: only set measures that compare types do."""
        weighted = measure.kind == "sets" and "type" in measure.keys and not measure.fuzzy
        return self.weights if weighted else None

    @property
    def group_by(self) -> tuple[str, ...]:
        """The fields that form groups."""
        return tuple(name for name in self.by if name in GROUP_FIELDS)

    @property
    def slice_by(self) -> tuple[str, ...]:
        """The fields that form slices."""
        return tuple(name for name in self.by if name not in GROUP_FIELDS)

    def settings(self) -> dict[str, str]:
        """What a reader has to know besides the profile."""
        found = {}
        if self.where is not None:
            found["where"] = self.where.text
        if self.membership is not None:
            found["membership"] = str(self.membership)
        if self.profile in PROFILES:
            usual = asdict(PROFILES.get(self.profile).policy)
            found |= {name: v for name, v in asdict(self.policy).items() if v != usual[name]}
        if self.weights is not None:
            found["type_weights"] = self.weights.digest
        if self.entities is not None:
            found["entities"] = show(self.entities.form)
        if self.linkable is not None:
            found["linkable_by"] = self.linkable.fingerprint
        if self.group_by:
            found["groups"] = "+".join(self.group_by)
        return found

    def policy_for(self, measure: Measure) -> Policy:
        """The policy of one measure: fuzzy precision counts all system mentions."""
        return replace(self.policy, restrict=self.restrict_fuzzy) if measure.fuzzy else self.policy

    def signature(
        self,
        measure: Measure,
        part: Slice,
        group: Mapping[str, str | None],
        inputs: Mapping[str, str],
    ) -> str:
        """Everything that decides a score, printed in canonical order."""
        return show(self.form(measure, part, group, inputs))

    def form(
        self,
        measure: Measure,
        part: Slice,
        group: Mapping[str, str | None],
        inputs: Mapping[str, str],
    ) -> Form:
        """Everything that decides a score, in canonical order."""
        membership = self.membership.form if measure.fuzzy and self.membership else None
        weights = self.weights_for(measure)
        return Form(
            "Score",
            (),
            {
                "measure": str(measure),
                **asdict(self.policy_for(measure)),
                "membership": membership,
                "type_weights": None if weights is None else weights.digest,
                "entities": None if self.entities is None else self.entities.form,
                "linkable_by": None if self.linkable is None else self.linkable.fingerprint,
                "where": None if self.where is None else self.where.text,
                "slice": dict(part.leaves),
                "group": dict(group),
                **inputs,
            },
        )


def make_setup(
    *,
    measures: Sequence[str] | None = None,
    profile: str = "default",
    by: Sequence[str] = (),
    where: str | None = None,
    membership: str | Membership | None = None,
    policies: Mapping[str, str] | None = None,
    weights: TypeWeights | None = None,
    entities: EntityMap | None = None,
    linkable: Table | None = None,
    averages_only: bool = False,
) -> Setup:
    """Puts a setup together from what a user says.

    Raises:
        SpecError: for every name or value that doesn't exist, all in one message.
    """
    problems: list[str] = []
    chosen = PROFILES.get(profile) if profile in PROFILES else None
    if chosen is None:
        attempt(problems, lambda: PROFILES.get(profile))
        chosen = PROFILES.get("default")
    base = chosen
    found = attempt(problems, lambda: find_measures(measures or base.measures)) or []
    policy = attempt(problems, lambda: base.policy.with_values(policies or {})) or base.policy
    attempt(problems, lambda: check_fields(by))
    if averages_only and not set(by) & set(GROUP_FIELDS):
        problems.append(f"averages need groups: --by {', '.join(GROUP_FIELDS)}")
    filter_ = None if where is None else attempt(problems, lambda: parse_expression(where))
    degrees = (
        attempt(problems, lambda: parse_membership(membership, base.variant))
        if isinstance(membership, str)
        else membership
    )
    if problems:
        raise SpecError("\n".join(problems))
    if degrees is None and any(measure.fuzzy for measure in found):
        raise SpecError(
            "a fuzzy measure needs a membership",
            remedy="Add one, such as --membership 'strict-relaxed(0.25)'.",
        )
    if degrees is not None:
        kept = found if measures else _sets(found)
        found = list(dict.fromkeys(measure.as_fuzzy() for measure in kept))
    explicit = "restrict" in (policies or {})
    fuzzy = policy.restrict if explicit or policy.restrict != "gold" else "slices"
    return Setup(
        profile=base.name,
        policy=policy,
        measures=tuple(found),
        by=tuple(dict.fromkeys(by)),
        where=filter_,
        membership=degrees,
        restrict_fuzzy=fuzzy,
        weights=weights,
        entities=_spelt(entities, policy),
        linkable=linkable,
        averages_only=averages_only,
    )


def _spelt(entities: EntityMap | None, policy: Policy) -> EntityMap | None:
    """A map of titles looks them up exactly as they are where they are compared so."""
    if isinstance(entities, TitleMap):
        return replace(entities, canonical=policy.links != "title")
    return entities


def _sets(measures: Sequence[Measure | Ratio]) -> list[Measure | Ratio]:
    return [one for one in measures if isinstance(one, Measure) and one.kind == "sets"]


def attempt(problems: list[str], step: Callable[[], T]) -> T | None:
    """The result of a step, or None with the `SpecError` it raised added to the problems."""
    try:
        return step()
    except SpecError as error:
        problems.append(str(error))
        return None
