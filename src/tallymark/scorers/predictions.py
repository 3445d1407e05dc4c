"""Predictions: the table that evaluate, compare and route read, one row per row of the source."""

from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tallymark.scorers.folds import DIGITS, deal, generator
from tallymark.scorers.models import MODELS
from tallymark.scorers.out_of_fold import OutOfFold, Sample, canonical
from tallymark.selective.confidence import of_probabilities
from tallymark.sources.joining import Columns
from tallymark.tally import nearest

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
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
    sample: Sample, rows: Ints, made: OutOfFold, total: int, lambda_: float, seed: int
) -> Predictions:
    """Put what models gave at the ``rows`` of a source of ``total``, with confidences and folds."""
    here: dict[str, Floats] = {FOLD: np.where(made.fold < 0, np.nan, made.fold + 1.0)}
    confidences, probabilities = {}, {}
    for name, runs in made.scores.items():
        if MODELS[name].classifies:
            columns, classes = _classes(sample, name, made.probabilities[name], lambda_)
            here |= columns
            here[f"{name}_trust"] = made.trust[name].mean(axis=1)
            confidences[name], probabilities[name] = f"{name}_p_no_cse", classes
        else:
            mean = runs.mean(axis=1)
            here |= {name: mean, f"{name}_rounded": _rounded(sample, mean)}
        if runs.shape[1] > 1:
            here[f"{name}_sd"] = runs.std(axis=1, ddof=1)
            here |= {f"{name}_run{i + 1}": runs[:, i] for i in range(runs.shape[1])}

    def placed(values: Floats) -> Floats:
        every = np.full(total, np.nan)
        every[rows] = values
        return every

    numbers = {name: placed(values) for name, values in here.items()}
    probed: dict[str, dict[str, Floats]] = {}
    for (name, probe), runs in made.probed.items():
        scores = (
            _classes(sample, name, runs, lambda_)[0][name]
            if MODELS[name].classifies
            else runs.mean(axis=1)
        )
        probed.setdefault(probe, {})[name] = placed(scores)
    halves = np.full(total, "", dtype=object)
    halves[rows] = _halves(sample, made.fold, seed)
    words = {DEV_TEST: halves.tolist()}
    return Predictions(numbers, words, (*made.scores,), confidences, probabilities, probed)


def _rounded(sample: Sample, scores: Floats) -> Floats:
    """The nearest point of each scale, half up; as they are on a continuous one."""
    rounded = scores.copy()
    for part, points in sample.points.items():
        here = (sample.parts == part) & ~np.isnan(scores)
        if points.size:
            rounded[here] = points[nearest(scores[here], points)]
    return rounded


def _classes(
    sample: Sample, name: str, runs: Floats, lambda_: float
) -> tuple[dict[str, Floats], tuple[str, ...]]:
    """Of a classifier: the most probable point, its probabilities and what they say of its errors."""
    shares = runs.mean(axis=1)
    every = np.unique(np.concatenate([*sample.points.values()]))
    spread = np.full((shares.shape[0], every.size), np.nan)
    scores, surest, safe = (np.full(shares.shape[0], np.nan) for _ in range(3))
    for part, points in sample.points.items():
        here = np.flatnonzero((sample.parts == part) & ~np.isnan(shares[:, 0]))
        if points.size < 2 or not here.size:
            continue
        given = shares[here, : points.size]
        each = of_probabilities(given, points, lambda_, points[-1] - points[0])
        scores[here], surest[here], safe[here] = each.predicted, each.max, each.p_no_cse
        spread[np.ix_(here, np.searchsorted(every, points))] = given
    classes = {f"{name}_p{point:g}": spread[:, i] for i, point in enumerate(every)}
    columns = {name: scores, **classes, f"{name}_max": surest, f"{name}_p_no_cse": safe}
    return columns, tuple(classes)


def _halves(sample: Sample, fold: Ints, seed: int) -> NDArray[np.object_]:
    """Half of the responses of each part and fold to choose a threshold by, half to try it on."""
    halves = np.full(fold.size, "", dtype=object)
    order = canonical(sample)
    inside = order[fold[order] >= 0]
    _, part = np.unique(sample.parts[inside].astype(str), return_inverse=True)
    strata = part * (int(fold.max()) + 1) + fold[inside]
    dealt = deal(strata, part, sample.units[inside], 2, generator(seed, DEV_TEST))
    halves[inside] = np.where(dealt == 0, "dev", "test")
    return halves
