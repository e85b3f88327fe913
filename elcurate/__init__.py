"""elcurate: make, repair, relabel and score entity-linking gold corpora."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from elcurate.version import __version__

if TYPE_CHECKING:
    from elcurate.curation.apply import apply as apply
    from elcurate.curation.diff import diff as diff
    from elcurate.evaluation.compare import compare as compare
    from elcurate.evaluation.evaluate import evaluate as evaluate
    from elcurate.formats.io import read as read
    from elcurate.formats.io import read_table as read_table
    from elcurate.formats.nif_graph import to_graph as to_graph
    from elcurate.formats.outputs import write as write
    from elcurate.model.categories import Categories as Categories
    from elcurate.model.corpus import Corpus as Corpus
    from elcurate.model.corpus import Document as Document
    from elcurate.model.corpus import Link as Link
    from elcurate.model.corpus import Mention as Mention
    from elcurate.model.corpus import Span as Span
    from elcurate.model.corpus import Tag as Tag
    from elcurate.model.table import Table as Table
    from elcurate.rules.engine import validate as validate
    from elcurate.rules.fixer import fix as fix

_HOMES = {
    "read": "formats.io",
    "read_table": "formats.io",
    "write": "formats.outputs",
    "to_graph": "formats.nif_graph",
    "validate": "rules.engine",
    "fix": "rules.fixer",
    "diff": "curation.diff",
    "apply": "curation.apply",
    "evaluate": "evaluation.evaluate",
    "compare": "evaluation.compare",
    "Corpus": "model.corpus",
    "Document": "model.corpus",
    "Mention": "model.corpus",
    "Link": "model.corpus",
    "Tag": "model.corpus",
    "Span": "model.corpus",
    "Categories": "model.categories",
    "Table": "model.table",
}

__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> Any:
    """Imports a public name when it is first used."""
    if name not in _HOMES:
        raise AttributeError(f"module 'elcurate' has no attribute {name!r}")
    return getattr(importlib.import_module(f"elcurate.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
