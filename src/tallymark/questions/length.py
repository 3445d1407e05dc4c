"""Length: how closely scores follow it, and whether it counts beyond what makes a response good."""

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from msgspec.structs import replace

from tallymark.accuracy.length import (
    explained,
    length_correlation,
    length_partial,
    length_share,
    length_slope,
)
from tallymark.catalogue import BY_NAME
from tallymark.inference import Formula, Settings, Units
from tallymark.render.grids import SIDE_BY_SIDE
from tallymark.render.leading import by_part, grid, of_systems, shown_of
from tallymark.render.model import Block, Rank, Says, Section, Text
from tallymark.render.sentences import Sentence, Words
from tallymark.render.subsets import scope, standing_for_all
from tallymark.results import LENGTH, Estimate, Evaluation, Numbers, Subset
from tallymark.sources.roles import LENGTH as COLUMN
from tallymark.study.measured import SubsetResults
from tallymark.study.on_parts import OnPart, on_parts
from tallymark.study.parts import Part
from tallymark.study.units import Rows, summed
from tallymark.tally import LengthSums

ONCE = "ratings are taken for true scores: no response was rated twice"
MEANING = (
    "Longer responses are often better, so that scores may well follow length. The question is whether "
    "length counts beyond that: whether, of two equally good responses, the longer gets more."
)
ASSUMED = "Ratings are taken for true scores here, since no response was rated twice: quality that they missed may pass for length."
IN_PARTS = ("length_partial", "length_slope")


def by_length(
    system: str, parts: Sequence[Part], settings: Settings, *, error: float | None = None
) -> Iterator[SubsetResults]:
    """Yield what a system makes of length: of all responses, of each part, and means over parts.

    Nothing where lengths are not given. ``error`` is the variance of a rater's error, where known.
    """
    formulas = _formulas(error)

    def measure(part: Part) -> OnPart | None:
        rows = _rows(system, part)
        if rows is None or part.scales is None:
            return None
        return OnPart(part.scales[1], int(rows.counts.sum()), [(formulas, _units(rows))])

    def noted(estimate: Estimate, on_parts: Sequence[OnPart]) -> Estimate:
        tallies = [units.tally for on_part in on_parts for _, units in on_part.measured]
        rated_once = error is None and any(not float(tally.within) > 0 for tally in tallies)
        assumes = estimate.name == "length_partial" and not math.isnan(estimate.value)
        why = ONCE if rated_once and assumes else estimate.why
        return replace(estimate, score="trimmed", why=why)

    yield from on_parts(system, LENGTH, parts, measure, settings, noted=noted)


def _rows(system: str, part: Part) -> Rows | None:
    """Ratings, then gold, system and length, where system, gold and length are given."""
    scores, scales = part.scores, part.scales
    if scales is None or COLUMN not in scores.patterns.scores:
        return None
    people = [f"human:{name}" for name in scores.humans] or ["gold"]
    rows = part.columns([*people, "gold", f"system:{system}", COLUMN], scales[1])
    present = ~np.isnan(rows.scores)
    rows = rows.where(np.asarray(present[:, :-3].any(axis=1) & present[:, -3:].all(axis=1)))
    return rows if rows.counts.size else None


def _units(rows: Rows) -> Units[LengthSums]:
    """Units of the sums; each score about its mean, and lengths in standard deviations."""
    distinct = rows.distinct()
    ratings, (gold, system, length) = distinct.scores[:, :-3], distinct.scores[:, -3:].T
    deviations = length - length.mean()
    values = LengthSums.rows(
        ratings - np.nanmean(ratings),
        system - system.mean(),
        system - gold,
        deviations / (deviations.std() or 1.0),
    )
    return summed(distinct, values, LengthSums)


def _formulas(error: float | None) -> list[Formula]:
    values: tuple[tuple[str, Callable[[LengthSums], Any], dict[str, str]], ...] = (
        ("length_correlation", length_correlation, {"of": "system"}),
        ("length_correlation", partial(length_correlation, of="human"), {"of": "human"}),
        ("length_partial", partial(length_partial, error=error), {}),
        ("length_share", length_share, {}),
        ("length_slope", length_slope, {}),
    )
    return [
        Formula(
            name=name,
            value=value,
            params=params,
            undefined=BY_NAME[name].undefined,
            range=BY_NAME[name].range,
            divisor=explained if name == "length_share" else None,
        )
        for name, value, params in values
    ]


def section(evaluation: Evaluation) -> Section:
    """Show what each system makes of length; nothing where lengths are not given."""
    subsets = [found.subset for found in evaluation.where(against=LENGTH)]
    return Section(
        id="length",
        title="Length",
        question="Do equally good responses get more for being longer?",
        blocks=tuple(_blocks(evaluation, subsets)) if subsets else (),
        takes="the length or the text of each response: --length COL.",
    )


def _blocks(evaluation: Evaluation, subsets: list[Subset]) -> Iterator[Block]:
    yield Text(MEANING, rank=Rank.PAGE)
    leading = standing_for_all(evaluation, subsets)
    few = len(leading) <= SIDE_BY_SIDE
    sentences = tuple(
        sentence
        for subset in leading
        for sentence in _sentences(subset.system, evaluation.of(subset), scope(evaluation, subset))
    )
    if sentences and few:
        yield Says(sentences, rank=Rank.FIRST)
    if any(e.why == ONCE for subset in leading for e in evaluation.of(subset).values()):
        yield Text(ASSUMED, rank=Rank.FIRST)
    rows, rank = of_systems(evaluation, leading), Rank.FULL if few else Rank.FIRST
    measures = shown_of("length")
    yield grid("length", "Systems and length", ("system",), rows, measures, rank=rank)
    in_parts = [measure for measure in measures if measure.key in IN_PARTS]
    yield from by_part(evaluation, subsets, "Length", in_parts)


def _sentences(system: str, numbers: Numbers, data: Sentence | None) -> Iterator[Sentence]:
    """Say what a system makes of length, and on which data."""
    defined = {key: number for key, number in numbers.items() if not math.isnan(number.value)}
    if beyond := defined.get("length_partial"):
        verdict = "equally good responses are not clearly scored by length"
        if beyond.low > 0:
            verdict = "of two equally good responses, the longer gets more"
        if beyond.high < 0:
            verdict = "of two equally good responses, the longer gets less"
        template = "{system} and length: {verdict} (partial r {r}{where})."
        where = Sentence(", {data}", data=data) if data else ""
        yield Sentence(template, system=system, verdict=verdict, r=beyond, where=where)
    of_system, of_people = (
        defined.get(f"length_correlation[{whose}]") for whose in ("system", "human")
    )
    if of_system and of_people:
        share: Words = ""
        if alone := defined.get("length_share"):
            share = Sentence(
                "; length alone explains {s:percent} of what it explains of these ratings", s=alone
            )
        template = "Its scores correlate with length by {m}, people's ratings by {h}{share}."
        yield Sentence(template, m=of_system, h=of_people, share=share)
