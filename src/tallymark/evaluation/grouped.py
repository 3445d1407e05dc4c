"""Grouped: the sums and formulas behind every number of a group."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tallymark.accuracy.standardized import GroupMoments, Kind, dsm, smd
from tallymark.accuracy.true_score import error_variance, prmse
from tallymark.evaluation.measured import home, rows_of, scales_of
from tallymark.evaluation.plan import LEADING, Part, formulas_for
from tallymark.evaluation.true_scores import ONE_RATER, same_range
from tallymark.evaluation.units import Rows, summed
from tallymark.fairness import errors_by_group as by_group
from tallymark.fairness.true_effect import true_effects
from tallymark.inference import Formula, Units
from tallymark.results import named
from tallymark.scale import Scale
from tallymark.sources import Scores
from tallymark.tally import GroupErrors, GroupRatings, PairCounts, PairMoments, RatedSums, nearest
from tallymark.tally.moments import features

Whole = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Grouped:
    """The responses of one group column: their scores, and the place of each one's group.

    The groups are ordered by size, so that the first is the reference; ``place`` tells the place
    of each label of the column, -1 where no response has it.
    """

    column: str
    names: tuple[str, ...]
    sizes: tuple[int, ...]
    rows: Rows
    codes: Whole
    scale: Scale
    place: Whole


def grouped_by(scores: Scores, system: str, key: str) -> Grouped | None:
    """Return the responses by group; None with fewer than two groups."""
    patterns = scores.patterns
    everything = Part(np.ones(patterns.counts.size, dtype=bool))
    scales = scales_of(scores, everything)
    if scales is None:
        return None
    rows = rows_of(scores, ["gold", f"system:{system}"], everything, scales[1])
    used = rows.whole & (patterns.keys[key] >= 0)
    kept, codes = rows.where(np.asarray(used)), patterns.keys[key][used]
    sizes = np.bincount(codes, weights=kept.counts, minlength=len(patterns.labels[key]))
    order = [i for i in np.argsort(-sizes, kind="stable") if sizes[i] > 0]
    if len(order) < 2:
        return None
    place = np.full(sizes.size, -1)
    place[order] = np.arange(len(order))
    return Grouped(
        column=key.removeprefix("group:"),
        names=tuple(patterns.labels[key][i] for i in order),
        sizes=tuple(int(sizes[i]) for i in order),
        rows=kept,
        codes=place[codes],
        scale=scales[1],
        place=place,
    )


def errors_of(grouped: Grouped) -> Units[GroupErrors]:
    """Sums of errors by group and gold score."""
    points, score = np.unique(grouped.rows.scores[:, 0], return_inverse=True)
    groups, k = len(grouped.names), points.size
    error = grouped.rows.scores[:, 1] - grouped.rows.scores[:, 0]

    def build(sums: NDArray[Any]) -> GroupErrors:
        return GroupErrors(sums.reshape(*sums.shape[:-1], groups, k, 4))

    place = grouped.codes * k + score
    return summed(grouped.rows, GroupErrors.rows(error), build, place=place, places=groups * k)


def effects(group: int) -> list[Formula]:
    """A group's difference to the reference group; the reference has none."""
    if group == 0:
        return []
    kinds = {
        "osa": by_group.osa_effects, "osd": by_group.osd_effects, "csd": by_group.csd_effects,
    }  # fmt: skip
    return [
        Formula(
            name=f"{kind}_effect",
            value=_at(value, group),
            analytic=None,
            undefined="the group has no response",
        )
        for kind, value in kinds.items()
    ]


def moments_of(grouped: Grouped) -> Units[PairMoments]:
    """Moments of the two scores, by group."""
    center = float(grouped.rows.points[0] + grouped.rows.points[-1]) / 2
    scores, groups = grouped.rows.scores - center, len(grouped.names)

    def build(sums: NDArray[Any]) -> PairMoments:
        return PairMoments(sums.reshape(*sums.shape[:-1], groups, -1), center)

    values = features(scores[:, 0], scores[:, 1])
    return summed(grouped.rows, values, build, place=grouped.codes, places=groups)


def _split(moments: PairMoments, group: int) -> GroupMoments:
    every = replace(moments, sums=moments.sums.sum(axis=-2))
    return GroupMoments(replace(moments, sums=moments.sums[..., group, :]), every)


def standardized(group: int, scale: Scale) -> list[Formula]:
    """Standardized differences of a group, and of its moments to those of the others."""
    constant = "a score does not vary"
    first = Formula(name="dsm", value=lambda t: dsm(_split(t, group)), undefined=constant)
    kinds: tuple[Kind, ...] = ("unpooled", "williamson", "johnson")
    others = [
        Formula(name="smd", params={"kind": kind}, value=_smd(kind, group), undefined=constant)
        for kind in kinds
    ]
    return [first, *others, *differences(group, "moments", scale)]


