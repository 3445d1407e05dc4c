"""The observed information of the marginal model in closed form, for panels of many raters.

Imaginary steps take one pass over the data for each parameter; this takes one for all of them.
By Louis (1982), doi:10.1111/j.2517-6161.1982.tb01203.x, it is the information that the quality of
every response would give, less the covariance of the slopes that not knowing it leaves.
"""

from typing import Any

import numpy as np

from tallymark.arrays import Floats
from tallymark.reliability.rasch import Answers, moments, reaching, sum_to_zero


def information(a: Answers, chance: Floats, posterior: Floats, z: Floats) -> Floats:
    """``[parameter, parameter]`` of severities, thresholds (all but the last of each) and quality.

    ``chance[rater, node, k]`` and ``posterior[kind, node]``, times the responses of the kind.
    """
    whole = _known(a, chance, posterior, z)
    order = np.argsort(a.panel, kind="stable")
    for kinds in np.split(order, np.flatnonzero(np.diff(a.panel[order])) + 1):
        raters = _raters(a.sets, int(a.panel[kinds[0]]))
        places = np.concatenate([raters, np.arange(a.raters, len(whole))])
        slopes = _slopes(chance[raters], z)
        whole[np.ix_(places, places)] -= _unknown(slopes, a.total[kinds], posterior[kinds], z)
    steps = a.categories - 1
    free = np.zeros((len(whole), len(whole) - 2))
    free[: a.raters, : a.raters - 1] = sum_to_zero(a.raters)
    free[a.raters : -2, a.raters - 1 : -2] = sum_to_zero(steps)
    free[-2:, -2:] = np.eye(2)
    reduced = free.T @ whole @ free
    return np.asarray((reduced + reduced.T) / 2)


def _raters(sets: Any, panel: int) -> Any:
    """Who is in a kind of panel; the panels are dense or sparse."""
    members = sets[[panel]]
    return np.flatnonzero(members[0] if isinstance(members, np.ndarray) else members.toarray()[0])


def _known(a: Answers, chance: Floats, posterior: Floats, z: Floats) -> Floats:
    """The information if the quality of every response were known."""
    by_panel = np.zeros((a.sets.shape[0], z.size))
    np.add.at(by_panel, a.panel, posterior)
    read = a.sets.T @ by_panel  # ratings expected of each rater at each node
    mean, variance = moments(chance)
    reach = reaching(chance)
    behind = np.cumsum((chance * np.arange(a.categories))[..., ::-1], axis=-1)[..., ::-1][..., 1:]
    with_step = behind - mean[..., None] * reach  # covariance of the category and of reaching k
    upper = np.maximum.outer(np.arange(a.categories - 1), np.arange(a.categories - 1))
    both = np.einsum("jq,jqk->k", read, reach)[upper]
    both = both - np.einsum("jq,jqk,jql->kl", read, reach, reach, optimize=True)
    powers = np.stack([np.ones_like(z), z])
    size = a.raters + a.categories + 1
    whole = np.zeros((size, size))
    r, steps, quality = np.arange(a.raters), slice(a.raters, -2), slice(size - 2, size)
    spread = read * variance
    whole[r, r] = spread.sum(axis=1)
    whole[: a.raters, steps] = np.einsum("jq,jqk->jk", read, with_step)
    whole[: a.raters, quality] = -spread @ powers.T
    whole[steps, quality] = -np.einsum("jq,jqk,iq->ki", read, with_step, powers, optimize=True)
    whole = whole + np.triu(whole, 1).T
    whole[steps, steps] = both
    whole[quality, quality] = np.einsum("q,iq,hq->ih", spread.sum(axis=0), powers, powers)
    return whole


def _slopes(chance: Floats, z: Floats) -> Floats:
    """``[parameter, node]``: slopes of a panel's log likelihood where all gave the lowest score."""
    mean = chance @ np.arange(chance.shape[-1])
    expected = mean.sum(axis=0)
    return np.concatenate([mean, reaching(chance).sum(axis=0).T, [-expected, -expected * z]])


def _unknown(slopes: Floats, total: Floats, posterior: Floats, z: Floats) -> Floats:
    """The covariance of slopes over what the quality of one panel's responses may be."""
    weight, times = posterior.sum(axis=0), posterior.sum(axis=1)
    squares = (slopes * weight) @ slopes.T
    means = posterior @ slopes.T
    # the slope by the spread of quality holds the total of the response's scores, too
    moved = total @ posterior * z
    squares[-1] += slopes @ moved
    squares[:, -1] += slopes @ moved
    squares[-1, -1] += total**2 @ posterior @ z**2
    means[:, -1] += total * (posterior @ z)
    return np.asarray(squares - means.T @ (means / times[:, None]))
