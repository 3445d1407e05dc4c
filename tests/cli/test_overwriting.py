"""No file is replaced that Tallymark did not write, unless --force says so; what is read never is."""

import click
import pytest

from tallymark.cli.options import PATH
from tests.cli.test_empty_values import commands, ended

TARGETS = [
    (words, option)
    for words, command in commands()
    for option in command.params
    if isinstance(option, click.Option) and option.type is PATH
    if str(option.help).startswith(("Write", "Where to write"))
]
"""Every option of every command that names what is written."""
FILES = [target for target in TARGETS if target[1].metavar == "FILE"]
FOLDERS = [target for target in TARGETS if target[1].metavar == "DIR"]
MINE = "my own notes\n"
CERTIFY = ("--human", "h1", "--system", "engine", "--confidence", "sure", "--alpha", ".4")


def named(target):
    return f"{' '.join(target[0])} {target[1].opts[0]}"


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def scores(tmp_path):
    path = tmp_path / "scores.csv"
    rows = [f"R{i},{1 + i % 4},{1 + (i + (i % 9 == 0)) % 4},{i % 10 / 10}\n" for i in range(80)]
    path.write_text("id,h1,engine,sure\n" + "".join(rows), "utf-8")
    return path


def test_the_options_that_name_an_output_are_found():
    found = {named(target) for target in TARGETS}
    assert {"report --out", "evaluate --summary", "tally --out", "demo --scores"} <= found
    assert {"route certify --out", "route certify --report", "route apply --out"} <= found
    assert {"baseline --probe-out", "labels draw --out", "lab properties --out"} <= found
    others = {
        named((words, option))
        for words, command in commands()
        for option in command.params
        if isinstance(option, click.Option) and option.type is PATH
    } - found
    reading = {"config", "human-file", "probe-scores", "vectors", "pool", "reference"}
    assert {name.rpartition("--")[2] for name in others} <= {*reading, "predictions", "cache"}


@pytest.mark.parametrize("target", FILES, ids=named)
def test_a_file_of_mine_stays(target, run, scores, tmp_path):
    words, option = target
    mine = tmp_path / "mine.csv"
    mine.write_text(MINE, "utf-8")
    end = ended(run, scores, words, option.opts[0], mine)
    assert end.code == 2, end
    assert "--force" in end.err
    assert mine.read_text("utf-8") == MINE


@pytest.mark.parametrize("target", FOLDERS, ids=named)
def test_a_file_of_mine_in_a_folder_stays(target, run, scores, tmp_path):
    words, option = target
    mine = tmp_path / "out" / "report.html"
    mine.parent.mkdir()
    mine.write_text(MINE, "utf-8")
    end = ended(run, scores, words, option.opts[0], mine.parent)
    assert end.code == 2, end
    assert "--force" in end.err
    assert mine.read_text("utf-8") == MINE


@pytest.mark.parametrize("target", [t for t in FILES if t[0] != ("demo",)], ids=named)
def test_what_is_read_is_never_replaced(target, run, scores):
    words, option = target
    before = scores.read_bytes()
    end = ended(run, scores, words, option.opts[0], scores, "--force")
    assert end.code == 2, end
    assert scores.read_bytes() == before


@pytest.mark.parametrize("name", ["exclusions.csv", "disagreements.csv", "tables/estimates.csv"])
def test_what_is_read_from_the_folder_is_never_replaced(name, run, scores, tmp_path):
    read = tmp_path / "out" / name
    read.parent.mkdir(parents=True)
    read.write_bytes(scores.read_bytes())
    end = run("evaluate", read, "--out", "out", "--force")
    assert end.code == 2, end
    assert "is read" in end.err
    assert read.read_bytes() == scores.read_bytes()


@pytest.mark.parametrize(
    "reading",
    [
        ("--human-file", "labels.csv"), ("--reference", "labels.csv"), ("--policy", "labels.csv"),
        ("--probe-scores", "labels.csv"), ("--config", "labels.csv"),
    ],
)  # fmt: skip
def test_files_that_options_name_are_read_too(reading, run, scores, tmp_path):
    labels = tmp_path / "labels.csv"
    labels.write_text("", "utf-8")
    end = run("evaluate", scores, *reading, "--summary", labels, "--force")
    assert end.code == 2
    assert labels.read_text("utf-8") == ""


def test_a_part_of_a_pattern_is_read_too(run, scores, tmp_path):
    end = run("tally", tmp_path / "sc*.csv", "--human", "h1", "--out", scores, "--force")
    assert end.code == 2
    assert "is read" in end.err


@pytest.mark.parametrize(
    "words",
    [
        ("evaluate", "scores.csv", "--summary", "mine"),
        ("tally", "scores.csv", "--human", "h1", "--system", "engine", "--out", "mine.csv"),
        ("labels", "draw", "scores.csv", "-n", "5", "--out", "mine.csv"),
        ("demo", "--scores", "mine"),
        ("route", "certify", "scores.csv", *CERTIFY, "--out", "mine"),
    ],
    ids=lambda words: words[0],
)
def test_force_replaces_a_file_of_mine(words, run, scores, tmp_path):
    mine = tmp_path / words[-1]
    mine.write_text(MINE, "utf-8")
    assert scores.exists()
    assert run(*words).code == 2
    assert mine.read_text("utf-8") == MINE
    assert run(*words, "--force").code in (0, 3)
    assert mine.read_text("utf-8-sig") != MINE


def test_force_replaces_a_file_of_mine_in_a_folder(run, scores, tmp_path):
    mine = tmp_path / "out" / "report.html"
    mine.parent.mkdir()
    mine.write_text(MINE, "utf-8")
    assert run("evaluate", scores, "--out", "out", "--force").code == 0
    assert "Tallymark" in mine.read_text("utf-8")


def test_the_same_command_replaces_what_it_wrote(run, scores):
    certify = ("route", "certify", scores, *CERTIFY, "--out", "routing.json", "--report", "routed")
    evaluate = ("evaluate", scores, "--summary", "verdict.md", "--out", "results")
    for words in (
        certify,
        evaluate,
        ("report", "results/evaluation.json"),
        ("demo", "--scores", "d.csv"),
    ):
        assert [run(*words).code in (0, 3) for _ in range(2)] == [True, True], words
    assert run("report", "results/evaluation.json", "--out", "page.html").code == 0
    assert run("report", "results/evaluation.json", "--out", "page.html").code == 0


def test_an_empty_file_and_a_device_hold_nothing_of_mine(run, scores, tmp_path):
    (tmp_path / "verdict.md").touch()
    assert run("evaluate", scores, "--summary", "verdict.md").code == 0
    assert run("evaluate", scores, "--summary", "/dev/null").code == 0


def test_a_document_that_quotes_a_page_of_ours_is_mine(run, scores, tmp_path):
    assert run("evaluate", scores, "--out", "results").code == 0
    mine = tmp_path / "thesis.html"
    page = (tmp_path / "results" / "report.html").read_text("utf-8")
    mine.write_text("<html><body>" + "my own words " * 500 + page, "utf-8")
    assert run("report", "results/evaluation.json", "--out", mine).code == 2


def test_two_outputs_cannot_be_one_file(run, scores):
    end = run(
        "baseline", scores, "--text", "id", "--probes", "--out", "p.csv", "--probe-out", "p.csv"
    )
    assert end.code == 2
    assert "name one file" in end.err
