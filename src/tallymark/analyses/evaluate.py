"""Evaluate: a table of scores in, every statistic of every system and part of the data out."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, Unpack

from tallymark.inference import Settings
from tallymark.questions.agreement.compute import against_gold
from tallymark.questions.ceilings.compute import ceilings
from tallymark.questions.confidence.compute import selective
from tallymark.questions.confidence.lambdas import errors_by_lambda, every_gap_is_critical
from tallymark.questions.cuts.compute import at_cuts, check_cuts
from tallymark.questions.diagnosis.compute import diagnosed
from tallymark.questions.fairness.compute import fairness_of
from tallymark.questions.generalizability.average import gstudy_averages
from tallymark.questions.generalizability.compute import gstudy
from tallymark.questions.people.averages import panel_averages
from tallymark.questions.people.beside import averaged_beside_people, compared_with_people
from tallymark.questions.people.compute import (
    about_adjudicators,
    against_each_rater,
    people_agree,
)
from tallymark.questions.repeats.compute import self_consistency
from tallymark.questions.scale.compute import on_other_scales
from tallymark.questions.scale.recalibration import recalibrated
from tallymark.questions.severity.compute import system_severity
from tallymark.questions.true_scores.compute import true_scores
from tallymark.results import Evaluation, Finding
from tallymark.sources import ExcludedRow, Scores
from tallymark.sources.responses import ListedResponse
from tallymark.study.asked import Asked
from tallymark.study.collected import collected
from tallymark.study.formulas import Progress
from tallymark.study.keywords import EvaluateKeywords
from tallymark.study.measured import Found
from tallymark.study.parts import Part, parts_of
from tallymark.study.reading import noted, read_with_worst, settings_of
from tallymark.study.request import Request, takes
from tallymark.study.worst import Named
from tallymark.verdict.judged import judged
from tallymark.verdict.policy import policy_of


class Evaluated(NamedTuple):
    """What an evaluation gives: with the rows it could not use, and those that differ most."""

    evaluation: Evaluation
    excluded: tuple[ExcludedRow, ...]
    worst: Mapping[str, tuple[ListedResponse, ...]]


@takes("evaluate")
def evaluate(
    source: object, *, progress: Progress | None = None, **asked: Unpack[EvaluateKeywords]
) -> Evaluation:
    """Evaluate every system of a file or frame against the gold, with an interval on each number.

    Beside every statistic, people are compared with each other and with the systems, true scores
    are estimated where responses were rated twice, and groups are compared; ``statistics`` names
    statistics that are computed alone. Columns that are not named are guessed from their names;
    ``data.guesses`` says how. The gold is its own column or resolved from the humans: first, sum,
    mean, higher, lower, adjudicated. Scores of systems beyond the scale are trimmed to half a step
    beyond its ends (``trim="half-step"``), to its ends (``"range"``) or left (``"none"``). A ``policy`` of ours, or a TOML file, gives the verdict.
    """
    return evaluated(source, Request.of("evaluate", asked), progress=progress).evaluation


def evaluated(
    source: object,
    request: Request,
    *,
    listed: Named = "ids",
    progress: Progress | None = None,
) -> Evaluated:
    """Evaluate what is asked for; ``listed`` says how responses that differ most are named."""
    settings, asked = settings_of(request), Asked.of(request)
    limits = None if request.policy is None else policy_of(request.policy)
    scores = read_with_worst(source, request, listed)
    found = noted(evaluate_scores(scores, settings, asked, progress=progress), request)
    judgement = found if limits is None else judged(found, limits)
    return Evaluated(judgement, scores.excluded, scores.worst)


def evaluate_scores(
    scores: Scores,
    settings: Settings,
    asked: Asked | None = None,
    *,
    progress: Progress | None = None,
) -> Evaluation:
    """Evaluate scores that were read already; named statistics are computed alone."""
    asked = asked or Asked()
    check_cuts(scores, asked.cuts)
    parts = list(parts_of(scores, cross=asked.cross, lambda_=asked.lambda_))
    total = len(parts) * len(scores.roles.systems)
    found: list[Found] = []
    for i, system in enumerate(scores.roles.systems):

        def done(part: int, before: int = i * len(parts)) -> None:
            if progress:
                progress(before + part, total)

        found.extend(against_gold(system, parts, settings, statistics=asked.statistics, done=done))
        if not asked.statistics:
            found.extend(_of_system(scores, system, parts, settings, asked))
    findings: list[Finding] = []
    if not asked.statistics:
        found.extend(_of_people(scores, parts, settings))
        if not scores.weighted:
            found.extend(errors_by_lambda(scores, settings, asked))
            found.extend([*diagnosed(parts, found, settings)])
        findings = [*about_adjudicators(parts[0].people)]
        findings += every_gap_is_critical(scores.gold_scale, asked.lambda_)
    if progress:
        progress(total, total)
    return collected(scores, settings, asked, found, findings=findings)


def _of_system(
    scores: Scores, system: str, parts: Sequence[Part], settings: Settings, asked: Asked
) -> Iterator[Found]:
    """Yield what is known of one system beyond its agreement with the gold."""
    yield from _beside_people(scores, system, parts, settings)
    yield from true_scores(system, parts, settings, error=asked.error_variance)
    yield from fairness_of(parts[0], system, settings, small=asked.small_group)
    if not scores.weighted:
        yield from selective(scores, system, parts, settings, asked)
        yield from on_other_scales(system, parts, settings)
        yield from recalibrated(system, parts, settings)
    yield from at_cuts(scores, system, parts, settings, asked)


def _of_people(scores: Scores, parts: Sequence[Part], settings: Settings) -> Iterator[Found]:
    """Yield what is known of the people, which no system changes."""
    for part in parts:
        yield from people_agree(part, settings)
    if not scores.weighted:
        yield from gstudy(scores, parts[0], settings)
    yield from panel_averages(parts, settings)
    if not scores.weighted:
        yield from gstudy_averages(scores, parts, settings)
    yield from ceilings(parts, settings)


def _beside_people(
    scores: Scores, system: str, parts: Sequence[Part], settings: Settings
) -> Iterator[Found]:
    """Yield the system against each rater, against people as they are, and against itself."""
    yield from against_each_rater(system, parts[0], settings)
    for part in parts:
        if not part.many:
            yield from compared_with_people(system, part, settings)
    yield from averaged_beside_people(system, parts, settings)
    if not scores.weighted:
        yield from system_severity(scores, system, parts[0], settings)
    yield from self_consistency(scores, system, parts[0], settings)
