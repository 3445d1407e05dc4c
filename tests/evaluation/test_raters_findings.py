"""What a reader should know of raters before the numbers."""

import math

import pytest

import tallymark as tm
from tests.said import notes

SCORES = [1, 2, 3, 4, 4, 3, 2, 1, 2, 3] * 4
OTHER = [1, 2, 4, 4, 3, 3, 2, 2, 2, 3] * 4


def findings(columns, **options):
    return notes(tm.raters(columns, humans=list(columns), replicates=100, **options))


def test_nothing_is_said_of_ordinary_raters():
    assert findings({"h1": SCORES, "h2": OTHER}) == ()


def test_a_column_with_another_whole_number_in_every_row_looks_like_an_id():
    columns = {"h1": SCORES, "h2": OTHER, "number": list(range(1000, 1040))}
    assert findings(columns)[0] == (
        "column number holds another whole number in every row: it looks like an id, not a score"
    )


@pytest.mark.parametrize(
    "given",
    [list(range(10)), [0.37 * i for i in range(40)], [*range(39), 38]],
)
def test_few_fractional_or_repeated_scores_are_no_ids(given):
    columns = {"h1": SCORES[: len(given)], "h2": given}
    assert not any("id" in finding.split() for finding in findings(columns))


def test_more_raters_than_responses_look_like_a_table_on_its_side():
    columns = {f"essay {i}": [1 + i % 3, 2, 1 + (i + 1) % 3] for i in range(12)}
    assert findings(columns) == (
        "12 raters of 3 responses: are the raters in the rows? Each row must be a response",
    )


def test_a_rater_who_rated_nothing_is_named():
    columns = {"h1": SCORES, "h2": OTHER, "h3": [None] * 40}
    assert findings(columns) == ("raters without any rating: h3",)


def test_raters_who_share_no_response_are_told_apart():
    half = [None] * 20
    columns = {
        "a": SCORES[:20] + half, "b": OTHER[:20] + half,
        "c": half + SCORES[20:], "d": half + OTHER[20:],
    }  # fmt: skip
    assert "2 groups that share no response (a, b; c, d)" in findings(columns)[0]


def test_without_a_second_rating_agreement_is_undefined_with_the_reason():
    columns = {"h1": [1, 2, 3, None, None, None], "h2": [None, None, None, 1, 2, 3]}
    found = tm.raters(columns, replicates=100)
    assert notes(found) == ("no response was rated twice",)
    alpha = found.numbers[0]["krippendorff_alpha[interval]"]
    assert math.isnan(alpha.value)
    assert alpha.why == "no response was rated twice"
    assert all(
        math.isnan(estimate.value) and estimate.why for estimate in found.numbers[0].values()
    )
