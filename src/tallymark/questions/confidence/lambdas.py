"""Critical errors at several lambdas, of people and of systems: which lambda can labels carry?"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.arrays import Floats, Whole
from tallymark.inference import Settings
from tallymark.questions.confidence.groups import share_of
from tallymark.results import (
    CRITICAL,
    PEOPLE,
    Estimate,
    Finding,
    ResultTable,
    Scorer,
    Subset,
    system_called,
)
from tallymark.scale import Scale
from tallymark.selective.curve import TOLERANCE
from tallymark.sources import Scores
from tallymark.study.asked import Asked
from tallymark.study.judged import gaps_of, margins
from tallymark.study.measured import SubsetResults
from tallymark.study.parts import Part
from tallymark.study.units import Rows

LAMBDAS = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5)


def every_gap_is_critical(scale: Scale, lambda_: float) -> list[Finding]:
    """Find that on a short scale lambda calls every disagreement a critical error."""
    width = scale.high - scale.low
    if scale.continuous or not width or scale.step < lambda_ * width - TOLERANCE:
        return []
    numbers = {"lambda": lambda_, "two": 2 * scale.step, "width": width}
    texts = {"scale": str(scale)}
    return [Finding(name="every_gap_critical", numbers=numbers, texts=texts, weight="note")]


class _Gaps(NamedTuple):
    """Gaps between two scores of each response as shares of the range, and their weights."""

    gaps: Floats
    weights: Floats
    counts: Whole
    clusters: Whole | None
    slack: Floats

    def critical(self, lambda_: float) -> Floats:
        """The share of each response's pairs that lie lambda apart or more."""
        wide = self.gaps >= lambda_ - self.slack[:, None]
        return np.asarray((wide * self.weights).sum(axis=1))


def errors_by_lambda(scores: Scores, settings: Settings, asked: Asked) -> Iterator[SubsetResults]:
    """Yield one table: critical errors between two people and of each system, by lambda."""
    everything = Part.whole(scores)
    people = _between_people(scores, everything)
    scorers: dict[Scorer, _Gaps] = {} if people is None else {PEOPLE: people}
    for system in scores.roles.systems:
        gaps = _of_system(scores, system, everything)
        if gaps is not None:
            scorers[system_called(system)] = gaps
    if not scorers:
        return
    columns = ["lambda"]
    for scorer in scorers:
        columns += [str(scorer), f"{scorer} low", f"{scorer} high", f"{scorer}: errors"]
    rows = []
    for lambda_ in sorted({*LAMBDAS, asked.lambda_}):
        row: list[float] = [lambda_]
        for gaps in scorers.values():
            rate = _share(gaps, lambda_, settings.level)
            row += [rate.value, rate.low, rate.high, round(rate.value * rate.n)]
        rows.append(tuple(row))
    pairs = "" if people is None else "two people on one response, and "
    table = ResultTable(
        name="critical_errors_by_lambda",
        title="Share of critical errors by lambda",
        columns=tuple(columns),
        rows=tuple(rows),
        note=f"An error is critical from lambda times the score range on: {pairs}system against "
        f"gold, with {100 * settings.level:g} % intervals. Labels on which people differ so much "
        "themselves cannot show that a system errs less.",
    )
    mean_gap = [] if people is None else [_mean_gap(people, settings.level)]
    n = max(int(gaps.counts.sum()) for gaps in scorers.values())
    subset = Subset(id=str(CRITICAL), subject=PEOPLE, against=CRITICAL, n=n)
    yield SubsetResults(subset, mean_gap, [], tables=(table,))


def human_critical(
    scores: Scores, part: Part, lambda_: float, level: float, keep: NDArray[np.bool_] | None = None
) -> Estimate | None:
    """How often two people lie a critical error apart, on these responses; None if none had two.

    Prompts count by their own lambda, as they do for the system.
    """
    rows = part.rows if keep is None else part.rows & keep
    people = _between_people(scores, Part(scores, rows), lambda_)
    return None if people is None else _share(people, lambda_, level)


