"""People: how raters agree with each other, and whether a system agrees with them as well."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, combinations, permutations
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
from tallymark.evaluation.pairings import Pairing, pairs_of
from tallymark.evaluation.panel import LEADING_PANEL, PANEL, panel_estimates
from tallymark.evaluation.plan import LEADING, Part, formulas_for
from tallymark.evaluation.units import Rows
from tallymark.inference import Formula, Settings, estimate_all
from tallymark.reliability.adjudicators import adjudicators
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
Contrast = tuple[list[Pairing], list[Pairing]]
"""Pairings of the system with people, and of people with people, on the same responses."""


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
    return People(names, rows, scales[0])


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

    First against single raters: of every two raters who share responses, their agreement with
    each other and the system's with each of them, on just these responses. Then, with three raters
    or more, left out in turn: system and rater each against the mean of the other raters.
    """
    joined = _joined(scores, system, part)
    if joined is None:
        return
    rows, raters, scale, pooled = joined
    formulas = formulas_for(scale, COMPARED)
    subset = subset_of(part, system, n=int(rows.counts.sum()), against=PEOPLE)
    pairings = _pooled(_single(raters)) if pooled else _single(raters)
    yield Found(subset, _contrasted(formulas, rows, pairings, settings, part.label), [])
    wide = _beside_others(rows, raters)
    if not wide.counts.size:
        return
    pairings = _pooled(_left_out(raters)) if pooled else _left_out(raters)
    moments = [f for f in formulas if home(f) == "moments"]
    subset = subset_of(part, system, n=int(wide.counts.sum()), against=OTHERS)
    yield Found(subset, _contrasted(moments, wide, pairings, settings, part.label), [])


def _single(raters: int) -> Contrast:
    """The system, in the column after the raters, and one rater, each against another rater."""
    pairs = list(permutations(range(raters), 2))
    system: list[Pairing] = [[(first, raters, second)] for first, second in pairs]
    return system, [[(first, second, raters)] for first, second in pairs]


def _left_out(raters: int) -> Contrast:
    """System and rater, each against the mean of the others, which has a column of its own."""
    others = [(rater, raters + 1 + rater) for rater in range(raters)]
    system: list[Pairing] = [[(mean, raters, rater)] for rater, mean in others]
    return system, [[(mean, rater, raters)] for rater, mean in others]


def _pooled(contrast: Contrast) -> Contrast:
    """One tally of all raters in place of one for each: who they are does not matter."""
    system, people = contrast
    return [list(chain(*system))], [list(chain(*people))]


def _beside_others(rows: Rows, raters: int) -> Rows:
    """Add for each rater the mean of the others, on responses with three ratings or more."""
    rows = rows.where((~np.isnan(rows.scores[:, :raters])).sum(axis=1) >= 3)
    ratings = rows.scores[:, :raters]
    given = ~np.isnan(ratings)
    total, number = np.nansum(ratings, axis=1, keepdims=True), given.sum(axis=1, keepdims=True)
    others = np.where(given, (total - ratings) / np.maximum(number - 1, 1), np.nan)
    return replace(rows, scores=np.concatenate([rows.scores, others], axis=1))


def _contrasted(
    formulas: Sequence[Formula], rows: Rows, contrast: Contrast, settings: Settings, label: str
) -> list[Estimate]:
    """Estimate means over two sets of pairings, and their difference, with the same resamples."""
    estimates: list[Estimate] = []
    system, people = contrast
    for kind in dict.fromkeys(map(home, formulas)):
        units = pairs_of(kind, rows, [*system, *people])
        here = [d for f in formulas if home(f) == kind for d in _contrasts(f, len(system))]
        found = estimate_all(here, units, settings, key=stream_of(label))
        estimates += [replace(estimate, score=_score(estimate)) for estimate in found]
    return estimates


class Joined(NamedTuple):
    """Ratings and, in the last column, the system's scores, where two people and it scored."""

    rows: Rows
    raters: int
    scale: Scale
    pooled: bool


def _joined(scores: Scores, system: str, part: Part) -> Joined | None:
    """Bring ratings and the system's scores together.

    A pool of raters, of whom some share few responses, is taken as one: its ratings count, not
    who gave them. Adjudicators are left out: beside raters chosen for their disagreement any
    system looks good.
    """
    people, scales = people_of(scores, part), scales_of(scores, part)
    if people is None or scales is None or _ends(scales[0]) != _ends(scales[1]):
        return None
    people = _without_adjudicators(people)
    given = scores.patterns.scores[f"system:{system}"][part.rows]
    rows = people.rows.where(people.rows.twice & ~np.isnan(given))
    if not rows.counts.size:
        return None
    given = given[people.rows.twice & ~np.isnan(given)]
    rows = rows.without_silent()
    shared = (~np.isnan(rows.scores)).astype(np.float64)
    common = (shared * rows.counts[:, None]).T @ shared
    enough = common.min() >= min(SMALL_PAIR, rows.counts.sum())
    pooled = not enough or rows.scores.shape[1] > MANY_RATERS
    ratings = rows.unnamed().scores if pooled else rows.scores
    rows = replace(rows, scores=np.concatenate([ratings, given[:, None]], axis=1))
    return Joined(rows, ratings.shape[1], scales[0], pooled)


def _without_adjudicators(people: People) -> People:
    left_out = adjudicators(people.rows.scores, people.rows.counts)
    kept = [rater for rater in range(len(people.names)) if rater not in left_out]
    names = tuple(people.names[rater] for rater in kept)
    return People(names, replace(people.rows, scores=people.rows.scores[:, kept]), people.scale)


def findings_about_people(scores: Scores, part: Part) -> list[str]:
    """What a reader should know about the raters before the numbers."""
    people = people_of(scores, part)
    if people is None:
        return []
    rows = people.rows
    return [
        f"{people.names[rater]} rated only responses on which the other raters differ, as an "
        "adjudicator does: left out where a system is compared with people; agreement of all "
        "raters together is lowered by it"
        for rater in adjudicators(rows.scores, rows.counts)
    ]


def _ends(scale: Scale) -> tuple[float, float]:
    return scale.low, scale.high


def _contrasts(formula: Formula, first: int) -> Iterator[Formula]:
    """The mean over the first pairs, over the others, and the difference of the two."""

    def among(start: int | None, stop: int | None) -> Any:
        def value(pairs: Any) -> Floats:
            each, n = formula.value(pairs)[..., start:stop], np.real(pairs.n[..., start:stop])
            shared = n > 0
            with np.errstate(invalid="ignore", divide="ignore"):  # no pair is left
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
