"""Systems beside people: the same responses, the same targets, and a fair difference."""

import itertools
import math
from typing import Any

import numpy as np
import pytest

import tallymark as tm
from tallymark.results import AMONG_PEOPLE
from tests.evaluation.panels import NAN, columns, compared, evaluated, exchangeable, of
from tests.said import notes

QWK = "cohen_kappa[quadratic]"
DEGRADATION = f"degradation[{QWK}]"


def qwk(first, second):
    return tm.metrics.cohen_kappa(first, second, weights="quadratic", scale="1:5")


def with_gaps(ratings, seed, share=0.3):
    holes = np.random.default_rng(seed).random(ratings.shape) < share
    return np.where(holes, NAN, ratings)


def chosen_pairs(ratings, seed, each=2):
    """Keep so many ratings of each response, of raters drawn at random."""
    order = np.random.default_rng(seed).random(ratings.shape).argsort(axis=1)
    return np.where(order < each, ratings, NAN)


def test_degradation_of_two_raters_with_gaps_is_the_difference_on_matched_responses():
    people = exchangeable(1, 3)
    raters, system = with_gaps(people[:, :2], 1), people[:, 2]
    system[::7] = NAN
    both = ~np.isnan(raters).any(axis=1) & ~np.isnan(system)
    one, other, own = raters[both, 0], raters[both, 1], system[both]
    expected = (qwk(one, own) + qwk(other, own)) / 2 - qwk(one, other)
    found = compared(raters, system)
    assert found[DEGRADATION].value == pytest.approx(expected)
    assert found[DEGRADATION].n == both.sum()
    assert found[f"human_human[{QWK}]"].value == pytest.approx(qwk(one, other))


def test_of_three_raters_with_gaps_each_pair_is_compared_on_its_own_responses():
    people = exchangeable(2, 4, n=300)
    raters, system = with_gaps(people[:, :3], 2), people[:, 3]
    differences = []
    for first, second in itertools.permutations(range(3), 2):
        here = ~np.isnan(raters[:, [first, second]]).any(axis=1)
        a, b, own = raters[here, first], raters[here, second], system[here]
        differences.append(qwk(a, own) - qwk(a, b))
    assert compared(raters, system)[DEGRADATION].value == pytest.approx(np.mean(differences))


def test_left_out_in_turn_system_and_rater_meet_the_same_mean_of_the_others():
    raters = np.array([[1, 2, 3], [4, 4, 5], [2, 2, 1], [5, 3, 4], [3, 3, 3]], dtype=float)
    system = np.array([2.0, 5, 1, 4, 3])
    mine, theirs = [], []
    for rater in range(3):
        others = np.delete(raters, rater, axis=1).mean(axis=1)
        mine.append(tm.metrics.lin_ccc(others, system))
        theirs.append(tm.metrics.lin_ccc(others, raters[:, rater]))
    found = compared(raters, system, "the other raters")
    assert found["human_system[lin_ccc]"].value == pytest.approx(np.mean(mine))
    assert found["human_human[lin_ccc]"].value == pytest.approx(np.mean(theirs))
    assert found["degradation[lin_ccc]"].value == pytest.approx(np.mean(mine) - np.mean(theirs))


def mean_degradation(make, statistic=DEGRADATION, against="people", runs=8):
    found = []
    for seed in range(runs):
        ratings, system = make(seed)
        found.append(compared(ratings, system, against, interval="analytic")[statistic].value)
    return np.mean(found), np.std(found, ddof=1) / math.sqrt(runs)


def no_gaps(ratings, seed):
    return ratings


def split(people, gaps=no_gaps, seed=0):
    return gaps(people[:, :-1], seed), people[:, -1]


def hard_ones_thrice(ratings, seed):
    """A third rater who sees the extreme responses only, by the truth behind the scores."""
    truth = np.random.default_rng(seed).normal(3, 1, len(ratings))
    easy = np.abs(truth - 3) < 1
    return np.where(easy[:, None] & (np.arange(3) == 2), NAN, ratings)


def adjudicated(ratings, seed):
    """A third rater who sees the disputed responses only."""
    agreed = ratings[:, 0] == ratings[:, 1]
    return np.where(agreed[:, None] & (np.arange(3) == 2), NAN, ratings)


@pytest.mark.parametrize(
    ("raters", "gaps"),
    [
        (2, no_gaps),
        (3, with_gaps),
        (3, hard_ones_thrice),
        (3, adjudicated),
        (9, chosen_pairs),
    ],
)
def test_one_more_rater_called_a_system_is_no_worse_than_the_raters(raters, gaps):
    # rater and system are drawn alike: whatever is left of the mean is chance
    def make(seed):
        return split(exchangeable(seed, raters + 1, n=400, severity=0.1), gaps, seed)

    mean, error = mean_degradation(make)
    assert abs(mean) < max(3 * error, 0.005)
    assert error < 0.02


