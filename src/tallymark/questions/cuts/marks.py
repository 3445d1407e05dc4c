"""Marks: where the user's cuts lie among score points, half a step below the point that passes."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.diagnosis.cut_models import Marks
from tallymark.scale import Scale
from tallymark.tally import nearest

Floats = NDArray[np.float64]
GUARD = 1e-9
ROUNDED = 1e-6
"""In steps: a system whose scores lie this near to the points gives the points."""


class Cuts(NamedTuple):
    """The cuts on one scale as given, ascending, and the score from which each is passed."""

    values: tuple[float, ...]
    marks: Floats


def cuts_on(scale: Scale, cuts: Sequence[float]) -> Cuts:
    """Return the cuts that lie on a scale, each once.

    >>> cuts_on(Scale.parse("1:6"), [5, 3, 3]).marks.round(3).tolist()
    [2.5, 4.5]
    """
    given = tuple(sorted({float(cut) for cut in cuts if scale.low < cut <= scale.high}))
    return Cuts(given, np.array([mark(scale, cut) for cut in given]))


def mark(scale: Scale, cut: float) -> float:
    """The score that rounds to the first point which reaches the cut: half way from the one below.

    On a continuous scale nothing is rounded, and the mark is the cut.
    """
    if scale.continuous:
        return cut
    points = np.asarray(scale.points)
    place = int(np.searchsorted(points, cut - GUARD * scale.step))
    return float(points[place - 1] + points[place]) / 2 - GUARD * scale.step


def beside(system: Floats, scale: Scale, cuts: Cuts) -> NDArray[np.bool_]:
    """Which responses the system puts at the point that passes a cut or at the one below it.

    On a continuous scale: within a twentieth of the range.
    """
    if scale.continuous:
        reach = (scale.high - scale.low) / 20
        return np.asarray(np.abs(system[:, None] - cuts.marks) <= reach)
    points = np.asarray(scale.points)
    place = nearest(system, points)[:, None]
    passing = np.searchsorted(points, cuts.marks)
    return np.asarray((place == passing) | (place == passing - 1))


def marks_of(rater: Scale, gold: Scale, cuts: Cuts, system: Floats, center: float) -> Marks:
    """Carry the cuts to the raters' scale, about a center, and say what rounding adds."""
    times = (rater.high - rater.low) / (gold.high - gold.low)
    on_rater = rater.low + (cuts.marks - gold.low) * times
    values = rater.low + (np.asarray(cuts.values) - gold.low) * times
    rating = np.array([mark(rater, value) for value in values])
    added = _rounding(gold) * times**2 if _on_points(system, gold) else 0.0
    if _on_points(rater.low + (system - gold.low) * times, rater):  # beside a mean of ratings, say
        added = _rounding(rater)
    half = rater.step / 2
    return Marks(
        on_rater - center,
        rating - center,
        _rounding(rater),
        added,
        rater.low - center - half,
        rater.high - center + half,
    )


def _on_points(system: Floats, scale: Scale) -> bool:
    if scale.continuous:
        return False
    points = np.asarray(scale.points)
    apart = np.abs(points[nearest(system, points)] - system)
    return bool((apart <= ROUNDED * scale.step).all())


def _rounding(scale: Scale) -> float:
    """Variance that rounding to the points adds: a twelfth of the squared step (Sheppard)."""
    if scale.continuous or len(scale.points) < 2:
        return 0.0
    return ((scale.high - scale.low) / (len(scale.points) - 1)) ** 2 / 12
