"""Divisors: what a statistic is divided by may be 0 in truth; then it has no bounded interval."""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from tallymark.defaults import MANY
from tallymark.inference.formula import Formula, Settings, divisor_of, name_of
from tallymark.inference.interval import ROUNDING
from tallymark.inference.joining import OnUnits
from tallymark.inference.units import Units
from tallymark.results import Estimate


def divisors_of(many: Sequence[OnUnits], settings: Settings) -> dict[Settings, list[OnUnits]]:
    """What statistics are divided by, in all parts, where it was not estimated yet."""
    asked: dict[Settings, list[OnUnits]] = {}
    for (formulas, units), chosen in _with_parts(many, settings):
        every = [divisor_of(f) for f in formulas if f.divisor and not f.joint]
        new = [d for d in every if (name_of(d, "low"), chosen) not in units.kept]
        if new:
            asked.setdefault(chosen, []).append(OnUnits(new, units))
    return asked


def keep(
    divisors: Sequence[OnUnits], estimates: Sequence[Sequence[Estimate]], settings: Settings
) -> None:
    """Keep with the units how low what statistics are divided by may be."""
    for (formulas, units), each in zip(divisors, estimates, strict=True):
        for formula, known in zip(formulas, each, strict=True):
            units.kept[name_of(formula, "low"), settings] = known.low


def boundless(formula: Formula, units: Units[Any], settings: Settings) -> bool:
    """Whether the interval of what the statistic is divided by, in some part, reaches 0."""
    if formula.joint is not None:
        each, settings = enumerate(units.parts), _of_parts(units, settings)
        return any(boundless(formula.joint.formula(i), part, settings) for i, part in each)
    if formula.divisor is None:
        return False
    low: float = units.kept[name_of(divisor_of(formula), "low"), settings]
    return low <= ROUNDING


def _with_parts(many: Sequence[OnUnits], settings: Settings) -> Iterator[tuple[OnUnits, Settings]]:
    """The statistics of all units, and of parts those that functions of several rest on."""
    for formulas, units in many:
        yield OnUnits(formulas, units), settings
        joint = [formula.joint for formula in formulas if formula.joint is not None]
        for i, part in enumerate(units.parts if joint else ()):
            of_part = OnUnits([each.formula(i) for each in joint], part)
            yield from _with_parts([of_part], _of_parts(units, settings))


def _of_parts(units: Units[Any], settings: Settings) -> Settings:
    """How divisors of parts are estimated: of many, without ABC."""
    many = len(units.parts) > MANY and settings.interval is None
    return replace(settings, interval="analytic") if many else settings
