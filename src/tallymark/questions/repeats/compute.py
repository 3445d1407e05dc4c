"""How often runs of a system agree, how far they spread, and how reliable one run is."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from tallymark.accuracy.error import bias
from tallymark.agreement.percent import percent_agreement
from tallymark.inference import Formula, Settings, estimate
from tallymark.inference.estimate import Kind
from tallymark.reliability.icc import icc, within_sd
from tallymark.results import ITSELF, Estimate, system_called
from tallymark.sources import Scores
from tallymark.study.measured import SubsetResults, stream_of, subset_of
from tallymark.study.parts import Part
from tallymark.study.units import Rows, units_of
from tallymark.tally import nearest


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
    found = list(_estimates(rows, settings, stream_of(part.label), continuous=scales[1].continuous))
    yield SubsetResults(
        subset_of(part, system_called(system), n=int(rows.counts.sum()), against=ITSELF), found, []
    )


def _estimates(rows: Rows, settings: Settings, key: int, *, continuous: bool) -> Iterator[Estimate]:
    index = nearest(rows.scores, rows.points).astype(np.float64)
    runs = rows if continuous else replace(rows, scores=np.where(index < 0, np.nan, index))
    changed = np.nanmin(runs.scores, axis=1) != np.nanmax(runs.scores, axis=1)
    flags = np.stack([np.zeros(changed.size), changed * 1.0], axis=1)
    wanted = [
        (_formula("changed", bias, "wilson"), units_of("moments", replace(rows, scores=flags))),
        (_formula("icc", partial(icc, type="1,1")), units_of("oneway", rows)),
        (_formula("sd", within_sd), units_of("oneway", rows)),
    ]
    if not continuous:
        wanted.insert(0, (_formula("exact", percent_agreement), units_of("panel", rows)))
    for formula, units in wanted:
        score = "trimmed" if formula.params["kind"] in ("icc", "sd") or continuous else "rounded"
        yield replace(estimate(formula, units, settings, key=key), score=score)


def _formula(kind: str, value: Callable[[Any], Any], interval: Kind = "bca") -> Formula:
    return Formula(
        name="self_consistency",
        params={"kind": kind},
        value=value,
        interval=interval,
        undefined="no response has two runs that differ from those of others",
    )
