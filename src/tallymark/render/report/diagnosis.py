"""Diagnosis: what the coefficients hide, and every table and curve that no other section took."""

from collections.abc import Iterator
from dataclasses import replace

from tallymark.render.literal import literal
from tallymark.render.model import Block, Heading, Section, Text
from tallymark.render.report.blocks import (
    any_curves,
    any_table,
    few_systems,
    paired,
    same_axes,
)
from tallymark.render.report.view import View, part_name
from tallymark.render.subsets import whole
from tallymark.results import CONFIDENCE, Curve, Table, split_key

TAKEN_TABLES = frozenset({
    "ranking", "pairs", "confidences", "routing", "cost", "groups", "recalibration", "cut_scores", "decisions",
    "critical_errors_by_lambda", "plan", "accepted_errors",
})  # fmt: skip
"""Tables that other sections show."""
TAKEN_CURVES = ("generalizability", "dependability", "ceiling_", "risk_", "threshold")
"""Beginnings of the names of curves that other sections show."""
IN_TABLES = ("pass_fail_majority", "pass_fail[prevalence]", "pass_fail[sim_pass]")
"""Curves of which a table tells what matters."""
MOST_FINDINGS = 20
MOST_FOLDED = 10
_FOLDED = frozenset({"largest_disagreements", "influential", "agreement_by_point"})
TITLES = {
    "scale_effect": "The same scores on other scales",
    "pass_fail": "Pass and fail",
    "metrics_here": "Which coefficient to trust here",
    "metric_to_trust": "Which coefficient to trust here",
    "influential": "Influence of single responses",
    "agreement_by_point": "Where the agreement sits",
    "kappa_paradox": "High agreement, low kappa",
    "ac_without_discrimination": "High AC without telling responses apart",
    "qwk_without_exact": "High QWK, few exact agreements",
    "qwk_with_critical_errors": "High QWK with critical errors",
    "agreement_without_order": "High agreement without order",
    "recalibrate": "Order is right, level is not",
}
_FIRST = ("metrics_here", "scale_effect", "pass_fail")
_WORDS = {
    "scale_effect": "Coefficients change when scores are put into fewer points, or when the gold is "
    "made of the ratings by another rule. The people and the system are the same each time.",
    "pass_fail": "Each score point is taken as a pass mark. A scorer without skill, who decides as "
    "most of the gold does, should get nothing.",
}
_PROPERTIES = ("robust", "penalises", "detects", "corrects", "needs")
_CAPTIONS = {
    "scale_effect": "coefficients on fewer score points",
    "pass_fail": "agreement on pass and fail by pass mark",
}


def diagnosis(view: View) -> Section:
    """Put the section together."""
    return Section(
        id="diagnosis",
        title="Diagnosis",
        question="What do the coefficients hide?",
        blocks=tuple(_blocks(view)),
        needs="Nothing was found that a coefficient hides.",
    )


def _blocks(view: View) -> Iterator[Block]:
    found = view.remarks
    yield from found[:MOST_FINDINGS]
    if len(found) > MOST_FINDINGS:
        yield Text(f"{len(found) - MOST_FINDINGS} more findings are in evaluation.json.", "lesser")
    known = view.evaluation.curves
    curves = [curve for curve in known if not curve.name.startswith((*TAKEN_CURVES, *IN_TABLES))]
    tables = _tables(view)
    names = [*(curve.name for curve in curves), *(table.name for table in tables)]
    topics = dict.fromkeys(map(_topic, names))
    for topic in sorted(
        topics, key=lambda one: _FIRST.index(one) if one in _FIRST else len(_FIRST)
    ):
        yield Heading(TITLES.get(topic, literal(topic).replace("_", " ").capitalize()))
        if topic in _WORDS:
            yield Text(_WORDS[topic])
        own = [c for c in curves if _topic(c.name) == topic and few_systems(view, c.subset)]
        blocks: list[Block] = []
        for group in same_axes(own):
            blocks += any_curves(view, group, _caption(view, group), small=True)
        yield from paired(blocks)
        for table in tables:
            if _topic(table.name) == topic and few_systems(view, table.subset):
                folded = table.name in _FOLDED
                short = replace(table, rows=table.rows[:MOST_FOLDED]) if folded else table
                left = len(table.rows) - len(short.rows)
                yield any_table(view, short, folded=folded, left=left)


def _tables(view: View) -> list[Table]:
    """Tables that no other section shows; of prompts only where all responses have none."""
    subsets = view.evaluation.subsets
    found = [
        table
        for table in view.evaluation.tables
        if table.name not in TAKEN_TABLES
        and (table.subset < 0 or subsets[table.subset].against != CONFIDENCE)
    ]

    def of_all(table: Table) -> bool:
        return table.subset < 0 or whole(subsets[table.subset])

    names = {table.name for table in found if of_all(table)}
    kept = [table for table in found if of_all(table) or table.name not in names]
    parted = [part for table in kept for part in _parted(table)]
    return list({(one.title, one.rows): one for one in reversed(parted)}.values())[::-1]


def _parted(table: Table) -> list[Table]:
    """A table too wide to read becomes two: the numbers of these data, and properties in general."""
    if table.name != "metrics_here":
        return [table]
    general = [i for i, c in enumerate(table.columns) if c.startswith(_PROPERTIES)]
    here = [i for i, c in enumerate(table.columns) if i not in general and c != "statistic"]
    first = table.columns.index("title") if "title" in table.columns else 0
    return [
        _columns(table, here, "what each says on these data"),
        replace(_columns(table, [first, *general], "what each can see"), subset=-1, note=""),
    ]


def _columns(table: Table, kept: list[int], said: str) -> Table:
    return replace(
        table,
        title=f"{table.title}: {said}",
        columns=tuple(table.columns[i] for i in kept),
        rows=tuple(tuple(row[i] for i in kept) for row in table.rows),
    )


def _topic(name: str) -> str:
    return split_key(name)[0].removesuffix("_majority")


def _caption(view: View, curves: list[Curve]) -> str:
    whose = ""
    if curves[0].subset >= 0:
        subset = view.evaluation.subsets[curves[0].subset]
        part = part_name(subset)
        where = "" if part == "all responses" else f", {part}"
        whose = f"{literal(subset.system)}{where}: "
    kind = split_key(curves[0].name)[0]
    said = _CAPTIONS.get(kind, f"{kind.replace('_', ' ')} by {curves[0].x_title}")
    return f"{whose}{literal(said)}"
