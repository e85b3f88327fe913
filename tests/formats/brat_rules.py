"""brat's own rules for a collection, as its server checks them; written without elcurate's code."""

from __future__ import annotations

import re
from pathlib import Path

ID = re.compile(r"([A-Za-z]+|#[A-Za-z]*)([0-9]+)")
STORABLE = re.compile(r"[a-zA-Z0-9_-]+")
RESERVED = {"<ANY>", "<ENTITY>", "<EVENT>", "<RELATION>", "<REL-TYPE>", "<OVL-TYPE>", "<OVERLAP>"}
RESERVED |= {"<NORM>", "<URL>", "<URLBASE>", "<NONE>"}
SECTIONS = ("entities", "relations", "events", "attributes")

Section = list[tuple[str, dict[str, str]]]


def configuration(path: Path) -> dict[str, Section]:
    """The sections of a configuration; AssertionError where brat would warn or fail."""
    found: dict[str, Section] = {}
    section = ""
    for line in path.read_text("utf-8").splitlines():
        header = re.fullmatch(r"\s*\[(.*)\]\s*", line)
        if header:
            section = header[1]
            assert section not in found, section
            found[section] = []
        elif line.strip() and not re.match(r"\s*#", line):
            assert set(re.findall("<.*?>", line)) <= RESERVED, line
            name, _, rest = line.partition("\t")
            fields = {}
            for part in filter(None, (part.strip() for part in rest.split(","))):
                match = re.fullmatch(r"(\S*?):(\S*)", part)
                assert match, line
                assert match[1] not in fields, line
                fields[match[1]] = match[2]
            if section in SECTIONS:
                assert STORABLE.fullmatch(name) or name == "<OVERLAP>", name
            found[section].append((name, fields))
    return found


