"""How many labels does a certificate take? Before any are collected."""

import math
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from tallymark.arrays import Floats
from tallymark.defaults import DELTA, POWER
from tallymark.errors import OptionError
from tallymark.selective.bounds import binomial_cdf, check_rates, labels_for_zero, largest_k, n_min
from tallymark.selective.certify import Family, part_of
from tallymark.selective.ltt import starts_of

MOST_ERRORS = 2**13
MOST_SEARCHED = 150
"""So many critical errors are expected at alpha, at most, where a search is forecast."""


class Plan(Struct, frozen=True):
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
    delta: float = DELTA,
    *,
    true_rate: float,
    coverage: float = 1.0,
    power: float = POWER,
    prompts: int = 1,
    family: Family = "bonferroni",
    starts: int = 1,
) -> Plan:
    """Plan a calibration: labels needed if accepted responses truly have this rate of errors.

    ``starts``: chains that share delta equally.

    Examples
    --------
    >>> needed = plan(0.05, true_rate=0.02, coverage=0.5)
    >>> needed.first, needed.stays, needed.labels
    (234.0, 286.0, 572.0)
    """
    check_rates(alpha, delta)
    for name, share in {"coverage": coverage, "power": power}.items():
        if not 0 < share <= 1 or (name == "power" and share == 1):
            raise OptionError(f"{name} must be a share above 0 (power below 1), got {share}")
    if not 0 <= true_rate < 1 or prompts < 1 or starts < 1:
        raise OptionError("true_rate must be a share, and prompts and starts 1 or more")
    level = part_of(delta, prompts, family) / starts
    first, stays = accepted_needed(alpha, level, true_rate, power)
    labels = float(np.ceil(stays / coverage - 1e-9))
    return Plan(
        alpha=alpha,
        delta_each=level,
        least=tuple(n_min(alpha, level, np.arange(6)).tolist()),
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
    errors = 64
    while errors <= MOST_ERRORS:
        sizes = n_min(alpha, delta, np.arange(errors + 1))
        k = np.arange(errors)
        highest = binomial_cdf(k, sizes[:-1], true_rate) >= power
        lowest = binomial_cdf(k, sizes[1:] - 1, true_rate) >= power
        if lowest[errors // 2 :].all():
            below = np.flatnonzero(~lowest)
            stays = int(below[-1]) + 1 if below.size else 0
            return float(sizes[int(np.argmax(highest))]), float(sizes[stays])
        errors *= 2
    return float("nan"), float("nan")


class Search(NamedTuple):
    """How often ``certify`` accepts a whole share of the responses, and how often any at all."""

    whole: float
    some: float


def search_power(n: int, total: int, alpha: float, delta: float, true_rate: float) -> Search:
    """How often the chains of ``certify`` get past n accepted of ``total`` responses, exactly.

    The threshold is searched here, not fixed beforehand, and the rate is the same at every
    confidence; what lies below the n most confident is never accepted.

    >>> search = search_power(386, 386, 0.02, 0.05, 0.005)
    >>> round(search.whole, 2), round(search.some, 2)
    (0.7, 0.73)
    """
    sizes, parts = starts_of(alpha, delta, total)
    begun = sizes <= n
    sizes, parts = sizes[begun], parts[begun]
    most = int(largest_k(alpha, float(parts.sum()), n)) if sizes.size else -1
    if most < 0:
        return Search(0.0, 0.0)
    walk = _Walk(true_rate, most)
    failed = np.zeros(most + 1)
    never = walk.after(np.eye(1, most + 1)[0], int(sizes[0]))
    alive: list[Floats] = []
    some = 0.0
    ends = np.append(sizes[1:] - 1, n)
    for j, (start, end) in enumerate(zip(sizes.tolist(), ends.tolist(), strict=True)):
        fits = np.arange(most + 1) <= largest_k(alpha, parts[j], start)
        some += float(never[fits].sum())
        alive.append(np.where(fits, never + failed, 0.0))
        never, failed = np.where(fits, 0.0, never), np.where(fits, 0.0, failed)
        never, failed = walk.after(never, end - start), walk.after(failed, end - start)
        for i, chances in enumerate(alive):
            level = float(parts[i : j + 1].sum())
            alive[i], lost = walk.tested(chances, start, end, alpha, level)
            failed = failed + lost
        if j + 1 < sizes.size:
            never, failed, *alive = (walk.after(side, 1) for side in (never, failed, *alive))
    return Search(float(sum(chances.sum() for chances in alive)), some)


class _Walk(NamedTuple):
    """Chances of 0, 1, ... critical errors, as responses come; more than ``most`` are dropped."""

    rate: float
    most: int

    def after(self, chances: Floats, responses: int) -> Floats:
        """After more responses."""
        if responses == 0:
            return chances
        added = np.diff(
            binomial_cdf(np.arange(-1, min(self.most, responses) + 1), responses, self.rate)
        )
        return np.convolve(chances, added)[: self.most + 1]

    def tested(
        self, chances: Floats, start: int, end: int, alpha: float, level: float
    ) -> tuple[Floats, Floats]:
        """A chain that is tested from here to the end: those who pass, and those who failed.

        Errors only grow in number, so that they need be looked at only before one more is allowed.
        """
        allowed = largest_k(alpha, level, np.arange(start, end + 1))
        before = np.flatnonzero(np.diff(allowed)).tolist()
        lost, done, last = np.zeros(self.most + 1), 0, end - start
        for place in dict.fromkeys([0, *before, last]):
            chances, done = self.after(chances, place - done), place
            fits = np.arange(self.most + 1) <= allowed[place]
            lost += self.after(np.where(fits, 0.0, chances), last - place)
            chances = np.where(fits, chances, 0.0)
        return chances, lost


def search_labels(
    alpha: float, delta: float, true_rate: float, coverage: float, power: float
) -> float:
    """About how many labels let ``certify`` accept this share often enough; NaN: too many.

    To a twentieth, and by halving: the power rises with the labels but for its teeth, so that
    somewhat fewer may do. Never fewer than with a threshold fixed beforehand.

    >>> search_labels(0.02, 0.05, 0.005, 1.0, 0.8), search_labels(0.02, 0.05, 0.02, 1.0, 0.8)
    (518.0, nan)
    """
    _, least = accepted_needed(alpha, delta, true_rate, power)
    if math.isnan(least) or least * alpha > MOST_SEARCHED:
        return float("nan")

    def enough(step: int) -> tuple[bool, float]:
        accepted = math.ceil(least * 1.05**step)
        total = math.ceil(accepted / coverage - 1e-9)
        return search_power(accepted, total, alpha, delta, true_rate).whole >= power, total

    low, high = -1, math.floor(math.log(MOST_SEARCHED / (least * alpha), 1.05))
    reached, total = enough(high)
    if not reached:
        return float("nan")
    while high - low > 1:
        middle = (low + high) // 2
        reached, labels = enough(middle)
        low, high, total = (low, middle, labels) if reached else (middle, high, total)
    return float(total)
