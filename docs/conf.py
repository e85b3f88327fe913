"""Sphinx configuration, with a directive that prints what the registries hold."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from docutils import nodes
from docutils.frontend import get_default_settings
from docutils.parsers.rst import Parser
from docutils.utils import new_document
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from elcurate.curation.cards import BUNDLED, cards
from elcurate.formats.features import FEATURES
from elcurate.report.catalogue import catalogue, format_matrix
from elcurate.report.rule_pages import rule_pages
from elcurate.version import VERSION

project = "elcurate"
author = "The elcurate authors"
project_copyright = "The elcurate authors"
release = version = VERSION
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
html_theme = "furo"
html_title = "elcurate"
exclude_patterns = ["_build"]
autodoc_member_order = "bysource"
autodoc_typehints = "description"
myst_heading_anchors = 3
suppress_warnings = ["myst.xref_missing"]


class Catalogue(SphinxDirective):
    """A table of one kind of thing: ``{catalogue} measures``."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        kind = self.arguments[0]
        rows = [["Name", "What it is", "Details"]]
        for entry in catalogue(kind):
            details = [f"*{key}*: {_plain(value)}" for key, value in entry.details.items()]
            rows.append([f"``{entry.name}``", _plain(entry.text), "\n".join(details)])
        return _table(rows)


class Datasets(SphinxDirective):
    """The cards of public corpora."""

    def run(self) -> list[nodes.Node]:
        rows = [["Name", "Corpus", "Licence", "Counts", "Fetched"]]
        for card in cards().values():
            held = "\n".join(f"{n:,} {what}" for what, n in card.counts if n is not None)
            way = "yes" if card.url else "bundled" if card.name == BUNDLED else "no"
            about = _plain(f"{card.title}: {card.about}" if card.about else card.title)
            rows.append([f"``{card.name}``", about, card.licence, held, way])
        return _table(rows)


class FormatMatrix(SphinxDirective):
    """Which format keeps what."""

    def run(self) -> list[nodes.Node]:
        rows = [["Format", *(name.replace("-", " ") for name in FEATURES)]]
        for name, kept in format_matrix().items():
            rows.append([f"``{name}``", *("●" * one for one in kept)])
        return _table(rows)


def _plain(text: str) -> str:
    return re.sub(r"([\\|*_`])", r"\\\1", text)


def _table(rows: list[list[str]]) -> list[nodes.Node]:
    lines = [".. list-table::", "   :header-rows: 1", ""]
    for row in rows:
        for place, cell in enumerate(row):
            mark = "   * - " if not place else "     - "
            first, *others = [f"| {line}" for line in cell.split("\n")] if cell else [""]
            lines.append(f"{mark}{first}".rstrip())
            lines += [f"       {line}" for line in others]
    document = new_document("catalogue", get_default_settings(Parser))
    Parser().parse("\n".join(lines), document)
    return list(document.children)


def _write_rule_pages(app: Sphinx, _: object) -> None:
    folder = Path(app.srcdir) / "rules"
    folder.mkdir(exist_ok=True)
    for name, text in rule_pages().items():
        file = folder / name
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> None:
    """Registers the directives and the generated pages."""
    app.connect("config-inited", _write_rule_pages)
    app.add_directive("catalogue", Catalogue)
    app.add_directive("format-matrix", FormatMatrix)
    app.add_directive("datasets", Datasets)
