"""The same for means over more prompts than are shown one by one."""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tallymark.catalogue import find
from tallymark.defaults import MANY
from tallymark.inference import Settings
from tallymark.questions.people.contrasts import Paired, single
from tallymark.questions.true_scores import _average, _formulas, rated_units
from tallymark.results import Estimate
from tallymark.study.average import means
from tests.intervals.coverage import Coverage, counted
from tests.intervals.derived import Case
from tests.verdict.errors_at_limit import Population

RUNS = 200
PROMPTS = MANY + 1
CASES = (Case(30, 4, False), Case(50, 4, True), Case(100, 6, False))
"""Responses to each prompt, points, and whether low scores dominate."""


def simulate_many(case: Case, *, runs: int = RUNS) -> dict[str, Coverage]:
    """Draw samples of every prompt, whose mean qualities differ, estimate the means, and count."""
    made = [case.population(quality) for quality in np.linspace(-1, 1, PROMPTS)]
    true = _estimates(made, [one.exact() for one in made])
    rng, ends = np.random.default_rng([case.n, case.k, case.skewed]), defaultdict(list)
    for _ in range(runs):
        for estimate in _estimates(made, [one.sample(rng, case.n) for one in made]):
            ends[estimate.text].append((estimate.low, estimate.high))
    return {e.text: counted(e.value, np.array(ends[e.text])) for e in true}


def _estimates(made: Sequence[Population], counts: Sequence[NDArray[np.int64]]) -> list[Estimate]:
    rows = [one.rows(sample, (0, 1, 2)) for one, sample in zip(made, counts, strict=True)]
    paired = [Paired.of("table", one, single(2), [find("qwk")]) for one in rows]
    beside = means([(one.formulas(), one.units) for one in paired], "prompt", Settings())
    known = [(one, rated_units(one)) for one in rows]
    true = _average("engine", "prompt", known, _formulas(None), Settings())
    return [*beside, *true.estimates]
