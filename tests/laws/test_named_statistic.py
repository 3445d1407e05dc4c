"""Every sentence calls the statistic by what it is on these scores: CCC, QWK or kappa."""

import re

import numpy as np
import pytest

import tallymark as tm
from tests.laws.test_statements import screens


def scores(kind):
    rng = np.random.default_rng(9)
    truth = rng.normal(3, 1.2, 150)
    made = {n: truth + rng.normal(0, 0.7, 150) for n in ("h1", "h2", "h3", "engine")}
    if kind == "two labels":
        return {n: (given > 3).astype(float) for n, given in made.items()}
    return {n: given.round(3) for n, given in made.items()}


@pytest.mark.parametrize("kind", ["continuous", "two labels"])
@pytest.mark.parametrize("command", ["evaluate", "raters", "ceiling"])
def test_scores_without_a_qwk_are_not_said_to_have_one(command, kind):
    asked = {"humans": ["h1", "h2", "h3"], "interval": "analytic"}
    asked |= {"systems": ["engine"]} if command == "evaluate" else {}
    said = screens(getattr(tm, command)(scores(kind), **asked))
    for where in ("terminal", "summary.md"):
        named = [line for line in said[where].splitlines() if re.search(r"\bQWK\b", line)]
        assert not named, (where, named)
