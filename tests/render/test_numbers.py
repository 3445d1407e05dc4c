"""The one rounding rule."""

import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tallymark.render.numbers import (
    count,
    decimals,
    in_percent,
    percent,
    rounded,
    value_text,
    with_interval,
)
from tallymark.results import Estimate, Key


def estimate(value, low=math.nan, high=math.nan, name="cohen_kappa"):
    return Estimate(key=Key(name), value=value, low=low, high=high, n=100)


@pytest.mark.parametrize(
    ("value", "low", "high", "text"),
    [
        (0.7931, 0.7681, 0.8178, ".793 [.768, .818]"),
        (0.7931, 0.72, 0.85, ".79 [.72, .85]"),
        (0.7931, 0.2, 1.0, ".79 [.20, 1.00]"),
        (0.79312, 0.79302, 0.79322, ".793 [.793, .793]"),
        (-0.12345, -0.3, 0.1, "-.12 [-.30, .10]"),
        (-0.0001, -0.2, 0.2, ".00 [-.20, .20]"),
        (1.0, 0.981, 1.0, "1.000 [.981, 1.000]"),
        (-1.0, -1.0, -0.5, "-1.00 [-1.00, -.50]"),
    ],
)
def test_a_coefficient_has_the_digits_of_its_interval_and_no_leading_zero(value, low, high, text):
    assert with_interval(estimate(value, low, high)) == text


@pytest.mark.parametrize(
    ("value", "low", "high", "text"),
    [
        (-0.4712, -0.61, -0.33, "-0.47 [-0.61, -0.33]"),
        (-14.71, -15.9, -13.5, "-14.7 [-15.9, -13.5]"),
        (1234.5, 1100.0, 1400.0, "1,234 [1,100, 1,400]"),
        (0.00054, 0.00012, 0.0009, "0.0005 [0.0001, 0.0009]"),
    ],
)
def test_score_points_keep_their_leading_zero_and_any_size(value, low, high, text):
    assert with_interval(estimate(value, low, high, "bias")) == text


def test_a_number_without_interval_says_so():
    assert with_interval(estimate(0.5)) == ".500 (no interval)"
    assert with_interval(estimate(0.0, name="bias")) == "0.00 (no interval)"


def test_an_undefined_number_is_called_undefined():
    assert with_interval(estimate(math.nan)) == "undefined"
    assert value_text(estimate(math.nan)) == "undefined"


def test_thousands_are_separated():
    assert count(1234567) == "1,234,567"


@given(st.floats(-1, 1), st.integers(0, 4))
def test_zero_is_never_negative_and_one_bounds_the_text(value, places):
    text = rounded(value, places, coefficient=True)
    assert not (text.startswith("-") and float(text) == 0)
    assert abs(float(text) - value) <= 0.5 * 10**-places + 1e-12


@given(st.floats(1e-9, 1e6), st.booleans())
def test_decimals_stay_within_their_bounds(width, coefficient):
    places = decimals(0.5, 0.5 - width, 0.5 + width, coefficient=coefficient)
    assert (2 <= places <= 3) if coefficient else (0 <= places <= 6)


@pytest.mark.parametrize(
    ("name", "params", "text"),
    [
        ("degradation", {"of": "cohen_kappa[quadratic]"}, "-.01 [-.05, .04]"),
        ("human_human", {"of": "pearson"}, "-.01 [-.05, .04]"),
        ("icc", {"type": "1,k"}, "-.01 [-.05, .04]"),
        ("self_consistency", {"kind": "icc"}, "-.01 [-.05, .04]"),
        ("self_consistency", {"kind": "sd"}, "-0.01 [-0.05, 0.04]"),
    ],
)
def test_a_statistic_of_a_statistic_is_written_as_that_one(name, params, text):
    found = Estimate(key=Key(name, **params), value=-0.01, low=-0.05, high=0.04, n=9)
    assert with_interval(found) == text


@pytest.mark.parametrize(
    ("value", "low", "high", "text"),
    [
        (0.4, 0.34, 0.461, "40 % [34, 46]"),
        (0.4012, 0.396, 0.406, "40.1 % [39.6, 40.6]"),
        (1.0, math.nan, math.nan, "100 %"),
        (0.9966, 0.9, 1.0, "99.7 % [90, 100]"),
        (0.99966, 0.9, 1.0, ">99.9 % [90, 100]"),
        (0.0, 0.0, 0.1, "0 % [0, 10]"),
        (0.002, 0.0, 0.1, "0.2 % [0, 10]"),
        (math.nan, math.nan, math.nan, "undefined"),
    ],
)
def test_a_share_in_a_sentence_is_in_percent(value, low, high, text):
    assert percent(estimate(value, low, high)) == text


@given(st.floats(0, 1), st.integers(0, 1))
@example(0.9955, 0)
@example(0.99951, 1)
@example(0.0004, 1)
def test_only_a_share_that_is_0_or_1_reads_0_or_100(share, places):
    text = in_percent(share, places)
    whole = min(share, 1 - share) < 1e-9
    assert (text in ("0", "0.0", "100", "100.0")) == whole
    assert abs(float(text.lstrip("<>")) - 100 * share) <= 0.5
