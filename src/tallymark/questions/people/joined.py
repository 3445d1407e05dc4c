"""Joined: ratings beside a system's scores, and which pairs of scores are compared."""

from itertools import permutations
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.defaults import FEW, MANY_RATERS
from tallymark.scale import Scale
from tallymark.study.pairings import EveryTwo, Pairing
from tallymark.study.parts import Part, People
from tallymark.study.units import Rows

MOST_LEFT_OUT = 20
"""Of more raters only those with the most ratings are left out in turn."""


class Contrast(NamedTuple):
    """Pairings of the system with people, and of people with people, on the same responses."""

    system: list[Pairing]
    people: list[Pairing]

    @property
    def every(self) -> list[Pairing]:
        """All pairings, those of the system first."""
        return [*self.system, *self.people]

    @property
    def of_system(self) -> NDArray[np.bool_]:
        """Which of all pairings are of the system."""
        return np.arange(len(self.every)) < len(self.system)

    def without(self, rater: int) -> NDArray[np.bool_]:
        """Which of all pairings the rater has no part in."""
        return np.array(
            [
                not isinstance(ways, EveryTwo) and all(rater not in way for way in ways)
                for ways in self.every
            ]
        )


class Joined(NamedTuple):
    """Ratings and, in the last column, the system's scores, where two people and it scored.

    ``names`` are those of the raters in the columns; none where they are a pool.
    """

    rows: Rows
    raters: int
    scale: Scale
    names: tuple[str, ...]

    @property
    def pooled(self) -> bool:
        """Whether who gave a rating does not count."""
        return not self.names

    @property
    def single(self) -> Contrast:
        """System and rater, each against another rater."""
        if not self.pooled:
            return single(self.raters)
        # every response has two ratings or more, so each rating has another beside it
        system = [(rater, self.raters, rater) for rater in range(self.raters)]
        return Contrast([system], [EveryTwo(self.raters, self.raters)])

    @property
    def left_out(self) -> Contrast:
        """System and rater, each against the mean of the others, which has a column of its own."""
        others = [(rater, self.raters + 1 + rater) for rater in range(self.raters)]
        system = [(mean, self.raters, rater) for rater, mean in others]
        people = [(mean, rater, self.raters) for rater, mean in others]
        if self.pooled:
            return Contrast([system], [people])
        return Contrast([[way] for way in system], [[way] for way in people])

    def beside_others(self) -> Rows:
        """Add for each rater the mean of the others, on responses with three ratings or more."""
        given = (~np.isnan(self.rows.scores[:, : self.raters])).sum(axis=1)
        rows = self.rows.where(given >= 3)
        ratings = rows.scores[:, : self.raters]
        rated = ~np.isnan(ratings)
        total, number = np.nansum(ratings, axis=1, keepdims=True), rated.sum(axis=1, keepdims=True)
        others = np.where(rated, (total - ratings) / np.maximum(number - 1, 1), np.nan)
        return replace(rows, scores=np.concatenate([rows.scores, others], axis=1))


def single(raters: int) -> Contrast:
    """The system, in the column after the raters, and one rater, each against another rater."""
    pairs = list(permutations(range(raters), 2))
    system: list[Pairing] = [[(first, raters, second)] for first, second in pairs]
    once = [(first, second) for first, second in pairs if first < second]
    return Contrast(system, [[(first, second, raters)] for first, second in once])


def joined(system: str, part: Part, without: str | None = None) -> Joined | None:
    """Bring ratings and the system's scores together, perhaps ``without`` those of one rater.

    A pool of raters, of whom some share few responses, is taken as one: its ratings count, not
    who gave them. Adjudicators are left out: beside raters chosen for their disagreement any
    system looks good.
    """
    people, scales = part.people, part.scales
    if people is None or scales is None or scales[0].ends != scales[1].ends:
        return None
    people = (people if without is None else people.without([without])).without_adjudicators()
    given = part.scores.patterns.scores[f"system:{system}"][part.rows]
    both = people.rows.twice & ~np.isnan(given)
    if not both.any():
        return None
    given = given[both]
    heard = people._replace(rows=people.rows.where(both)).without_silent()
    rows = heard.rows
    shared = (~np.isnan(rows.scores)).astype(np.float64)
    common = (shared * rows.counts[:, None]).T @ shared
    enough = common.min() >= min(FEW, rows.counts.sum())
    pooled = not enough or rows.scores.shape[1] > MANY_RATERS
    ratings = rows.unnamed().scores if pooled else rows.scores
    rows = replace(rows, scores=np.concatenate([ratings, given[:, None]], axis=1))
    rows = rows.distinct() if pooled else rows  # by rater they are distinct already
    return Joined(rows, ratings.shape[1], scales[0], () if pooled else heard.names)


def prolific(people: People) -> tuple[str, ...]:
    """The raters to leave out in turn: those who rated most responses that others rated too.

    None where fewer than three did, for one rater has nobody to agree with.
    """
    rows = people.rows.where(people.rows.twice)
    given = rows.counts @ (~np.isnan(rows.scores))
    chosen = sorted(np.argsort(-given, kind="stable")[:MOST_LEFT_OUT])
    names = tuple(people.names[rater] for rater in chosen if given[rater])
    return names if len(names) > 2 else ()
