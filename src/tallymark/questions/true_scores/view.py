"""True scores, as a section: a sentence on each system, and the numbers of each part."""

from collections.abc import Iterator

from tallymark.catalogue import members
from tallymark.questions.true_scores.say import MEANING, number, prediction
from tallymark.render.asking import asked_by
from tallymark.render.grids import SIDE_BY_SIDE
from tallymark.render.model import (
    Block,
    Column,
    Entry,
    Grid,
    Heading,
    Measure,
    Rank,
    Responses,
    Says,
    Section,
    Table,
    Text,
    Value,
)
from tallymark.render.scope import scope
from tallymark.render.subsets import (
    asked_alone,
    by_kind_of_part,
    place,
    rated_twice,
    standing_for_all,
)
from tallymark.results import TRUE_SCORES, Evaluation, Subset

ON_GOLD_SCALE = "ratings on the scale of the gold: here the gold has a scale of its own."
NEEDS = "responses that were rated twice, or the variance of a rater's error: --error-variance."


def section(evaluation: Evaluation) -> Section:
    """Show how well each system predicts true scores."""
    subsets = [s for s in evaluation.subsets if s.against == TRUE_SCORES and s.subject.is_system]
    return Section(
        id="true-scores",
        title="True scores",
        question="What would be left without rater error?",
        blocks=tuple(_blocks(evaluation, subsets)) if subsets else (),
        needs=_needs(evaluation),
        takes=asked_by(evaluation, NEEDS),
    )


def _needs(evaluation: Evaluation) -> str:
    """What would be needed; nothing where true scores were not asked for."""
    if evaluation.kind == "compare" or asked_alone(evaluation):
        return ""
    return ON_GOLD_SCALE if rated_twice(evaluation) else asked_by(evaluation, NEEDS)


def _blocks(evaluation: Evaluation, subsets: list[Subset]) -> Iterator[Block]:
    yield Text(MEANING, rank=Rank.PAGE)
    leading = standing_for_all(evaluation, subsets)
    everyone = [(s.system, s.n, evaluation.of(s)) for s in leading]
    of = [scope(evaluation, subset) for subset in leading]
    sentences = tuple(
        said
        for (name, _, numbers), which in zip(everyone, of, strict=True)
        if (said := prediction(name, numbers, which))
    )
    few = len(everyone) <= SIDE_BY_SIDE
    if sentences and few:
        yield Says(sentences)
    if everyone:
        shown = members("true_scores")
        yield Grid(
            id="true scores",
            caption="Prediction of true scores",
            names=("system",),
            measures=tuple(
                Measure(statistic.heading, statistic.gloss, statistic.text) for statistic in shown
            ),
            entries=tuple(
                Entry((name,), tuple(number(numbers, statistic.text) for statistic in shown), n)
                for name, n, numbers in everyone
            ),
            rank=Rank.PAGE if few else Rank.FULL,
        )
    if any(True for _ in by_kind_of_part(subsets)):
        yield Heading("In each part of the data", rank=Rank.PAGE, folded=True)
    for kind, parts in by_kind_of_part(subsets):
        yield _parts(evaluation, kind, parts)


def _parts(evaluation: Evaluation, kind: str, parts: list[Subset]) -> Table:
    several = len({part.system for part in parts}) > 1
    rows: list[tuple[Value, ...]] = [
        (
            ", ".join(place(part).values()),
            *([part.system] if several else []),
            Responses(part.n),
            number(evaluation.of(part), "prmse"),
        )
        for part in parts
    ]
    return Table(
        id="true scores by part",
        caption=f"True scores {kind[0].lower()}{kind[1:]}",
        columns=(
            Column("part"),
            *([Column("system")] if several else []),
            Column("n", numeric=True),
            Column("PRMSE", key="prmse", numeric=True),
        ),
        rows=tuple(rows),
        names=1 + several,
        rank=Rank.PAGE,
    )
