"""How several ratings become one gold score."""

import math

import numpy as np
import pytest

from tallymark.errors import OptionError
from tallymark.scale import Scale
from tallymark.sources import Roles, read_scores
from tallymark.sources.resolution import gold_scale, needs_adjudication, resolve
from tests.goldens import Golden, check, claimed

RATINGS = "h1,h2,h3,engine\n1,1,,1\n2,4,3,3\n4,,,4\n1,6,,3\n"
ROLES = Roles(humans=("h1", "h2", "h3"), systems=("engine",))


@pytest.mark.parametrize(
    ("rule", "used"), [("first", 4), ("sum", 1), ("mean", 4), ("higher", 1), ("adjudicated", 2)]
)
def test_a_response_without_a_needed_rating_is_counted_out(write, rule, used):
    scores = read_scores(write(RATINGS), roles=ROLES, resolve=rule)
    assert (scores.facts.read, scores.facts.used) == (4, used)
    assert scores.patterns.where(scores.used).n == used
    assert scores.patterns.n == 4  # people are looked at on all of them


def test_a_sum_takes_as_many_ratings_as_any_response_has(write):
    pool = "r1,r2,r3,engine\n1,2,,3\n,2,3,5\n2,,2,4\n3,,,6\n"
    roles = Roles(humans=("r1", "r2", "r3"), systems=("engine",))
    for rule, gold in {"sum": [3.0, 4.0, 5.0], "higher": [2.0, 2.0, 3.0]}.items():
        scores = read_scores(write(pool), roles=roles, resolve=rule, scale="1:3")
        found = scores.patterns.where(scores.used).scores["gold"]
        assert sorted(found.tolist()) == gold
        said = f"fewer than the 2 ratings that the rule {rule!r} takes"
        assert scores.facts.exclusions == ((said, 1),)
        assert str(scores.gold_scale) == ("2:6" if rule == "sum" else "1:3")


def test_the_adjacency_decides_who_needs_an_adjudicator(write):
    scores = read_scores(write(RATINGS), roles=ROLES, resolve="adjudicated", adjacency=5)
    assert sorted(scores.patterns.scores["gold"][scores.used].tolist()) == [1.0, 3.0, 3.5]


def test_parity_takes_the_mean_with_the_closer_rating():
    gold = resolve([[1.0, 1.0], [4.0, 5.0], [2.0, 3.0]], "adjudicated", adjudication="parity")
    assert gold.tolist() == [1.5, 3.0]


@pytest.mark.parametrize("adjudication", ["expert", "parity"])
@pytest.mark.parametrize("scale", ["1:6", "0:3:0.5", "1,2,4,8"])
def test_every_adjudicated_score_lies_on_the_gold_scale(scale, adjudication):
    rater = Scale.parse(scale)
    points = set(gold_scale(rater, "adjudicated", 3).points)
    grid = np.array(np.meshgrid(*[rater.points] * 3)).reshape(3, -1)
    gold = resolve(grid, "adjudicated", adjudication=adjudication)
    assert set(gold.round(12).tolist()) <= points


@pytest.mark.parametrize("rule", ["sum", "mean", "higher", "lower", "first"])
@pytest.mark.parametrize("scale", ["1:6", "0:3:0.5", "1,2,4", "-2:2"])
def test_every_resolved_score_lies_on_the_gold_scale_and_reaches_its_ends(scale, rule):
    rater = Scale.parse(scale)
    found = gold_scale(rater, rule, 3)
    grid = np.array(np.meshgrid(*[rater.points] * 3)).reshape(3, -1)
    gold = resolve(grid, rule).round(12)
    assert set(gold.tolist()) == set(found.points)


def test_the_gold_of_a_continuous_scale_is_continuous():
    rater = Scale((0.0, 100.0), continuous=True)
    found = gold_scale(rater, "sum", 2)
    assert (found.low, found.high, found.continuous) == (0, 200, True)


def test_a_mean_of_given_ratings_skips_the_gaps():
    gold = resolve([[1.0, math.nan, math.nan], [2.0, 4.0, math.nan]], "mean")
    assert gold[:2].tolist() == [1.5, 4.0]
    assert math.isnan(gold[2])


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("meen", "Did you mean 'mean'"),
        ("adjudicated", "needs three human columns"),
        ("sum", "at least two"),
    ],
)
def test_a_rule_that_cannot_be_used_says_why(write, rule, said):
    with pytest.raises(OptionError, match=said):
        read_scores(write("h1,engine\n1,1\n"), roles=Roles(humans=("h1",)), resolve=rule)


def test_an_unknown_adjudication_is_refused(write):
    with pytest.raises(OptionError, match="expert or parity"):
        read_scores(write(RATINGS), roles=ROLES, resolve="adjudicated", adjudication="judge")


def test_the_need_for_an_adjudicator_ignores_the_last_binary_digit():
    assert needs_adjudication([0.3, 0.3], [0.1, 0.0], 0.2).tolist() == [False, True]


@claimed("tests/sources/test_resolution.py::test_resolution")
def test_resolution(golden: Golden) -> None:
    given = golden.input
    pair = [given["r1"], given["r2"]]
    panel = [*pair, [math.nan if score is None else score for score in given["adjudicator"]]]
    adjacency = given["adjacency"]
    found = {rule: resolve(pair, rule).tolist() for rule in ("sum", "mean", "higher", "lower")}
    found["needs_adjudication"] = needs_adjudication(pair[0], pair[1], adjacency).tolist()
    for how in ("parity", "expert"):
        gold = resolve(panel, "adjudicated", adjudication=how, adjacency=adjacency)
        found[f"adjudicated_{how}"] = gold.tolist()
    check(found, golden)
