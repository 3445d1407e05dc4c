"""How was the gold made? Which rule of resolution reproduces it, and in what share of responses."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from tallymark.arrays import Floats, Whole

GUARD = 1e-6
"""In steps of the scale: labels closer than this are equal."""
ADJUDICATED = ("parity", "third_mean", "third_sum", "third_higher", "third_first")
"""Rules by which a third rating decides where the first two are apart."""
POSITIONS = ("first", "second", "third", "fourth", "fifth", "sixth")


class Reproduced(NamedTuple):
    """A rule, how many of the responses it reproduces, and how many on which raters differ."""

    rule: str
    same: int
    of: int
    same_disputed: int
    disputed: int

    @property
    def share(self) -> float:
        """Share of the responses whose gold the rule gives."""
        return self.same / self.of if self.of else float("nan")


def label(rule: str, ratings: Floats, *, low: float = 0.0, step: float = 1.0) -> Floats:
    """Return what a rule makes of the ratings of each response (rows); NaN where it has none.

    Ratings that are missing are passed over by the mean, the median, the higher and the lower.

    >>> label("mean_up", np.array([[1.0, 2], [2, 2], [3, np.nan]])).tolist()
    [2.0, 2.0, 3.0]
    """
    if rule in POSITIONS:
        return ratings[:, POSITIONS.index(rule)]
    if rule.startswith("mean_"):
        return _ROUNDINGS[rule]((_mean(ratings) - low) / step, low / step) * step + low
    if rule.startswith("third_"):
        first_two, third = _RULES[rule.removeprefix("third_")](ratings[:, :2]), ratings[:, 2]
        return np.where(np.isnan(third), first_two, third * (2 if rule == "third_sum" else 1))
    return _RULES[rule](ratings)


def gold_weights(rule: str, ratings: Floats) -> Floats | None:
    """The weights with which a rule adds up the ratings of each response; None if it does not.

    A row of zeros has no gold.

    >>> gold_weights("mean", np.array([[1.0, 2], [2, np.nan]])).tolist()
    [[0.5, 0.5], [1.0, 0.0]]
    >>> gold_weights("first", np.array([[1.0, 2], [np.nan, 3]])).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    present = ~np.isnan(ratings)
    if rule == "mean":
        return np.asarray(present / np.maximum(present.sum(axis=1, keepdims=True), 1))
    if rule == "sum":
        return np.asarray(present * present.all(axis=1, keepdims=True) * 1.0)
    if rule not in POSITIONS[: ratings.shape[1]]:
        return None
    place = (
        present.argmax(axis=1) if rule == "first" else np.full(len(present), POSITIONS.index(rule))
    )
    chosen = np.arange(ratings.shape[1]) == place[:, None]
    return np.asarray((chosen & present) * 1.0)


def label_scale(rule: str, ratings: int) -> tuple[float, int]:
    """By what a rule multiplies the scale, and into how many parts it divides a step.

    >>> label_scale("sum", 2), label_scale("mean", 2), label_scale("higher", 2)
    ((2.0, 2), (1.0, 2), (1.0, 1))
    """
    if rule in ("sum", "third_sum"):
        k = 2 if rule == "third_sum" else ratings
        return float(k), k
    halves = {"mean": ratings, "third_mean": 2, "parity": 2, "median": 2}
    return 1.0, halves.get(rule, 1)


