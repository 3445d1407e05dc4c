"""The same for severities of raters, their means over traits or prompts, and variance components."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from tests.intervals.coverage import Coverage
from tests.reliability.designs import component_hits, severity_hits
from tests.reliability.random_raters import POPULATIONS, held
from tests.reliability.test_assignment import COMPONENTS, SEVERITY
from tests.reliability.test_mean_severity import DESIGNS, Traits, mean_severities

RUNS = {"severity": 150, "mean severity": 100, "components": 300, "other raters": 300}
HALO = Traits(halo=0.8)
MEANS = DESIGNS | {
    "traits, halo, all read twice, no cluster": replace(HALO, cluster=False),
    "traits, halo, all read all, no cluster": Traits(n=100, each=4, halo=0.8, cluster=False),
}
SECTIONS: Mapping[str, Mapping[str, Any]] = {
    "severity": SEVERITY,
    "mean severity": MEANS,
    "components": COMPONENTS,
    "other raters": POPULATIONS,
}
CONDITIONAL = "conditional"


def simulate(section: str, name: str, runs: int = 0) -> dict[str, Coverage]:
    """Draw ratings, estimate, and count, for each rater or component."""
    rng = np.random.default_rng(sum(map(ord, name)))
    measured = {"severity": _severity, "mean severity": _mean, "components": _components}
    measured["other raters"] = lambda name, rng: held(POPULATIONS[name], rng)
    each = [measured[section](name, rng) for _ in range(runs or RUNS[section])]
    keys = dict.fromkeys(key for one in each for key in one)
    return {key: Coverage.of(one[key] for one in each if key in one) for key in keys}


def _severity(name: str, rng: np.random.Generator) -> dict[str, bool]:
    held, _, conditional, _ = severity_hits(SEVERITY[name][0], rng)
    return {f"r{i + 1}": bool(one) for i, one in enumerate(held)} | {CONDITIONAL: conditional}


def _mean(name: str, rng: np.random.Generator) -> dict[str, bool]:
    design = MEANS[name]
    truth = (design.severity - design.severity.mean(axis=1, keepdims=True)).mean(axis=0)
    found = mean_severities(design, design.draw(rng))
    return {
        f"r{i + 1}": bool(e.low <= true <= e.high)
        for i, (e, true) in enumerate(zip(found, truth, strict=True))
    }


def _components(name: str, rng: np.random.Generator) -> dict[str, bool]:
    return component_hits(COMPONENTS[name], rng).held
