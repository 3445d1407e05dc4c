"""Limits beside ceilings, on spread and on people, and preconditions."""

import itertools

import numpy as np
import pytest
from msgspec.structs import replace

import tallymark as tm
from tallymark.questions.verdict.headline import judgement
from tallymark.results import AMONG_PEOPLE, CEILING
from tallymark.verdict.judged import of_criteria
from tallymark.verdict.policy import policy_of
from tests.verdict.made import criterion, limit, overall, told

STATES = ("met", "not met", "undecided", "not computable")


def table(seed, people=0.5, spread=1.0):
    """Two raters and a system on five points."""
    rng = np.random.default_rng(seed)
    true = rng.normal(3, 1.1, 300)

    def score(noise, times=1.0):
        return np.clip(np.rint(3 + times * (true - 3) + rng.normal(0, noise, 300)), 1, 5).tolist()

    return {"h1": score(people), "h2": score(people), "engine": score(0.5, spread)}


def policy_file(tmp_path, *criteria):
    path = tmp_path / "own.toml"
    path.write_text(
        'name = "own"\nversion = "1"\n' + "".join(f"[[criteria]]\n{c}\n" for c in criteria)
    )
    return path


@pytest.mark.parametrize("seed", range(3))
def test_limits_beside_ceilings_are_held_against_what_the_evaluation_found(tmp_path, seed):
    names = [
        f"{name}[{of},{ceiling}]"
        for name, of, ceiling in itertools.product(
            ("share_of_ceiling", "gap_to_ceiling"),
            ("qwk", "pearson"),
            ("human_human", "theoretical"),
        )
    ]
    criteria = [f'statistic = "{name}"\nat_least = -0.5' for name in names]
    found = tm.evaluate(
        table(seed), humans=["h1", "h2"], systems=["engine"], scale="1:5",
        policy=policy_file(tmp_path, *criteria),
    )  # fmt: skip
    (place,) = [
        i for i, s in enumerate(found.subsets) if s.against == CEILING and s.subject.is_system
    ]
    for held, name in zip(told(found).systems[0].criteria, names, strict=True):
        text = name.replace("qwk", "cohen_kappa[quadratic]")
        assert held.value == found.numbers[place][text].value
        assert held.state == "met"


@pytest.mark.parametrize("seed", range(6))
def test_the_ratio_of_spreads_is_that_of_numpy(seed):
    rng = np.random.default_rng(seed)
    gold, system = rng.integers(1, 7, 80), rng.integers(1, 7, 80) * 0.5 + 1
    found = tm.estimate("sd_ratio", gold, system, scale="1:6")
    assert found.value == pytest.approx(system.std() / gold.std(), rel=1e-12)
    assert found.low < found.value < found.high


@pytest.mark.parametrize(("spread", "state"), [(0.2, "not met"), (1.0, "met"), (2.5, "not met")])
def test_a_limit_on_spread_finds_what_is_drawn_together_or_apart(tmp_path, spread, state):
    limits = policy_file(tmp_path, 'statistic = "sd_ratio"\nat_least = 0.66\nat_most = 1.34')
    data = table(1, spread=spread)
    found = tm.evaluate(data, humans=["h1"], systems=["engine"], scale="1:5", policy=limits)
    assert told(found).state == state


def test_on_two_points_the_spread_is_no_statistic_of_its_own():
    columns = {"h1": [0, 1] * 30, "engine": [0, 1, 1] * 20}
    assert "sd_ratio" not in tm.evaluate(columns, scale="0:1").numbers[0]
    asked = tm.evaluate(columns, scale="0:1", statistics=["sd_ratio"]).estimates[0]
    assert np.isnan(asked.value)
    assert asked.why == "on two points the spread follows from how many pass"


@pytest.mark.parametrize("states", [*itertools.product(STATES, STATES)], ids=str)
def test_no_system_is_judged_unless_every_precondition_is_met(states):
    held = criterion(overall(0.8, 0.75, 0.85), limit(at_least=0.7))
    criteria = [
        replace(held, state=states[0], precondition=True),
        replace(held, state=states[1]),
    ]
    if states[0] != "met":
        assert of_criteria(criteria) == "undecided"
    else:
        assert of_criteria(criteria) == (
            "undecided" if states[1] == "not computable" else states[1]
        )


@pytest.mark.parametrize(("people", "judged"), [(0.4, True), (1.6, False)])
def test_where_people_disagree_too_much_the_verdict_says_so(tmp_path, people, judged):
    limits = policy_file(
        tmp_path,
        'statistic = "human_human[qwk]"\ntitle = "Human QWK"\nat_least = 0.6\nprecondition = true',
        'statistic = "exact"\nat_least = 0.01',
    )
    data = table(2, people=people)
    found = tm.evaluate(data, humans=["h1", "h2"], systems=["engine"], scale="1:5", policy=limits)
    verdict = told(found)
    words = str(judgement(verdict.systems[0], verdict))
    assert (verdict.state == "met") == judged
    assert ("is not judged by own: Human QWK must be met first" in words) == (not judged)
    beside = next(s for s in found.subsets if s.against == AMONG_PEOPLE and s.subject.is_system)
    human = found.of(beside)["human_human[cohen_kappa[quadratic]]"]
    assert (human.low >= 0.6) == judged


def test_a_precondition_is_read_from_the_file(tmp_path):
    one = 'statistic = "human_human[qwk]"\nat_least = 0.6\nprecondition = true'
    assert policy_of(policy_file(tmp_path, one)).limits[0].precondition
