"""How many responses would settle a limit: by hand, and by simulation."""

import math

import numpy as np
import pytest

from tallymark.planning.sizes import more_for_power, responses_to_settle
from tallymark.questions.verdict.settling import DECIDED
from tallymark.verdict.states import DECIDE, Bounds, state_of


def test_by_hand():
    # .05 to the lower end, .01 to the limit: 25 times as many
    assert responses_to_settle(0.71, 0.66, 0.76, 376, lower=0.70) == 9400
    # below the limit the upper end counts: (.06 / .03)^2 = 4
    assert responses_to_settle(0.67, 0.60, 0.73, 100, lower=0.70) == 400
    # between two limits the farther demand: (.10 / .05)^2 and (.10 / .25)^2
    assert responses_to_settle(0.10, 0.0, 0.2, 100, lower=-0.15, upper=0.15) == 400
    # above the upper limit the lower end counts, stretched twice: (2 x .1 / .1)^2
    assert responses_to_settle(0.25, 0.15, 0.30, 50, upper=0.15, widened=2.0) == 200


def test_no_number_settles_a_value_on_the_limit_or_without_an_interval():
    assert responses_to_settle(0.70, 0.65, 0.75, 100, lower=0.70) is None
    assert responses_to_settle(0.72, math.nan, math.nan, 100, lower=0.70) is None
    assert responses_to_settle(0.10, math.nan, math.nan, 100, upper=0.15) is None
    assert responses_to_settle(math.nan, math.nan, math.nan, 100, lower=0.70) is None


@pytest.mark.parametrize(("times", "chance"), [(1.0, 0.5), (more_for_power(0.8, 0.95), 0.8)])
def test_that_many_responses_settle_it_as_often_as_is_said(times, chance):
    """A mean of normal values, truly .10, held against at most .15."""
    pilot, sd, bounds = 50, 0.4, Bounds(upper=0.15)
    half = 1.96 * sd / math.sqrt(pilot)
    needed = responses_to_settle(0.10, 0.10 - half, 0.10 + half, pilot, upper=bounds.upper)
    n = round(needed * times)
    rng = np.random.default_rng(1)
    means = rng.normal(0.10, sd / math.sqrt(n), size=4000)
    reach = 1.96 * sd / math.sqrt(n)
    settled = [state_of(mean - reach, mean + reach, bounds) == "met" for mean in means]
    assert np.mean(settled) == pytest.approx(chance, abs=3 * math.sqrt(0.25 / 4000))


def test_every_rule_that_decides_limits_has_its_sentences():
    assert {*DECIDED} == {*DECIDE}
