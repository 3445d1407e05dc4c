"""Every statistic of each system against the gold, on each part of the data and as a mean over parts."""

from collections.abc import Sequence
from itertools import chain, product

import numpy as np
from msgspec.structs import replace

from tallymark.inference import Formula, Settings
from tallymark.results import Estimate, system_called
from tallymark.study.average import averaged, averages, joint
from tallymark.study.measured import (
    Measured,
    SubsetResults,
    estimate_by_tally,
    estimates_of,
    home,
    matrices_of,
    measure,
    subset_of,
)
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


def against_gold_by_run(
    system: str, runs: Sequence[Sequence[Part]], settings: Settings, statistics: Sequence[str]
) -> list[SubsetResults]:
    """The mean over runs of each statistic, on every part of the data, and the means over parts.

    ``runs`` are the parts of the scores by response, with one run after the other as the system. A
    response moves all runs at once, so that it is one unit of the interval.
    """
    subject, results = system_called(system), []
    by_part: list[list[Measured]] = []
    for parts in zip(*runs, strict=True):
        measured = [measure(system, part, statistics) for part in parts]
        known = [run for run in measured if run is not None]
        by_part += [_of_responses(known)] if known else []
    for each in by_part:
        formulas = [averaged(of[0], over="run", each=of) for of in _shared(each)]
        units = {
            kind: joint([run.units[kind] for run in each])
            for kind in dict.fromkeys(map(home, formulas))
        }
        part, n = each[0].part, _scored_by_some(system, each)
        estimates = estimate_by_tally(formulas, units, settings, part.label)
        subset = subset_of(part, subject, n=n)
        matrices = matrices_of(each[0], system)
        results.append(SubsetResults(subset, _of(estimates, n), matrices))
    for key in AVERAGED:
        over = [each for each in by_part if set(each[0].part.where) == {key}]
        if len(over) > 1:
            n = sum(_scored_by_some(system, each) for each in over)
            for made in averages([*chain(*over)], key, subject, settings):
                subset = replace(made.subset, n=n, parts=len(over))
                results.append(SubsetResults(subset, _of(made.estimates, n), []))
    return results


def _of(estimates: Sequence[Estimate], n: int) -> list[Estimate]:
    """The estimates of so many responses, each of which has several scores."""
    return [replace(estimate, n=n) for estimate in estimates]


def _of_responses(runs: Sequence[Measured]) -> list[Measured]:
    """The runs with units that are called responses where they are no clusters of them."""
    units = [units for run in runs for units in run.units.values()]
    clustered = "cluster" in runs[0].part.scores.roles.keys
    if clustered or any(each.kind != "clusters" for each in units):
        return [*runs]
    return [
        run._replace(
            units={
                kind: replace(each, kind="responses", sizes=None)
                for kind, each in run.units.items()
            }
        )
        for run in runs
    ]


def _shared(runs: Sequence[Measured]) -> list[list[Formula]]:
    """The statistics that every run has, as they are bound to each."""
    known = [{(f.key, home(f)): f for f in run.formulas} for run in runs]
    return [[of[key] for of in known] for key in known[0] if all(key in of for of in known)]


def _scored_by_some(system: str, runs: Sequence[Measured]) -> int:
    """The responses that have a gold and a score of some run."""
    part = runs[0].part
    scored = [~np.isnan(run.part.scores.patterns.scores[f"system:{system}"]) for run in runs]
    return int((np.any(scored, axis=0) & part.scores.used & part.rows).sum())
