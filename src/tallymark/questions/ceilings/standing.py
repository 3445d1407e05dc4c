"""Where a system, or a published number, stands among the ceilings."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.agreement.correlation import lin_ccc, pearson
from tallymark.inference import Formula, OnUnits, Settings, estimate_all
from tallymark.inference.interval import ROUNDING
from tallymark.inference.joining import values_each
from tallymark.questions.ceilings.kappas import kappa_on
from tallymark.questions.ceilings.ladder import Ladder, ladder_units, qwk_of_people, r_of_people
from tallymark.questions.ceilings.reached import HumanLike, Modelled, Theoretical
from tallymark.questions.ceilings.rungs import Rungs
from tallymark.results import Estimate, Key
from tallymark.study.average import PartFormulas
from tallymark.study.measured import stream_of
from tallymark.study.parts import Part

Floats = NDArray[np.float64]
Value = Callable[[Ladder], Floats]
SIDES = {"statistic": "value", "ceiling": "ceiling"}
"""What a share or a gap is made of, and where it is kept."""


def system_formulas(system: str, part: Part, rungs: Rungs) -> PartFormulas | None:
    """QWK and correlation of a system as a share of each ceiling and their distance from it.

    Everything is of the responses that have the gold, the system's score and a rating, and is
    resampled together.
    """
    scales = part.scales
    if scales is None:
        return None
    here, patterns = part.rows, part.scores.patterns
    beside = [patterns.scores[name][here] for name in ("gold", f"system:{system}")]
    rows, ratings = rungs.rows, rungs.people.rows.scores
    rows = replace(rows, scores=np.column_stack([rows.scores, *beside]))
    used = ~np.isnan(ratings).all(axis=1) & ~np.isnan(beside[0]) & ~np.isnan(beside[1])
    rows = rows.where(used)
    if not rows.counts.size or not rungs.people.rows.where(used).twice.any():
        return None
    units = ladder_units(rows, rungs.design, np.asarray(scales[1].points), rungs.known)
    kappa = _ccc if scales[1].continuous else _kappa
    formulas = [
        *_compared(kappa_on(scales[1]), kappa, rungs),
        *_compared("pearson", _correlation, rungs),
    ]
    return formulas, units


def _kappa(ladder: Ladder) -> Floats:
    return lin_ccc(ladder.points)


def _ccc(ladder: Ladder) -> Floats:
    return lin_ccc(ladder.trimmed)


def _correlation(ladder: Ladder) -> Floats:
    return pearson(ladder.trimmed)


def scored(estimate: Estimate) -> Estimate:
    """Name the kind of score that was compared."""
    return replace(estimate, score="rounded" if "cohen_kappa" in estimate.text else "trimmed")


def reference_standing(
    value: float, rungs: Rungs, settings: Settings, label: str
) -> list[Estimate]:
    """A published number as a share of each ceiling and its distance from it."""
    formulas = reference_formulas(value, rungs)
    estimates = estimate_all(formulas, rungs.units, settings, key=stream_of(label))
    return [as_published(value, settings), *estimates]


def as_published(value: float, settings: Settings) -> Estimate:
    """The published number itself."""
    return Estimate(
        key=Key("reference"),
        value=value,
        level=settings.level,
        n=0,
        why="as published: no interval",
    )


def reference_formulas(value: float, rungs: Rungs) -> list[Formula]:
    """A published number beside each ceiling."""
    return [*_compared("reference", _Published(value), rungs)]


class _Published(Struct, frozen=True):
    """A number that is the same whatever the ladder."""

    number: float

    def __call__(self, ladder: Ladder) -> Floats:
        return np.full_like(ladder.variances.single, self.number)


def _compared(of: str, value: Value, rungs: Rungs) -> Iterator[Formula]:
    for rung, ceiling in _rungs(of, rungs):
        yield from _share_and_gap(of, rung, value, ceiling, _why(rung, rungs))


@lru_cache(maxsize=256)
def _share_and_gap(
    of: str, rung: str, value: Value, ceiling: Value, why: str
) -> tuple[Formula, ...]:
    """A statistic as a share of a ceiling, and its distance from it; all parts share them."""
    made: dict[str, Value] = {
        "share_of_ceiling": _Share(value, ceiling),
        "gap_to_ceiling": _Gap(value, ceiling),
    }
    return tuple(
        Formula(
            name=name,
            params={"of": of, "ceiling": rung},
            value=formula,
            undefined=why,
            divisor=ceiling if name == "share_of_ceiling" else None,
            compares=name == "gap_to_ceiling" and of != "reference",
            parts=partial(_both, value=value, ceiling=ceiling),
        )
        for name, formula in made.items()
    )


def _rungs(of: str, rungs: Rungs) -> Iterator[tuple[str, Value]]:
    """The ceilings against the gold that was used; of a published number, against the mean."""
    yield "human_human", r_of_people if of == "pearson" else qwk_of_people
    rule = rungs.gold or ("mean" if of == "reference" else None)
    if rule is None:
        return
    yield "human_like", HumanLike(rule)
    yield "theoretical", Theoretical(rule)
    if rungs.coarse and of in ("cohen_kappa[quadratic]", "reference"):
        yield "quantised", Modelled(rungs.gold or "mean_up", "quantised")


def _why(rung: str, rungs: Rungs) -> str:
    curve = rungs.curves.get(rungs.gold or "mean")
    undefined = "the scores do not vary" if rung == "human_human" else rungs.undefined
    return (curve.why if curve is not None and rung != "human_human" else "") or undefined


def _both(ladder: Ladder, *, value: Value, ceiling: Value) -> dict[str, float]:
    """The statistic and the ceiling themselves, on these very responses."""
    both = {"statistic": float(value(ladder)), "ceiling": float(ceiling(ladder))}
    return {name: number for name, number in both.items() if not np.isnan(number)}


def mean_sides(keys: Sequence[Key], beside: Sequence[PartFormulas]) -> list[dict[str, float]]:
    """The means over parts of the statistic and of the ceiling that each key stands for."""
    of_parts = [{f.key: f for f in formulas} for formulas, _ in beside]
    asked = [
        OnUnits([_side(by_key[key], name) for key in keys for name in SIDES], units)
        for by_key, (_, units) in zip(of_parts, beside, strict=True)
    ]
    average = np.array(values_each(asked)).mean(axis=0).reshape(len(keys), len(SIDES)).tolist()
    made = [dict(zip(SIDES, each, strict=True)) for each in average]
    return [{name: value for name, value in each.items() if not np.isnan(value)} for each in made]


@lru_cache(maxsize=256)
def _side(formula: Formula, name: str) -> Formula:
    """The statistic or the ceiling that a share or a gap is made of."""
    value = getattr(formula.value, SIDES[name])
    return Formula(name=name, value=value)


class _Share(Struct, frozen=True):
    value: Value
    ceiling: Value

    def __call__(self, ladder: Ladder) -> Floats:
        top = self.ceiling(ladder)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(np.real(top) > ROUNDING, self.value(ladder) / top, np.nan)


class _Gap(Struct, frozen=True):
    value: Value
    ceiling: Value

    def __call__(self, ladder: Ladder) -> Floats:
        return self.value(ladder) - self.ceiling(ladder)
