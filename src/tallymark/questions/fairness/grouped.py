"""Grouped: the responses of one group column, and every number that is said of a group."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.accuracy.standardized import GroupMoments, dsm, smd
from tallymark.accuracy.true_score import error_variance, prmse
from tallymark.arrays import Floats, Whole
from tallymark.catalogue import BY_NAME, texts
from tallymark.catalogue.reasons import ONE_RATER
from tallymark.fairness import errors_by_group as by_group
from tallymark.fairness.adjusted_effects import (
    length_effect_contrast,
    length_rows,
    true_effect_contrast,
)
from tallymark.fairness.contrasts import GroupCells, GroupContrast, contrast
from tallymark.inference import Formula
from tallymark.inference.interval import ROUNDING
from tallymark.scale import Scale
from tallymark.sources.roles import LENGTH
from tallymark.study.formulas import formulas_for, of_set
from tallymark.study.measured import home
from tallymark.study.parts import Part
from tallymark.study.rows import Grouping, Rows, grouped
from tallymark.tally import GroupErrors, GroupRatings, PairCounts, PairMoments, RatedSums, nearest
from tallymark.tally.margins import PairMargins, distances_of, margin_rows
from tallymark.tally.moments import features

MOST_SCORES = 300
"""With more distinct gold scores than this hardly any two responses have the same."""
CONSTANT = "a score does not vary"


class Grouped(Struct, frozen=True):
    """The responses that have a group: their scores, and the place of each one's group.

    The groups are ordered by size, so that the first is the reference. ``used`` are the rows with
    both scores; ``units`` are what all numbers of the column are measured by.
    """

    names: tuple[str, ...]
    sizes: tuple[int, ...]
    rows: Rows
    used: NDArray[np.bool_]
    place: Whole
    ratings: Rows | None
    scale: Scale
    units: Grouping
    length: Floats | None = None

    def cells(self, values: Floats, used: NDArray[np.bool_]) -> GroupCells:
        """What each unit adds to each group, of the rows that are used."""
        place, groups, scaled = self.place[used], len(self.names), self.rows.scaled
        if scaled is None:
            return self._cells(values, used, np.ones(place.size))
        weight = scaled[used] / self._mean_weight(used)
        often = self.rows.counts[used]
        first, second = (np.bincount(place, often * weight**power, groups) for power in (1, 2))
        worth = first**2 / np.where(second > 0, second, 1.0)
        cells = self._cells(values * weight[:, None], used, weight)
        return replace(cells, worth=worth, strata=self.units.strata)

    def _cells(self, values: Floats, used: NDArray[np.bool_], weight: Floats) -> GroupCells:
        """Cells of values that are already multiplied by the ``weight`` of each response."""
        units, place, groups = self.units, self.place[used], len(self.names)
        if units.kind == "responses":
            return GroupCells.of(np.flatnonzero(used), place, weight, values, units.times, groups)
        entries = used[units.row]
        row = (np.cumsum(used) - 1)[units.row[entries]]  # among those used
        times = np.ones(row.size) if units.weight is None else units.weight[entries] * 1.0
        keys, cell = np.unique(units.unit[entries] * groups + place[row], return_inverse=True)
        columns = [np.bincount(cell, v[row] * times, keys.size) for v in values.T]
        size = np.bincount(cell, times * weight[row], keys.size).astype(np.float64)
        unit, group = np.divmod(keys, groups)
        return GroupCells.of(unit, group, size, np.stack(columns, axis=1), units.times, groups)

    @property
    def heavy(self) -> Floats:
        """How many responses each row with both scores stands for."""
        if self.rows.weights is None:
            return self.rows.counts[self.used].astype(np.float64)
        return np.asarray(self.rows.heavy[self.used] / self._mean_weight(self.used))

    def carriers(self, group: int) -> float:
        """How many responses or clusters of a group and the reference the system errs on."""
        gold, system = self.rows.scores.T
        erred = self.used & (np.abs(system - gold) > ROUNDING) & np.isin(self.place, (0, group))
        units_erred = self.units.sums(erred[:, None] * 1.0)[:, 0] > 0
        return float(self.units.times @ units_erred)

    def _mean_weight(self, used: NDArray[np.bool_]) -> float:
        """The mean weight of the responses that are used."""
        return float(self.rows.heavy[used].sum() / self.rows.counts[used].sum())

    @property
    def same_scores(self) -> bool:
        """Whether responses can be compared at the same gold score."""
        return np.unique(self.rows.scores[self.used, 0]).size <= MOST_SCORES

    @property
    def errors(self) -> tuple[Floats, Whole, int]:
        """System less gold, the place of the gold score, and how many of these there are.

        All have one place where nearly each response has a gold score of its own.
        """
        gold, system = self.rows.scores[self.used].T
        points, score = np.unique(gold, return_inverse=True)
        if points.size > MOST_SCORES:
            return system - gold, np.zeros(gold.size, dtype=np.int64), 1
        return system - gold, score, points.size


class GroupMeasure(Struct, frozen=True, kw_only=True):
    """One number of every group: its contrast, why it may be undefined, whether it is tested."""

    name: str
    contrast: GroupContrast
    undefined: str
    params: Mapping[str, Any] = field(default_factory=dict)
    tested: bool = True
    to_first: bool = False
    score: str = "trimmed"


def grouped_by(everything: Part, system: str, key: str) -> Grouped | None:
    """Return the responses by group; None with fewer than two groups."""
    scores, scales = everything.scores, everything.scales
    if scales is None:
        return None
    rows = everything.columns(["gold", f"system:{system}"], scales[1])
    codes, labels = scores.patterns.keys[key], scores.patterns.labels[key]
    used = rows.whole & (codes >= 0)
    sizes = np.bincount(codes[used], rows.counts[used], minlength=len(labels))
    order = [i for i in np.argsort(-sizes, kind="stable") if sizes[i] > 0]
    if len(order) < 2:
        return None
    place = np.full(sizes.size + 1, -1)  # the last is of a response without a group
    place[order] = np.arange(len(order))
    included, ratings = np.asarray(place[codes] >= 0), None
    if scores.humans and scales[0].ends == scales[1].ends:
        names = [*(f"human:{name}" for name in scores.humans), f"system:{system}"]
        rated = everything.columns(names, scales[0])
        included &= rows.whole | rated.twice  # what nobody rated is no unit
        ratings = rated.where(included)
    else:
        included &= rows.whole
    rows = rows.where(included)
    return Grouped(
        names=tuple(labels[i] for i in order),
        sizes=tuple(int(sizes[i]) for i in order),
        rows=rows,
        used=rows.whole,
        place=place[codes][included],
        ratings=ratings,
        length=_lengths(everything, included),
        scale=scales[1],
        units=grouped(rows),
    )


def _lengths(everything: Part, included: NDArray[np.bool_]) -> Floats | None:
    """The lengths of some responses, as deviations from their mean in standard deviations."""
    column = everything.scores.patterns.scores.get(LENGTH)
    if column is None:
        return None
    lengths = column[everything.rows][included]
    if np.isnan(lengths).all():
        return None
    return np.asarray((lengths - np.nanmean(lengths)) / (np.nanstd(lengths) or 1.0))


def errors_of(grouped: Grouped) -> GroupErrors:
    """Sums of errors by group and gold score; of one score where nearly each has its own."""
    error, score, scores = grouped.errors
    sums = np.zeros((len(grouped.names), scores, 4))
    rows = GroupErrors.rows(error) * grouped.heavy[:, None]
    np.add.at(sums, (grouped.place[grouped.used], score), rows)
    return GroupErrors(sums)


def measures(grouped: Grouped) -> Iterator[GroupMeasure]:
    """Yield every number that is said of each group; of labels without an order, those of labels."""
    if grouped.scale.nominal:
        yield from _of_margins(grouped)
        yield from _of_labels(grouped)
        return
    yield from _effects(grouped)
    yield from _of_moments(grouped)
    if not grouped.scale.continuous:
        yield from _of_margins(grouped)
    yield from _of_ratings(grouped)


def _effects(grouped: Grouped) -> Iterator[GroupMeasure]:
    """Each group's errors less those of the first: as they are, at the same score, and length."""
    error, score, _ = grouped.errors
    cells = grouped.cells(np.stack([np.ones(error.size), error, error**2], axis=1), grouped.used)
    effects = [
        ("osa_effect", by_group.osa_effects(cells), "no response"),
        ("osd_effect", by_group.osd_effects(cells), "no response"),
    ]
    if grouped.same_scores:
        errors, place = errors_of(grouped), grouped.place[grouped.used]
        rows = by_group.residual_rows(errors, place, score, error)
        at_score = by_group.csd_effects(errors, grouped.cells(rows, grouped.used))
        effects.append(("csd_effect", at_score, "the group has no score in common with others"))
    if grouped.length is not None:
        used = np.asarray(grouped.used & ~np.isnan(grouped.length))
        gold, system = grouped.rows.scores[used].T
        cells = grouped.cells(length_rows(system - gold, grouped.length[used]), used)
        at_length = length_effect_contrast(cells)
        effects.append(("length_effect", at_length, "the length does not vary within groups"))
    for name, effect, undefined in effects:
        yield GroupMeasure(name=name, contrast=effect, undefined=undefined, to_first=True)


