"""The rungs: what the ceilings of one part of the data are made of."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tallymark.inference import Units
from tallymark.inference.influence import influence, standard_error
from tallymark.questions.ceilings.labels import (
    Crew,
    LabelCurve,
    Rated,
    coarse,
    label_curve,
    latents_of,
    simple,
    summary,
)
from tallymark.questions.ceilings.ladder import (
    CeilingCurve,
    Design,
    Ladder,
    ladder_units,
    pool,
    with_curves,
)
from tallymark.reliability.ceiling import CeilingComponents
from tallymark.reliability.congeneric import core_of, model_of
from tallymark.reliability.gold_rule import adjacency
from tallymark.reliability.unequal import Bent, bent_slopes
from tallymark.scale import Scale
from tallymark.study.parts import People
from tallymark.study.units import Rows
from tallymark.tally import nearest

Floats = NDArray[np.float64]
NO_DOUBLE = "no response was rated twice, so the error of raters is not known"
CONSTANT = "the ratings do not vary"
UNEXPLAINED = (
    "true scores explain none of the variance of this gold: its raters do not vary with the others"
)
NEGATIVE = (
    "no reliable variance between responses: ratings of one response differ as much as ratings of "
    "different responses"
)


MOST_TOLD_APART = 4
"""So many raters are told apart in golds that do not add up; more are taken as one kind."""


MANY_POINTS = 50
"""On more points than this rounding and the ends of the scale do not tell."""


@dataclass(frozen=True, slots=True)
class Rungs:
    """What ceilings of one part of the data are made of."""

    people: People
    units: Units[Ladder]
    rated: Rated
    curves: dict[str, LabelCurve]
    coarse: bool
    gold: str | None
    design: Design
    f_based: bool = True

    @property
    def known(self) -> dict[str, CeilingCurve]:
        """Curves of the ceilings that could be modelled, by the rule of the gold."""
        return {rule: made.curve for rule, made in self.curves.items() if made.curve is not None}

    @property
    def twice(self) -> int:
        """Responses with two ratings or more."""
        rows = self.people.rows
        return int(rows.counts[rows.twice].sum())

    @property
    def alike(self) -> bool:
        """Whether responses are independent and of equal weight, as F-based limits take them."""
        return self.units.kind == "responses" and self.units.worth is None

    @property
    def variances(self) -> CeilingComponents:
        """Variance components of the data as they are."""
        return self.units.tally.variances

    @property
    def undefined(self) -> str:
        """Why a ceiling is undefined, where it is."""
        variances = self.variances
        if np.isnan(variances.error):
            return NO_DOUBLE
        return CONSTANT if np.isnan(variances.single) else NEGATIVE

    def unexplained(self, gold: str) -> str:
        """Why there is no ceiling of a gold, where reliability of one rating may be known."""
        known = self.variances.single > 0 and np.isnan(self.units.tally.reliability(gold))
        return UNEXPLAINED if known else self.undefined


def rungs_of(
    people: People, gold: str | None, near: float | None = None, *, slots: bool = False
) -> Rungs:
    """Prepare the ceilings of people and of the gold that the rule ``gold`` makes.

    ``near`` is how far two ratings may be apart without a third, if it is known. In ``slots`` which
    rater's rating comes first is a matter of chance.
    """
    ordered = people.rows.scores
    if near is None and ordered.shape[1] >= 3:
        near = adjacency(ordered)
    people = people.without_adjudicators()
    design = _design(people, gold, slots=slots)
    units = ladder_units(people.rows.rated(), design)
    if design.model == "congeneric":
        core = core_of(units.tally.raters, design.linked)
        if core is not None:
            design = design._replace(model="grubbs", core=core)
            units = ladder_units(people.rows.rated(), design)
    rated_rows = people.rows.rated()
    rated = Rated(people.scale, 0.0, 0.0, _numbers(rated_rows), near or 0.0)
    is_coarse = coarse(rated_rows, people.scale)
    modelled = [rule for rule in (gold,) if rule is not None and (is_coarse or not simple(rule))]
    modelled += ["mean_up"] if is_coarse else []
    curves = {rule: LabelCurve(rule) for rule in filter(None, ["first", "mean", "mean_up", gold])}
    if modelled and units.tally.variances.single > 0:
        curves |= {rule: _modelled(rule, rated, units, rated_rows) for rule in modelled}
    rungs = Rungs(people, units, rated, curves, is_coarse, gold, design)
    # who rated, and whether all did, decides which formulas there are
    bound = people.names, bool(rated_rows.whole.all())
    return replace(rungs, units=with_curves(units, design, rungs.known, *bound))


def _design(people: People, gold: str | None, *, slots: bool) -> Design:
    """How far these raters can be told apart."""
    rows = people.rows
    given = (~np.isnan(rows.scores)) * 1.0
    shared = (given * rows.counts[:, None]).T @ given
    model, linked = model_of(shared)
    if model == "pool":
        return pool(len(shared))
    rules = dict.fromkeys(["mean", "first", *([gold] if gold and simple(gold) else [])])
    two, both = len(shared) == 2, bool(rows.rated().whole.all())
    bent = _bent(rows, people.scale) if two else None
    return Design(len(shared), model, linked, tuple(rules), slots, bent, both=two and both)


def _bent(rows: Rows, scale: Scale) -> Bent | None:
    """How the ends of the scale bend the slopes of two raters; not at all without points."""
    points = np.asarray(scale.points)
    if scale.continuous or not 2 < points.size <= MANY_POINTS:
        return None
    both = rows.complete()
    table = np.zeros((points.size, points.size))
    np.add.at(table, tuple(nearest(column, points) for column in both.scores.T), both.heavy)
    return bent_slopes(points - (points[0] + points[-1]) / 2, table)


def _modelled(rule: str, rated: Rated, units: Units[Ladder], rows: Rows) -> LabelCurve:
    """The ceilings of a gold on its points, from true scores that fit the ratings behind it."""
    ladder = units.tally
    single, mean, variance = (float(value) for value in summary(ladder, rule))
    middle = (rated.scale.low + rated.scale.high) / 2
    rated = rated._replace(mean=middle + mean, variance=variance)
    if ladder.design.model != "pool" and not simple(rule):
        rated = rated._replace(crew=_crew(ladder, rule, rows, middle))
    if not single > 0:
        return LabelCurve(rule)
    se = standard_error(influence(lambda tally: summary(tally, rule)[0], units), units.times)
    return label_curve(rule, rated, latents_of(rated, single, se))


def _crew(ladder: Ladder, rule: str, rows: Rows, middle: float) -> Crew | None:
    """The raters one by one; None where they are too many, or one seems free of error."""
    raters, number = ladder.raters, ladder.design.raters
    if number > MOST_TOLD_APART or not (raters.error > 0).all():
        return None
    total = raters.loading**2 + raters.error
    moments = zip(
        (ladder.means + middle).tolist(), total.tolist(), raters.error.tolist(), strict=True
    )
    adjudicated = rule == "parity" or rule.startswith("third_")
    sets: dict[tuple[int, ...], float] = {(0, 1, 2): 1.0} if adjudicated else _sets(rows)
    return Crew(tuple(moments), raters.ratings / raters.ratings.sum(), sets)


def _sets(rows: Rows) -> dict[tuple[int, ...], float]:
    """Who rated together, by the share of responses."""
    given = ~np.isnan(rows.scores)
    shares = np.bincount(given @ (1 << np.arange(given.shape[1])), weights=rows.heavy)
    return {
        tuple(i for i in range(given.shape[1]) if code >> i & 1): float(shares[code] / shares.sum())
        for code in np.flatnonzero(shares).tolist()
    }


def _numbers(rows: Rows) -> dict[int, float]:
    """Shares of responses by their number of ratings."""
    given = (~np.isnan(rows.scores)).sum(axis=1)
    shares = np.bincount(given, weights=rows.heavy) / rows.heavy.sum()
    return {int(k): float(shares[k]) for k in np.flatnonzero(shares)}
