"""LaTeX: text that prints as it is, and tables with the rules of booktabs."""

import re
from collections.abc import Sequence

from tallymark.render.literal import literal

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


def _row(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"
