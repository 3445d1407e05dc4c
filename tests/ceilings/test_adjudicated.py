"""Where a third rater decides, the ceiling allows for that rater's own severity and error."""

import numpy as np
import pytest

import tallymark as tm
from tests.ceilings.adjudicated import CREWS, simulate

QUICK = (CREWS[0], CREWS[2], CREWS[5])


@pytest.mark.parametrize("crew", QUICK, ids=lambda crew: crew.words)
def test_the_ceiling_is_that_of_a_third_rater_who_errs_otherwise(crew):
    true, mean, held = simulate(crew, 20)
    assert mean == pytest.approx(true, abs=0.012)  # SD of one .011 to .022
    assert held >= 0.8


@pytest.mark.slow
@pytest.mark.parametrize("crew", CREWS, ids=lambda crew: crew.words)
def test_intervals_hold_the_ceiling(crew):
    true, mean, held = simulate(crew, 200)
    assert mean == pytest.approx(true, abs=0.006)
    assert held >= 0.89  # 200 runs: a share of .95 has a standard error of .015


def test_the_place_of_a_system_is_beside_the_same_ceiling():
    _, ratings = CREWS[0].draw(400, np.random.default_rng(5))
    columns = {f"h{i + 1}": ratings[:, i] for i in range(3)} | {"s": ratings[:, 0]}
    found = tm.evaluate(
        columns, humans=["h1", "h2", "h3"], systems="s", resolve="adjudicated", scale="1:6"
    )
    top = next(e for e in found.estimates if e.text == "ceiling_theoretical[third_mean]")
    gap = next(e for e in found.estimates if e.text == "gap_to_ceiling[pearson,theoretical]")
    assert gap.parts["ceiling"] == pytest.approx(top.value, abs=1e-9)
    assert not top.why
