"""What is said of a routing holds for its thresholds: laws over awkward data sets."""

import re
from functools import cache

import numpy as np
import pytest

import tallymark as tm
from tallymark.analyses.claims import claims
from tallymark.analyses.summary import summary
from tallymark.render.layout import plain_text
from tallymark.render.sentences import written
from tests.awkward import SETS, awkward

ALPHA = 0.2
LEFT_OUT = ("weighted",)
"""Design weights are refused: a certificate counts responses alike."""


@cache
def certified(name):
    columns, roles = awkward(name)
    engine = np.asarray(columns["engine"], dtype=float)
    first = np.asarray(columns[roles["humans"][0]], dtype=float)
    rng = np.random.default_rng(2)
    sure = 1 / (1 + np.nan_to_num(np.abs(engine - first))) + rng.uniform(0, 0.3, engine.size)
    kept = ("humans", "gold", "prompt", "prompts", "scale")
    return tm.route.certify(
        {**columns, "sure_of_it": sure},
        **{key: value for key, value in roles.items() if key in kept},
        system="engine", confidence="sure_of_it", lambda_=0.4, alpha=ALPHA,
    ).evaluation  # fmt: skip


def thresholds(found):
    return [
        dict(zip(table.columns, row, strict=True))
        for table in found.tables
        if table.name == "routing"
        for row in table.rows
    ]


@pytest.mark.parametrize("name", [name for name in SETS if name not in LEFT_OUT])
def test_the_first_words_say_how_much_is_accepted_or_what_is_missing(name):
    found = certified(name)
    (row,) = thresholds(found)
    (claim,) = claims(found)
    said = written(claim.words)
    assert (claim.state == "certified") is (row["certified"] == "yes")
    if row["certified"] == "yes":
        (share,) = re.findall(r"([\d.]+) % can be accepted", said)
        assert float(share) == pytest.approx(100 * row["coverage"], abs=0.51)
        assert "at most 20 % of them critically wrong (95 % sure)" in said
        assert row["upper bound"] <= ALPHA
    else:
        assert said.startswith("Cannot certify")
        assert row["coverage"] == 0
    text = " ".join(plain_text(summary(found)).split())
    assert text.startswith(said)
    if row["certified"] == "yes":
        assert "Cannot certify" not in text
