"""Scales: the points of each name that was scored, and whether the names are on different ones."""

from collections.abc import Iterable

from tallymark.scale import Scale
from tallymark.sources.judges.ratings import Rating, number_of

_FEW = 11
"""With more points, those of judges included, a scale is that of people alone."""
_TIMES = 2
"""One scale reaches so many times as high as another: they are not the same."""


def scales_apart(ratings: Iterable[Rating], names: Iterable[str]) -> dict[str, str]:
    """The scale of each name, where they differ; empty where one scale may hold all."""
    values: dict[str, dict[bool, set[float]]] = {
        name: {True: set(), False: set()} for name in names
    }
    for given in ratings:
        number = number_of(given.value)
        if given.name in values and number is not None:
            values[given.name][given.person].add(number)
    if any(not by_kind[True] for by_kind in values.values()):
        return {}
    tops = [max(1.0, *by_kind[True], *by_kind[False]) for by_kind in values.values()]
    if not tops or max(tops) < _TIMES * min(tops):
        return {}
    return {name: _scale(by_kind[True], by_kind[False]) for name, by_kind in values.items()}


def _scale(people: set[float], judges: set[float]) -> str:
    both = Scale.infer(people | judges)
    return str(both if len(both.points) <= _FEW and not both.continuous else Scale.infer(people))
