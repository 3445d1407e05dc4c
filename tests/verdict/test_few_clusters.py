"""Verdicts on clusters: too few decide nothing, and enough err as rarely as promised."""

from typing import Any

import numpy as np
import pytest

import tallymark as tm
from tallymark.inference.kinds import FEWEST_CLUSTERS
from tallymark.questions.verdict.criteria import criterion_words
from tests.verdict import few_clusters as simulated
from tests.verdict.few_clusters import PAGE, SOME, Cell, as_markdown, cells, enough, written, wrong
from tests.verdict.page import BAND, PROMISED


def evaluated(clusters, sizes=None):
    rng = np.random.default_rng(1)
    sizes = np.full(clusters, 30) if sizes is None else np.asarray(sizes)
    n = int(sizes.sum())
    true = rng.normal(3.5, 1.2, n)
    data: dict[str, Any] = {
        name: np.clip(np.rint(true + rng.normal(0, s, n)), 1, 6)
        for name, s in (("h1", 0.3), ("e", 0.4))
    }
    data["class"] = [f"c{i}" for i in np.repeat(np.arange(sizes.size), sizes)]
    made = tm.evaluate(
        data, humans=["h1"], systems=["e"], cluster="class", scale="1:6", policy="williamson2012"
    )
    assert made.verdict is not None
    found = next(one for one in made.verdict.systems[0].criteria if one.title == "QWK")
    return found.state, str(criterion_words(made, found))


def test_a_handful_of_clusters_decides_nothing_and_more_do():
    state, words = evaluated(FEWEST_CLUSTERS - 1)
    assert (state, evaluated(FEWEST_CLUSTERS)[0]) == ("undecided", "met")
    assert "nothing can be decided from 14 clusters: below 15 a verdict errs" in words
    assert "450 responses in 15 clusters like these settle it with a probability of 80 %" in words


def test_unequal_clusters_count_for_fewer():
    state, words = evaluated(20, [300, *[16] * 19])
    assert state == "undecided"
    assert "from 20 clusters as unequal as these, worth 5 equal ones: below 15" in words


def test_the_simulation_counts_what_it_should():
    found = wrong(Cell(20, 30, "equal", SOME), runs=40)
    assert found.worth == pytest.approx(20)
    assert max(*found.met, *found.not_met) <= 0.15  # six of 40 would be one in ten thousand


def test_the_page_holds_the_cells():
    page = PAGE.read_text("utf-8")
    flat = dict.fromkeys(cells(), simulated.Wrong((0.02,) * 3, (0.03,) * 3, 9.0))
    assert as_markdown(flat).count("| .020 / .030") == 2 * len(flat)
    assert written(page, flat).count("| .020 / .030") == 2 * len(flat)
    for line in as_markdown(flat).splitlines():
        if line.startswith(("| QWK", "| SMD")):
            assert line.split(" | ")[0] in page
    assert f"**{FEWEST_CLUSTERS}** clusters" in page


@pytest.mark.slow
def test_enough_clusters_err_as_rarely_as_promised():
    found = {cell: wrong(cell) for cell in cells()}
    PAGE.write_text(written(PAGE.read_text("utf-8"), found), "utf-8")
    decide = [max(*one.met, *one.not_met) for cell, one in found.items() if enough(cell, one)]
    # a point above the promise, and two standard errors of 1,000 samples
    assert max(decide) <= PROMISED + BAND + 0.01
