"""``tallymark evaluate --policy``: exit codes, the Markdown file, and what is refused."""

import json
import subprocess
import sys

import pytest

from tallymark.cli.main import main
from tallymark.simulation import Rater, System, simulate

OWN = 'name = "own"\nversion = "1"\n[[criteria]]\nstatistic = "qwk"\n'


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    raters = [Rater("h1", noise=0.5), Rater("h2", noise=0.5)]
    made = simulate(400, scale="1:6", raters=raters, systems=[System("engine", noise=0.4)], seed=3)
    path = tmp_path_factory.mktemp("verdict") / "scores.csv"
    columns = made.columns()
    lines = [
        ",".join(columns),
        *(",".join(map(str, row)) for row in zip(*columns.values(), strict=True)),
    ]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


@pytest.fixture
def run(file, capsys):
    def ended(*args):
        options = ["--human", "h1", "--human", "h2", "--system", "engine", "--scale", "1:6"]
        with pytest.raises(SystemExit) as end:
            main(["evaluate", str(file), *options, "--replicates", "200", *map(str, args)])
        out, err = capsys.readouterr()
        return end.value.code, out, err

    return ended


@pytest.mark.parametrize(
    ("limit", "state", "code"), [(0.5, "met", 0), (0.99, "not met", 1), (0.80, "undecided", 3)]
)
def test_a_gate_ends_by_the_verdict(run, tmp_path, limit, state, code):
    alone = ("--statistic", "qwk")
    qwk = json.loads(run("--json", *alone)[1])["estimates"]["rows"][0][3]
    limit = round(qwk, 2) if state == "undecided" else limit
    policy = tmp_path / "own.toml"
    policy.write_text(f"{OWN}at_least = {limit}\n", "utf-8")
    ended, out, _ = run("--policy", policy, "--gate", *alone)
    assert out.startswith(f"Verdict: {state}\nengine ")
    assert ended == code
    assert run("--policy", policy, *alone)[0] == 0
    ended, out, _ = run("--policy", policy, "--gate", "--json", *alone)
    assert (ended, json.loads(out)["verdict"]["state"]) == (code, state)


def test_a_gate_holds_when_the_reader_has_left(file, tmp_path):
    policy = tmp_path / "own.toml"
    policy.write_text(f"{OWN}at_least = 0.99\n", "utf-8")
    options = ["--policy", policy, "--gate", "--statistic", "qwk", "--replicates", "200"]
    command = [sys.executable, "-m", "tallymark", "evaluate", str(file), *map(str, options)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.wait(60) == 1


def test_a_gate_needs_a_policy(run):
    code, out, err = run("--gate")
    assert (code, out) == (2, "")
    assert "--gate needs a policy" in err


def test_an_unknown_policy_is_refused_before_the_data_are_read(run):
    code, _, err = run("--policy", "williamson")
    assert code == 2
    assert "Known: ctb2014, llm-judge, rsmtool-highlights, williamson2012, wood2021" in err


def test_the_summary_is_written(run, tmp_path):
    path = tmp_path / "new" / "verdict.md"
    assert run("--policy", "williamson2012", "--summary", path, "--out", tmp_path / "out")[0] == 0
    text = path.read_text("utf-8")
    assert text.startswith("## Verdict: met, as far as tested\n")
    assert "Not tested: SMD of each group." in text
    summary, mark, rest = text.partition("\n[//]: # (Written by Tallymark)")
    assert (mark, rest) != ("", "")
    assert summary == (tmp_path / "out" / "summary.md").read_text("utf-8")


def test_a_summary_that_cannot_be_written_is_refused(run, tmp_path):
    code, out, err = run("--summary", tmp_path)
    assert (code, out) == (2, "")
    assert "--summary must name a file" in err


def test_a_configuration_may_name_the_policy(run, tmp_path):
    config = tmp_path / "exam.toml"
    config.write_text('policy = "llm-judge"\ngate = true\n', "utf-8")
    code, out, _ = run("--config", config)
    assert "llm-judge" in out
    assert code in (0, 1, 3)
