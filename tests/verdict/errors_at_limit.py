"""How often does a verdict err when the truth lies just at the limit? Simulation."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import product
from multiprocessing import get_context
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import ndtr

from tallymark.catalogue import find
from tallymark.fairness.contrasts import spread
from tallymark.inference import Settings, estimate_all
from tallymark.questions.fairness.compute import _of_groups
from tallymark.questions.fairness.grouped import Grouped, _of_moments
from tallymark.questions.people.contrasts import Paired, single
from tallymark.results import Estimate
from tallymark.scale import Scale
from tallymark.study.measured import home
from tallymark.study.rows import Rows, grouped
from tallymark.study.units import units_of
from tallymark.verdict.states import Bounds, bounds_of, state_of, state_of_all

Floats = NDArray[np.float64]
RUNS = 2000
SIZES = (30, 50, 100, 200, 500)
POINTS = (4, 6)
GROUPS = 3
QWK = bounds_of(0.70, None, decimals=2)
LEAST = Bounds(-0.10)
SMD = Bounds(-0.15, 0.15)
GROUP = Bounds(-0.10, 0.10)
PEOPLE = 0.80
"""QWK of the two raters."""


class Population(NamedTuple):
    """Probability of every triple of scores: two raters and a system, on K points."""

    k: int
    joint: Floats

    @property
    def scores(self) -> Floats:
        return np.array(list(product(range(self.k), repeat=3)), dtype=np.float64)

    def rows(self, counts: NDArray[np.int64], columns: Sequence[int]) -> Rows:
        used = counts > 0
        scores = self.scores[used][:, list(columns)]
        return Rows(scores, counts[used], np.arange(self.k, dtype=np.float64)).distinct()

    def sample(self, rng: np.random.Generator, n: int) -> NDArray[np.int64]:
        return rng.multinomial(n, self.joint)

    def exact(self) -> NDArray[np.int64]:
        return np.rint(self.joint * 1e13).astype(np.int64)


def population(k: int, *, mean: float, people: float, noise: float, shift: float) -> Population:
    """Normal true scores, which raters and the system see with error and put on the points."""
    middle, sd = (k - 1) / 2, 0.28 * k
    z = np.linspace(-5, 5, 301)
    weight = np.exp(-z * z / 2)
    true = middle + mean * sd + sd * z
    rater, system = _given(k, true, people), _given(k, true + shift, noise)
    joint = np.einsum("t,ti,tj,tm->ijm", weight / weight.sum(), rater, rater, system)
    return Population(k, (joint / joint.sum()).ravel())


def _given(k: int, true: Floats, noise: float) -> Floats:
    """Probability of each point for each true score."""
    edges = np.concatenate([[-np.inf], np.arange(k - 1) + 0.5, [np.inf]])
    return np.diff(ndtr((edges - true[:, None]) / noise), axis=1)


Statistic = Callable[[Population, NDArray[np.int64], Settings], Estimate]


def of_gold(text: str) -> Statistic:
    """A statistic of the system against the first rater."""
    formula = find(text)

    def estimated(made: Population, counts: NDArray[np.int64], settings: Settings) -> Estimate:
        units = units_of(home(formula), made.rows(counts, (0, 2)), [formula])
        return estimate_all([formula], units, settings)[0]

    return estimated


def degradation(made: Population, counts: NDArray[np.int64], settings: Settings) -> Estimate:
    """QWK of the system with a rater less that of the raters."""
    paired = Paired.of("table", made.rows(counts, (0, 1, 2)), single(2), [find("qwk")])
    return estimate_all(paired.formulas()[2:], paired.units, settings)[0]


def _value(statistic: Statistic, made: Population) -> float:
    return statistic(made, made.exact(), Settings(interval="analytic")).value


@dataclass(frozen=True, slots=True)
class Case:
    """A limit, the statistic held against it, and what is turned until the truth is at it."""

    name: str
    statistic: Statistic
    bounds: Bounds
    truth: float
    turned: str = "noise"
    mean: float = 0.0
    runs: int = RUNS

    def population(self, k: int) -> Population:
        """The population whose true value is just the limit."""

        def qwk_of_people(people: float) -> float:
            made = population(k, mean=self.mean, people=people, noise=people, shift=0.0)
            return _value(of_gold("qwk"), made) - PEOPLE

        people = float(brentq(qwk_of_people, 0.05 * k, 0.4 * k, xtol=1e-7))
        noise = partial(population, k, mean=self.mean, people=people)

        def turned(by: float) -> Population:
            return noise(noise=by, shift=0.0) if self.turned == "noise" else noise(
                noise=people, shift=by
            )  # fmt: skip

        ends = (0.05 * k, 0.6 * k) if self.turned == "noise" else (-0.05 * k, 0.1 * k)
        at = brentq(lambda by: _value(self.statistic, turned(by)) - self.truth, *ends, xtol=1e-9)
        return turned(float(at))


QWK_OF_GOLD, R_OF_GOLD, SMD_OF_GOLD = map(of_gold, ("qwk", "pearson", "smd[unpooled]"))
CASES = (
    Case("QWK at .695", QWK_OF_GOLD, QWK, QWK.lower),
    Case("QWK at .695, low scores dominate", QWK_OF_GOLD, QWK, QWK.lower, mean=-1.2),
    Case("r at .695", R_OF_GOLD, QWK, QWK.lower),
    Case("degradation of QWK at -.10", degradation, LEAST, -0.10, runs=RUNS // 2),
    Case("SMD at .15", SMD_OF_GOLD, SMD, 0.15, turned="shift"),
)
ONE_GROUP, EVERY_GROUP = "one of 3 groups at SMD .10, the others at 0", "3 groups at SMD .10"
DSM = "DSM of a group at .10"
PROMPTS = 8
ONE_PROMPT = "one of 8 prompts at QWK .695, the others at .80"
EVERY_PROMPT = "8 prompts at QWK .695"
NAMES = (
    *(case.name for case in CASES), DSM, ONE_GROUP, EVERY_GROUP, ONE_PROMPT, EVERY_PROMPT,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Errors:
    """Of so many samples: how many were called met and not met."""

    runs: int
    met: int
    not_met: int


Key = tuple[str, int, int]
"""Case, points of the scale, responses (of a group, where the limit is on groups)."""


def drawn(case: Case, k: int, n: int, *, runs: int) -> list[Estimate]:
    """The estimates of so many samples."""
    made, rng = case.population(k), np.random.default_rng([k, n])
    return [case.statistic(made, made.sample(rng, n), Settings(seed=run)) for run in range(runs)]


def of_case(case: Case, k: int, n: int, *, runs: int) -> dict[Key, Errors]:
    """How often one limit is called met and not met at the limit."""
    runs = min(runs, case.runs)
    states = [state_of(e.low, e.high, case.bounds) for e in drawn(case, k, n, runs=runs)]
    return {(case.name, k, n): Errors(runs, states.count("met"), states.count("not met"))}


def of_groups(k: int, n: int, *, runs: int) -> dict[Key, Errors]:
    """The same of the rule for groups: one of them at the limit, or all of them."""
    cases = [Case("", SMD_OF_GOLD, GROUP, truth, turned="shift") for truth in (0.10, 0.0)]
    return _of_parts(cases, (ONE_GROUP, EVERY_GROUP), GROUPS, k, n, runs)


def of_prompts(k: int, n: int, *, runs: int) -> dict[Key, Errors]:
    """The same of a limit on the QWK of every prompt."""
    cases = [Case("", QWK_OF_GOLD, QWK, truth) for truth in (QWK.lower, PEOPLE)]
    return _of_parts(cases, (ONE_PROMPT, EVERY_PROMPT), PROMPTS, k, n, runs)


def _of_parts(
    cases: Sequence[Case], names: Sequence[str], parts: int, k: int, n: int, runs: int
) -> dict[Key, Errors]:
    """One part as the first case, at the limit, and the others as the second; then all at it."""
    at, beyond = (drawn(case, k, n, runs=runs) for case in cases)
    errors = {}
    for name, others in zip(names, (beyond, at), strict=True):
        states = [
            state_of_all(
                [at[run], *(others[(run + i) % runs] for i in range(1, parts))],
                cases[0].bounds,
                minimum=0,
            ).state
            for run in range(runs)
        ]
        errors[name, k, n] = Errors(runs, states.count("met"), states.count("not met"))
    return errors


def of_dsm(k: int, n: int, *, runs: int) -> dict[Key, Errors]:
    """The same of DSM: a group that is a third of the responses, the others not favoured."""
    rng = np.random.default_rng([k, n])
    others = Case("", SMD_OF_GOLD, GROUP, 0.0, turned="shift").population(k)

    def value(truth: float) -> tuple[float, Population]:
        group = Case("", SMD_OF_GOLD, GROUP, truth, turned="shift").population(k)
        exact = _dsm(group, group.exact(), 2 * others.exact(), Settings(interval="analytic"))
        return exact.value, group

    at = brentq(lambda truth: value(truth)[0] - GROUP.upper, 0.05, 0.30, xtol=1e-7)
    group = value(float(at))[1]
    found = [
        _dsm(group, group.sample(rng, n), others.sample(rng, 2 * n), Settings(seed=run))
        for run in range(runs)
    ]
    states = [state_of_all([replace(e, n=n)], GROUP, minimum=0).state for e in found]
    return {(DSM, k, n): Errors(runs, states.count("met"), states.count("not met"))}


def _dsm(
    made: Population, group: NDArray[np.int64], others: NDArray[np.int64], settings: Settings
) -> Estimate:
    parts = [made.rows(counts, (0, 2)) for counts in (others, group)]
    rows = Rows(
        np.concatenate([part.scores for part in parts]),
        np.concatenate([part.counts for part in parts]),
        np.arange(made.k, dtype=np.float64),
    )
    codes = np.repeat([0, 1], [part.counts.size for part in parts])
    sizes = (int(others.sum()), int(group.sum()))
    scale = Scale(tuple(float(point) for point in range(made.k)))
    used = np.ones(codes.size, dtype=bool)
    own = Grouped(("others", "group"), sizes, rows, used, codes, None, scale, grouped(rows))
    measure = next(_of_moments(own))
    return dict(_of_groups(measure, spread(measure.contrast), {}, own, settings))[1]


def jobs(runs: int) -> Iterator[Callable[[], dict[Key, Errors]]]:
    for k, n in product(POINTS, SIZES):
        for i in range(len(CASES)):
            yield partial(_of_case, i, k, n, runs=runs)
        yield partial(of_groups, k, n, runs=runs)
        yield partial(of_prompts, k, n, runs=runs)
        yield partial(of_dsm, k, n, runs=runs)


def _of_case(i: int, k: int, n: int, *, runs: int) -> dict[Key, Errors]:
    return of_case(CASES[i], k, n, runs=runs)


def _run(job: Callable[[], dict[Key, Errors]]) -> dict[Key, Errors]:
    return job()


def simulate_all(runs: int = RUNS) -> Mapping[Key, Errors]:
    """Every case, scale and size, on all cores."""
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        found: dict[Key, Errors] = {}
        for one in pool.map(_run, jobs(runs)):
            found |= one
    return found


def standard_error(share: float, runs: int) -> float:
    """Of a simulated share."""
    return math.sqrt(share * (1 - share) / runs)
