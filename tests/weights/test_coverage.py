"""Intervals of weighted samples hold the population's value, and the page says how often."""

import pytest

from tests.weights.coverage import DESIGNS, END, PAGE, START, STATISTICS, as_markdown, simulate


def test_the_page_has_a_line_for_every_design():
    page = PAGE.read_text("utf-8")
    table = page[page.index(START) : page.index(END)]
    assert all(f"\n| {design} |" in table for design in DESIGNS)
    assert all(f"`{text}`" in table for text in STATISTICS)


def test_the_simulation_counts_what_it_should():
    shares = simulate(DESIGNS[1], runs=12)
    assert set(shares) == set(STATISTICS)
    assert min(shares.values()) >= 9 / 12


@pytest.mark.slow
def test_intervals_hold_the_value_of_the_population():
    runs = 500
    found = {design: simulate(design, runs) for design in DESIGNS}
    page = PAGE.read_text("utf-8")
    before, after = page[: page.index(START)], page[page.index(END) :]
    PAGE.write_text(f"{before}{START}\n{as_markdown(found, runs)}\n{after}", "utf-8")
    for design, shares in found.items():
        for text, share in shares.items():
            rare = text.startswith("csrate") or design.n < 200
            assert share >= (0.88 if rare else 0.92), (design, text)
