"""Severity, as a section: how severe and how regular raters are, and systems as one more rater."""

import math
from collections.abc import Iterator, Mapping, Sequence

from tallymark.catalogue import members
from tallymark.questions.severity.say import (
    COMPRESSES,
    LOGITS,
    as_rater,
    by_model,
    judgement,
    undefined,
)
from tallymark.render.dealt import dealt
from tallymark.render.figures.records import NAN, RaterPoint, Whisker
from tallymark.render.model import (
    Bare,
    Block,
    Column,
    Drawing,
    Heading,
    Rank,
    Says,
    Section,
    Table,
    Text,
    Value,
)
from tallymark.render.sentences import Sentence
from tallymark.render.subsets import single_raters, system_against
from tallymark.results import PEOPLE, SEVERITY, Estimate, Evaluation, Numbers

MOST_RATERS = 10
"""Raters on a terminal: of more, those furthest off."""


def section(evaluation: Evaluation) -> Section:
    """Show who is severe, erratic or keeps to few scores; nothing where no model was fitted."""
    return Section(
        id="severity",
        title="Severity",
        question="Who is severe, erratic, or keeps to few scores?",
        blocks=(*_raters(evaluation), *_systems(evaluation)),
        takes="raters who share responses: a second --human column.",
        titled=False,
    )


def raters_of(evaluation: Evaluation) -> list[RaterPoint]:
    """Find raters, and systems as one more rater, for the figure."""
    people, systems = single_raters(evaluation), system_against(evaluation, SEVERITY)
    raters = []
    for series, subset in [*((0, s) for s in people), *enumerate(systems, 1)]:
        numbers = evaluation.of(subset)
        if "severity" in numbers:
            row = Whisker.of(numbers["severity"], subset.system, series=series)
            fit = [numbers[name].value if name in numbers else NAN for name in ("infit", "outfit")]
            raters.append(RaterPoint(row, *fit))
    return raters


def _raters(evaluation: Evaluation) -> Iterator[Block]:
    every = {subset.system: evaluation.of(subset) for subset in single_raters(evaluation)}
    judged = {rater: numbers for rater, numbers in every.items() if "severity" in numbers}
    fitted = {rater: numbers for rater, numbers in judged.items() if "infit" in numbers}
    said = undefined({rater: numbers["severity"] for rater, numbers in judged.items()})
    if fitted:
        if evaluation.kind != "raters":  # there it leads the page
            yield from chart(evaluation)
        yield _table(fitted)
        said = [*_dealt(evaluation), *said]
    if said:
        yield Says(tuple(said))


def chart(evaluation: Evaluation) -> Iterator[Drawing]:
    """Severity and fit of every rater as a figure."""
    raters = raters_of(evaluation)
    if any(not math.isnan(rater.infit) for rater in raters):
        caption = "Severity of raters, the most severe first, and how regular their scores are"
        yield Drawing("severity", (raters,), caption)


def _table(fitted: Mapping[str, Numbers]) -> Table:
    """The most severe first; of many, those furthest off first."""
    many = len(fitted) > MOST_RATERS
    severities = {rater: numbers["severity"] for rater, numbers in fitted.items()}
    method = next(iter(severities.values())).method.partition(",")[0]
    ordered = sorted(
        fitted, key=lambda r: -abs(severities[r].value) if many else -severities[r].value
    )
    shown = members("rater_fit")
    return Table(
        id="severity",
        caption=by_model(method, many=many),
        columns=(
            Column("rater"),
            *(
                Column(statistic.heading, statistic.gloss, statistic.text, numeric=True)
                for statistic in shown
            ),
            Column(""),
        ),
        rows=tuple(
            (
                rater,
                *_cells([fitted[rater][statistic.text] for statistic in shown]),
                judgement(fitted[rater]),
            )
            for rater in ordered
        ),
        most=MOST_RATERS,
        note=COMPRESSES
        if any("compressed" in judgement(numbers) for numbers in fitted.values())
        else "",
    )


def _cells(numbers: Sequence[Estimate]) -> Iterator[Value]:
    """Only the severity, which comes first, has room for its interval on a terminal."""
    yield numbers[0]
    yield from map(Bare, numbers[1:])


def _dealt(evaluation: Evaluation) -> Iterator[Sentence]:
    """Say which responses the severities come from, where not all raters read the same."""
    for subset in evaluation.subsets:
        test = evaluation.of(subset).get("random_assignment")
        if (subset.subject, subset.against) == (PEOPLE, SEVERITY) and test is not None:
            yield dealt(test, "severity")


def _systems(evaluation: Evaluation) -> Iterator[Block]:
    systems = system_against(evaluation, SEVERITY)
    if systems:
        yield Heading("Systems as one more rater")
        yield Says(tuple(as_rater(subset.system, evaluation.of(subset)) for subset in systems))
        yield Text(LOGITS, "lesser", rank=Rank.PAGE)
