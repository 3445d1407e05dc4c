"""Default intervals hold the true value as often as they say, or the miss is published."""

import json
import re

import numpy as np
import pytest

import tallymark as tm
from tallymark.catalogue import CATALOGUE, FORMULAS
from tallymark.cli.demo import ROLES
from tallymark.demo import SCORES
from tallymark.study.judged import LOSSES
from tests.intervals.confidences import forecasts, simulate_confidences
from tests.intervals.coverage import (
    STATISTICS,
    Setting,
    binomial,
    counted,
    essays,
    simulate,
    simulate_all,
)
from tests.intervals.derived import CASES, LEVELS, simulate_ceilings, simulate_derived
from tests.intervals.many_parts import CASES as MANY_PARTS
from tests.intervals.many_parts import simulate_many
from tests.intervals.page import PAGE, as_markdown
from tests.intervals.panels import LINES, PANELS, Panel, simulate_panel, simulate_panels

FOR_PANELS = {"fleiss_kappa", "conger_kappa", "mean_pairwise_kappa", "icc"}
LEAST = {50: 0.89, 200: 0.90, 1000: 0.92}
MANY_LEAST = {30: 0.88, 50: 0.88, 100: 0.91}
"""Of means over many prompts with so many responses each; the page has what was measured."""


def test_every_two_rater_statistic_has_its_line_on_the_page():
    names = {text.partition("[")[0] for text in STATISTICS}
    assert names == {row.name for row in FORMULAS} - FOR_PANELS
    page = PAGE.read_text("utf-8")
    for text in STATISTICS:
        assert page.count(f"\n| {text} |") >= 3 + (text in LINES)


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
    found = simulate(Setting(50, 2, "even"), runs=20)
    assert set(found) == set(STATISTICS) - {"adjacent_agreement[1]", "sd_ratio"}
    assert "adjacent_agreement[1]" not in found  # any two scores are adjacent
    agreement = found["percent_agreement"]
    # diagonal 2, one step up 1.5 / 4, one step down 1 / 4: 2 / 2.625
    assert agreement.true == pytest.approx(2 / 2.625)
    assert agreement.runs == agreement.made == 20
    assert agreement.too_low + agreement.too_high <= 5
    assert "pabak" not in simulate(Setting(50, 4, "even"), runs=1)


def test_coverage_is_counted_beside_other_intervals_of_the_same_samples():
    ends = np.array([[0.0, 2.0], [2.0, 3.0], [0.0, 0.5], [0.5, 2.0], [np.nan, np.nan]])
    beside = np.array([[0.0, 2.0], [0.0, 3.0], [0.0, 1.5], [2.0, 3.0]])
    found = counted(1.0, ends, beside)
    assert (found.made, found.too_low, found.too_high) == (4, 1, 1)
    assert (found.paired, found.alone, found.bca_alone) == (4, 1, 2)
    # differences 0, -1, -1, 1: mean -1/4, squares 3/4
    assert found.difference == pytest.approx((-0.25, np.sqrt((0.75 - 0.0625) / 4)))


def test_beta_binomial_scores_have_the_kappa_of_their_parameters():
    joint = binomial(6) / binomial(6).sum()
    i = np.arange(6)
    apart = (joint * (i[:, None] - i) ** 2).sum()
    by_chance = (np.outer(joint.sum(axis=1), joint.sum(axis=0)) * (i[:, None] - i) ** 2).sum()
    assert 1 - apart / by_chance == pytest.approx(5 / (5 + 1.2 + 0.8))


def test_the_simulation_of_what_statistics_make_up_counts_what_it_should():
    found = simulate_derived(CASES[0], runs=2) | simulate_ceilings(LEVELS[0], runs=2)
    assert {"degradation[cohen_kappa[quadratic]]", "prmse", "reliability[one]"} < set(found)
    page = PAGE.read_text("utf-8")
    for name, one in found.items():
        assert one.runs == one.paired == 2
        assert f"\n| {name} |" in page


def test_the_simulation_of_confidences_counts_what_it_should():
    coverage = simulate_confidences(50, skewed=False, runs=2)
    page = PAGE.read_text("utf-8")
    assert all(f"\n| {name} |" in page for name in coverage)
    # by hand: the mean of sum p (1 - p) over forecasts, if they were true, is that of 1 - sum p^2
    made = forecasts(skewed=False)
    true = (made.true * (1 - 2 * made.stated) + made.stated**2).sum(axis=1).mean()
    assert coverage["brier"].true == pytest.approx(true, abs=1e-6)


def test_every_number_with_an_interval_is_on_the_page_or_among_those_not_measured():
    page = PAGE.read_text("utf-8")
    reported = json.loads(tm.evaluate(SCORES, **ROLES).to_json())["estimates"]
    rows = [dict(zip(reported["columns"], row, strict=True)) for row in reported["rows"]]
    names = {row["statistic"].partition("[")[0] for row in rows if row["low"] is not None}
    names |= set(LOSSES)
    assert len(names) > 70
    missing = {name for name in names if not re.search(rf"[`| ]{name}\b", page)}
    assert not missing
    rest = page.partition("## What this page does not measure")[2]
    assert set(re.findall(r"`(\w+)`", rest)) <= {row.name for row in CATALOGUE}


@pytest.mark.slow
def test_default_intervals_cover_and_the_page_says_how_often():
    essays()  # skips where the scores are not here
    results, panels = simulate_all(), simulate_panels()
    PAGE.write_text(as_markdown(results, panels), "utf-8")
    for setting, found in results.items():
        for name, one in found.items():
            if one.made >= one.runs / 10:
                assert one.share > LEAST[setting.n], (setting, name)
    for panel in PANELS:
        default = [c.share for name, c in panels[panel].items() if not name.endswith("F-based")]
        # as for two raters; the least, mean pairwise kappa of 50 skewed responses, was .876
        assert min(default) > (0.86 if panel.n == 50 else 0.90)


@pytest.mark.slow
def test_intervals_of_what_statistics_make_up_hold_as_often_as_those_of_bca():
    found = [
        *(simulate_derived(case, runs=200) for case in CASES),
        *(simulate_ceilings(setting, runs=200) for setting in LEVELS),
    ]
    for name, one in (pair for each in found for pair in each.items()):
        mean, error = one.difference
        assert mean > -4 * error - 0.01, name


def test_means_over_many_prompts_are_curved_and_ratios_are_normal():
    found = simulate_many(MANY_PARTS[0]._replace(n=60), runs=1)
    assert {"degradation[cohen_kappa[quadratic]]", "prmse", "error_variance"} < set(found)
    page = PAGE.read_text("utf-8")
    assert all(f"\n| mean of {name} |" in page for name in found)


@pytest.mark.slow
@pytest.mark.parametrize("case", MANY_PARTS, ids=str)
def test_means_over_many_prompts_hold_their_values(case):
    for name, coverage in simulate_many(case).items():
        assert coverage.share > MANY_LEAST[case.n], name
