"""Fair systems are rarely called unfair, and intervals of groups hold; docs/fairness.md has the rates."""

from functools import cache

import pytest

from tests.fairness.populations import Setting, coverage, error_rates

pytestmark = pytest.mark.slow
RUNS = 250
"""A true .05 gives at most .095 in so many, a true .95 at least .905, with probability .999."""


@pytest.mark.parametrize(
    "setting",
    [
        Setting(200),
        Setting(600, cluster=6),
        Setting(300, cluster=30, classes=True),
        Setting(120, cluster=30, classes=True),
    ],
    ids=lambda setting: setting.words,
)
def test_a_fair_system_is_called_unfair_in_at_most_one_of_twenty_evaluations(setting):
    found = error_rates(setting, RUNS, seed=5)
    assert found.family <= 0.09
    assert found.holm >= found.family  # within one statistic only, each reader sees several
    assert found.plain > 0.2


@cache
def covered(n):
    return coverage(Setting(n), RUNS, seed=9)


@pytest.mark.parametrize("n", [60, 200])
@pytest.mark.parametrize("name", ["dsm", "true_effect", "osd_effect"])
def test_intervals_hold_in_groups_of_two_responses_and_up(n, name):
    found = covered(n)
    for (text, group), (held, made) in found.items():
        if text == name and made > RUNS / 2:
            assert held / made >= 0.90, group
