"""Runs rules over a corpus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property

from elcurate.kb.snapshot import Snapshot
from elcurate.model.corpus import Corpus, Document, Link, Mention
from elcurate.rules.against import Against
from elcurate.rules.all import RULES
from elcurate.rules.base import Finding, Problem, Rule
from elcurate.rules.fixes import fix_of
from elcurate.rules.index import Index
from elcurate.rules.itself import CRASHED
from elcurate.rules.pages import Resolved
from elcurate.rules.repairs import from_repairs
from elcurate.rules.select import EVERYTHING, Selection

Tick = Callable[[Document], None]


def validate(
    corpus: Corpus,
    selection: Selection = EVERYTHING,
    tick: Tick | None = None,
    kb: Snapshot | None = None,
    gold: Corpus | None = None,
) -> list[Finding]:
    """What the selected rules find in a corpus, in the order of its documents.

    Rules of a level are asked about a mention only if no rule of a lower level found an error in
    it, and rules on documents and corpora don't report on mentions whose span is unusable.

    Args:
        corpus: What to check; its repairs are findings too.
        selection: Which rules run, and how severe they are.
        tick: Is called with each document.
        kb: A snapshot; without, the rules that need one don't run.
        gold: The gold, when the corpus is a system's output; else the rules that compare don't run.
    """
    run = _Run(corpus, selection)
    run.documents(tick)
    run.corpus_rules(kb, gold)
    found = [*from_repairs(corpus, run.findings), *run.findings]
    kept = [one for one in found if selection.wants(RULES.get(one.code))]
    order = {document.id: number for number, document in enumerate(corpus.documents)}

    def place(one: Finding) -> tuple[int, int, int, str]:
        begin = -1 if one.begin is None else one.begin
        return order.get(one.document or "", -1), begin, one.end or 0, one.code

    return [selection.weighed(one) for one in sorted(kept, key=place)]


class _Run:
    """One pass over a corpus.

    Attributes:
        findings: Grows.
        unsound: (document, mention) with an error of the first level.
    """

    def __init__(self, corpus: Corpus, selection: Selection) -> None:
        self.corpus = corpus
        self.findings: list[Finding] = []
        self.unsound: set[tuple[int, int]] = set()
        self.crashed: set[str] = set()
        self.counted: tuple[int, list[int]] = (-1, [])
        self.rules = [
            rule
            for rule in RULES
            if rule.check is not None and (_guards(rule) or selection.wants(rule))
        ]

    @cached_property
    def index(self) -> Index:
        """The tables of the corpus, without mentions that are unsound."""
        return Index(self.corpus, frozenset(self.unsound))

    def of_scope(self, scope: str) -> list[Rule]:
        """The rules of a scope, the lowest level first."""
        return sorted(
            (rule for rule in self.rules if rule.scope == scope), key=lambda rule: rule.level
        )

    def documents(self, tick: Tick | None) -> None:
        """Asks the rules on links, mentions and documents."""
        mention_rules, link_rules = self.of_scope("mention"), self.of_scope("link")
        document_rules = self.of_scope("document")
        for number, document in enumerate(self.corpus.documents):
            for at in range(len(document.mentions)):
                self.mention(mention_rules, link_rules, number, at)
            for rule in document_rules:
                self.ask(rule, (document,), number)
            if tick is not None:
                tick(document)

    def mention(
        self, mention_rules: Sequence[Rule], link_rules: Sequence[Rule], number: int, at: int
    ) -> None:
        """Asks about one mention and its links."""
        document = self.corpus.documents[number]
        mention = document.mentions[at]
        worst = self.guarded(mention_rules, (mention, document), number, at)
        if worst == 1:
            self.unsound.add((number, at))
        for place, link in enumerate(mention.links):
            self.guarded(link_rules, (link, mention, document), number, at, place, worst)

    def guarded(
        self,
        rules: Sequence[Rule],
        values: tuple[Link | Mention | Document, ...],
        number: int,
        at: int,
        link: int | None = None,
        worst: int = 9,
    ) -> int:
        """Asks rules by level until one level has found an error; that level, or ``worst``."""
        for rule in rules:
            if rule.level > worst:
                break
            if self.ask(rule, values, number, at, link) and rule.severity == "error":
                worst = min(worst, rule.level)
        return worst

    def corpus_rules(self, kb: Snapshot | None, gold: Corpus | None) -> None:
        """Asks the rules on the whole corpus."""
        values: dict[str, object] = {"Corpus": self.corpus, "Index": self.index}
        if kb is not None:
            values["Resolved"] = Resolved(self.index, kb)
        if gold is not None:
            values["Against"] = Against(self.corpus, gold)
        for rule in self.of_scope("corpus"):
            if rule.takes[0] in values:
                self.ask(rule, (values[rule.takes[0]],))

    def ask(
        self,
        rule: Rule,
        values: tuple[object, ...],
        number: int | None = None,
        at: int | None = None,
        link: int | None = None,
    ) -> bool:
        """Asks one rule; whether it found something. An error of its own is a finding."""
        if rule.check is None or rule.code in self.crashed:
            return False
        some = False
        try:
            for problem in rule.check(*values[: len(rule.takes)]):
                if problem.mention is not None and (number, problem.mention) in self.unsound:
                    continue
                some = True
                self.findings.append(self.finding(rule, problem, number, at, link))
        except Exception as error:  # a rule may be anybody's
            self.crashed.add(rule.code)
            message = f"{rule.code} {rule.slug} failed: {type(error).__name__}: {error}"
            self.findings.append(self.finding(CRASHED, Problem(message, rule.code), number, at))
        return some

    def nth(self, number: int | None, at: int | None) -> int:
        """Which of the mentions with its span a mention is, from 0."""
        if number is None or at is None:
            return 0
        if number != self.counted[0]:
            seen: Counter[tuple[int, int]] = Counter()
            places = []
            for mention in self.corpus.documents[number].mentions:
                places.append(seen[mention.span])
                seen[mention.span] += 1
            self.counted = number, places
        return self.counted[1][at]

    def finding(
        self,
        rule: Rule,
        problem: Problem,
        number: int | None,
        at: int | None = None,
        link: int | None = None,
    ) -> Finding:
        """A problem with what the scope tells of its place."""
        number = problem.document if problem.document is not None else number
        at = problem.mention if problem.mention is not None else at
        link = problem.link if problem.link is not None else link
        document = None if number is None else self.corpus.documents[number]
        mention = None if document is None or at is None else document.mentions[at]
        nth = self.nth(number, at) if problem.edits else 0
        begin, end = problem.place or (mention.span if mention else (None, None))
        return Finding(
            code=rule.code,
            slug=rule.slug,
            level=rule.level,
            severity=rule.severity,
            document=None if document is None else document.id,
            begin=begin,
            end=end,
            surface=_surface(document, mention, problem.place),
            found=problem.found,
            message=problem.message,
            fix=fix_of(rule, problem, document, at, nth, link),
        )


def _guards(rule: Rule) -> bool:
    return rule.level == 1 and rule.severity == "error" and rule.scope in ("mention", "link")


def _surface(
    document: Document | None, mention: Mention | None, place: tuple[int, int] | None
) -> str | None:
    if document is None:
        return None
    if place is not None:
        return (document.text or "")[place[0] : place[1]]
    return None if mention is None else document.surface(mention)