def test_left_out_in_turn_one_more_rater_is_no_worse_either():
    def make(seed):
        return split(exchangeable(seed, 4, n=400), with_gaps, seed)

    mean, error = mean_degradation(make, "degradation[lin_ccc]", "the other raters")
    assert abs(mean) < 3 * error
    assert error < 0.02


def test_a_more_exact_system_is_better_than_people_and_a_careless_one_worse():
    rng = np.random.default_rng(3)
    truth = rng.normal(3, 1, 400)
    raters = np.clip(np.rint(truth[:, None] + rng.normal(0, 0.8, (400, 2))), 1, 5)
    exact = compared(raters, np.clip(np.rint(truth), 1, 5))[DEGRADATION]
    careless = compared(raters, np.clip(np.rint(truth + rng.normal(0, 1.5, 400)), 1, 5))[
        DEGRADATION
    ]
    assert exact.low > 0
    assert careless.high < 0


def test_the_interval_of_the_difference_covers():
    inside = 0
    for seed in range(30):
        found = compared(*split(exchangeable(seed, 3, n=150)))[DEGRADATION]
        inside += found.low <= 0 <= found.high
    assert inside >= 25  # of 30 at level .95; fewer is less likely than 1 in 300


def test_the_difference_is_more_certain_than_its_two_parts():
    found = compared(*split(exchangeable(5, 3, n=400)))
    apart = math.hypot(found[f"human_system[{QWK}]"].se, found[f"human_human[{QWK}]"].se)
    assert found[DEGRADATION].se < 0.9 * apart


def test_a_pool_with_ids_is_the_same_as_wide_columns():
    people = exchangeable(6, 5, n=120)
    wide, system = chosen_pairs(people[:, :4], 6), people[:, 4]
    names = np.array(["r1", "r2", "r3", "r4"])
    given = ~np.isnan(wide)
    who = np.stack([names[row] for row in given])
    slots = {
        "s1": [float(row[g][0]) for row, g in zip(wide, given, strict=True)],
        "s2": [float(row[g][1]) for row, g in zip(wide, given, strict=True)],
        "id1": who[:, 0],
        "id2": who[:, 1],
        "sys": system,
        "best": system,
    }
    table = {**columns(wide, system), "best": list(system)}
    asked: dict[str, Any] = {"gold": "best", "systems": ["sys"], "scale": "1:5", "replicates": 200}
    same_numbers(
        tm.evaluate(table, humans=[*names], **asked),
        tm.evaluate(slots, humans=["s1@id1", "s2@id2"], **asked),
        ("sys against people", "people against people"),
    )


def test_a_long_table_is_the_same_as_wide_columns():
    people = exchangeable(6, 3, n=80)
    people[::9, 1] = NAN
    table = columns(people[:, :2], people[:, 2])
    long = [
        {"response": i, "rater": name, "score": value}
        for name, column in table.items()
        for i, value in enumerate(column)
        if value is not None
    ]
    roles: dict[str, Any] = {"response": "response", "rater": "rater", "score": "score"}
    one, other = (
        evaluated(table),
        tm.evaluate(
            long, humans=["r1", "r2"], systems=["sys"], scale="1:5", replicates=200, **roles
        ),
    )
    same_numbers(one, other, [subset.id for subset in one.subsets])


def same_numbers(one, other, subsets):
    for subset in subsets:
        here, there = of(one, subset), of(other, subset)
        assert there.keys() == here.keys()
        for text, found in here.items():
            numbers = (found.value, found.low, found.high, found.n)
            mine = there[text]
            assert (mine.value, mine.low, mine.high, mine.n) == pytest.approx(
                numbers, rel=1e-9, nan_ok=True
            ), f"{subset}: {text}"


def test_a_pool_counts_ratings_and_every_response_once():
    # 13 raters, two or three of whom see a response: one table of pairs of ratings
    people = exchangeable(7, 14, n=60)
    raters, system = chosen_pairs(people[:, :13], 7, each=2), people[:, 13]
    raters[::5] = chosen_pairs(people[::5, :13], 8, each=3)
    agreed = [
        np.mean([a == b for a, b in itertools.combinations(row[~np.isnan(row)], 2)])
        for row in raters
    ]
    matched = [np.mean(row[~np.isnan(row)] == own) for row, own in zip(raters, system, strict=True)]
    found = compared(raters, system)
    assert found["human_human[percent_agreement]"].value == pytest.approx(np.mean(agreed))
    assert found["human_system[percent_agreement]"].value == pytest.approx(np.mean(matched))


def test_the_system_is_reported_against_each_rater_on_the_responses_of_both():
    people = exchangeable(8, 3)
    raters, system = with_gaps(people[:, :2], 8), people[:, 2]
    found = evaluated({**columns(raters, system), "best": list(system)}, gold="best")
    for rater in range(2):
        here = ~np.isnan(raters[:, rater])
        estimate = of(found, f"sys against r{rater + 1}")[QWK]
        assert estimate.value == pytest.approx(qwk(raters[here, rater], system[here]))
        assert estimate.n == here.sum()


