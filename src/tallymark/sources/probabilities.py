"""Class probabilities: a column for each point of the gold's scale, which sum to 1."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from tallymark.errors import DataError, OptionError
from tallymark.scale import Scale
from tallymark.sources.cells import ScoreCells
from tallymark.sources.checks import Check
from tallymark.sources.roles import Roles
from tallymark.sources.sql import any_of

TOLERANCE = 1e-3
"""Printed probabilities are rounded: their sum may be so far from 1."""


def probability_checks(cells: ScoreCells, roles: Roles, *, several: bool) -> list[Check]:
    """The probabilities of a response are all missing, or none is negative and they sum to 1.

    Where prompts have ``several`` scales, the last columns may be empty; see :func:`check_given`.
    """
    place = {cell.name: f"s{i}" for i, cell in enumerate(cells.scores)}
    checks = []
    for system, columns in roles.probabilities.items():
        numbers = [place[name] for name in roles.scores_of("--probabilities", system)]
        given = any_of([f"{number} IS NOT NULL" for number in numbers])
        wrong = [f"{number} < 0" for number in numbers]
        wrong += (
            [f"{first} IS NULL AND {then} IS NOT NULL" for first, then in pairwise(numbers)]
            if several
            else [f"{number} IS NULL" for number in numbers]
        )
        total = " + ".join(f"coalesce({number}, 0)" for number in numbers)
        wrong.append(f"abs({total} - 1) > {TOLERANCE}")
        words = f"probabilities of {system} that are negative, incomplete or do not sum to 1"
        shown = f"concat_ws(', ', {', '.join(numbers)})"
        condition = f"({given}) AND ({any_of(wrong)})"
        checks.append(Check("probability", ", ".join(columns), condition, shown, words))
    return checks


def check_points(roles: Roles, scales: Sequence[Scale]) -> None:
    """Refuse probabilities that are not one for each point of the longest scale."""
    most = max((len(scale.points) for scale in scales), default=0)
    for scale in scales:
        points = 0 if scale.continuous else len(scale.points)
        for system, columns in roles.probabilities.items():
            if len(columns) != points and (not points or points == most):
                raise OptionError(
                    f"--probabilities of {system} names {len(columns)} columns; the gold's scale "
                    f"{scale} has {points or 'no'} points. Name one column for each point, in their "
                    "order, and declare the scale with --scale"
                )


def check_given(
    roles: Roles,
    scores: Mapping[str, NDArray[np.float64]],
    parts: Iterable[tuple[NDArray[np.bool_], Scale]],
) -> None:
    """Refuse responses that have not a probability for each point of the scale of their prompt."""
    for rows, scale in parts:
        for system in roles.probabilities:
            names = roles.scores_of("--probabilities", system)
            numbers = np.sum([~np.isnan(scores[name][rows]) for name in names], axis=0)
            wrong = int(((numbers > 0) & (numbers != len(scale.points))).sum())
            if wrong:
                many = "1 response has" if wrong == 1 else f"{wrong} responses have"
                raise DataError(
                    f"--probabilities of {system}: {many} not one for each of the "
                    f"{len(scale.points)} points of their scale {scale}; name the lowest point first "
                    "and leave the columns of points that a prompt does not have empty"
                )
