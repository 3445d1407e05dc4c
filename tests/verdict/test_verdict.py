"""What a verdict says of one limit and of all, from evaluations made by hand."""

import math
from itertools import product

import pytest
from msgspec.structs import replace

import tallymark as tm
from tallymark.questions.verdict import say
from tallymark.results import CEILING, PEOPLE, Estimate, Key, State, system_called
from tallymark.verdict.judged import FEWEST, judged
from tallymark.verdict.judged import overall as worst
from tallymark.verdict.states import bounds_of, inside, state_of
from tests.verdict.made import (
    QWK,
    SMD,
    criterion,
    evaluation,
    groups,
    limit,
    number,
    overall,
    policy,
    said,
    told,
    verdict_of,
)

HALF = limit(at_least=0.70)
EACH = limit("smd[unpooled]", "SMD of each group", at_least=-0.1, at_most=0.1, where="every group")


def four_in_five(n, reach, away):
    """Responses whose interval clears a limit so far away in 80 % of samples."""
    return math.ceil(n * ((reach + 0.841621 * reach / 1.96) / away) ** 2)


def test_the_sentence_of_an_open_criterion():
    made = overall(0.71, 0.66, 0.76, n=376)
    assert said(made, HALF) == (
        "undecided: QWK .71 [.66, .76]. The value is above .70, but these data leave it open. If "
        ".71 is the true value, about 20,000 responses settle it with a probability of 80 %."
    )
    found = criterion(made, HALF)
    assert (found.state, found.passes, found.needed) == (
        "undecided",
        True,
        four_in_five(376, 0.05, 0.01),
    )


def test_a_value_just_beside_a_rounded_limit_is_written_with_a_decimal_more():
    words = said(overall(0.694, 0.66, 0.724, n=1200), replace(HALF, decimals=2))
    assert words.startswith("undecided: QWK .694 [.660, .724]. The value is below .70, but")


@pytest.mark.parametrize(("statistic", "fewest"), [(QWK, 100), (SMD, 30)])
def test_with_fewer_responses_a_limit_stays_open_however_narrow_the_interval(statistic, fewest):
    bounds = limit(str(Key(statistic[0], **statistic[1])), "it", at_least=0.5)
    for n, state in ((fewest - 1, "undecided"), (fewest, "met")):
        made = evaluation(({}, [number(statistic, 0.8, 0.79, 0.81, n=n)]))
        assert criterion(made, bounds).state == state


@pytest.mark.parametrize("limits", range(4))
def test_the_whole_is_as_its_worst_limit_and_open_without_any(limits):
    order: tuple[State, ...] = ("met", "undecided", "not met")
    for states in product(order, repeat=limits):
        expected = order[max(map(order.index, states))] if states else "undecided"
        assert worst(states) == expected


def test_a_number_that_would_settle_it_is_never_rounded_to_what_there_is():
    made = overall(0.75, 0.6995, 0.80, n=200)
    assert criterion(made, HALF).needed == 416
    assert "is the true value, about 420 responses settle" in said(made, HALF)


@pytest.mark.parametrize(
    ("value", "low", "high", "state", "passes"),
    [
        (0.80, 0.76, 0.84, "met", True),
        (0.72, 0.70, 0.74, "met", True),
        (0.60, 0.50, 0.69, "not met", False),
        (0.69, 0.66, 0.72, "undecided", False),
        (0.71, math.nan, math.nan, "undecided", True),
        (math.nan, math.nan, math.nan, "not computable", None),
    ],
)
def test_states_of_a_lower_limit(value, low, high, state, passes):
    found = criterion(overall(value, low, high), HALF)
    assert (found.state, found.passes) == (state, passes)


def test_the_point_decides_where_the_policy_says_so():
    found = criterion(overall(0.71, 0.66, 0.76), replace(HALF, decide="point"))
    assert found.state == "met"
    by_point = said(overall(0.71, 0.66, 0.76), replace(HALF, decide="point"))
    assert by_point.endswith("The value is above .70; the policy decides by it alone.")
    assert criterion(overall(0.69, 0.6, 0.76), replace(HALF, decide="point")).state == "not met"


def test_rounding_moves_the_limit_for_point_and_interval_alike():
    rounded = replace(HALF, decimals=2)
    assert criterion(overall(0.72, 0.695, 0.76), rounded).state == "met"
    assert criterion(overall(0.72, 0.695, 0.76), HALF).state == "undecided"
    assert criterion(overall(0.60, 0.55, 0.6949), rounded).state == "not met"
    made = overall(0.698, 0.66, 0.73)
    assert criterion(made, rounded).passes
    assert ".698" in said(made, rounded)
    assert "at least .70 when rounded" in said(made, rounded)


def test_what_would_be_rounded_up_beyond_an_upper_limit_is_outside():
    bounds = bounds_of(-0.15, 0.15, decimals=2)
    assert inside(0.1549999, bounds)
    assert not inside(0.155, bounds)


def test_values_on_a_limit_keep_it_and_no_number_of_responses_would_settle_them():
    found = criterion(overall(0.70, 0.65, 0.75), HALF)
    assert found.passes
    assert found.needed is None
    assert "no number of responses settles it" in said(overall(0.70, 0.65, 0.75), HALF)


def test_too_few_responses_leave_a_limit_open():
    made = overall(0.85, 0.78, 0.91, n=FEWEST - 1)
    found = criterion(made, HALF)
    assert found.state == "undecided"
    assert f"{FEWEST - 1} responses decide nothing: below {FEWEST}, verdicts err" in said(
        made, HALF
    )
    assert found.needed == FEWEST
    assert criterion(overall(0.85, 0.78, 0.91, n=FEWEST), HALF).state == "met"


