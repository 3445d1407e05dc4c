"""Pilots: what a plan needs to know of the population, from a small file or from assumptions."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from tallymark.arrays import Floats, Whole
from tallymark.catalogue import BY_NAME, FORMULAS, find
from tallymark.errors import DataError, OptionError
from tallymark.inference import Formula, OnUnits, Settings, Units, estimate_each
from tallymark.inference.influence import influence, standard_error
from tallymark.planning.population import bell, difference_sd, table_with
from tallymark.results import Estimate
from tallymark.scale import MOST_POINTS
from tallymark.sources import Scores
from tallymark.study.average import faceted, joint, mean_of
from tallymark.study.formulas import formulas_for
from tallymark.study.measured import home, measure
from tallymark.study.pairings import pairs_of
from tallymark.study.parts import Part, parts_of
from tallymark.study.units import Rows, units_of
from tallymark.tally import PairCounts

LEAST, MOST = 1e-6, 1e12
"""Finer shares and widths, and greater variances, only overflow; nobody plans with them."""
MANY_RESPONSES = 100_000
"""So many responses show what varies in a population that is assumed."""
SAMPLES = 200
"""So many samples show how intervals of a population that is assumed reach."""
ASSUMED = ("cohen_kappa[quadratic]", "lin_ccc")
"""Statistics whose difference can be planned without a pilot: one formula of normal scores."""
NO_SPREAD = 1e-9
"""A smaller SD of the influence is rounding error: no response changes the statistic."""


class Pilot(NamedTuple):
    """A statistic in the population: its key, value, the SD of its influence, and what they rest on.

    That is ``n`` responses scored by ``systems``, as the mean ``over`` prompts or traits where
    there are several; or what was assumed: ``shares`` of the points, or the
    ``correlation`` of two systems, which may have been ``given``.
    """

    key: str
    value: float
    sd: float
    n: int = 0
    systems: tuple[str, ...] = ()
    shares: tuple[float, ...] = ()
    correlation: float = math.nan
    given: bool = False
    over: str = ""


class _Population(NamedTuple):
    """The shares of the cells of a table on which a statistic has a value, and of its points."""

    formula: Formula
    cells: Floats
    shares: Floats
    points: Floats


def of_scores(scores: Scores, statistic: str, system: str) -> Pilot:
    """A statistic of a system on a pilot: its mean over traits or prompts, else of all responses."""
    over, parts = _looked_at(scores)
    every = [measure(system, part, [statistic]) for part in parts]
    known = [measured for measured in every if measured is not None and measured.formulas]
    if not known or len({home(measured.formulas[0]) for measured in known}) > 1:
        raise DataError(
            f"{statistic} cannot be computed for {system} on these scores; a continuous scale has "
            "no statistics of score points"
        )
    formulas = [_only(statistic, measured.formulas) for measured in known]
    each = [measured.units[home(formulas[0])] for measured in known]
    formula, units = formulas[0], each[0]
    if len(known) > 1:
        formula, units = mean_of(formulas, over), joint(each)
    sd = _sd(formula, units)
    value = float(formula.value(units.tally))
    _check_spread(value, sd, statistic, units.n)
    return Pilot(formula.key, value, sd, n=units.n, systems=(system,), over=over)


def _only(statistic: str, bound: Sequence[Formula]) -> Formula:
    """The only formula of a statistic; refuse one that has a number for each label."""
    if len(bound) > 1:
        keys = ", ".join(formula.key for formula in bound)
        raise OptionError(f"{statistic} is a number of each label; plan for one of them: {keys}")
    return bound[0]


def _looked_at(scores: Scores) -> tuple[str, list[Part]]:
    """Each trait, else each prompt, and which of the two; all responses where there is one."""
    parts = [*parts_of(scores, cross=False)]
    return next(iter(faceted(parts)), ("", parts[:1]))


def difference_of_scores(scores: Scores, statistic: str, systems: Sequence[str]) -> Pilot:
    """The difference of two systems' statistics on the responses of both, as that of one."""
    over, parts = _looked_at(scores)
    each = [pair for part in parts if (pair := _both(part, statistic, systems)) is not None]
    if not each:
        raise DataError(f"no response of the pilot has scores of {' and '.join(systems)}")
    units: Units[Any] = joint([units for _, units in each]) if len(each) > 1 else each[0][1]

    def apart(tallies: Any) -> Floats:
        of_parts = tallies if len(each) > 1 else [tallies]
        both = [formula.value(pairs) for (formula, _), pairs in zip(each, of_parts, strict=True)]
        return np.asarray(sum(two[..., 0] - two[..., 1] for two in both) / len(both))

    value = float(apart(units.tally))
    sd = standard_error(influence(apart, units), units.times) * math.sqrt(units.size)
    sd *= math.sqrt(units.n / units.size)  # clusters are several responses each
    if value != 0:  # of equal systems there is nothing to plan
        _check_spread(value, sd, f"a difference of {statistic}", units.n)
    return Pilot(each[0][0].key, value, sd, n=units.n, systems=tuple(systems), over=over)


