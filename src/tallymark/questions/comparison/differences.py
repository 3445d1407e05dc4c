"""Differences: each statistic of one system less that of another, drawn on the same responses."""

import math
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
from msgspec import Struct

from tallymark.arrays import Floats
from tallymark.catalogue import BY_NAME
from tallymark.inference import Formula, Settings, Units
from tallymark.inference.bootstrap import SUMS, jackknife, resamples
from tallymark.inference.distributions import t_quantile
from tallymark.inference.influence import influence
from tallymark.inference.interval import ROUNDING
from tallymark.inference.kinds import counted, few_carry, resampled
from tallymark.questions.comparison.pairs import DIFFERENCE
from tallymark.questions.comparison.shared import Arena, Ground, ground_of
from tallymark.results import Estimate, Key
from tallymark.study.measured import home, stream_of
from tallymark.tally import nearest

Parts = Sequence[Units[Any]]
"""The units of one system on each part of the data."""
NO_RESPONSE = "no response tells the two apart: these data do not show how far it could vary"
NO_CARRIERS = (
    "too few responses carry the difference: even if all spoke for one side, it could be chance"
)
NO_UNITS = "too few responses or clusters to show how far the difference could vary"


class SystemValues(Struct, frozen=True):
    """One statistic of all systems: values, what resamples and single responses do to them.

    ``by_part[system, part]`` are the values that are averaged. ``replicates[system]`` and
    ``left_out[system]`` are empty where no resampling is needed. ``thin`` is why these data allow
    no interval, if so.
    """

    formula: Formula
    units: Units[Any]
    values: Floats
    influences: Floats
    replicates: Floats
    left_out: Floats
    by_part: Floats
    ground: Ground
    over: str = ""
    thin: str = ""

    @property
    def text(self) -> str:
        """The statistic's name with its parameters."""
        return self.formula.key

    def undefined(self, a: int, b: int) -> str:
        """Why two systems have no difference."""
        lost = np.isnan(self.by_part[[a, b]]).any(axis=0)
        parts = f"undefined in {lost.sum()} of {lost.size} {self.over}s: " if self.over else ""
        return parts + self.formula.undefined

    def carriers(self, a: int, b: int) -> float:
        """How many responses or clusters two systems score differently."""
        rounded = BY_NAME[self.formula.name].score == "rounded"
        carry = np.zeros(self.units.times.size, dtype=bool)
        for part, places in zip(self.ground.parts, self.ground.places, strict=True):
            scores, points = part.rows.scores[:, [a + 1, b + 1]], part.rows.points
            if rounded and points.size:
                scores = points[nearest(scores, points)]
            differ = np.abs(scores[:, 0] - scores[:, 1]) > ROUNDING
            carry[places[np.asarray(part.rows.clusters)[differ]]] = True
        return float(self.units.times @ carry)

    def se(self, a: int, b: int) -> float:
        """CR2 standard error of the difference of two systems, from the influence of responses."""
        return self.units.leverage.standard_error(self.influences[a] - self.influences[b])


def spreads(arena: Arena, formulas: Sequence[Formula], settings: Settings) -> list[SystemValues]:
    """Compute some statistics of all systems; resamples, where asked for, are the same for all."""
    ground, columns = ground_of(arena.rows), range(1, arena.systems + 1)
    units: dict[str, list[Parts]] = {}
    for kind in dict.fromkeys(map(home, formulas)):
        of_kind = [f for f in formulas if home(f) == kind]
        units[kind] = [[part.units(kind, c, of_kind) for part in ground.parts] for c in columns]
    replicates = left_out = [np.empty((arena.systems, 0))] * len(formulas)
    if settings.interval in ("bca", "percentile"):
        seed = (settings.seed, stream_of(arena.label))
        replicates = _replicates(formulas, units, ground, settings.replicates, seed)
        left_out = [
            np.stack([_left_out(formula, parts, ground) for parts in units[home(formula)]])
            for formula in formulas
        ]
    joint_units, statistics = ground.units, []
    for i, formula in enumerate(formulas):
        systems = units[home(formula)]
        by_part = np.array([[formula.value(u.tally) for u in parts] for parts in systems])
        thin = ""
        if formula.thin is not None:  # it is the gold's scores that tell, the same for all systems
            thin = next(filter(None, (formula.thin(u.tally) for u in systems[0])), "")
        values = SystemValues(
            formula,
            joint_units,
            by_part.mean(axis=1),
            np.stack([_influence(formula, parts, ground) for parts in systems]),
            replicates[i],
            left_out[i],
            by_part,
            ground,
            over=arena.over,
            thin=thin,
        )
        statistics.append(values)
    return statistics


def _influence(formula: Formula, parts: Parts, ground: Ground) -> Floats:
    """Influence of each unit on the mean over parts; NaN on a statistic that is undefined."""
    size, influences = ground.times.sum(), []
    for units in parts:
        if math.isnan(float(formula.value(units.tally))):
            on_part = np.full(units.times.size, np.nan)
        elif formula.influence is not None:
            rows = units.rows @ formula.influence(units.tally)
            on_part = np.asarray(rows * (units.size / units.n))
        else:
            on_part = influence(formula.linear or formula.value, units)
        influences.append(on_part * (size / units.size))
    return ground.mean(influences)


