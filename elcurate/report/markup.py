"""Tables in Markdown and LaTeX."""

from __future__ import annotations

import re

from elcurate.evaluation.records import Evaluation
from elcurate.report.grid import Cell, Grid, Sheet, once_captioned
from elcurate.report.tables import one_line, sheet

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
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "α": r"$\alpha$",
    "Δ": r"$\Delta$",
    "ρ": r"$\rho$",
    "τ": r"$\tau$",
    "−": "$-$",
    "≤": r"$\leq$",
    "·": r"$\cdot$",
}
_PAGE = 73
"""So many letters are as wide as the text of an article."""
_LIGATURE = re.compile("f(?=[fil])")
_SPECIAL = re.compile("|".join(map(re.escape, _LATEX)))


def render_markdown(evaluation: Evaluation) -> str:
    """All tables in Markdown, with the signatures of the overall scores."""
    return sheet_markdown(sheet(evaluation))


def render_latex(evaluation: Evaluation) -> str:
    """All tables in LaTeX, cells shaded by score as in table 3 of the paper."""
    return sheet_latex(sheet(evaluation))


def sheet_markdown(shown: Sheet) -> str:
    """A report in Markdown."""
    parts = [f"# {markdown(shown.title)}", markdown(shown.intro)]
    for grid in once_captioned(shown.grids):
        parts.append(f"## {markdown(grid.title)}\n\n{markdown_table(grid)}")
        if grid.caption:
            parts.append(markdown(grid.caption))
    if shown.notes:
        parts.append("\n".join(f"- {markdown(note)}" for note in shown.notes))
    if shown.signatures:
        parts.append("## Signatures\n\n" + "\n".join(f"- {line}" for line in _signatures(shown)))
    return "\n\n".join(parts) + "\n"


def sheet_latex(shown: Sheet) -> str:
    """A report in LaTeX; its first lines name the packages that it needs."""
    lines = [r"% \usepackage{booktabs}", r"% \usepackage[table]{xcolor}"]
    if any(_is_wide(grid) for grid in shown.grids):
        lines.append(r"% \usepackage{graphicx}")
    for grid in shown.grids:
        lines += ["", *_latex_table(grid)]
    lines += ["", *(f"% {one_line(line)}" for line in (*shown.notes, *_signatures(shown)))]
    return "\n".join(lines) + "\n"


def latex(text: str) -> str:
    """Text with LaTeX's special characters escaped."""
    return _SPECIAL.sub(lambda found: _LATEX[found[0]], text)


def _signatures(shown: Sheet) -> list[str]:
    return [f"{name}: `{signature}`" for name, signature in shown.signatures]


def markdown(text: str) -> str:
    """Text on one line with Markdown's special characters escaped."""
    return re.sub(r"([|\\`*_<>\[\]])", r"\\\1", one_line(text))


def markdown_table(grid: Grid) -> str:
    """A table in Markdown."""
    uppers = [head for head, width in grid.heads for _ in range(width)] or [""] * len(grid.columns)
    names = [f"{a} {b}".strip() for a, b in zip(uppers, grid.columns, strict=True)]
    rules = [
        ":--" if place < grid.labels or grid.marked(place) else "--:" for place in range(len(names))
    ]
    rows = [[markdown(name) for name in names], rules]
    for row in grid.rows:
        if len(row) == 1:
            rows.append([f"*{markdown(row[0].text)}*", *[""] * (len(names) - 1)])
        else:
            rows.append([_markdown_cell(cell) for cell in row])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _markdown_cell(cell: Cell) -> str:
    text = f"**{cell.text}**" if cell.best else markdown(cell.text)
    return f"{text}<sup>{cell.marks}</sup>" if cell.marks else text


def _latex_table(grid: Grid) -> list[str]:
    width = len(grid.columns)
    left = [place < grid.labels or grid.marked(place) for place in range(width)]
    spec = "".join("l" if one else "r" for one in left)
    wide = _is_wide(grid)
    lines = [r"\begin{table}", r"\centering\small"]
    lines += [r"\resizebox{\linewidth}{!}{%"] if wide else []
    lines += [rf"\begin{{tabular}}{{{spec}}}", r"\toprule"]
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
    title = f"{grid.title}. {grid.caption}" if grid.caption else grid.title
    caption = rf"\caption{{{latex(title)}}}"
    end = r"\end{tabular}}" if wide else r"\end{tabular}"
    return [*lines, r"\bottomrule", end, caption, r"\end{table}"]


def _is_wide(grid: Grid) -> bool:
    """Whether a table is wider than a page of text, by the letters of its columns."""
    widths = [float(len(name)) for name in grid.columns]
    for row in grid.rows:
        if len(row) > 1:
            marked = (len(cell.text) + 0.7 * len(cell.marks) for cell in row)
            widths = [max(pair) for pair in zip(widths, marked, strict=True)]
    return sum(widths) + 2.6 * len(widths) > _PAGE


def _latex_cell(cell: Cell) -> str:
    text = rf"\textbf{{{latex(cell.text)}}}" if cell.best else latex(cell.text)
    if cell.marks:
        text += rf"\textsuperscript{{{_LIGATURE.sub(r'f{}', cell.marks)}}}"
    if cell.value is None:
        return text
    return rf"\cellcolor[gray]{{{1 - 0.5 * min(cell.value, 1):.2f}}}{text}"
