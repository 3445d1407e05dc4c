"""How many responses settle a limit: by brute force, by hand, and by simulation of the verdict."""

import math
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

import tallymark as tm
from tallymark.catalogue import FORMULAS
from tallymark.inference import OnUnits, Settings, estimate_each
from tallymark.inference.interval import wilson
from tallymark.planning.forecast import (
    Forecast,
    LimitEnds,
    PartForecast,
    Proportion,
    Smooth,
    needed,
    of_difference,
    sampling_of,
)
from tallymark.planning.population import bell, latent_table
from tallymark.questions.verdict.settling import DECIDED
from tallymark.results import Estimate, Key
from tallymark.scale import Scale
from tallymark.study.formulas import formulas_for
from tallymark.study.measured import home
from tallymark.study.units import Rows, units_of
from tallymark.verdict.states import DECIDE, Bounds, by_interval, state_of
from tallymark.verdict.statistics import PAIRED

SIDES = (-1, 1)


def by_brute_force(n, base, share, bounds, state):
    """Every number of responses that the share is about, every outcome, the verdict's own rule."""
    chance = 0.0
    for m in range(1, n + 1):
        found = sum(
            binom.pmf(k, m, share)
            for k in range(m + 1)
            if state_of(*wilson(k / m, m, 0.95), bounds) == state
        )
        chance += (binom.pmf(m, n, base) if base < 1 else float(m == n)) * found
    return chance


@pytest.mark.parametrize(
    ("n", "base", "share", "bounds", "state"),
    [
        (19, 0.4, 0.95, Bounds(lower=0.8), "met"),
        (60, 0.3, 0.9, Bounds(lower=0.8), "met"),
        (50, 1.0, 0.9, Bounds(lower=0.8), "met"),
        (70, 0.9, 0.07, Bounds(upper=0.15), "met"),
        (60, 0.5, 0.6, Bounds(lower=0.8), "not met"),
        (60, 1.0, 0.3, Bounds(upper=0.2), "not met"),
        (80, 1.0, 0.5, Bounds(0.35, 0.65), "met"),
    ],
)
def test_every_outcome_of_a_proportion_is_counted(n, base, share, bounds, state):
    said = Proportion(share, base).decides(np.array([n]), LimitEnds(*bounds))[0]
    assert said == pytest.approx(by_brute_force(n, base, share, bounds, state), abs=1e-9)


def test_every_larger_number_of_responses_has_the_power_too():
    share, limits = Proportion(0.95, 0.3), LimitEnds(0.8)
    n = needed(lambda sizes: share.decides(sizes, limits), 0.8)
    chances = share.decides(np.arange(n - 1, 3 * n), limits)
    assert chances[0] < 0.8 <= chances[1:].min()


def test_by_hand():
    # (1.96 + .8416)^2 .05^2 / .02^2 of the first 300, either side of the limit
    for value in (0.72, 0.68):
        number = Smooth(value, 0.05, 1.959964 * 0.05, 1.959964 * 0.05, 300)
        forecast = Forecast(value, (PartForecast(number, LimitEnds(0.70)),))
        expected = 300 * (1.959964 + 0.841621) ** 2 * (0.05 / 0.02) ** 2
        assert forecast.needed(0.8) == math.ceil(expected)
    # three pairs: each test takes .05 / 3
    z = 2.393980
    assert of_difference(0.03, 0.02, 300, 0.95, 3).needed(0.8) == math.ceil(
        300 * ((z + 0.841621) * 0.02 / 0.03) ** 2
    )


def test_no_number_settles_a_value_on_the_limit_or_without_an_interval():
    assert sampling_of(Estimate(key=Key("bias"), value=0.1, n=50)) is None
    data = {"h": [0, 1] * 100, "m": [0, 1] * 50 + [1, 0] * 50}
    plan = tm.plan.settle(
        data, humans=["h"], systems=["m"], scale="0:1", statistic="accuracy", at_least=0.5
    )
    assert plan.findings[0].numbers.get("needed") is None


