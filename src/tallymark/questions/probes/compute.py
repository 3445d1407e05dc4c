"""Probes: how scores change where another text takes the place of the response."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.accuracy.error import bias
from tallymark.catalogue import BY_NAME
from tallymark.inference import Formula, Settings, Units, estimate_all
from tallymark.results import Comparison, Estimate, Kind, system_called
from tallymark.scale import Scale
from tallymark.sources import Scores
from tallymark.sources.probes import probe_of
from tallymark.study.average import PartFormulas, average_subset, faceted, means
from tallymark.study.measured import SubsetResults, stream_of, subset_of
from tallymark.study.parts import FACETS, Part
from tallymark.study.units import Rows, units_of
from tallymark.tally import nearest

Floats = NDArray[np.float64]
_RISES = "probe_rises"


class _Probed(NamedTuple):
    """Responses with a score and that of a probe, and what is asked of them."""

    scale: Scale
    n: int
    measured: list[PartFormulas]


def by_probe(
    scores: Scores, system: str, parts: Sequence[Part], settings: Settings
) -> Iterator[SubsetResults]:
    """Yield what a system gives each probe: in all, by prompt and trait where few, and their means."""
    columns = scores.roles.probed.get(system, ())
    names = scores.roles.scores_of("--probe-scores", system)
    for column, name in zip(columns, names, strict=True):
        against = Comparison(Kind.PROBE, probe_of(system, column))
        every: dict[Part, _Probed] = {}
        for part in parts:
            probed = _probed(system, name, part) if set(part.where) <= {*FACETS} else None
            if probed is None:
                continue
            every[part] = probed
            if not part.many:
                subset = subset_of(part, system_called(system), n=probed.n, against=against)
                yield SubsetResults(subset, _estimates(probed, settings, part), [])
        for key, over in faceted([*every]):
            yield _average(system, against, key, [every[part] for part in over], settings)


def _estimates(probed: _Probed, settings: Settings, part: Part) -> list[Estimate]:
    return [
        _scored(estimate, probed.scale)
        for formulas, units in probed.measured
        for estimate in estimate_all(formulas, units, settings, key=stream_of(part.label))
    ]


def _average(
    system: str, against: Comparison, key: str, every: Sequence[_Probed], settings: Settings
) -> SubsetResults:
    """The means over prompts or traits; of different scales points have none."""
    estimates = [
        _scored(estimate, every[0].scale)
        for each in zip(*(probed.measured for probed in every), strict=True)
        for estimate in means(each, key, settings)
    ]
    if len({probed.scale.points for probed in every}) > 1:
        estimates = [estimate for estimate in estimates if estimate.name == _RISES]
    n = sum(probed.n for probed in every)
    return SubsetResults(average_subset(system_called(system), against, key, n), estimates, [])


def _scored(estimate: Estimate, scale: Scale) -> Estimate:
    rounded = estimate.name == _RISES and not scale.continuous
    return replace(estimate, score="rounded" if rounded else "trimmed")


def _probed(system: str, name: str, part: Part) -> _Probed | None:
    if part.scales is None:
        return None
    scale = part.scales[1]
    rows = part.columns([f"system:{system}", name], scale).complete()
    if not rows.counts.size:
        return None
    before, after = rows.scores.T
    risen = after > before
    if not scale.continuous:
        risen = nearest(after, rows.points) > nearest(before, rows.points)
    measured: list[PartFormulas] = [
        ([_formula("probe_score")], _mean_of(after, rows)),
        ([_formula("probe_change")], units_of("moments", rows)),
        ([_formula(_RISES)], _mean_of(risen * 1.0, rows)),
    ]
    return _Probed(scale, int(rows.counts.sum()), measured)


def _mean_of(each: Floats, rows: Rows) -> Units[Any]:
    """Units whose bias is the mean over responses of one number of each."""
    return units_of("moments", replace(rows, scores=np.stack([np.zeros(each.size), each], axis=1)))


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
