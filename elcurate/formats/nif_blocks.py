"""RDF in any syntax to statement blocks, in file order.

A graph merges nodes that share an IRI, and the published system outputs give up to fifteen
annotations one IRI. So the triples are streamed in file order and cut into blocks: a block ends
where the subject changes, or where a property that a node has once comes a second time.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import pyoxigraph as ox

from elcurate.errors import ReadError
from elcurate.formats import nif_terms as n
from elcurate.formats.source import Source
from elcurate.formats.xml_text import check_entities
from elcurate.model.change import Repair

Term = ox.NamedNode | ox.BlankNode | ox.Literal

SYNTAXES = {
    "turtle": ox.RdfFormat.TURTLE,
    "ntriples": ox.RdfFormat.N_TRIPLES,
    "jsonld": ox.RdfFormat.JSON_LD,
    "rdfxml": ox.RdfFormat.RDF_XML,
    "trig": ox.RdfFormat.TRIG,
}

_UNDECLARED = re.compile(r"The prefix ([\w.-]*): has not been declared")
_LINE = re.compile(r"\bline (\d+)")
_LONG_LITERAL = re.compile(r'"""(.*?)"""(?!")(?=\s*(?:\^\^|@[a-zA-Z]|[;.,\]]))', re.DOTALL)
_BARE_QUOTE = re.compile(r'((?:\\.)*)"')


@dataclass(slots=True)
class Block:
    """The statements about one node: predicate IRI to objects in file order."""

    subject: str
    props: dict[str, list[Term]] = field(default_factory=dict)

    def iri(self, predicate: str) -> str | None:
        """The first object of a predicate as an IRI (or literal) string."""
        values = self.props.get(predicate)
        return values[0].value if values else None


@dataclass
class Blocks:
    """All blocks of a file, the statements about blank nodes, and the repairs made.

    Attributes:
        ours: Whether our own properties may occur.
    """

    blocks: list[Block] = field(default_factory=list)
    blanks: dict[str, Block] = field(default_factory=dict)
    repairs: list[Repair] = field(default_factory=list)
    ours: bool = False


def read_blocks(source: Source, syntax: str) -> Blocks:
    """Parses a file leniently; undeclared well-known prefixes are supplied and reported.

    Raises:
        ReadError: with the line, where it is not RDF of that syntax even leniently.
    """
    data = source.bytes()
    repairs = list(source.repairs)
    if syntax in ("turtle", "trig"):
        data = _escaped_quotes(data, source, repairs)
    elif syntax == "rdfxml":
        check_entities(data, source.path)
    supplied: dict[str, str] = {}
    while True:
        head = "".join(f"@prefix {name}: <{iri}> .\n" for name, iri in supplied.items())
        try:
            found = _collect(head.encode() + data, SYNTAXES[syntax])
        except (SyntaxError, ValueError, OSError) as error:
            line = _line(error, len(supplied))
            prefix = _UNDECLARED.search(str(error))
            name = prefix.group(1) if prefix else None
            if name is None or name in supplied or name not in n.WELL_KNOWN:
                if syntax in ("turtle", "trig"):
                    source.decoded(data)
                raise _syntax_error(source, error, line, name) from error
            supplied[name] = n.WELL_KNOWN[name]
            repairs.append(
                Repair(
                    kind="undeclared-prefix",
                    where=f"{source.path}:{line}",
                    before=f"{name}:",
                    after=f"@prefix {name}: <{n.WELL_KNOWN[name]}>",
                )
            )
            continue
        found.repairs = repairs + found.repairs
        found.ours = n.ELC.encode() in data
        return found


def _collect(data: bytes, syntax: ox.RdfFormat) -> Blocks:
    found = Blocks()
    first_of: dict[str, Block] = {}
    scattered: dict[str, list[Block]] = {}
    current: ox.NamedNode | ox.BlankNode | ox.Triple | None = None
    blank_node, functional, type_ = ox.BlankNode, n.FUNCTIONAL, n.TYPE
    props: dict[str, list[Term]] = {}
    for quad in ox.parse(data, format=syntax, lenient=True):
        subject, key, value = quad.subject, quad.predicate.value, quad.object
        if subject == current:
            known = props.get(key)
            if known is None:
                props[key] = [value]
                continue
            typed_anew = key == type_ and (len(props) > 1 or value == known[0])
            if key not in functional and not typed_anew:
                known.append(value)
                continue
        elif type(subject) is blank_node:
            blank = found.blanks.setdefault(subject.value, Block("_:" + subject.value))
            blank.props.setdefault(key, []).append(value)
            continue
        name = subject.value
        current, props = subject, {key: [value]}
        block = Block(name, props)
        found.blocks.append(block)
        first = first_of.setdefault(name, block)
        if first is not block:
            scattered.setdefault(name, [first]).append(block)
    _join_scattered(found, scattered)
    return found


def _join_scattered(found: Blocks, scattered: dict[str, list[Block]]) -> None:
    dropped: set[int] = set()
    for name, pieces in scattered.items():
        absorbed = _join(pieces)
        dropped.update(map(id, absorbed))
        apart = len(pieces) - len(absorbed)
        if apart > 1:
            after = f"{apart} nodes kept apart"
            found.repairs.append(Repair(kind="shared-iri", where=name, after=after))
    if dropped:
        found.blocks = [block for block in found.blocks if id(block) not in dropped]


def _join(blocks: list[Block]) -> list[Block]:
    """Joins the pieces of one node that a file scatters; returns those that were absorbed.

    A property that a node has once, stated twice, keeps two pieces apart.
    """
    absorbed = []
    last = blocks[0]
    for block in blocks[1:]:
        if any(p in n.FUNCTIONAL and p in last.props for p in block.props):
            last = block
            continue
        for predicate, values in block.props.items():
            known = last.props.setdefault(predicate, [])
            known.extend(value for value in values if value not in known)
        absorbed.append(block)
    return absorbed


def _escaped_quotes(data: bytes, source: Source, repairs: list[Repair]) -> bytes:
    """Escapes quotes at the ends of long literals, where Turtle allows none unescaped."""
    if b'""""' not in data:
        return data
    text = source.decoded(data)

    def escape(found: re.Match[str]) -> str:
        content = found.group(1)
        fixed = _BARE_QUOTE.sub(r"\1\"", content)
        if fixed == content or not (content.startswith('"') or content.endswith('"')):
            return found.group()
        line = text.count("\n", 0, found.start()) + 1
        repairs.append(
            Repair(
                kind="unescaped-quote",
                where=f"{source.path}:{line}",
                before=content[:60],
                after=fixed[:60],
            )
        )
        return f'"""{fixed}"""'

    return _LONG_LITERAL.sub(escape, text).encode()


def _line(error: Exception, shift: int) -> int | None:
    number = getattr(error, "lineno", None)
    if number is None:
        found = _LINE.search(str(error))
        number = int(found.group(1)) if found else None
    return None if number is None else max(number - shift, 1)


def _syntax_error(
    source: Source, error: Exception, line: int | None, prefix: str | None
) -> ReadError:
    if prefix is not None:
        return ReadError(
            f"the prefix {prefix}: is not declared",
            path=source.path,
            line=line,
            remedy=f"Add a line: @prefix {prefix}: <…> .",
        )
    message = str(error.args[0] if error.args else error)
    message = re.sub(r"^Parser error at .*?: ", "", message)
    return ReadError(
        f"not valid RDF: {message}",
        path=source.path,
        line=line,
        remedy="Check whether the file is complete and of this format (--from names another).",
    )
