"""DesignWeights: design weights and counts of responses, each in a column of its own."""

from math import fsum

import numpy as np
from numpy.typing import NDArray

from tallymark.results import DesignWeights
from tallymark.sources.cells import ScoreCells
from tallymark.sources.checks import Check
from tallymark.sources.roles import COUNT
from tallymark.sources.sql import as_text
from tallymark.sources.values import is_count
from tallymark.tally.patterns import WEIGHT

Floats = NDArray[np.float64]


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


def weigh(
    scores: dict[str, Floats], counts: NDArray[np.int64], column: str
) -> DesignWeights | None:
    """Bring weights to a mean of 1 over the used responses; return what they are worth.

    ``counts`` are the used responses of each pattern. Equal weights are none: they go.
    """
    given = scores.pop(WEIGHT, None)
    if given is None:
        return None
    total, n = fsum(counts * given), int(counts.sum())  # the same for any order of rows
    if np.ptp(given[~np.isnan(given)]) == 0:
        return DesignWeights(column=column, n=n, total=total, worth=n)
    scores[WEIGHT] = given * (n / total)
    return DesignWeights(column=column, n=n, total=total, worth=kish(given, counts))


def kish(weights: Floats, counts: NDArray[np.int64]) -> float:
    """How many responses of equal weight these are worth. Kish (1965), Survey Sampling, 8.2.

    >>> round(kish(np.array([1.0, 3.0]), np.array([50, 50])), 6)
    80.0
    """
    return fsum(counts * weights) ** 2 / fsum(counts * weights**2)
