"""The command: what it says before, prints, writes, and refuses."""

import csv
import re
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
    assert "They are not a scoring engine" in said
    assert "Against the reference scorers QWK: engine " in said
    assert (out / "predictions.csv").exists()
    assert "they are not a scoring engine" in (out / "report.html").read_text("utf-8")
    assert len([*(tmp_path / "floor-cache").glob("*.npz")]) == 10
    printed = ended.out.partition("predictions.csv\n")[2].replace("\\\n", " ").splitlines()
    assert [line.split()[1] for line in printed] == ["compare", "evaluate", "route"]
    for line in printed:  # 3: too few responses to certify anything
        assert run(*shlex.split(line)[1:]).code in ((0, 3) if "certify" in line else (0,))


def test_candidates_with_several_responses_are_certified_by_one_of_each(run, tmp_path):  # noqa: F811
    columns = {**table(n=30), "candidate": [f"c{i % 30}" for i in range(60)]}
    more = ("--cluster", "candidate", "--models", "ridge,multinomial", "--out", tmp_path / "f.csv")
    ended = run("baseline", written(tmp_path / "essays.csv", columns), *ASKED, *more)
    assert ended.code == 0, ended.err
    (certify,) = [line for line in ended.out.splitlines() if "route certify" in line]
    assert certify.endswith("--one-per-cluster")
    ended = run(*shlex.split(certify)[1:])
    assert ended.code in (0, 3), ended.err


def test_many_prompts_take_one_screen(run, tmp_path):  # noqa: F811
    file = written(tmp_path / "essays.csv", table(n=10, prompts=[f"q{i}" for i in range(20)]))
    ended = run("baseline", file, *ASKED, "--models", "length,ridge", "--system", "engine")
    assert ended.code == 0, ended.err
    assert len(ended.out.splitlines()) < 40
    said = " ".join(ended.out.split())
    assert "QWK: engine beats both: " in said or "; not settled: against " in said
    assert "--statistic." not in said


def test_who_is_behind_is_behind_by_a_positive_number(run, tmp_path):  # noqa: F811
    columns = table(n=60)
    columns["engine"] = [5 - score for score in columns["h1"]]
    more = ("--models", "length,ridge", "--system", "engine")
    ended = run("baseline", written(tmp_path / "essays.csv", columns), *ASKED, *more)
    assert ended.code == 0, ended.err
    assert "QWK: engine is behind both: ridge by +1." in " ".join(ended.out.split())


def test_the_text_of_the_question_may_name_the_prompt(run, tmp_path):  # noqa: F811
    file = written(tmp_path / "essays.csv", table(n=20))
    ended = run("baseline", file, *ASKED, "--models", "length", "--prompt-text", "prompt")
    assert ended.code == 0, ended.err
    assert "2 prompts" in ended.err


def test_several_rules_stand_side_by_side(run, tmp_path):  # noqa: F811
    file, rules = written(tmp_path / "essays.csv", table(n=20)), ("sum", "mean", "higher")
    asked = [word for rule in rules for word in ("--resolve", rule)]
    ended = run("baseline", file, *ASKED, "--models", "length,ridge", *asked)
    lines = ended.out.partition("QWK by rule, mean over prompts")[2].splitlines()
    assert lines[1].split() == ["system", *rules]
    for name, line in zip(("length", "ridge"), lines[2:4], strict=True):
        shown, of_sum, of_mean, of_higher = re.split(" {2,}", line)
        assert shown == name
        assert of_sum == of_mean != of_higher  # the mean is half the sum


def test_what_is_interrupted_says_how_to_go_on(run, tmp_path, monkeypatch):  # noqa: F811
    from tallymark.scorers.fitting import FoldTask

    file, done, work = written(tmp_path / "essays.csv", table(n=20)), [], FoldTask.run

    def stopped(self):
        done.append(self)
        if len(done) == 4:
            raise KeyboardInterrupt
        return work(self)

    monkeypatch.setattr(FoldTask, "run", stopped)
    more = ("--models", "length,ridge", "--cache", tmp_path / "kept")
    ended = run("baseline", file, *ASKED, *more)
    assert ended.code == 130
    assert "Interrupted: what was learned is kept in" in ended.err
    assert len([*(tmp_path / "kept").glob("*.npz")]) == 3
    assert run("baseline", file, *ASKED, *more).code == 0
    assert len(done) == 4 + 7


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
    assert "essays.csv has no column 'engin'" in ended.err
    assert "engine. Did you mean 'engine'?" in ended.err  # the last of the columns, none of ours
    assert "fits to come" not in ended.err
    ended = run("baseline", file, *ASKED, "--scale", "1:3")
    assert "of essays.csv holds 4" in ended.err


def test_probes_are_written_scored_and_read_back(run, tmp_path):  # noqa: F811
    file = written(tmp_path / "essays.csv", table(n=30))
    probes, out = tmp_path / "probes.csv", tmp_path / "floor"
    more = ("--models", "length", "--system", "engine", "--probe-out", probes)
    ended = run("baseline", file, *ASKED, *more)
    assert ended.code == 0, ended.err
    with probes.open(encoding="utf-8", newline="") as stream:
        rows = [*csv.DictReader(stream)]
    assert [*rows[0]] == ["row", "id", "prompt", "probe", "text"]
    scored = {name: [row[name] for row in rows] for name in rows[0]} | {"engine": [2] * len(rows)}
    given = ("--probe-scores", written(tmp_path / "scored.csv", scored))
    ended = run("baseline", file, *ASKED, *more[:4], "--probes", *given, "--out", out)
    assert ended.code == 0, ended.err
    assert "engine, an empty text: " in " ".join(ended.out.split())
    assert "probe_change" in (out / "evaluation.json").read_text("utf-8")
    assert "Probes" in (out / "report.html").read_text("utf-8")
    assert any("probe_change" in path.read_text("utf-8") for path in out.glob("tables/*.csv"))
    again = ended.out.partition("predictions.csv\n")[2].replace("\\\n", " ").splitlines()[0]
    assert str(out / "probes.csv") in again
    assert run(*shlex.split(again)[1:]).code == 0


def test_the_table_alone_is_written_as_parquet_and_read(run, tmp_path):  # noqa: F811
    file = written(tmp_path / "essays.csv", table(n=30))
    more = ("--models", "length,ridge,multinomial", "--system", "engine")
    for name in ("floor.parquet", "floor.csv"):
        ended = run("baseline", file, *ASKED, *more, "--out", tmp_path / name)
        assert ended.code == 0, ended.err
        printed = ended.out.partition(f"{name}\n")[2].replace("\\\n", " ").splitlines()
        assert [line.split()[1] for line in printed] == ["compare", "evaluate", "route"]
        for line in printed:
            ended = run(*shlex.split(line)[1:])
            assert ended.code in ((0, 3) if "certify" in line else (0,)), ended.err
    ended = run(
        "baseline",
        file,
        *ASKED,
        *more,
        "--out",
        tmp_path / "f.csv",
        "--resolve",
        "sum",
        "--resolve",
        "mean",
    )
    assert ended.code == 2
    assert "name a folder for several rules" in ended.err
