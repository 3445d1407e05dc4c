"""Probes: how scores change where another text takes the place of the response."""

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.accuracy.error import bias
from tallymark.catalogue import BY_NAME
from tallymark.inference import Formula, Settings
from tallymark.results import Comparison, Estimate, Kind
from tallymark.sources import Scores
from tallymark.sources.probes import probe_of
from tallymark.study.average import PartFormulas
from tallymark.study.measured import SubsetResults
from tallymark.study.on_parts import OnPart, mean_units, on_parts
from tallymark.study.parts import FACETS, Part
from tallymark.study.units import units_of
from tallymark.tally import nearest

Floats = NDArray[np.float64]
_RISES = "probe_rises"


def by_probe(
    scores: Scores, system: str, parts: Sequence[Part], settings: Settings
) -> Iterator[SubsetResults]:
    """Yield what a system gives each probe: in all, by prompt and trait where few, and their means."""
    columns = scores.roles.probed.get(system, ())
    names = scores.roles.scores_of("--probe-scores", system)
    within = [part for part in parts if set(part.where) <= {*FACETS}]
    for column, name in zip(columns, names, strict=True):
        against = Comparison(Kind.PROBE, probe_of(system, column))
        measure = partial(_probed, system, name)
        yield from on_parts(
            system, against, within, measure, settings, noted=_noted, in_points=_in_points
        )


def _in_points(estimate: Estimate) -> bool:
    return estimate.name != _RISES


def _noted(estimate: Estimate, parts: Sequence[OnPart]) -> Estimate:
    rounded = estimate.name == _RISES and not parts[0].scale.continuous
    return replace(estimate, score="rounded" if rounded else "trimmed")


def _probed(system: str, name: str, part: Part) -> OnPart | None:
    if part.scales is None:
        return None
    scale = part.scales[1]
    rows = part.unlabelled([f"system:{system}", name], scale).complete()
    if not rows.counts.size:
        return None
    before, after = rows.scores.T
    risen = after > before
    if not scale.continuous:
        risen = nearest(after, rows.points) > nearest(before, rows.points)
    measured: list[PartFormulas] = [
        ([_formula("probe_score")], mean_units(after, rows)),
        ([_formula("probe_change")], units_of("moments", rows)),
        ([_formula(_RISES)], mean_units(risen * 1.0, rows)),
    ]
    return OnPart(scale, int(rows.counts.sum()), measured)


def _formula(name: str) -> Formula:
    row = BY_NAME[name]
    return Formula(
        name=name,
        value=bias,
        params={},
        interval="wilson" if name == _RISES else "abc",
        range=row.range,
        undefined=row.undefined,
    )
