"""Raters, as a section: each beside the others, and how they change from batch to batch."""

import math
from collections.abc import Iterator

from tallymark.defaults import LEVEL
from tallymark.questions.raters.say import CHANGE, in_order, leaning, turning, within
from tallymark.render.facts import MOST_ROWS
from tallymark.render.grids import cautions, reasons
from tallymark.render.leading import grid
from tallymark.render.model import (
    Bare,
    Block,
    Column,
    Measure,
    Responses,
    Section,
    Table,
    Value,
)
from tallymark.render.sentences import Sentence
from tallymark.render.subsets import rater_numbers, single_raters
from tallymark.results import OTHERS, Estimate, Evaluation, Numbers, Subset

DIFFERENCE = "bias"
MOST_DRIFTING = 10
"""Raters over time on a terminal: those who change most."""
_RATER = (
    Measure("mean", "mean score of the rater", "rater_mean"),
    Measure("SD", "spread of the rater's scores", "rater_sd"),
    Measure("most used", "share of the rater's most used score", "modal_share"),
    Measure("r", "correlation with the mean of the other raters", "pearson"),
    Measure("difference", "rater less that mean, on the same responses", DIFFERENCE),
)


def section(evaluation: Evaluation) -> Section:
    """Show each rater beside the others; nothing where raters were not looked at one by one."""
    return Section(
        id="raters",
        title="Each rater",
        question="Who scores otherwise than the others, and who changes?",
        blocks=(*_beside_others(evaluation), *_drift(evaluation)),
        takes="raters who share responses: a second --human column.",
        titled=False,
    )


def rater_statistics(evaluation: Evaluation) -> tuple[Measure, ...]:
    """Return the statistics to show of each rater."""
    return tuple(statistic for statistic in _RATER if statistic.key in evaluation.definitions)


def ordered(evaluation: Evaluation) -> list[tuple[Subset, Numbers]]:
    """Return the raters, the most severe first; of many, those furthest from the others first."""
    raters = [(s, rater_numbers(evaluation, s)[1]) for s in single_raters(evaluation)]
    many = len(raters) > MOST_ROWS
    return sorted(raters, key=lambda rater: _place(rater[1][DIFFERENCE], by_size=many))


def _place(difference: Estimate, *, by_size: bool) -> tuple[bool, float]:
    """The undefined come last."""
    if math.isnan(difference.value):
        return True, 0.0
    return False, -abs(difference.value) if by_size else difference.value


def _beside_others(evaluation: Evaluation) -> Iterator[Block]:
    raters, shown = ordered(evaluation), rater_statistics(evaluation)
    if not raters:
        return
    numbers = grid(
        "raters",
        "",
        ("rater",),
        [((s.system,), s.n, numbers_of) for s, numbers_of in raters],
        shown,
    )
    why = reasons(numbers.measures, [entry.numbers for entry in numbers.entries])
    yield Table(
        id="raters",
        caption=Sentence(
            f"Raters, {in_order(many=len(raters) > MOST_ROWS)}, {{level:level}} intervals"
            f"{within(rater_numbers(evaluation, raters[0][0])[0])}",
            level=float(evaluation.options.get("level", LEVEL)),
        ),
        columns=(
            Column("rater"),
            Column("n", numeric=True),
            *(
                Column(measure.title, measure.words, measure.key, numeric=True)
                for measure in numbers.measures
            ),
            Column(""),
        ),
        rows=tuple(
            (
                subset.system,
                Responses(subset.n),
                *_cells(shown, numbers_of),
                leaning(numbers_of[DIFFERENCE]),
            )
            for subset, numbers_of in raters
        ),
        note=" ".join([*why, *map(str, cautions(numbers))]),
    )


def _cells(shown: tuple[Measure, ...], numbers: Numbers) -> Iterator[Value]:
    """Only the difference has room for its interval on a terminal."""
    for statistic in shown:
        yield (
            numbers[statistic.key] if statistic.key == DIFFERENCE else Bare(numbers[statistic.key])
        )


def _drift(evaluation: Evaluation) -> Iterator[Block]:
    """Each rater's difference from the others in every batch, and the change."""
    parts = [
        s
        for s in evaluation.subsets
        if s.against == OTHERS and not s.subject.is_system and s.group is not None
    ]
    if not parts:
        return
    batches = list(dict.fromkeys(str(subset.group) for subset in parts))
    by_batch = {(s.subject, s.group): evaluation.of(s)["rater_difference"] for s in parts}
    changes = [(s, evaluation.of(s).get("drift")) for s in single_raters(evaluation)]
    known = [(s, e) for s, e in changes if e is not None and not math.isnan(e.value)]
    known.sort(key=lambda rater: -abs(rater[1].value))
    yield Table(
        id="drift",
        caption=Sentence(
            "Raters over {column}, those who change most first", column=str(parts[0].group_column)
        ),
        columns=(
            Column("rater"),
            Column("change", key="drift", numeric=True),
            Column(""),
            *(Column(batch, key="rater_difference", numeric=True) for batch in batches),
        ),
        rows=tuple(
            (
                subset.system,
                change,
                turning(change),
                *(_bare(by_batch.get((subset.subject, batch))) for batch in batches),
            )
            for subset, change in known
        ),
        most=MOST_DRIFTING,
        note=CHANGE,
    )


def _bare(estimate: Estimate | None) -> Bare | None:
    return None if estimate is None else Bare(estimate)
