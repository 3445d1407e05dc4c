"""Grouped: the responses of one group column, and every number that is said of a group."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.accuracy.standardized import GroupMoments, Kind, dsm, smd
from tallymark.accuracy.true_score import error_variance, prmse
from tallymark.catalogue import BY_NAME, texts
from tallymark.catalogue.reasons import ONE_RATER
from tallymark.fairness import errors_by_group as by_group
from tallymark.fairness.contrasts import GroupCells, GroupContrast, contrast
from tallymark.fairness.length_effect import length_effect_contrast, length_rows
from tallymark.fairness.true_effect import true_effect_contrast
from tallymark.inference import Formula
from tallymark.inference.interval import ROUNDING
from tallymark.scale import Scale
from tallymark.sources.roles import LENGTH
from tallymark.study.formulas import formulas_for, of_set
from tallymark.study.measured import home
from tallymark.study.parts import Part
from tallymark.study.rows import Grouping, Rows, grouped
from tallymark.tally import GroupErrors, GroupRatings, PairMoments, RatedSums
from tallymark.tally.margins import PairMargins, distances_of, margin_rows
from tallymark.tally.moments import features

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
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
        if self.rows.weights is None:
            return self._cells(values, used, np.ones(int(used.sum())))
        strata = self.units.strata
        weight = np.asarray(self.rows.scaled)[used] / self._mean_weight(used)
        place, often = self.place[used], self.rows.counts[used]
        sums = [np.bincount(place, often * weight**p, len(self.names)) for p in (1, 2)]
        worth = sums[0] ** 2 / np.where(sums[1] > 0, sums[1], 1.0)
        cells = self._cells(values * weight[:, None], used, weight)
        return replace(cells, worth=worth, strata=strata)

    def _cells(self, values: Floats, used: NDArray[np.bool_], worth: Floats) -> GroupCells:
        """The same for values already weighted; ``worth`` is the weight of each response."""
        units, groups = self.units, len(self.names)
        if units.kind == "responses":
            return GroupCells.of(
                np.flatnonzero(used), self.place[used], worth, values, units.times, groups
            )
        at = np.cumsum(used) - 1  # the place of a row among those used
        here = used[units.row]
        row = units.row[here]
        weight = np.ones(row.size) if units.weight is None else units.weight[here] * 1.0
        keys, cell = np.unique(units.unit[here] * groups + self.place[row], return_inverse=True)
        columns = [np.bincount(cell, v[at[row]] * weight, keys.size) for v in values.T]
        size = np.bincount(cell, weight * worth[at[row]], keys.size).astype(np.float64)
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
        some = self.used & (np.abs(system - gold) > ROUNDING) & np.isin(self.place, (0, group))
        errs = self.units.sums(some[:, None] * 1.0)[:, 0] > 0
        return float(self.units.times @ errs)

    def _mean_weight(self, used: NDArray[np.bool_]) -> float:
        """The mean weight of the responses that are used."""
        return float(self.rows.heavy[used].sum() / self.rows.counts[used].sum())


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
    patterns = scores.patterns
    if scales is None:
        return None
    both = everything.columns(["gold", f"system:{system}"], scales[1])
    codes = patterns.keys[key]
    used = both.whole & (codes >= 0)
    sizes = np.bincount(codes[used], both.counts[used], minlength=len(patterns.labels[key]))
    order = [i for i in np.argsort(-sizes, kind="stable") if sizes[i] > 0]
    if len(order) < 2:
        return None
    place = np.full(sizes.size + 1, -1)  # the last is of a response without a group
    place[order] = np.arange(len(order))
    here, ratings = np.asarray(place[codes] >= 0), None
    if scores.humans and scales[0].ends == scales[1].ends:
        names = [*(f"human:{name}" for name in scores.humans), f"system:{system}"]
        every = everything.columns(names, scales[0])
        here &= both.whole | every.twice  # what nobody rated is no unit
        ratings = every.where(here)
    else:
        here &= both.whole
    kept = both.where(here)
    return Grouped(
        names=tuple(patterns.labels[key][i] for i in order),
        sizes=tuple(int(sizes[i]) for i in order),
        rows=kept,
        used=kept.whole,
        place=place[codes][here],
        ratings=ratings,
        length=_lengths(everything, here),
        scale=scales[1],
        units=grouped(kept),
    )


def _lengths(everything: Part, here: NDArray[np.bool_]) -> Floats | None:
    """The lengths of some responses, as deviations from their mean in standard deviations."""
    given = everything.scores.patterns.scores.get(LENGTH)
    if given is None or np.isnan(given[everything.rows][here]).all():
        return None
    some = given[everything.rows][here]
    return np.asarray((some - np.nanmean(some)) / (np.nanstd(some) or 1.0))


def measures(grouped: Grouped) -> Iterator[GroupMeasure]:
    """Yield every number that is said of each group."""
    yield from _effects(grouped)
    yield from _at_the_same_length(grouped)
    yield from _of_moments(grouped)
    if not grouped.scale.continuous:
        yield from of_margins(grouped)
    yield from _of_ratings(grouped)


def errors_of(grouped: Grouped) -> GroupErrors:
    """Sums of errors by group and gold score; of one score where nearly each has its own."""
    error, score, scores = _errors(grouped)
    sums = np.zeros((len(grouped.names), scores, 4))
    np.add.at(
        sums,
        (grouped.place[grouped.used], score),
        GroupErrors.rows(error) * grouped.heavy[:, None],
    )
    return GroupErrors(sums)


def same_scores(grouped: Grouped) -> bool:
    """Whether responses can be compared at the same gold score."""
    return np.unique(grouped.rows.scores[grouped.used, 0]).size <= MOST_SCORES


def _errors(grouped: Grouped) -> tuple[Floats, Whole, int]:
    gold, system = grouped.rows.scores[grouped.used].T
    points, score = np.unique(gold, return_inverse=True)
    if points.size > MOST_SCORES:
        return system - gold, np.zeros(gold.size, dtype=np.int64), 1
    return system - gold, score, points.size


def _effects(grouped: Grouped) -> Iterator[GroupMeasure]:
    """Each group's errors less those of the first."""
    error, score, _ = _errors(grouped)
    cells = grouped.cells(np.stack([np.ones(error.size), error, error**2], axis=1), grouped.used)
    kinds = {"osa": by_group.osa_effects(cells), "osd": by_group.osd_effects(cells)}
    if same_scores(grouped):
        errors, place = errors_of(grouped), grouped.place[grouped.used]
        rows = by_group.residual_rows(errors, place, score, error)
        kinds["csd"] = by_group.csd_effects(errors, grouped.cells(rows, grouped.used))
    for kind, effects in kinds.items():
        why = "the group has no score in common with others" if kind == "csd" else "no response"
        yield GroupMeasure(name=f"{kind}_effect", contrast=effects, undefined=why, to_first=True)


