"""Severity, as a section: how severe and how regular raters are, and systems as one more rater."""

import math
from collections.abc import Iterator, Mapping, Sequence

from tallymark.catalogue import members
from tallymark.questions.severity.say import (
    COMPRESSES,
    LOGITS,
    as_rater,
    by_model,
    by_part,
    changing,
    in_part,
    judgement,
    leanings,
    over,
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
from tallymark.render.subsets import FACETS, systems_leading
from tallymark.results import OTHERS, PEOPLE, SEVERITY, Estimate, Evaluation, Numbers, Subset

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
    people, systems = _leading(evaluation)[1], systems_leading(evaluation, SEVERITY)
    raters = []
    for series, subset in [*((0, s) for s in people), *enumerate(systems, 1)]:
        numbers = evaluation.of(subset)
        row = Whisker.of(numbers["severity"], subset.system, series=series)
        fit = [numbers[name].value if name in numbers else NAN for name in ("infit", "outfit")]
        raters.append(RaterPoint(row, *fit))
    return raters


def _leading(evaluation: Evaluation) -> tuple[str, list[Subset]]:
    """The raters whose severity was looked for: over what it is a mean, else of all responses."""
    judged = _judged(evaluation)
    for column in FACETS:
        means = [subset for subset in judged if subset.average == column]
        if means:
            return column, means
    return "", [subset for subset in judged if subset.whole]


def _judged(evaluation: Evaluation) -> list[Subset]:
    """Every subset with a rater's severity."""
    raters = [s for s in evaluation.subsets if s.against == OTHERS and not s.subject.is_system]
    return [subset for subset in raters if "severity" in evaluation.of(subset)]


def _raters(evaluation: Evaluation) -> Iterator[Block]:
    column, leading = _leading(evaluation)
    judged = {subset.system: evaluation.of(subset) for subset in leading}
    fitted = {rater: numbers for rater, numbers in judged.items() if "infit" in numbers}
    said = undefined({rater: numbers["severity"] for rater, numbers in judged.items()})
    if fitted:
        if evaluation.kind != "raters":  # there it leads the page
            yield from chart(evaluation)
        yield _table(fitted, column)
        said = [*_dealt(evaluation), *said]
    column, by_rater = _in_parts(evaluation)
    if by_rater:
        yield _by_part(column, by_rater)
        said = [*changing(column, by_rater), *said]
    if said:
        yield Says(tuple(said))


def _in_parts(evaluation: Evaluation) -> tuple[str, dict[str, dict[str, Estimate]]]:
    """The severity of every rater in each trait or prompt, where there are models in each."""
    subsets = [s for s in _judged(evaluation) if s.column in FACETS]
    column = next((str(subset.column) for subset in subsets), "")
    by_rater: dict[str, dict[str, Estimate]] = {}
    for subset in subsets:
        severities = by_rater.setdefault(subset.system, {})
        severities[getattr(subset, column)] = evaluation.of(subset)["severity"]
    return column, by_rater


def _by_part(column: str, by_rater: Mapping[str, Mapping[str, Estimate]]) -> Table:
    """A row for each rater, the traits or prompts beside each other."""
    labels = list(dict.fromkeys(label for of in by_rater.values() for label in of))
    return Table(
        id="severity_by_part",
        caption=by_part(column),
        columns=(
            Column("rater"),
            *(Column(label, key="severity", numeric=True) for label in labels),
            Column(""),
        ),
        rows=tuple(
            (rater, *(of.get(label, "") for label in labels), leanings(of))
            for rater, of in by_rater.items()
        ),
        rank=Rank.PAGE,
    )


def chart(evaluation: Evaluation) -> Iterator[Drawing]:
    """Severity and fit of every rater as a figure."""
    raters = raters_of(evaluation)
    if any(not math.isnan(rater.infit) for rater in raters):
        within = over(_leading(evaluation)[0])
        caption = (
            f"Severity of raters{within}, the most severe first, and how regular their scores are"
        )
        yield Drawing("severity", (raters,), caption)


def _table(fitted: Mapping[str, Numbers], column: str) -> Table:
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
        caption=by_model(method, column, many=many),
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
            yield in_part(subset.column and getattr(subset, subset.column), dealt(test, "severity"))


def _systems(evaluation: Evaluation) -> Iterator[Block]:
    systems = systems_leading(evaluation, SEVERITY)
    if systems:
        yield Heading("Systems as one more rater")
        yield Says(tuple(as_rater(s.system, evaluation.of(s), s.average or "") for s in systems))
        yield Text(LOGITS, "lesser", rank=Rank.PAGE)
