"""The rungs: what the ceilings of one part of the data are made of."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.inference import Units
from tallymark.inference.influence import influence, standard_error
from tallymark.questions.ceilings.fits import Crew, Rated, ToModel
from tallymark.questions.ceilings.labels import LabelCurve, coarse, label_curves, simple, summary
from tallymark.questions.ceilings.ladder import (
    CeilingCurve,
    Design,
    Ladder,
    ladder_units,
    pool,
    with_curves,
)
from tallymark.reliability.bent import bent_slopes
from tallymark.reliability.ceiling import CeilingComponents
from tallymark.reliability.congeneric import core_of, model_of
from tallymark.reliability.gold_rule import ADJUDICATED, GUARD, adjacency
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
        return _beside(self.people.rows, self.third)

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


class ToPrepare(NamedTuple):
    """The people of a part of the data, and the rule that makes the gold.

    ``near`` is how far two ratings may be apart without a third, if it is known. In ``slots`` which
    rater's rating comes first is a matter of chance. ``third`` are the ratings of one who decides
    where the first two are apart, and is not among the people.
    """

    people: People
    gold: str | None
    near: float | None = None
    slots: bool = False
    third: Floats | None = None


def rungs_each(many: Sequence[ToPrepare]) -> list[Rungs]:
    """Prepare the ceilings of several parts of the data and of the gold that a rule makes.

    What is fitted to parts on one scale takes one go.
    """
    made: dict[int, Rungs] = {}
    scales: dict[Scale, list[int]] = {}
    for i, asked in enumerate(many):
        scales.setdefault(asked.people.scale, []).append(i)
    for which in scales.values():
        for start in range(0, len(which), AT_ONCE):
            some = which[start : start + AT_ONCE]
            made |= zip(some, _on_one_scale([many[i] for i in some]), strict=True)
    return [made[i] for i in range(len(many))]


def _on_one_scale(many: Sequence[ToPrepare]) -> Iterator[Rungs]:
    kept = [_kept(asked) for asked in many]
    prepared = [_prepared(*each) for each in zip(kept, _designs(kept), strict=True)]
    modelled = [_to_model(rungs) for rungs in prepared]
    made = iter(label_curves([asked for each in modelled for asked in each]))
    for plain, each in zip(prepared, modelled, strict=True):
        rungs = replace(plain, curves=plain.curves | {asked.rule: next(made) for asked in each})
        # who rated, and whether all did, decides which formulas there are
        bound = rungs.people.names, bool(rungs.people.rows.rated().whole.all())
        yield replace(rungs, units=with_curves(rungs.units, rungs.design, rungs.known, *bound))


def _kept(asked: ToPrepare) -> ToPrepare:
    """The same without adjudicators, but for the ratings of the one whom the gold rests on."""
    people, scores = asked.people, asked.people.rows.scores
    known = asked.near is not None or scores.shape[1] < 3
    near = (asked.near or 0.0) if known else adjacency(scores)
    third = None
    if asked.gold in ADJUDICATED and [i for i in people.adjudicators if i < 3] == [2]:
        apart = np.abs(scores[:, 0] - scores[:, 1]) > near + GUARD
        third = np.where(apart, scores[:, 2], np.nan)
        third = None if np.isnan(third).all() else third
    return asked._replace(people=people.without_adjudicators(), near=near, third=third)


def _beside(rows: Rows, third: Floats | None) -> Rows:
    if third is None:
        return rows
    return replace(rows, scores=np.column_stack([rows.scores, third]))


def _prepared(asked: ToPrepare, design: Design) -> Rungs:
    """The rungs without the curves, which are fitted."""
    people, gold, third = asked.people, asked.gold, asked.third
    rows = people.rows.rated()
    some = np.asarray(~np.isnan(people.rows.scores).all(axis=1))
    wide = rows if third is None else _beside(people.rows, third).where(some)
    units = ladder_units(wide, design)
    if design.model == "congeneric":
        core = core_of(units.tally.raters, design.linked)
        if core is not None:
            design = design._replace(model="grubbs", core=core)
            units = ladder_units(wide, design)
    rated = Rated(people.scale, 0.0, 0.0, _numbers(rows), asked.near or 0.0)
    curves = {rule: LabelCurve(rule) for rule in filter(None, ["first", "mean", "mean_up", gold])}
    return Rungs(people, units, rated, curves, coarse(rows, people.scale), gold, design, third)


def _designs(many: Sequence[ToPrepare]) -> list[Design]:
    """How far the raters of each part can be told apart."""
    made = [_design(asked) for asked in many]
    two = [i for i, each in enumerate(made) if each.model != "pool" and each.raters == 2]
    scale = many[0].people.scale
    points = np.asarray(scale.points)
    if two and not scale.continuous and 2 < points.size <= MANY_POINTS:
        tables = [_table(many[i].people.rows.complete(), points) for i in two]
        about = points - (points[0] + points[-1]) / 2
        for i, bent in zip(two, bent_slopes(about, tables), strict=True):
            made[i] = made[i]._replace(bent=bent)
    return made


def _design(asked: ToPrepare) -> Design:
    """The same of one part, as if the ends of the scale bent no slopes."""
    rows, gold = asked.people.rows, asked.gold
    near = None if asked.third is None else asked.near
    given = (~np.isnan(rows.scores)) * 1.0
    shared = (given * rows.counts[:, None]).T @ given
    model, linked = model_of(shared)
    if model == "pool":
        return pool(len(shared))._replace(third=near)
    rules = dict.fromkeys(["mean", "first", *([gold] if gold and simple(gold) else [])])
    both = len(shared) == 2 and bool(rows.rated().whole.all())
    return Design(len(shared), model, linked, tuple(rules), asked.slots, both=both, third=near)


def _table(both: Rows, points: Floats) -> Floats:
    """How often two raters gave each pair of points."""
    table = np.zeros((points.size, points.size))
    np.add.at(table, tuple(nearest(column, points) for column in both.scores.T), both.heavy)
    return table


def _to_model(rungs: Rungs) -> list[ToModel]:
    """The golds on points whose ceilings come from true scores that fit the ratings behind them."""
    gold, ladder = rungs.gold, rungs.units.tally
    rules = [gold] if gold is not None and (rungs.coarse or not simple(gold)) else []
    rules += ["mean_up"] if rungs.coarse else []
    if not rules or not ladder.variances.single > 0:
        return []
    rows = rungs.people.rows.rated()
    known = [rule for rule in dict.fromkeys(rules) if summary(ladder, rule)[0] > 0]
    return [_asked(rule, rungs, rows) for rule in known]


def _asked(rule: str, rungs: Rungs, rows: Rows) -> ToModel:
    rated, ladder, units = rungs.rated, rungs.units.tally, rungs.units
    single, mean, variance, *third = (float(value) for value in summary(ladder, rule))
    middle = (rated.scale.low + rated.scale.high) / 2
    rated = rated._replace(mean=middle + mean, variance=variance, third=tuple(third))
    if ladder.design.model != "pool" and not simple(rule):
        rated = rated._replace(crew=_crew(ladder, rule, rows, middle))
    moves = influence(lambda tally: summary(tally, rule)[0], units)
    return ToModel(rule, rated, single, standard_error(moves, units.times))


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