def _share(gaps: _Gaps, lambda_: float, level: float) -> Estimate:
    return share_of("human_csrate", {}, gaps.critical(lambda_), gaps.counts, gaps.clusters, level)


def _mean_gap(people: _Gaps, level: float) -> Estimate:
    gaps = (people.gaps * people.weights).sum(axis=1)
    return share_of("human_gap", {}, gaps, people.counts, people.clusters, level)


def _between_people(scores: Scores, part: Part, lambda_: float | None = None) -> _Gaps | None:
    """Every two ratings of a response, whoever gave them; adjudicators left out.

    With ``lambda_``, gaps of a prompt whose own lambda is another are stretched to that one.
    """
    people = part.people
    if people is None:
        return None
    rows = people.without_adjudicators().rows
    twice = rows.twice
    if not twice.any():
        return None
    widths = _widths(scores, gold=False, lambda_=lambda_)[part.rows][twice]
    rows = rows.where(twice).unnamed()
    if rows.clusters is None and np.unique(widths).size == 1:  # equal rows once
        rows = rows.distinct()
        widths = widths[: rows.counts.size]
    gaps, weights = _every_two(rows.scores)
    return _shares_of_range(gaps, weights, rows, widths)


def _every_two(ratings: Floats) -> tuple[Floats, Floats]:
    """The gaps between every two ratings of a response, and how many of its pairs have each.

    Many raters give few values, so that the values are paired and not the raters.
    """
    values = np.unique(ratings[~np.isnan(ratings)])
    if values.size >= ratings.shape[1]:
        first, second = np.triu_indices(ratings.shape[1], 1)
        gaps = np.abs(ratings[:, first] - ratings[:, second])
        pairs = (~np.isnan(gaps)).astype(np.float64)
    else:
        first, second = np.triu_indices(values.size)
        counts = np.stack([(ratings == value).sum(axis=1) for value in values], axis=1)
        other = np.where(first == second, counts[:, second] - 1, counts[:, second])
        pairs = counts[:, first] * other / np.where(first == second, 2, 1)
        gaps = np.broadcast_to(np.abs(values[first] - values[second]), pairs.shape)
    return np.nan_to_num(gaps), pairs / pairs.sum(axis=1, keepdims=True)


def _of_system(scores: Scores, system: str, part: Part) -> _Gaps | None:
    """Gaps between a system, at the nearest points, and the gold."""
    patterns, gaps = scores.patterns, gaps_of(scores, f"system:{system}")
    present = part.rows & ~np.isnan(gaps)
    if not present.any():
        return None
    pairs = np.stack([patterns.scores["gold"][present], gaps[present]], axis=1)
    clusters, widths = Part(scores, present).clusters, _widths(scores, gold=True)[present]
    rows = Rows(pairs, patterns.counts[present], np.zeros(1), clusters)
    if clusters is None and not scores.scales:  # equal rows once
        rows = rows.distinct()
        widths = widths[: rows.counts.size]
    distances = np.abs(rows.scores[:, 1:])
    return _shares_of_range(distances, np.ones_like(distances), rows, widths)


def _widths(scores: Scores, *, gold: bool, lambda_: float | None = None) -> Floats:
    """The score range of each pattern; with ``lambda_``, times its own lambda over this one."""
    widths = np.full(scores.patterns.counts.size, np.nan)
    for scale, share, rows in margins(scores, lambda_ or 1.0, gold=gold):
        widths[rows] = (scale.high - scale.low) * (share / lambda_ if lambda_ else 1.0)
    return widths


def _shares_of_range(gaps: Floats, weights: Floats, rows: Rows, widths: Floats) -> _Gaps | None:
    """Gaps as shares of the range, where there is a range."""
    wide = widths > 0
    if not wide.any():
        return None
    rows, width = rows.where(wide), widths[wide]
    shares = gaps[wide] / width[:, None]
    return _Gaps(shares, weights[wide], rows.counts, rows.clusters, TOLERANCE / width)
