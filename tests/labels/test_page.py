"""The pages on labels and judges' logs: their commands run, and print what the pages show."""

import re
import shlex
import shutil
from pathlib import Path

from tests.docs.blocks import run_page
from tests.docs.pages import DOCS

LOGS = Path(__file__).parents[1] / "sources" / "judges" / "files"


def test_draw_label_and_evaluate_print_what_the_page_shows(tmp_path):
    text = (DOCS / "labels.md").read_text("utf-8")
    now, complaints = run_page(text, tmp_path)
    assert complaints == ""
    assert now == text, "run `make fix`"


def test_an_inspect_log_becomes_a_verdict_in_two_commands(tmp_path, run, monkeypatch):
    text = (DOCS / "judges.md").read_text("utf-8")
    block = re.search(r"in two commands\n\n```\n(.*?)```", text, re.DOTALL)
    assert block is not None
    install, evaluate = block[1].splitlines()
    assert install == 'pip install "tallymark[logs]"'
    monkeypatch.chdir(tmp_path)
    (tmp_path / "logs").mkdir()
    shutil.copy(min(LOGS.glob("*.eval")), tmp_path / "logs" / "task.eval")
    ended = run(*shlex.split(evaluate)[1:])
    assert ended.code == 0, ended.err
    assert re.match(r"Verdict: (met|not met|undecided)\n", ended.out), ended.out
