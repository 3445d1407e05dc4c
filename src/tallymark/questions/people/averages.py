"""Panels averaged: the agreement of people within each prompt, trait or fold, then the mean."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tallymark.catalogue import find, texts
from tallymark.inference import Formula, Settings, estimate_all
from tallymark.results import AMONG_PEOPLE, PEOPLE, Estimate, Subset
from tallymark.study.average import averaged, joint
from tallymark.study.measured import SubsetResults, stream_of, subset_id
from tallymark.study.panel import CONTINUOUS, panel_home, panel_units
from tallymark.study.parts import AVERAGED, Part, People


def panel_averages(parts: Sequence[Part], settings: Settings) -> Iterator[SubsetResults]:
    """Yield the mean over prompts, traits or folds of what people agree on within each."""
    for key in AVERAGED:
        over = [part for part in parts if set(part.where) == {key}]
        everyone = [part.people for part in over]
        people = [
            raters.told_once()
            for raters in everyone
            if raters is not None and raters.rows.twice.any()
        ]
        if len(people) < 2:
            continue
        names = texts("panel_by_part") if any(part.many for part in over) else texts("panel")
        estimates = _averages([find(name) for name in names], people, key, settings)
        n = sum(int(raters.rows.counts.sum()) for raters in people)
        identity = subset_id(PEOPLE, AMONG_PEOPLE, f"average:{key}")
        subset = Subset(id=identity, subject=PEOPLE, against=AMONG_PEOPLE, average=key, n=n)
        yield SubsetResults(subset, estimates, [])


def _averages(
    formulas: Sequence[Formula], people: Sequence[People], key: str, settings: Settings
) -> list[Estimate]:
    """Estimate averages in the order of the statistics; those of one tally share the resamples."""
    continuous = any(raters.scale.continuous for raters in people)
    homes = {id(formula): _home(formula, people, continuous=continuous) for formula in formulas}
    kept = [f for f in formulas if not continuous or homes[id(f)] in CONTINUOUS]
    estimates: dict[str, Estimate] = {}
    for kind in dict.fromkeys(homes[id(f)] for f in kept):
        of_kind = [f for f in kept if homes[id(f)] == kind]
        units = joint([panel_units(kind, raters.rows, of_kind) for raters in people])
        here = [averaged(f, over=key) for f in of_kind]
        for estimate in estimate_all(here, units, settings, key=stream_of(f"average:{key}")):
            estimates[estimate.text] = replace(estimate, score="human")
    return [estimates[f.key] for f in kept]


def _home(formula: Formula, people: Sequence[People], *, continuous: bool) -> str:
    """One kind of tally for all parts: that of unequal numbers of ratings where any needs it."""
    homes = {panel_home(formula, raters.rows, continuous=continuous) for raters in people}
    return "oneway" if "oneway" in homes else homes.pop()
