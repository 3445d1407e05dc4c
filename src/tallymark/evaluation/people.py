"""People: how raters agree with each other, and whether a system agrees with them as well."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.evaluation.catalogue import BY_NAME
from tallymark.evaluation.measured import (
    Found,
    clusters_of,
    estimate_by_tally,
    home,
    scales_of,
    stream_of,
    subset_of,
    units_by_tally,
)
from tallymark.evaluation.panel import LEADING_PANEL, PANEL, panel_estimates
from tallymark.evaluation.plan import LEADING, Part, formulas_for
from tallymark.evaluation.units import Rows, pairs_of
from tallymark.inference import Formula, Settings, estimate_all
from tallymark.results import Estimate, named
from tallymark.scale import Scale
from tallymark.sources import Scores

Floats = NDArray[np.float64]
COMPARED: tuple[str, ...] = tuple(name for name in LEADING if name != "bias")
"""Statistics in which a system is compared with a further rater."""
MANY_RATERS = 12
"""Of more raters than this the pairs are not reported one by one."""
SMALL_PAIR = 30
"""Where two raters share fewer responses than this, who gave a rating is set aside."""
PEOPLE = "people"
OTHERS = "the other raters"


class People(NamedTuple):
    """The raters by name, and their ratings: responses by raters."""

    names: tuple[str, ...]
    rows: Rows
    scale: Scale


def people_of(scores: Scores, part: Part) -> People | None:
    """Return the human ratings of a part of the data; None with fewer than two raters.

    Slots that say who rated are sorted by rater; other columns are raters themselves.
    """
    scales = scales_of(scores, part)
    if scales is None or len(scores.humans) < 2:
        return None
    patterns, here = scores.patterns, part.rows
    columns = [patterns.scores[f"human:{name}"][here] for name in scores.humans]
    keys = [f"rater:{name}" for name in scores.humans]
    ratings, names = np.stack(columns, axis=1), scores.humans
    if all(key in patterns.keys for key in keys):
        names = tuple(sorted({label for key in keys for label in patterns.labels[key]}))
        ratings = np.full((len(ratings), len(names)), np.nan)
        for key, column in zip(keys, columns, strict=True):
            codes = patterns.keys[key][here]
            place = np.searchsorted(names, patterns.labels[key])
            given = np.flatnonzero((codes >= 0) & ~np.isnan(column))
            ratings[given, place[codes[given]]] = column[given]
    rows = Rows(
        ratings, patterns.counts[here], np.asarray(scales[0].points), clusters_of(scores, part)
    )
    return People(names, rows, scales[0]) if rows.twice.any() else None


def people_agree(scores: Scores, part: Part, settings: Settings) -> Iterator[Found]:
    """Yield the agreement of the raters as a panel, then of every two of them."""
    people = people_of(scores, part)
    if people is None:
        return
    rated = people.rows.where(np.asarray(~np.isnan(people.rows.scores).all(axis=1)))
    n = int(rated.counts.sum())
    grouped = any(key.startswith("group:") for key in part.where)
    names = LEADING_PANEL if part.many or grouped else PANEL
    estimates = panel_estimates(
        names, people.rows, settings, part.label, continuous=people.scale.continuous
    )
    yield Found(subset_of(part, PEOPLE, n=n, against=PEOPLE), estimates, [])
    if part.many or grouped or len(people.names) > MANY_RATERS:
        return
    for first, second in combinations(range(len(people.names)), 2):
        pair = replace(rated, scores=rated.scores[:, [first, second]]).complete()
        if pair.counts.size:
            formulas = formulas_for(people.scale, LEADING)
            subset = subset_of(
                part, people.names[second], n=int(pair.counts.sum()), against=people.names[first]
            )
            units = units_by_tally(formulas, pair)
            yield Found(subset, estimate_by_tally(formulas, units, settings, part.label), [])


def against_each_rater(
    scores: Scores, system: str, part: Part, settings: Settings
) -> Iterator[Found]:
    """Yield the system against every single rater, on the responses both scored."""
    people, scales = people_of(scores, part), scales_of(scores, part)
    if people is None or scales is None or len(people.names) > MANY_RATERS:
        return
    if _ends(scales[0]) != _ends(scales[1]):
        return
    given = scores.patterns.scores[f"system:{system}"][part.rows]
    formulas = formulas_for(people.scale, LEADING)
    for rater, name in enumerate(people.names):
        both = np.stack([people.rows.scores[:, rater], given], axis=1)
        pair = replace(people.rows, scores=both).complete()
        if pair.counts.size:
            units = units_by_tally(formulas, pair)
            estimates = estimate_by_tally(formulas, units, settings, part.label)
            subset = subset_of(part, system, n=int(pair.counts.sum()), against=name)
            yield Found(subset, estimates, [])


def compared_with_people(
    scores: Scores, system: str, part: Part, settings: Settings
) -> Iterator[Found]:
    """Does the system agree with people as people agree with each other, on the same responses?

    First against single raters: each statistic averaged over the raters, beside that of every
    two raters. Then, with three raters or more, left out in turn: system and rater each against
    the mean of the other raters.
    """
    joined = _joined(scores, system, part)
    if joined is None:
        return
    rows, raters, scale = joined
    formulas = formulas_for(scale, COMPARED)
    pairs = [(rater, raters) for rater in range(raters)], list(combinations(range(raters), 2))
    subset = subset_of(part, system, n=int(rows.counts.sum()), against=PEOPLE)
    yield Found(subset, _contrasted(formulas, rows, pairs, settings, part.label), [])
    complete = rows.complete()
    if raters < 3 or not complete.counts.size:
        return
    ratings = complete.scores[:, :raters]
    others = (ratings.sum(axis=1, keepdims=True) - ratings) / (raters - 1)
    wide = replace(complete, scores=np.concatenate([complete.scores, others], axis=1))
    target = [raters + 1 + rater for rater in range(raters)]
    pairs = [(t, raters) for t in target], [(t, rater) for rater, t in enumerate(target)]
    moments = [f for f in formulas if home(f) == "moments"]
    subset = subset_of(part, system, n=int(wide.counts.sum()), against=OTHERS)
    yield Found(subset, _contrasted(moments, wide, pairs, settings, part.label), [])


def _contrasted(
    formulas: Sequence[Formula],
    rows: Rows,
    pairs: tuple[list[tuple[int, int]], list[tuple[int, int]]],
    settings: Settings,
    label: str,
) -> list[Estimate]:
    """Estimate means over two sets of pairs, and their difference, with the same resamples."""
    estimates: list[Estimate] = []
    for kind in dict.fromkeys(map(home, formulas)):
        units = pairs_of(kind, rows, [*pairs[0], *pairs[1]])
        here = [d for f in formulas if home(f) == kind for d in _contrasts(f, len(pairs[0]))]
        found = estimate_all(here, units, settings, key=stream_of(label))
        estimates += [replace(estimate, score=_score(estimate)) for estimate in found]
    return estimates


def _joined(scores: Scores, system: str, part: Part) -> tuple[Rows, int, Scale] | None:
    """Ratings and, in the last column, the system's scores, where two people and it scored.

    Of a pool of raters the ratings count, not who gave them: they are moved to the left.
    """
    people, scales = people_of(scores, part), scales_of(scores, part)
    if people is None or scales is None or _ends(scales[0]) != _ends(scales[1]):
        return None
    ratings = people.rows.scores
    shared = (~np.isnan(ratings)).astype(np.float64)
    common = (shared * people.rows.counts[:, None]).T @ shared
    if (common < SMALL_PAIR).any():
        ratings = people.rows.unnamed().scores
    given = scores.patterns.scores[f"system:{system}"][part.rows]
    rows = replace(people.rows, scores=np.concatenate([ratings, given[:, None]], axis=1))
    rows = rows.where(~np.isnan(given) & ((~np.isnan(ratings)).sum(axis=1) >= 2))
    return (rows, ratings.shape[1], scales[0]) if rows.counts.size else None


def _ends(scale: Scale) -> tuple[float, float]:
    return scale.low, scale.high


def _contrasts(formula: Formula, first: int) -> Iterator[Formula]:
    """The mean over the first pairs, over the others, and the difference of the two."""

    def among(start: int | None, stop: int | None) -> Any:
        def value(pairs: Any) -> Floats:
            each, n = formula.value(pairs)[..., start:stop], np.real(pairs.n[..., start:stop])
            shared = n > 0
            return np.asarray(np.where(shared, each, 0).sum(axis=-1) / shared.sum(axis=-1))

        return value

    system, people = among(None, first), among(first, None)
    text = named(formula.name, formula.params)
    plain = replace(
        formula,
        interval="bca",
        linear=None,
        influence=None,
        parts=None,
        closed_form=None,
        analytic="normal",
        ddof=0,
        params={"of": text},
    )
    yield replace(plain, name="human_system", value=system)
    yield replace(plain, name="human_human", value=people)
    yield replace(plain, name="degradation", value=lambda t: system(t) - people(t))


def _score(estimate: Estimate) -> str:
    return BY_NAME[str(estimate.params["of"]).partition("[")[0]].score
