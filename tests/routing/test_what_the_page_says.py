"""The page of routing says what was asked: prices, volume, and how much a threshold accepts."""

from typing import Any

import numpy as np
import pytest

import tallymark as tm
from tallymark.analyses.sections import opening, sections
from tallymark.render.model import Slider, Table
from tallymark.render.sentences import written
from tests.routing.data import PLAIN, responses, terms

ROLES: dict[str, Any] = {"humans": ["h1"], "systems": ["engine"], "scale": "0:5"}


def scores(levels):
    rng = np.random.default_rng(5)
    gold = rng.integers(0, 6, 400).astype(float)
    sure = rng.choice(levels[0], 400, p=levels[1])
    engine = np.clip(gold + np.where(rng.uniform(0, 1, 400) < 0.05, 3, 0), 0, 5)
    return {"h1": gold, "engine": engine, "sure": sure, "essay": np.tile(["p1", "p2"], 200)}


def blocks(evaluation, kind):
    every = [*opening(evaluation), *(b for s in sections(evaluation) for b in s.blocks)]
    return [block for block in every if isinstance(block, kind)]


def test_the_slider_starts_at_the_prices_and_the_volume_that_were_named():
    asked: dict[str, Any] = {"volume": 52_000, "audit": 0.1}
    for prices in ({"human": 3.25, "machine": 0.4}, {"human": 2.0, "machine": 0.0}):
        routed = tm.route.certify(responses(600, 1), **terms(**asked, prices=prices), **PLAIN)
        (slider,) = blocks(routed.evaluation, Slider)
        shown = {key: float(text) for key, _, text in slider.prices}
        assert shown == {"volume": 52_000, "audit": 10, **prices}


@pytest.mark.parametrize("share", [0.84, 0.6])
def test_a_threshold_is_said_to_accept_what_it_accepts(share):
    columns = scores((np.array([1.0, 0.0]), np.array([share, 1 - share])))
    evaluation = tm.evaluate(
        columns, **ROLES, prompt="essay", confidences={"engine": "sure"}, interval="analytic"
    )
    (table,) = [table for table in blocks(evaluation, Table) if table.id == "coverage"]
    accepted = float((columns["sure"] == 1.0).mean())
    assert f"accepts {100 * accepted:.0f} % of engine" in written(table.caption)
