"""Tables at full precision, as rows and as CSV: estimates, confusion matrices, distributions."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from tallymark.catalogue.contrasts import contrasts
from tallymark.render.subsets import rater_pairs, single_raters
from tallymark.results import Evaluation, Matrix, Numbers, Subset
from tallymark.results.cells import csv_lines, inert
from tallymark.results.frames import RECORD

Rows = list[tuple[tuple[str | None, ...], int, Numbers]]
"""What a row is called, how many responses it is about, and the estimates."""
_LONGEST_NAME, _MOST_BYTES = 80, 200
_WHOSE = ("of_system", "of_prompt", "of_trait", "of_fold")
_BESIDE = (
    *("system", "against", "prompt", "trait", "fold", "group_column", "group", "statistic", "n"),
    *("human_system", "human_human", "degradation", "low", "high", "why"),
)


class FileTable(NamedTuple):
    """A table as it is written: the names of its columns, and its rows."""

    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]


def tables(evaluation: Evaluation) -> dict[str, str]:
    """Return the CSV text of every table by its file name."""
    return {f"{name}.csv": csv_text(*sheet) for name, sheet in sheets(evaluation).items()}


def sheets(evaluation: Evaluation) -> dict[str, FileTable]:
    """Return every table by its name, which is that of its file."""
    records = [[*record.values()] for record in evaluation.records()]
    every = {"estimates": FileTable(RECORD, records)}
    for system, matrices in _confusions(evaluation).items():
        every[_free_name(f"confusion_{system}", every)] = _confusion(evaluation, matrices)
    distributions = [matrix for matrix in evaluation.matrices if matrix.name == "distribution"]
    if distributions and evaluation.kind == "raters":
        every["distributions"] = _distributions_of_raters(distributions)
    elif distributions:
        every["distributions"] = _distributions(evaluation, distributions)
    every |= _people(evaluation)
    for name, sheet in _further(evaluation).items():
        every[_free_name(name, every)] = sheet
    return every


def file_name(text: str) -> str:
    """Return a text as a file name that every system accepts.

    >>> file_name("../GPT 4: <b>")
    'GPT_4_b'
    """
    safe = re.sub(r"[^\w.-]+", "_", text).strip("._-")
    return safe[:_LONGEST_NAME].encode()[:_MOST_BYTES].decode(errors="ignore") or "unnamed"


def _free_name(text: str, taken: Mapping[str, FileTable]) -> str:
    """Return a file name not taken yet, also where capitals do not tell files apart."""
    used = {name.casefold() for name in taken}
    name, number = file_name(text), 2
    while name.casefold() in used:
        name, number = f"{file_name(text)}_{number}", number + 1
    return name


def _confusions(evaluation: Evaluation) -> dict[str, list[Matrix]]:
    by_system: dict[str, list[Matrix]] = {}
    for matrix in evaluation.matrices:
        if matrix.name == "confusion":
            by_system.setdefault(evaluation.subsets[matrix.subset].system, []).append(matrix)
    return by_system


def _place(subset: Subset) -> list[str | None]:
    return [subset.prompt, subset.trait, subset.fold]


def _confusion(evaluation: Evaluation, matrices: Sequence[Matrix]) -> FileTable:
    """Rows are gold scores, columns system scores; first of everything, then of each part."""
    points = list(dict.fromkeys(point for matrix in matrices for point in matrix.columns))
    rows = []
    for matrix in matrices:
        place = _place(evaluation.subsets[matrix.subset])
        for gold, counts in zip(matrix.rows, matrix.values, strict=True):
            by_point = dict(zip(matrix.columns, counts, strict=True))
            rows.append([*place, gold, *(by_point.get(point) for point in points)])
    return FileTable(["prompt", "trait", "fold", "gold", *points], rows)


def _distributions(evaluation: Evaluation, matrices: Sequence[Matrix]) -> FileTable:
    rows = []
    for matrix in matrices:
        subset = evaluation.subsets[matrix.subset]
        for point, counts in zip(matrix.rows, matrix.values, strict=True):
            rows.append([subset.system, *_place(subset), point, *counts])
    columns = ("system", "prompt", "trait", "fold", "score", "given_by_gold", "given_by_system")
    return FileTable(columns, rows)


def _distributions_of_raters(matrices: Sequence[Matrix]) -> FileTable:
    rows = [
        [matrix.columns[0], point, *counts]
        for matrix in matrices
        for point, counts in zip(matrix.rows, matrix.values, strict=True)
    ]
    return FileTable(("rater", "score", "given"), rows)


def _people(evaluation: Evaluation) -> dict[str, FileTable]:
    """One row per rater, per pair of raters, and per system and statistic beside people."""
    raters: Rows = [((s.system,), s.n, evaluation.of(s)) for s in single_raters(evaluation)]
    pairs: Rows = [
        ((str(s.against), s.system, *_place(s), s.average), s.n, evaluation.of(s))
        for s in rater_pairs(evaluation)
    ]
    every = zip(evaluation.subsets, evaluation.numbers, strict=True)
    beside = [row for subset, numbers in every for row in _beside_people(subset, numbers)]
    files = {}
    if raters:
        files["raters"] = _wide(("rater",), raters)
    if pairs:
        files["pairs"] = _wide(
            ("rater", "other_rater", "prompt", "trait", "fold", "average"), pairs
        )
    if beside:
        files["people"] = FileTable(_BESIDE, beside)
    return files


def _further(evaluation: Evaluation) -> dict[str, FileTable]:
    """Tables and curves as they are, those of one name below each other."""
    files: dict[str, FileTable] = {}
    for name in dict.fromkeys(table.name for table in evaluation.tables):
        same_name = [table for table in evaluation.tables if table.name == name]
        if same_name[0].subset < 0:
            files[name] = FileTable(same_name[0].columns, same_name[0].rows)
            continue
        columns = list(dict.fromkeys(column for table in same_name for column in table.columns))
        files[name] = FileTable(
            [*_WHOSE, *columns],
            [
                [*_whose(evaluation, table.subset), *map(cells.get, columns)]
                for table in same_name
                for cells in table.records()
            ],
        )
    if evaluation.curves:
        files["curves"] = _curves(evaluation)
    return files


def _curves(evaluation: Evaluation) -> FileTable:
    """One row per point of a curve."""
    rows: list[list[object]] = []
    for curve in evaluation.curves:
        nothing = (math.nan,) * len(curve.x)
        points = zip(curve.x, curve.y, curve.low or nothing, curve.high or nothing, strict=True)
        whose = _whose(evaluation, curve.subset)
        rows += [[*whose, curve.name, curve.x_title, curve.y_title, *point] for point in points]
    return FileTable([*_WHOSE, "curve", "x_title", "y_title", "x", "y", "low", "high"], rows)


def _whose(evaluation: Evaluation, index: int) -> list[str | None]:
    subset = evaluation.subsets[index]
    return [subset.system, *_place(subset)]


def _wide(names: Sequence[str], rows: Rows) -> FileTable:
    """Write one row per subset: each statistic is three columns, its value and interval."""
    texts = list(dict.fromkeys(text for _, _, numbers in rows for text in numbers))
    columns = [f"{text}{end}" for text in texts for end in ("", "_low", "_high")]
    cells = []
    for name, n, numbers in rows:
        estimates = [numbers.get(text) for text in texts]
        ends = [
            (None,) * 3 if estimate is None else (estimate.value, estimate.low, estimate.high)
            for estimate in estimates
        ]
        cells.append([*name, n, *(number for three in ends for number in three)])
    return FileTable([*names, "n", *columns], cells)


def _beside_people(subset: Subset, numbers: Numbers) -> Iterable[list[object]]:
    """Each statistic in which a system was compared with people on one part of the data."""
    place = [*_place(subset), subset.group_column, subset.group]
    for text, (system, people, less) in contrasts(numbers).items():
        both = [system.value, people.value]
        ends = [less.value, less.low, less.high, less.why]
        yield [subset.system, str(subset.against), *place, text, less.n, *both, *ends]


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Write rows of cells under their columns; formulas of a spreadsheet are inert."""
    return "".join(csv_lines([_cell(value) for value in row] for row in (columns, *rows)))


def _cell(value: object) -> object:
    return "" if isinstance(value, float) and math.isnan(value) else inert(value)
