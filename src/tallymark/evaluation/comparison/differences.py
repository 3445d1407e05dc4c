"""Differences: each statistic of one system less that of another, drawn on the same responses."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tallymark.evaluation.catalogue import BY_NAME
from tallymark.evaluation.comparison.shared import Field
from tallymark.evaluation.measured import home, stream_of
from tallymark.inference import Formula, Settings, Units
from tallymark.inference import interval as ends
from tallymark.inference.bootstrap import jackknife, resamples
from tallymark.inference.estimate import NO_WIDTH, RANK_LIMIT, resampled
from tallymark.inference.influence import influence, standard_error
from tallymark.inference.interval import ROUNDING
from tallymark.results import Estimate, named

Floats = NDArray[np.float64]
DIFFERENCE = "paired_difference"


@dataclass(frozen=True, slots=True)
class Spread:
    """One statistic of all systems: values, what resamples and single responses do to them.

    ``replicates[system]`` and ``left_out[system]`` are empty where no resampling is needed.
    """

    formula: Formula
    units: Units[Any]
    values: Floats
    influences: Floats
    replicates: Floats
    left_out: Floats

    @property
    def text(self) -> str:
        """The statistic's name with its parameters."""
        return named(self.formula.name, self.formula.params)

    def se(self, a: int, b: int) -> float:
        """Standard error of the difference of two systems, from the influence of responses."""
        return standard_error(self.influences[a] - self.influences[b], self.units.times)


def spreads(
    field: Field, formulas: Sequence[Formula], settings: Settings, *, drawn: str = ""
) -> list[Spread]:
    """Compute some statistics of all systems with the same resamples.

    The statistic ``drawn`` is resampled even where its intervals need no resampling.
    """
    bound, units = [field.formula(formula) for formula in formulas], field.units(formulas)
    kinds = [home(formula) for formula in formulas]
    seed = (settings.seed, stream_of(field.label))
    wanted = [
        i
        for i, (formula, kind) in enumerate(zip(bound, kinds, strict=True))
        if _is_resampled(formula, units[kind], settings)
        or named(formula.name, formula.params) == drawn
    ]
    every = replicate_each(
        [(bound[i].value, units[kinds[i]]) for i in wanted], settings.replicates, seed
    )
    found = []
    for i, (formula, kind) in enumerate(zip(bound, kinds, strict=True)):
        here = units[kind]
        none = np.empty((len(here), 0))
        values = np.array([float(np.real(formula.value(one.tally))) for one in here])
        moves = np.stack(
            [_influence(formula, one, value) for one, value in zip(here, values, strict=True)]
        )
        left_out = (
            np.stack([jackknife([formula.value], one)[0] for one in here])
            if _is_resampled(formula, here, settings)
            else none
        )
        drawn_here = every[wanted.index(i)] if i in wanted else none
        found.append(Spread(formula, here[0], values, moves, drawn_here, left_out))
    return found


def replicate_each(
    wanted: Sequence[tuple[Callable[[Any], Any], Sequence[Units[Any]]]],
    replicates: int,
    seed: tuple[int, int],
) -> list[Floats]:
    """Return ``values[system, replicate]`` of each formula; all see the same resamples."""
    blocks: list[list[Floats]] = [[] for _ in wanted]
    times = wanted[0][1][0].times if wanted else np.empty(0, dtype=np.int64)
    rng = np.random.default_rng(seed)
    for weights in resamples(times, replicates, rng) if wanted else ():
        tallies: dict[int, Any] = {}
        for found, (value, units) in zip(blocks, wanted, strict=True):
            for one in units:
                if id(one) not in tallies:
                    tallies[id(one)] = one.build(one.sums(weights))
            found.append(np.stack([value(tallies[id(one)]) for one in units]))
    return [np.concatenate(found, axis=1) for found in blocks]


def difference(spread: Spread, a: int, b: int, settings: Settings) -> Estimate:
    """The statistic of system a less that of system b, with its interval."""
    value = float(spread.values[a] - spread.values[b])
    value = 0.0 if abs(value) <= ROUNDING else value
    se = math.nan if math.isnan(value) else spread.se(a, b)
    base: dict[str, Any] = {
        "name": DIFFERENCE,
        "params": {"of": spread.text},
        "value": value,
        "n": spread.units.n,
        "level": settings.level,
        "se_analytic": se,
        "score": BY_NAME[spread.formula.name].score,
    }
    if math.isnan(value):
        return Estimate(**base, why=spread.formula.undefined)
    if not spread.left_out.size:
        low, high = ends.normal(value, se, settings.level)
        if not se > ROUNDING:
            return Estimate(**base, se=se, why=NO_WIDTH)
        method = "normal interval, paired influence standard error"
        return Estimate(**base, se=se, low=low, high=high, method=method)
    made = resampled(
        value,
        spread.replicates[a] - spread.replicates[b],
        spread.left_out[a] - spread.left_out[b],
        spread.units,
        settings,
        wanted=settings.interval or "bca",
    )
    return Estimate(
        **base,
        se=made.se,
        low=made.low,
        high=made.high,
        method=f"paired {made.method}",
        why=made.why,
        parts=made.parts,
    )


def _is_resampled(formula: Formula, units: Sequence[Units[Any]], settings: Settings) -> bool:
    if settings.interval is not None:
        return settings.interval != "analytic"
    if units[0].kind.startswith("shards"):  # so many that a normal interval is as good
        return False
    return not (formula.ranks and max(one.width for one in units) > RANK_LIMIT)


def _influence(formula: Formula, units: Units[Any], value: float) -> Floats:
    """Influence of each unit; none on a statistic that is undefined."""
    if math.isnan(value):
        return np.full(units.times.size, np.nan)
    if formula.influence is not None:
        return np.asarray((units.rows @ formula.influence(units.tally)) * (units.size / units.n))
    return influence(formula.linear or formula.value, units)
