"""Experiments side by side: a row per statistic, a column per experiment, then the differences."""

from collections.abc import Iterator

from tallymark.catalogue import member, texts
from tallymark.render.layout import Line, paragraph, table
from tallymark.render.literal import literal
from tallymark.render.numbers import with_interval
from tallymark.results import GOLD, TRUE_SCORES, Estimate, Evaluation, Matrix, Subset

SHOWN = {one.text: one.heading for one in map(member, (*texts("rsm_compared"), "prmse"))} | {
    "lin_ccc": "QWK, unrounded"
}
"""What is shown, under which heading."""


def side_by_side(evaluation: Evaluation, *, width: int = 80) -> list[Line]:
    """Return the lines of a comparison or summary of experiments."""
    lines: list[Line] = []
    for note in evaluation.data.notes:
        lines += paragraph(f"{literal(note)}.", width, indent="  ")
    lines += [Line(""), *_statistics(evaluation, width)]
    for matrix in evaluation.matrices:
        lines += [Line(""), *_matrix(matrix, width)]
    return lines


def _statistics(evaluation: Evaluation, width: int) -> list[Line]:
    columns = list(_columns(evaluation))
    rows = []
    for text, heading in SHOWN.items():
        found = [_of(estimates, text) for _, estimates in columns]
        if any(found):
            rows.append([heading, *(with_interval(e) if e else "" for e in found)])
    headings = ["statistic", *(literal(title) for title, _ in columns)]
    return table(headings, rows, width)


def _of(estimates: dict[str, Estimate], text: str) -> Estimate | None:
    """The estimate of a statistic; a parameter that was left open may be any."""
    if text in estimates:
        return estimates[text]
    return next((e for e in estimates.values() if e.name == text), None)


def _columns(evaluation: Evaluation) -> Iterator[tuple[str, dict[str, Estimate]]]:
    """Yield the title and the estimates of every experiment, then of every difference."""
    subsets = list(enumerate(evaluation.subsets))
    true = {s.system: evaluation.numbers[i] for i, s in subsets if s.against == TRUE_SCORES}
    for i, subset in subsets:
        if subset.against == GOLD:
            yield subset.system, {**evaluation.numbers[i], **true.get(subset.system, {})}
    for i, subset in subsets:
        if subset.against not in (GOLD, TRUE_SCORES):
            yield _less(subset), {str(e.params["of"]): e for e in evaluation.numbers[i].values()}


def _less(subset: Subset) -> str:
    return f"{subset.system} less {subset.against}"


def _matrix(matrix: Matrix, width: int) -> list[Line]:
    """Rows are human scores."""
    title = f"Responses by human score (rows) and score of {literal(matrix.column_title)} (columns)"
    rows = [
        [point, *map(str, counts)] for point, counts in zip(matrix.rows, matrix.values, strict=True)
    ]
    headings = ["human", *matrix.columns]
    return [Line(title, "heading"), *table(headings, rows, width, right=matrix.columns)]
