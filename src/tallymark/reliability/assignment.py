"""Assignment: were raters given their responses at random, as far as shared responses can tell?"""

from typing import Literal

import numpy as np
from msgspec import Struct

from tallymark.arrays import Floats, Whole
from tallymark.inference.distributions import f_tails
from tallymark.reliability.rater_effects import Effects

State = Literal["random", "not random", "unknown", "same panel"]
REJECTED = 0.2
"""A contrast with a smaller p says that assignment was not random ..."""
PRECISE = 0.5
"""... and one whose variance exceeds this share of that of random-response effects says nothing.

Both found by simulation (tests/reliability/test_assignment.py): with p above .05 alone, differences
between raters' responses that the contrast misses leave intervals that cover .4 for .95."""
EQUAL = 1e-9
"""A smaller share means that both estimates are one: who share responses share all of them."""


class Assignment(Struct, frozen=True):
    """Whether responses look as if dealt to raters at random.

    ``p`` is that of Hausman's contrast, ``f`` its statistic with ``df`` degrees of freedom,
    ``share`` its variance over that of the effects with random responses, and ``shared`` how many
    responses have two or more ratings.
    """

    state: State
    p: float
    f: float
    df: tuple[int, int]
    share: float
    shared: int

    @property
    def random(self) -> bool:
        """Whether responses with one rating may count."""
        return self.state in ("random", "same panel")

    @staticmethod
    def unknown(shared: int = 0) -> "Assignment":
        """Nothing can be said."""
        nan = float("nan")
        return Assignment("unknown", nan, nan, (0, 0), nan, shared)


def contrast(
    ratings: Floats,
    counts: Whole,
    within: Effects,
    random: Effects | None,
    clusters: Whole | None = None,
) -> Assignment:
    r"""Hausman's contrast of rater effects within responses and with random responses.

    Both estimate the same where raters were given their responses at random; only the first does
    where they were not. With d their difference and V its covariance, from influences:

    .. math:: F = \frac{m - q}{q (m - 1)} d' V^- d

    on q effects and m shared responses, or clusters of them. Nothing is tested where raters who
    share responses share all of them; nothing is called random where groups of raters share none. ``random`` is None where nothing is left within responses.

    References
    ----------
    Hausman (1978), doi:10.2307/1913827; Guggenberger (2010), doi:10.1016/j.jeconom.2009.11.003, on why
    a contrast that is not precise allows nothing.
    """
    present = ~np.isnan(ratings)
    same_panel = Assignment(
        "same panel", float("nan"), float("nan"), (0, 0), 0.0, int(counts.sum())
    )
    if (present == present[:1]).all():
        return same_panel
    twice = np.asarray(present.sum(axis=1) > 1)
    shared = int(counts[twice].sum())
    if random is None:
        return Assignment.unknown(shared)
    level = within.inverse @ np.linalg.pinv(within.inverse, hermitian=True)  # of each group to 0
    difference = (within.values - random.values) @ level
    moved = within.influence - random.influence @ level
    covariance = summed_squares(moved, counts, clusters)
    expected = np.trace(summed_squares(random.influence @ level, counts, clusters))
    rank = int(np.linalg.matrix_rank(within.inverse, hermitian=True))
    share = float(np.trace(covariance) / expected) if expected > 0 else float("inf")
    if share < EQUAL:
        return same_panel
    units = shared if clusters is None else np.unique(clusters[twice]).size
    if units <= rank:
        return Assignment.unknown(shared)
    squared = float(
        difference @ np.linalg.pinv(covariance, rcond=1e-9, hermitian=True) @ difference
    )
    f = squared * (units - rank) / (rank * (units - 1))
    p = f_tails(f, rank, units - rank).above
    linked = rank == int(present.any(axis=0).sum()) - 1
    state: State = "random" if share <= PRECISE and linked else "unknown"
    state = "not random" if p < REJECTED else state
    return Assignment(state, p, f, (rank, units - rank), share, shared)


def summed_squares(scores: Floats, counts: Whole, clusters: Whole | None) -> Floats:
    """Sum of s s' over responses, or over clusters whose responses are added up first."""
    if clusters is None:
        return np.asarray((scores * counts[:, None]).T @ scores)
    _, unit = np.unique(clusters, return_inverse=True)
    added = np.zeros((int(unit.max(initial=-1)) + 1, scores.shape[1]))
    np.add.at(added, unit.ravel(), scores * counts[:, None])
    return np.asarray(added.T @ added)
