"""Tables in Markdown and LaTeX."""

from __future__ import annotations

import re

from elcurate.evaluation.records import Evaluation
from elcurate.report.tables import Cell, Grid, grids, notes, one_line, settings_line, signatures

_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "–": "--",
    "α": r"$\alpha$",
    "·": r"$\cdot$",
}
_SPECIAL = re.compile("|".join(map(re.escape, _LATEX)))


def render_markdown(evaluation: Evaluation) -> str:
    """All tables in Markdown, with the signatures of the overall scores."""
    parts = [
        f"# {markdown(evaluation.gold.name)}",
        f"Profile `{evaluation.profile}`{markdown(settings_line(evaluation))}.",
    ]
    for grid in grids(evaluation):
        parts.append(f"## {markdown(grid.title)}\n\n{markdown_table(grid)}")
    if notes(evaluation):
        parts.append("\n".join(f"- {markdown(note)}" for note in notes(evaluation)))
    parts.append("## Signatures\n\n" + "\n".join(f"- {line}" for line in _signatures(evaluation)))
    return "\n\n".join(parts) + "\n"


def render_latex(evaluation: Evaluation) -> str:
    """All tables in LaTeX: booktabs, cells shaded by score as in table 3 of the paper.

    Needs the packages ``booktabs``, ``colortbl`` and ``xcolor`` (option ``table``).
    """
    lines = [r"% \usepackage{booktabs}", r"% \usepackage[table]{xcolor}"]
    for grid in grids(evaluation):
        lines += ["", *_latex_table(grid)]
    lines += ["", *(f"% {line}" for line in _signatures(evaluation))]
    return "\n".join(lines) + "\n"


def latex(text: str) -> str:
    """Text with LaTeX's special characters escaped."""
    return _SPECIAL.sub(lambda found: _LATEX[found[0]], text)


def _signatures(evaluation: Evaluation) -> list[str]:
    return [f"{name}: `{signature}`" for name, signature in signatures(evaluation)]


def markdown(text: str) -> str:
    """Text on one line with Markdown's special characters escaped."""
    return re.sub(r"([|\\`*_<>\[\]])", r"\\\1", one_line(text))


def markdown_table(grid: Grid) -> str:
    """A table in Markdown."""
    uppers = [head for head, width in grid.heads for _ in range(width)] or [""] * len(grid.columns)
    names = [f"{a} {b}".strip() for a, b in zip(uppers, grid.columns, strict=True)]
    rules = [":--" if place < grid.labels else "--:" for place in range(len(names))]
    rows = [[markdown(name) for name in names], rules]
    for row in grid.rows:
        if len(row) == 1:
            rows.append([f"*{markdown(row[0].text)}*", *[""] * (len(names) - 1)])
        else:
            rows.append([f"**{c.text}**" if c.best else markdown(c.text) for c in row])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _latex_table(grid: Grid) -> list[str]:
    width = len(grid.columns)
    spec = "l" * grid.labels + "r" * (width - grid.labels)
    lines = [r"\begin{table}", r"\centering\small", rf"\begin{{tabular}}{{{spec}}}", r"\toprule"]
    if grid.heads:
        heads, rules, place = [], [], 1
        for text, columns in grid.heads:
            heads.append(rf"\multicolumn{{{columns}}}{{c}}{{{latex(text)}}}")
            if text:
                rules.append(rf"\cmidrule(lr){{{place}-{place + columns - 1}}}")
            place += columns
        lines += [" & ".join(heads) + r" \\", "".join(rules)]
    lines += [" & ".join(latex(name) for name in grid.columns) + r" \\", r"\midrule"]
    for row in grid.rows:
        if len(row) == 1:
            lines.append(rf"\multicolumn{{{width}}}{{l}}{{\emph{{{latex(row[0].text)}}}}} \\")
        else:
            lines.append(" & ".join(_latex_cell(cell) for cell in row) + r" \\")
    caption = rf"\caption{{{latex(grid.title)}}}"
    return [*lines, r"\bottomrule", r"\end{tabular}", caption, r"\end{table}"]


def _latex_cell(cell: Cell) -> str:
    text = rf"\textbf{{{latex(cell.text)}}}" if cell.best else latex(cell.text)
    if cell.value is None:
        return text
    return rf"\cellcolor[gray]{{{1 - 0.5 * cell.value:.2f}}}{text}"
