"""Class probabilities: what they lose against the gold, and the confidence they give."""

from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from scipy.stats import ttest_1samp, ttest_rel

import tallymark as tm
from tallymark.cli.main import tallymark
from tallymark.errors import DataError, OptionError
from tests.evaluation.panels import of

HAND: dict[str, Any] = {
    "human": [1, 2, 3, 3],
    "engine": [1, 2, 2, 3],
    "p1": [0.7, 0.2, 0.1, 0.0],
    "p2": [0.2, 0.5, 0.6, 0.0],
    "p3": [0.1, 0.3, 0.3, 1.0],
}
COLUMNS = {"engine": ["p1", "p2", "p3"]}
ASKED: dict[str, Any] = {"humans": ["human"], "scale": "1:3", "replicates": 100}
# squares by point, and of the cumulated: (.3² + .2² + .1²), (.2² + .5² + .3²), (.1² + .6² + .7²), 0
BRIER = [0.14, 0.38, 0.86, 0.0]
RPS = [0.3**2 + 0.1**2, 0.2**2 + 0.3**2, 0.1**2 + 0.7**2, 0.0]


def confident(data=HAND, system="engine", **more):
    asked = {"systems": [system], "probabilities": COLUMNS, **ASKED, **more}
    return of(tm.evaluate(data, **asked), f"{system} against confidence")


def sample(n=300, seed=0):
    """Two systems on four points, the second less sure of what it does not know."""
    rng = np.random.default_rng(seed)
    truth, points = rng.normal(2.5, 1, n), np.arange(1, 5)
    data: dict[str, Any] = {"human": np.clip(np.round(truth), 1, 4)}
    for name, sd in (("a", 0.6), ("b", 1.0)):
        near = np.exp(-(((points - truth[:, None] - rng.normal(0, 0.4, (n, 1))) / sd) ** 2) / 2)
        near /= near.sum(axis=1, keepdims=True)
        data[name] = points[near.argmax(axis=1)]
        data |= {f"{name}{k}": near[:, k - 1] for k in points}
    return data


def columns_of(*systems):
    return {name: [f"{name}{k}" for k in range(1, 5)] for name in systems}


def test_both_scores_are_what_the_hand_gives():
    found = confident()
    assert found["brier"].value == pytest.approx(np.mean(BRIER))
    assert found["rps"].value == pytest.approx(np.mean(RPS))
    assert found["brier"].n == 4


def test_their_intervals_are_about_those_of_a_mean():
    data = sample()
    found = confident(data, "a", probabilities=columns_of("a"), scale="1:4", replicates=2000)
    probs = np.stack([data[name] for name in columns_of("a")["a"]], axis=1)
    label = data["human"].astype(int) - 1
    each = ((probs - np.eye(4)[label]) ** 2).sum(axis=1)
    low, high = ttest_1samp(each, 0).confidence_interval()
    brier = found["brier"]
    assert (brier.low, brier.high) == pytest.approx((low, high), abs=0.1 * (high - low))


def test_each_prompt_has_its_own():
    data = {**HAND, "essay": ["x", "x", "y", "y"]}
    found = tm.evaluate(data, systems=["engine"], probabilities=COLUMNS, prompt="essay", **ASKED)
    own = [of(found, f"engine against confidence|prompt={name}") for name in "xy"]
    assert [one["brier"].value for one in own] == pytest.approx(
        [np.mean(BRIER[:2]), np.mean(BRIER[2:])]
    )


def test_the_confidence_is_the_chance_of_no_critical_error():
    found = confident(lambda_=1.0)
    # two points apart is critical: the engine's 1, 2, 2, 3 leave out p3, nothing, nothing, p1
    chance = {"sure": [0.9, 1.0, 1.0, 1.0]}
    given = confident({**HAND, **chance}, confidences={"engine": "sure"}, lambda_=1.0)
    assert found["aurc"].value == given["aurc"].value
    assert found["brier_cse"].value == pytest.approx(0.1**2 / 4)
    assert found["brier_cse"].value == pytest.approx(given["brier_cse"].value)


