"""Predictions: the table that evaluate, compare and route read, and the runs that it comes from."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tallymark.arrays import Floats, Whole
from tallymark.render.sentences import Words
from tallymark.results import Evaluation
from tallymark.results.cells import csv_of_columns
from tallymark.scorers.fitting import DIGITS, deal, generator
from tallymark.scorers.models import MODELS
from tallymark.scorers.out_of_fold import OutOfFold, Sample, canonical
from tallymark.scorers.reading import Lesson
from tallymark.selective.confidence import of_probabilities
from tallymark.sources import ExcludedRow
from tallymark.sources.joining import Columns
from tallymark.sources.tables import write_parquet
from tallymark.tally import nearest

FOLD, DEV_TEST = "fold", "dev_test"
SUFFIXES = ("rounded", "p", "max", "trust", "sd", "run")
"""How columns of a scorer go on after its name."""


class Predictions(Struct, frozen=True):
    """Columns by name, NaN or "" where there is nothing, one cell for each row of the source.

    ``systems`` are the columns that hold predictions; ``confidences`` the surest measure of each
    classifier; ``probabilities`` the columns with the probability of each point; ``probed`` the
    scores of probes, by probe and scorer.
    """

    numbers: Mapping[str, Floats]
    words: Mapping[str, Sequence[str]]
    systems: tuple[str, ...]
    confidences: Mapping[str, str]
    probabilities: Mapping[str, tuple[str, ...]]
    probed: Mapping[str, Mapping[str, Floats]]

    def columns(self) -> Columns:
        """The columns as texts, None where there is nothing."""
        numbers = {name: [cell(x) for x in values] for name, values in self.numbers.items()}
        words = {name: [text or None for text in texts] for name, texts in self.words.items()}
        return {**words, **numbers}


def cell(number: float) -> str | None:
    """Write a number for a table; None where there is none."""
    if np.isnan(number):
        return None
    rounded = round(float(number), DIGITS)
    return str(int(rounded)) if rounded == int(rounded) else repr(rounded)


def predictions_of(
    sample: Sample, rows: Whole, predicted: OutOfFold, total: int, lambda_: float, seed: int
) -> Predictions:
    """Put what models gave at the ``rows`` of a source of ``total``, with confidences and folds."""
    columns: dict[str, Floats] = {FOLD: np.where(predicted.fold < 0, np.nan, predicted.fold + 1.0)}
    confidences, probabilities = {}, {}
    for name, runs in predicted.scores.items():
        if MODELS[name].classifies:
            class_columns, classes = _classes(sample, name, predicted.probabilities[name], lambda_)
            columns |= class_columns
            columns[f"{name}_trust"] = predicted.trust[name].mean(axis=1)
            confidences[name], probabilities[name] = f"{name}_p_no_cse", classes
        else:
            mean = runs.mean(axis=1)
            columns |= {name: mean, f"{name}_rounded": _rounded(sample, mean)}
        if runs.shape[1] > 1:
            columns[f"{name}_sd"] = runs.std(axis=1, ddof=1)
            columns |= {f"{name}_run{i + 1}": runs[:, i] for i in range(runs.shape[1])}

    def placed(values: Floats) -> Floats:
        column = np.full(total, np.nan)
        column[rows] = values
        return column

    numbers = {name: placed(values) for name, values in columns.items()}
    probed: dict[str, dict[str, Floats]] = {}
    for (name, probe), runs in predicted.probed.items():
        scores = (
            _classes(sample, name, runs, lambda_)[0][name]
            if MODELS[name].classifies
            else runs.mean(axis=1)
        )
        probed.setdefault(probe, {})[name] = placed(scores)
    halves = np.full(total, "", dtype=object)
    halves[rows] = _halves(sample, predicted.fold, seed)
    words = {DEV_TEST: halves.tolist()}
    return Predictions(numbers, words, (*predicted.scores,), confidences, probabilities, probed)


def _rounded(sample: Sample, scores: Floats) -> Floats:
    """The nearest point of each scale, half up; as they are on a continuous one."""
    rounded = scores.copy()
    for part, points in sample.points.items():
        rows = (sample.parts == part) & ~np.isnan(scores)
        if points.size:
            rounded[rows] = points[nearest(scores[rows], points)]
    return rounded


def _classes(
    sample: Sample, name: str, runs: Floats, lambda_: float
) -> tuple[dict[str, Floats], tuple[str, ...]]:
    """Of a classifier: the most probable point, its probabilities and what they say of its errors."""
    shares = runs.mean(axis=1)
    points_of_all = np.unique(np.concatenate([*sample.points.values()]))
    spread = np.full((shares.shape[0], points_of_all.size), np.nan)
    scores, surest, safe = (np.full(shares.shape[0], np.nan) for _ in range(3))
    for part, points in sample.points.items():
        rows = np.flatnonzero((sample.parts == part) & ~np.isnan(shares[:, 0]))
        if points.size < 2 or not rows.size:
            continue
        probabilities = shares[rows, : points.size]
        measures = of_probabilities(probabilities, points, lambda_, points[-1] - points[0])
        scores[rows], surest[rows], safe[rows] = measures.predicted, measures.max, measures.p_no_cse
        spread[np.ix_(rows, np.searchsorted(points_of_all, points))] = probabilities
    classes = {f"{name}_p{point:g}": spread[:, i] for i, point in enumerate(points_of_all)}
    columns = {name: scores, **classes, f"{name}_max": surest, f"{name}_p_no_cse": safe}
    return columns, tuple(classes)


def _halves(sample: Sample, fold: Whole, seed: int) -> NDArray[np.object_]:
    """Half of the responses of each part and fold to choose a threshold by, half to try it on."""
    halves = np.full(fold.size, "", dtype=object)
    order = canonical(sample)
    inside = order[fold[order] >= 0]
    _, part = np.unique(sample.parts[inside].astype(str), return_inverse=True)
    strata = part * (int(fold.max()) + 1) + fold[inside]
    dealt = deal(strata, part, sample.units[inside], 2, generator(seed, DEV_TEST))
    halves[inside] = np.where(dealt == 0, "dev", "test")
    return halves


_CSV, _PARQUET = ".csv", ".parquet"
"""Endings of a file that holds a table alone."""


class BaselineRun(Struct, frozen=True):
    """What was learned under one rule of resolution.

    ``columns`` is the table that evaluate, compare and route read; ``evaluation`` the comparison
    of the user's systems with the reference scorers on it; ``probes`` the probes with their scores,
    which evaluate and compare read as ``probe_scores``; ``notes`` what was left out, and why.
    """

    rule: str
    columns: Columns
    predictions: Predictions
    made: OutOfFold
    lesson: Lesson
    systems: tuple[str, ...]
    evaluation: Evaluation
    excluded: tuple[ExcludedRow, ...]
    probes: Columns | None = None
    notes: tuple[Words, ...] = ()

    @property
    def confident(self) -> tuple[str, ...]:
        """The scorers that say how sure they are."""
        return tuple(self.predictions.confidences)

    def to_csv(self) -> str:
        """The table as CSV."""
        return csv_of(self.columns)

    def to_file(self, path: Path) -> bytes:
        """The table as the ending of a file asks for it, CSV or Parquet."""
        return contents(self.columns, path.suffix.lower(), self.predictions.numbers)


class Baseline(Struct, frozen=True):
    """What reference scorers reach: one run for each rule of resolution, the first of them ``run``."""

    runs: tuple[BaselineRun, ...]
    guessed: tuple[Words, ...]

    @property
    def notes(self) -> tuple[Words, ...]:
        """What was guessed, and what was left out, each said once."""
        return tuple({str(x): x for run in self.runs for x in (*self.guessed, *run.notes)}.values())

    @property
    def run(self) -> BaselineRun:
        """The first run, for most have one."""
        return self.runs[0]

    @property
    def evaluation(self) -> Evaluation:
        """The evaluation of the first run."""
        return self.run.evaluation

    @property
    def columns(self) -> Columns:
        """The table of the first run: give it to ``evaluate``, ``compare`` or ``route``."""
        return self.run.columns

    def __repr__(self) -> str:
        """What the comparison found, in a few lines."""
        return repr(self.evaluation)

    def _repr_html_(self) -> str:
        return self.evaluation._repr_html_()


def is_table(path: Path) -> bool:
    """Whether a path names a table alone, and no folder."""
    return path.suffix.lower() in (_CSV, _PARQUET) and not path.is_dir()


def contents(columns: Columns, ending: str, numbers: Collection[str] = ()) -> bytes:
    """A table as a file of this ending, CSV or Parquet; Parquet has these columns as numbers."""
    if ending != _PARQUET:
        return csv_of(columns).encode()
    arrays = {
        name: np.array([np.nan if cell is None else float(cell) for cell in cells])
        if name in numbers
        else np.array(cells, dtype=object)
        for name, cells in columns.items()
    }
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"table{_PARQUET}"
        write_parquet(arrays, path)
        return path.read_bytes()


def csv_of(columns: Columns) -> str:
    """Columns as CSV, empty where there is nothing."""
    return csv_of_columns(
        [[name, *(cell or "" for cell in cells)] for name, cells in columns.items()]
    )
