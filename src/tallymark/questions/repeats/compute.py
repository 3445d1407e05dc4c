"""How often runs of a system agree, how far they spread, and how reliable one run is."""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tallymark.accuracy.error import bias
from tallymark.inference import Formula, Settings, Units, estimate
from tallymark.inference.estimate import Kind
from tallymark.reliability.icc import icc, within_sd
from tallymark.results import ITSELF, Estimate, system_called
from tallymark.sources import Scores
from tallymark.study.measured import SubsetResults, stream_of, subset_of
from tallymark.study.parts import Part
from tallymark.study.units import Rows, units_of
from tallymark.tally import nearest

Floats = NDArray[np.float64]


def self_consistency(
    scores: Scores, system: str, part: Part, settings: Settings
) -> Iterator[SubsetResults]:
    """Yield how often runs agree, how many responses change, their reliability and spread."""
    runs = sorted(scores.roles.scores_of("--repeat", system))
    scales = part.scales
    if len(runs) < 2 or scales is None:
        return
    rows = part.columns(runs, scales[1])
    rows = rows.where(rows.twice)
    estimates = list(
        _estimates(rows, settings, stream_of(part.label), continuous=scales[1].continuous)
    )
    yield SubsetResults(
        subset_of(part, system_called(system), n=int(rows.counts.sum()), against=ITSELF),
        estimates,
        [],
    )


def _estimates(rows: Rows, settings: Settings, key: int, *, continuous: bool) -> Iterator[Estimate]:
    index = nearest(rows.scores, rows.points).astype(np.float64)
    runs = rows.scores if continuous else np.where(index < 0, np.nan, index)
    changed = np.nanmin(runs, axis=1) != np.nanmax(runs, axis=1)
    wanted = [
        (_formula("changed", bias, "wilson"), _mean_of(changed * 1.0, rows)),
        (_formula("icc", partial(icc, type="1,1")), units_of("oneway", rows)),
        (_formula("sd", within_sd), units_of("oneway", rows)),
    ]
    if not continuous:
        wanted.insert(0, (_formula("exact", bias), _mean_of(_alike(runs), rows)))
    for formula, units in wanted:
        score = "trimmed" if formula.params["kind"] in ("icc", "sd") or continuous else "rounded"
        yield replace(estimate(formula, units, settings, key=key), score=score)


def _mean_of(each: Floats, rows: Rows) -> Units[Any]:
    """Units whose bias is the mean over responses of one number of each."""
    return units_of("moments", replace(rows, scores=np.stack([np.zeros(each.size), each], axis=1)))


def _alike(runs: Floats) -> Floats:
    """The share of pairs of a response's runs that are equal, from how long its ties are.

    In a sorted row the run at place j equals the j - s that come before it in its tie, which starts at s.
    """
    ordered = np.sort(runs, axis=1)  # NaN last
    place = np.arange(runs.shape[1])
    new = np.ones(ordered.shape, dtype=bool)
    new[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    start = np.maximum.accumulate(np.where(new, place, 0), axis=1)
    given = (~np.isnan(runs)).sum(axis=1)
    equal = np.where(np.isnan(ordered), 0, place - start).sum(axis=1)
    return np.asarray(2 * equal / (given * (given - 1)))


def _formula(kind: str, value: Callable[[Any], Any], interval: Kind = "abc") -> Formula:
    return Formula(
        name="self_consistency",
        params={"kind": kind},
        value=value,
        interval=interval,
        range=(0.0, 1.0) if kind in ("exact", "changed") else (-math.inf, math.inf),
        undefined="no response has two runs that differ from those of others",
    )
