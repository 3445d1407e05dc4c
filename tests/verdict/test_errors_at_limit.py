"""Verdicts err at the limit as rarely as their level says, or too few responses decide nothing."""

import pytest

from tallymark.verdict.judged import FEWEST
from tests.verdict.errors_at_limit import (
    CASES,
    NAMES,
    RUNS,
    SIZES,
    Errors,
    _value,
    of_case,
    of_dsm,
    of_groups,
    of_prompts,
    simulate_all,
)
from tests.verdict.page import END, PAGE, START, as_markdown, outside, written


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_truth_is_just_at_the_limit(case):
    assert _value(case.statistic, case.population(4)) == pytest.approx(case.truth, abs=1e-6)


def test_the_simulation_counts_what_it_should():
    found = {
        **of_case(CASES[0], 4, 200, runs=40),
        **of_groups(4, 100, runs=10),
        **of_prompts(4, 100, runs=10),
        **of_dsm(4, 100, runs=10),
    }
    assert {name for name, _, _ in found} <= set(NAMES)
    assert len(found) == 6
    for errors in found.values():
        # 2.5 % to each side: six of 40 would be a one in ten thousand
        assert 0 <= errors.met <= 6
        assert 0 <= errors.not_met <= 6


def test_the_page_holds_every_cell():
    page = PAGE.read_text("utf-8")
    for name in NAMES:
        assert page.count(f"\n| {name} |") == 2
    assert f"below {FEWEST} responses" in page
    new = as_markdown(_flat(3))
    assert new.count("\n| ") == 2 * (len(NAMES) + 1)
    assert written(f"a\n{START}\nold\n{END}\nb", _flat(3)) == f"a\n{START}\n{new}\n{END}\nb"


def test_cells_above_the_band_are_found():
    few, many = ("QWK at .695", 4, 50), ("QWK at .695", 4, 200)
    errors = Errors(1000, 40, 10)
    group = ("SMD at .15", 4, 50)
    assert outside({few: errors, many: errors, group: errors}) == [many, group]
    assert outside({many: Errors(1000, 35, 35)}) == []


def _flat(number):
    return {
        (name, k, n): Errors(RUNS, number, number) for name in NAMES for k in (4, 6) for n in SIZES
    }


@pytest.mark.slow
def test_errors_at_the_limit_are_as_rare_as_the_level_says():
    found = simulate_all()
    PAGE.write_text(written(PAGE.read_text("utf-8"), found), "utf-8")
    assert outside(found) == []
