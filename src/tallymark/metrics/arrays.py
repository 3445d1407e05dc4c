"""Arrays of scores as a statistic takes them: two sequences, or responses x raters."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from tallymark.arrays import Floats
from tallymark.catalogue import Row
from tallymark.errors import DataError, ScaleError
from tallymark.scale import HALF_STEP, Scale
from tallymark.tally.arrays import NAMES, Missing, check_missing, matrix, on_scale, pair, trimmed

PAIRWISE = ("table", "cells", "moments", "ranks", "errors", "gaps")
"""Kinds of tally of two scores."""


def takes_two(row: Row) -> bool:
    """Whether the statistic compares two scores."""
    return row.tallies[0] in PAIRWISE


def takes_panels(row: Row) -> bool:
    """Whether the statistic compares any number of raters."""
    return row.tallies[-1] not in PAIRWISE


def score_columns(
    row: Row,
    params: Mapping[str, Any],
    first: Any,
    second: Any,
    *,
    scale: Scale | None,
    missing: Missing,
    beyond: str | float = HALF_STEP,
    names: tuple[str, str] = NAMES,
) -> tuple[Floats, ...] | Floats:
    """The scores of each rater, checked; the second of two may be a system, and is trimmed."""
    if second is not None:
        return pair(first, second, scale=scale, missing=missing, beyond=beyond, names=names)
    ratings = matrix(first, "ratings", scale)
    raters = ratings.shape[1]
    if raters < 2:
        raise DataError(f"{row.name} compares two or more raters, got {raters} column")
    if raters > 2 and not takes_panels(row):
        raise DataError(
            f"{row.name} compares two raters, got {raters} columns; "
            "choose two of them, or a statistic for panels such as gwet_ac or krippendorff_alpha"
        )
    if scale is not None and raters == 2:
        people = on_scale(ratings[:, :1], scale, "ratings")
        ratings = np.hstack([people, trimmed(ratings[:, 1:], scale, beyond)])
    elif scale is not None:
        on_scale(ratings, scale, "ratings")
    if needs_all(row, params):
        heard = ratings[:, ~np.isnan(ratings).all(axis=0)]
        lacking = np.where(np.isnan(heard).any(axis=1), np.nan, 0.0)
        check_missing(missing, ratings=lacking)
    return ratings.T


def needs_all(row: Row, params: Mapping[str, Any]) -> bool:
    """Whether the statistic takes only responses that every rater scored."""
    one_way = str(params.get("type")).startswith("1")
    return not takes_panels(row) or (row.tallies == ("complete",) and not one_way)


def no_points(row: Row) -> ScaleError:
    """The error where a statistic of score points meets scores that have none."""
    instead = (
        "krippendorff_alpha[interval] or icc"
        if takes_panels(row)
        else "lin_ccc, which is QWK for such scores"
    )
    return ScaleError(
        f"{row.name} needs score points, and these scores have no common step or need more than 101; declare "
        f"the points they are rounded to, for example scale='1:6', or take {instead}"
    )
