"""Class probabilities: a column for each point of the gold's scale, which sum to 1."""

from collections.abc import Iterable

from tallymark.errors import OptionError
from tallymark.scale import Scale
from tallymark.sources.cells import ScoreCells
from tallymark.sources.checks import Check
from tallymark.sources.roles import Roles
from tallymark.sources.sql import any_of

TOLERANCE = 1e-3
"""Printed probabilities are rounded: their sum may be so far from 1."""


def probability_checks(cells: ScoreCells, roles: Roles) -> list[Check]:
    """The probabilities of a response are all missing, or none is negative and they sum to 1."""
    place = {cell.name: f"s{i}" for i, cell in enumerate(cells.scores)}
    checks = []
    for system, columns in roles.probabilities.items():
        numbers = [place[name] for name in roles.scores_of("--probabilities", system)]
        given = any_of([f"{number} IS NOT NULL" for number in numbers])
        wrong = [f"{number} IS NULL OR {number} < 0" for number in numbers]
        wrong.append(f"abs({' + '.join(numbers)} - 1) > {TOLERANCE}")
        words = f"probabilities of {system} that are negative, incomplete or do not sum to 1"
        shown = f"concat_ws(', ', {', '.join(numbers)})"
        condition = f"({given}) AND ({any_of(wrong)})"
        checks.append(Check("probability", ", ".join(columns), condition, shown, words))
    return checks


def check_points(roles: Roles, scales: Iterable[Scale]) -> None:
    """Refuse probabilities that are not one for each point."""
    for scale in scales:
        points = 0 if scale.continuous else len(scale.points)
        for system, columns in roles.probabilities.items():
            if len(columns) != points:
                raise OptionError(
                    f"--probabilities of {system} names {len(columns)} columns; the gold's scale "
                    f"{scale} has {points or 'no'} points. Name one column for each point, in their "
                    "order, and declare the scale with --scale"
                )
