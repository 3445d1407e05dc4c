"""Allocating: how many responses are drawn from each stratum."""

from collections.abc import Sequence

import numpy as np

from tallymark.errors import OptionError

POWERS = {"equal": 0.0, "proportional": 1.0, "root": 0.5}
"""The size of a stratum to this power is its share of what is drawn, by rule."""
LEAST = 2
"""A stratum needs this many responses to show how they differ."""


def allocated(sizes: Sequence[int], n: int, rule: str) -> list[int]:
    """How many are drawn from each stratum: two or more, no more than it has, n in all.

    Equal numbers, in proportion to the strata, or to the roots of their sizes, which lies between.

    >>> allocated([9000, 900, 100], 200, "equal"), allocated([9000, 900, 100], 200, "proportional")
    ([67, 67, 66], [180, 18, 2])
    >>> allocated([9000, 20], 200, "equal")
    [180, 20]
    """
    if n > sum(sizes):
        raise OptionError(
            f"--number {n} is more than there are responses to draw from ({sum(sizes):,})"
        )
    if n < LEAST * len(sizes):
        raise OptionError(
            f"--number {n} is too few for {len(sizes)} strata, which need {LEAST} each: draw "
            f"{LEAST * len(sizes)} or more, or name fewer with --by or --strata"
        )
    shares = np.array(sizes, dtype=np.float64) ** POWERS[rule]
    numbers = np.full(len(sizes), LEAST)
    most = np.array(sizes)
    while numbers.sum() < n:  # one after the other, to whom most is lacking
        lacking = np.where(numbers < most, shares / shares.sum() * n - numbers, -np.inf)
        numbers[int(np.argmax(lacking))] += 1
    return [int(number) for number in numbers]
