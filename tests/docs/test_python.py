"""What the docs show in Python runs, and prints what they say."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tallymark as tm
from tallymark.demo import SCORES
from tallymark.render.tables import csv_text
from tallymark.simulation import Rater, System, simulate
from tests.docs.blocks import BLOCK, run_page
from tests.docs.pages import DOCS
from tests.docs.pages import PAGES as GENERATED

PAGES = [
    DOCS.parent / "README.md",
    *(page for page in sorted(DOCS.rglob("*.md")) if page.name not in GENERATED),
]
BLOCKS = {
    page: re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), re.DOTALL) for page in PAGES
}
RUNNING = [
    page
    for page in PAGES
    if BLOCK.search(page.read_text("utf-8")) and page.parent.name != "tutorials"
]


def routed(n: int, seed: int) -> str:
    made: dict[str, Any] = simulate(
        n,
        scale="1:6",
        raters=[Rater("h1", noise=0.3)],
        systems=[System("engine", noise=0.3, confidence=0.9)],
        seed=seed,
    ).columns()
    made["response"] = [f"{seed}-{i}" for i in made["response"]]
    made["conf"] = made.pop("engine_confidence")
    return csv_text([*made], [*zip(*made.values(), strict=True)])


@pytest.fixture
def files(tmp_path, monkeypatch):
    """The files that the docs speak of."""
    monkeypatch.chdir(tmp_path)
    Path("scores.csv").write_bytes(Path(SCORES).read_bytes())
    for seed, name in enumerate(["cal.csv", "new.csv", "audited.csv"]):
        Path(name).write_text(routed(600, seed), "utf-8")


@pytest.mark.parametrize("page", [p for p in PAGES if BLOCKS[p]], ids=lambda page: page.name)
def test_python_in_the_docs_runs(page, files):
    ratings = np.array([[1, 2, 2], [3, 3, np.nan], [4, 4, 3], [2, 2, 2]])
    found = tm.evaluate("scores.csv", humans="h1", systems="engine")
    names = {"tm": tm, "y_true": [1, 2, 3], "y_pred": [1, 2, 2], "ratings": ratings}
    names["evaluation"] = found
    for block in BLOCKS[page]:
        exec(compile(block, page.name, "exec"), names)  # noqa: S102 - our own docs


@pytest.mark.parametrize("page", RUNNING, ids=lambda page: page.name)
def test_sessions_in_the_docs_are_what_comes_out(page, tmp_path):
    text = page.read_text("utf-8")
    now, complaints = run_page(text, tmp_path)
    assert complaints == "", complaints
    assert now == text, "run `make fix`"
