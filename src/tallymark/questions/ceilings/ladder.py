"""The ladder: all that ceilings are computed from, in one tally, so that it is resampled as one."""

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import chain, combinations, pairwise
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.agreement.correlation import lin_ccc, pearson
from tallymark.arrays import Floats, Whole
from tallymark.defaults import FEW, MANY_RATERS
from tallymark.inference import Units
from tallymark.inference.units import PartBuild
from tallymark.reliability.ceiling import CeilingComponents, components, theoretical
from tallymark.reliability.congeneric import (
    Bent,
    Model,
    Raters,
    further_rater,
    gold_reliability,
    own_errors,
    pair_moments,
)
from tallymark.reliability.gold_rule import GUARD, POSITIONS, gold_weights
from tallymark.results import Key
from tallymark.scale import Scale
from tallymark.study.rows import Rows, grouped
from tallymark.tally import OneWay, PairMoments, PanelMoments, nearest
from tallymark.tally.linked import LinkedSums, WeightedSums
from tallymark.tally.moments import features

KAPPAS = ("lin_ccc", "cohen_kappa[identity]", "cohen_kappa[quadratic]")
"""Agreement of continuous scores, on two points, and on more of them."""


def kappa_on(scale: Scale) -> str:
    """The agreement that ceilings are of: QWK, kappa on two points, concordance without points."""
    if scale.continuous:
        return KAPPAS[0]
    return KAPPAS[1] if scale.view == "binary" else KAPPAS[2]


def kappa_in(numbers: Collection[str], **key: str) -> str:
    """The agreement that some ceilings are of, or people beside them."""
    params = {"name": "human_human", **key}
    name = params.pop("name")
    keys = {kappa: Key(name, of=kappa, **params) for kappa in KAPPAS[:2]}
    return next((kappa for kappa, key_of in keys.items() if key_of in numbers), KAPPAS[2])


BENT = ("factors", "slopes", "moments")
"""What is known of bent slopes in numbers."""


class Design(NamedTuple):
    """How far raters can be distinguished: by which model, who is linked, and for which golds.

    ``bent`` tells how the ends of the scale bend the slopes of two raters, about its middle;
    ``complete`` that the two rated every response. In ``slots`` which rater's rating comes first is
    a matter of chance. ``core`` are the two raters with
    equal slopes, where the others rate at random. A ``third`` rater is asked where the first two are
    further apart than this.
    """

    raters: int
    model: Model
    linked: NDArray[np.bool_]
    rules: tuple[str, ...] = ()
    slots: bool = False
    bent: Bent | None = None
    core: NDArray[np.bool_] | None = None
    complete: bool = False
    third: float | None = None


class CeilingCurve(NamedTuple):
    """Ceilings against one kind of gold along the reliability of one rating, as they were modelled.

    ``slopes`` tell how they change with the mean and the variance of the ratings, which
    are ``moments`` here. Leading axes are parts of the data.
    """

    reliability: Floats
    ceilings: Floats
    slopes: Floats
    moments: Floats


def pool(raters: int) -> Design:
    """Raters who are not told apart."""
    return Design(raters, "pool", np.zeros(raters, dtype=bool))


class Ladder(Struct, frozen=True, dict=True):
    """Ratings one by one, of fixed raters, of pairs of raters, and the system beside the gold.

    ``points`` has the system's scores on the points of the gold, ``trimmed`` as they were given.
    ``linked`` and ``golds`` tell raters apart; ``design`` says how far they can be. ``curves`` are
    those of the part of the data, by the rule of the gold. ``third`` holds how often a third rater
    was asked, and the sums of that rating less the mean of the first two, and of its square.
    """

    ratings: OneWay
    fixed: PanelMoments
    people: PairMoments
    points: PairMoments
    trimmed: PairMoments
    linked: LinkedSums
    golds: Mapping[str, WeightedSums]
    design: Design
    third: Floats
    curves: Mapping[str, CeilingCurve] = field(default_factory=dict)

    @cached_property
    def variances(self) -> CeilingComponents:
        """Variance components, raters taken as drawn anew for each response."""
        return components(self.ratings)

    @cached_property
    def raters(self) -> Raters:
        """Each rater's slope and error."""
        design = self.design
        bent = 1.0 if design.bent is None else design.bent.at(pair_moments(self.linked))
        return own_errors(self.linked, design.model, design.linked, bent, design.core)

    @cached_property
    def unbent(self) -> Raters:
        """The same if the ends of the scale bent no slope."""
        return own_errors(self.linked, self.design.model, self.design.linked, 1.0, self.design.core)

    def behind(self, rule: str) -> Raters:
        """The raters behind a gold.

        If two rated every response, their slopes hardly matter for the mean of both: what one gains
        the other loses. What is left is always a gain, so that a bend which may be chance would
        raise it.
        """
        bent = self.design.bent
        chance = self.design.complete and bent is not None and not bent.certain
        return self.unbent if chance and rule not in POSITIONS else self.raters

    @cached_property
    def means(self) -> Floats:
        """Mean rating of each rater, about the middle of the scale."""
        diagonals = (
            np.diagonal(part, axis1=-2, axis2=-1)
            for part in (self.linked.totals, self.linked.shared)
        )
        total, number = diagonals
        with np.errstate(invalid="ignore", divide="ignore"):  # a rater of no drawn response
            return np.asarray(np.where(number == 0, 0.0, total / number))

    def reliability(self, rule: str) -> Floats:
        """Reliability of a gold that is a rating, a sum or a mean; NaN where nothing is reliable."""
        if self.design.model == "pool" or rule not in self.golds:
            return pooled_reliability(self, rule)
        if rule not in self.reliabilities:
            self.reliabilities[rule] = gold_reliability(self.behind(rule), self.golds[rule])
        return self.reliabilities[rule]

    @cached_property
    def reliabilities(self) -> dict[str, Floats]:
        """Those of golds that were asked for: many numbers rest on each."""
        return {}

    @cached_property
    def summaries(self) -> dict[str, tuple[Floats, ...]]:
        """Reliability, mean and variance of one rating, by the golds that were asked for."""
        return {}

    def further(self, rule: str) -> Floats:
        """Correlation with the true score of one more rater like those behind a gold."""
        if self.design.model == "pool":
            return theoretical(self.variances.single)
        return further_rater(self.behind(rule))


