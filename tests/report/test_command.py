"""The command on the page asks for the same numbers again."""

import json
import shlex
import tomllib
from typing import Any

import pytest
from msgspec.structs import replace

import tallymark as tm
from tallymark.cli.main import tallymark
from tallymark.sources import PromptOptions
from tallymark.study.again import command, toml
from tests.report import cases

SCORES = {
    "h 1": [1, 2, 3, 4, 4, 3, 2, 1] * 6,
    "h2": [1, 2, 4, 4, 3, 3, 2, 1] * 6,
    "it's": [1, 2, 3, 4, 3, 2, 2, 2] * 6,
    "b": [1, 1, 3, 4, 3, 3, 2, 2] * 6,
    "week": [1, 2, 3, 4] * 12,
}
QUICK: dict[str, Any] = {"scale": "1:4", "replicates": 100}


def analyses():
    people: dict[str, Any] = {"humans": ["h 1", "h2"]}
    systems: dict[str, Any] = {**people, "systems": ["it's", "b"]}
    return {
        "evaluate": tm.evaluate(
            SCORES, **systems, **QUICK, policy="llm-judge", resolve="higher", small_group=5
        ),
        "compare": tm.compare(SCORES, **systems, **QUICK, by="pearson"),
        "raters": tm.raters(SCORES, **people, **QUICK, batch="week"),
        "ceiling": tm.ceiling(SCORES, **people, **QUICK, references={"best one": 0.85}),
    }


@pytest.fixture(scope="module")
def found():
    return analyses()


@pytest.fixture
def file(tmp_path):
    rows = zip(*SCORES.values(), strict=True)
    lines = [",".join(SCORES), *(",".join(map(str, row)) for row in rows)]
    path = tmp_path / "scores.csv"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def run(words, capsys):
    with tallymark.make_context("tallymark", words, obj={}) as context:
        tallymark.invoke(context)
    return json.loads(capsys.readouterr().out)


def comparable(evaluation):
    """Everything but what differs between a table in memory and a file."""
    raw = json.loads(evaluation.to_json()) if isinstance(evaluation, tm.Evaluation) else evaluation
    return raw["estimates"], raw["verdict"], raw["tables"]


@pytest.mark.parametrize("kind", ["evaluate", "compare", "raters", "ceiling"])
def test_the_command_gives_the_same_numbers(found, file, capsys, kind):
    words = shlex.split(command(found[kind]).replace("\\\n", " "))
    words = [str(file) if word == "FILE" else word for word in words[1:]]
    assert comparable(run([*words, "--json"], capsys)) == comparable(found[kind])


@pytest.mark.parametrize("kind", ["evaluate", "raters"])
def test_the_file_of_options_gives_the_same_numbers(found, file, tmp_path, capsys, kind):
    options = tmp_path / "options.toml"
    options.write_text(toml(found[kind]), "utf-8")
    words = [kind, str(file), "--config", str(options), "--json"]
    assert comparable(run(words, capsys)) == comparable(found[kind])


def test_options_of_single_prompts_are_tables():
    data = {**SCORES, "prompt": ["a [1]", "b"] * 24}
    evaluation = tm.evaluate(
        data,
        humans=["h 1"],
        systems=["b"],
        prompt="prompt",
        prompts={"a [1]": PromptOptions(scale="1:5")},
        **QUICK,
    )
    assert tomllib.loads(toml(evaluation))["prompts"]["a [1]"]["scale"] == "1:5"
    assert command(evaluation).endswith("--config options.toml")


def test_other_kinds_name_their_configuration():
    assert command(replace(cases.one_row(), kind="rsmeval")) == "tallymark rsmeval CONFIG OUT"
