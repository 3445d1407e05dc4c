"""``tallymark ceiling``, and ceilings in the summary of an evaluation."""

import csv
import inspect
import json
import re

import click
import pytest
from click.testing import CliRunner

import tallymark as tm
from tallymark.cli.ceiling import ceiling
from tallymark.cli.main import tallymark
from tallymark.simulation import Rater, System, simulate


@pytest.fixture
def file(tmp_path):
    raters = [Rater("h1", noise=0.6), Rater("h2", noise=0.6)]
    systems = [System("engine", noise=0.4), System("poor", noise=1.5)]
    made = simulate(300, scale="1:6", raters=raters, systems=systems, seed=2).columns()
    path = tmp_path / "scores.csv"
    with path.open("w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(made)
        writer.writerows(zip(*made.values(), strict=True))
    return path


def run(*arguments):
    ended = CliRunner().invoke(tallymark, [*map(str, arguments), "--replicates", "200"])
    assert ended.exception is None, ended.output
    return ended.output


def one_line(text):
    return " ".join(text.split())


PEOPLE = ("--human", "h1", "--human", "h2", "--scale", "1:6")


def test_the_ladder_is_shown_with_what_it_takes_to_climb_it(file):
    text = one_line(run("ceiling", file, *PEOPLE, "--reference", "best paper=.6"))
    for part in (
        "QWK and r if the gold is the mean of the ratings, with 95 % intervals",
        "theoretical .",
        "quantised .",
        "human-like .",
        "human-human .",
        "Raters needed for a Phi:",
        "If the errors of raters correlate by .10 to",
        "best paper (.600), if its gold is the mean of the ratings: ",
        "below the theoretical ceiling",
    ):
        assert part in text, part


def test_an_evaluation_places_its_systems_in_words(file):
    text = one_line(
        run(
            "evaluate",
            file,
            *PEOPLE,
            "--system",
            "engine",
            "--system",
            "poor",
            "--resolve",
            "mean",
            "--full",
        )
    )
    assert "engine: QWK ." in text
    assert " above human-human" in text
    assert re.search(r"of the theoretical ceiling, \.\d+ below it", text)
    assert "No clear difference: its interval holds 0" in text


def test_the_command_and_the_function_give_the_same_json(file):
    found = json.loads(run("ceiling", file, *PEOPLE, "--reference", "a=.5", "--json"))
    same = tm.ceiling(file, humans=["h1", "h2"], scale="1:6", references={"a": 0.5}, replicates=200)
    assert found["kind"] == "ceiling"
    assert found == json.loads(same.to_json())


def test_every_option_is_a_parameter_of_the_function():
    options = {p.name for p in ceiling.params if isinstance(p, click.Option)}
    parameters = {*inspect.signature(tm.ceiling).parameters}
    assert options - {"out", "as_json", "debug", "force", "open"} <= parameters


@pytest.mark.parametrize("text", ["paper", "paper=high", "paper=85"])
def test_a_reference_that_is_no_coefficient_is_refused(file, text):
    ended = CliRunner().invoke(tallymark, ["ceiling", str(file), *PEOPLE, "--reference", text])
    assert ended.exit_code != 0
