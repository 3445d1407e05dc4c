"""Weights and counts are named, never guessed; what is wrong with them is refused or counted."""

from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import tallymark as tm
from tallymark.cli.main import tallymark
from tallymark.errors import DataError, OptionError

N = 40
RNG = np.random.default_rng(2)
GOLD = RNG.integers(1, 5, N)
DATA: dict[str, list[Any]] = {
    "id": [f"r{i}" for i in range(N)],
    "h1": GOLD.tolist(),
    "h2": np.clip(GOLD + RNG.integers(-1, 2, N), 1, 4).tolist(),
    "engine": np.clip(GOLD + RNG.integers(-1, 2, N), 1, 4).tolist(),
    "weight": (RNG.random(N) + 0.5).round(2).tolist(),
    "count": RNG.integers(1, 4, N).tolist(),
}
ROLES: dict[str, Any] = {"humans": ["h1", "h2"], "systems": ["engine"]}


def evaluate(data=DATA, **given):
    asked: dict[str, Any] = {"statistics": ["bias"], "replicates": 100, **ROLES, **given}
    return tm.evaluate(data, **asked)


def with_first(role, value):
    column = [value, *DATA[role][1:]]
    return {**DATA, role: column}


def test_columns_of_that_name_are_not_guessed():
    ev = tm.evaluate(DATA, replicates=100, statistics=["bias"])
    assert "weight" not in ev.options
    assert "count" not in ev.options
    assert ev.data.used == N


@pytest.mark.parametrize("value", [None, 0, -1.5, float("nan")])
def test_a_weight_that_is_none_is_refused_or_left_out(value):
    data = with_first("weight", value)
    with pytest.raises(DataError, match="weight that is missing, zero or negative in 1 row"):
        evaluate(data, weight="weight")
    ev = evaluate(data, weight="weight", exclude=["weight"])
    assert ev.data.exclusions == (("weight that is missing, zero or negative", 1),)
    assert (ev.data.read, ev.data.used) == (N, N - 1)


@pytest.mark.parametrize("value", [None, 1.5, -1])
def test_a_count_that_is_not_whole_is_refused_or_left_out(value):
    data = with_first("count", value)
    with pytest.raises(DataError, match="count that is missing, negative or not whole in 1 row"):
        evaluate(data, count="count")
    ev = evaluate(data, count="count", exclude=["weight"])
    assert ev.data.used == sum(DATA["count"][1:])
    assert ev.data.read == ev.data.used + 1


@pytest.mark.parametrize("role", ["weight", "count"])
def test_text_and_infinities_are_refused(role):
    with pytest.raises(DataError, match="holds text in 1 row, first 'many'"):
        evaluate(with_first(role, "many"), **{role: role})
    with pytest.raises(DataError, match="infinite or beyond 1e12"):
        evaluate(with_first(role, float("inf")), **{role: role})


@pytest.mark.parametrize("role", ["weight", "count"])
def test_the_column_must_be_there_and_no_score(role):
    with pytest.raises(DataError, match=f"has no column 'w' .asked for as {role}="):
        evaluate(**{role: "w"})
    with pytest.raises(OptionError, match=f"{role}= names 'h2', which is a score"):
        evaluate(**{role: "h2"})


def test_a_row_that_stands_for_no_response_is_none():
    ev = evaluate(with_first("count", 0), count="count")
    assert ev.data.read == ev.data.used == sum(DATA["count"][1:])


def test_both_go_together():
    ev = evaluate(weight="weight", count="count")
    weights, error = np.array(DATA["weight"]), np.array(DATA["engine"]) - GOLD
    heavy = weights * DATA["count"]
    assert ev.estimates[0].value == pytest.approx((heavy @ error) / heavy.sum())
    assert ev.estimates[0].n == sum(DATA["count"])


def long_table(**more):
    names = ["h1", "h2", "engine"]
    return {
        "essay": [name for name in DATA["id"] for _ in names],
        "who": names * N,
        "mark": [DATA[rater][i] for i in range(N) for rater in names],
        **{role: [value for value in DATA[role] for _ in names] for role in ("weight", "count")},
        **more,
    }


LONG = {"response": "essay", "rater": "who", "score": "mark"}


@pytest.mark.parametrize("role", ["weight", "count"])
def test_a_long_table_has_one_for_each_response(role):
    wide = evaluate(**{role: role})
    long = evaluate(long_table(), **LONG, **{role: role})
    assert long.estimates == wide.estimates
    assert long.data.used == wide.data.used
    column = long_table()[role]
    column[0] += 1
    with pytest.raises(DataError, match="differ in group, cluster, fold, weight or count"):
        evaluate(long_table(**{role: column}), **LONG, **{role: role})


def test_the_order_of_rows_does_not_matter():
    order = np.random.default_rng(0).permutation(N)
    mixed = {name: [column[i] for i in order] for name, column in DATA.items()}
    one, other = (evaluate(data, weight="weight", statistics=["qwk"]) for data in (DATA, mixed))
    assert one.to_json() == other.to_json()


def test_the_report_says_what_weights_are_worth():
    worth, weights = evaluate(weight="weight").data.weights, np.array(DATA["weight"])
    assert (worth.column, worth.n) == ("weight", N)
    assert worth.total == pytest.approx(weights.sum(), rel=1e-12)
    assert worth.worth == pytest.approx(weights.sum() ** 2 / (weights**2).sum(), rel=1e-12)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "scores.csv"
    rows = zip(*DATA.values(), strict=True)
    lines = [",".join(DATA), *(",".join(map(str, row)) for row in rows)]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return str(path)


def test_commands_take_both_and_the_rerun_command_has_them(file):
    roles = ["--human", "h1", "--human", "h2", "--replicates", "100"]
    system = ["--system", "engine"]
    for command in (["evaluate", *system], ["raters"], ["ceiling"]):
        asked = [command[0], file, *command[1:], *roles, "--weight", "weight", "--count", "count"]
        done = CliRunner().invoke(tallymark, asked)
        assert done.exit_code == 0, done.output
        assert "(Kish)" in done.output


def test_a_certificate_refuses_weights(file):
    asked = ["route", "certify", file, "--human", "h1", "--system", "engine", "--alpha", ".1"]
    done = CliRunner().invoke(tallymark, [*asked, "--confidence", "weight", "--weight", "weight"])
    assert isinstance(done.exception, OptionError)
    assert "--weight: a certificate rests on responses drawn alike" in str(done.exception)


def test_severity_and_drift_refuse_weights():
    data = {**DATA, "batch": ["1", "2"] * (N // 2)}
    given: dict[str, Any] = {"humans": ["h1", "h2"], "weight": "weight", "replicates": 100}
    with pytest.raises(OptionError, match="weight=: severity= rests on a model"):
        tm.raters(data, severity="mml", **given)
    with pytest.raises(OptionError, match="weight=: batch= rests on a model"):
        tm.raters(data, batch="batch", **given)


@pytest.mark.parametrize(
    ("weight", "words"),
    [
        ([1.0, 2.0], "2 entries for 3"),
        ([1.0, 0.0, 1.0], "above 0"),
        ([1.0, np.inf, 1.0], r"weight\[1\] is infinite"),
    ],
)
def test_an_estimate_refuses_weights_that_are_none(weight, words):
    with pytest.raises(DataError, match=words):
        tm.estimate("bias", [1, 2, 3], [1, 2, 4], weight=weight)


def test_an_estimate_of_a_table_has_no_weights():
    with pytest.raises(OptionError, match="one row a response"):
        tm.estimate("qwk", table=[[3, 1], [1, 3]], weight=[1, 2])
