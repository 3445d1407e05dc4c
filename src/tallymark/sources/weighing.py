"""Weighing: design weights, strata and counts of responses, each in a column of its own."""

from collections.abc import Sequence
from math import fsum

import numpy as np

from tallymark.arrays import Floats, Whole
from tallymark.errors import DataError
from tallymark.results import DesignWeights
from tallymark.sources.cells import ScoreCells
from tallymark.sources.checks import Check
from tallymark.sources.roles import COUNT
from tallymark.sources.sql import as_text
from tallymark.sources.values import is_count
from tallymark.tally.patterns import WEIGHT


def check_strata(names: Sequence[str], drawn: Floats) -> None:
    """Refuse a stratum of one response, which does not show how its responses differ."""
    alone = [name for name, number in zip(names, drawn, strict=True) if number == 1]
    if alone:
        raise DataError(
            f"the stratum {alone[0]!r} has 1 response with a human score; each needs 2 or more, so "
            "score another or merge it with a stratum of the same weight"
        )


def weight_checks(cells: ScoreCells) -> list[Check]:
    """A weight must be above 0; a count must be a whole number, 0 or more."""
    right = {WEIGHT: "coalesce(s{} > 0, FALSE)", COUNT: is_count("s{}")}
    words = {
        WEIGHT: "weight that is missing, zero or negative",
        COUNT: "count that is missing, negative or not whole",
    }
    return [
        Check(
            "weight",
            cell.column,
            f"NOT {right[cell.name].replace('{}', str(i))}",
            as_text(f"v{i}"),
            words[cell.name],
            cells.row(i),
        )
        for i, cell in enumerate(cells.scores)
        if cell.name in right
    ]


def weigh(scores: dict[str, Floats], counts: Whole, column: str) -> DesignWeights | None:
    """Bring weights to a mean of 1 over the used responses; return what they are worth.

    ``counts`` are the used responses of each pattern. Equal weights are none: they go.
    """
    given = scores.pop(WEIGHT, None)
    if given is None:
        return None
    n, known = int(counts.sum()), ~np.isnan(given)
    total = fsum((counts * given)[known])  # the same for any order of rows
    if np.ptp(given[known]) == 0:
        return DesignWeights(column=column, n=n, total=total, worth=n)
    scores[WEIGHT] = given * (n / total)  # NaN: not drawn, or not labelled
    worth = kish(given[known], counts[known])
    return DesignWeights(column=column, n=n, total=total, worth=worth)


def kish(weights: Floats, counts: Whole) -> float:
    """How many responses of equal weight these are worth. Kish (1965), Survey Sampling, 8.2.

    >>> round(kish(np.array([1.0, 3.0]), np.array([50, 50])), 6)
    80.0
    """
    return fsum(counts * weights) ** 2 / fsum(counts * weights**2)