def _left_out(formula: Formula, parts: Parts, ground: Ground) -> Floats:
    """The mean over parts with one unit left out."""
    values = [float(formula.value(units.tally)) for units in parts]
    without = [jackknife([formula.value], units)[0] for units in parts]
    changes = [reduced - value for reduced, value in zip(without, values, strict=True)]
    return float(np.mean(values)) + ground.mean(changes)


def _replicates(
    formulas: Sequence[Formula],
    units: Mapping[str, Sequence[Parts]],
    ground: Ground,
    replicates: int,
    seed: tuple[int, int],
) -> list[Floats]:
    """``values[system, replicate]`` of each statistic's mean over parts, on the same resamples.

    Sums of one kind of tally and one system at a time are held, and of no more resamples than
    ``SUMS`` allow.
    """
    systems = max((len(of_kind) for of_kind in units.values()), default=0)
    drawn = [np.empty((systems, replicates)) for _ in formulas]
    widest = max((part.width for of_kind in units.values() for part in of_kind[0]), default=1)
    rows_at_once, start = max(1, SUMS // widest), 0
    for block in resamples(ground.times, replicates, np.random.default_rng(seed)):
        for weights in np.array_split(block, -(-len(block) // rows_at_once)):
            stop = start + len(weights)
            for kind, i in product(units, range(systems)):
                tallies = [
                    part.build(part.sums(weights[:, place]))
                    for part, place in zip(units[kind][i], ground.places, strict=True)
                ]
                for values, formula in zip(drawn, formulas, strict=True):
                    if home(formula) == kind:
                        by_part = [formula.value(tally) for tally in tallies]
                        values[i, start:stop] = np.mean(by_part, axis=0)
            start = stop
    return drawn


def difference(
    spread: SystemValues, a: int, b: int, settings: Settings, *, critical: float = math.nan
) -> Estimate:
    """The statistic of system a less that of system b, with its interval.

    It reaches t standard errors to both sides, or ``critical`` ones where a permutation test says
    how many settle a difference: then the interval excludes 0 just where the test rejects. The
    bootstrap is made if asked for: where systems hardly differ it holds the truth too seldom.
    """
    value = float(spread.values[a] - spread.values[b])
    value = 0.0 if abs(value) <= ROUNDING else value
    se = math.nan if math.isnan(value) else spread.se(a, b)
    base: dict[str, Any] = {
        "key": Key(DIFFERENCE, of=spread.text),
        "value": value,
        "n": spread.units.n,
        "level": settings.level,
        "se_analytic": se,
        "score": BY_NAME[spread.formula.name].score,
    }
    if math.isnan(value):
        return Estimate(**base, why=spread.undefined(a, b))
    if spread.thin:
        return Estimate(**base, why=spread.thin)
    why = _uncarried(spread, a, b, settings.level, critical)
    if why:
        return Estimate(**base, se=se, why=why)
    if not spread.left_out.size:
        return Estimate(**base, **_by_influence(value, se, spread, settings.level, critical))
    interval = resampled(
        value,
        spread.replicates[a] - spread.replicates[b],
        spread.left_out[a] - spread.left_out[b],
        spread.units,
        settings,
        wanted=settings.interval or "bca",
    )
    return Estimate(
        **base,
        se=interval.se,
        low=interval.low,
        high=interval.high,
        method=f"paired {interval.method}",
        why=interval.why,
        parts=interval.parts,
    )


def _uncarried(spread: SystemValues, a: int, b: int, level: float, critical: float) -> str:
    """Why so few responses or clusters carry no difference of two systems."""
    if not spread.units.leverage.df >= 1 - ROUNDING:
        return NO_UNITS
    carriers = spread.carriers(a, b)
    if not carriers:
        return NO_RESPONSE
    few = few_carry(carriers, level, spread.units.kind)
    return few or (NO_CARRIERS if math.isinf(critical) else "")


def _by_influence(
    value: float, se: float, spread: SystemValues, level: float, critical: float
) -> dict[str, Any]:
    """The ends of an interval by the influence of responses or clusters, and how it was made."""
    df = spread.units.leverage.df
    if not se > ROUNDING:
        return {"se": se, "why": NO_RESPONSE}
    distribution = "t" if math.isnan(critical) else "permutation t"
    reach = se * (t_quantile(level, df) if math.isnan(critical) else critical)
    over = (
        "" if spread.units.kind == "responses" else f" over {spread.units.size} {spread.units.kind}"
    )
    return {
        "se": se,
        "low": value - reach,
        "high": value + reach,
        "method": f"{distribution} interval{over}, paired influence standard error, {df:.1f} df",
        "parts": counted(spread.units),
    }