def _both(part: Part, statistic: str, systems: Sequence[str]) -> tuple[Formula, Units[Any]] | None:
    """The statistic of two systems on the responses of both; None where they share none."""
    scales = part.scales
    if scales is None:  # prompts on scales of their own within one trait
        raise DataError("prompts are on different scales; plan for one of them")
    names = ["gold", *(f"system:{system}" for system in systems)]
    rows = part.columns(names, scales[1]).complete().distinct()
    bound = formulas_for(scales[1], [statistic])
    formula = _only(statistic, bound) if bound else None
    if formula is None or home(formula) not in ("table", "moments"):
        raise OptionError(f"no plan for a difference of {statistic} on these scores; take lin_ccc")
    if not rows.counts.size:
        return None
    return formula, pairs_of(home(formula), rows, [[(0, 1, 0)], [(0, 2, 0)]], [formula])


def assumed_estimate(
    statistic: str, value: float, shares: Sequence[float], points: int, level: float
) -> tuple[Pilot, Estimate]:
    """A statistic of very many such scores, with its interval."""
    population = _population(statistic, value, shares, points)
    counts = np.round(population.cells * MANY_RESPONSES).astype(np.int64)
    pilot = Pilot(population.formula.key, value, math.nan, shares=tuple(population.shares.tolist()))
    return pilot, _estimates(population, [counts], level)[0]


def assumed_samples(
    statistic: str, value: float, shares: Sequence[float], points: int, level: float, n: int
) -> Estimate | None:
    """The mean interval of samples of n such responses: wider than that of very many tells."""
    population = _population(statistic, value, shares, points)
    draws = np.random.default_rng(0).multinomial(n, population.cells, size=SAMPLES)
    found = np.array(
        [
            (e.value, e.low, e.high, e.se)
            for e in _estimates(population, draws, level)
            if e.low < e.high
        ]
    )
    if len(found) < SAMPLES / 2:
        return None
    centre, low, high, se = found.mean(axis=0)
    return Estimate(
        key=population.formula.key,
        value=float(centre),
        se=float(se),
        low=float(low),
        high=float(high),
        level=level,
        n=n,
    )


def _estimates(population: _Population, tables: Iterable[Whole], level: float) -> list[Estimate]:
    """The statistic on tables of counts of these cells, with its intervals."""
    formula, points = population.formula, population.points
    scores = points[np.stack(np.divmod(np.arange(points.size**2), points.size), axis=1)]
    asked = []
    for counts in tables:
        rows = Rows(scores[counts > 0], counts[counts > 0], points)
        asked.append(OnUnits([formula], units_of(home(formula), rows, [formula])))
    each = estimate_each(asked, Settings(level=level), keys=[0] * len(asked))
    return [found for (found,) in each]


def assumed(statistic: str, value: float, shares: Sequence[float], points: int) -> Pilot:
    """A statistic of two scorers whose scores are cuts of jointly normal ones."""
    formula, cells, margins, scale = _population(statistic, value, shares, points)
    k = margins.size
    units = Units(
        np.ones(cells.size, dtype=np.int64),
        lambda sums: PairCounts(sums.reshape(*sums.shape[:-1], k, k), scale),
        1,
        rows=np.diag(cells),
    )
    slopes = influence(formula.linear or formula.value, units)
    by_cell = slopes / units.size / np.maximum(cells, 1e-300)
    sd = math.sqrt(float(cells @ (by_cell - cells @ by_cell) ** 2))
    return Pilot(formula.key, value, sd, shares=tuple(margins.tolist()))


