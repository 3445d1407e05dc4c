"""Without each rater, as blocks: how people agree, and how systems stand beside them."""

import math
from collections.abc import Iterator, Sequence

from tallymark.catalogue import preferred_contrast
from tallymark.questions.people.say import left_out_caption, left_out_systems
from tallymark.render.leading import grid, panel_brief, unglossed
from tallymark.render.model import Block, Column, Rank, Responses, Table
from tallymark.results import (
    AMONG_PEOPLE,
    PEOPLE,
    Evaluation,
    Kind,
    Numbers,
    Subset,
)


def without_each_rater(evaluation: Evaluation) -> Iterator[Block]:
    """How people agree without each rater, then how far each system is from them."""
    pairs = _pairs(evaluation)
    panels = [pair for pair in pairs if pair[0].subject == PEOPLE]
    if panels:
        shown = unglossed(panel_brief(evaluation))
        panels.sort(key=lambda pair: -_first(shown[0].of(pair[1])))
        rows = [((rest.against.name,), rest.n, numbers) for rest, numbers, _ in panels]
        caption = left_out_caption(panels[0][0].average)
        yield grid("without a rater", caption, ("without",), rows, shown, rank=Rank.PAGE)
    systems = [pair for pair in pairs if pair[0].subject.is_system]
    if systems:
        yield _systems(systems)


def _pairs(evaluation: Evaluation) -> list[tuple[Subset, Numbers, Numbers]]:
    """What was looked at without a rater, with its numbers and those of all raters."""
    return [
        (subset, evaluation.numbers[i], evaluation.beside(i, AMONG_PEOPLE))
        for i, subset in enumerate(evaluation.subsets)
        if subset.against.kind is Kind.WITHOUT
    ]


def _first(estimate: object) -> float:
    value = getattr(estimate, "value", math.nan)
    return -math.inf if math.isnan(value) else value


def _systems(pairs: Sequence[tuple[Subset, Numbers, Numbers]]) -> Table:
    rows, heading = [], ""
    for rest, numbers, of_all in pairs:
        without, everyone = preferred_contrast(numbers), preferred_contrast(of_all)
        if without is not None and everyone is not None:
            heading, contrast = without[0].heading, without[1]
            moved = abs(contrast.difference.value - everyone[1].difference.value)
            cells = (rest.system, rest.against.name, Responses(rest.n), contrast.people)
            rows.append((moved, (*cells, contrast.difference, everyone[1].difference)))
    rows.sort(key=lambda row: (math.isnan(row[0]), -row[0]))
    return Table(
        id="systems without a rater",
        caption=left_out_systems(heading),
        columns=(
            Column("system"),
            Column("without"),
            Column("n", numeric=True),
            Column("two people", numeric=True),
            Column("difference", "system and person less two people", numeric=True),
            Column("with all", "the same with all raters", numeric=True),
        ),
        rows=tuple(cells for _, cells in rows),
        names=2,
        folded=True,
        rank=Rank.PAGE,
    )
