"""Several runs of one system on the same responses: how steady is it?"""

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from msgspec.structs import replace

from tallymark.accuracy.error import bias
from tallymark.arrays import Floats
from tallymark.inference import Formula, Settings
from tallymark.inference.estimate import Kind
from tallymark.reliability.icc import icc, within_sd
from tallymark.render.model import Entry, Grid, Measure, Rank, Says, Section
from tallymark.render.sentences import Sentence
from tallymark.render.subsets import scope, systems_leading
from tallymark.results import ITSELF, Estimate, Evaluation
from tallymark.sources import Scores
from tallymark.study.average import PartFormulas
from tallymark.study.measured import SubsetResults
from tallymark.study.on_parts import OnPart, mean_units, on_parts
from tallymark.study.parts import FACETS, Part
from tallymark.study.units import units_of
from tallymark.tally import nearest

KEY = "self_consistency"
MEASURES = {
    "exact": Measure("same score", "share of pairs of runs", KEY),
    "changed": Measure("changed", "share of responses whose score changes", KEY),
    "sd": Measure("SD", "of a response's runs, in score points", KEY),
    "icc": Measure("ICC", "reliability of one run", KEY),
}
CLAUSES = {
    "exact": "the same score in {estimate:percent} of pairs of runs",
    "changed": "{estimate:percent} of responses change",
    "sd": "SD {estimate} points",
    "icc": "ICC of one run {estimate}",
}


def self_consistency(
    scores: Scores, system: str, parts: Sequence[Part], settings: Settings
) -> Iterator[SubsetResults]:
    """Yield how often runs agree, how many responses change, their reliability and spread.

    Of all responses together, of each prompt and trait where they are not many, and the means over them.
    """
    runs = sorted(scores.roles.scores_of("--repeat", system))
    if len(runs) < 2:
        return
    ungrouped = [part for part in parts if set(part.where) <= {*FACETS}]

    def noted(estimate: Estimate, on_parts: Sequence[OnPart]) -> Estimate:
        unrounded = on_parts[0].scale.continuous or estimate.params["kind"] in ("icc", "sd")
        return replace(estimate, score="trimmed" if unrounded else "rounded")

    yield from on_parts(
        system,
        ITSELF,
        ungrouped,
        partial(_repeated, runs),
        settings,
        noted=noted,
        in_points=lambda estimate: bool(estimate.params["kind"] == "sd"),
    )


def _repeated(runs: Sequence[str], part: Part) -> OnPart | None:
    """The runs of a part; None where no response has two, or scales are mixed."""
    if part.scales is None:
        return None
    scale = part.scales[1]
    rows = part.unlabelled(runs, scale)
    rows = rows.where(rows.twice)
    if not rows.counts.size:
        return None
    scores = rows.scores
    if not scale.continuous:
        index = nearest(scores, rows.points).astype(np.float64)
        scores = np.where(index < 0, np.nan, index)
    changed = np.nanmin(scores, axis=1) != np.nanmax(scores, axis=1)
    spread = [_formula("icc", partial(icc, type="1,1")), _formula("sd", within_sd)]
    measured: list[PartFormulas] = [
        ([_formula("changed", bias, "wilson")], mean_units(changed * 1.0, rows)),
        (spread, units_of("oneway", rows)),
    ]
    if not scale.continuous:
        measured.insert(0, ([_formula("exact", bias)], mean_units(_equal_pairs(scores), rows)))
    return OnPart(scale, int(rows.counts.sum()), measured)


def _equal_pairs(runs: Floats) -> Floats:
    """The share of pairs of a response's runs that are equal, from how long its ties are.

    In a sorted row the run at place j equals the j - s that come before it in its tie, which starts at s.
    """
    ordered = np.sort(runs, axis=1)  # NaN last
    place = np.arange(runs.shape[1])
    new = np.ones(ordered.shape, dtype=bool)
    new[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    start = np.maximum.accumulate(np.where(new, place, 0), axis=1)
    count = (~np.isnan(runs)).sum(axis=1)
    equal = np.where(np.isnan(ordered), 0, place - start).sum(axis=1)
    return np.asarray(2 * equal / (count * (count - 1)))


def _formula(kind: str, value: Callable[[Any], Any], interval: Kind = "abc") -> Formula:
    return Formula(
        name=KEY,
        params={"kind": kind},
        value=value,
        interval=interval,
        range=(0.0, 1.0) if kind in ("exact", "changed") else (-math.inf, math.inf),
        undefined="no response has two runs that differ from those of others",
    )


def section(evaluation: Evaluation) -> Section:
    """Show how steady each system is; nothing where none ran several times."""
    sentences, entries = [], []
    for subset in systems_leading(evaluation, ITSELF):
        numbers = {str(e.params["kind"]): e for e in evaluation.of(subset).values()}
        clauses = [
            Sentence(clause, estimate=numbers[kind])
            for kind, clause in CLAUSES.items()
            if kind in numbers
        ]
        data = scope(evaluation, subset)
        sentence = Sentence(
            "{system} repeated: {clauses}; {n:responses}{of}.",
            system=subset.system,
            clauses=clauses,
            n=subset.n,
            of="" if data is None else Sentence(", {of}", of=data),
        )
        sentences.append(sentence)
        entries.append(Entry((subset.system,), tuple(map(numbers.get, MEASURES)), subset.n))
    grid = Grid(
        id="repeats",
        caption="Runs of the same system",
        names=("system",),
        measures=tuple(MEASURES.values()),
        entries=tuple(entries),
        rank=Rank.PAGE,
    )
    return Section(
        id="repeats",
        title="Repeated runs",
        question="Does a system give the same score again?",
        blocks=(Says(tuple(sentences), rank=Rank.FIRST), grid) if sentences else (),
        takes="repeated runs of a system: --repeat NAME=COL,COL.",
    )
