"""The command: what it says before, prints, writes, and refuses."""

import csv
import shlex
import sys

from tests.cli.conftest import run  # noqa: F401 - a fixture
from tests.scorers.made import table

ASKED = ("--text", "essay", "--human", "h1", "--human", "h2", "--prompt", "prompt", "--id", "id")


def written(path, columns):
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
    return path


def test_the_command_ends_with_commands_that_work(run, tmp_path):  # noqa: F811
    file = written(tmp_path / "essays.csv", table(n=30))
    out = tmp_path / "floor"
    more = ("--models", "length,ridge,multinomial", "--system", "engine", "--out", out)
    ended = run("baseline", file, *ASKED, *more)
    assert ended.code == 0, ended.err
    assert ended.err.startswith("30 fits to come, some seconds: 3 reference scorers, 2 prompts")
    said = " ".join(ended.out.split())
    assert "They are no scoring engine" in said
    assert "engine" in said.partition("Against the reference scorers ")[2][:10]
    assert (out / "predictions.csv").exists()
    assert len([*(tmp_path / "floor-cache").glob("*.npz")]) == 10
    printed = ended.out.partition("predictions.csv\n")[2].replace("\\\n", " ").splitlines()
    assert [line.split()[1] for line in printed] == ["compare", "evaluate"]
    for line in printed:
        assert run(*shlex.split(line)[1:]).code == 0


def test_options_may_stand_in_a_file(run, tmp_path):  # noqa: F811
    file = written(tmp_path / "essays.csv", table(n=20))
    (tmp_path / "options.toml").write_text(
        'text = "essay"\nhuman = ["h1"]\nmodels = ["length"]\nresolve = "first"\nseeds = 1\n'
    )
    ended = run("baseline", file, "--config", tmp_path / "options.toml", "--json")
    assert ended.code == 0, ended.err
    assert '"systems":["length"]' in ended.out.replace(" ", "").replace("\n", "")


def test_a_missing_package_is_named(run, tmp_path, monkeypatch):  # noqa: F811
    file = written(tmp_path / "essays.csv", table(n=12))
    monkeypatch.setitem(sys.modules, "sklearn", None)
    ended = run("baseline", file, *ASKED)
    assert ended.code == 2
    assert "pip install 'tallymark[text]'" in ended.err


def test_the_systems_of_the_user_are_checked_before_anything_is_fitted(run, tmp_path):  # noqa: F811
    file = written(tmp_path / "essays.csv", table(n=12))
    ended = run("baseline", file, *ASKED, "--system", "engin")
    assert ended.code == 2
    assert "Did you mean 'engine'?" in ended.err
    assert "fits to come" not in ended.err