def _of_moments(grouped: Grouped) -> Iterator[GroupMeasure]:
    """Standardized differences, and the leading statistics of moments less those of the rest."""
    center = float(grouped.rows.points[0] + grouped.rows.points[-1]) / 2
    gold, system = (grouped.rows.scores[grouped.used] - center).T
    cells = grouped.cells(features(gold, system), grouped.used)

    def in_all(formula: Callable[..., Any], **params: Any) -> GroupContrast:
        def value(group: Any, total: Any, _: Any) -> Any:
            moments = GroupMoments(PairMoments(group, center), PairMoments(total, center))
            return formula(moments, **params)

        return contrast(value, cells, "all")

    yield GroupMeasure(name="dsm", contrast=in_all(dsm), undefined=CONSTANT)
    for kind in ("unpooled", "williamson", "johnson"):
        yield GroupMeasure(
            name="smd",
            params={"kind": kind},
            contrast=in_all(smd, kind=kind),
            undefined=CONSTANT,
            tested=False,
        )
    formulas = formulas_for(grouped.scale, texts("by_part"))
    yield from _differences(formulas, "moments", cells, lambda sums: PairMoments(sums, center))


def _of_margins(grouped: Grouped) -> Iterator[GroupMeasure]:
    """The leading statistics of tables less those of the rest."""
    points = grouped.rows.points
    formulas = formulas_for(grouped.scale, of_set("by_part", grouped.scale))
    distances = distances_of([f.value for f in formulas if home(f) == "table"], points)
    rows = margin_rows(grouped.rows.scores[grouped.used], points, distances)
    cells = grouped.cells(rows, grouped.used)
    yield from _differences(
        formulas, "table", cells, lambda sums: PairMargins(sums, points, distances)
    )


