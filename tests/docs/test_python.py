"""What the docs show in Python runs, and prints what they say."""

import doctest
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tallymark as tm
from tallymark.demo import SCORES
from tallymark.render.tables import csv_text
from tallymark.simulation import Rater, System, simulate
from tests.docs.pages import DOCS
from tests.docs.pages import PAGES as GENERATED

PAGES = [
    DOCS.parent / "README.md",
    *(page for page in sorted(DOCS.rglob("*.md")) if page.name not in GENERATED),
]
BLOCKS = {
    page: re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), re.DOTALL) for page in PAGES
}
PROMPTED = [page for page in PAGES if "```pycon\n" in page.read_text("utf-8")]


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


@pytest.mark.parametrize("page", PROMPTED, ids=lambda page: page.name)
def test_python_in_the_docs_prints_what_they_say(page):
    text = "\n".join(re.findall(r"```pycon\n(.*?)```", page.read_text("utf-8"), re.DOTALL))
    examples = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    said: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(examples, out=said.append)
    assert said == [], "".join(said)


def test_every_public_function_is_in_the_docs():
    text = "".join(page.read_text("utf-8") for page in PAGES)
    functions = [f"tm.{name}" for name in ("evaluate", "compare", "raters", "ceiling", "estimate")]
    functions += [
        "tm.explain",
        *(f"tm.{name}" for name in ("metrics", "plan", "route", "simulation")),
    ]
    assert [name for name in functions if name not in text] == []
