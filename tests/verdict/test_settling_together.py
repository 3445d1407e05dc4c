"""A policy is settled as often as is said, and so are statistics that take more than two scores."""

import math
from typing import Any

import numpy as np
import pytest

from tallymark.analyses.evaluate import evaluate_scores
from tallymark.analyses.settling import policy_on_pilot, resampled
from tallymark.inference import Settings
from tallymark.sources import Roles, read_scores
from tallymark.verdict.judged import forecasts, judged
from tallymark.verdict.policy import Limit, Policy, policy_of


def pilot(n=300):
    """Two people, seven of ten responses rated twice, one system with a second run, two groups."""
    rng = np.random.default_rng(1)
    truth = 3.5 + 1.1 * rng.normal(size=n)

    def scored(error, shift: Any = 0.0):
        return np.clip(np.round(truth + shift + error * rng.normal(size=n)), 1, 6)

    group = rng.choice(["a", "b"], n)
    second = scored(0.55)
    second[rng.random(n) < 0.3] = np.nan
    table: dict[str, Any] = {"h1": scored(0.55), "h2": second, "m": scored(0.4), "m2": scored(0.4)}
    return table | {"group": group}


ROLES: dict[str, Any] = {
    "humans": ("h1", "h2"),
    "systems": ("m",),
    "groups": ("group",),
    "repeats": {"m": ("m", "m2")},
}


def delivered(scores, policy, n, runs):
    """The verdicts on samples of the pilot."""
    rng, states = np.random.default_rng(2), []
    for _ in range(runs):
        sample = evaluate_scores(resampled(scores, rng, n), Settings())
        verdict = judged(sample, policy).verdict
        assert verdict is not None
        states.append(verdict.state)
    return states


@pytest.mark.slow
@pytest.mark.parametrize(("groups", "state"), [((), "met"), (("group",), "not met")])
def test_a_policy_is_settled_as_often_as_is_said(groups, state):
    scores = read_scores(pilot(), roles=Roles(**(ROLES | {"groups": groups})), scale="1:6")
    policy, runs = policy_of("williamson2012"), 120
    together = policy_on_pilot(scores, "m", policy, 0.95).together
    n = together.needed(0.8)
    assert n is not None
    said = float(together.decides(np.array([n]))[0])
    share = delivered(scores, policy, n, runs).count(state) / runs
    assert share == pytest.approx(said, abs=0.05 + 2 * math.sqrt(said * (1 - said) / runs))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("statistic", "end", "where"),
    [
        ("degradation[cohen_kappa[quadratic]]", {"at_least": -0.06}, "overall"),
        ("human_system[cohen_kappa[quadratic]]", {"at_least": 0.74}, "overall"),
        ("human_human[pearson]", {"at_least": 0.72}, "overall"),
        ("prmse", {"at_least": 0.83}, "overall"),
        ("disattenuated_r", {"at_least": 0.9}, "overall"),
        ("mse_true", {"at_most": 0.24}, "overall"),
        ("self_consistency[exact]", {"at_least": 0.57}, "overall"),
        ("dsm", {"at_least": -0.12, "at_most": 0.12}, "every group"),
        ("gap_to_ceiling[cohen_kappa[quadratic],theoretical]", {"at_most": 0.14}, "overall"),
    ],
)
def test_statistics_of_people_groups_and_runs_are_settled_as_often_as_is_said(
    statistic, end, where
):
    limit = Limit(statistic=statistic, title="limit", where=where, **end)
    policy = Policy(name="one", version="1", title="", limits=(limit,))
    scores = read_scores(pilot(), roles=Roles(**ROLES), scale="1:6")
    (found,) = forecasts(evaluate_scores(scores, Settings()), "m", policy, of=300)
    assert found.forecast is not None
    n = found.forecast.needed(0.8)
    assert n is not None
    said, runs = float(found.forecast.decides(np.array([n]))[0]), 120
    states = delivered(scores, policy, n, runs)
    share = max(states.count("met"), states.count("not met")) / runs
    assert share == pytest.approx(said, abs=0.05 + 2 * math.sqrt(0.16 / runs)), (
        n,
        states.count("met"),
    )
