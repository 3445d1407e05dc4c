"""Drift: does agreement or a rater's severity change from batch to batch?"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.inference import Formula, Settings, estimate_all
from tallymark.reliability.rater_effects import beside_others, rater_effects
from tallymark.results import OTHERS, Estimate, rater_called
from tallymark.sources import Scores
from tallymark.study.measured import SubsetResults, stream_of, subset_of
from tallymark.study.panel import panel_of
from tallymark.study.parts import Part, People
from tallymark.study.units import Rows, units_of
from tallymark.tally import PairMoments

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
MANY_BATCHES = 12
"""More batches than this (points in time, say) are joined, in their order, ..."""
JOINED = 8
"""... into this many of about the same size."""
EXACT = 12
"""Decimals of a difference from the others; beyond them lies what solvers differ in, which would
put rows of equal ratings into another order, and so change what a seed draws."""


class Batches(NamedTuple):
    """The batch of each row of the data (-1: none), and their names in order."""

    codes: Whole
    labels: tuple[str, ...]
    column: str


class Drift(NamedTuple):
    """Agreement and raters by batch, and each rater's change from first to last."""

    results: list[SubsetResults]
    by_rater: dict[str, list[Estimate]]


def drift(scores: Scores, people: People, settings: Settings) -> Drift:
    """Estimate agreement and severity by batch; nothing where no batches were named."""
    batches = batches_of(scores)
    if batches is None or len(batches.labels) < 2:
        return Drift([], {})
    parts = [
        Part(scores, batches.codes == i, {f"group:{batches.column}": label})
        for i, label in enumerate(batches.labels)
    ]
    rated = [(part, part.people.distinct()) for part in parts if part.people is not None]
    results = panel_of(rated, settings)
    apart = beside_others(people.rows.scores, rater_effects(people.rows.scores, people.rows.counts))
    apart = apart.round(EXACT)
    changes: dict[str, list[Estimate]] = {}
    for rater, name in enumerate(people.names):
        results.extend(_by_batch(people, apart[:, rater], name, parts, settings))
        changes[name] = _change(people, apart[:, rater], batches, settings)
    return Drift(results, changes)


def batches_of(scores: Scores) -> Batches | None:
    """Put batches in order, as numbers where they are numbers; many of them are joined."""
    patterns = scores.patterns
    if "batch" not in patterns.keys or scores.roles.batch is None:
        return None
    codes, labels = patterns.keys["batch"], patterns.labels["batch"]
    order = _in_order(labels)
    rank = np.empty(len(labels) + 1, dtype=np.int64)
    rank[order], rank[-1] = np.arange(len(labels)), -1
    ranked, ordered = rank[codes], [labels[code] for code in order]
    if len(ordered) <= MANY_BATCHES:
        return Batches(ranked, tuple(ordered), scores.roles.batch)
    size = np.bincount(ranked[ranked >= 0], weights=patterns.counts[ranked >= 0])
    middle = (np.cumsum(size) - size / 2) / size.sum()
    joined = np.append(np.minimum((middle * JOINED).astype(np.int64), JOINED - 1), -1)
    runs = [np.flatnonzero(joined[:-1] == run) for run in range(JOINED)]
    runs = [run for run in runs if run.size]
    place = np.append(np.searchsorted([joined[run[0]] for run in runs], joined[:-1]), -1)
    named = tuple(f"{ordered[run[0]]} to {ordered[run[-1]]}" for run in runs)
    return Batches(place[ranked], named, scores.roles.batch)


def _in_order(labels: Sequence[str]) -> list[int]:
    """Positions of the labels by number where all are numbers, else by their text."""
    try:
        return sorted(range(len(labels)), key=lambda code: float(labels[code]))
    except ValueError:
        return sorted(range(len(labels)), key=lambda code: labels[code])


def _by_batch(
    people: People, apart: Floats, name: str, parts: list[Part], settings: Settings
) -> Iterator[SubsetResults]:
    """Yield the rater's mean difference from the others in each batch."""
    for part in parts:
        rows = _rows(people, np.zeros_like(apart), apart).where(part.rows & ~np.isnan(apart))
        if not rows.counts.size:
            continue
        formula = Formula(
            name="rater_difference", value=_mean, analytic="t", interval="analytic", ddof=1,
            undefined="the rater shares no response with another",
        )  # fmt: skip
        units = units_of("moments", rows)
        (estimate,) = estimate_all([formula], units, settings, key=stream_of(part.label))
        subset = subset_of(part, rater_called(name), n=int(rows.counts.sum()), against=OTHERS)
        yield SubsetResults(subset, [replace(estimate, score="human")], [])


def _change(people: People, apart: Floats, batches: Batches, settings: Settings) -> list[Estimate]:
    """The change from the first batch to the last, along a straight line."""
    used = ~np.isnan(apart) & (batches.codes >= 0)
    time = batches.codes / (len(batches.labels) - 1)
    rows = _rows(people, time, apart).where(used)
    formula = Formula(
        name="drift", value=_slope, undefined="the rater shares responses in one batch only"
    )
    estimates = estimate_all([formula], units_of("moments", rows), settings, key=stream_of("drift"))
    return [replace(estimate, score="human") for estimate in estimates]


def _rows(people: People, first: Floats, second: Floats) -> Rows:
    return replace(people.rows, scores=np.stack([first, second], axis=1), points=np.zeros(2))


def _mean(moments: PairMoments) -> Floats:
    return moments.means[1]


def _slope(moments: PairMoments) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        time = moments.variances[0]
        flat = np.real(time) <= 1e-12
        return np.asarray(np.where(flat, np.nan, moments.covariance / np.where(flat, 1, time)))
