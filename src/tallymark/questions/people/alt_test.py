"""The Alt-Test: is a system as close to the other raters as a left-out rater? Secondary."""

from collections.abc import Iterator, Sequence

import numpy as np

from tallymark.defaults import MANY_RATERS
from tallymark.results import ResultTable
from tallymark.selective.alt_test import AltTest, alt_test
from tallymark.study.parts import Part

EPSILON = 0.2
"""How much more often a rater may be ahead before the system loses; declared, not tuned."""
COLUMNS = ("system", "rater", "responses", "as close", "p", "wins", "winning rate", "test")
NOTE = (
    f"Score: root mean squared distance; epsilon {EPSILON:g}; ties count for both; Wilcoxon's test "
    "below 30 responses, over clusters where there are some; Benjamini-Yekutieli at 0.05; a winning "
    "rate of .5 passes. It knows no critical errors and changes with score and epsilon: no ground "
    "to accept a system. Calderon, Reichart & Dror (2025), arXiv:2501.10970."
)
MANY_RESPONSES = 20_000
"""Beyond this many responses, the small-sample test is not run."""


def alt_tests(part: Part) -> tuple[ResultTable, ...]:
    """Each system against each of three raters or more, by closeness to the others: secondary."""
    people, scores = part.people, part.scores
    if part.where or scores.weighted or people is None:
        return ()
    if not 3 <= len(people.names) <= MANY_RATERS:
        return ()
    times = scores.patterns.counts[part.rows]
    if times.sum() > MANY_RESPONSES:
        return ()
    ratings, clusters = np.repeat(people.rows.scores, times, axis=0), people.rows.clusters
    clusters = None if clusters is None else np.repeat(clusters, times)
    rows: list[tuple[str | int | float, ...]] = []
    for system in scores.roles.systems:
        given = np.repeat(scores.patterns.scores[f"system:{system}"][part.rows], times)
        result = alt_test(given, ratings, epsilon=EPSILON, cluster=clusters)
        rows += _alt_test_rows(system, people.names, result)
    if not rows:
        return ()
    title = "Alt-Test: is the system as close to the other raters as a left-out rater? (secondary)"
    return (
        ResultTable(name="alt_test", title=title, columns=COLUMNS, rows=tuple(rows), note=NOTE),
    )


def _alt_test_rows(
    system: str, names: Sequence[str], result: AltTest
) -> Iterator[tuple[str | int | float, ...]]:
    for i, rater in enumerate(result.raters):
        numbers = int(result.n[i]), float(result.advantage_each[i]), float(result.p[i])
        wins = "yes" if result.wins[i] else "no"
        yield (system, names[rater], *numbers, wins, result.winning_rate, result.tests[i])