def _at(value: Callable[[Any], Any], group: int) -> Callable[[Any], Any]:
    return lambda tally: value(tally)[..., group]


def _smd(kind: Kind, group: int) -> Callable[[PairMoments], Any]:
    return lambda moments: smd(_split(moments, group), kind=kind)


def _less_rest(value: Callable[[Any], Any], group: int) -> Callable[[Any], Any]:
    return lambda tally: value(_part(tally, group)) - value(_rest(tally, group))


def tables_of(grouped: Grouped) -> Units[PairCounts]:
    """Tables of gold and system, by group."""
    points, groups = grouped.rows.points, len(grouped.names)
    k = points.size
    first, second = (nearest(grouped.rows.scores[:, i], points) for i in (0, 1))

    def build(sums: NDArray[Any]) -> PairCounts:
        return PairCounts(sums.reshape(*sums.shape[:-1], groups, k, k), points)

    place = grouped.codes * (k * k) + first * k + second
    ones = np.ones((first.size, 1))
    return summed(grouped.rows, ones, build, place=place, places=groups * k * k)


def differences(group: int, kind: str, scale: Scale) -> list[Formula]:
    """The leading statistics in the group less those in all other groups."""
    return [
        replace(
            formula,
            name="difference",
            params={"of": named(formula.name, formula.params)},
            value=_less_rest(formula.value, group),
            interval="bca",
            analytic="normal",
            linear=None,
            influence=None,
            parts=None,
            ddof=0,
        )
        for formula in formulas_for(scale, LEADING)
        if home(formula) == kind
    ]


def _part(tally: Any, group: int) -> Any:
    if isinstance(tally, PairCounts):
        return replace(tally, counts=tally.counts[..., group, :, :])
    return replace(tally, sums=tally.sums[..., group, :])


def _rest(tally: Any, group: int) -> Any:
    if isinstance(tally, PairCounts):
        return replace(tally, counts=tally.counts.sum(axis=-3) - tally.counts[..., group, :, :])
    return replace(tally, sums=tally.sums.sum(axis=-2) - tally.sums[..., group, :])


def rated_of(
    scores: Scores, system: str, grouped: Grouped, key: str
) -> tuple[Units[GroupRatings], Units[RatedSums]] | None:
    """Ratings beside the system's scores, by group; None where nothing was rated twice."""
    patterns = scores.patterns
    everything = Part(np.ones(patterns.counts.size, dtype=bool))
    scales = scales_of(scores, everything)
    if scales is None or not scores.humans or not same_range(*scales):
        return None
    names = [*(f"human:{name}" for name in scores.humans), f"system:{system}"]
    rows = rows_of(scores, names, everything, scales[0])
    people = ~np.isnan(rows.scores[:, :-1])
    place = np.where(patterns.keys[key] >= 0, grouped.place[patterns.keys[key]], -1)
    used = np.asarray(people.any(axis=1) & ~np.isnan(rows.scores[:, -1]) & (place >= 0))
    if not (people.sum(axis=1)[used] > 1).any():
        return None
    rows, place = rows.where(used), place[used]
    center, groups = float(rows.points[0] + rows.points[-1]) / 2, len(grouped.names)
    ratings, given = rows.scores[:, :-1] - center, rows.scores[:, -1] - center

    def build(sums: NDArray[Any]) -> GroupRatings:
        return GroupRatings(sums.reshape(*sums.shape[:-1], groups, 8))

    def build_rated(sums: NDArray[Any]) -> RatedSums:
        return RatedSums(sums.reshape(*sums.shape[:-1], groups, 9))

    return (
        summed(rows, GroupRatings.rows(ratings, given), build, place=place, places=groups),
        summed(rows, RatedSums.rows(ratings, given), build_rated, place=place, places=groups),
    )


def given_true_score(group: int) -> list[Formula]:
    """A group's difference to the reference at the same true score."""
    if group == 0:
        return []
    return [Formula(name="true_effect", value=_at(true_effects, group), undefined=ONE_RATER)]


def reliability(group: int) -> list[Formula]:
    """PRMSE within a group, with the variance of rater errors of all groups."""

    def value(rated: RatedSums) -> Any:
        every = RatedSums(rated.sums.sum(axis=-2))
        return prmse(RatedSums(rated.sums[..., group, :]), error=error_variance(every))

    return [Formula(name="prmse", value=value, undefined="true scores do not vary in the group")]
