"""Three imagined systems, derived from the gold corpus; called by ``build.py``.

``systems.toml`` has the chances that a system annotates a mention and that it goes wrong,
``confusions.tsv`` the wrong titles that it may take for a right one, ``spurious.tsv`` unannotated
words that `everything` links as well. Every choice hangs on a hash of its place.
"""

import hashlib
import re
import tomllib
from pathlib import Path
from urllib.parse import quote

from elcurate.model.corpus import Document, Link, Mention, in_order

SOURCE = Path(__file__).resolve().parent / "source"
WIKI = "https://en.wikipedia.org/wiki/"

Found = dict[tuple[int, int], Mention]


def draw(*place: object) -> float:
    """A number in [0, 1) that depends on the place alone."""
    return int.from_bytes(hashlib.sha256(repr(place).encode()).digest()[:6], "big") / 2**48


def table(name: str) -> dict[str, list[str]]:
    """A tab-separated file: from the first column to the others."""
    lines = (SOURCE / name).read_text("utf-8").splitlines()
    return {row[0]: row[1:] for row in (line.split("\t") for line in lines)}


def as_title(surface: str) -> str:
    """The title that a surface itself would have."""
    return (surface[0].upper() + surface[1:]).replace(" ", "_")


def respell(iri: str) -> str:
    """The same page by another IRI: percent-encoded where that changes it, else with http."""
    title = iri.removeprefix(WIKI)
    encoded = quote(title, safe="_,-.")
    return WIKI + encoded if encoded != title else iri.replace("https", "http")


class System:
    """One system: its rates, and the numbers of its NIL clusters."""

    def __init__(self, name: str, rates: dict[str, float]):
        self.name, self.rates = name, rates
        self.confusions, self.spurious = table("confusions.tsv"), table("spurious.tsv")
        self.clusters: dict[tuple[str, str], str] = {}

    def happens(self, what: str, *place: object) -> bool:
        """Whether something with a rate happens at a place."""
        return draw(self.name, what, *place) < self.rates.get(what, 0)

    def output(self, gold: Document) -> Document:
        """What the system makes of a document."""
        found: Found = {}
        for part in gold.sentences:
            if self.happens("lost_sentence", gold.id, part.begin):
                continue
            for mention in gold.mentions:
                inside = part.begin <= mention.begin and mention.end <= part.end
                if inside and self.sees(gold, mention, found):
                    begin, end = self.edges(gold, mention, part.end)
                    links = self.links(gold, mention)
                    if links and (begin, end) not in found:
                        found[begin, end] = Mention(begin=begin, end=end, links=links)
        if "spurious" in self.rates:
            self.add_spurious(gold, found)
        return gold.model_copy(update={"mentions": in_order(list(found.values()))})

    def sees(self, gold: Document, mention: Mention, found: Found) -> bool:
        """Whether the system annotates a gold mention; `names` doesn't nest."""
        nested = any(begin <= mention.begin and mention.end <= end for begin, end in found)
        if self.name == "names" and nested:
            return False
        form = mention.links[0].categories.base_form[0]
        return self.happens(form, gold.id, mention.span)

    def edges(self, gold: Document, mention: Mention, limit: int) -> tuple[int, int]:
        """The span of the mention, or a wrong one: an article more or less, or one more word."""
        begin, end = mention.span
        text = gold.text or ""
        if not self.happens("edge", gold.id, mention.span):
            return begin, end
        article = re.search(r"\b(the|a) $", text[:begin], re.IGNORECASE)
        if article:
            return article.start(), end
        within = re.match(r"(the|a|his|her|its) ", text[begin:end], re.IGNORECASE)
        if within:
            return begin + within.end(), end
        more = re.match(r" \w+", text[end:limit])
        return (begin, end + more.end()) if more and self.name != "names" else (begin, end)

    def titles(self, right: Link, surface: str, place: tuple[object, ...]) -> list[str]:
        """The titles that the system considers, best first."""
        wrong = self.confusions.get((right.entity or "").removeprefix(WIKI), [])
        title = [] if right.is_nil else [(right.entity or "").removeprefix(WIKI)]
        metonymic = "metonymic" in right.categories.reference
        if wrong and self.happens("metonymic" if metonymic else "wrong", *place):
            return [*wrong, *title]
        if self.happens("as_title", *place):
            return list(dict.fromkeys([as_title(surface), *title]))
        return [*title, *wrong]

    def links(self, gold: Document, mention: Mention) -> tuple[Link, ...]:
        """The ranked candidates for a mention; none where the system has no idea."""
        right, place = mention.links[0], (gold.id, mention.span)
        surface = gold.surface(mention) or ""
        candidates = [WIKI + title for title in self.titles(right, surface, place)]
        good = candidates[:1] == [right.entity]
        if self.happens("nil" if right.is_nil else "gave_up", *place):
            number = f"NIL{5001 + len(self.clusters)}"
            cluster = self.clusters.setdefault((gold.id, surface.lower()), number)
            candidates, good = [cluster, *candidates[:1]], right.is_nil
        if candidates and self.happens("spelling", *place):
            candidates[0] = respell(candidates[0])
        low, doubt = self.rates["low"], 1 if good else self.rates["doubt"]
        score = doubt * (low + (1 - low) * draw(self.name, "score", *place))
        depth = 1 + int(3 * draw(self.name, "depth", *place))
        return tuple(
            Link(entity=entity, score=round(score * 0.6**rank, 3))
            for rank, entity in enumerate(candidates[:depth])
        )

    def add_spurious(self, gold: Document, found: Found) -> None:
        """Link words that the gold leaves alone."""
        for word in re.finditer(r"\w+", gold.text or ""):
            titles = self.spurious.get(word[0].lower(), [])
            free = all(word.end() <= m.begin or m.end <= word.start() for m in gold.mentions)
            if titles and free and word.span() not in found:
                begin, end = word.span()
                score = round(0.1 + 0.5 * draw(self.name, gold.id, begin), 3)
                links = (Link(entity=WIKI + titles[0], score=score),)
                found[begin, end] = Mention(begin=begin, end=end, links=links)


def derive(gold: list[Document]) -> dict[str, list[Document]]:
    """The documents of each system."""
    outputs = {}
    for name, rates in tomllib.loads((SOURCE / "systems.toml").read_text("utf-8")).items():
        absent = rates.pop("absent", None)
        system = System(name, rates)
        outputs[name] = [system.output(document) for document in gold if document.id != absent]
    return outputs
