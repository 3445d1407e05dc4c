"""What commands write: never over what they read, never elsewhere, nothing of an earlier run."""

import json
import os

import pytest

from tests.cli.conftest import SCORES

QUICK = ("--replicates", "100")


def files(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def refused(ended, *words):
    assert ended.code == 2
    assert ended.err.startswith("tallymark: ")
    assert ended.err.count("\n") == 1
    assert all(word in ended.err for word in words), ended.err


def test_another_command_leaves_nothing_of_the_first(run, scores, tmp_path):
    run("evaluate", scores, *QUICK, "--out", tmp_path / "out")
    assert "disagreements.csv" in files(tmp_path / "out")
    both = "id,h1,h2\n" + "".join(f"R{i},{1 + i % 4},{1 + i % 3}\n" for i in range(40))
    people = tmp_path / "people.csv"
    people.write_text(both, "utf-8")
    assert run("raters", people, *QUICK, "--out", tmp_path / "out").code == 0
    listed = json.loads((tmp_path / "out" / "manifest.json").read_bytes())
    assert listed["kind"] == "raters"
    assert files(tmp_path / "out") == {*listed["files"], "manifest.json"}
    assert "disagreements.csv" not in listed["files"]
    assert (
        (tmp_path / "out" / "summary.md").read_text("utf-8").startswith("## Tallymark: Two people")
    )


@pytest.mark.parametrize("name", ["evaluation.json", "report.html", "exclusions.csv"])
def test_a_file_of_the_users_is_refused_before_any_work(run, tmp_path, name):
    (tmp_path / name).write_text("mine")
    refused(run("evaluate", "nowhere.csv", "--out", tmp_path), name, "move it, name another")
    assert (tmp_path / name).read_text() == "mine"


def test_outputs_never_replace_what_is_read(run, scores, tmp_path):
    settings = tmp_path / "exam.toml"
    settings.write_text("replicates = 100\n", "utf-8")
    link = tmp_path / "link.csv"
    link.symlink_to(scores)
    for target in (scores, link, settings):
        ended = run("evaluate", scores, "--config", settings, "--summary", target)
        refused(ended, "--summary", "which is read")
    assert scores.read_text("utf-8") == SCORES
    certify = ("route", "certify", scores, "--human", "h1", "--system", "engine", "--alpha", ".1")
    refused(run(*certify, "--confidence", "h1", "--out", scores), "--out", "which is read")
    assert scores.read_text("utf-8") == SCORES


def test_a_page_never_replaces_its_evaluation(run, scores, tmp_path):
    run("evaluate", scores, *QUICK, "--out", tmp_path / "out")
    made = tmp_path / "out" / "evaluation.json"
    before = made.read_bytes()
    refused(run("report", made, "--out", made), "which is read")
    assert made.read_bytes() == before
    refused(run("evaluate", tmp_path / "out" / "exclusions.csv", "--out", tmp_path / "out"),
            "which is read")  # fmt: skip


def test_decisions_never_replace_the_responses_or_the_routing_file(run, scores, tmp_path):
    routing = tmp_path / "routing.json"
    routing.write_text("{}")
    for target in (scores, routing):
        refused(run("route", "apply", routing, scores, "--out", target), "which is read")


def test_two_outputs_of_one_name_are_refused(run, scores, tmp_path):
    ended = run(
        "evaluate", scores, "--out", tmp_path / "o", "--summary", tmp_path / "o/report.html"
    )
    refused(ended, "both write report.html")


@pytest.mark.parametrize(
    "words",
    [
        ("evaluate", "scores.csv", "--out", ""),
        ("evaluate", "scores.csv", "--summary", ""),
        ("raters", "scores.csv", "--out", ""),
        ("route", "apply", "routing.json", "new.csv", "--out", ""),
        ("report", "evaluation.json", "--out", ""),
        ("rsmeval", "config.json", ""),
        ("demo", "--out", ""),
    ],
)
def test_an_empty_name_is_not_the_folder_one_stands_in(run, tmp_path, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    refused(run(*words), "is empty")
    assert files(tmp_path) == set()


def test_an_output_named_in_a_file_of_options_is_checked_too(run, scores, tmp_path):
    options = tmp_path / "options.toml"
    for text, words in (('out = ""', "is empty"), ('out = "a\\u0000b"', "null character")):
        options.write_text(text, "utf-8")
        refused(run("evaluate", scores, "--config", options), words)


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_of_tables_leaves_the_old_run(run, scores, tmp_path):
    out = tmp_path / "out"
    run("evaluate", scores, *QUICK, "--out", out)
    (out / "notes.txt").write_text("mine")
    before = (out / "evaluation.json").read_bytes()
    (out / "tables").chmod(0o555)
    refused(run("evaluate", scores, *QUICK, "--seed", "5", "--out", out), "cannot write")
    assert (out / "evaluation.json").read_bytes() == before
