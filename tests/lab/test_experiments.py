"""Laws over every experiment: the same seed gives the same bytes, every claim has a verdict."""

import csv
import io
import json
import math
from html import escape
from pathlib import Path

import numpy as np
import pytest

import tallymark as tm
from tallymark.errors import OptionError
from tallymark.lab.runs import experiments_by_name
from tallymark.lab.view import files_of, write_files
from tests.lab import metrics

NAMES = tm.lab.names()
FEW = 3


@pytest.fixture(scope="module", params=NAMES)
def done(request):
    """An experiment with few replicates, and a user's own kappa in it."""
    few = 1 if experiments_by_name()[request.param].learned else FEW  # training takes seconds
    return tm.lab.run(request.param, statistics=["qwk", metrics.qwk], replicates=few, seed=4)


def test_the_same_seed_gives_the_same_bytes_and_another_does_not(done):
    name = done.experiment.name
    few = done.replicates
    again = tm.lab.run(name, statistics=["qwk", metrics.qwk], replicates=few, seed=4)
    assert files_of(again) == files_of(done)
    if any(np.ptp(trace.values, axis=1).max() > 0 for trace in done.traces.by_name.values()):
        other = tm.lab.run(name, statistics=["qwk", metrics.qwk], replicates=few, seed=5)
        assert other.to_csv() != done.to_csv()


def test_every_claim_has_a_verdict_with_numbers(done):
    assert done.claims
    for claim in done.claims:
        assert claim["state"] in ("holds", "holds in part", "does not hold")
        assert any(digit in claim["evidence"] for digit in "0123456789"), claim
        assert claim["command"] == f"tallymark lab run {done.experiment.name}"


def test_a_user_s_function_gives_the_curve_of_the_catalogue_s_statistic(done):
    for sweep in done.sweeps:
        ours = done.traces.of("cohen_kappa[quadratic]", sweep.name)
        theirs = done.traces.of("tests.lab.metrics:qwk", sweep.name)
        both = ~np.isnan(ours.values)
        assert theirs.values[both] == pytest.approx(ours.values[both], abs=1e-9)


def test_files_hold_the_same_curves(done, tmp_path):
    write_files(files_of(done), tmp_path)
    read = json.loads((tmp_path / "experiment.json").read_text("utf-8"))
    rows = [*csv.DictReader(io.StringIO((tmp_path / "curves.csv").read_text("utf-8")))]
    assert [row["statistic"] for row in rows] == [row["statistic"] for row in read["curves"]]
    for row, point in zip(rows, read["curves"], strict=True):
        assert row["mean"] == "" if point["mean"] is None else float(row["mean"]) == point["mean"]
    page = (tmp_path / "report.html").read_text("utf-8")
    assert page.count("<svg") >= 2 * len(done.experiment.figures)
    assert "not drawn" not in page
    assert all(escape(claim["claim"]) in page for claim in done.claims)
    assert "NaN" not in (tmp_path / "experiment.json").read_text("utf-8")


def test_bands_hold_the_means_and_tables_are_whole_numbers(done):
    for trace in done.traces.by_name.values():
        low, high = trace.band
        known = ~np.isnan(trace.mean)
        assert (low[known] <= trace.mean[known] + 1e-12).all()
        assert (trace.mean[known] <= high[known] + 1e-12).all()
    for sweep in done.sweeps:
        for setting in sweep.settings:
            counts = setting.tables.counts
            assert len(counts) == done.replicates
            assert (counts == np.rint(counts)).all()
            assert (counts >= 0).all()


@pytest.mark.parametrize("experiment", experiments_by_name().values(), ids=experiments_by_name())
def test_an_experiment_says_what_it_is(experiment):
    assert experiment.name == experiment.name.lower()
    assert "(20" in experiment.source
    assert experiment.question.endswith("?")
    assert experiment.how.endswith(".")
    assert not any(statement.says.endswith(".") for statement in experiment.statements)


def test_a_joining_statistic_may_be_one_name_or_one_function():
    by_name = tm.lab.run("paradox", statistics="pearson")
    assert by_name.joining == ("pearson",)
    by_function = tm.lab.run("paradox", statistics=metrics.same)
    found = by_function.traces.of("tests.lab.metrics:same")
    assert found.mean == pytest.approx(by_function.traces.of("percent_agreement").mean)


@pytest.mark.parametrize(
    ("statistic", "message"),
    [
        ("tests.lab.metrics:raises", "failed on .* responses: ZeroDivisionError: no scores"),
        ("tests.lab.metrics:words", "must return one number, got str 'good'"),
        ("tests.lab.metrics:pair", "must return one number, got tuple"),
        ("tests.lab.metrics:number", "is no function but int"),
        ("tests.lab.metrics:qwl", r"has no 'qwl'\. Did you mean 'qwk'"),
        ("tests.lab.nowhere:qwk", "cannot import 'tests.lab.nowhere'"),
        (":qwk", "write module:function"),
        ("qkw", r"unknown statistic 'qkw'\. Did you mean"),
        ("prmse", "not a statistic that can be asked for by name"),
    ],
)
def test_what_cannot_join_is_refused_in_words(statistic, message):
    with pytest.raises(OptionError, match=message):
        tm.lab.run("paradox", statistics=[statistic])


def test_an_unknown_experiment_is_refused_with_the_closest():
    with pytest.raises(OptionError, match=r"'trait-prevalance'\. Did you mean 'trait-prevalence'"):
        tm.lab.run("trait-prevalance")
    with pytest.raises(OptionError, match="replicates must be"):
        tm.lab.run("paradox", replicates=0)
    with pytest.raises(OptionError, match="seed must be"):
        tm.lab.run("paradox", seed=-1)


def test_a_function_that_is_undefined_somewhere_is_counted():
    def sometimes(gold, system):
        return math.nan if gold.size % 2 else 1.0

    done = tm.lab.run("error-magnitude", statistics=sometimes, replicates=2)
    trace = done.traces.of(done.joining[0])
    assert trace.undefined in (0, trace.values.size)


def test_an_infinite_number_is_undefined():
    done = tm.lab.run("paradox", statistics=lambda gold, system: math.inf * gold.size / system.size)
    assert done.traces.of(done.joining[0]).undefined == len(done.sweeps[0].settings)
    assert '"mean": null' in done.to_json()


def test_functions_of_one_name_are_kept_apart():
    def always(value):
        return lambda gold, system: value + 0 * (gold - system)[0]

    plus = [always(1), always(2)]
    done = tm.lab.run("paradox", statistics=plus)
    first, second = done.joining
    assert second == f"{first} 2"
    assert {done.traces.of(name).mean[0] for name in done.joining} == {1.0, 2.0}


def test_an_experiment_is_one_file_and_every_file_is_in_the_docs():
    page = (Path(__file__).parents[2] / "docs" / "lab.md").read_text("utf-8")
    assert [name for name in NAMES if f"`{name}`" not in page] == []
