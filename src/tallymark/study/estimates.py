"""Estimates by name: ``tm.estimate("gwet_ac", ratings, weights="quadratic", scale="1:6")``."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec.structs import replace
from numpy.typing import ArrayLike, NDArray

from tallymark.arrays import Floats, Whole
from tallymark.catalogue import BY_NAME, find
from tallymark.defaults import LEVEL, REPLICATES, SEED
from tallymark.errors import DataError, OptionError, ScaleError
from tallymark.inference import Formula, Settings, Units
from tallymark.inference import estimate as estimate_units
from tallymark.inference.estimate import Kind
from tallymark.metrics.arrays import PAIRWISE, no_points, score_columns
from tallymark.results import Estimate
from tallymark.scale import HALF_STEP, Scale
from tallymark.signatures import typed
from tallymark.study.designed import with_design
from tallymark.study.panel import CONTINUOUS, fitted, panel_home, panel_units
from tallymark.study.units import Rows, units_of, units_of_chosen
from tallymark.tally.arrays import Missing, ScaleLike, declared, matrix, seen_scale

NAMES = ("ratings", "second")
COUNTED = {"panel", "pairable"}
"""Kinds of tally that need not know who gave which rating."""


@typed
def estimate(  # noqa: PLR0913 - one keyword for each form of data and option
    name: str,
    ratings: Any = None,
    second: Any = None,
    *,
    table: ArrayLike | None = None,
    counts: ArrayLike | None = None,
    scale: ScaleLike | None = None,
    trim: str | float = HALF_STEP,
    missing: Missing = "raise",
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

    ``ratings`` is responses x raters (an array, nested lists or a frame; None, NaN and masked scores
    are missing), or the first of two sequences, gold first and system ``second``. Instead, ``table``
    takes a two-rater table of counts (rows: first rater) and ``counts`` responses x score points.
    On a declared scale the second of two raters is trimmed to half a step beyond its ends (or as
    ``trim`` says: range, none), and taken at the nearest point where a statistic needs one; all
    others must lie on it. A response that lacks a score is refused, unless ``missing="drop"``
    leaves it out; statistics of panels that are defined with gaps use the scores that there are.
    ``weight`` is the design weight of each response, ``stratum`` the stratum that it was drawn from.
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
            points = declared(scale)
            raters = score_columns(
                row,
                formula.params,
                ratings,
                second,
                scale=points,
                missing=missing,
                beyond=trim,
                names=NAMES,
            )
            points = points or seen_scale(*raters)
            scores = np.array(raters).T
            continuous = points.continuous
            rows = Rows(scores, np.ones(len(scores), np.int64), np.asarray(points.points))
        if continuous and row.tallies in (("table",), ("cells",)):
            raise no_points(row)
        rows = with_design(rows, cluster, weight, stratum, of_table=table is not None)
        rows = rows if second is None else rows.complete()
        formula, units = _fitted(formula, rows, continuous=continuous)
    return replace(estimate_units(formula, units, settings), score=row.score)


def _fitted(formula: Formula, rows: Rows, *, continuous: bool) -> tuple[Formula, Units[Any]]:
    """The units a statistic needs of two raters or of a panel, and the interval that fits."""
    row, raters = BY_NAME[formula.name], rows.scores.shape[1]
    if continuous and "gaps" in row.tallies and raters == 2:
        return formula, units_of("gaps", rows)
    two = [kind for kind in row.tallies if kind in PAIRWISE]
    panel = len(two) < len(row.tallies)
    if two and raters == 2 and not (continuous and panel) and (rows.whole.all() or not panel):
        return formula, units_of(formula.tally or two[0], rows, [formula])
    kind = panel_home(formula, rows, continuous=continuous)
    if continuous and kind not in CONTINUOUS:
        raise no_points(row)
    units = panel_units(kind, rows, [formula])
    return fitted(formula, kind, units), units


def _of_table(table: ArrayLike, scale: ScaleLike | None) -> Rows:
    cells = matrix(table, "table")
    if cells.shape[0] != cells.shape[1]:
        raise DataError(f"table= must be square, rows for one rater, got shape {cells.shape}")
    whole = _whole(cells, "table=")
    points = _points(Scale.of(scale) if scale is not None else None, len(cells), "table=")
    first, second = np.meshgrid(points, points, indexing="ij")
    kept = whole.ravel() > 0
    scores = np.stack([first.ravel(), second.ravel()], axis=1)[kept]
    return Rows(scores, whole.ravel()[kept], points)


def _anonymous(formula: Formula, counts: ArrayLike, scale: ScaleLike | None) -> Units[Any]:
    """Units of responses of which it is known how many raters chose each point."""
    cells = matrix(counts, "counts")
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


def _whole(cells: NDArray[Any], what: str) -> Whole:
    if np.isnan(cells).any():
        raise DataError(f"{what} must hold counts, and one is missing; write 0")
    if (cells < 0).any() or (cells != np.floor(cells)).any():
        raise DataError(f"{what} must hold whole numbers of responses, none negative")
    return cells.astype(np.int64)