class Rules:
    """What a collection declares, and what is wrong in its documents."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        annotation = configuration(folder / "annotation.conf")
        tools = configuration(folder / "tools.conf")
        configuration_text = (folder / "visual.conf").read_text("utf-8")
        assert "[labels]" in configuration_text
        assert "[drawing]" in configuration_text
        for line in (folder / "kb_shortcuts.conf").read_text("utf-8").splitlines():
            assert len(line.split()) == 2
        assert set(annotation) == set(SECTIONS)
        self.entities = dict(annotation["entities"])
        self.events = dict(annotation["events"])
        self.relations = annotation["relations"]
        self.attributes = dict(annotation["attributes"])
        spans = [name for part in ("entities", "events") for name, _ in annotation[part]]
        assert len(spans) == len(set(spans))
        assert len(self.attributes) == len(annotation["attributes"])
        self.databases = {name for name, fields in tools["normalization"] if "<URL>" in fields}
        norms = {fields["<NORM>"] for fields in self.entities.values()}
        assert {name for norm in norms for name in norm.split("|")} <= self.databases
        overlap = {"Arg1": "<ENTITY>", "Arg2": "<ENTITY>", "<OVL-TYPE>": "<ANY>"}
        assert ("<OVERLAP>", overlap) in self.relations

    def complaints(self) -> list[str]:
        """Everything that brat would complain about."""
        found = []
        texts = {path.stem for path in self.folder.glob("*.txt")}
        assert texts == {path.stem for path in self.folder.glob("*.ann")}
        for stem in sorted(texts):
            assert not stem.startswith((".", "hidden_"))
            assert not re.search(r"[\s/\\%#?&]|\.(ann|a1|a2|co|rel)$", stem)
            found += [f"{stem}: {one}" for one in Lines(self, stem).complaints()]
        return found


class Lines:
    """The lines of one document."""

    def __init__(self, rules: Rules, stem: str) -> None:
        self.rules = rules
        self.text = (rules.folder / f"{stem}.txt").read_bytes().decode("utf-8")
        content = (rules.folder / f"{stem}.ann").read_bytes().decode("utf-8")
        self.lines = [line.split("\t", 2) for line in content.splitlines()]
        self.types: dict[str, str] = {}

    def complaints(self) -> list[str]:
        found = []
        triggers = set()
        for name, *rest in self.lines:
            if name != "*" and (not ID.fullmatch(name) or name in self.types):
                found.append(f"the id {name}")
            if not rest:
                return [*found, f"no second column in {name}"]
            self.types[name] = rest[0].split(" ")[0].split(":")[0]
            if name[0] == "E":
                triggers.add(rest[0].split(" ")[0].split(":")[1])
        for name, data, *tail in self.lines:
            check = {
                "T": self.bound,
                "A": self.attribute,
                "M": self.attribute,
                "N": self.normalisation,
                "#": self.note,
                "R": self.relation,
                "E": self.event,
                "*": self.group,
            }[name[0]]
            if name[0] in "AMN#" and data.split(" ")[1] in triggers:
                found.append(f"{name} is about a trigger")
            if not check(data, tail[0] if tail else None, name in triggers):
                found.append(f"{name} {data} {tail}")
        return found

    def bound(self, data: str, tail: str | None, trigger: bool) -> bool:
        type_, rest = data.split(" ", 1)
        spans = [tuple(map(int, part.split(" "))) for part in rest.split(";")]
        pieces = [self.text[begin:end] for begin, end in spans]
        for place, (begin, end) in enumerate(spans):
            if not 0 <= begin < end <= len(self.text):
                return False
            if any(end >= other and begin < last for other, last in spans[:place]):
                return False
        if any(len(piece.splitlines()) != 1 or piece != piece.strip() for piece in pieces):
            return False
        declared = self.rules.events if trigger else self.rules.entities
        return tail == " ".join(pieces) and type_ in declared

    def attribute(self, data: str, tail: str | None, _: bool) -> bool:
        match = re.fullmatch("(.+?) (.+?)(?: (.+?))?", data)
        if match is None or tail is not None or match[1] not in self.rules.attributes:
            return False
        fields = self.rules.attributes[match[1]]
        values = fields.get("Value", "").split("|")
        entity = self.types.get(match[2], "") in self.rules.entities
        return (
            match[2] in self.types
            and (fields["Arg"] == "<ANY>" or (fields["Arg"] == "<ENTITY>" and entity))
            and (match[3] is None or match[3] in values)
        )

    def normalisation(self, data: str, tail: str | None, _: bool) -> bool:
        match = re.fullmatch(r"(\S+) (\S+) (\S+?):(\S+)", data)
        if match is None or tail is None or match[2] not in self.types:
            return False
        norm = self.rules.entities.get(self.types[match[2]], {}).get("<NORM>", match[3])
        return match[1] == "Reference" and match[3] in self.rules.databases & set(norm.split("|"))

    def note(self, data: str, tail: str | None, _: bool) -> bool:
        _, target = data.split()
        return target in self.types and tail is not None

    def relation(self, data: str, tail: str | None, _: bool) -> bool:
        type_, *arguments = data.split()
        (one, first), (two, second) = (part.split(":") for part in arguments)
        labels = [tuple(fields) for name, fields in self.rules.relations if name == type_]
        return (one, two) in labels and {first, second} <= self.types.keys()

    def event(self, data: str, tail: str | None, _: bool) -> bool:
        (type_, trigger), *arguments = (part.split(":") for part in data.split())
        roles = {role.rstrip("0123456789") + "*" for role, _ in arguments}
        return (
            self.types.get(trigger) == type_
            and type_ in self.rules.events
            and roles <= self.rules.events[type_].keys()
            and all(target in self.types for _, target in arguments)
        )

    def group(self, data: str, tail: str | None, _: bool) -> bool:
        type_, *members = data.split()
        kinds = [f.get("<REL-TYPE>") for name, f in self.rules.relations if name == type_]
        return (
            "symmetric-transitive" in kinds
            and len(members) > 1
            and all(self.types.get(member) in self.rules.entities for member in members)
        )
