"""Fairness: does a system treat every group as people do?"""

from collections.abc import Iterator

from tallymark.render import figures
from tallymark.render.fairness import errors_by_group, stands_out
from tallymark.render.figures.records import Mark, Row
from tallymark.render.leading import Shown, brief
from tallymark.render.literal import literal
from tallymark.render.model import Block, Cell, Column, Heading, Section, Table, Text
from tallymark.render.report.blocks import MOST_FIGURES, Part, by_part, drawn, paired, said
from tallymark.render.report.carrying import common_domain
from tallymark.render.report.view import MOST_ROWS, View, counted, few, headings
from tallymark.render.subsets import against_gold, by_kind_of_part
from tallymark.results import OTHER_GROUPS, Subset

_SHOWN = (
    Shown("dsm", "DSM", "system's standardized mean of the group less the gold's; 0 is even"),
    Shown("osd_effect", "error", "mean error less that of the largest group, in score points"),
    Shown("true_effect", "at true score", "the same among equally good responses"),
)
FEW_GROUPS = 12
"""Forests of so many groups stand beside each other."""
_WORDS = {"(+) ": "favoured", "(-) ": "disfavoured"}
_DSM = (
    "Groups may differ in truth; that alone is no unfairness. DSM asks whether the system puts a "
    "group higher or lower, beside the other groups, than people do. A difference beyond ±.10 is "
    "commonly flagged."
)


def fairness(view: View) -> Section:
    """Put the section together."""
    return Section(
        id="fairness",
        title="Fairness",
        question="Are groups treated as people treat them?",
        blocks=tuple(_blocks(view)),
        needs="a column of groups, such as --group gender.",
    )


def _blocks(view: View) -> Iterator[Block]:
    overall = [(i, s) for i, s in view.subsets(OTHER_GROUPS) if s.group is None]
    parts = [s for s in against_gold(view.evaluation) if s.group_column is not None]
    if not overall and not parts:
        return
    if overall:
        yield Text(_DSM)
        yield said([s for _, s in overall], lambda s: f"{errors_by_group(view.evaluation, s)[0]}.")
    columns = list(dict.fromkeys(s.group_column for _, s in overall))
    for column in columns:
        yield Heading(f"By {literal(column or '')}")
        yield from _column(view, [one for one in overall if one[1].group_column == column])
    for title, own in by_kind_of_part(parts):
        found = [(view.evaluation.subsets.index(s), s) for s in own]
        caption = f"Agreement {title[0].lower()}{title[1:]}"
        yield by_part(view, caption, caption, found, brief(view.evaluation))


def _column(view: View, overall: list[Part]) -> Iterator[Block]:
    """The groups of one column, for each system."""
    by_system = [(subset, _groups(view, subset)) for _, subset in overall]
    everyone = [part for _, groups in by_system for part in groups]
    yield from paired(_forests(view, by_system))
    shown = [one for one in _SHOWN if any(one.text in view.numbers[i] for i, _ in everyone)]
    several = len(overall) > 1
    rows = []
    for i, s in everyone[:MOST_ROWS]:
        said = _WORDS.get(stands_out(view.numbers[i]), "")
        rows.append(
            (
                Cell(literal(s.group or "")),
                *([Cell(literal(s.system))] if several else []),
                counted(s.n),
                Cell(said, tone="warn" if said else ""),
                *(view.cell(view.numbers[i].get(one.text)) for one in shown),
            )
        )
    yield Table(
        id=view.free_id("groups"),
        caption=f"Groups of {literal(overall[0][1].group_column or '')} beside the others",
        columns=(
            Column("group"),
            *([Column("system")] if several else []),
            Column("responses", numeric=True),
            Column(
                "stands out", "by the test of DSM, adjusted over all groups and tests of the column"
            ),
            *headings(shown),
        ),
        rows=tuple(rows),
        note=few(s.n for _, s in everyone),
        left=max(len(everyone) - MOST_ROWS, 0),
    )


def _groups(view: View, subset: Subset) -> list[Part]:
    return [
        (i, s)
        for i, s in view.subsets(OTHER_GROUPS, subset.subject)
        if s.group_column == subset.group_column and s.group is not None
    ]


def _forests(view: View, by_system: list[tuple[Subset, list[Part]]]) -> list[Block]:
    """DSM of each group against ±.10, the systems on one axis."""
    rows: list[tuple[Subset, list[Row]]] = []
    for subset, groups in by_system[:MOST_FIGURES]:
        series = view.series(subset.system)
        found = [(s, view.numbers[i]["dsm"]) for i, s in groups if "dsm" in view.numbers[i]]
        own = [Row.of(dsm, literal(s.group or ""), n=s.n, series=series) for s, dsm in found]
        rows += [(subset, own)] if own else []
    domain = common_domain([row for _, own in rows for row in own], (Mark(-0.1, ""), Mark(0.1, "")))
    blocks: list[Block] = []
    for subset, own in rows:
        caption = f"{literal(subset.system)}: DSM by {literal(subset.group_column or '')}"
        small = len(own) <= FEW_GROUPS
        blocks += drawn(view, figures.forest, own, caption=caption, small=small, domain=domain)
    return blocks
