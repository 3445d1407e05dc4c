"""LaTeX: text that prints as it is, and tables with the rules of booktabs."""

import re
from collections.abc import Sequence

from tallymark.render.grids import (
    cell_text,
    held_text,
    laid_out,
    legend,
    shown,
    signed,
    signs_shown,
)
from tallymark.render.literal import literal
from tallymark.render.model import Bare, Grid, Held, Rank, Section, Settled, Table, Value
from tallymark.render.sentences import written
from tallymark.results import Estimate

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\char34{}",
    "`": r"\char96{}",
    "[": "{[}",
    "]": "{]}",
    "*": "{*}",
}
"""A bracket or star at the start of a row would be read as an option of the line before."""
_SIGNS = {"met": r"$\surd$", "not met": r"$\times$", "undecided": "?", "not computable": "--"}
"""Signs of states, which need no package."""


def escaped(text: str) -> str:
    r"""Return a text that LaTeX prints as it is.

    >>> escaped("a_b&c%")
    'a\\_b\\&c\\%'
    """
    written = "".join(_SPECIAL.get(char, char) for char in literal(text))
    return re.sub("-(?=-)", "-{}", written)  # two hyphens would become a dash


def number(text: str) -> str:
    r"""Write a number, with a minus sign and not a hyphen.

    >>> number("-.05")
    '$-$.05'
    """
    return text.replace("-", "$-$")


def small(text: str) -> str:
    """Small type, for intervals."""
    return rf"{{\footnotesize {text}}}"


def bold(text: str) -> str:
    """Bold type."""
    return rf"\textbf{{{text}}}"


def table(
    caption: str, label: str, headings: Sequence[str], blocks: Sequence[Sequence[Sequence[str]]]
) -> str:
    """Lay out blocks of rows, whose cells are LaTeX already, with a rule between blocks."""
    columns = "l" * len(headings)
    lines = [
        r"% needs \usepackage{booktabs}",
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{caption}}}",
        rf"\label{{{label}}}",
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        _row(headings),
    ]
    for block in blocks:
        lines += [r"\midrule", *(_row(row) for row in block)] if block else []
    lines += [r"\bottomrule", r"\end{tabular}", r"\end{table}"]
    return "\n".join(lines) + "\n"


def section_tables(section: Section) -> str:
    """Write the tables of a section, those of the page left out."""
    at = Rank.FULL
    blocks = [b for b in section.blocks if b.rank <= at]
    laid = [laid_out(b, at) if isinstance(b, Grid) else b for b in blocks]
    tables = [shown(block, at) for block in laid if isinstance(block, Table)]
    labels = [section.id, *(f"{section.id}-{i}" for i in range(2, len(tables) + 1))]
    return "\n".join(map(booktabs, labels, tables))


def booktabs(name: str, laid: Table) -> str:
    """Write one table, what stands below it in its caption."""
    caption = ". ".join(
        text.rstrip(".") for text in map(written, (laid.caption, laid.note)) if text
    )
    headings = [escaped(column.title) for column in laid.columns]
    rows = [[_cell(cell) for cell in row] for row in laid.rows]
    split = len(rows) - laid.below
    blocks = [rows[:split], rows[split:]]
    signs = legend(signs_shown(laid.rows), _SIGNS)
    return table(f"{escaped(caption)}. {signs}".rstrip(), f"tab:{name}", headings, blocks)


def _cell(cell: Value) -> str:
    if cell is None:
        return "--"
    if isinstance(cell, Held):
        value, _, ends = held_text(cell).partition(" ")
        return signed(f"{number(value)} {small(number(ends))}", cell.state, _SIGNS)
    text = cell_text(cell)
    if not isinstance(cell, Bare | Estimate | Settled):
        return escaped(text)
    value, _, ends = text.partition(" ")
    if isinstance(cell, Settled):
        return f"{bold(number(value))} {small(number(ends))}".removesuffix(f" {small('')}")
    return f"{number(value)} {small(number(ends))}" if ends else number(value)


def _row(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"