def pooled_reliability(ladder: Ladder, rule: str) -> Floats:
    """The same if every rating has the same error: of one rating, or of the mean of all."""
    variances = ladder.variances
    return variances.single if rule in POSITIONS else variances.mean


def qwk_of_people(ladder: Ladder) -> Floats:
    """Quadratic weighted kappa of two raters, mean over pairs."""
    return _over_pairs(lin_ccc(ladder.people), ladder.people)


def r_of_people(ladder: Ladder) -> Floats:
    """Correlation of two raters, mean over pairs."""
    return _over_pairs(pearson(ladder.people), ladder.people)


def _over_pairs(values: Floats, pairs: PairMoments) -> Floats:
    shared = np.real(pairs.n) > 0
    with np.errstate(invalid="ignore", divide="ignore"):  # no pair is left
        return np.asarray(np.where(shared, values, 0).sum(axis=-1) / shared.sum(axis=-1))


def ladder_units(
    rows: Rows,
    design: Design,
    gold_points: Floats | None = None,
    curves: Mapping[str, CeilingCurve] | None = None,
) -> Units[Ladder]:
    """Units of the ladder: ratings in the first columns, that of a third rater, gold and system."""
    distinct, raters = rows.distinct(), design.raters
    start = raters + (design.third is not None)
    center = _middle(rows.points)
    ratings = distinct.scores[:, :raters] - center
    third = distinct.scores[:, raters:start] - center
    gold_and_system = distinct.scores[:, start : start + 2]
    # each block is added up before the next is made: a million responses stay within memory
    group = grouped(distinct)
    parts: dict[str, Iterable[Floats]] = {
        "one": [OneWay.rows(ratings)],
        "fixed": [PanelMoments.rows(ratings)],
        "pairs": pair_features(ratings, distinct.counts),
        **_named(ratings, design),
        "third": _third(ratings, third, design.third),
        "system": _system(gold_and_system, gold_points),
    }
    sums = {name: [group.sums(block) for block in blocks] for name, blocks in parts.items()}
    ends = np.cumsum([0, *(sum(block.shape[1] for block in part) for part in sums.values())])
    place = {name: slice(*edges) for name, edges in zip(sums, pairwise(ends.tolist()), strict=True)}
    middle = 0.0 if gold_points is None else _middle(gold_points)
    build = PartBuild(partial(_ladder, place=place, design=design, middle=middle), {})
    units = group.units(np.concatenate([*chain(*sums.values())], axis=1), build)
    all_scores = np.column_stack([ratings + center, gold_and_system])
    differing = np.fmax.reduce(all_scores, axis=1) - np.fmin.reduce(all_scores, axis=1) > GUARD
    carry = group.sums(differing[:, None] * 1.0)[:, 0] > 0
    places = tuple((name, columns.start, columns.stop) for name, columns in place.items())
    return with_curves(
        replace(units, shape=("ladder", places, middle), differing=carry), design, curves or {}
    )


def with_curves(
    units: Units[Ladder], design: Design, curves: Mapping[str, CeilingCurve], *bound: Hashable
) -> Units[Ladder]:
    """The same units with the curves of their part of the data.

    Their shape says which others the same functions can be taken of in one go; ``bound`` is what else
    formulas of this part are bound to. Slopes of three raters or more are found by rounds that end
    when the last of a stack is settled: such units stay by themselves, or their ninth digits would
    depend on the others.
    """
    if not isinstance(units.build, PartBuild):
        raise TypeError("these units are of no ladder")
    numbers: dict[Any, Floats] = {}
    for rule, curve in curves.items():
        numbers |= {(rule, name): part for name, part in curve._asdict().items()}
    if design.bent is not None:
        numbers |= {("", name): getattr(design.bent, name) for name in BENT}
    sizes = tuple((name, part.shape) for name, part in numbers.items())
    shape_text = repr(
        (units.shape, _design_shape(design), sizes, *bound)
    )  # a text is soon compared
    shape = None if design.model == "congeneric" else shape_text
    return replace(units, build=PartBuild(units.build.make, numbers), shape=shape)


