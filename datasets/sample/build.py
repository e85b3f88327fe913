"""Build the sample corpus and its three system outputs from the marked-up files in ``source/``.

A source file has ``key: value`` lines, an empty line, and the text with one sentence per line. An
empty line starts a paragraph, a line that begins with ``/ `` starts a new line of text, any other
line follows its predecessor after a blank. ``newline: crlf`` makes all line ends ``\\r\\n``, and
``\\u0301`` stands for that character. A mention is ``[[surface|link|link]]``; the surface may hold
further mentions. A link is a Wikipedia title (``=``: the surface, its first letter upper case), a
NIL cluster, ``NIL`` or ``NIL=Type``, followed by codes (``CODES``): always a base form, and the
part of speech and the reference where they are not singular noun and direct (anaphoric for a
pro-form). The overlap leaf is computed. ``types.tsv`` has the entity types.

The systems are derived from the gold by ``derive.py``. Nothing is random: the same source gives
the same bytes. Run: ``python datasets/sample/build.py``
"""

import json
import re
import runpy
from pathlib import Path

from elcurate.model.categories import DIMENSIONS, GROUPS, Categories
from elcurate.model.corpus import Document, Link, Mention, Span, in_order

HERE = Path(__file__).resolve().parent
WIKI = "https://en.wikipedia.org/wiki/"
ABBREVIATED = {
    "base_form": "full short ext alias num com pro",
    "part_of_speech": "sg pl adj verb adv",
    "reference": "dir ana fig met rel des",
}
CODES = {
    code: (dimension, leaf)
    for dimension, codes in ABBREVIATED.items()
    for code, leaf in zip(codes.split(), DIMENSIONS[dimension], strict=True)
}
OVERLAP = {(0, 0): "none", (0, 1): "maximal", (1, 1): "intermediate", (1, 0): "minimal"}
METADATA = {
    "title": "elcurate sample corpus",
    "licence": "CC-BY-4.0",
    "language": "en",
    "kb": "enwiki",
}


def read_types() -> dict[str, str]:
    """The type of each named entity."""
    lines = (HERE / "source" / "types.tsv").read_text("utf-8").splitlines()
    return dict(line.split("\t") for line in lines)


def parse_link(markup: str, surface: str, types: dict[str, str]) -> Link:
    """A link without its overlap leaf."""
    title, *codes = markup.split(" ")
    if title == "=":
        title = (surface[0].upper() + surface[1:]).replace(" ", "_")
    leaves = dict(CODES[code] for code in codes)
    usual = "anaphoric" if leaves["base_form"] == "pro_form" else "direct"
    leaves = {"part_of_speech": "singular_noun", "reference": usual, **leaves}
    categories = Categories.of(leaves.items())
    name, _, nil_type = title.partition("=")
    if name == "NIL":
        return Link(type=nil_type or None, categories=categories)
    kind = types.get(title)
    if leaves["base_form"] in GROUPS["base_form"]["proper_form"] and not kind:
        raise ValueError(f"types.tsv lacks {title}")
    entity = title if re.fullmatch(r"NIL\d{4}", title) else WIKI + title
    return Link(entity=entity, type=kind, categories=categories)


def parse_sentence(markup: str, start: int, types: dict[str, str]) -> tuple[str, list[Mention]]:
    """The text of one sentence that starts at an offset, and its mentions."""
    text, mentions, stack = "", [], []
    for piece in re.findall(r"\[\[|\]\]|\||[^\[\]|]+", markup):
        if piece == "[[":
            stack.append((len(text), []))
        elif piece == "]]":
            begin, parts = stack.pop()
            links = tuple(parse_link(part, text[begin:], types) for part in parts)
            mentions.append(Mention(begin=start + begin, end=start + len(text), links=links))
        elif piece == "|":
            stack[-1][1].append("")
        elif stack and stack[-1][1]:
            stack[-1][1][-1] += piece
        else:
            text += piece
    return text, mentions


def with_overlap(mentions: list[Mention]) -> tuple[Mention, ...]:
    """The mentions in order, their links completed by the overlap leaf."""
    spans = [Span(begin=mention.begin, end=mention.end) for mention in mentions]
    done = []
    for mention, span in zip(mentions, spans, strict=True):
        inside = any(other.contains(span) for other in spans)
        around = any(span.contains(other) for other in spans)
        leaf = ("overlap", OVERLAP[inside, around])
        links = tuple(
            link.model_copy(update={"categories": Categories.of([*link.categories.pairs(), leaf])})
            for link in mention.links
        )
        done.append(mention.model_copy(update={"links": links}))
    return in_order(done)


def parse(source: str, types: dict[str, str]) -> Document:
    """The document of a source file."""
    head, _, body = source.partition("\n\n")
    fields = dict(line.split(": ", 1) for line in head.splitlines())
    newline = "\r\n" if fields.get("newline") == "crlf" else "\n"
    text, glue, mentions, sentences = "", "", [], []
    for line in re.sub(r"\\u([0-9A-F]{4})", lambda code: chr(int(code[1], 16)), body).split("\n"):
        if not line:
            glue = newline * 2
            continue
        if line.startswith("/ "):
            line, glue = line[2:], newline
        text += glue
        sentence, found = parse_sentence(line, len(text), types)
        sentences.append(Span(begin=len(text), end=len(text) + len(sentence)))
        mentions += found
        text, glue = text + sentence, " "
    mentions, metadata = with_overlap(mentions), {"kind": fields["kind"]}
    return Document(
        id=fields["id"], text=text, mentions=mentions, sentences=sentences, metadata=metadata
    )


def write(path: Path, name: str, documents: list[Document]) -> None:
    """One header line, then one document per line."""
    header = {"format": "elcurate", "version": 1, "name": name, "metadata": METADATA}
    lines = [json.dumps(header, separators=(",", ":")), *(each.to_json() for each in documents)]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes("".join(line + "\n" for line in lines).encode())


def main(target: Path = HERE) -> None:
    """Write ``gold.jsonl`` and ``systems/*.jsonl`` into a folder."""
    types = read_types()
    gold = [parse(path.read_text("utf-8"), types) for path in sorted(HERE.glob("source/*.txt"))]
    write(target / "gold.jsonl", "sample", gold)
    for name, documents in runpy.run_path(str(HERE / "derive.py"))["derive"](gold).items():
        write(target / "systems" / f"{name}.jsonl", name, documents)


if __name__ == "__main__":
    main()
