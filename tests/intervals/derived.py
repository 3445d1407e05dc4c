"""The same for what several statistics make up: degradation, PRMSE, means over prompts, ceilings."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.catalogue import find
from tallymark.inference import Formula, Settings, Units, estimate_all
from tallymark.questions.ceilings.formulas import rung_formulas
from tallymark.questions.ceilings.rungs import PeopleAndGold, rungs_each
from tallymark.questions.people.contrasts import Paired, single
from tallymark.questions.true_scores import _formulas, rated_units
from tallymark.study.average import averaged, joint
from tallymark.study.measured import home
from tallymark.study.units import units_of
from tests.ceilings import coverage as ceilings
from tests.intervals.coverage import Coverage, counted
from tests.verdict.errors_at_limit import Population, population

RUNS = 1000
QUALITIES = (-1.0, -0.3, 0.3, 1.0)
"""Mean quality of the responses to each of four prompts, in standard deviations."""
MEANS = (
    ("mean of qwk over 4 prompts", "qwk", False),
    ("mean of mae over 4 prompts", "mae", False),
    ("Fisher-z mean of qwk", "qwk", True),
)
Number = tuple[str, Formula, Units[Any]]


class Case(NamedTuple):
    """So many responses (to each prompt) that two raters and a system score on K points."""

    n: int
    k: int
    skewed: bool

    @property
    def words(self) -> str:
        """As the page has it."""
        return f"K={self.k}{' skewed' if self.skewed else ''} n={self.n}"

    def population(self, quality: float = 0.0) -> Population:
        """Low scores may dominate; raters have QWK .79 and the system is lenient."""
        return _population(self.k, quality - 1.2 * self.skewed)


CASES = tuple(Case(n, k, s) for k, s in ((4, False), (4, True), (6, False)) for n in (50, 200))


@cache
def _population(k: int, mean: float) -> Population:
    return population(k, mean=mean, people=0.12 * k, noise=0.15 * k, shift=0.03 * k)


def numbers(case: Case, draw: Callable[[Population], NDArray[np.int64]]) -> Iterator[Number]:
    """What one sample has, by the name it has on the page."""
    made = case.population()
    rows = made.rows(draw(made), (0, 1, 2))
    for text, kind in (("qwk", "table"), ("pearson", "moments")):
        paired = Paired.of(kind, rows, single(2), [find(text)])
        formula = paired.formulas()[2]
        yield formula.key.text, formula, paired.units
    yield "prmse", _formulas(None)[-1], rated_units(rows)
    each = [(one, draw(one)) for one in map(case.population, QUALITIES)]
    for name, text, fisher_z in MEANS:
        of = find(text)
        units = joint([units_of(home(of), one.rows(counts, (0, 2)), [of]) for one, counts in each])
        yield name, averaged(of, over="prompt", fisher_z=fisher_z), units


def simulate_derived(
    case: Case, *, runs: int = RUNS, paired: int | None = None
) -> dict[str, Coverage]:
    """Draw samples, estimate by default, the first of them by BCa too, and count."""
    rng = np.random.default_rng([case.n, case.k, case.skewed])
    exact = Settings(interval="analytic")
    true = {
        name: estimate_all([formula], units, exact)[0].value
        for name, formula, units in numbers(case, Population.exact)
    }
    draw = partial(Population.sample, rng=rng, n=case.n)
    return _counted(true, (numbers(case, draw) for _ in range(runs)), paired)


def simulate_ceilings(
    setting: ceilings.Setting, *, runs: int = RUNS, paired: int | None = None
) -> dict[str, Coverage]:
    """The same for what two raters tell of ceilings."""
    true = setting.true()

    def told(run: int) -> Iterator[Number]:
        rungs = rungs_each([PeopleAndGold(setting.sample(run), None)])[0]
        for formula in rung_formulas(rungs):
            if formula.key.text in true:
                yield formula.key.text, formula, rungs.units

    return _counted(true, map(told, range(runs)), paired)


def _counted(
    true: Mapping[str, float], samples: Iterable[Iterable[Number]], paired: int | None
) -> dict[str, Coverage]:
    ends, beside = defaultdict(list), defaultdict(list)
    for run, sample in enumerate(samples):
        for name, formula, units in sample:
            ends[name].append(_ends(formula, units, Settings(seed=run)))
            if paired is None or run < paired:
                beside[name].append(_ends(formula, units, Settings(seed=run, interval="bca")))
    return {
        name: counted(true[name], np.array(own), np.array(beside[name]).reshape(-1, 2))
        for name, own in ends.items()
    }


def _ends(formula: Formula, units: Units[Any], settings: Settings) -> tuple[float, float]:
    (one,) = estimate_all([formula], units, settings)
    return one.low, one.high
