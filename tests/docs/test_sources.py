"""Commands of docs/sources.md run, on some of the bundled scores where they name a file."""

import re
import shlex
import sys

import pytest

import tallymark as tm
from tallymark.cli.main import main
from tallymark.demo import SCORES
from tests.docs.pages import DOCS

COMMANDS = re.findall(r"\| `([^`]+)` \|$", (DOCS / "sources.md").read_text("utf-8"), re.MULTILINE)
LAB = "tallymark lab run "


def test_every_claim_has_a_command():
    rows = re.findall(r"^\| .*\*\*.*$", (DOCS / "sources.md").read_text("utf-8"), re.MULTILINE)
    assert len(rows) == len(COMMANDS) >= 80


def test_experiments_are_those_of_the_lab():
    """They run when the page is compared with what it should be."""
    named = {command.removeprefix(LAB) for command in COMMANDS if command.startswith(LAB)}
    assert named == {*tm.lab.names()}


@pytest.mark.parametrize("command", sorted({c for c in COMMANDS if not c.startswith(LAB)}))
def test_the_command_runs(command, capsys, tmp_path):
    program, *words = shlex.split(command)
    if program == "python":
        exec(words[1], {})  # noqa: S102 - an import
        assert "tallymark.selective.trust" in sys.modules
        return
    first = tmp_path / "scores.csv"
    first.write_text("".join(SCORES.read_text("utf-8").splitlines(keepends=True)[:151]), "utf-8")
    places = {"FILE": str(first), "OUT": str(tmp_path / "out")}
    with pytest.raises(SystemExit) as ended:
        main([places.get(word, word) for word in words])
    assert ended.value.code == 0
    assert capsys.readouterr().out
