"""Evaluate: a table of scores in, every statistic of every system and part of the data out."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, Unpack

from msgspec.structs import replace

from tallymark.catalogue import canonical, near
from tallymark.errors import OptionError
from tallymark.inference import Settings
from tallymark.questions.agreement import against_gold, against_gold_by_run
from tallymark.questions.ceilings.compute import ceilings
from tallymark.questions.checklist import check_items
from tallymark.questions.comparison.compute import best_less_others
from tallymark.questions.confidence.compute import selective
from tallymark.questions.confidence.lambdas import errors_by_lambda, every_gap_is_critical
from tallymark.questions.cuts import at_cuts, check_cuts
from tallymark.questions.diagnosis.compute import diagnosed
from tallymark.questions.fairness.compute import fairness_of
from tallymark.questions.generalizability import gstudy, gstudy_averages
from tallymark.questions.length import by_length
from tallymark.questions.people.compute import (
    about_adjudicators,
    against_each_rater,
    compared_with_people,
    panel_averages,
    people_agree,
)
from tallymark.questions.people.left_out_raters import (
    people_without_each_rater,
    system_without_each_rater,
    turning_on_one_rater,
)
from tallymark.questions.probes import by_probe
from tallymark.questions.repeats import self_consistency
from tallymark.questions.scale.compute import on_other_scales
from tallymark.questions.scale.recalibration import recalibrated
from tallymark.questions.severity.compute import system_severity
from tallymark.questions.true_scores import true_scores
from tallymark.results import Evaluation, Finding, ResultTable
from tallymark.scale import Scale
from tallymark.sources import ExcludedRow, Scores
from tallymark.sources.published import PublishedNumber, check_parts, read_published
from tallymark.sources.responses import ListedResponse
from tallymark.study.asked import Asked
from tallymark.study.collected import collected
from tallymark.study.critical import in_points, share_of_range
from tallymark.study.formulas import Progress, unwatched
from tallymark.study.keywords import EvaluateKeywords
from tallymark.study.measured import SubsetResults
from tallymark.study.reading import noted, read_with_worst, settings_of
from tallymark.study.request import Request, takes
from tallymark.study.runs import by_response, means_over_runs, with_rule
from tallymark.study.study import Study
from tallymark.study.worst import Named
from tallymark.verdict.judged import judged
from tallymark.verdict.policy import Policy, policy_of
from tallymark.verdict.without import turning_verdicts


class Evaluated(NamedTuple):
    """What an evaluation gives: with the rows it could not use, and those that differ most."""

    evaluation: Evaluation
    excluded: tuple[ExcludedRow, ...]
    worst: Mapping[str, tuple[ListedResponse, ...]]
    scale: Scale


@takes("evaluate")
def evaluate(
    source: object, *, progress: Progress | None = None, **asked: Unpack[EvaluateKeywords]
) -> Evaluation:
    """Evaluate every system of a file or frame against the gold, with an interval on each number.

    Beside every statistic, people are compared with each other and with the systems, true scores
    are estimated where responses were rated twice, and groups are compared; ``statistics`` names
    statistics that are computed alone. Columns that are not named are guessed from their names;
    ``data.guesses`` says how. The gold is its own column or resolved from the humans: first, sum,
    mean, rounded-mean, higher, lower, adjudicated. Scores of systems beyond the scale are trimmed to half a step
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
    statements = check_items(request.evidence or {})
    published = () if request.reference is None else read_published(request.reference)
    scores = read_with_worst(source, request, listed)
    evaluation = noted(evaluate_scores(scores, settings, asked, progress=progress), request)
    if published:
        evaluation = _beside(evaluation, published)
    if statements:
        options = {**evaluation.options, "evidence": statements}
        evaluation = replace(evaluation, options=options)
    judgement = evaluation if limits is None else _judged(evaluation, limits)
    return Evaluated(judgement, scores.excluded, scores.worst, scores.gold_scale)