def _population(statistic: str, value: float, shares: Sequence[float], points: int) -> _Population:
    """Two scorers whose scores are cuts of jointly normal ones, so correlated that it has the value."""
    formula = find(statistic)
    if BY_NAME[formula.name].tallies[0] not in ("table", "cells"):
        known = ", ".join(r.name for r in FORMULAS if r.tallies[0] in ("table", "cells"))
        raise OptionError(f"{statistic} needs a pilot file; without one take one of {known}")
    margins = _margins(shares, points)
    scale = np.arange(1.0, margins.size + 1)

    def on(table: Floats) -> float:
        return float(formula.value(PairCounts(table, scale)))

    table = table_with(value, on, margins)
    if table is None:
        raise OptionError(
            f"no two scorers with these shares of points have {formula.key}"
            f" = {value:g}; name another value, or the shares with --shares"
        )
    return _Population(formula, table.ravel(), margins, scale)


def assumed_difference(values: Sequence[float], between: float | None) -> Pilot:
    """The difference of two QWKs with one gold, scores normal with equal means and spreads."""
    first, second = values
    correlation = first * second if between is None else between
    sd = difference_sd(first, second, correlation)
    if math.isnan(sd):
        raise OptionError(
            f"QWKs of {first:g} and {second:g} cannot go with a correlation of {correlation:g} "
            "between the systems; name another with --between"
        )
    return Pilot(ASSUMED[0], first - second, sd, correlation=correlation, given=between is not None)


def _margins(shares: Sequence[float], points: int) -> Floats:
    if not shares:
        if points < 2:
            raise OptionError(f"a scale needs two points or more, got {points}")
        if points > MOST_POINTS:
            raise OptionError(f"a scale has at most {MOST_POINTS} points here, got {points}")
        return bell(points)
    given = np.asarray(shares, dtype=np.float64)
    if given.size > MOST_POINTS:
        raise OptionError(f"shares are of at most {MOST_POINTS} points, got {given.size}")
    if given.size < 2 or not (given >= LEAST).all() or not (given <= MOST).all():
        raise OptionError(f"shares must be two or more positive numbers, got {list(shares)}")
    return np.asarray(given / given.sum())


def _sd(formula: Formula, units: Units[Any]) -> float:
    """SD of the influence of a response; of clusters, as if each response bore its share."""
    if formula.influence is not None:
        by_sum = formula.influence(units.tally)
        by_unit = by_sum if units.rows is None else (units.rows @ by_sum) * (units.size / units.n)
    else:
        by_unit = influence(formula.linear or formula.value, units)
    se = standard_error(np.asarray(by_unit), units.times)
    return se * math.sqrt(units.n)


def _check_spread(value: float, sd: float, statistic: str, n: int) -> None:
    """Refuse a pilot that does not show how far a statistic could vary."""
    if math.isnan(value):
        raise DataError(f"{statistic} is undefined on the pilot; take another, or assumed values")
    if sd < NO_SPREAD:
        raise DataError(
            f"the pilot does not show how far {statistic} could vary: any sample of its responses "
            f"({n}) gives {value:g}; take another pilot, or assumed values"
        )


def only_system(scores: Scores, asked: Sequence[str]) -> str:
    """The system to plan for: the one named, or the only one there is."""
    systems = tuple(asked) or scores.roles.systems
    if len(systems) != 1:
        raise OptionError(
            f"plan for one system; the pilot has {', '.join(scores.roles.systems)}: name one with "
            "--system"
        )
    return str(systems[0])


def checked(options: Mapping[str, float | None]) -> None:
    """Refuse shares outside 0 to 1 and widths that are not positive."""
    for name, value in options.items():
        if value is None:
            continue
        variance = "variance" in name
        if not 0 < value < (math.inf if variance else 1.0):
            between = "above 0" if variance else "between 0 and 1"
            raise OptionError(f"{name.replace('_', ' ')} must lie {between}, got {value:g}")
        if not LEAST <= value <= (MOST if variance else 1 - 1e-9):
            within = f"from {LEAST:g} to {f'{MOST:g}' if variance else '0.999999999'}"
            raise OptionError(f"{name.replace('_', ' ')} must lie {within}, got {value:g}")
