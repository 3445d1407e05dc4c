"""The plan: which statistics are computed, on which parts of the data."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tallymark.catalogue import BY_NAME, find, texts
from tallymark.defaults import LAMBDA
from tallymark.inference import Formula
from tallymark.scale import Scale

Progress = Callable[[int, int], None]
"""FindingWords how many steps are done, and of how many."""
ON_POINTS = ("table", "cells", "ordinal", "errors")
"""Kinds of tally that a continuous scale has not."""


def formulas_for(
    scale: Scale,
    asked: Sequence[str] = (),
    *,
    leading: bool = False,
    lambda_: float = LAMBDA,
    critical: float | None = None,
) -> list[Formula]:
    """Bind the statistics for a scale; those of score points are left out on a continuous one.

    So are those that have one value only on this scale, unless they are asked for by name.

    ``lambda_`` is the share of the range from which an error is critical, ``critical`` the points
    by which it is called where these were asked for.
    """
    every = (*texts("default"), *(texts("two_points") if len(scale.points) == 2 else ()))
    names: Iterable[str] = asked or (texts("by_part") if leading else every)
    return [*_bound(scale, tuple(names), lambda_, critical, asked=bool(asked))]


@lru_cache(maxsize=64)
def _bound(
    scale: Scale, names: tuple[str, ...], lambda_: float, critical: float | None, *, asked: bool
) -> tuple[Formula, ...]:
    """The statistics of a scale, which parts of the data on it share."""
    formulas = []
    for name in names:
        given = {}
        if name in ("adjacent_agreement", "adjacent"):
            given = {"tolerance": max(1.0, scale.step)}
        elif name == "csrate":
            given = {"lambda_": lambda_}
        formula = find(name, given)
        if name == "csrate" and critical is not None:
            formula = replace(formula, params={"points": critical})
        tallies = BY_NAME[formula.name].tallies
        if scale.continuous and "gaps" in tallies:
            formula = replace(formula, tally="gaps")
        if scale.continuous and (formula.tally or tallies[0]) in ON_POINTS:
            continue
        row = BY_NAME[formula.name]
        if row.settled_on(np.asarray(scale.points), formula.params):
            if not asked:
                continue
            formula = replace(formula, value=_nothing, undefined=row.settled_why, parts=None)
        formulas.append(formula)
    return tuple(formulas)


def _nothing(tally: Any) -> NDArray[np.float64]:
    """No value: there is only one, whatever the scores."""
    return np.full(np.shape(tally.n), np.nan)