def _at_the_same_length(grouped: Grouped) -> Iterator[GroupMeasure]:
    """Each group's errors less those of the first, at the same length, where lengths are given."""
    if grouped.length is None:
        return
    used = np.asarray(grouped.used & ~np.isnan(grouped.length))
    gold, system = grouped.rows.scores[used].T
    cells = grouped.cells(length_rows(system - gold, grouped.length[used]), used)
    contrasted, why = length_effect_contrast(cells), "the length does not vary within groups"
    yield GroupMeasure(name="length_effect", contrast=contrasted, undefined=why, to_first=True)


def _of_moments(grouped: Grouped) -> Iterator[GroupMeasure]:
    """Standardized differences, and the leading statistics of moments less those of the rest."""
    center = float(grouped.rows.points[0] + grouped.rows.points[-1]) / 2
    gold, system = (grouped.rows.scores[grouped.used] - center).T
    cells = grouped.cells(features(gold, system), grouped.used)

    def both(group: Any, other: Any) -> GroupMoments:
        return GroupMoments(PairMoments(group, center), PairMoments(other, center))

    contrasted = contrast(lambda group, every, _: dsm(both(group, every)), cells, "all")
    yield GroupMeasure(name="dsm", contrast=contrasted, undefined=CONSTANT)
    kinds: tuple[Kind, ...] = ("unpooled", "williamson", "johnson")
    for kind in kinds:
        contrasted = contrast(_smd(kind, both), cells, "all")
        yield GroupMeasure(
            name="smd", params={"kind": kind}, contrast=contrasted, undefined=CONSTANT, tested=False
        )
    yield from differences(grouped, "moments", cells, lambda sums: PairMoments(sums, center))