def gold_rules(
    ratings: Floats, gold: Floats, counts: Whole, *, low: float, step: float
) -> list[Reproduced]:
    """Return every rule with how often it reproduces the gold, the most often first.

    Only responses with a gold and two ratings or more tell rules apart. Of rules that do equally
    well the simpler comes first.

    >>> ratings = np.array([[1.0, 2], [3, 3], [4, 2]])
    >>> gold_rules(ratings, np.array([2.0, 3, 4]), np.array([1, 5, 1]), low=1, step=1)[0].rule
    'higher'
    """
    number = (~np.isnan(ratings)).sum(axis=1)
    telling = ~np.isnan(gold) & (number >= 2)
    ratings, gold, counts = ratings[telling], gold[telling], counts[telling]
    gap = np.nanmax(ratings, axis=1, initial=-np.inf) - np.nanmin(ratings, axis=1, initial=np.inf)
    disputed = gap > GUARD * step
    reproduced = []
    for rule in _candidates(ratings.shape[1]):
        reproduced_label = np.abs(label(rule, ratings, low=low, step=step) - gold) <= GUARD * step
        numbers = (
            reproduced_label,
            np.ones_like(reproduced_label),
            reproduced_label & disputed,
            disputed,
        )
        reproduced.append(Reproduced(rule, *(int(counts[which].sum()) for which in numbers)))
    return sorted(reproduced, key=lambda rule_and_counts: -rule_and_counts.same)


def adjacency(ratings: Floats) -> float:
    """The largest difference of the first two ratings that was left without a third.

    >>> adjacency(np.array([[1.0, 2, np.nan], [1, 3, 2]]))
    1.0
    """
    gap = np.abs(ratings[:, 0] - ratings[:, 1])
    undisputed = gap[np.isnan(ratings[:, 2]) & ~np.isnan(gap)]
    return float(undisputed.max(initial=0.0))


def _candidates(raters: int) -> list[str]:
    rules = ["first", "mean", "sum", "higher", "lower", "mean_up", "mean_down", "mean_even"]
    rules += POSITIONS[1 : min(raters, len(POSITIONS))]
    if raters >= 3:
        rules += ["median", *ADJUDICATED[1:], "parity"]
    return rules


def _mean(ratings: Floats) -> Floats:
    present = ~np.isnan(ratings)
    with np.errstate(invalid="ignore"):  # nobody rated
        return np.asarray(np.where(present, ratings, 0.0).sum(axis=1) / present.sum(axis=1))


def _end(ratings: Floats, *, highest: bool) -> Floats:
    filled = np.where(np.isnan(ratings), -np.inf if highest else np.inf, ratings)
    end = filled.max(axis=1) if highest else filled.min(axis=1)
    return np.asarray(np.where(np.isinf(end), np.nan, end))


def _median(ratings: Floats) -> Floats:
    ordered, k = np.sort(ratings, axis=1), (~np.isnan(ratings)).sum(axis=1)
    last = np.maximum(k - 1, 0)
    middle = [np.take_along_axis(ordered, i[:, None], axis=1) for i in (last // 2, (last + 1) // 2)]
    return np.asarray((middle[0] + middle[1])[:, 0] / 2)


def _parity(ratings: Floats) -> Floats:
    """Mean of the third rating and the nearer of the others; the mean of all when both are near."""
    first, second, third = ratings[:, 0], ratings[:, 1], ratings[:, 2]
    nearer = np.abs(third - first) - np.abs(third - second)
    pair = np.where(nearer < 0, first, second)
    ruling = np.where(np.abs(nearer) <= GUARD, (first + second + third) / 3, (pair + third) / 2)
    return np.asarray(np.where(np.isnan(third), (first + second) / 2, ruling))


_RULES: Mapping[str, Callable[[Floats], Floats]] = {
    "first": lambda ratings: ratings[:, 0],
    "sum": lambda ratings: np.asarray(ratings.sum(axis=1)),
    "mean": _mean,
    "higher": lambda ratings: _end(ratings, highest=True),
    "lower": lambda ratings: _end(ratings, highest=False),
    "median": _median,
    "parity": _parity,
}
_ROUNDINGS: Mapping[str, Callable[[Floats, float], Floats]] = {
    "mean_up": lambda steps, _: np.floor(steps + 0.5 + GUARD),
    "mean_down": lambda steps, _: np.ceil(steps - 0.5 - GUARD),
    # even numbers of score points, not of steps from the lowest
    "mean_even": lambda steps, low: np.rint(np.round(steps + low, 9)) - low,
}
