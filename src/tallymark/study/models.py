"""Models of the ratings that several questions rest on: severity, and who was given which responses."""

import numpy as np

from tallymark.inference import Settings
from tallymark.reliability.assignment import Assignment
from tallymark.reliability.rasch import MOST_POINTS, NotFitted
from tallymark.reliability.severity import Method, Severities, severities
from tallymark.results import Estimate, Key
from tallymark.study.parts import People
from tallymark.study.rows import Rows

NOT_TESTED = "too few responses were rated twice to compare raters with and without the others"


def severity_model(people: People, method: Method) -> Severities | NotFitted:
    """Fit the severity model to these ratings, or say why it cannot be."""
    if people.scale.continuous:
        return NotFitted("the scores are continuous; the Rasch model needs score points")
    if people.rows.points.size > MOST_POINTS:
        points = people.rows.points.size
        return NotFitted(f"the scale has {points} points, more than {MOST_POINTS}")
    rows = people.rows
    return severities(
        rows.scores, rows.points, names=people.names, counts=rows.counts, clusters=rows.clusters,
        method=method,
    )  # fmt: skip


def assignment_estimates(
    assignment: Assignment, rows: Rows, settings: Settings, *, all_count: bool | None = None
) -> list[Estimate]:
    """Test whether raters were given their responses at random; nothing where all read the same.

    ``all_count`` says whether responses read once count, where that does not follow from the test.
    """
    if assignment.state == "same panel":
        return []
    parts = {"p": assignment.p, "df": float(assignment.df[0]), "df_within": float(assignment.df[1])}
    parts |= {
        "share": assignment.share,
        "shared": float(assignment.shared),
        "random": float(assignment.random),
    }
    parts["all_count"] = float(assignment.random if all_count is None else all_count)
    rated = ~np.isnan(rows.scores).all(axis=1)
    return [
        Estimate(
            key=Key("random_assignment"), value=assignment.f, level=settings.level, score="human",
            n=int(rows.counts[rated].sum()), method="Hausman contrast", parts=parts,
            why=NOT_TESTED if np.isnan(assignment.f) else "a test statistic has no interval",
        )
    ]  # fmt: skip
