"""Of one to six responses no printed interval is absurd: its ends are possible, or it has a reason."""

import math

import numpy as np
import pytest

import tallymark as tm
from tallymark.catalogue import range_of

FAR = 100
"""So many times the value, or 1, no end of an unbounded number lies from 0."""


def tiny(n, seed):
    rng = np.random.default_rng([n, seed])
    truth = rng.normal(2.5, 1.2, n)
    return {
        name: np.clip(np.rint(truth + rng.normal(0, 0.7, n)), 0, 5)
        for name in ("h1", "h2", "engine")
    }


def evaluated(n, seed, interval=None):
    return tm.evaluate(
        tiny(n, seed), humans=["h1", "h2"], systems=["engine"], scale="0:5", interval=interval
    )


@pytest.mark.parametrize("interval", [None, "analytic"])
@pytest.mark.parametrize("n", [3, 4, 5, 6])
def test_ends_are_possible_and_near(n, interval):
    for seed in range(4):
        for found in evaluated(n, seed, interval).estimates:
            if math.isnan(found.low):
                continue
            least, most = range_of(found.key)
            assert min(least, found.value) <= found.low <= found.value, found
            assert found.value <= found.high <= max(most, found.value), found
            if interval is None and "these_raters_low" not in found.parts:
                # two raters say next to nothing of others: chi-squared limits on one degree of freedom
                far = FAR * max(1.0, abs(found.value))
                assert max(abs(found.low), abs(found.high)) <= far, found


@pytest.mark.parametrize(("n", "seed"), [(1, 0), (2, 0), (6, 3)])
def test_no_command_gives_an_interval_without_width(n, seed):
    scores = tiny(n, seed)
    people = {name: scores[name] for name in ("h1", "h2")}
    two = ["h1", "h2"]
    for found in (
        tm.evaluate(scores, systems=["engine"], humans=two, scale="0:5"),
        tm.whatif(scores, systems=["engine"], humans=two, scale="0:5"),
        tm.raters(people, humans=two, scale="0:5"),
        tm.ceiling(people, humans=two, scale="0:5"),
    ):
        for e in found.estimates:
            assert not e.high - e.low <= 1e-9 * max(1, abs(e.value)), e
            assert e.why or not math.isnan(e.low), e


def test_a_share_of_a_ceiling_that_may_be_0_has_no_interval_but_the_reason():
    found = evaluated(3, 1).estimates
    shares = [e for e in found if e.name == "share_of_ceiling"]
    open_ended = [e for e in shares if math.isnan(e.low) and not math.isnan(e.value)]
    assert open_ended
    assert all("divided by may be 0" in e.why for e in open_ended)


def test_of_many_responses_a_share_has_an_interval():
    found = evaluated(200, 1).estimates
    shares = [e for e in found if e.name == "share_of_ceiling"]
    assert shares
    assert all(e.low < e.value < e.high for e in shares)
