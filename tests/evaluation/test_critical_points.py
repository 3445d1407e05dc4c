"""Critical errors in points: a gap of so many points or more, on the scale of every prompt."""

from typing import Any

import numpy as np
import pytest

import tallymark as tm
from tallymark.analyses.summary import markdown
from tallymark.errors import OptionError
from tallymark.results import Evaluation
from tallymark.study.again import command
from tests.awkward import awkward
from tests.routing.data import PLAIN, responses, terms

KEY = "csrate[points=2]"
QUICK: dict[str, Any] = {}


def rates(evaluation):
    against = [s for s in evaluation.subsets if str(s.against.kind) == "gold" and not s.fisher_z]
    return {s.prompt or s.trait or s.average or "": evaluation.of(s) for s in against}


@pytest.mark.parametrize(
    ("name", "column"),
    [("own_scales", "essay"), ("long_traits", "aspect"), ("odd_prompt", "essay")],
)
def test_the_rate_is_the_share_of_gaps_of_so_many_points_in_each_part_and_their_mean(name, column):
    columns, roles = awkward(name)
    numbers = rates(tm.evaluate(columns, **roles, critical=2, **QUICK))
    wide = np.abs(columns["h1"] - columns["engine"]) >= 2
    parts = np.unique(columns[column])
    for part in parts:
        expected = wide[columns[column] == part].mean()
        assert numbers[part][KEY].value == pytest.approx(expected)
    mean = numbers["prompt" if column == "essay" else "trait"][KEY].value
    assert mean == pytest.approx(np.mean([wide[columns[column] == part].mean() for part in parts]))


def test_points_are_shares_of_the_range_under_another_name():
    columns, roles = awkward("two_systems")
    points = tm.evaluate(columns, **roles, critical=2, **QUICK)
    shares = tm.evaluate(columns, **roles, lambda_=2 / 6, **QUICK)
    assert [e.value for e in points.estimates] == pytest.approx(
        [e.value for e in shares.estimates], nan_ok=True
    )
    named = {e.text.replace("points=2", "0.333333") for e in points.estimates}
    assert named == {e.text for e in shares.estimates}


def test_the_command_the_json_and_the_words_hold_points():
    columns, roles = awkward("two_systems")
    evaluation = tm.evaluate(columns, **roles, critical=2, **QUICK)
    assert "--critical 2" in command(evaluation)
    assert "--lambda" not in command(evaluation)
    assert Evaluation.from_json(evaluation.to_json()).to_json() == evaluation.to_json()
    assert "An error of 2 points or more is critical" in evaluation.to_html()


def test_points_and_shares_exclude_each_other():
    columns, roles = awkward("own_scales")
    for given in (
        {"lambda_": 0.3},
        {"prompts": {**roles["prompts"], "p1": {"lambda": 0.5}}},
    ):
        with pytest.raises(OptionError, match="name one"):
            tm.evaluate(columns, **{**roles, **given}, critical=2)


@pytest.mark.parametrize("points", [0, -1, 4])
def test_points_that_no_error_can_have_are_refused(points):
    columns, roles = awkward("own_scales")
    with pytest.raises(OptionError, match="critical"):
        tm.evaluate(columns, **roles, critical=points)


def test_a_routing_by_points_is_that_by_the_same_share():
    columns = responses(600, 1)
    given = {key: value for key, value in terms().items() if key != "lambda_"}
    points = tm.route.certify(columns, **given, critical=2, **PLAIN)
    shares = tm.route.certify(columns, **given, lambda_=0.4, **PLAIN)
    assert points.routing.thresholds == shares.routing.thresholds
    assert points.routing.lambda_ == pytest.approx(0.4)
    assert "--critical 2" in command(points.evaluation)
    assert "An error of 2 points or more is critical" in markdown(points.evaluation)
