"""The rungs: what the ceilings of one part of the data are made of."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from tallymark.arrays import Floats
from tallymark.inference import Units
from tallymark.inference.influence import influence, standard_error
from tallymark.questions.ceilings.gold_curves import (
    Crew,
    GoldRatings,
    LabelCurve,
    Rated,
    coarse,
    label_curves,
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
from tallymark.reliability.congeneric import bent_slopes, core_of, model_of
from tallymark.reliability.gold_rule import ADJUDICATED, GUARD, adjacency
from tallymark.scale import Scale
from tallymark.study.parts import People
from tallymark.study.units import Rows
from tallymark.tally import nearest

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


AT_ONCE = 16
"""True scores of so many parts are fitted side by side: all their grids stay within memory."""


MANY_POINTS = 50
"""On more points than this rounding and the ends of the scale do not tell."""


class Rungs(Struct, frozen=True):
    """What ceilings of one part of the data are made of."""

    people: People
    units: Units[Ladder]
    rated: Rated
    curves: dict[str, LabelCurve]
    coarse: bool
    gold: str | None
    design: Design
    third: Floats | None = None
    f_based: bool = True

    @property
    def rows(self) -> Rows:
        """The ratings, and in a last column those of a third rater who decides between two."""
        return _with_third(self.people.rows, self.third)

    @property
    def modelled(self) -> dict[str, CeilingCurve]:
        """Curves of the ceilings that could be modelled, by the rule of the gold."""
        curves = {rule: curve.curve for rule, curve in self.curves.items()}
        return {rule: curve for rule, curve in curves.items() if curve is not None}

    @property
    def twice(self) -> int:
        """Responses with two ratings or more."""
        rows = self.people.rows
        return int(rows.counts[rows.twice].sum())

    @property
    def independent(self) -> bool:
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
        gold_alone = self.variances.single > 0 and np.isnan(self.units.tally.reliability(gold))
        return UNEXPLAINED if gold_alone else self.undefined


class PeopleAndGold(NamedTuple):
    """The people of a part of the data, and the rule that makes the gold.

    ``adjacency`` is how far two ratings may be apart without a third, if it is known. In ``slots`` which
    rater's rating comes first is a matter of chance. ``third`` are the ratings of one who decides
    where the first two are apart, and is not among the people.
    """

    people: People
    gold: str | None
    adjacency: float | None = None
    slots: bool = False
    third: Floats | None = None


def rungs_each(many: Sequence[PeopleAndGold]) -> list[Rungs]:
    """Prepare the ceilings of several parts of the data and of the gold that a rule makes.

    What is fitted to parts on one scale takes one go.
    """
    rungs: dict[int, Rungs] = {}
    scales: dict[Scale, list[int]] = {}
    for i, part in enumerate(many):
        scales.setdefault(part.people.scale, []).append(i)
    for places in scales.values():
        for start in range(0, len(places), AT_ONCE):
            batch = places[start : start + AT_ONCE]
            rungs |= zip(batch, _on_one_scale([many[i] for i in batch]), strict=True)
    return [rungs[i] for i in range(len(many))]


def _on_one_scale(many: Sequence[PeopleAndGold]) -> Iterator[Rungs]:
    parts = [_without_adjudicators(part) for part in many]
    rungs_of_parts = [_rungs(*pair) for pair in zip(parts, _designs(parts), strict=True)]
    golds_of_parts = [_golds(rungs) for rungs in rungs_of_parts]
    fitted = iter(label_curves([gold for golds in golds_of_parts for gold in golds]))
    for plain_rungs, golds in zip(rungs_of_parts, golds_of_parts, strict=True):
        curves = plain_rungs.curves | {gold.rule: next(fitted) for gold in golds}
        rungs = replace(plain_rungs, curves=curves)
        # who rated, and whether all did, decides which formulas there are
        bound = rungs.people.names, bool(rungs.people.rows.rated().whole.all())
        yield replace(rungs, units=with_curves(rungs.units, rungs.design, rungs.modelled, *bound))


def _without_adjudicators(part: PeopleAndGold) -> PeopleAndGold:
    """The same without adjudicators, but for the ratings of the one whom the gold rests on."""
    people, scores = part.people, part.people.rows.scores
    limit = part.adjacency or 0.0
    if part.adjacency is None and scores.shape[1] >= 3:
        limit = adjacency(scores)
    third = None
    if part.gold in ADJUDICATED and [i for i in people.adjudicators if i < 3] == [2]:
        disputed = np.abs(scores[:, 0] - scores[:, 1]) > limit + GUARD
        third = np.where(disputed, scores[:, 2], np.nan)
        third = None if np.isnan(third).all() else third
    return part._replace(people=people.without_adjudicators(), adjacency=limit, third=third)


def _with_third(rows: Rows, third: Floats | None) -> Rows:
    if third is None:
        return rows
    return replace(rows, scores=np.column_stack([rows.scores, third]))


def _rungs(part: PeopleAndGold, design: Design) -> Rungs:
    """The rungs without the curves, which are fitted."""
    people, gold, third = part.people, part.gold, part.third
    rows = people.rows.rated()
    rated_rows = np.asarray(~np.isnan(people.rows.scores).all(axis=1))
    wide = rows if third is None else _with_third(people.rows, third).where(rated_rows)
    units = ladder_units(wide, design)
    if design.model == "congeneric":
        core = core_of(units.tally.raters, design.linked)
        if core is not None:
            design = design._replace(model="grubbs", core=core)
            units = ladder_units(wide, design)
    rated = Rated(people.scale, 0.0, 0.0, _numbers(rows), part.adjacency or 0.0)
    curves = {rule: LabelCurve(rule) for rule in filter(None, ["first", "mean", "mean_up", gold])}
    return Rungs(people, units, rated, curves, coarse(rows, people.scale), gold, design, third)


def _designs(many: Sequence[PeopleAndGold]) -> list[Design]:
    """How far the raters of each part can be told apart."""
    designs = [_design(part) for part in many]
    two = [i for i, design in enumerate(designs) if design.model != "pool" and design.raters == 2]
    scale = many[0].people.scale
    points = np.asarray(scale.points)
    if two and not scale.continuous and 2 < points.size <= MANY_POINTS:
        tables = [_table(many[i].people.rows.complete(), points) for i in two]
        about = points - (points[0] + points[-1]) / 2
        for i, bent in zip(two, bent_slopes(about, tables), strict=True):
            designs[i] = designs[i]._replace(bent=bent)
    return designs


def _design(part: PeopleAndGold) -> Design:
    """How far the raters of one part can be told apart, ignoring the ends of the scale."""
    rows, gold = part.people.rows, part.gold
    limit = None if part.third is None else part.adjacency
    present = (~np.isnan(rows.scores)) * 1.0
    shared = (present * rows.counts[:, None]).T @ present
    model, linked = model_of(shared)
    if model == "pool":
        return pool(len(shared))._replace(third=limit)
    rules = dict.fromkeys(["mean", "first", *([gold] if gold and simple(gold) else [])])
    complete = len(shared) == 2 and bool(rows.rated().whole.all())
    return Design(
        len(shared), model, linked, tuple(rules), part.slots, complete=complete, third=limit
    )


def _table(rows: Rows, points: Floats) -> Floats:
    """How often two raters gave each pair of points."""
    table = np.zeros((points.size, points.size))
    np.add.at(table, tuple(nearest(column, points) for column in rows.scores.T), rows.heavy)
    return table


def _golds(rungs: Rungs) -> list[GoldRatings]:
    """The golds on points whose ceilings come from true scores that fit the ratings behind them."""
    gold, ladder = rungs.gold, rungs.units.tally
    rules = [gold] if gold is not None and (rungs.coarse or not simple(gold)) else []
    rules += ["mean_up"] if rungs.coarse else []
    if not rules or not ladder.variances.single > 0:
        return []
    rows = rungs.people.rows.rated()
    modelled = [rule for rule in dict.fromkeys(rules) if summary(ladder, rule)[0] > 0]
    return [_gold_ratings(rule, rungs, rows) for rule in modelled]


def _gold_ratings(rule: str, rungs: Rungs, rows: Rows) -> GoldRatings:
    rated, ladder, units = rungs.rated, rungs.units.tally, rungs.units
    single, mean, variance, *third = (float(value) for value in summary(ladder, rule))
    middle = (rated.scale.low + rated.scale.high) / 2
    rated = rated._replace(mean=middle + mean, variance=variance, third=tuple(third))
    if ladder.design.model != "pool" and not simple(rule):
        rated = rated._replace(crew=_crew(ladder, rule, rows, middle))
    moves = influence(lambda tally: summary(tally, rule)[0], units)
    return GoldRatings(rule, rated, single, standard_error(moves, units.times))


def _crew(ladder: Ladder, rule: str, rows: Rows, middle: float) -> Crew | None:
    """The raters one by one; None where they are too many, or one seems free of error."""
    raters, number = ladder.raters, ladder.design.raters
    if number > MOST_TOLD_APART or not (raters.error > 0).all():
        return None
    total = raters.loading**2 + raters.error
    moments = zip(
        (ladder.means + middle).tolist(), total.tolist(), raters.error.tolist(), strict=True
    )
    sets: dict[tuple[int, ...], float] = {(0, 1, 2): 1.0} if rule in ADJUDICATED else _sets(rows)
    return Crew(tuple(moments), raters.ratings / raters.ratings.sum(), sets)


def _sets(rows: Rows) -> dict[tuple[int, ...], float]:
    """Who rated together, by the share of responses."""
    present = ~np.isnan(rows.scores)
    shares = np.bincount(present @ (1 << np.arange(present.shape[1])), weights=rows.heavy)
    codes = np.flatnonzero(shares).tolist()
    sets = [tuple(i for i in range(present.shape[1]) if code >> i & 1) for code in codes]
    return dict(zip(sets, (shares[codes] / shares.sum()).tolist(), strict=True))


def _numbers(rows: Rows) -> dict[int, float]:
    """Shares of responses by their number of ratings."""
    present = (~np.isnan(rows.scores)).sum(axis=1)
    shares = np.bincount(present, weights=rows.heavy) / rows.heavy.sum()
    return {int(k): float(shares[k]) for k in np.flatnonzero(shares)}
