"""How often runs of a system agree, how far they spread, and how reliable one run is."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.accuracy.error import bias
from tallymark.inference import Formula, Settings, Units, estimate_all
from tallymark.inference.estimate import Kind
from tallymark.reliability.icc import icc, within_sd
from tallymark.results import ITSELF, Estimate, system_called
from tallymark.scale import Scale
from tallymark.sources import Scores
from tallymark.study.average import PartFormulas, average_subset, faceted, means
from tallymark.study.measured import SubsetResults, stream_of, subset_of
from tallymark.study.parts import FACETS, Part
from tallymark.study.units import Rows, units_of
from tallymark.tally import nearest

Floats = NDArray[np.float64]


IN_POINTS = "sd"
"""What has no mean over scales that differ."""


class Runs(NamedTuple):
    """Runs of a system on responses with two or more of them, and what is asked of them."""

    rows: Rows
    scale: Scale
    measured: list[PartFormulas]

    @property
    def n(self) -> int:
        """Responses."""
        return int(self.rows.counts.sum())


def self_consistency(
    scores: Scores, system: str, parts: Sequence[Part], settings: Settings
) -> Iterator[SubsetResults]:
    """Yield how often runs agree, how many responses change, their reliability and spread.

    Of all responses together, of each prompt and trait where they are not many, and the means over them.
    """
    runs = sorted(scores.roles.scores_of("--repeat", system))
    if len(runs) < 2:
        return
    every: dict[Part, Runs] = {}
    for part in parts:
        kept = set(part.where) <= {*FACETS}
        repeated = _repeated(part, runs) if kept else None
        if repeated is not None:
            every[part] = repeated
        if repeated is not None and not part.many:
            yield _of_part(system, part, repeated, settings)
    for key, over in faceted([*every]):
        yield from _average(system, key, [every[part] for part in over], settings)


def _of_part(system: str, part: Part, repeated: Runs, settings: Settings) -> SubsetResults:
    estimates = [
        _scored(e, repeated)
        for formulas, units in repeated.measured
        for e in estimate_all(formulas, units, settings, key=stream_of(part.label))
    ]
    subset = subset_of(part, system_called(system), n=repeated.n, against=ITSELF)
    return SubsetResults(subset, estimates, [])


def _average(
    system: str, key: str, every: Sequence[Runs], settings: Settings
) -> Iterator[SubsetResults]:
    """Yield the means over prompts or traits; not of points and continuous scores together."""
    if len({repeated.scale.continuous for repeated in every}) > 1:
        return
    estimates = [
        _scored(e, every[0])
        for each in zip(*(repeated.measured for repeated in every), strict=True)
        for e in means(each, key, settings)
    ]
    if len({repeated.scale.points for repeated in every}) > 1:
        estimates = [e for e in estimates if e.params["kind"] != IN_POINTS]
    n = sum(repeated.n for repeated in every)
    yield SubsetResults(average_subset(system_called(system), ITSELF, key, n), estimates, [])


def _repeated(part: Part, runs: Sequence[str]) -> Runs | None:
    """The runs of a part; None where no response has two, or scales are mixed."""
    if part.scales is None:
        return None
    rows, scale = part.columns(runs, part.scales[1]), part.scales[1]
    rows = rows.where(rows.twice)
    return (
        Runs(rows, scale, _measured(rows, continuous=scale.continuous))
        if rows.counts.size
        else None
    )


def _scored(estimate: Estimate, repeated: Runs) -> Estimate:
    as_given = repeated.scale.continuous or estimate.params["kind"] in ("icc", IN_POINTS)
    return replace(estimate, score="trimmed" if as_given else "rounded")


def _measured(rows: Rows, *, continuous: bool) -> list[PartFormulas]:
    """What is asked of runs, and the units it is computed from."""
    index = nearest(rows.scores, rows.points).astype(np.float64)
    runs = rows.scores if continuous else np.where(index < 0, np.nan, index)
    changed = np.nanmin(runs, axis=1) != np.nanmax(runs, axis=1)
    measured: list[PartFormulas] = [
        ([_formula("changed", bias, "wilson")], _mean_of(changed * 1.0, rows)),
        (
            [_formula("icc", partial(icc, type="1,1")), _formula(IN_POINTS, within_sd)],
            units_of("oneway", rows),
        ),
    ]
    if not continuous:
        measured.insert(0, ([_formula("exact", bias)], _mean_of(_alike(runs), rows)))
    return measured


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
