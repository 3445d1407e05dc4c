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
        people = [part.people for part in over]
        rows = [
            raters.rows.rated().distinct()
            for raters in people
            if raters and raters.rows.twice.any()
        ]
        if len(rows) < 2:
            continue
        label = f"average:{key}"
        units = joint([crossed_units(of_part)[0] for of_part in rows])
        estimates, curves = crossed(units, settings, stream_of(label), over=key)
        if any(pooled(scores, part) for part in over):
            estimates = without_needs(estimates)
        if len({raters.scale for raters in people if raters is not None}) > 1:
            estimates = [e for e in estimates if e.name not in IN_POINTS]
        n = sum(int(of_part.counts.sum()) for of_part in rows)
        identity = subset_id(PEOPLE, GSTUDY, label)
        subset = Subset(id=identity, subject=PEOPLE, against=GSTUDY, average=key, n=n)
        estimates = [replace(estimate, score="human") for estimate in estimates]
        yield SubsetResults(subset, estimates, [], tuple(curves))