def _design_shape(design: Design) -> tuple[Hashable, ...]:
    """What tells designs apart, beside the numbers that are handed to the ladder."""
    bent, core = design.bent, design.core
    return (
        design.raters, design.model, design.linked.tobytes(), design.rules, design.slots,
        design.complete, bent and bent.certain, None if core is None else core.tobytes(),
    )  # fmt: skip


def _ladder(
    sums: Floats,
    numbers: Mapping[Any, Floats],
    *,
    place: Mapping[str, slice],
    design: Design,
    middle: float,
) -> Ladder:
    """Read a ladder off its sums, each part at its place."""
    rules = [rule for rule in design.rules if rule in place]
    people, system = sums[..., place["pairs"]], sums[..., place["system"]]
    if design.bent is not None:
        factors, slopes, moments = (numbers["", name] for name in BENT)
        bent = Bent(factors, slopes, moments, design.bent.certain)
        design = design._replace(bent=bent)
    modelled = dict.fromkeys(rule for rule, _ in numbers if rule)
    return Ladder(
        OneWay(sums[..., place["one"]]),
        PanelMoments(sums[..., place["fixed"]]),
        PairMoments(people.reshape(*people.shape[:-1], -1, 8)),
        PairMoments(system[..., :8], middle),
        PairMoments(system[..., 8:], middle),
        LinkedSums(sums[..., place["linked"]], design.raters),
        {rule: WeightedSums(sums[..., place[rule]], design.raters) for rule in rules},
        design,
        sums[..., place["third"]],
        {
            rule: CeilingCurve(*(numbers[rule, name] for name in CeilingCurve._fields))
            for rule in modelled
        },
    )


def _system(scores: Floats, gold_points: Floats | None) -> Iterator[Floats]:
    """Gold and system, first on the points of the gold and then as given."""
    if gold_points is None:
        return
    gold, system = scores.T
    middle = _middle(gold_points)
    for scores_of_system in (gold_points[nearest(system, gold_points)], system):
        yield features(gold - middle, scores_of_system - middle)


def _third(ratings: Floats, third: Floats, adjacency: float | None) -> Iterator[Floats]:
    """Where a third rater was asked, how far that rating is from the mean of the first two."""
    if adjacency is None:
        return
    away = third[:, 0] - ratings[:, :2].mean(axis=1)
    called = (np.abs(ratings[:, 0] - ratings[:, 1]) > adjacency + GUARD) & ~np.isnan(away)
    away = np.where(called, away, 0.0)
    yield np.stack([called * 1.0, away, away**2], axis=1)


def _middle(points: Floats) -> float:
    return float(points[0] + points[-1]) / 2


def _named(ratings: Floats, design: Design) -> dict[str, Iterator[Floats]]:
    """Sums that tell raters apart: nothing in a pool."""
    if design.model == "pool":
        return {"linked": iter(())}
    blocks = {"linked": LinkedSums.blocks(ratings)}
    for rule in design.rules:
        drawn = design.slots and rule in POSITIONS
        weights = gold_weights("mean" if drawn else rule, ratings)
        if weights is not None:
            blocks[rule] = WeightedSums.blocks(ratings, weights, drawn=drawn)
    return blocks


def pair_features(ratings: Floats, counts: Whole) -> Sequence[Floats]:
    """What each response adds to the moments of every two raters, or of a pool as one."""
    present = ~np.isnan(ratings)
    shared = present.astype(np.float64)
    common = (shared * counts[:, None]).T @ shared
    few = common.size == 0 or common.min() < min(FEW, counts.sum())
    if few or ratings.shape[1] > MANY_RATERS:
        return [_pool_features(ratings)]
    blocks = []
    for first, second in combinations(range(ratings.shape[1]), 2):
        together = present[:, first] & present[:, second]
        pair = (np.where(together, ratings[:, rater], 0.0) for rater in (first, second))
        blocks.append(features(*pair) * together[:, None])
    return blocks


def _pool_features(ratings: Floats) -> Floats:
    """Mean over all ordered pairs of ratings of a response, as moments of one pair."""
    present = ~np.isnan(ratings)
    k, filled = present.sum(axis=1) * 1.0, np.where(present, ratings, 0.0)
    total, squares = filled.sum(axis=1), (filled * filled).sum(axis=1)
    twice = k > 1
    many = np.where(twice, k, 2.0)
    mean, square = total / many, squares / many
    product = (total * total - squares) / (many * (many - 1))
    difference = 2 * (square - product)
    # sums of absolute differences are not needed, and stay 0
    columns = [np.ones_like(k), mean, mean, square, square, product, np.zeros_like(k), difference]
    return np.where(twice[:, None], np.stack(columns, axis=1), 0.0)
