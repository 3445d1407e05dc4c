"""How many sums a tally has: those that its formulas need, and no table of the points."""

import numpy as np
import pytest

from tallymark.catalogue import BY_NAME, find, texts
from tallymark.study.measured import home, units_by_tally
from tallymark.study.panel import panel_home, panel_units
from tallymark.study.units import Rows

DISTANCES = 5  # equal, linear, quadratic, adjacent, critical


def ratings(points, raters=2, n=400):
    rng = np.random.default_rng(0)
    truth = rng.uniform(0, points - 1, (n, 1))
    scores = np.clip(np.rint(truth + rng.normal(0, points / 10, (n, raters))), 0, points - 1)
    return Rows(scores, np.ones(n, np.int64), np.arange(float(points)))


@pytest.mark.parametrize("points", [6, 101])
def test_two_scores_have_a_sum_for_each_point_of_both_and_each_distance(points):
    formulas = [find(name) for name in texts("default")]
    units = units_by_tally([f for f in formulas if home(f) == "table"], ratings(points))["table"]
    assert units.width == 2 * points + DISTANCES


@pytest.mark.parametrize("points", [6, 101])
def test_a_panel_has_a_sum_for_each_point_and_each_distance(points):
    rows = ratings(points, raters=3)
    formulas = [find(name) for name in texts("panel")]
    on_points = [f for f in formulas if "panel" in BY_NAME[f.name].tallies]
    units = panel_units("panel", rows, on_points)
    assert {panel_home(f, rows) for f in on_points} == {"panel"}
    assert units.width == 2 + points + 3


def test_derivatives_of_ordinal_alpha_need_two_sums_a_point():
    rows = ratings(101)
    ordinal = find("krippendorff_alpha[ordinal]")
    near = units_by_tally([ordinal], rows)["ordinal"].nearby
    assert near.width == 2 * 101 + 1
