"""How the command line starts and how it ends."""

import os
import random
import signal
import subprocess
import sys

import pytest

import tallymark
from tallymark.cli import main as main_module
from tallymark.cli.main import COMMANDS
from tests.docs.pages import with_their_parts

HEAVY = {
    "numpy",
    "scipy",
    "_duckdb",
    "duckdb",
    "rich",
    "jinja2",
    "pandas",
    "importlib.metadata",
}
LOADED = """
import sys
from tallymark.cli.main import main
try:
    main(sys.argv[1:])
finally:
    print(" ".join(sys.modules), file=sys.stderr)
"""


@pytest.mark.parametrize("args", [["--version"], ["--help"], ["evaluate", "--help"]])
def test_version_and_help_import_nothing_heavy(args):
    ended = subprocess.run(
        [sys.executable, "-c", LOADED, *args], capture_output=True, text=True, check=True
    )
    assert ended.stdout
    assert not HEAVY & {*ended.stderr.split()}


@pytest.fixture(scope="module")
def prompts(tmp_path_factory):
    """A hundred and twenty responses to two prompts, by two people and two systems."""
    drawn, path = random.Random(0), tmp_path_factory.mktemp("prompts") / "scores.csv"
    lines = ["prompt,group,h1,h2,a,b"]
    for i in range(120):
        truth = drawn.gauss(3, 1.2)
        scores = [min(5, max(1, round(truth + drawn.gauss(0, 0.6)))) for _ in range(4)]
        lines.append(",".join(map(str, ["xy"[i % 2], "fm"[i // 2 % 2], *scores])))
    path.write_text("\n".join(lines), "utf-8")
    return path


@pytest.mark.parametrize(
    "args",
    [
        ["evaluate", "--system", "a", "--prompt", "prompt", "--group", "group"],
        ["compare", "--system", "a", "--system", "b", "--prompt", "prompt"],
        ["raters"],
        ["ceiling"],
    ],
)
def test_common_runs_do_not_wait_for_scipy_nor_for_the_page(prompts, args):
    command, *options = args
    call = [command, str(prompts), "--human", "h1", "--human", "h2", *options, "--scale", "1:5"]
    ended = subprocess.run(
        [sys.executable, "-c", LOADED, *call], capture_output=True, text=True, check=True
    )
    assert ended.stdout
    unused = {
        "scipy", "jinja2", "importlib.resources", "tallymark.render.figures.svg",
        "tallymark.sources.excel", "tallymark.selective.certify", "tallymark.questions.routing.tables",
    }  # fmt: skip
    assert not unused & {*ended.stderr.split()}


def test_the_version_is_that_of_the_package(run):
    assert run("--version") == (0, f"tallymark {tallymark.__version__}\n", "")


def test_without_a_command_the_help_is_shown(run):
    ended = run()
    assert ended.code == 0
    assert all(command in ended.out for command in COMMANDS)


def test_the_first_help_page_gives_every_command_one_whole_line(run):
    shown = run("--help").out.splitlines()
    for name, says in COMMANDS.items():
        assert f"  {name.ljust(12)}  {says}" in shown


@pytest.mark.parametrize("command", [*with_their_parts()])
def test_every_command_has_a_help_page_with_text_for_each_option(run, command):
    ended = run(*command.split(), "--help")
    assert ended.code == 0
    assert max(map(len, ended.out.splitlines())) <= 100
    assert "Output:" in ended.out or "Commands:" in ended.out


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["evlauate"], "There is no command 'evlauate'. Did you mean 'evaluate'?"),
        (["evaluate"], "Missing argument 'FILE'."),
        (["baseline", "x.csv"], "Missing option '--text'."),
        (["route", "certify", "x.csv", "--alpha", ".1"], "Missing option '--system'."),
        (["evaluate", "x.csv", "--humen", "h1"], "No such option"),
        (["evaluate", "x.csv", "--level", "high"], "'high' is not a valid float"),
        (["evaluate", "x.csv", "--level", "95"], "Did you mean 0.95?"),
        (["evaluate", "x.csv", "--confidence", "c"], "expected NAME=COL, got 'c'"),
        (
            ["evaluate", "x.csv", "--repeat", "e=a", "--repeat", "e=b"],
            "'e' is given more than once",
        ),
        (["evaluate", "x.csv", "--statistic", "qwkk"], "Did you mean 'QWK'?"),
        (["evaluate", "nowhere.csv"], "nowhere.csv"),
        (["evaluate", "\x1b[31m\n.csv"], "[31m .csv"),
    ],
)
def test_the_users_mistake_ends_with_2_and_one_line(run, args, message):
    ended = run(*args)
    assert ended.code == 2
    assert ended.out == ""
    assert ended.err.startswith("tallymark: ")
    assert ended.err.count("\n") == 1
    assert message in ended.err
    assert "\x1b" not in ended.err


@pytest.fixture
def broken(monkeypatch):
    """Let reading fail as a bug would."""

    def fail(*args, **options):
        raise KeyError("a bug")

    monkeypatch.setattr("tallymark.sources.open_scores", fail)


def test_our_bug_ends_with_70_one_line_and_how_to_report_it(run, scores, broken):
    ended = run("evaluate", scores)
    assert ended.code == 70
    assert ended.err.count("\n") == 1
    assert "KeyError: 'a bug'" in ended.err
    assert main_module.REPORT in ended.err


def test_our_bug_shows_its_traceback_with_debug(run, scores, broken):
    ended = run("evaluate", scores, "--debug")
    assert ended.code == 70
    assert "Traceback (most recent call last)" in ended.err


def test_ctrl_c_ends_with_130_and_in_silence(run, scores, monkeypatch):
    def interrupted(*args, **options):
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr("tallymark.sources.open_scores", interrupted)
    assert run("evaluate", scores) == (130, "", "")


def test_an_error_that_follows_ctrl_c_is_not_taken_for_a_bug(run, scores, monkeypatch):
    def interrupted(*args, **options):
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            raise RuntimeError("Query interrupted") from None

    monkeypatch.setattr("tallymark.sources.open_scores", interrupted)
    assert run("evaluate", scores) == (130, "", "")


def test_a_closed_pipe_ends_in_silence(scores):
    command = f"{sys.executable} -m tallymark evaluate {scores} --replicates 100 --json | head -1"
    ended = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "{\n", "")


def test_the_package_runs_as_a_module(program):
    ended = program("--version")
    assert (ended.returncode, ended.stderr) == (0, "")


def test_small_matrices_are_multiplied_in_one_thread_unless_told_otherwise():
    code = "import os, sys; from tallymark.cli.main import main\n"
    code += "try: main(['--version'])\nexcept SystemExit: pass\n"
    code += "print('numpy' in sys.modules, os.environ['OPENBLAS_NUM_THREADS'])"
    for given, used in ((None, "1"), ("3", "3")):
        env = {k: v for k, v in os.environ.items() if not k.endswith("_NUM_THREADS")}
        env |= {"OPENBLAS_NUM_THREADS": given} if given else {}
        ended = subprocess.run(
            [sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True
        )
        assert ended.stdout.splitlines()[-1] == f"False {used}"
