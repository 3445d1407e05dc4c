"""Where the agreement sits: equal margins, agreement point by point, and QWK placed otherwise."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

import numpy as np

from tallymark.agreement.kappa import cohen_kappa
from tallymark.diagnosis.homogeneity import by_bhapkar, stuart_maxwell
from tallymark.diagnosis.position import EVERY, Placements, apart_rows, placements, spread_evenly
from tallymark.inference import Formula, Settings, estimate_all
from tallymark.questions.diagnosis.part import ACCEPTED, QWK, Here, finding, point, table_of
from tallymark.results import Estimate, Finding, Key, ResultTable
from tallymark.study.measured import stream_of
from tallymark.study.units import cell_units
from tallymark.tally import PairCounts, nearest

TEST = "chi-squared test"
NO_INTERVAL = "a test statistic has no interval"
EXTREME = "the extreme over all placements of these counts, not an estimate: it has no interval"
ONE_SCORE = "all scores are one and the same point"
NEVER_DIFFER = "gold and system never differ"
ONE_WAY = "every response differs, and the margins share no score"
DEPENDENT = "the test takes responses for independent, not those of one cluster"


def margins(here: Here, table: PairCounts) -> Iterator[Estimate]:
    """Test whether the gold and the system use the points equally often."""
    plain = stuart_maxwell(table)
    tests = {"stuart_maxwell": plain, "bhapkar": by_bhapkar(plain, here.n)}
    for name, test in tests.items():
        why = NO_INTERVAL
        if math.isnan(test.statistic):
            why = ONE_WAY if test.df else NEVER_DIFFER
        elif here.rows.clusters is not None:
            why = f"{NO_INTERVAL}; {DEPENDENT}"
        yield Estimate(
            key=Key(name), value=test.statistic, n=here.n, method=TEST, score="rounded", why=why,
            parts={"p": test.p, "df": float(test.df)},
        )  # fmt: skip


def positions(
    here: Here, table: PairCounts, settings: Settings
) -> tuple[list[Estimate], Placements]:
    """QWK with the agreement spread evenly, and the range over all placements of it."""
    even = Formula(
        name="qwk_even_position",
        value=partial(cohen_kappa, weights="quadratic"),
        undefined=ONE_SCORE,
    )
    points = here.rows.points
    first, second = nearest(here.rows.scores, points).T
    cells, unit = np.unique(first * points.size + second, return_inverse=True)
    added = apart_rows(*np.divmod(cells, points.size), points)
    units = cell_units(here.rows, unit, added, partial(spread_evenly, points=points))
    made = estimate_all([even], units, settings, key=stream_of(here.part.label))
    reached = placements(table)
    searched = table.points.size > EVERY
    low, high = reached.lowest, reached.highest
    made.append(_extreme(here, "qwk_lowest_position", low, "exact"))
    how = "search; part `bound` is never exceeded" if searched else "exact"
    bound = {"bound": reached.bound} if searched else {}
    made.append(_extreme(here, "qwk_highest_position", high, how, bound))
    return [replace(estimate, score="rounded") for estimate in made], reached


def _extreme(
    here: Here, name: str, value: float, method: str, parts: Mapping[str, float] | None = None
) -> Estimate:
    why = ONE_SCORE if math.isnan(value) else EXTREME
    return Estimate(key=Key(name), value=value, n=here.n, method=method, why=why, parts=parts or {})


def position_effect(
    here: Here, table: PairCounts, even: Estimate, reached: Placements
) -> Iterator[Finding]:
    """Yield a finding where the place of the agreement decides on which side of .70 QWK lies."""
    qwk = here.numbers.get(QWK)
    if qwk is None or math.isnan(qwk.value) or math.isnan(reached.lowest):
        return
    if not reached.lowest < ACCEPTED <= reached.highest:
        return
    diagonal = np.diagonal(table.counts)
    agreed = int(diagonal.sum())
    at = int(np.argmax(diagonal))
    numbers = {
        "qwk": qwk.value, "even": even.value, "lowest": reached.lowest, "highest": reached.highest,
        "agreements": float(agreed), "largest_share": float(diagonal[at] / agreed),
    }  # fmt: skip
    texts = {"most_agreed": point(here.scale, here.scale.points[at])}
    # what might have been must not excuse what is
    yield finding(here, "position_effect", numbers, texts=texts, loud=False)


def by_point(here: Here, table: PairCounts) -> ResultTable:
    """Agreement at each score point."""
    gold, system = table.counts.sum(axis=1), table.counts.sum(axis=0)
    both = np.diagonal(table.counts)
    rows = [
        (point(here.scale, x), int(g), int(s), int(b), float(b / g) if g else math.nan)
        for x, g, s, b in zip(here.scale.points, gold, system, both, strict=True)
    ]
    columns = ("score", "gold", "system", "both", "share_of_gold")
    return table_of("agreement_by_point", "Where the agreement sits", columns, rows)