def _beside(evaluation: Evaluation, published: Sequence[PublishedNumber]) -> Evaluation:
    """The evaluation with numbers that others published, by part."""
    places = {part for s in evaluation.subsets for part in (s.prompt, s.trait) if part}
    check_parts(published, sorted(places))
    rows = []
    for number in published:
        statistic = canonical(number.statistic)
        if statistic is None:
            raise OptionError(
                f"--reference: unknown statistic {number.statistic!r}.{near(number.statistic)}"
            )
        rows.append((number.system, number.part, statistic, number.value))
    table = ResultTable(
        name="published",
        title="Published numbers of other systems",
        columns=("system", "part", "statistic", "value"),
        rows=tuple(rows),
    )
    options = {**evaluation.options, "reference": "REFERENCE"}
    return replace(evaluation, tables=(*evaluation.tables, table), options=options)


def _judged(evaluation: Evaluation, policy: Policy) -> Evaluation:
    """The evaluation with its verdict, and whether that turns on one rater."""
    judgement = judged(evaluation, policy)
    findings = (*judgement.findings, *turning_verdicts(judgement, policy))
    return replace(judgement, findings=findings)


def evaluate_scores(
    scores: Scores,
    settings: Settings,
    asked: Asked | None = None,
    *,
    progress: Progress | None = None,
) -> Evaluation:
    """Evaluate scores that were read already; named statistics are computed alone."""
    asked = asked or Asked()
    if asked.critical is not None:
        scores = in_points(scores, asked.critical)
        asked = replace(asked, lambda_=share_of_range(asked.critical, scores.gold_scale))
    scores = with_rule(scores, asked.runs)
    study = Study(scores, settings, asked)
    check_cuts(scores, study.asked.cuts)
    if scores.gold_scale.nominal:
        return _of_labels(study)
    results, report = list[SubsetResults](), progress or unwatched
    alone, ordered = study.asked.statistics, scores.gold_scale.view == "ordinal"
    runs = {system: study.by_run(system) for system in study.systems}
    single = [system for system in study.systems if not runs[system]]
    rescaled = _rescaled(study, single)
    agreed = _against_gold(study, runs)
    for i, system in enumerate(study.systems):
        report(i, len(study.systems))
        results.extend(agreed.pop(system))
        if alone:
            continue
        if system in single:
            results.extend(_of_system(study, system, rescaled))
            continue
        of_runs = [[*_of_system(run, system, _rescaled(run, [system]))] for run in runs[system]]
        results.extend(means_over_runs(of_runs))
    findings: list[Finding] = []
    if not study.asked.statistics:
        results.extend(best_less_others(study.systems, study.parts, settings))
        results.extend(_of_people(study))
        results = turning_on_one_rater(results, study.parts)
        if study.alike:
            results.extend(errors_by_lambda(scores, settings, study.asked))
            results.extend([*diagnosed(study.parts, results, settings)])
        findings = [*about_adjudicators(study.whole.people)]
        if study.asked.critical is None and ordered:
            findings += every_gap_is_critical(scores.gold_scale, study.asked.lambda_)
    report(len(study.systems), len(study.systems))
    return collected(scores, settings, study.asked, results, findings=findings)


def _rescaled(study: Study, systems: Sequence[str]) -> list[SubsetResults]:
    """Systems on other scales, where all of them have an order and responses count alike."""
    if not study.alike or study.scores.gold_scale.view != "ordinal" or study.asked.statistics:
        return []
    return on_other_scales(systems, study.parts, study.settings)


def _against_gold(
    study: Study, runs: Mapping[str, Sequence[Study]]
) -> dict[str, list[SubsetResults]]:
    """The statistics of each system, or of its runs, against the gold."""
    settings, alone = study.settings, study.asked.statistics
    single = [system for system in study.systems if not runs[system]]
    agreed = against_gold(single, study.parts, settings, alone)
    for system, of_runs in runs.items():
        if of_runs:
            parts = [Study(by_response(run.scores), settings, study.asked).parts for run in of_runs]
            agreed[system] = against_gold_by_run(system, parts, settings, alone)
    return agreed