def _of_labels(grouped: Grouped) -> Iterator[GroupMeasure]:
    """The share of each label that is found, less that of the other groups."""
    points = grouped.rows.points
    first, second = (nearest(scores, points) for scores in grouped.rows.scores[grouped.used].T)
    rows = np.zeros((first.size, points.size**2))
    rows[np.arange(first.size), first * points.size + second] = 1.0

    def build(sums: Any) -> PairCounts:
        return PairCounts(sums.reshape(*sums.shape[:-1], points.size, points.size), points)

    formulas = formulas_for(grouped.scale, ["class_recall"])
    yield from _differences(formulas, "cells", grouped.cells(rows, grouped.used), build)


def _differences(
    formulas: Sequence[Formula], kind: str, cells: GroupCells, build: Callable[[Any], Any]
) -> Iterator[GroupMeasure]:
    """The statistics of one kind of tally in the group, less those in all other groups."""
    for formula in formulas:
        if home(formula) == kind:
            yield GroupMeasure(
                name="difference",
                params={"of": formula.key},
                contrast=contrast(partial(_less_rest, formula.value, build), cells, "rest"),
                undefined=formula.undefined,
                score=BY_NAME[formula.name].score,
            )


def _less_rest(
    value: Callable[[Any], Any], build: Callable[[Any], Any], group: Any, rest: Any, _: Any
) -> Any:
    return value(build(group)) - value(build(rest))


def _of_ratings(grouped: Grouped) -> Iterator[GroupMeasure]:
    """What ratings beside the system's scores say, where some response was rated twice."""
    if grouped.ratings is None:
        return
    scores, points = grouped.ratings.scores, grouped.ratings.points
    people = (~np.isnan(scores[:, :-1])).sum(axis=1)
    used = np.asarray((people > 0) & ~np.isnan(scores[:, -1]))
    if not (people[used] > 1).any():
        return
    ratings, system = np.split(scores[used] - float(points[0] + points[-1]) / 2, [-1], axis=1)
    cells = grouped.cells(GroupRatings.rows(ratings, system[:, 0]), used)
    yield GroupMeasure(
        name="true_effect",
        contrast=true_effect_contrast(cells),
        undefined=ONE_RATER,
        to_first=True,
    )
    cells = grouped.cells(RatedSums.rows(ratings, system[:, 0]), used)
    yield GroupMeasure(
        name="prmse",
        contrast=contrast(_prmse, cells, "all"),
        undefined="true scores do not vary in the group",
        tested=False,
    )


def _prmse(group: Any, total: Any, _: Any) -> Any:
    """PRMSE within a group, with the variance of rater errors of all groups."""
    return prmse(RatedSums(group), error=error_variance(RatedSums(total)))
