"""The G-study within each prompt or trait, then the mean: their differences are no reliability."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tallymark.inference import Settings
from tallymark.questions.generalizability.compute import crossed, crossed_units
from tallymark.results import GSTUDY, PEOPLE, Subset
from tallymark.sources import Scores
from tallymark.study.average import joint
from tallymark.study.measured import SubsetResults, stream_of, subset_id
from tallymark.study.parts import Part
from tallymark.study.pooled import FACETS, pooled, without_needs

IN_POINTS = ("variance_component", "sem_relative", "sem_absolute")
"""What has no mean over scales that differ."""


def gstudy_averages(
    scores: Scores, parts: Sequence[Part], settings: Settings
) -> Iterator[SubsetResults]:
    """Yield the mean over prompts or traits of components and coefficients within each."""
    for key in FACETS:
        over = [part for part in parts if set(part.where) == {key}]
        found = [part.people for part in over]
        rows = [one.rows.rated().distinct() for one in found if one and one.rows.twice.any()]
        if len(rows) < 2:
            continue
        label = f"average:{key}"
        units = joint([crossed_units(one)[0] for one in rows])
        estimates, curves = crossed(units, settings, stream_of(label), over=key)
        if any(pooled(scores, part) for part in over):
            estimates = without_needs(estimates)
        if len({one.scale for one in found if one is not None}) > 1:
            estimates = [e for e in estimates if e.name not in IN_POINTS]
        n = sum(int(one.counts.sum()) for one in rows)
        identity = subset_id(PEOPLE, GSTUDY, label)
        subset = Subset(id=identity, subject=PEOPLE, against=GSTUDY, average=key, n=n)
        own = [replace(estimate, score="human") for estimate in estimates]
        yield SubsetResults(subset, own, [], tuple(curves))
