"""Evaluations that the tests of rendering share."""

import pytest

import tallymark as tm

SCORES = [1, 2, 3, 4, 4, 3, 2, 1, 2, 3, 4, 1] * 4
OTHER = [1, 2, 4, 4, 3, 3, 2, 2, 2, 3, 4, 1] * 4


@pytest.fixture(scope="session")
def evaluation():
    """Two systems, three prompts and a group column with one small group."""
    columns = {
        "h1": SCORES,
        "engine": OTHER,
        "chatbot": [2, *OTHER[1:]],
        "prompt": ["a", "b", "c"] * 16,
        "gender": ["x"] * 40 + ["y"] * 8,
    }
    return tm.evaluate(columns, scale="1:4", replicates=100)


@pytest.fixture(scope="session")
def hostile():
    """One system, with names that try to be markup, HTML or escape sequences."""
    columns = {
        "h1": SCORES,
        "<script>alert(1)</script>": OTHER,
        "[red]group[/red]": ["\x1b[31mred\x07", "[bold]b[/bold]", "<b>c", "d\ne"] * 12,
    }
    return tm.evaluate(
        columns,
        humans=["h1"],
        systems=["<script>alert(1)</script>"],
        groups=["[red]group[/red]"],
        scale="1:4",
        replicates=100,
    )


@pytest.fixture(scope="session")
def undefined():
    """A system that gives everyone the same score."""
    return tm.evaluate({"h1": [1, 2, 3, 4], "engine": [3, 3, 3, 3]}, scale="1:4", replicates=100)


@pytest.fixture(scope="session")
def panel():
    """One system beside three raters, whose scores are on the scale."""
    columns = {
        "h1": [1, 2, 3, 4, 4, 3] * 5,
        "h2": [1, 2, 4, 4, 3, 3] * 5,
        "h3": [1, 1, 3, 4, 4, 2] * 5,
        "engine": [1, 2, 3, 4, 3, 2] * 5,
    }
    return tm.evaluate(columns, scale="1:4", replicates=100)