def check_unordered(asked: Asked, scores: Scores) -> None:
    """Refuse what needs an order, of labels that have none."""
    ordered = {
        "--cut": asked.cuts,
        "--error-variance": asked.error_variance is not None,
        "--length": scores.roles.length,
        "--confidence": scores.roles.confidences,
        "--probabilities": scores.roles.probabilities,
    }
    for option, given in ordered.items():
        if given:
            more = "; `tallymark route certify` takes one" if "conf" in option else ""
            raise OptionError(
                f"{option} needs scores in an order here, and --categories have none{more}"
            )


def _of_labels(study: Study) -> Evaluation:
    """Evaluate labels that have no order: what needs one is left out."""
    check_unordered(study.asked, study.scores)
    scores, settings, parts = study.scores, study.settings, study.parts
    alone = study.asked.statistics
    runs = {system: study.by_run(system) for system in study.systems}
    agreed = _against_gold(study, runs)
    results = [each for system in study.systems for each in agreed[system]]
    if not alone:
        for system in study.systems:
            of_runs = [[*_of_labelling(run, system)] for run in runs[system] or [study]]
            results.extend(means_over_runs(of_runs))
        results.extend(best_less_others(study.systems, parts, settings))
        results.extend(people_agree(parts, settings))
        results.extend(panel_averages(parts, settings))
    return collected(scores, settings, study.asked, results)


def _of_labelling(study: Study, system: str) -> Iterator[SubsetResults]:
    """Yield the same of a system whose labels have no order."""
    parts, settings = study.parts, study.settings
    yield from against_each_rater(system, study.whole, settings)
    yield from compared_with_people(system, parts, settings)
    yield from self_consistency(study.scores, system, parts, settings)
    yield from fairness_of(study.whole, system, settings, small=study.asked.small_group)


def _of_system(
    study: Study, system: str, rescaled: Sequence[SubsetResults]
) -> Iterator[SubsetResults]:
    """Yield what is known of one system beyond its agreement with the gold."""
    parts, settings, asked = study.parts, study.settings, study.asked
    yield from _beside_people(study, system)
    yield from true_scores(system, parts, settings, error=asked.error_variance)
    yield from by_length(system, parts, settings, error=asked.error_variance)
    yield from by_probe(study.scores, system, parts, settings)
    yield from fairness_of(study.whole, system, settings, small=asked.small_group)
    if study.alike:
        yield from selective(study.scores, system, parts, settings, asked)
        yield from (made for made in rescaled if made.subset.system == system)
        yield from recalibrated(system, parts, settings)
    yield from at_cuts(study.scores, system, parts, settings, asked)


def _of_people(study: Study) -> Iterator[SubsetResults]:
    """Yield what is known of the people, which no system changes."""
    parts, settings = study.parts, study.settings
    yield from people_agree(parts, settings)
    yield from gstudy(study.scores, study.whole, settings) if study.alike else ()
    yield from panel_averages(parts, settings)
    yield from people_without_each_rater(parts, settings)
    yield from gstudy_averages(study.scores, parts, settings) if study.alike else ()
    yield from ceilings(parts, settings)


def _beside_people(study: Study, system: str) -> Iterator[SubsetResults]:
    """Yield the system against each rater, against people as they are, and against itself."""
    whole, settings = study.whole, study.settings
    yield from against_each_rater(system, whole, settings)
    yield from compared_with_people(system, study.parts, settings)
    yield from system_without_each_rater(system, study.parts, settings)
    yield from system_severity(system, study.parts, settings) if study.alike else ()
    yield from self_consistency(study.scores, system, study.parts, settings)
