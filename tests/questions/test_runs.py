"""The score of a system that ran several times: every run, the first, their mean, their majority."""

from statistics import fmean
from typing import Any

import numpy as np
import pytest

import tallymark as tm
from tallymark.errors import OptionError
from tests.evaluation.panels import of

POINTS = [1, 2, 3, 4, 5]
RUNS = ("r1", "r2", "r3")
QWK = "cohen_kappa[quadratic]"


def scored(rng, size, spread):
    """A gold, and three runs of a judge that errs in a way of its own and by chance."""
    true = rng.normal(size=size)
    judged = true + 0.6 * rng.normal(size=size)
    runs = [judged + spread * rng.normal(size=size) for _ in RUNS]
    gold, *runs = (
        np.clip(np.rint(3 + 1.1 * values), 1, 5).astype(int)
        for values in (true + 0.4 * rng.normal(size=size), *runs)
    )
    return gold, runs


def table(seed=5, size=80) -> dict[str, list[Any]]:
    """Runs of which the first lacks two scores, and the second one."""
    rng = np.random.default_rng(seed)
    gold, runs = scored(rng, size, 0.8)
    data: dict[str, list[Any]] = {"gold": gold.tolist()}
    data |= {name: values.tolist() for name, values in zip(RUNS, runs, strict=True)}
    data["r1"][3] = data["r1"][7] = data["r2"][9] = None
    data["group"] = ["a", "b"] * (size // 2)
    data["prompt"] = ["p", "p", "q", "q"] * (size // 4)
    return data


def evaluated(data, **asked):
    given: dict[str, Any] = {"gold": "gold", "systems": ["r1"], "repeats": {"r1": RUNS}}
    return tm.evaluate(data, **{**given, "scale": "1:5", **asked})


def qwk(gold, scores):
    from sklearn.metrics import cohen_kappa_score

    both = [(g, round(s)) for g, s in zip(gold, scores, strict=True) if s is not None]
    return cohen_kappa_score(*zip(*both, strict=True), labels=POINTS, weights="quadratic")


def of_each(data, rows):
    """The mean QWK of the runs on some rows."""
    gold = [data["gold"][i] for i in rows]
    return fmean(qwk(gold, [data[run][i] for i in rows]) for run in RUNS)


def test_by_default_a_number_is_the_mean_over_the_runs_on_every_part_of_the_data():
    data = table()
    found = evaluated(data, groups=["group"], prompt="prompt")
    every = range(len(data["gold"]))
    parts = {
        f"r1|{key}={name}": [i for i in every if data[column][i] == name]
        for column, key, names in (("group", "group:group", "ab"), ("prompt", "prompt", "pq"))
        for name in names
    }
    expected = {part: of_each(data, rows) for part, rows in {"r1": every, **parts}.items()}
    for part, value in expected.items():
        assert of(found, part)[QWK].value == pytest.approx(value, rel=1e-12)
    assert of(found, "r1")[QWK].n == 80
    mean = of(found, "r1|average:prompt")[QWK]
    assert mean.value == pytest.approx(fmean(expected[f"r1|prompt={p}"] for p in "pq"), rel=1e-12)


@pytest.mark.parametrize("runs", ["first", "mean", "majority"])
def test_other_rules_give_each_response_one_score(runs):
    data = table()
    scores = []
    for each in zip(*(data[name] for name in RUNS), strict=True):
        given = [score for score in each if score is not None]
        most = max(given, key=lambda score: (given.count(score), -given.index(score)))
        mean = float(np.floor(fmean(given) + 0.5))  # half up, as all scores are rounded
        scores.append({"first": each[0], "mean": mean, "majority": most}[runs])
    found = of(evaluated(data, runs=runs), "r1")[QWK]
    assert found.value == pytest.approx(qwk(data["gold"], scores), rel=1e-12)
    assert found.n == (78 if runs == "first" else 80)  # what run 1 lacks stays missing


@pytest.mark.parametrize(
    ("runs", "words"),
    [
        ("each", "r1 ran 3 times: each number is the mean over its runs"),
        ("first", "its scores are those of run 1, r1"),
        ("mean", "r1: mean of 3 runs"),
        ("majority", "r1: majority of 3 runs"),
    ],
)
def test_the_rule_is_named(runs, words):
    assert any(words in note for note in evaluated(table(), runs=runs).data.notes)


def test_what_is_compared_with_people_is_the_mean_over_runs_too():
    data = table()
    rng = np.random.default_rng(8)
    data["second"] = np.clip(np.array(data["gold"]) + rng.integers(-1, 2, 80), 1, 5).tolist()
    asked: dict[str, Any] = {"gold": None, "humans": ["gold", "second"], "groups": ["group"]}
    both = evaluated(data, **asked)
    single = [
        tm.evaluate({**data, "r1": data[run]}, **asked, systems=["r1"], scale="1:5") for run in RUNS
    ]
    for subset, text in (
        ("r1 against people", f"degradation[{QWK}]"),
        ("r1 against true scores", "prmse"),
        ("r1 against other groups|group:group=a", "dsm"),
    ):
        runs = [of(one, subset)[text] for one in single]
        assert of(both, subset)[text].value == pytest.approx(fmean(e.value for e in runs))
        assert of(both, subset)[text].low == pytest.approx(fmean(e.low for e in runs))
    people = [of(one, "people against people") for one in (both, *single)]
    assert {repr(one) for one in people} == {repr(people[0])}  # no run moves them


def test_a_verdict_is_about_the_mean_over_runs():
    rng = np.random.default_rng(1)
    gold, runs = scored(rng, 400, 0.8)
    data = {"gold": gold.tolist()}
    data |= {name: values.tolist() for name, values in zip(RUNS, runs, strict=True)}
    found = evaluated(data, policy="williamson2012")
    assert found.verdict is not None
    (limit,) = [c for c in found.verdict.systems[0].criteria if c.statistic == QWK]
    assert limit.value == pytest.approx(of_each(data, range(400)), rel=1e-12)


def test_a_column_of_the_systems_own_is_its_score_unless_a_rule_is_named():
    data = table()
    data["judge"] = data["gold"]
    asked: dict[str, Any] = {"systems": ["judge"], "repeats": {"judge": RUNS}}
    own = evaluated(data, **asked)
    assert of(own, "judge")[QWK].value == 1
    assert any("judge: its own column is scored" in note for note in own.data.notes)
    first = of(evaluated(data, **asked, runs="first"), "judge")[QWK]
    assert first.value == pytest.approx(qwk(data["gold"], data["r1"]), rel=1e-12)


def test_labels_without_an_order_have_no_mean():
    data = {name: [f"c{v}" for v in values] for name, values in table().items() if name in RUNS}
    data["gold"] = data["r2"]
    with pytest.raises(OptionError, match='runs="mean" needs scores in an order'):
        evaluated(data, scale=None, categories=["c1", "c2", "c3", "c4", "c5", "cNone"], runs="mean")


def covered(samples, size, spread, seed):
    """The share of intervals that hold the mean QWK of the runs in the population."""
    rng = np.random.default_rng(seed)
    gold, runs = scored(rng, 400_000, spread)
    truth = fmean(tm.metrics.quadratic_weighted_kappa(gold, run, scale="1:5") for run in runs)
    held, widths = [], []
    for _ in range(samples):
        gold, runs = scored(rng, size, spread)
        data = {"gold": gold, **dict(zip(RUNS, runs, strict=True))}
        found = of(evaluated(data, statistics=["qwk"]), "r1")[QWK]
        held.append(found.low <= truth <= found.high)
        widths.append((found.value, found.se))
    values, errors = np.array(widths).T
    return np.mean(held), errors.mean() / values.std()


@pytest.mark.parametrize("spread", [0.2, 1.0])
def test_the_interval_of_the_mean_over_runs_knows_that_responses_are_the_same(spread):
    share, ratio = covered(60, 100, spread, seed=3)
    assert share >= 0.88
    assert 0.8 < ratio < 1.25


@pytest.mark.slow
@pytest.mark.parametrize("size", [60, 200])
@pytest.mark.parametrize("spread", [0.2, 1.0])
def test_the_interval_of_the_mean_over_runs_covers(spread, size):
    share, ratio = covered(500, size, spread, seed=size)
    assert 0.925 <= share <= 0.975
    assert 0.9 < ratio < 1.1
