"""A plan for a terminal: the answer, what it assumes, and the same for other sizes."""

from tallymark.render.layout import Line, paragraph, table
from tallymark.render.literal import literal
from tallymark.render.numbers import count
from tallymark.results import Evaluation


def plan_lines(evaluation: Evaluation, width: int) -> list[Line]:
    """Return the lines of a plan."""
    lines: list[Line] = []
    for finding in evaluation.notes:
        lines += paragraph(f"{literal(finding.words)}.", width, weight="heading")
    for note in evaluation.data.notes:
        lines += paragraph(f"Note: {literal(note)}.", width, indent="  ")
    for found in evaluation.tables:
        rows = [[_cell(cell) for cell in row] for row in found.rows]
        lines += [Line(""), *table(found.columns, rows, width, right=found.columns[1:])]
    return lines


def _cell(cell: str | float | None) -> str:
    if cell is None:
        return "none"
    if isinstance(cell, int):
        return count(cell)
    return cell if isinstance(cell, str) else f"{cell:.3g}"
