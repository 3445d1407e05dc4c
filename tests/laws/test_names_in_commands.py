"""Our words as names change no number of routing, planning and RSMTool's commands."""

import json
from functools import cache

import numpy as np
import pytest
from click.testing import CliRunner

from tallymark.cli.main import tallymark
from tests.laws.naming import PLAIN, WORDS, called, digits, scores_of, write

N = 60
SAMPLE = (0, len(WORDS) // 2)


def run(*asked, codes=(0,)):
    answer = CliRunner().invoke(tallymark, [str(one) for one in asked])
    assert answer.exit_code in codes, answer.output
    return answer.output


def routed(folder, words):
    """The screens of all three commands, and the decisions."""
    rater, system, *_ = words
    columns = scores_of(words, N) | {"id": [f"C{i}" for i in range(N)]}
    old = write(folder / "old.csv", columns)
    new = write(folder / "new.csv", columns | {"id": [f"N{i}" for i in range(N)]})
    asked = ["--human", rater, "--human", "h2", "--system", system, "--confidence", "sure"]
    asked += ["--scale", "1:4", "--alpha", "0.4", "--lambda", "0.5", "--id", "id"]
    keys = ["--prompt", "essay", "--group", "gender", "--by", "prompt"]
    routing = folder / "routing.json"
    certified = run("route", "certify", old, *asked, *keys, "--out", routing, codes=(0, 3))
    decisions = folder / "decisions.csv"
    applied = run("route", "apply", routing, new, "--out", decisions)
    watched = run("route", "monitor", routing, new, codes=(0, 1))
    return [certified, applied, watched, decisions.read_text("utf-8")]


def planned(folder, words):
    """The screens of all plans that take a pilot."""
    rater, system, *_ = words
    pilot = write(folder / "pilot.csv", scores_of(words, N))
    people = ["--human", rater, "--human", "h2", "--scale", "1:4"]
    one = [*people, "--system", system, "--prompt", "essay"]
    return [
        run("plan", "width", pilot, *one, "--half-width", ".1"),
        run("plan", "settle", pilot, *one, "--at-least", ".2"),
        run("plan", "difference", pilot, *one, "--system", "other"),
        run("plan", "double-scores", pilot, *one, "--half-width", ".1", "--responses", "500"),
        run("plan", "raters", pilot, *people, "--reliability", ".95"),
    ]


def rsmtool(folder, words):
    """The screens and the files of RSMTool's commands; an experiment has no name with spaces."""
    rater, system, *_ = words
    columns = scores_of(words, N) | {"id": np.arange(N)}
    write(folder / "scores.csv", columns)
    fields = {"predictions_file": "scores.csv", "human_score_column": rater, "id_column": "id"}
    fields |= {"second_human_score_column": "h2", "subgroups": ["gender", "essay"]}
    fields |= {"trim_min": 1, "trim_max": 4}
    names = [word.replace(" ", "_") for word in words[2:4]]
    texts = []
    for name, score in zip(names, (system, "other"), strict=True):
        config = folder / "config.json"
        own = {**fields, "experiment_id": name, "system_score_column": score}
        config.write_text(json.dumps(own), "utf-8")
        texts.append(run("rsmeval", config, folder / name))
        texts += [
            file.read_text("utf-8")
            for file in sorted((folder / name / "output").glob("*eval*.csv"))
        ]
    folders = [folder / name for name in names]
    both = [run("rsmcompare", *folders), run("rsmsummarize", *folders)]
    assert all(name in text for text in both for name in names)
    return [*texts, *(text.replace("_", " ") for text in both)]


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """What a command shows of plain names."""
    return cache(lambda command: command(tmp_path_factory.mktemp("plain"), PLAIN))


def same(texts, expected, words):
    """Every text has the numbers of the one with plain names, and the words as names."""
    for usual, ours in zip(expected, texts, strict=True):
        if "evaluation.json" in usual:  # rsmeval, whose draws are keyed by the labels of parts
            assert len(digits(ours)) == len(digits(usual))
        else:
            assert digits(ours) == digits(usual)
        for name, word in zip(PLAIN, words, strict=True):
            assert name not in usual or word in " ".join(ours.split()), (word, ours)


COMMANDS = pytest.mark.parametrize("command", [routed, planned, rsmtool])


@COMMANDS
@pytest.mark.parametrize("first", SAMPLE)
def test_words_of_ours_change_no_number_of_a_command(command, first, plain, tmp_path):
    words = called(first)
    same(command(tmp_path, words), plain(command), words)


@pytest.mark.slow
@COMMANDS
@pytest.mark.parametrize("first", range(len(WORDS)))
def test_every_word_of_ours_changes_no_number_of_a_command(command, first, plain, tmp_path):
    words = called(first, 1)
    same(command(tmp_path, words), plain(command), words)
