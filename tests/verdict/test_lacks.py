"""What a verdict says is missing can be mended as it says."""

import re
from typing import Any

import numpy as np
import pytest

import tallymark as tm
from tallymark.questions.verdict import say
from tests.verdict.made import told

KEYWORDS: dict[str, dict[str, Any]] = {
    "group": {"groups": ["gender"]},
    "prompt": {"prompt": "essay"},
    "trait": {"trait": "aspect"},
    "human": {"humans": ["h1", "h2"]},
    "repeat": {"repeats": {"engine": ["run1", "run2"]}},
}


def table(seed):
    """240 responses in every combination of what a limit may need."""
    rng = np.random.default_rng(seed)
    n = 240
    true = rng.normal(3, 1.1, n)

    def score(noise):
        return np.clip(np.rint(true + rng.normal(0, noise, n)), 1, 5).tolist()

    names = ("h1", "h2", "engine", "run1", "run2")
    return {
        **{name: score(0.4) for name in names},
        "gender": rng.choice(["f", "m"], n).tolist(),
        "essay": rng.choice(["a", "b"], n).tolist(),
        "aspect": rng.choice(["x", "y"], n).tolist(),
    }


@pytest.mark.parametrize(
    ("statistic", "where", "least"),
    [
        ("smd", "every group", -0.9),
        ("qwk", "every prompt", 0.2),
        ("qwk", "every trait", 0.2),
        ("degradation[qwk]", "overall", -0.9),
        ("self_consistency[exact]", "overall", 0.1),
    ],
)
@pytest.mark.parametrize("seed", range(2))
def test_what_is_missing_names_the_option_that_brings_it(tmp_path, statistic, where, least, seed):
    path = tmp_path / "own.toml"
    path.write_text(
        f'name = "own"\nversion = "1"\n[[criteria]]\nstatistic = "{statistic}"\n'
        f'where = "{where}"\nat_least = {least}\n',
        "utf-8",
    )
    columns = table(seed)
    asked = {"systems": ["engine"], "scale": "1:5", "replicates": 100, "policy": path}
    bare = {name: columns[name] for name in ("h1", "engine")}
    without = tm.evaluate(bare, humans=["h1"], **asked)
    (words,) = map(str, say.missing(told(without).systems[0]))
    (option,) = re.findall(r"--(\w+)", words)
    again = tm.evaluate(columns, **{"humans": ["h1"], **asked, **KEYWORDS[option]})
    assert told(again).systems[0].missing == ()
    assert told(again).systems[0].criteria[0].state == "met"
