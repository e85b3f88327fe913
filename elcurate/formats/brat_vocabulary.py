"""The names that a brat collection uses, and the configuration that declares them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from elcurate.formats.brat_entities import base_of
from elcurate.formats.brat_terms import CHOICES, EQUIV, NAME, NIL, UNTYPED

TYPES = ("Person", "Organisation", "Place", "Miscellany", UNTYPED)

_TYPE_LABELS = {
    "Person": ("Person", "Per", "P"),
    "Organisation": ("Organisation", "Org", "O"),
    "Place": ("Place", "Pl"),
    "Miscellany": ("Miscellany", "Misc", "M"),
    UNTYPED: ("(no type)", "?"),
}
_COLOURS = {
    "Person": "#ffccaa",
    "Organisation": "#8fb2ff",
    "Place": "#aee8ae",
    "Miscellany": "#f1e28c",
}
_ATTRIBUTE_LABELS = {
    "BaseForm": ("Base form", "Form"),
    "PartOfSpeech": ("Part of speech", "PoS"),
    "Overlap": ("Overlap", "Olp"),
    "Reference": ("Reference", "Ref"),
    NIL: ("Not in the knowledge base", "NIL"),
}
_GLYPHS = {
    "ProperForm": "P",
    "FullProperForm": "F",
    "ShortProperForm": "S",
    "ExtendedProperForm": "E",
    "AliasProperForm": "A",
    "NumericTemporalForm": "#",
    "CommonForm": "C",
    "ProForm": "R",
    "SingularNoun": "n",
    "PluralNoun": "N",
    "Adjective": "a",
    "Verb": "v",
    "Adverb": "d",
    "None": "★",
    "Maximal": "▲",
    "Intermediate": "◆",
    "Minimal": "▼",
    "Direct": "→",
    "Anaphoric": "↶",
    "Metaphoric": "~",
    "Metonymic": "≈",
    "Related": "∿",
    "Descriptive": "…",
}
_KEYS = dict(zip("POLMU", TYPES, strict=True))
_SPACES = {
    "type": "spans",
    "event": "spans",
    "relation": "arcs",
    "group": "arcs",
    "attribute": "attributes",
}
"""Within which kinds of things a name is of one kind."""

_SITES = {
    "Wikipedia": "https://en.wikipedia.org/",
    "Wikidata": "https://www.wikidata.org/",
    "DBpedia": "https://www.dbpedia.org/",
}


@dataclass
class Vocabulary:
    """The names that a collection uses; brat wants all of them declared.

    Attributes:
        types: The name of each entity type.
        attributes: The values of each attribute; none for those without a value.
        databases: The databases of normalisations.
        relations: Types of relations with the labels of their two arguments.
        groups: Types of groups.
        events: Types of events with the roles of their arguments.
    """

    types: dict[str | None, str] = field(default_factory=dict)
    attributes: dict[str, dict[str, None]] = field(default_factory=dict)
    databases: dict[str, None] = field(default_factory=dict)
    relations: dict[tuple[str, str, str], None] = field(default_factory=dict)
    groups: dict[str, None] = field(default_factory=dict)
    events: dict[str, dict[str, None]] = field(default_factory=dict)
    _kinds: dict[tuple[str, str], str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.types[None] = UNTYPED
        for name in TYPES:
            self.take(name, "type")
        for name, values in CHOICES.items():
            self.attributes[name] = dict.fromkeys(values)
            self.take(name, "attribute")
        self.attributes[NIL] = {}
        self.take(NIL, "attribute")
        self.groups[EQUIV] = None
        self.take(EQUIV, "group")
        self.databases = dict.fromkeys(["Wikipedia", "Wikidata"])

    def take(self, name: str, kind: str) -> bool:
        """Whether a name can stand for a kind of thing, and for no other near it."""
        taken = self._kinds.setdefault((_SPACES[kind], name), kind)
        return NAME.fullmatch(name) is not None and taken == kind

    def type_name(self, exact: str | None) -> str:
        """The name in brat of an entity type, itself where it is one."""
        if exact not in self.types:
            stem = exact or ""
            if not NAME.fullmatch(stem):
                last = re.split(r"[/#:]", stem)[-1]
                stem = re.sub(r"[^A-Za-z0-9_-]+", "_", last).strip("_-") or "Type"
            name, number = stem, 1
            while name in self.types.values() or not self.take(name, "type"):
                number += 1
                name = f"{stem}_{number}"
            self.types[exact] = name
        return self.types[exact]

    def attribute(self, name: str, value: str | bool) -> bool:
        """Takes in an attribute with a value; False when its name is taken."""
        if not self.take(name, "attribute"):
            return False
        values = self.attributes.setdefault(name, {})
        if isinstance(value, str) and name not in CHOICES:
            values[value] = None
        return True


def configuration(names: Vocabulary | None = None) -> dict[str, str]:
    """The files that configure a collection, by their names.

    Args:
        names: What is declared; the categories and coarse types alone when None.
    """
    names = names or Vocabulary()
    return {
        "annotation.conf": _annotation(names),
        "visual.conf": _visual(),
        "tools.conf": _tools(names.databases),
        "kb_shortcuts.conf": "".join(f"{key}\t{name}\n" for key, name in _KEYS.items()),
    }


def _annotation(names: Vocabulary) -> str:
    databases, types = "|".join(names.databases), names.types.values()
    attributes = []
    for name, values in names.attributes.items():
        target = "<ENTITY>" if name in _ATTRIBUTE_LABELS else "<ANY>"
        choice = f", Value:{'|'.join(values)}" if values else ""
        attributes.append(f"{name}\tArg:{target}{choice}")
    return _text(
        "# Mentions with the type of the entity, the four dimensions of categories as",
        "# attributes, and the link as a normalisation.",
        "",
        "[entities]",
        *(f"{name}\t<NORM>:{databases}" for name in dict.fromkeys([*TYPES, *types])),
        "",
        "[relations]",
        "# Mentions may lie in, cross and equal each other.",
        "<OVERLAP>\tArg1:<ENTITY>, Arg2:<ENTITY>, <OVL-TYPE>:<ANY>",
        *(
            f"{name}\tArg1:<ENTITY>, Arg2:<ENTITY>, <REL-TYPE>:symmetric-transitive"
            for name in names.groups
        ),
        *(f"{name}\t{one}:<ANY>, {two}:<ANY>" for name, one, two in names.relations),
        "",
        "[events]",
        *(
            "\t".join([name, ", ".join(f"{role}*:<ANY>" for role in roles)]).rstrip()
            for name, roles in names.events.items()
        ),
        "",
        "[attributes]",
        *attributes,
    )


def _visual() -> str:
    labels = {**_TYPE_LABELS, **_ATTRIBUTE_LABELS}
    glyphs = {
        "BaseForm": "left",
        "PartOfSpeech": "left",
        "Overlap": "right",
        "Reference": "right",
    }
    return _text(
        "[labels]",
        *(" | ".join([name, *shown]) for name, shown in labels.items()),
        "",
        "[drawing]",
        "SPAN_DEFAULT\tfgColor:black, bgColor:lightgrey, borderColor:darken",
        "ARC_DEFAULT\tcolor:black, arrowHead:triangle-5",
        "ATTRIBUTE_DEFAULT\tglyph:*",
        *(f"{name}\tbgColor:{colour}" for name, colour in _COLOURS.items()),
        f"{NIL}\tbox:crossed, glyph:<NONE>, dashArray:<NONE>",
        *(
            f"{name}\tglyph:{'|'.join(_GLYPHS[value] for value in CHOICES[name])}, position:{side}"
            for name, side in glyphs.items()
        ),
    )


def _tools(databases: Iterable[str]) -> str:
    return _text(
        "[options]",
        "Validation\tvalidate:all",
        "Tokens\ttokenizer:whitespace",
        "Sentences\tsplitter:newline",
        "",
        "[search]",
        "Wikipedia\t<URL>:https://en.wikipedia.org/wiki/Special:Search?search=%s",
        "",
        "[normalization]",
        *map(_database, databases),
    )


def _database(name: str) -> str:
    base = base_of(name)
    fields = [f"DB:{name.lower()}", f"<URL>:{_SITES.get(name, base or 'about:blank')}"]
    return f"{name}\t{', '.join([*fields, *([f'<URLBASE>:{base}'] if base else [])])}"


def _text(*lines: str) -> str:
    return "\n".join(lines) + "\n"