def test_a_confidence_that_was_named_comes_first():
    given = confident({**HAND, "sure": [0.1, 0.5, 0.95, 0.9]}, confidences={"engine": "sure"})
    other = confident()
    assert given["brier"].value == other["brier"].value
    assert given["aurc"].value != other["aurc"].value


def test_responses_without_probabilities_are_left_out():
    data = {**HAND, **{name: [None, *HAND[name][1:]] for name in ("p1", "p2", "p3")}}
    found = confident(data)
    assert found["brier"].n == 3
    assert found["brier"].value == pytest.approx(np.mean(BRIER[1:]))


@pytest.mark.parametrize(
    ("first", "shown"), [(-0.1, "-0.1"), (0.5, "0.5"), (None, "0.2, 0.1"), (70.0, "70.0")]
)
def test_what_are_no_probabilities_is_refused_with_its_rows(first, shown):
    data = {**HAND, "p1": [first, *HAND["p1"][1:]]}
    with pytest.raises(DataError) as raised:
        confident(data)
    assert "probabilities of engine that are negative, incomplete or do not sum to 1" in str(
        raised.value
    )
    assert shown in str(raised.value)
    assert "row 1 (first rows 1; 1 row in all)" in str(raised.value)
    kept = tm.evaluate(
        data, systems=["engine"], probabilities=COLUMNS, exclude=["probability"], **ASKED
    )
    assert [count for words, count in kept.data.exclusions if "probabilities" in words] == [1]
    assert of(kept, "engine against confidence")["brier"].n == 3


def test_rounded_probabilities_pass():
    thirds = {"p1": [0.333] * 4, "p2": [0.333] * 4, "p3": [0.333] * 4}
    assert confident({**HAND, **thirds})["brier"].value == pytest.approx(2 / 3, abs=1e-3)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"scale": "1:4"}, "names 3 columns; the gold's scale 1:4 has 4 points.*scale=$"),
        ({"probabilities": {"other": ["p1", "p2", "p3"]}}, "names the system 'other'"),
        ({"probabilities": {"engine": ["p1", "p2", "q"]}}, "no column 'q'.*probabilities="),
    ],
)
def test_columns_that_do_not_fit_are_refused(more, message):
    with pytest.raises((OptionError, DataError), match=message):
        confident(**more)


def test_a_comparison_tests_them_on_the_same_responses():
    data = sample()
    asked: dict[str, Any] = {**ASKED, "scale": "1:4"}
    found = tm.compare(data, systems=["a", "b"], probabilities=columns_of("a", "b"), **asked)
    table = next(t for t in found.tables if t.name == "confidences")
    rows = {row[0]: dict(zip(table.columns, row, strict=True)) for row in table.rows}
    label = data["human"].astype(int) - 1
    both = []
    for name in "ab":
        probs = np.stack([data[column] for column in columns_of(name)[name]], axis=1)
        both.append((np.cumsum(probs - np.eye(4)[label], axis=1) ** 2).sum(axis=1))
    own = rows["rps"]
    assert (own["value"], own["value_against"]) == pytest.approx([each.mean() for each in both])
    expected = ttest_rel(*both)
    assert own["p"] == pytest.approx(expected.pvalue, rel=1e-6)
    assert (own["low"], own["high"]) == pytest.approx(expected.confidence_interval(), rel=1e-6)
    assert "brier" in rows


def test_the_command_takes_them(tmp_path):
    path = tmp_path / "scores.csv"
    rows = zip(*HAND.values(), strict=True)
    path.write_text("\n".join([",".join(HAND), *(",".join(map(str, row)) for row in rows)]))
    asked = ["evaluate", str(path), "--human", "human", "--system", "engine", "--scale", "1:3"]
    asked += ["--probabilities", "engine=p1,p2,p3", "--full"]
    found = CliRunner().invoke(tallymark, asked)
    assert found.exit_code == 0, found.output
    assert "Brier" in found.output
    assert "RPS" in found.output
