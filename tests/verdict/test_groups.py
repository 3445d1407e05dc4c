"""Limits that hold in every group or prompt, from evaluations made by hand."""

import math

import pytest
from msgspec.structs import replace

from tallymark.results import Estimate, Key
from tallymark.verdict.states import bounds_of, p_outside
from tests.verdict.made import (
    QWK,
    SMD,
    criterion,
    evaluation,
    groups,
    limit,
    number,
    said,
)

HALF = limit(at_least=0.70)
EACH = limit("smd[unpooled]", "SMD of each group", at_least=-0.1, at_most=0.1, where="every group")


def test_groups_meet_a_limit_when_each_interval_does():
    found = criterion(groups(("f", 0.02, 0.05, 500), ("m", -0.03, 0.06, 400)), EACH)
    assert (found.state, found.group, found.passes) == ("met", "m", True)
    assert found.rows == (0, 1)


def test_one_group_shown_to_be_outside_breaks_a_limit():
    made = groups(("f", 0.02, 0.05, 500), ("m", 0.25, 0.08, 400))
    found = criterion(made, EACH)
    assert (found.state, found.group, found.value) == ("not met", "m", 0.25)
    words = said(made, EACH)
    assert words.startswith(
        "not met: SMD of each group (gender m) 0.25 [0.17, 0.33]. This group (400"
    )
    assert "is outside ±0.10, also when the tests of all 2 groups are adjusted (Holm)." in words


def test_tests_of_many_groups_are_adjusted():
    # 2.2 standard errors beyond the limit: enough alone, not among ten
    se = 0.03
    outside = ("x", 0.10 + 2.2 * se, 1.96 * se, 500)
    assert criterion(groups(outside), EACH).state == "not met"
    others = [(f"g{i}", 0.0, 0.05, 500) for i in range(9)]
    made = groups(outside, *others)
    found = criterion(made, EACH)
    assert (found.state, found.group) == ("undecided", "x")
    assert "9 of 10 intervals keep the limit" in said(made, EACH)
    assert found.needed > 500


def test_small_groups_are_named_and_decide_nothing():
    made = groups(("f", 0.0, 0.05, 500), ("m", 0.9, 0.1, 29))
    assert criterion(made, EACH).state == "undecided"
    assert "Too few responses to decide anything (below 30): gender m." in said(made, EACH)
    assert "(below 50)" in said(made, EACH, minimum_group=50)
    # the group whose number of responses can be told is the one that is
    made = groups(("f", 0.05, 0.08, 500), ("m", 0.9, 0.1, 29))
    assert criterion(made, EACH).group == "f"


def test_an_undefined_group_leaves_a_limit_open():
    made = groups(("f", 0.02, 0.05, 500), ("m", math.nan, math.nan, 400))
    found = criterion(made, EACH)
    assert (found.state, found.passes) == ("undecided", False)
    assert "1 of 2 intervals keep the limit" in said(made, EACH)
    assert "It is undefined for gender m" in said(made, EACH)
    assert criterion(groups(("f", 0.05, 0.08, 500), ("m", math.nan, 1, 400)), EACH).group == "f"


def test_the_test_of_lying_outside_counts_both_tails():
    found = Estimate(key=Key("smd"), value=0.0, se=1.0, n=1000)
    # at the middle of +-0: both tails are one half
    assert p_outside(found, bounds_of(0.0, 0.0)) == pytest.approx(1.0)
    far = replace(found, value=0.10 + 1.96, se=1.0)
    expected = 0.0249979 + 0.5 * math.erfc((0.2 + 1.96) / math.sqrt(2))
    assert p_outside(far, bounds_of(-0.1, 0.1)) == pytest.approx(expected, abs=1e-6)
    assert math.isnan(p_outside(replace(found, se=math.nan), bounds_of(-0.1, 0.1)))


def test_points_of_groups_alone():
    by_point = replace(EACH, decide="point")
    assert criterion(groups(("f", 0.02, 0.5, 50), ("m", 0.09, 0.6, 40)), by_point).state == "met"
    found = criterion(groups(("f", 0.02, 0.5, 50), ("m", 0.11, 0.6, 40)), by_point)
    assert (found.state, found.group) == ("not met", "m")


def test_an_undefined_group_is_not_outside_by_its_point():
    by_point = replace(EACH, decide="point")
    made = groups(("f", 0.02, 0.05, 500), ("m", math.nan, 1, 400))
    found = criterion(made, by_point)
    assert (found.state, found.group) == ("undecided", "m")
    assert (
        "No group breaks the limit (within ±0.10) by its value. It is undefined for gender m"
    ) in said(made, by_point)
    found = criterion(groups(("m", math.nan, 1, 400), ("f", 0.12, 0.05, 500)), by_point)
    assert (found.state, found.group) == ("not met", "f")


def test_a_group_whose_own_interval_holds_the_limit_is_not_shown_to_be_outside():
    # eight clusters: t with 7 degrees of freedom asks for 2.36 standard errors, not 1.96
    se, value = 0.06, 0.10 + 2.2 * 0.06
    wide = number(SMD, value, value - 2.36 * se, value + 2.36 * se, se=se, n=400)
    where = {"group_column": "gender", "group": "f"}
    assert criterion(evaluation((where, [wide]), groups=["gender"]), EACH).state == "undecided"
    narrow = number(SMD, value, value - 1.96 * se, value + 1.96 * se, se=se, n=400)
    assert criterion(evaluation((where, [narrow]), groups=["gender"]), EACH).state == "not met"


def test_every_prompt_must_keep_a_limit():
    made = evaluation(
        ({"prompt": "a"}, [number(QWK, 0.80, 0.75, 0.85)]),
        ({"prompt": "b"}, [number(QWK, 0.70, 0.60, 0.80)]),
    )
    found = criterion(made, replace(HALF, where="every prompt"))
    assert (found.state, found.group_column, found.group) == ("undecided", "prompt", "b")


# ------------------------------------------------------------------ which number


def test_the_average_over_prompts_is_the_headline():
    made = evaluation(
        ({}, [number(QWK, 0.90, 0.85, 0.95)]),
        ({"average": "prompt", "fisher_z": True}, [number(QWK, 0.8, 0.75, 0.85)]),
        ({"average": "prompt"}, [number(QWK, 0.60, 0.55, 0.65)]),
    )
    assert criterion(made, HALF).value == 0.60


def test_a_prompt_of_one_response_does_not_decide_a_mean_over_prompts():
    mean = {"average": "prompt"}, [number(QWK, 0.38, 0.36, 0.40, n=300)]
    parts = [
        ({"prompt": name}, [number(QWK, 0.7, 0.6, 0.8, n=n)]) for name, n in (("a", 1), ("b", 299))
    ]
    made = evaluation(mean, *parts)
    assert criterion(made, HALF).state == "undecided"
    assert "prompt a has only 1 response: below 30" in said(made, HALF)
    parts = [({"prompt": name}, [number(QWK, 0.4, 0.3, 0.5, n=150)]) for name in "ab"]
    assert criterion(evaluation(mean, *parts), HALF).state == "not met"
