"""Severity, as a section and in sentences: how severe and how regular raters are, and systems."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence

from tallymark.catalogue import Member, members
from tallymark.reliability.severity import NO_WAY_BACK
from tallymark.reliability.severity_fit import COMPRESSED, ERRATIC, PREDICTABLE
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
    table_by,
)
from tallymark.render.raters import dealt
from tallymark.render.sentences import FindingWords, Sentence, Tellers
from tallymark.render.subsets import FACETS, systems_leading
from tallymark.results import (
    OTHERS,
    PEOPLE,
    SEVERITY,
    Estimate,
    Evaluation,
    Finding,
    Numbers,
    Subset,
)

LOGITS = (
    "Severity is in logits of a Rasch model: above 0 is more severe than the average rater. Infit "
    "and outfit near 1 say that the scores are as regular as expected; above 1.5 they are erratic."
)
COMPRESSES = "Compressed: the spread is surely below .9."


def over(column: str) -> str:
    """Say over what severity is a mean, if it is."""
    return f", mean over {column}s" if column else ""


def by_model(method: str, column: str, *, many: bool) -> Sentence:
    """Say how severity was estimated, over what it is a mean, and in which order raters come."""
    order = "those furthest off first" if many else "the most severe first"
    method_words = f"in each {column}" if column else method
    return Sentence(f"Severity{over(column)}, {order}: Rasch model, {{how}}", how=method_words)


def by_part(column: str) -> str:
    """Say what the table of severities in each trait or prompt holds."""
    return f"Severity in each {column}, in logits"


def leanings(by_part: Mapping[str, Estimate]) -> Sentence:
    """Say in which parts a rater is severe, and in which lenient."""
    parts_by_leaning = _leaning(by_part)
    words = [
        word if len(parts) == len(by_part) else f"{word} in {{{word}}}"
        for word, parts in parts_by_leaning.items()
        if parts
    ]
    return Sentence("; ".join(words), **parts_by_leaning)


def changing(column: str, by_rater: Mapping[str, Mapping[str, Estimate]]) -> Iterator[Sentence]:
    """Name the raters of whom a mean does not tell: severe here, lenient there."""
    raters = [rater for rater, by_part in by_rater.items() if all(_leaning(by_part).values())]
    if raters:
        yield Sentence(f"Severe in some {column}s, lenient in others: {{raters}}.", raters=raters)


def _leaning(by_part: Mapping[str, Estimate]) -> dict[str, list[str]]:
    """The parts in which a rater is severe, and those in which the same rater is lenient."""
    return {
        "severe": [part for part, severity in by_part.items() if severity.low > 0],
        "lenient": [part for part, severity in by_part.items() if severity.high < 0],
    }


def in_part(part: str | None, sentence: Sentence) -> Sentence:
    """Say of which part something holds."""
    return Sentence("{part}: {said}", part=part, said=sentence) if part else sentence


def judgement(numbers: Numbers) -> str:
    """What the numbers say of a rater or a system, in single words."""
    words = []
    severity, points = numbers["severity"], numbers["fair_difference"]
    if severity.low > 0 > points.high:  # logits of traits differ in size: points must agree
        words.append("severe")
    if severity.high < 0 < points.low:
        words.append("lenient")
    fit = [numbers["infit"].value, numbers["outfit"].value]
    if max(fit) > ERRATIC:
        words.append("erratic")
    if min(fit) < PREDICTABLE:
        words.append("predictable")
    if numbers["rater_spread"].high < COMPRESSED:
        words.append("compressed")
    return ", ".join(words)


def as_rater(system: str, numbers: Numbers, column: str) -> Sentence:
    """Say how a system would look as one more rater, maybe in the mean over traits or prompts."""
    return Sentence(
        f"{{system}}{over(column)}: {{words}}. Given the same responses it differs from the average rater by {{points}} "
        "points; severity {severity} logits, infit {infit:value}, outfit {outfit:value}, spread "
        "{spread:value} of that expected.",
        system=system,
        words=judgement(numbers) or "neither severe nor lenient, and it fits",
        points=numbers["fair_difference"],
        severity=numbers["severity"],
        infit=numbers["infit"],
        outfit=numbers["outfit"],
        spread=numbers["rater_spread"],
    )


def undefined(severities: Mapping[str, Estimate]) -> list[Sentence]:
    """Say whose severity is undefined, and why."""
    by_reason: dict[str, list[str]] = {}
    for rater, severity in severities.items():
        if math.isnan(severity.value):
            by_reason.setdefault(severity.why, []).append(rater)
    return [
        Sentence(
            "{what} is undefined, because {why}.",
            what=_whose(raters, everyone=len(raters) == len(severities)),
            why=why,
        )
        for why, raters in by_reason.items()
    ]


def _whose(raters: Sequence[str], *, everyone: bool) -> Sentence:
    return (
        Sentence("Severity in logits")
        if everyone
        else Sentence("Severity of {raters}", raters=raters)
    )


def _unused(finding: Finding, _: Evaluation) -> FindingWords:
    points = [Sentence("{point:g}", point=point) for point in finding.numbers.values()]
    sentence = Sentence(
        "nobody gave the score {points}: severity is estimated without it.", points=points
    )
    return FindingWords(in_part(_part(finding), sentence))


def _from_all(finding: Finding, _: Evaluation) -> FindingWords:
    sentence = Sentence(
        "{why}: severity takes the quality of responses as the same for all raters, which "
        "could not be checked.",
        why=NO_WAY_BACK,
    )
    return FindingWords(in_part(_part(finding), sentence))


def _part(finding: Finding) -> str | None:
    return next(iter(finding.texts.values()), None)


FINDINGS: Tellers = {"points_unused": _unused, "severity_from_all": _from_all}


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
    sentences = undefined({rater: numbers["severity"] for rater, numbers in judged.items()})
    if fitted:
        if evaluation.kind != "raters":  # there it leads the page
            yield from chart(evaluation)
        yield _table(fitted, column)
        sentences = [*_dealt(evaluation), *sentences]
    column, by_rater = _in_parts(evaluation)
    if by_rater:
        yield _by_part(column, by_rater)
        sentences = [*changing(column, by_rater), *sentences]
    if sentences:
        yield Says(tuple(sentences))


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
    labels = list(
        dict.fromkeys(label for by_part_of_rater in by_rater.values() for label in by_part_of_rater)
    )

    def in_part_of(label: str) -> tuple[Column, Callable[[str], Value]]:
        column = Column(label, key="severity", numeric=True)
        return column, lambda rater: by_rater[rater].get(label, "")

    return table_by(
        "severity_by_part", by_part(column), by_rater,
        (Column("rater"), lambda rater: rater),
        *map(in_part_of, labels),
        (Column(""), lambda rater: leanings(by_rater[rater])),
        rank=Rank.PAGE,
    )  # fmt: skip


def chart(evaluation: Evaluation) -> Iterator[Drawing]:
    """Severity and fit of every rater as a figure."""
    raters = raters_of(evaluation)
    if any(not math.isnan(rater.infit) for rater in raters):
        mean_words = over(_leading(evaluation)[0])
        caption = f"Severity of raters{mean_words}, the most severe first, and how regular their scores are"
        yield Drawing("severity", (raters,), caption)


def _table(fitted: Mapping[str, Numbers], column: str) -> Table:
    """The most severe first; of many, those furthest off first."""
    many = len(fitted) > MOST_RATERS
    severities = {rater: numbers["severity"] for rater, numbers in fitted.items()}
    method = next(iter(severities.values())).method.partition(",")[0]
    ordered = sorted(
        fitted, key=lambda r: -abs(severities[r].value) if many else -severities[r].value
    )
    statistics = members("rater_fit")
    compressed = any("compressed" in judgement(numbers) for numbers in fitted.values())

    def fit(statistic: Member) -> tuple[Column, Callable[[str], Value]]:
        """Only the severity has room for its interval on a terminal."""
        column = Column(statistic.heading, statistic.gloss, statistic.text, numeric=True)
        if statistic.text == "severity":
            return column, lambda rater: fitted[rater][statistic.text]
        return column, lambda rater: Bare(fitted[rater][statistic.text])

    return table_by(
        "severity", by_model(method, column, many=many), ordered,
        (Column("rater"), lambda rater: rater),
        *map(fit, statistics),
        (Column(""), lambda rater: judgement(fitted[rater])),
        most=MOST_RATERS, note=COMPRESSES if compressed else "",
    )  # fmt: skip


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
