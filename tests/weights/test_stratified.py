"""Intervals of labels that were drawn by the judge's score hold, and the page says how often."""

import pytest

from tests.weights.stratified import DESIGNS, END, PAGE, START, as_markdown, simulate


def test_the_page_has_a_line_for_every_draw():
    page = PAGE.read_text("utf-8")
    table = page[page.index(START) : page.index(END)]
    assert all(f"\n| {design} |" in table for design in DESIGNS)


def test_the_simulation_counts_what_it_should():
    shares = simulate(DESIGNS[1], runs=20)
    assert all(above + below <= 4 / 20 for above, below in shares.values())


@pytest.mark.slow
def test_intervals_hold_the_value_of_the_population():
    runs = 2000
    found = {design: simulate(design, runs) for design in DESIGNS}
    page = PAGE.read_text("utf-8")
    before, after = page[: page.index(START)], page[page.index(END) :]
    PAGE.write_text(f"{before}{START}\n{as_markdown(found, runs)}\n{after}", "utf-8")
    for design, shares in found.items():
        for text, (above, below) in shares.items():
            assert 0.925 <= 1 - above - below <= 0.975, (design, text)
            assert max(above, below) <= 0.045, (design, text)
