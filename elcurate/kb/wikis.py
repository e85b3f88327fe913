"""Database names of Wikipedias and the language codes in their addresses."""

from __future__ import annotations

import re

from elcurate.errors import SnapshotError

_NAME = re.compile(r"([a-z][a-z0-9_]*)wiki")
_LANGUAGES = {"be_x_old": "be-tarask"}
_OTHER_SITES = frozenset(
    {"commons", "foundation", "incubator", "mediawiki", "meta", "outreach", "sources", "species"}
    | {"test", "test2", "wikidata", "wikifunctions", "wikimania", "wikitech"}
)

NAMESPACES = {
    -2: "Media",
    -1: "Special",
    1: "Talk",
    2: "User",
    3: "User_talk",
    4: "Wikipedia",
    5: "Wikipedia_talk",
    6: "File",
    7: "File_talk",
    8: "MediaWiki",
    9: "MediaWiki_talk",
    10: "Template",
    11: "Template_talk",
    12: "Help",
    13: "Help_talk",
    14: "Category",
    15: "Category_talk",
    100: "Portal",
    101: "Portal_talk",
    118: "Draft",
    119: "Draft_talk",
    126: "MOS",
    127: "MOS_talk",
    710: "TimedText",
    711: "TimedText_talk",
    828: "Module",
    829: "Module_talk",
}
"""English names of the namespaces of the English Wikipedia; 100 and above differ elsewhere."""


def language_of(wiki: str) -> str:
    """The language code of a Wikipedia, from its database name.

    Raises:
        SnapshotError: when it is no Wikipedia.
    """
    match = _NAME.fullmatch(wiki)
    if match is None or match[1] in _OTHER_SITES:
        raise SnapshotError(
            f"{wiki!r} is no Wikipedia", remedy="Their database names are like enwiki."
        )
    return _LANGUAGES.get(match[1], match[1].replace("_", "-"))


def wiki_of(language: str) -> str:
    """The database name of the Wikipedia in a language."""
    codes = {code: name for name, code in _LANGUAGES.items()}
    return codes.get(language, language.replace("-", "_")) + "wiki"


def with_namespace(namespace: int, title: str) -> str:
    """A title under its namespace's English name, or its number where that isn't known."""
    return title if not namespace else f"{NAMESPACES.get(namespace, namespace)}:{title}"
