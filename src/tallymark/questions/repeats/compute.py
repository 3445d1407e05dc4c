"""How often runs of a system agree, how far they spread, and how reliable one run is."""

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.accuracy.error import bias
from tallymark.inference import Formula, Settings
from tallymark.inference.estimate import Kind
from tallymark.reliability.icc import icc, within_sd
from tallymark.results import ITSELF, Estimate
from tallymark.sources import Scores
from tallymark.study.average import PartFormulas
from tallymark.study.measured import SubsetResults
from tallymark.study.on_parts import OnPart, mean_units, on_parts
from tallymark.study.parts import FACETS, Part
from tallymark.study.units import Rows, units_of
from tallymark.tally import nearest

Floats = NDArray[np.float64]


IN_POINTS = "sd"
"""What has no mean over scales that differ."""


def self_consistency(
    scores: Scores, system: str, parts: Sequence[Part], settings: Settings
) -> Iterator[SubsetResults]:
    """Yield how often runs agree, how many responses change, their reliability and spread.

    Of all responses together, of each prompt and trait where they are not many, and the means over them.
    """
    runs = sorted(scores.roles.scores_of("--repeat", system))
    if len(runs) < 2:
        return
    within = [part for part in parts if set(part.where) <= {*FACETS}]
    measure = partial(_repeated, runs)
    yield from on_parts(
        system, ITSELF, within, measure, settings, noted=_noted, in_points=_in_points
    )


def _in_points(estimate: Estimate) -> bool:
    return bool(estimate.params["kind"] == IN_POINTS)


def _repeated(runs: Sequence[str], part: Part) -> OnPart | None:
    """The runs of a part; None where no response has two, or scales are mixed."""
    if part.scales is None:
        return None
    rows, scale = part.unlabelled(runs, part.scales[1]), part.scales[1]
    rows = rows.where(rows.twice)
    if not rows.counts.size:
        return None
    return OnPart(scale, int(rows.counts.sum()), _measured(rows, continuous=scale.continuous))


def _noted(estimate: Estimate, parts: Sequence[OnPart]) -> Estimate:
    as_given = parts[0].scale.continuous or estimate.params["kind"] in ("icc", IN_POINTS)
    return replace(estimate, score="trimmed" if as_given else "rounded")


def _measured(rows: Rows, *, continuous: bool) -> list[PartFormulas]:
    """What is asked of runs, and the units it is computed from."""
    index = nearest(rows.scores, rows.points).astype(np.float64)
    runs = rows.scores if continuous else np.where(index < 0, np.nan, index)
    changed = np.nanmin(runs, axis=1) != np.nanmax(runs, axis=1)
    measured: list[PartFormulas] = [
        ([_formula("changed", bias, "wilson")], mean_units(changed * 1.0, rows)),
        (
            [_formula("icc", partial(icc, type="1,1")), _formula(IN_POINTS, within_sd)],
            units_of("oneway", rows),
        ),
    ]
    if not continuous:
        measured.insert(0, ([_formula("exact", bias)], mean_units(_alike(runs), rows)))
    return measured


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
