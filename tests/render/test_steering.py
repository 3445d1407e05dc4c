"""No output holds characters that steer a terminal or turn the direction of what follows."""

import re

import numpy as np
import pytest

import tallymark as tm
from tests.cli.conftest import *  # noqa: F403 - the command line

STEERING = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]"
)
"""Control characters but tabs and line breaks, separators of lines, and changes of direction."""
ESCAPED = re.compile(r"\\u00(0[0-8bcef]|1[0-9a-f]|7f|[89][0-9a-f])", re.IGNORECASE)
"""A control character in JSON, which a page would turn back."""
HOSTILE = ("\x1b[31mred", "\u202egnp.exe", "a\x9bb", "\u2066x", "b\u2028c", "\x07bell", "\x7fdel")


@pytest.fixture
def hostile(tmp_path):
    """A table in which every name and every value that is no score steers."""
    rng = np.random.default_rng(5)
    gold = rng.integers(1, 5, 80)
    noise = [np.clip(gold + rng.integers(-1, 2, 80), 1, 4) for _ in range(4)]
    names = [
        f"{name}{word}"
        for name, word in zip(HOSTILE, ("h1", "h2", "s1", "s2", "g", "p", "i"), strict=True)
    ]
    columns = dict(zip(names, [gold, *noise[:3]], strict=False))
    columns[names[4]] = [HOSTILE[i % 2] for i in range(80)]
    columns[names[5]] = [HOSTILE[2 + i % 2] for i in range(80)]
    columns[names[6]] = [f"{HOSTILE[i % 7]}{i}" for i in range(80)]
    columns["sure"] = rng.random(80).round(3)
    path = tmp_path / "scores.csv"
    rows = [",".join(f'"{c}"' for c in columns)]
    rows += [",".join(f'"{c}"' for c in row) for row in zip(*columns.values(), strict=True)]
    path.write_text("\n".join(rows) + "\n", "utf-8")
    return path, names


def check(folder, ended):
    assert ended.code in (0, 1, 3), ended.err
    assert not STEERING.search(ended.out + ended.err)
    for path in (path for path in folder.rglob("*") if path.is_file()):
        assert not STEERING.search(path.name)
        text = path.read_text("utf-8")
        assert not STEERING.search(text), (path.name, STEERING.search(text))
        if path.suffix == ".html":
            numbers = re.search(r'id="numbers">(.*?)</script>', text, re.DOTALL)
            assert numbers is not None
            assert not ESCAPED.search(numbers[1])


def calls(path, names, out):
    h1, h2, s1, s2, group, prompt, name = names
    people, both = ("--human", h1, "--human", h2), ("--system", s1, "--system", s2)
    keys = ("--group", group, "--prompt", prompt, "--id", name, "--scale", "1:4")
    quick = ("--replicates", "100")
    yield (
        "evaluate",
        path,
        *people,
        *both,
        *keys,
        *quick,
        "--out",
        out,
        "--policy",
        "llm-judge",
        "--full",
    )
    yield ("evaluate", path, *people, *both, *keys, *quick, "--json")
    yield ("compare", path, *people, *both, *keys, *quick, "--out", out)
    yield ("raters", path, *people, *keys, *quick, "--out", out)
    yield ("ceiling", path, *people, *keys, *quick, "--out", out)
    yield ("whatif", path, *people, "--system", s1, *keys, "--out", out)
    yield (
        "tally",
        path,
        *people,
        *both,
        "--group",
        group,
        "--prompt",
        prompt,
        "--out",
        out / "t.csv",
    )
    yield (
        "labels",
        "draw",
        path,
        "--id",
        name,
        "--by",
        s1,
        "-n",
        "9",
        "--show",
        group,
        "--out",
        out / "l.csv",
    )
    certify = (
        "--human",
        h1,
        "--system",
        s1,
        "--confidence",
        "sure",
        "--alpha",
        ".9",
        "--lambda",
        ".9",
    )
    yield (
        "route",
        "certify",
        path,
        *certify,
        *keys,
        "--out",
        out / "r.json",
        "--report",
        out / "r",
    )


def test_no_output_steers(hostile, run, tmp_path):
    path, names = hostile
    for i, words in enumerate(calls(path, names, tmp_path / "out")):
        out = tmp_path / "out"
        out.mkdir(exist_ok=True)
        check(out, run(*words, *(["--force"] if i else [])))


def test_results_come_back_from_json_with_their_names(hostile):
    path, names = hostile
    found = tm.evaluate(
        path, humans=names[:2], systems=[names[2]], groups=[names[4]], replicates=100
    )
    again = tm.Evaluation.from_json(found.to_json())
    assert again.to_json() == found.to_json()
    assert {subset.system for subset in again.subsets} >= {names[2]}
