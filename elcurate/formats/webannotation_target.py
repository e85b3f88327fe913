"""What a Web Annotation is about: a document, or a stretch of its text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from elcurate.formats.offsets import Stated

Object = dict[str, Any]
_FRAGMENT = re.compile(r"char=(\d+),(\d+)")


def targets_of(annotation: Object) -> Iterator[tuple[str, Object]]:
    """The (document, target) pairs of an annotation."""
    targets = annotation["target"]
    for target in targets if isinstance(targets, list) else [targets]:
        if isinstance(target, str):
            yield target, {"id": target}
        elif isinstance(target, dict):
            source = target.get("source", target)
            iri = source.get("id") if isinstance(source, dict) else source
            yield str(iri), target


def place_of(selectors: Any, text: str | None) -> Stated | None:
    """The place that selectors give together; None when they give none."""
    begin = end = quote = None
    for one in selectors if isinstance(selectors, list) else [selectors]:
        if not isinstance(one, dict) or "refinedBy" in one:
            continue
        kind, value = one.get("type"), one.get("value")
        if kind == "TextPositionSelector" and type(one.get("start")) is type(one.get("end")) is int:
            begin, end = one["start"], one["end"]
        elif kind == "TextQuoteSelector" and isinstance(one.get("exact"), str):
            quote = one
        elif kind == "FragmentSelector" and isinstance(value, str):
            match = _FRAGMENT.fullmatch(value)
            begin, end = map(int, match.groups()) if match else (begin, end)
    if begin is None and quote is not None and text is not None:
        begin, end = _quoted(quote, text)
    if begin is None or end is None:
        return None
    return Stated(begin, end, None if quote is None else quote["exact"])


def _quoted(quote: Object, text: str) -> tuple[int, int] | tuple[None, None]:
    """Where a quotation stands in a text, if it does so once."""
    before, after = (str(quote.get(name) or "") for name in ("prefix", "suffix"))
    exact = quote["exact"]
    for prefix, suffix in ((before, after), (before, ""), ("", after), ("", "")):
        whole = prefix + exact + suffix
        if text.count(whole) == 1:
            begin = text.index(whole) + len(prefix)
            return begin, begin + len(exact)
    return None, None
