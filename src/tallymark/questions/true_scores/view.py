"""True scores, as a section: a sentence on each system, and the numbers of each part."""

from collections.abc import Iterator

from tallymark.questions.true_scores.say import MEANING, prediction
from tallymark.render.asking import asked_by
from tallymark.render.grids import SIDE_BY_SIDE
from tallymark.render.leading import by_part, grid, of_systems, shown_of
from tallymark.render.model import Block, Measure, Rank, Says, Section, Text
from tallymark.render.scope import scope
from tallymark.render.subsets import asked_alone, rated_twice, standing_for_all
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
    said = (prediction(s.system, evaluation.of(s), scope(evaluation, s)) for s in leading)
    sentences = tuple(sentence for sentence in said if sentence is not None)
    few = len(leading) <= SIDE_BY_SIDE
    if sentences and few:
        yield Says(sentences)
    if leading:
        rows, rank = of_systems(evaluation, leading), Rank.PAGE if few else Rank.FULL
        shown = shown_of("true_scores")
        caption = "Prediction of true scores"
        yield grid("true scores", caption, ("system",), rows, shown, rank=rank)
    yield from by_part(evaluation, subsets, "True scores", [Measure("PRMSE", key="prmse")])
