"""Estimates by name: ``tm.estimate("gwet_ac", ratings, weights="quadratic", scale="1:6")``."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from msgspec.structs import replace
from numpy.typing import ArrayLike, NDArray

from tallymark.catalogue import BY_NAME, find
from tallymark.defaults import LEVEL, REPLICATES, SEED
from tallymark.errors import DataError, OptionError, ScaleError
from tallymark.inference import Formula, Settings, Units
from tallymark.inference import estimate as estimate_units
from tallymark.inference.estimate import Kind
from tallymark.results import Estimate
from tallymark.scale import HALF_STEP, Scale, trim_steps
from tallymark.study.designed import with_design
from tallymark.study.panel import CONTINUOUS, fitted, panel_home, panel_units
from tallymark.study.units import Rows, units_of, units_of_chosen
from tallymark.tally import nearest
from tallymark.tally import trim as trim_to

Floats = NDArray[np.float64]
ScaleLike = Scale | str | Iterable[object]
Column = NDArray[Any] | list[Any]


PAIRWISE = ("table", "cells", "moments", "ranks", "errors", "gaps")
"""Kinds of tally of two scores."""
COUNTED = {"panel", "pairable"}
"""Kinds of tally that need not know who gave which rating."""


def estimate(  # noqa: PLR0913 - one keyword for each form of data and option
    name: str,
    ratings: Any = None,
    second: Any = None,
    *,
    table: ArrayLike | None = None,
    counts: ArrayLike | None = None,
    scale: ScaleLike | None = None,
    trim: str | float = HALF_STEP,
    cluster: Sequence[object] | NDArray[Any] | None = None,
    weight: ArrayLike | None = None,
    stratum: Sequence[object] | NDArray[Any] | None = None,
    level: float = LEVEL,
    interval: Kind | None = None,
    replicates: int = REPLICATES,
    seed: int = SEED,
    **params: Any,
) -> Estimate:
    """Estimate one statistic of the catalogue with its interval.

    ``ratings`` is responses x raters (an array, nested lists or a frame; None and NaN are
    missing), or the first of two sequences, gold first and system ``second``. Instead, ``table``
    takes a two-rater table of counts (rows: first rater) and ``counts`` responses x score points.
    On a declared scale the second of two raters is trimmed to half a step beyond its ends (or as
    ``trim`` says: range, none), and taken at the nearest point where a statistic needs one; all
    others must lie on it. ``weight`` is the design weight of each response, ``stratum`` the stratum
    that it was drawn from.
    Further keywords are the statistic's own parameters.

    >>> agreed = estimate("cohen_kappa", table=[[40, 10], [10, 40]])
    >>> f"{agreed.value:.2f} [{agreed.low:.2f}, {agreed.high:.2f}]"
    '0.60 [0.42, 0.75]'
    """
    formula = find(name, params)
    settings = Settings(level=level, replicates=replicates, seed=seed, interval=interval)
    if sum(given is not None for given in (ratings, table, counts)) != 1:
        raise OptionError("give exactly one of ratings, table= and counts=")
    if weight is not None and counts is not None:
        raise OptionError("weight= needs ratings, one row a response")
    row = BY_NAME[formula.name]
    if counts is not None:
        if not COUNTED & set(row.tallies):
            raise OptionError(
                f"{row.name} needs to know who gave which rating; counts= does not say. "
                "Give ratings instead."
            )
        units = _anonymous(formula, counts, scale)
    else:
        if table is not None:
            rows, continuous = _of_table(table, scale), False
        else:
            rows, continuous = _rows(ratings, second, scale, trim_steps(trim))
        if continuous and row.tallies in (("table",), ("cells",)):
            raise DataError(
                f"{row.name} needs score points, and these scores are continuous; declare scale=, "
                "or take lin_ccc, which is quadratic weighted kappa for such scores"
            )
        rows = with_design(rows, cluster, weight, stratum, of_table=table is not None)
        formula, units = _fitted(formula, rows, continuous=continuous)
    return replace(estimate_units(formula, units, settings), score=row.score)


def _fitted(formula: Formula, rows: Rows, *, continuous: bool) -> tuple[Formula, Units[Any]]:
    """The units a statistic needs of two raters or of a panel, and the interval that fits."""
    row, raters = BY_NAME[formula.name], rows.scores.shape[1]
    if raters < 2:
        raise DataError(f"{row.name} compares two or more raters, got {raters} column")
    if continuous and "gaps" in row.tallies and raters == 2:
        return formula, units_of("gaps", rows)
    two = [kind for kind in row.tallies if kind in PAIRWISE]
    panel = len(two) < len(row.tallies)
    if two and raters == 2 and not (continuous and panel) and (rows.whole.all() or not panel):
        return formula, units_of(formula.tally or two[0], rows, [formula])
    if not panel:
        raise DataError(
            f"{row.name} compares two raters, got {raters} columns; "
            "choose two of them, or a statistic for panels such as gwet_ac or krippendorff_alpha"
        )
    kind = panel_home(formula, rows, continuous=continuous)
    if continuous and kind not in CONTINUOUS:
        raise DataError(
            f"{row.name} needs score points, and these scores are continuous; declare scale=, or "
            "take krippendorff_alpha[interval] or icc, which do without"
        )
    units = panel_units(kind, rows, [formula])
    return fitted(formula, kind, units), units


def _of_table(table: ArrayLike, scale: ScaleLike | None) -> Rows:
    cells = np.asarray(table)
    if cells.ndim != 2 or cells.shape[0] != cells.shape[1]:
        raise DataError(f"table= must be square, rows for one rater, got shape {cells.shape}")
    whole = _whole(cells, "table=")
    points = _points(Scale.of(scale) if scale is not None else None, len(cells), "table=")
    first, second = np.meshgrid(points, points, indexing="ij")
    kept = whole.ravel() > 0
    scores = np.stack([first.ravel(), second.ravel()], axis=1)[kept]
    return Rows(scores, whole.ravel()[kept], points)


def _anonymous(formula: Formula, counts: ArrayLike, scale: ScaleLike | None) -> Units[Any]:
    """Units of responses of which it is known how many raters chose each point."""
    cells = np.asarray(counts)
    if cells.ndim != 2:
        raise DataError(f"counts= must be responses x score points, got shape {cells.shape}")
    whole = _whole(cells, "counts=")
    points = _points(Scale.of(scale) if scale is not None else None, cells.shape[1], "counts=")
    kind = formula.tally or next(k for k in BY_NAME[formula.name].tallies if k in COUNTED)
    whole = whole[whole.sum(axis=1) > (0 if kind == "panel" else 1)]
    chosen, times = np.unique(whole, axis=0, return_counts=True)
    kept = Rows(chosen.astype(np.float64), times.astype(np.int64), points)
    return units_of_chosen(kind, kept, chosen, [formula])


def _points(scale: Scale | None, k: int, what: str) -> Floats:
    if scale is None:
        return np.arange(k, dtype=np.float64)
    if len(scale.points) != k:
        raise ScaleError(f"{what} has {k} score points, the scale {scale} has {len(scale.points)}")
    return np.asarray(scale.points)


def _whole(cells: NDArray[Any], what: str) -> NDArray[np.int64]:
    if cells.dtype.kind not in "iuf" or not np.all(np.isfinite(cells)):
        raise DataError(f"{what} must hold counts, got values that are not numbers")
    if (cells < 0).any() or (cells != np.floor(cells)).any():
        raise DataError(f"{what} must hold whole numbers of responses, none negative")
    return cells.astype(np.int64)


def _rows(ratings: Any, second: Any, scale: ScaleLike | None, beyond: float) -> tuple[Rows, bool]:
    """Read ratings of any form; also whether their scale is continuous."""
    declared = Scale.of(scale) if scale is not None else None
    words = declared.labels if declared and declared.labels else ()
    labels = dict(zip(words, declared.points if declared and words else (), strict=True))
    if second is None and not labels and _all_numbers(ratings, axes=2):
        scores = np.asarray(ratings, dtype=np.float64)
    else:
        columns = _columns(ratings, second)
        scores = np.stack([_numbers(column, labels, i) for i, column in enumerate(columns)], axis=1)
    if declared is None:
        declared = _inferred(scores)
    else:
        scores = _on_scale(scores, declared, beyond)
    rows = Rows(scores, np.ones(len(scores), np.int64), np.asarray(declared.points))
    return rows, declared.continuous


def _inferred(scores: Floats) -> Scale:
    """Read the scale off all raters, or off the first of two when the second is off its points."""
    scale = _scale_of(scores)
    if scale.continuous and scores.shape[1] == 2:
        return _scale_of(scores[:, :1])
    return scale


def _scale_of(scores: Floats) -> Scale:
    seen = np.unique(scores[~np.isnan(scores)])
    return Scale.infer(seen.tolist()) if seen.size else Scale((0.0,), inferred=True)


def _on_scale(scores: Floats, scale: Scale, beyond: float) -> Floats:
    """Check raters against a declared scale; the second of two may be a system, and is trimmed."""
    people = scores[:, :1] if scores.shape[1] == 2 else scores
    points = np.asarray(scale.points)
    apart = np.abs(points[nearest(people, points)] - people) > 1e-6 * (scale.step or 1.0)
    if apart.any():
        off = np.argwhere(apart)
        row, rater = off[0]
        raise ScaleError(
            f"{len(off)} ratings are not on the scale {scale}, first {people[row, rater]:g} of rater "
            f"{rater + 1}, response {row + 1}. Fix the data or widen the scale."
        )
    if scores.shape[1] == 2:
        ends = scale.low, scale.high
        trimmed = trim_to(scores[:, 1], *ends, step=scale.step, tolerance=beyond)
        return np.stack([scores[:, 0], trimmed], axis=1)
    return scores


def _columns(ratings: Any, second: Any) -> list[Column]:
    """One sequence per rater, whatever was given."""
    if second is not None:
        first, other = _sequence(ratings), _sequence(second)
        if len(first) != len(other):
            raise DataError(
                f"the two sequences must be of one length, got {len(first)} and {len(other)}"
            )
        return [first, other]
    if hasattr(ratings, "to_numpy"):
        ratings = ratings.to_numpy()
    rows = ratings if isinstance(ratings, np.ndarray) else np.asarray(ratings, dtype=object)
    if rows.ndim != 2:
        raise DataError(
            "ratings must be responses x raters, one row a response, or two sequences; "
            f"got shape {rows.shape}"
        )
    return list(rows.T)


def _sequence(given: Any) -> Column:
    """An array stays one, which is read without a look at every score; others become a list."""
    values = given.to_numpy() if hasattr(given, "to_numpy") else given
    return values if isinstance(values, np.ndarray) else list(values)


def _all_numbers(given: Any, axes: int = 1) -> bool:
    if not isinstance(given, np.ndarray) or given.ndim != axes or given.dtype.kind not in "biuf":
        return False
    return not np.isinf(given).any()


def _numbers(column: Column, labels: dict[str, float], rater: int) -> Floats:
    if not labels and _all_numbers(column):
        return np.asarray(column, dtype=np.float64)
    values = np.empty(len(column))
    for i, value in enumerate(column):
        if value is None or value != value:  # noqa: PLR0124 - NaN differs from itself
            values[i] = np.nan
        elif labels:
            values[i] = _labelled(value, labels, i, rater)
        else:
            values[i] = _number(value, i, rater)
    return values


def _labelled(value: Any, labels: dict[str, float], row: int, rater: int) -> float:
    if str(value) not in labels:
        raise ScaleError(
            f"rating {value!r} of rater {rater + 1}, response {row + 1}, is not on the scale "
            f"{', '.join(labels)}"
        )
    return labels[str(value)]


def _number(value: Any, row: int, rater: int) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise DataError(
            f"rating {value!r} of rater {rater + 1}, response {row + 1}, is not a number; "
            "list the labels in order as scale=[...] if scores are words"
        ) from None
    if not np.isfinite(number):
        raise DataError(f"rating {value!r} of rater {rater + 1}, response {row + 1}, is infinite")
    return number