def test_a_limit_to_both_sides():
    both = limit("smd[unpooled]", "SMD", at_least=-0.15, at_most=0.15)
    assert criterion(overall(0.05, -0.1, 0.15, SMD), both).state == "met"
    assert criterion(overall(-0.3, -0.4, -0.2, SMD), both).state == "not met"
    found = criterion(overall(0.12, 0.02, 0.22, SMD), both)
    assert found.state == "undecided"
    words = said(overall(0.12, 0.02, 0.22, SMD), both)
    assert "SMD 0.12 [0.02, 0.22]. The value is within ±0.15, but" in words
    # the upper limit is .03 away, the interval reaches .10
    assert found.needed == four_in_five(400, 0.10, 0.03)


def test_the_worst_state_counts_and_nothing_is_averaged():
    assert worst(["met", "not met", "undecided"]) == "not met"
    assert worst(["met", "not computable"]) == "undecided"
    assert worst(["met", "met"]) == "met"
    assert worst([]) == "undecided"


# ------------------------------------------------------------------ groups


def test_concordance_stands_for_qwk_on_continuous_scores():
    made = evaluation(({}, [number(("lin_ccc", {}), 0.80, 0.75, 0.85)]))
    found = criterion(made, HALF)
    assert (found.statistic, found.state) == ("lin_ccc", "met")
    assert "CCC, the quadratic weighted kappa of such scores" in said(made, HALF)


def test_each_system_is_judged_and_the_worst_is_the_verdict():
    made = evaluation(
        ({"subject": system_called("a")}, [number(QWK, 0.8, 0.75, 0.85)]),
        ({"subject": system_called("b")}, [number(QWK, 0.5, 0.45, 0.55)]),
        systems=("a", "b"),
    )
    verdict = verdict_of(made, policy(HALF))
    assert [one.state for one in verdict.systems] == ["met", "not met"]
    assert verdict.state == "not met"


# ------------------------------------------------------------------ limits that do not fit


def test_the_limit_of_qwk_on_other_weights_is_called_out():
    of = ("cohen_kappa", {"weights": "linear"})
    made = evaluation(({}, [number(of, 0.62, 0.57, 0.67), number(QWK, 0.79, 0.75, 0.83)]))
    words = said(made, limit("cohen_kappa[linear]", "LWK", at_least=0.70))
    assert "on these data QWK is .79 where this is .62" in words
    assert "commonly cited" not in said(made, HALF)


def ceiled(value, high, limit_at=0.70, gold="first"):
    top = ("ceiling_theoretical", {"gold": gold})
    return evaluation(
        ({}, [number(QWK, 0.60, 0.55, 0.65)]),
        (
            {"subject": PEOPLE, "against": CEILING},
            [Estimate(key=Key(top[0], **top[1]), value=value, low=0.5, high=high, n=400)],
        ),
    )


def test_a_limit_above_the_ceiling_is_called_out():
    sure = said(ceiled(0.62, 0.66), HALF)
    assert "No system can be expected to keep this limit" in sure
    assert "only .62 (upper end .66) against this gold" in sure
    assert "may be out of reach" in said(ceiled(0.66, 0.72), HALF)
    assert "reach" not in said(ceiled(0.90, 0.93), HALF)


# ------------------------------------------------------------------ the whole


def test_a_verdict_survives_json():
    made = judged(groups(("f", 0.02, 0.05, 500), ("m", math.nan, 0.06, 400)), policy(EACH, HALF))
    made = replace(made, definitions=tm.evaluate(
        {"h1": [1, 2, 3, 4] * 5, "engine": [1, 2, 4, 4] * 5}, scale="1:4", replicates=100
    ).definitions)  # fmt: skip
    again = tm.Evaluation.from_json(made.to_json())
    assert again.to_json() == made.to_json()
    assert told(again).systems[0].criteria[1].state == "not computable"


def test_a_verdict_needs_a_policy_and_changes_no_number():
    columns = {"h1": [1, 2, 3, 4, 4, 2] * 30, "engine": [1, 2, 3, 4, 3, 2] * 30}
    plain = tm.evaluate(columns, scale="1:4", replicates=200)
    with_one = tm.evaluate(columns, scale="1:4", replicates=200, policy="williamson2012")
    assert plain.verdict is None
    assert replace(with_one, verdict=None).to_json() == plain.to_json()
    states = {c.title: c.state for c in told(with_one).systems[0].criteria}
    assert states["QWK"] == "met"


def test_an_interval_is_met_undecided_or_not_met_and_nothing_else():
    bounds = bounds_of(-0.1, 0.1)
    assert state_of(-0.1, 0.1, bounds) == "met"
    assert state_of(-0.2, 0.2, bounds) == "undecided"
    assert state_of(0.11, 0.2, bounds) == "not met"
    assert state_of(math.nan, math.nan, bounds) == "undecided"


def test_the_sources_of_limits_are_said_those_of_one_source_together():
    made = overall(0.8, 0.75, 0.85)
    limits = [
        replace(HALF, source="board 12"),
        limit("smd", "SMD", at_most=1, source="board 12"),
        limit("bias", "Bias", at_most=1, source="board 13"),
        limit("mae", "MAE", at_most=1),
    ]
    verdict = verdict_of(made, policy(*limits))
    assert "Sources: QWK, SMD: board 12; Bias: board 13." in map(str, say.cautions(made, verdict))
    assert not any(
        "Sources" in str(words) for words in say.cautions(made, verdict_of(made, policy(HALF)))
    )
