"""``tallymark evaluate``."""

import inspect
import json
import os

import click
import pytest

import tallymark as tm
from tallymark.cli.evaluate import evaluate


def test_the_summary_is_plain_text_when_piped(program, scores):
    ended = program("evaluate", scores, "--scale", "1:4", "--replicates", 100)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith("engine agrees with the gold at QWK .20 [")
    assert "\n40 responses read, 40 used. Scale: 1:4." in ended.stdout
    assert ended.stdout.isascii()
    assert "\x1b" not in ended.stdout
    for word in ("engine against the gold", "QWK", "--full prints"):
        assert word in ended.stdout


def test_the_full_summary_holds_the_short_one_and_each_group(run, scores):
    short, full = (
        run("evaluate", scores, "--scale", "1:4", "--replicates", 100, *more).out
        for more in ([], ["--full"])
    )
    assert "By gender" in full
    assert "By gender" not in short
    told = [line for line in short.splitlines() if line][:-2]  # the last lines say what is left
    assert set(told) <= set(full.splitlines())


def test_characters_that_the_output_cannot_show_are_escaped(program, scores, tmp_path):
    named = tmp_path / "named.csv"
    named.write_text(scores.read_text("utf-8").replace("engine", "größe"), "utf-8")
    ascii_only = {**os.environ, "PYTHONIOENCODING": "ascii"}
    options = ("--system", "größe", "--statistic", "qwk", "--replicates", 100)
    ended = program("evaluate", named, *options, env=ascii_only)
    assert ended.returncode == 0
    assert "gr\\xf6\\xdfe against the gold" in ended.stdout
    ended = program("evaluate", named, *options, "--json", env=ascii_only)
    assert json.loads(ended.stdout)["options"]["systems"] == ["größe"]


def test_json_is_all_that_is_printed_and_equals_that_of_the_function(run, scores):
    ended = run("evaluate", scores, "--scale", "1:4", "--replicates", 100, "--json")
    found = json.loads(ended.out)
    assert (ended.code, ended.err) == (0, "")
    same = json.loads(tm.evaluate(scores, scale="1:4", replicates=100).to_json())
    assert {**found, "options": None} == {**same, "options": None}


def test_every_option_that_was_used_is_in_the_json(run, scores):
    ended = run(
        "evaluate", scores, "--scale", "1:4", "--missing", "n/a", "--exclude", "text",
        "--statistic", "qwk", "--level", 0.9, "--interval", "percentile", "--replicates", 100,
        "--seed", 7, "--cross", "--group", "gender", "--human", "h1", "--system", "engine", "--json",
    )  # fmt: skip
    options = json.loads(ended.out)["options"]
    expected = {
        "scale": "1:4", "missing": ["n/a"], "exclude": ["text"], "statistics": ["qwk"],
        "level": 0.9, "interval": "percentile", "replicates": 100, "seed": 7, "cross": True,
        "groups": ["gender"], "humans": ["h1"], "systems": ["engine"],
    }  # fmt: skip
    assert {key: options[key] for key in expected} == expected


def test_out_writes_the_files_and_says_so(run, scores, tmp_path):
    folder = tmp_path / "report"
    ended = run("evaluate", scores, "--replicates", 100, "--out", folder)
    written = sum(path.is_file() for path in folder.rglob("*"))
    assert f"{written} files written to {folder}" in ended.out
    assert (folder / "disagreements.csv").exists()
    assert (folder / "evaluation.json").exists()
    assert (folder / "tables" / "confusion_engine.csv").exists()


def test_excluded_rows_are_counted_and_listed_with_their_numbers(run, scores, tmp_path):
    text = scores.read_text("utf-8").replace("R2,3,", "R2,n/a,").replace("R5,2,4", "R5,2,")
    scores.write_text(text, "utf-8")
    folder = tmp_path / "report"
    ended = run(
        "evaluate", scores, "--id", "id", "--human", "h1", "--system", "engine",
        "--exclude", "text", "--replicates", 100, "--out", folder,
    )  # fmt: skip
    assert "40 responses read, 38 used; 2 excluded:" in ended.out
    lines = (folder / "exclusions.csv").read_text("utf-8").splitlines()
    assert lines[0] == "row,id,column,value,reason"
    assert lines[1].startswith("3,R2,h1,n/a,")
    assert lines[2].startswith("6,R5,")


def test_nothing_is_read_when_the_folder_cannot_be_written(run, scores):
    ended = run("evaluate", "nowhere.csv", "--out", scores)
    assert ended.code == 2
    assert "--out must name a folder" in ended.err


def test_one_response_is_enough_to_end_well(run, tmp_path):
    path = tmp_path / "one.csv"
    path.write_text("h1,engine\n3,3\n")
    ended = run("evaluate", path)
    assert ended.code == 0
    assert "QWK: undefined, because" in " ".join(ended.out.split())


def test_every_option_of_the_command_is_a_parameter_of_the_function():
    """What only a command line has: where the output goes and where options come from."""
    options = {p.name for p in evaluate.params if isinstance(p, click.Option)}
    parameters = {*inspect.signature(tm.evaluate).parameters}
    assert options - parameters == {
        "out",
        "as_json",
        "debug",
        "force",
        "full",
        "gate",
        "open",
        "summary",
    }
    assert parameters - options == {"source", "progress"}


@pytest.mark.parametrize(
    ("folder", "options"),
    [
        ("rsmtool_examples/asap2_system_two_raters.csv", []),
        ("summeval_experts/scores.csv", ["--system", "expert_2"]),
        ("wmt23_mqm_three_raters/scores.csv", ["--system", "chrf", "--system-scale", "0:100"]),
    ],
)
def test_real_data_run_with_no_option_or_those_that_the_errors_name(run, shared, folder, options):
    path = shared("data", *folder.split("/"))
    for i in range(0, len(options), 2):
        assert options[i] in run("evaluate", path, *options[:i]).err
    quick = ["--statistic", "pearson", "--interval", "analytic"]
    assert run("evaluate", path, *options, *quick).code == 0
