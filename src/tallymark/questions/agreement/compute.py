"""Every statistic of each system against the gold, on each part of the data and as a mean over parts."""

from collections.abc import Sequence
from itertools import product

from tallymark.inference import Settings
from tallymark.results import system_called
from tallymark.study.average import averages
from tallymark.study.measured import SubsetResults, estimates_of, measure
from tallymark.study.parts import AVERAGED, Part


def against_gold(
    systems: Sequence[str],
    parts: Sequence[Part],
    settings: Settings,
    statistics: Sequence[str],
) -> dict[str, list[SubsetResults]]:
    """The statistics of each system on every part of the data, then the macro-averages."""
    measured = [
        (system, here)
        for system, part in product(systems, parts)
        if (here := measure(system, part, statistics)) is not None
    ]
    results: dict[str, list[SubsetResults]] = {system: [] for system in systems}
    for (system, _), of_part in zip(measured, estimates_of(measured, settings), strict=True):
        results[system].append(of_part)
    for system, key in product(systems, AVERAGED):
        over = [m for name, m in measured if name == system and set(m.part.where) == {key}]
        if len(over) > 1:
            results[system] += averages(over, key, system_called(system), settings)
    return results
