"""What a system makes of length: found where it was put in, and not where it was not."""

import math

import numpy as np
import pytest

import tallymark as tm
from tallymark.errors import OptionError, TallymarkError
from tallymark.inference import Settings
from tallymark.questions.fairness.compute import fairness_of
from tallymark.questions.length import by_length
from tallymark.simulation import Group, Rater, simulate, texts
from tallymark.sources import Roles, read_scores
from tallymark.study.parts import Part, parts_of

N = 4_000
STEP = 0.4
"""Points that a wordy system adds for one standard deviation of length."""


@pytest.fixture(scope="module")
def made():
    return simulate(
        N,
        scale="1:20",
        mean=10,
        sd=2,
        raters=[Rater("h1", noise=1.2), Rater("h2", noise=1.2)],
        groups={"group": [Group("A", share=2), Group("B", ability=-1)]},
        seed=4,
    )


@pytest.fixture(scope="module")
def table(made):
    text = texts(made, words=80, length=0.6, longer={"group": {"B": 0.3}})
    size = np.array([float(len(each)) for each in text])
    far = (size - size.mean()) / size.std()
    noise = np.random.default_rng(1).normal(0, 0.8, N)
    columns = made.columns()
    columns |= {"fair": made.truth + noise, "wordy": made.truth + STEP * far + noise}
    return columns | {"text": text, "size": size}


def lengths(table, *, error=None, humans=("h1", "h2"), **roles):
    named = Roles(humans=humans, systems=("fair", "wordy"), **roles)
    scores = read_scores(
        table, roles=named, scale="1:20", resolve="mean" if humans[1:] else "first"
    )
    settings = Settings(interval="analytic")
    parts = [*parts_of(scores, cross=False)]
    every = [r for name in ("fair", "wordy") for r in by_length(name, parts, settings, error=error)]
    return {
        (of.subset.system, of.subset.group): {str(e.key): e for e in of.estimates} for of in every
    }


@pytest.fixture(scope="module")
def found_by_two(table):
    return lengths(table, length="size", groups=("group",))


def test_a_fair_system_is_not_accused_though_its_scores_follow_length(found_by_two):
    numbers = found_by_two["fair", None]
    assert numbers["length_correlation[system]"].value > 0.4
    assert numbers["length_partial"].low < 0 < numbers["length_partial"].high


def test_a_wordy_system_is(found_by_two, table, made):
    # the partial correlation at the known truth
    far = np.stack([table["wordy"], table["size"]])
    left = [y - np.polyval(np.polyfit(made.truth, y, 1), made.truth) for y in far]
    expected = np.corrcoef(*left)[0, 1]
    numbers = found_by_two["wordy", None]
    assert numbers["length_partial"].value == pytest.approx(expected, abs=0.04)
    assert numbers["length_partial"].low > 0.2


def test_with_one_rater_quality_passes_for_length_and_it_is_said(table):
    numbers = lengths(table, length="size", humans=("h1",))["fair", None]
    assert numbers["length_partial"].low > 0.05
    assert "no response was rated twice" in numbers["length_partial"].why
    known = lengths(table, length="size", humans=("h1",), error=1.44 + 1 / 12)["fair", None]
    assert abs(known["length_partial"].value) < 0.05
    assert known["length_partial"].why == ""


def test_the_share_of_length_is_a_ratio_of_squared_correlations(found_by_two, table):
    mean = (table["h1"] + table["h2"]) / 2
    by_length, by_system = (np.corrcoef(mean, table[name])[0, 1] ** 2 for name in ("size", "fair"))
    assert found_by_two["fair", None]["length_share"].value == pytest.approx(by_length / by_system)


def test_the_slope_is_points_of_error_for_a_standard_deviation(found_by_two):
    slope = found_by_two["wordy", None]["length_slope"].value
    assert slope - found_by_two["fair", None]["length_slope"].value == pytest.approx(STEP, abs=0.02)


def test_the_characters_of_a_text_are_its_length(table, found_by_two):
    counted = lengths(table, length="text", groups=("group",))
    for key, numbers in counted.items():
        assert {k: e.value for k, e in numbers.items()} == {
            k: e.value for k, e in found_by_two[key].items()
        }


def test_groups_are_compared_at_the_same_length(table):
    named = Roles(humans=("h1", "h2"), systems=("wordy",), groups=("group",), length="size")
    scores = read_scores(table, roles=named, scale="1:20", resolve="mean")
    of_groups = fairness_of(Part.whole(scores), "wordy", Settings())
    [numbers] = [results.estimates for results in of_groups if results.subset.group == "B"]
    gold = (table["h1"] + table["h2"]) / 2
    error, size, second = table["wordy"] - gold, table["size"], table["group"] == "B"
    design = np.stack([np.ones(N), second, size], axis=1)
    expected = np.linalg.lstsq(design, error, rcond=None)[0][1]
    [effect] = [e for e in numbers if e.name == "length_effect"]
    assert effect.value == pytest.approx(expected, abs=1e-9)
    assert effect.low < effect.value < effect.high


def test_a_length_that_does_not_vary_has_the_reason(table):
    numbers = lengths(table | {"size": np.ones(N)}, length="size")["fair", None]
    for name in ("length_partial", "length_share", "length_slope"):
        assert math.isnan(numbers[name].value)
        assert "does not vary" in numbers[name].why or "true scores" in numbers[name].why


def test_responses_without_a_length_are_left_out_of_this_question_alone(table):
    some = table["size"].copy()
    some[:1000] = np.nan
    assert (
        lengths(table | {"size": some}, length="size")["fair", None]["length_slope"].n == N - 1000
    )


def test_the_option_is_checked(table):
    with pytest.raises(TallymarkError, match=r"no column 'sise'.*Did you mean 'size'"):
        lengths(table, length="sise")
    with pytest.raises(OptionError, match="--length names 'h1', which is a score"):
        lengths(table, length="h1")


def test_the_section_says_it_in_words(table):
    evaluation = tm.evaluate(
        {name: values[:400] for name, values in table.items()},
        humans=["h1", "h2"], systems=["wordy"], scale="1:20", length="text", resolve="mean",
    )  # fmt: skip
    shown = str(evaluation.to_html())
    assert "of two equally good responses, the longer gets more" in shown