def test_a_proportion_of_one_is_planned_at_its_jeffreys_mean():
    data = {"h": [1] * 19 + [0] * 31, "m": [1] * 19 + [0] * 31}
    asked: dict[str, Any] = {"humans": ["h"], "systems": ["m"], "scale": "0:1", "at_least": 0.8}
    plan = tm.plan.settle(data, statistic="sensitivity", **asked)
    assert plan.findings[0].numbers["value"] == pytest.approx(19.5 / 20)
    # 19 responses, of which .38 are positive, settle it in 2 % of all samples, and a verdict asks for 100
    assert by_brute_force(19, 0.38, 19.5 / 20, Bounds(lower=0.8), "met") < 0.05
    n = round(plan.findings[0].numbers["needed"])
    assert n >= 100
    assert by_brute_force(n, 0.38, 19.5 / 20, Bounds(lower=0.8), "met") >= 0.8


def pilot(shares, correlation, n=250):
    """A table of two scorers, as a pilot of n responses finds it."""
    table = latent_table(np.array(shares), correlation)
    counts = np.random.default_rng(3).multinomial(n, table.ravel())
    scores = np.stack(np.divmod(np.arange(table.size), len(shares)), axis=1).astype(float)
    return scores, counts


POPULATIONS = {"binary": pilot((0.7, 0.3), 0.9), "four points": pilot(bell(4), 0.85)}
SINGLE = [r.name for r in FORMULAS if PAIRED & set(r.tallies)]
UNIT = {name: np.unique(scores).astype(float) for name, (scores, _) in POPULATIONS.items()}


def estimates(formula, population, draws):
    scores, points = POPULATIONS[population][0], UNIT[population]
    asked = [
        OnUnits(
            [formula],
            units_of(home(formula), Rows(scores[drawn > 0], drawn[drawn > 0], points), [formula]),
        )
        for drawn in draws
    ]
    return [
        each for (each,) in estimate_each(asked, Settings(replicates=300), keys=[0] * len(asked))
    ]


def check_power(name, population, side, runs):
    """Samples of the pilot are decided by the verdict's own rule as often as is said."""
    formulas = formulas_for(Scale(tuple(UNIT[population])), [name])
    counts = POPULATIONS[population][1]
    found = estimates(formulas[0], population, [counts])[0] if formulas else None
    sampling = None if found is None else sampling_of(found)
    if found is None or sampling is None:
        pytest.skip("no interval of this statistic on such scores")
    reach = (found.high - found.low) / 2
    end = sampling.value + side * 1.25 * reach
    limits = LimitEnds(lower=end) if side < 0 else LimitEnds(upper=end)
    n = max(100, needed(lambda sizes: sampling.decides(sizes, limits), 0.8))
    said = sampling.decides(np.array([n]), limits)[0]
    draws = np.random.default_rng(5).multinomial(n, counts / counts.sum(), size=runs)
    bounds = Bounds(limits.lower, limits.upper)
    states = [by_interval(each, bounds, 100) for each in estimates(formulas[0], population, draws)]
    share = states.count("met") / runs
    assert share == pytest.approx(said, abs=0.05 + 2 * math.sqrt(said * (1 - said) / runs))


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("name", ["sensitivity", "cohen_kappa", "mae", "balanced_accuracy"])
def test_that_many_responses_settle_it_as_often_as_is_said(name, side):
    check_power(name, "binary", side, runs=250)


@pytest.mark.slow
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("population", POPULATIONS)
@pytest.mark.parametrize("name", SINGLE)
def test_every_statistic_is_settled_as_often_as_is_said(name, population, side):
    check_power(name, population, side, runs=1000)


def test_every_rule_that_decides_limits_has_its_sentences():
    assert {*DECIDED} == {*DECIDE}
