"""The rungs: what the ceilings of one part of the data are made of."""

from dataclasses import dataclass

import numpy as np

from tallymark.evaluation.beside_people import without_adjudicators
from tallymark.evaluation.ceilings.labels import (
    LabelCurve,
    Rated,
    coarse,
    label_curve,
    latents_of,
    simple,
)
from tallymark.evaluation.ceilings.ladder import Ladder, ladder_units
from tallymark.evaluation.people import People
from tallymark.evaluation.units import Rows
from tallymark.inference import Units
from tallymark.inference.influence import influence, standard_error
from tallymark.reliability.ceiling import Components
from tallymark.reliability.gold_rule import adjacency

NO_DOUBLE = "no response was rated twice, so the error of raters is not known"
CONSTANT = "the ratings do not vary"
NEGATIVE = (
    "no reliable variance between responses: ratings of one response differ as much as ratings of "
    "different responses"
)


@dataclass(frozen=True, slots=True)
class Rungs:
    """What ceilings of one part of the data are made of."""

    people: People
    units: Units[Ladder]
    rated: Rated
    curves: dict[str, LabelCurve]
    coarse: bool
    gold: str | None
    f_based: bool = True

    @property
    def twice(self) -> int:
        """Responses with two ratings or more."""
        rows = self.people.rows
        return int(rows.counts[rows.twice].sum())

    @property
    def own(self) -> Components:
        """Variance components of the data as they are."""
        return self.units.tally.own

    @property
    def undefined(self) -> str:
        """Why a ceiling is undefined, where it is."""
        own = self.own
        if np.isnan(own.error):
            return NO_DOUBLE
        return CONSTANT if np.isnan(own.one) else NEGATIVE


def rungs_of(people: People, gold: str | None, near: float | None = None) -> Rungs:
    """Prepare the ceilings of people and of the gold that the rule ``gold`` makes.

    ``near`` is how far two ratings may be apart without a third, if it is known.
    """
    ordered = people.rows.scores
    if near is None and ordered.shape[1] >= 3:
        near = adjacency(ordered)
    people = without_adjudicators(people)
    rows = people.rows.rated()
    units = ladder_units(rows, len(people.names))
    own = units.tally.own
    rated = Rated(
        people.scale, _mean(rows), float(own.true + own.error), _numbers(rows), near or 0.0
    )
    is_coarse = coarse(rows, people.scale)
    modelled = [rule for rule in (gold,) if rule is not None and (is_coarse or not simple(rule))]
    modelled += ["mean_up"] if is_coarse else []
    curves = {rule: _plain(rule) for rule in filter(None, ["first", "mean", "mean_up", gold])}
    if modelled and own.one > 0:
        se = standard_error(influence(lambda ladder: ladder.own.one, units), units.times)
        latents = latents_of(rated, float(own.one), se)
        curves |= {rule: label_curve(rule, rated, latents) for rule in modelled}
    return Rungs(people, units, rated, curves, is_coarse, gold)


def _plain(rule: str) -> LabelCurve:
    """Of a rule whose ceilings are not modelled, or cannot be."""
    return LabelCurve(rule, np.empty(0), np.empty((0, 4)))


def _mean(rows: Rows) -> float:
    given = ~np.isnan(rows.scores)
    total = rows.counts @ np.where(given, rows.scores, 0.0).sum(axis=1)
    return float(total / (rows.counts @ given.sum(axis=1)))


def _numbers(rows: Rows) -> dict[int, float]:
    """Shares of responses by their number of ratings."""
    given = (~np.isnan(rows.scores)).sum(axis=1)
    shares = np.bincount(given, weights=rows.counts) / rows.counts.sum()
    return {int(k): float(shares[k]) for k in np.flatnonzero(shares)}