def _smd(kind: Kind, both: Callable[[Any, Any], GroupMoments]) -> Callable[[Any, Any, Any], Any]:
    return lambda group, every, _: smd(both(group, every), kind=kind)


def of_margins(grouped: Grouped) -> Iterator[GroupMeasure]:
    """The leading statistics of tables less those of the rest."""
    points = grouped.rows.points
    formulas = [
        f
        for f in formulas_for(grouped.scale, of_set("by_part", grouped.scale))
        if home(f) == "table"
    ]
    distances = distances_of([f.value for f in formulas], points)
    cells = grouped.cells(
        margin_rows(grouped.rows.scores[grouped.used], points, distances), grouped.used
    )
    yield from differences(
        grouped, "table", cells, lambda sums: PairMargins(sums, points, distances), formulas
    )


def differences(
    grouped: Grouped,
    kind: str,
    cells: GroupCells,
    build: Callable[[Any], Any],
    formulas: Sequence[Formula] | None = None,
) -> Iterator[GroupMeasure]:
    """The leading statistics in the group less those in all other groups."""
    for formula in formulas or formulas_for(grouped.scale, texts("by_part")):
        if home(formula) == kind:
            yield GroupMeasure(
                name="difference",
                params={"of": formula.key},
                contrast=contrast(_less_rest(formula, build), cells, "rest"),
                undefined=formula.undefined,
                score=BY_NAME[formula.name].score,
            )


def _less_rest(formula: Formula, build: Callable[[Any], Any]) -> Callable[[Any, Any, Any], Any]:
    return lambda group, rest, _: formula.value(build(group)) - formula.value(build(rest))


def _of_ratings(grouped: Grouped) -> Iterator[GroupMeasure]:
    """What ratings beside the system's scores say, where some response was rated twice."""
    if grouped.ratings is None:
        return
    people = (~np.isnan(grouped.ratings.scores[:, :-1])).sum(axis=1)
    used = np.asarray((people > 0) & ~np.isnan(grouped.ratings.scores[:, -1]))
    if not (people[used] > 1).any():
        return
    center = float(grouped.ratings.points[0] + grouped.ratings.points[-1]) / 2
    ratings, system = np.split(grouped.ratings.scores[used] - center, [-1], axis=1)
    cells = grouped.cells(GroupRatings.rows(ratings, system[:, 0]), used)
    contrasted = true_effect_contrast(cells)
    yield GroupMeasure(name="true_effect", contrast=contrasted, undefined=ONE_RATER, to_first=True)
    cells = grouped.cells(RatedSums.rows(ratings, system[:, 0]), used)
    contrasted = contrast(_prmse, cells, "all")
    why = "true scores do not vary in the group"
    yield GroupMeasure(name="prmse", contrast=contrasted, undefined=why, tested=False)


def _prmse(group: Any, every: Any, _: Any) -> Any:
    """PRMSE within a group, with the variance of rater errors of all groups."""
    return prmse(RatedSums(group), error=error_variance(RatedSums(every)))
