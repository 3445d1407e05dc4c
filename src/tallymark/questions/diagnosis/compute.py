"""Diagnosis: what the coefficients of a system hide, on all responses and on each prompt."""

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import numpy as np
from msgspec.structs import replace

from tallymark.agreement.kappa import cohen_kappa
from tallymark.diagnosis.homogeneity import bhapkar, stuart_maxwell
from tallymark.diagnosis.position import EVERY, Placements, apart_rows, placements, spread_evenly
from tallymark.inference import Formula, Settings, estimate_all
from tallymark.questions.diagnosis.influence import (
    influence_table,
    influential,
    largest_disagreements,
)
from tallymark.questions.diagnosis.metrics import metric_to_trust, metrics_here
from tallymark.questions.diagnosis.paradoxes import paradoxes
from tallymark.questions.diagnosis.part import (
    ACCEPTED,
    QWK,
    Here,
    Where,
    by_subset,
    finding,
    here_of,
    point,
    table_of,
)
from tallymark.results import DIAGNOSIS, Estimate, Finding, Key, ResultTable, system_called
from tallymark.scale import MOST_POINTS
from tallymark.study.measured import SubsetResults, stream_of, subset_of
from tallymark.study.parts import Part, within
from tallymark.study.units import cell_units
from tallymark.tally import PairCounts, nearest


def diagnosed(
    parts: Sequence[Part], results: Sequence[SubsetResults], settings: Settings
) -> Iterator[SubsetResults]:
    """Yield the diagnosis of every system; ``results`` are those known already.

    Of all responses, or of each trait or prompt where there are several. All responses together
    have tables then, and no findings: how prompts differ raises their coefficients.
    """
    known, looked_at = by_subset(results), within(parts)
    for system in parts[0].scores.roles.systems:
        for part in dict.fromkeys((parts[0], *looked_at)):
            for diagnosis in _of_part(system, part, known, settings):
                yield diagnosis if part in looked_at else diagnosis._replace(findings=())


def _of_part(
    system: str, part: Part, known: Mapping[Where, SubsetResults], settings: Settings
) -> Iterator[SubsetResults]:
    here, scores = here_of(system, part, known), part.scores
    whole = not part.where
    listed = (
        largest_disagreements(scores.worst.get(system, ()), scores.gold_scale) if whole else None
    )
    tables = [] if listed is None else [listed]
    if here is None:  # prompts have scales of their own
        if tables:
            subset = subset_of(part, system_called(system), n=scores.facts.used, against=DIAGNOSIS)
            yield SubsetResults(subset, [], [], tables=tuple(tables))
        return
    estimates: list[Estimate] = []
    diagnoses = [*paradoxes(here, settings.level), *influential(here)]
    if whole:
        moved = influence_table(here)
        tables += [] if moved is None else [moved]
    if here.table is not None:
        more = _on_points(here, settings, whole=whole)
        estimates, tables, diagnoses = more[0], [*more[1], *tables], [*diagnoses, *more[2]]
    if scores.gold_scale.view == "binary":
        diagnoses = [each for each in diagnoses if each.name in ON_TWO_POINTS]
    subset = subset_of(part, system_called(system), n=here.n, against=DIAGNOSIS)
    yield SubsetResults(subset, estimates, [], tables=tuple(tables), findings=tuple(diagnoses))


ON_TWO_POINTS = ("kappa_paradox", "ac_without_discrimination")
"""What two points can hide: they have no near misses, and no order beyond the two labels."""


def _on_points(
    here: Here, settings: Settings, *, whole: bool
) -> tuple[list[Estimate], list[ResultTable], list[Finding]]:
    """What needs a table of score points."""
    table = here.table
    if table is None or not 2 <= table.points.size <= MOST_POINTS:
        return [], [], []
    made, placed = positions(here, table, settings)
    diagnoses = [*position_effect(here, table, made[0], placed)]
    tables = [by_point(here, table)]
    metrics = metrics_here(here, table, placed)
    tables += [metrics] if whole else []
    diagnoses += metric_to_trust(here, table, metrics)
    return [*margins(here, table), *made], tables, diagnoses


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
    tests = {"stuart_maxwell": plain, "bhapkar": bhapkar(plain, here.n)}
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
    how = "search; part bound is never exceeded" if searched else "exact"
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
