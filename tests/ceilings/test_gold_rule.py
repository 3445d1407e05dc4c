"""How the gold was made is found out from the ratings."""

import numpy as np
import pytest

from tallymark.reliability.gold_rule import adjacency, gold_rules, label
from tallymark.simulation import Rater, simulate

RATERS = [Rater(name, noise=0.9) for name in ("h1", "h2", "h3")]
MADE = simulate(300, scale="1:6", raters=RATERS, seed=1).ratings
ADJUDICATED = np.where(
    [[False, False, True]] & (np.abs(MADE[:, :1] - MADE[:, 1:2]) <= 1), np.nan, MADE
)


def found(ratings, gold):
    return gold_rules(ratings, gold, np.ones(len(gold), dtype=np.int64), low=1.0, step=1.0)


@pytest.mark.parametrize(
    "rule",
    ["first", "second", "sum", "mean", "mean_up", "mean_down", "mean_even", "higher", "lower"],
)
def test_the_rule_of_two_raters_is_found(rule):
    pair = MADE[:, :2]
    best = found(pair, label(rule, pair, low=1.0))[0]
    assert (best.rule, best.share) == (rule, 1.0)


@pytest.mark.parametrize(
    "rule", ["third", "median", "third_mean", "third_sum", "third_higher", "third_first", "parity"]
)
def test_the_rule_of_three_raters_is_found(rule):
    ratings = MADE if rule in ("third", "median") else ADJUDICATED
    best = found(ratings, label(rule, ratings, low=1.0))[0]
    assert (best.rule, best.share) == (rule, 1.0)


def test_a_few_changed_scores_lower_the_share_but_not_the_rule():
    pair = MADE[:, :2]
    gold = label("higher", pair)
    gold[:9] = 7 - gold[:9]
    best = found(pair, gold)[0]
    assert best.rule == "higher"
    assert 0.96 <= best.share < 1


def test_responses_without_gold_or_with_one_rating_tell_nothing():
    ratings = np.array([[1.0, 2], [3, np.nan], [4, 5], [2, 2]])
    best = found(ratings, np.array([2.0, 3, np.nan, 2]))[0]
    assert (best.rule, best.of, best.disputed) == ("higher", 2, 1)


def test_half_points_are_rounded_to_even_scores_not_to_even_steps():
    assert label("mean_even", np.array([[1.0, 2], [2, 3]]), low=1.0).tolist() == [2.0, 2.0]


def test_the_difference_that_calls_for_a_third_rating_is_found():
    assert adjacency(ADJUDICATED) == 1.0
