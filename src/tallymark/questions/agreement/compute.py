"""Every statistic of a system against the gold, on each part of the data and as a mean over parts."""

from collections.abc import Callable, Iterator, Sequence

from tallymark.inference import Settings
from tallymark.results import system_called
from tallymark.study.average import averages
from tallymark.study.measured import SubsetResults, estimates_of, measure
from tallymark.study.parts import AVERAGED, Part


def against_gold(
    system: str,
    parts: Sequence[Part],
    settings: Settings,
    *,
    statistics: Sequence[str],
    done: Callable[[int], None],
) -> Iterator[SubsetResults]:
    """Yield the statistics of a system on every part of the data, then the macro-averages.

    ``done`` receives the number of parts done.
    """
    measured = []
    for i, part in enumerate(parts):
        done(i)
        here = measure(system, part, statistics)
        if here is not None:
            measured.append(here)
    yield from estimates_of(measured, system, settings)
    for key in AVERAGED:
        over = [here for here in measured if set(here.part.where) == {key}]
        if len(over) > 1:
            yield from averages(over, key, system_called(system), settings)