def test_the_panel_and_every_pair_of_raters_are_reported_with_their_n():
    people = exchangeable(9, 4)
    raters = with_gaps(people[:, :3], 9)
    found = evaluated({**columns(raters, people[:, 3]), "best": list(people[:, 3])}, gold="best")
    panel = of(found, "people against people")
    each = []
    for first, second in itertools.combinations(range(3), 2):
        here = ~np.isnan(raters[:, [first, second]]).any(axis=1)
        estimate = of(found, f"r{second + 1} against r{first + 1}")[QWK]
        assert estimate.n == here.sum()
        each.append(estimate.value)
    assert panel["mean_pairwise_kappa[quadratic]"].value == pytest.approx(np.mean(each))
    for name in ("gwet_ac[quadratic]", "krippendorff_alpha[ordinal]", "icc[1,1]", "icc[2,1]"):
        word, _, given = name.rstrip("]").partition("[")
        key = {"gwet_ac": "weights", "krippendorff_alpha": "metric", "icc": "type"}[word]
        params: dict[str, Any] = {key: given}
        alone = tm.estimate(word, raters, scale="1:5", missing="drop", **params)
        assert panel[name].value == pytest.approx(alone.value), name


def test_clusters_are_what_is_resampled():
    people = exchangeable(10, 3, n=100)
    twice = np.repeat(people, 2, axis=0)
    table = {
        **columns(twice[:, :2], twice[:, 2]),
        "pupil": np.repeat(np.arange(100), 2).astype(str),
    }
    together = of(evaluated(table, cluster="pupil"), "sys against people")[DEGRADATION]
    alone = of(evaluated(columns(people[:, :2], people[:, 2])), "sys against people")[DEGRADATION]
    assert together.value == pytest.approx(alone.value)
    assert together.se == pytest.approx(alone.se, rel=0.2)
    assert "clusters" in together.method
    panel = of(evaluated(table, cluster="pupil"), "people against people")
    assert {e.n for e in panel.values()} == {200}


def test_continuous_raters_are_compared_by_moments():
    rng = np.random.default_rng(11)
    truth = rng.normal(50, 10, 150)
    people = truth[:, None] + rng.normal(0, 5, (150, 3))
    found = evaluated(columns(people[:, :2], people[:, 2]), scale=None)
    differences = of(found, "sys against people")
    assert "degradation[lin_ccc]" in differences
    assert DEGRADATION not in differences
    panel = of(found, "people against people")
    alpha, icc = panel["krippendorff_alpha[interval]"], panel["icc[1,1]"]
    assert alpha.value == pytest.approx(0.8, abs=0.06)
    assert alpha.value == pytest.approx(icc.value, abs=0.01)
    assert "gwet_ac[quadratic]" not in panel


def test_an_adjudicator_is_named_and_left_out():
    people = exchangeable(12, 4, n=150)
    raters = adjudicated(people[:, :3], 12)
    found = evaluated({**columns(raters, people[:, 3]), "best": list(people[:, 3])}, gold="best")
    assert any(f.startswith("r3 rated only responses on which") for f in notes(found))
    without = compared(raters[:, :2], people[:, 3])[DEGRADATION]
    assert of(found, "sys against people")[DEGRADATION].value == pytest.approx(without.value)
    assert "sys against the other raters" not in {s.id for s in found.subsets}


def test_raters_who_never_vary_or_share_nothing_give_reasons_and_no_crash():
    constant = evaluated(columns(np.full((20, 2), 3.0), np.arange(20) % 5 + 1))
    for estimate in of(constant, "people against people").values():
        assert not math.isnan(estimate.value) or estimate.why
    assert of(constant, "sys against people")[DEGRADATION].why
    apart = np.array([[1, NAN], [2, NAN], [NAN, 3], [NAN, 4]])
    table = {**columns(apart, [1, 2, 3, 4]), "best": [1, 2, 3, 5]}
    for estimate in of(evaluated(table, gold="best"), "people against people").values():
        assert math.isnan(estimate.value)
        assert estimate.why in (
            "no response was rated twice",
            "no two raters share a response",
            "no response was rated by every rater",
        )
    single = evaluated({"r1": [1, 2, 3, 4], "sys": [1, 2, 3, 5]})
    assert not any(s.against == AMONG_PEOPLE for s in single.subsets)


def test_the_results_of_people_come_back_from_json():
    people = exchangeable(13, 4, n=60)
    found = evaluated(columns(people[:, :3], people[:, 3]))
    text = found.to_json()
    assert tm.Evaluation.from_json(text).to_json() == text
    assert tm.Evaluation.from_json(text).definitions[DEGRADATION].title
