"""How many labels does a certificate take? Before any are collected."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.errors import OptionError
from tallymark.selective.bounds import binomial_cdf, check_rates, labels_for_zero, largest_k, n_min
from tallymark.selective.certify import Family, part_of
from tallymark.selective.ltt import ROOM, START_ERRORS, start_sizes

MOST_ERRORS = 2**13


@dataclass(frozen=True, slots=True)
class Plan:
    """Labels that a certificate takes, for each prompt and for all.

    ``least[k]`` accepted labels certify with k critical errors among them. ``first`` is the
    smallest number of accepted labels with the wanted power, ``stays`` the one from which on the
    power stays (it goes up and down, since errors come whole); NaN with ``why`` where the true rate
    is not below alpha. ``labels`` are the responses to label for ``stays`` accepted ones at the
    expected coverage; ``labels_in_all`` those of all prompts. ``zero_100`` clean accepted labels
    would show that none of the next 100 is a critical error.
    """

    alpha: float
    delta_each: float
    least: tuple[int, ...]
    first: float
    stays: float
    labels: float
    labels_in_all: float
    zero_100: int
    why: str = ""


def plan(
    alpha: float,
    delta: float = 0.05,
    *,
    true_rate: float,
    coverage: float = 1.0,
    power: float = 0.8,
    prompts: int = 1,
    family: Family = "bonferroni",
    starts: int = 1,
) -> Plan:
    """Plan a calibration: labels needed if accepted responses truly have this rate of errors.

    ``starts``: chains that share delta, 3 by default in ``certify`` with enough responses.

    Examples
    --------
    >>> found = plan(0.05, true_rate=0.02, coverage=0.5)
    >>> found.first, found.stays, found.labels
    (234.0, 286.0, 572.0)
    """
    check_rates(alpha, delta)
    for name, share in {"coverage": coverage, "power": power}.items():
        if not 0 < share <= 1 or (name == "power" and share == 1):
            raise OptionError(f"{name} must be a share above 0 (power below 1), got {share}")
    if not 0 <= true_rate < 1 or prompts < 1 or starts < 1:
        raise OptionError("true_rate must be a share, and prompts and starts 1 or more")
    each = part_of(delta, prompts, family) / starts
    first, stays = accepted_needed(alpha, each, true_rate, power)
    labels = float(np.ceil(stays / coverage - 1e-9))
    return Plan(
        alpha=alpha,
        delta_each=each,
        least=tuple(n_min(alpha, each, np.arange(6)).tolist()),
        first=first,
        stays=stays,
        labels=labels,
        labels_in_all=labels * prompts,
        zero_100=labels_for_zero(100, delta),
        why=_why(alpha, true_rate, stays),
    )


def _why(alpha: float, true_rate: float, stays: float) -> str:
    if true_rate >= alpha:
        return "the true rate must be below alpha to be certified"
    return "the true rate is too close to alpha" if np.isnan(stays) else ""


def accepted_needed(
    alpha: float, delta: float, true_rate: float, power: float
) -> tuple[float, float]:
    """Accepted labels at which the power is first reached, and from which on it stays.

    One more error is allowed at certain n; there the power is highest, then falls until the next.
    So only those n need be looked at. NaN if the rate is not below alpha, or so close to it that
    over eight thousand critical errors would have to be seen.
    """
    if true_rate >= alpha:
        return float("nan"), float("nan")
    most = 64
    while most <= MOST_ERRORS:
        sizes = n_min(alpha, delta, np.arange(most + 1))
        k = np.arange(most)
        highest = binomial_cdf(k, sizes[:-1], true_rate) >= power
        lowest = binomial_cdf(k, sizes[1:] - 1, true_rate) >= power
        if lowest[most // 2 :].all():
            below = np.flatnonzero(~lowest)
            stays = int(below[-1]) + 1 if below.size else 0
            return float(sizes[int(np.argmax(highest))]), float(sizes[stays])
        most *= 2
    return float("nan"), float("nan")


class Search(NamedTuple):
    """How often ``certify`` accepts a whole share of the responses, and how often any at all."""

    whole: float
    some: float


def search_power(n: int, total: int, alpha: float, delta: float, true_rate: float) -> Search:
    """How often the chains of ``certify`` get past n accepted of ``total`` responses, exactly.

    The threshold is searched here, not fixed beforehand, and the rate is the same at every
    confidence. All chains are tested at one level, so that one which begins later asks for less:
    ``whole`` is the chance of the last to pass every test from its start to n.

    >>> search = search_power(386, 386, 0.02, 0.05, 0.005)
    >>> round(search.whole, 2), round(search.some, 2)
    (0.28, 0.47)
    """
    sizes, each = start_sizes(alpha, delta, total)
    sizes = sizes[sizes <= n]
    if not sizes.size:
        return Search(0.0, 0.0)
    begun = sizes.size
    some, last = 0.0, _moved(np.ones(1), int(sizes[0]), true_rate, START_ERRORS[begun - 1])
    for i, allowed in enumerate(START_ERRORS[:begun]):
        if i:
            step = int(sizes[i] - sizes[i - 1])
            last = _moved(last, step, true_rate, START_ERRORS[begun - 1])
        some += float(last[: allowed + 1].sum())
        last[: allowed + 1] = 0.0
    here, most = int(sizes[-1]), int(largest_k(alpha, each, n))
    ends = n_min(alpha, each, np.arange(START_ERRORS[begun - 1] + 1, most + 1)) - 1
    alive = _moved(np.ones(1), here, true_rate, START_ERRORS[begun - 1])
    for allowed, end in enumerate([*ends.tolist(), n], START_ERRORS[begun - 1]):
        alive = _moved(alive, end - here, true_rate, allowed)
        here = end
    return Search(float(alive.sum()), some)


def search_labels(
    alpha: float, delta: float, true_rate: float, coverage: float, power: float
) -> float:
    """Labels with which ``certify`` accepts this share often enough, to a twentieth; NaN: none.

    Once all chains begin, further labels only add tests that may fail. So a rate near alpha is
    out of reach: the last chain must begin with few critical errors.

    >>> search_labels(0.02, 0.05, 0.005, 1.0, 0.8), search_labels(0.02, 0.05, 0.01, 1.0, 0.8)
    (913.0, nan)
    """
    sizes = n_min(alpha, delta / len(START_ERRORS), np.array(START_ERRORS))
    last = int(np.ceil(sizes[-1] / min(coverage, ROOM)))
    total = int(np.ceil(n_min(alpha, delta) / coverage))
    while True:
        if search_power(int(total * coverage), total, alpha, delta, true_rate).whole >= power:
            return float(total)
        if total == last:
            return float("nan")
        total = min(int(np.ceil(total * 1.05)), last)


def _moved(chances: NDArray[np.float64], more: int, rate: float, most: int) -> NDArray[np.float64]:
    """Chances of 0, 1, ... critical errors after more responses; those of too many are dropped."""
    added = np.diff(binomial_cdf(np.arange(-1, most + 1), more, rate))
    return np.convolve(chances, added)[: most + 1]
