"""The same for groups: tests/fairness has the populations."""

from collections.abc import Mapping

from tests.fairness.populations import Setting, coverage
from tests.intervals.coverage import Coverage

FAIR = {"n = 60": Setting(60), "n = 200": Setting(200)}
WORSE = {f"worse, n = {n}": Setting(n, ability=0.5, shift=0.4) for n in (120, 200, 500)}
CLUSTERED = {
    "100 candidates of 6": Setting(600, cluster=6),
    "10 classes of 30": Setting(300, cluster=30, classes=True),
}
SETTINGS: Mapping[str, Setting] = FAIR | WORSE | CLUSTERED
TRUTH = {"dsm": 0.238, "true_effect": 0.385}
"""Of the second group where it is worse and favoured, from 300,000 responses."""
SHOWN = {
    "dsm": "dsm",
    "true_effect": "true_effect",
    "osd_effect": "osd_effect",
    "osa_effect": "osa_effect",
    "csd_effect": "csd_effect",
    "difference[cohen_kappa[quadratic]]": "difference of QWK",
    "difference[gwet_ac[quadratic]]": "difference of AC2",
    "difference[pearson]": "difference of r",
    "difference[percent_agreement]": "difference of exact agreement",
    "difference[csrate[0.2]]": "difference of CSRate",
    "difference[bias]": "difference of bias",
}


def simulate_groups(name: str, runs: int = 0) -> dict[str, Coverage]:
    """Draw responses of six groups, estimate, and count, for each group by its place."""
    runs = runs or 300
    truth = TRUTH if name in WORSE else None
    found = coverage(SETTINGS[name], runs, seed=SETTINGS[name].n, truth=truth)
    return {
        f"{text}, group {group}": Coverage(0.0, runs, made, made - held, 0, 0.0)
        for (text, group), (held, made) in sorted(found.items())
        if text in SHOWN and (name not in WORSE or (text in TRUTH and group == "1"))
    }
