"""Rules on files and texts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from unicodedata import is_normalized

from elcurate.model.corpus import Corpus, Document
from elcurate.rules.base import Problem, reader_rule, rule

_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff\ud800-\udfff]")
_LINE_END = re.compile(r"\r\n|\r|\n")

UNDECLARED_PREFIX = reader_rule(
    "F101",
    "undeclared-prefix",
    "error",
    "A prefix is used that the file doesn't declare. RDF parsers reject such a file.",
    repairs=("undeclared-prefix",),
    example="`el:Mnt-Full` without an `@prefix el:`",
    source="Turtle, section 2.4; both corpora of EMNLP 2019",
)
NOT_UTF8 = reader_rule(
    "F102",
    "not-utf8",
    "error",
    "The file is not in UTF-8. Others may read other characters, and other offsets.",
    repairs=("not-utf8",),
    example="a byte `E9` for `é`",
    source="every format of elcurate is UTF-8",
)
BYTE_ORDER_MARK = reader_rule(
    "F103",
    "byte-order-mark",
    "warning",
    "The file begins with a byte-order mark, which some readers count as a character.",
    repairs=("byte-order-mark",),
    example="`U+FEFF` before the first line",
    source="RFC 8259, section 8.1",
)
REPAIRED = reader_rule(
    "F201",
    "repaired",
    "warning",
    "The reader repaired something in the file for which there is no rule of its own. "
    "The value found is the kind of the repair.",
    example="`repeated-annotation`: an annotation that occurs twice",
    source="the readers of elcurate",
)


@rule(
    "F104",
    "repeated-id",
    "error",
    repairs=("repeated-id",),
    example="two documents with the id `doc1`",
    source="design of the model: ids are unique within a corpus",
)
def repeated_id(corpus: Corpus) -> Iterator[Problem]:
    """Two documents have the same id, so scores and corrections can't tell them apart."""
    seen: set[str] = set()
    for number, document in enumerate(corpus.documents):
        if document.id in seen:
            yield Problem("the id occurs more than once", document.id, document=number)
        seen.add(document.id)


@rule(
    "F202",
    "control-character",
    "warning",
    example="`U+0096`, a dash of Windows-1252 that was read as Latin-1",
    source="XML 1.0, section 2.2; Unicode, chapter 23",
)
def control_character(document: Document) -> Iterator[Problem]:
    """The text holds a control character other than tab and line ends.

    Many formats can't carry it, and it is often the trace of a wrong encoding.
    """
    for match in _CONTROL.finditer(document.text or ""):
        code = f"U+{ord(match[0]):04X}"
        yield Problem(f"control character {code}", code, place=match.span())


@rule(
    "F203",
    "replacement-character",
    "warning",
    example="`caf\ufffd`",
    source="Unicode, section 23.8",
)
def replacement_character(document: Document) -> Iterator[Problem]:
    """The text holds U+FFFD: a character was lost when it was decoded."""
    for match in re.finditer("\ufffd+", document.text or ""):
        yield Problem("a character was lost", "U+FFFD", place=match.span())


@rule(
    "F204",
    "not-nfc",
    "info",
    example="`e` followed by `U+0301` for `é`",
    source="Unicode Standard Annex 15",
)
def not_nfc(document: Document) -> Iterator[Problem]:
    """The text is not in Unicode's normal form C.

    Systems that normalise their input shift every offset behind the place. Changing the text would
    shift the offsets of the corpus too, so there is no fix.
    """
    if document.text is not None and not is_normalized("NFC", document.text):
        at = _first_not_normal(document.text)
        yield Problem("the text is not in NFC", document.text[at[0] : at[1]], place=at)


@rule(
    "F205",
    "mixed-line-ends",
    "warning",
    example="`\\r\\n` in one line and `\\n` in the next",
    source="tools that read in text mode drop `\\r` and shift offsets",
)
def mixed_line_ends(document: Document) -> Iterator[Problem]:
    """The text mixes kinds of line ends; a tool that unifies them shifts offsets."""
    text = document.text or ""
    if "\r" not in text:
        return
    kinds = dict.fromkeys(match[0] for match in _LINE_END.finditer(text))
    if len(kinds) > 1:
        yield Problem("several kinds of line ends", " and ".join(map(ascii, kinds)))


@rule(
    "F206",
    "empty-document",
    "warning",
    example="a document whose text is only blanks",
    source="retrieval of texts that failed",
)
def empty_document(document: Document) -> Iterator[Problem]:
    """The document has a text without any visible character."""
    if document.text is not None and not document.text.strip():
        yield Problem("the text is empty")


@rule(
    "F207",
    "no-text",
    "info",
    example="a corpus in neleval's TSV",
    source="formats without texts",
)
def no_text(corpus: Corpus) -> Iterator[Problem]:
    """Documents have no text, so the rules that look at the text skipped them."""
    count = sum(document.text is None for document in corpus.documents)
    if count:
        yield Problem("documents without a text: rules on the text skipped them", str(count))


def _first_not_normal(text: str) -> tuple[int, int]:
    for match in re.finditer(r"[^\x00-\x7f]+", text):
        begin = max(match.start() - 1, 0)
        if not is_normalized("NFC", text[begin : match.end()]):
            return begin, match.end()
    return 0, len(text)
