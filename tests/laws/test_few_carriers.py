"""A difference that fewer than six responses carry has no interval but the reason."""

import math
from typing import Any

import numpy as np
import pytest

import tallymark as tm

N = 120
DIFFERENCES = ("paired_difference", "degradation", "gap_to_ceiling", "osd_effect", "osa_effect")


def scores(differing, *, way=1.0):
    """People who agree, one system that is right, and one that errs on some responses only."""
    h = np.resize([1.0, 2.0, 3.0, 4.0, 5.0], N)
    system = h.copy()
    at = np.arange(differing) * 5 + np.arange(differing) % 3
    system[at] += way
    return {"h1": h, "h2": h.copy(), "right": h.copy(), "other": system}


def differences(columns, **roles):
    common: Any = {"humans": ["h1", "h2"], "scale": "1:6", "replicates": 100, **roles}
    yield from tm.compare(columns, systems=["right", "other"], **common).estimates
    one = {name: column for name, column in columns.items() if name != "right"}
    groups: Any = {} if "prompt" in roles else {"groups": ["g"]}
    one["g"] = np.resize(list("ab"), N)
    yield from tm.evaluate(one, systems="other", **groups, **common).estimates


def found(columns, **roles):
    made = [e for e in differences(columns, **roles) if e.name in DIFFERENCES]
    return [e for e in made if not math.isnan(e.value)]


@pytest.mark.parametrize("interval", [None, "analytic", "percentile"])
@pytest.mark.parametrize("differing", [1, 3, 5])
def test_fewer_than_six_responses_carry_no_interval(differing, interval):
    made = found(scores(differing), interval=interval)
    assert {e.name for e in made} >= {"paired_difference", "degradation", "gap_to_ceiling"}
    for one in made:
        assert math.isnan(one.low), one
        assert math.isnan(one.high), one
        assert one.why, one
    told = [e for e in made if e.name in ("paired_difference", "degradation")]
    assert any(f"only {differing} response" in e.why for e in told)


def test_six_responses_carry_one():
    made = [e for e in found(scores(6)) if e.name in ("paired_difference", "degradation")]
    known = [e for e in made if not math.isnan(e.low)]
    assert {e.name for e in known} == {"paired_difference", "degradation"}
    for one in known:
        ends = np.abs([one.low, one.high])
        assert (ends > 1e-9).all() or (ends == 0).any(), one


def test_a_wider_level_asks_for_more_responses_and_a_narrower_for_fewer():
    """All of m responses speak for one side by chance with probability 2 / 2^m."""
    for level, fewest in ((0.9, 5), (0.95, 6), (0.99, 8)):
        assert 2 / 2**fewest <= 1 - level + 1e-12 < 2 / 2 ** (fewest - 1)
        for differing in (fewest - 1, fewest):
            made = tm.compare(
                scores(differing), humans=["h1", "h2"], systems=["right", "other"], scale="1:6",
                level=level,
            ).estimates  # fmt: skip
            of = "paired_difference[cohen_kappa[quadratic]]"
            one = next(e for e in made if e.text == of)
            assert math.isnan(one.low) == (differing < fewest), one


def test_dependent_responses_count_as_one():
    columns = scores(10)
    candidate = np.arange(N) // 25  # the ten that differ are of three candidates
    made = [
        e
        for e in found({**columns, "c": candidate}, cluster="c")
        if e.name in ("paired_difference", "degradation")
    ]
    assert made
    assert all(math.isnan(e.low) for e in made)


def test_means_over_prompts_count_the_responses_of_all():
    columns = scores(5)
    prompts = np.resize(np.repeat(["p", "q", "r"], 5), N)
    made = [
        e
        for e in found({**columns, "p": prompts}, prompt="p")
        if e.name in ("paired_difference", "degradation")
    ]
    assert made
    assert all(math.isnan(e.low) and e.why for e in made)
