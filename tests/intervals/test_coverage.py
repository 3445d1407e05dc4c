"""Default intervals hold the true value as often as they say, or the miss is published."""

import pytest

from tallymark.catalogue import FORMULAS
from tests.intervals.coverage import SETTINGS, STATISTICS, Setting, simulate, simulate_all
from tests.intervals.page import PAGE, as_markdown
from tests.intervals.panels import LINES, PANELS, Panel, simulate_panel, simulate_panels

FOR_PANELS = {"fleiss_kappa", "conger_kappa", "mean_pairwise_kappa", "icc"}
KNOWN_TO_MISS = {"macro_mae", "macro_rmse", "prevalence_doewes"}


def test_every_two_rater_statistic_has_its_line_on_the_page():
    names = {text.partition("[")[0] for text in STATISTICS}
    assert names == {row.name for row in FORMULAS} - FOR_PANELS
    page = PAGE.read_text("utf-8")
    for text in STATISTICS:
        assert page.count(f"\n| {text} |") == 2 + (text in LINES)


def test_every_statistic_of_panels_has_its_line_on_the_page():
    assert {text.partition("[")[0] for text in LINES} >= FOR_PANELS
    page = PAGE.read_text("utf-8")
    for text in LINES:
        assert f"\n| {text} |" in page


def test_the_simulation_of_panels_counts_what_it_should():
    found = simulate_panel(Panel(50, skewed=False), runs=4)
    assert set(found) == set(LINES)
    assert all(coverage.runs == 4 for coverage in found.values())
    # raters are alike: the coefficients that correct for severity and those that do not are one
    true = {
        name: found[name].true for name in ("fleiss_kappa[quadratic]", "conger_kappa[quadratic]")
    }
    assert len({round(value, 6) for value in true.values()}) == 1
    assert found["icc[1,1]"].true == pytest.approx(found["icc[1,1], no gaps"].true, abs=1e-6)


def test_the_simulation_counts_what_it_should():
    found = simulate(Setting(50, 2, skewed=False), runs=20)
    assert set(found) == set(STATISTICS) - {"adjacent_agreement[1]"}
    assert "adjacent_agreement[1]" not in found  # any two scores are adjacent
    agreement = found["percent_agreement"]
    # diagonal 2, one step up 1.5 / 4, one step down 1 / 4: 2 / 2.625
    assert agreement.true == pytest.approx(2 / 2.625)
    assert agreement.runs == agreement.made == 20
    assert agreement.too_low + agreement.too_high <= 5
    assert "pabak" not in simulate(Setting(50, 4, skewed=False), runs=1)


@pytest.mark.slow
def test_default_intervals_cover_and_the_page_says_how_often():
    results, panels = simulate_all(), simulate_panels()
    PAGE.write_text(as_markdown(results, panels), "utf-8")
    shares = {
        (setting, name): results[setting][name].share
        for setting in SETTINGS
        for name in results[setting]
        if name not in KNOWN_TO_MISS
    }
    assert min(share for (s, _), share in shares.items() if s.n == 50) > 0.86
    assert min(share for (s, _), share in shares.items() if s.n == 200) > 0.90
    assert min(share for (s, _), share in shares.items() if s.n == 1000) > 0.92
    for panel in PANELS:
        default = [c.share for name, c in panels[panel].items() if not name.endswith("F-based")]
        # as for two raters; the least, mean pairwise kappa of 50 skewed responses, was .876
        assert min(default) > (0.86 if panel.n == 50 else 0.90)
