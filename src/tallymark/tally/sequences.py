"""Tallies of two sequences of scores as they come: checked, and without pairs that lack a score."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tallymark.errors import DataError, ScaleError, did_you_mean
from tallymark.scale import Scale
from tallymark.tally.moments import PairMoments
from tallymark.tally.pairs import PairCounts, PairPatterns
from tallymark.tally.rounding import nearest

Floats = NDArray[np.float64]
ScaleLike = Scale | str | Iterable[object]
NAMES = ("y_true", "y_pred")


def pairs_of(y_true: Any, y_pred: Any) -> PairPatterns:
    """Tally the distinct pairs of scores."""
    return PairPatterns.of(*two_sequences(y_true, y_pred))


def moments_of(y_true: Any, y_pred: Any) -> PairMoments:
    """Sum scores and products."""
    first, second = two_sequences(y_true, y_pred)
    # about the middle of the gold: squares do not cancel, and sums of whole scores stay exact
    center = float(first.min() + first.max()) / 2 if first.size else 0.0
    return PairMoments.of_scores(first, second, center)


def table_of(y_true: Any, y_pred: Any, scale: ScaleLike | None) -> PairCounts:
    """Count scores on the points of the scale, else on those the scores themselves show."""
    if scale is None:
        pairs = pairs_of(y_true, y_pred)
        return pairs.table(_seen(pairs))
    declared = Scale.of(scale)
    labels = dict(zip(declared.labels, declared.points, strict=False))
    pairs = PairPatterns.of(*two_sequences(y_true, y_pred, labels=labels))
    points = np.asarray(declared.points)
    off = np.abs(points[nearest(pairs.first, points)] - pairs.first) > 1e-9
    if off.any():
        raise ScaleError(
            f"y_true holds {pairs.first[off.argmax()]:g}, which is not on the scale {declared}; "
            "correct the score or widen the scale"
        )
    return pairs.table(points)


def _seen(pairs: PairPatterns) -> Floats:
    if not pairs.first.size:
        return np.zeros(1)
    seen = Scale.infer(np.unique(np.concatenate([pairs.first, pairs.second])).tolist())
    if seen.continuous:
        raise ScaleError(
            "these scores have no common step, or need more than 101 points; declare the points "
            "they are rounded to, for example scale='1:6', or take lin_ccc"
        )
    return np.asarray(seen.points)


def two_sequences(
    first: Any, second: Any, *, labels: Mapping[str, float] | None = None
) -> tuple[Floats, Floats]:
    """Return the scores of the responses that have both; words are looked up in ``labels``.

    >>> [scores.tolist() for scores in two_sequences([1, 2, None], [1.5, 2, 3])]
    [[1.0, 2.0], [1.5, 2.0]]
    """
    a, b = (
        numbers(given, name, labels or {})
        for given, name in zip((first, second), NAMES, strict=True)
    )
    if a.size != b.size:
        raise DataError(
            f"{NAMES[0]} and {NAMES[1]} must be of one length, got {a.size} and {b.size}"
        )
    both = ~(np.isnan(a) | np.isnan(b))
    return (a, b) if both.all() else (a[both], b[both])


def numbers(given: Any, name: str, labels: Mapping[str, float]) -> Floats:
    """Return one sequence as numbers, missing as NaN; words are looked up in ``labels``."""
    values = np.asarray(given)
    if values.ndim != 1:
        hint = (
            f" Did you mean {name}.ravel()?" if max(values.shape, default=0) == values.size else ""
        )
        raise DataError(f"{name} must be one score a response, got shape {values.shape}.{hint}")
    if values.dtype.kind in "OUS":
        values = np.array([_number(v, name, i, labels) for i, v in enumerate(values.tolist())])
    if values.dtype.kind not in "biuf":
        raise DataError(f"{name} must hold numbers, got {values.dtype}")
    numbers = values.astype(np.float64, copy=False)
    infinite = np.isinf(numbers)
    if infinite.any():
        raise DataError(f"{name} holds an infinite score, first at position {infinite.argmax()}")
    return numbers


def _number(value: Any, name: str, position: int, labels: Mapping[str, float]) -> float:
    # NaN and the missing marks of frames are not equal to themselves
    if value is None or (value == value) is not True:  # noqa: PLR0124
        return np.nan
    if labels:
        return _labelled(str(value), name, position, labels)
    if isinstance(value, str | bytes):
        raise DataError(
            f"{name} holds text, first {value!r} at position {position}; scores must be numbers. "
            "List the words in ascending order as scale=[...] if scores are words."
        )
    return float(value)


def _labelled(word: str, name: str, position: int, labels: Mapping[str, float]) -> float:
    if word not in labels:
        raise ScaleError(
            f"{name} holds {word!r} at position {position}, which is not on the scale "
            f"{', '.join(labels)}.{did_you_mean(word, labels)}"
        )
    return labels[word]
