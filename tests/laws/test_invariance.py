"""An interval does not move with what carries no information: location, unit, order and names."""

import math
from typing import Any

import numpy as np
import pytest

import tallymark as tm
from tallymark.inference import Settings, estimate
from tallymark.study.panel import fitted
from tallymark.study.units import Rows
from tests.laws.cases import PAIRWISE, PANELS, Case, Lazy, cases

POWERS = {"points": 1, "squared": 2}
"""With which power of the unit of scores a number grows; other numbers do not."""
KINDS = (None, "abc", "bca", "percentile", "analytic")
OF_RATIOS = "ratio weights take 0 for a true zero"
OF_POINTS = "agreement within one point is about the unit of the scale"
GROUPS = {"pairs": (PAIRWISE, 2), "panels": (PANELS, 3), "panels with gaps": (PANELS, 3)}


def scored(n, raters, seed, *, gaps):
    rng = np.random.default_rng(seed)
    true = rng.integers(1, 5, n)
    values = np.clip(true[:, None] + rng.integers(-1, 2, (n, raters)), 1, 4).astype(float)
    return np.where(rng.random(values.shape) < 0.2 * gaps, np.nan, values)


def estimates(values, points, tallies, kind):
    units = Lazy(Rows(values, np.ones(len(values), np.int64), points), {})
    made = {}
    for case in cases("", tallies):
        own, formula = units[case.tally], case.row.bind(case.params)
        formula = fitted(formula, case.tally, own) if case.tally in PANELS else formula
        made[str(case)] = case, estimate(formula, own, Settings(replicates=100, interval=kind))
    return made


def exempt(case: Case, change: str) -> str:
    """Why a change does carry information for a statistic."""
    if case.distance == "ratio" and change.startswith("+"):
        return OF_RATIOS
    return OF_POINTS if case.name == "adjacent_agreement" and "x" in change else ""


def changed(values, points):
    """The scores after each change, with their points and the unit."""
    order = np.random.default_rng(9).permutation(len(values))
    yield "+ 5", values + 5, points + 5, 1
    yield "+ 0.1", values + 0.1, points + 0.1, 1
    yield "+ 1000", values + 1000, points + 1000, 1
    yield "x 10", values * 10, points * 10, 10
    yield "x 0.01", values * 0.01, points * 0.01, 0.01
    yield "other rows first", values[order], points, 1
    if values.shape[1] > 2:
        yield "other raters first", values[:, ::-1], points, 1


def differs(one, other, unit):
    if (one.method, bool(one.why)) != (other.method, bool(other.why)):
        return True
    numbers = np.array([(e.value, e.se, e.low, e.high) for e in (one, other)])
    numbers[0] *= unit
    return numbers[0] != pytest.approx(numbers[1], rel=1e-9, abs=1e-9 * unit, nan_ok=True)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("group", GROUPS)
def test_every_interval_is_the_same_after_a_change_that_says_nothing(group, kind):
    tallies, raters = GROUPS[group]
    moved, points = [], np.arange(1.0, 5.0)
    for n, seed in ((3, 0), (3, 1), (14, 0)):
        values = scored(n, raters, seed, gaps="gaps" in group)
        before = estimates(values, points, tallies, kind)
        for change, other, moved_points, unit in changed(values, points):
            for key, (case, found) in estimates(other, moved_points, tallies, kind).items():
                factor = unit ** POWERS.get(case.row.style, 0)
                if differs(before[key][1], found, factor) and not exempt(case, change):
                    moved.append((key, n, change, before[key][1], found))
    assert not moved, moved[0]


def test_names_of_systems_and_raters_move_nothing():
    rng = np.random.default_rng(2)
    size = 60
    true = rng.integers(1, 6, size)
    data: dict[str, Any] = {
        name: np.clip(true + rng.integers(-1, 2, size), 1, 5).tolist()
        for name in ("h1", "h2", "h3", "first", "second")
    }
    data["prompt"] = rng.choice(["p1", "p2"], size).tolist()
    asked: dict[str, Any] = {"scale": "1:5", "interval": "bca", "replicates": 100}
    asked |= {"prompt": "prompt", "humans": ["h1", "h2", "h3"]}
    before = tm.evaluate(data, systems=["first", "second"], **asked)
    renamed = {{"first": "zz", "h2": "q7"}.get(name, name): data[name] for name in data}
    asked["humans"] = ["h1", "q7", "h3"]
    after = tm.evaluate(renamed, systems=["zz", "second"], **asked)
    assert len(before.estimates) == len(after.estimates) > 500
    moved = [
        (one, other)
        for one, other in zip(before.estimates, after.estimates, strict=True)
        if differs(one, other, 1) and not math.isnan(one.value)
    ]
    assert not moved, moved[0]
