"""Each rater: the use of the scale, and how the rater scores beside the others."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.catalogue import find, texts
from tallymark.inference import Formula, Settings, estimate_all
from tallymark.reliability.connected import components
from tallymark.results import OTHERS, Estimate, Finding, Matrix, rater_called
from tallymark.study.average import averages, faceted
from tallymark.study.measured import (
    Measured,
    SubsetResults,
    estimate_by_tally,
    stream_of,
    subset_of,
    units_by_tally,
)
from tallymark.study.parts import Part, People
from tallymark.study.units import Rows, units_of
from tallymark.tally import PairCounts, PairMoments, nearest

Floats = NDArray[np.float64]
NOT_RATED = "the rater gave no rating"
MORE_RATERS_THAN_RESPONSES = 10
"""From this many raters on, more raters than responses look like a table on its side."""
MANY_DIFFERENT = 20
"""So many ratings that are whole numbers and all differ look like an id."""


def each_rater(
    people: People, part: Part, settings: Settings, more: Mapping[str, list[Estimate]]
) -> Iterator[SubsetResults]:
    """Yield each rater's use of the scale, and how the rater scores beside the others."""
    given = ~np.isnan(people.rows.scores)
    key = stream_of(part.label)
    for rater, beside in _beside_others(part, people):
        scored = people.rows.where(np.asarray(given[:, rater]))
        estimates = _use_of_scale(scored, rater, settings, key, continuous=people.scale.continuous)
        estimates += estimate_by_tally(beside.formulas, beside.units, settings, part.label)
        name = people.names[rater]
        subset = subset_of(part, rater_called(name), n=int(scored.counts.sum()), against=OTHERS)
        matrices = [] if people.scale.continuous else [_distribution(scored, rater, people)]
        own_estimates = [replace(e, score="human") for e in estimates]
        yield SubsetResults(subset, [*own_estimates, *more[name]], matrices)


def rater_averages(
    parts: Sequence[Part], settings: Settings, more: Mapping[str, list[Estimate]]
) -> Iterator[SubsetResults]:
    """Yield means over prompts or traits of how each rater scores beside the others in each.

    ``more`` is known of a rater as a mean over the first of them.
    """
    first = next((key for key, _ in faceted(parts)), "")
    for key, over in faceted(parts):
        raters: dict[str, list[Measured]] = {}
        for part in over:
            if part.people is not None:
                for rater, beside in _beside_others(part, part.people):
                    if beside.n:
                        raters.setdefault(part.people.names[rater], []).append(beside)
        for name, each in raters.items():
            if len(each) > 1:
                means = averages(
                    each, key, rater_called(name), settings, against=OTHERS, scales=(False,)
                )
                known = more.get(name, []) if key == first else []
                yield from (
                    mean._replace(
                        estimates=[*(replace(e, score="human") for e in mean.estimates), *known]
                    )
                    for mean in means
                )


def _beside_others(part: Part, people: People) -> Iterator[tuple[int, Measured]]:
    """Each rater who gave a rating, by place, beside the mean of the others on shared responses."""
    ratings = people.rows.scores
    given = ~np.isnan(ratings)
    total, number = np.where(given, ratings, 0).sum(axis=1), given.sum(axis=1)
    formulas = [find(statistic) for statistic in texts("beside_others")]
    for rater in np.flatnonzero(given.any(axis=0)).tolist():
        others = np.full(len(ratings), np.nan)
        shared = given[:, rater] & (number > 1)
        others[shared] = (total[shared] - ratings[shared, rater]) / (number[shared] - 1)
        pair = replace(people.rows, scores=np.stack([others, ratings[:, rater]], axis=1)).complete()
        yield rater, Measured(part, people.scale, pair, formulas, units_by_tally(formulas, pair))


def _use_of_scale(
    scored: Rows, rater: int, settings: Settings, key: int, *, continuous: bool
) -> list[Estimate]:
    twice = replace(scored, scores=scored.scores[:, [rater, rater]])
    moments = [
        Formula(name="rater_mean", value=_mean, undefined=NOT_RATED, ddof=1),
        Formula(name="rater_sd", value=_sd, undefined="one rating has no spread"),
    ]
    estimates = estimate_all(moments, units_of("moments", twice), settings, key=key)
    if continuous:
        return estimates
    modal = Formula(name="modal_share", value=_modal_share, analytic=None, undefined=NOT_RATED)
    return [
        *estimates,
        *estimate_all([modal], units_of("table", twice, [modal]), settings, key=key),
    ]


def _mean(moments: PairMoments) -> Floats:
    return moments.means[0]


def _sd(moments: PairMoments) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):  # one rating has no spread
        return np.asarray(np.sqrt(moments.variances[0] * moments.n / (moments.n - 1)))


def _modal_share(pairs: PairCounts) -> Floats:
    return np.asarray(pairs.margins[0].max(axis=-1))


def _distribution(scored: Rows, rater: int, people: People) -> Matrix:
    """How often a rater gave each point."""
    index = nearest(scored.scores[:, rater], scored.points)
    counts = np.bincount(index, weights=scored.counts, minlength=scored.points.size)
    points = people.scale.labels or tuple(f"{point:g}" for point in people.scale.points)
    return Matrix(
        name="distribution",
        subset=-1,
        row_title="score",
        rows=points,
        column_title="given by",
        columns=(people.names[rater],),
        values=tuple((int(count),) for count in counts),
    )


def about_raters(people: People) -> list[Finding]:
    """What a reader should know before the numbers."""
    findings = [] if people.rows.twice.any() else [_note("not_rated_twice")]
    groups = components(people.rows.scores)
    if len(groups) > 1 and not findings:
        named = "; ".join(", ".join(people.names[rater] for rater in group) for group in groups)
        findings.append(_note("raters_apart", raters=named, groups=len(groups)))
    silent = [people.names[i] for i in np.flatnonzero(np.isnan(people.rows.scores).all(axis=0))]
    if silent:
        findings.append(_note("raters_without_rating", raters=", ".join(silent)))
    findings += [
        _note("rater_like_an_id", column=name)
        for rater, name in enumerate(people.names)
        if _like_an_id(people.rows, rater)
    ]
    responses, raters = int(people.rows.counts.sum()), len(people.names)
    if raters >= MORE_RATERS_THAN_RESPONSES and raters > responses:
        findings.append(_note("raters_in_rows", raters=raters, responses=responses))
    return findings


def about_prompts(parts: Sequence[Part]) -> list[Finding]:
    """Prompts on scales of their own can be examined only one at a time."""
    every = [part.people for part in parts if set(part.where) == {"prompt"}]
    twice = any(people is not None and people.rows.twice.any() for people in every)
    return [_note("prompts_on_own_scales" if twice else "not_rated_twice")]


def _note(name: str, **values: str | float) -> Finding:
    return Finding(
        name=name,
        numbers={key: value for key, value in values.items() if not isinstance(value, str)},
        texts={key: value for key, value in values.items() if isinstance(value, str)},
        weight="note",
    )


def _like_an_id(rows: Rows, rater: int) -> bool:
    """Whether a rater never gave the same score twice, and whole numbers only."""
    given = rows.scores[:, rater]
    scores = given[~np.isnan(given)]
    ratings = int(rows.counts[~np.isnan(given)].sum())
    whole = bool((scores == np.floor(scores)).all())
    return ratings >= MANY_DIFFERENT and whole and np.unique(scores).size == ratings
