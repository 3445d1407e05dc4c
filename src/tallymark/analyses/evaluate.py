"""Evaluate: a table of scores in, every statistic of every system and part of the data out."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tallymark.diagnosis.cut_models import ModelName
from tallymark.evaluation.asked import SMALL_GROUP, Asked
from tallymark.evaluation.average import averages
from tallymark.evaluation.beside_people import averaged_beside_people, compared_with_people
from tallymark.evaluation.catalogue import LAMBDA
from tallymark.evaluation.ceilings.ceiling import ceilings
from tallymark.evaluation.ceilings.findings import ceiling_findings
from tallymark.evaluation.collected import collected
from tallymark.evaluation.cuts.scores import at_cuts, check_cuts
from tallymark.evaluation.diagnosis.diagnosed import diagnosed
from tallymark.evaluation.fairness import fairness_of
from tallymark.evaluation.gstudy import gstudy
from tallymark.evaluation.gstudy_average import gstudy_averages
from tallymark.evaluation.measured import Found, estimates_of, lambdas_of, measure
from tallymark.evaluation.other_scales.recalibration import recalibrated
from tallymark.evaluation.other_scales.scale_effect import on_other_scales
from tallymark.evaluation.panel_average import panel_averages
from tallymark.evaluation.people import (
    about_adjudicators,
    against_each_rater,
    people_agree,
    people_of,
)
from tallymark.evaluation.plan import AVERAGED, Part, Progress, parts_of
from tallymark.evaluation.repeats import self_consistency
from tallymark.evaluation.selective.confidence import selective
from tallymark.evaluation.selective.lambdas import errors_by_lambda, every_gap_is_critical
from tallymark.evaluation.severity import system_severity
from tallymark.evaluation.true_scores import true_scores
from tallymark.evaluation.verdict.judged import judged
from tallymark.evaluation.verdict.policy import Policy, policy_of
from tallymark.inference import Settings
from tallymark.inference.estimate import Kind
from tallymark.results import Evaluation
from tallymark.scale import HALF_STEP
from tallymark.sources import PromptOptions, Roles, Scores, read_scores


def evaluate(  # noqa: PLR0913 - one keyword for each role and option
    source: object,
    *,
    humans: Sequence[str] = (),
    gold: str | None = None,
    systems: Sequence[str] = (),
    confidences: Mapping[str, str] | None = None,
    repeats: Mapping[str, Sequence[str]] | None = None,
    prompt: str | None = None,
    trait: str | None = None,
    groups: Sequence[str] = (),
    cluster: str | None = None,
    fold: str | None = None,
    id: str | None = None,  # noqa: A002 - the role's name everywhere
    response: str | None = None,
    rater: str | None = None,
    score: str | None = None,
    scale: Any = None,
    system_scale: Any = None,
    resolve: str = "first",
    adjudication: str = "expert",
    adjacency: float = 1.0,
    trim: str = HALF_STEP,
    prompts: Mapping[str, PromptOptions | Mapping[str, Any]] | None = None,
    missing: Sequence[str] = (),
    exclude: Sequence[str] = (),
    exclude_zero: bool = False,
    flags: Mapping[str, object] | None = None,
    candidate: str | None = None,
    min_items: int | None = None,
    sheet: str | None = None,
    statistics: Sequence[str] = (),
    cross: bool = False,
    error_variance: float | None = None,
    small_group: int = SMALL_GROUP,
    cuts: Sequence[float] = (),
    cut_model: ModelName | None = None,
    lambda_: float = LAMBDA,
    level: float = 0.95,
    interval: Kind | None = None,
    replicates: int = 2000,
    seed: int = 0,
    policy: str | Path | Policy | None = None,
    progress: Progress | None = None,
) -> Evaluation:
    """Evaluate every system of a file or frame against the gold, with an interval on each number.

    Beside every statistic, people are compared with each other and with the systems, true scores
    are estimated where responses were rated twice, and groups are compared; ``statistics`` names
    statistics that are computed alone. Columns that are not named are guessed from their names;
    ``data.guesses`` says how. The gold is its own column or resolved from the humans: first, sum,
    mean, higher, lower, adjudicated. Scores of systems beyond the scale are trimmed to half a step
    beyond its ends (``trim="half-step"``), to its ends (``"range"``) or left (``"none"``). A ``policy`` of ours, or a TOML file, gives the verdict.
    """
    roles = Roles(
        humans=tuple(humans), gold=gold, systems=tuple(systems), groups=tuple(groups),
        confidences=dict(confidences or {}),
        repeats={name: tuple(runs) for name, runs in (repeats or {}).items()},
        prompt=prompt, trait=trait, cluster=cluster, fold=fold, id=id,
        response=response, rater=rater, score=score,
    )  # fmt: skip
    settings = Settings(level=level, replicates=replicates, seed=seed, interval=interval)
    asked = Asked(
        statistics=tuple(statistics), cross=cross, error_variance=error_variance,
        small_group=small_group, cuts=tuple(cuts), cut_model=cut_model,
        lambda_=lambda_,
    )  # fmt: skip
    limits = None if policy is None else policy_of(policy)
    scores = read_scores(
        source,
        roles=roles,
        scale=scale,
        system_scale=system_scale,
        resolve=resolve,
        adjudication=adjudication,
        adjacency=adjacency,
        trim=trim,
        missing=missing,
        exclude=exclude,
        prompts=prompts or {},
        exclude_zero=exclude_zero,
        flags=flags,
        candidate=candidate,
        min_items=min_items,
        sheet=sheet,
        worst="ids",
    )
    found = evaluate_scores(scores, settings, asked, progress=progress)
    return found if limits is None else judged(found, limits)


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
    own = lambdas_of(scores)
    parts = list(parts_of(scores.patterns, cross=asked.cross, lambda_=asked.lambda_, own=own))
    total = len(parts) * len(scores.roles.systems)
    found: list[Found] = []
    for i, system in enumerate(scores.roles.systems):

        def done(part: int, before: int = i * len(parts)) -> None:
            if progress:
                progress(before + part, total)

        found.extend(_against_gold(scores, system, parts, settings, asked, done))
        if not asked.statistics:
            found.extend(_of_system(scores, system, parts, settings, asked))
    findings: list[str] = []
    if not asked.statistics:
        found.extend(_of_people(scores, parts, settings))
        found.extend(errors_by_lambda(scores, settings, asked))
        found.extend([*diagnosed(scores, parts, found, settings)])
        findings = [*about_adjudicators(people_of(scores, parts[0])), *ceiling_findings(found)]
        findings += every_gap_is_critical(scores.gold_scale, asked.lambda_)
    if progress:
        progress(total, total)
    return collected(scores, settings, asked, found, findings=findings)


def _against_gold(
    scores: Scores,
    system: str,
    parts: Sequence[Part],
    settings: Settings,
    asked: Asked,
    done: Callable[[int], None],
) -> Iterator[Found]:
    """Yield every statistic of a system on every part of the data, then the macro-averages."""
    measured = []
    for j, part in enumerate(parts):
        done(j)
        one = measure(scores, system, part, asked.statistics)
        if one is not None:
            measured.append(one)
            yield estimates_of(one, system, settings)
    for key in AVERAGED:
        over = [m for m in measured if set(m.part.where) == {key}]
        yield from averages(over, key, system, settings) if len(over) > 1 else ()


def _of_system(
    scores: Scores, system: str, parts: Sequence[Part], settings: Settings, asked: Asked
) -> Iterator[Found]:
    """Yield what is known of one system beyond its agreement with the gold."""
    yield from _beside_people(scores, system, parts, settings)
    yield from _true_scores(scores, system, parts, settings, asked.error_variance)
    yield from fairness_of(scores, system, settings, small=asked.small_group)
    yield from selective(scores, system, parts, settings, asked)
    yield from on_other_scales(scores, system, parts, settings)
    yield from recalibrated(scores, system, parts, settings)
    yield from at_cuts(scores, system, parts, settings, asked)


def _of_people(scores: Scores, parts: Sequence[Part], settings: Settings) -> Iterator[Found]:
    """Yield what is known of the people, which no system changes."""
    for part in parts:
        yield from people_agree(scores, part, settings)
    yield from gstudy(scores, parts[0], settings)
    yield from panel_averages(scores, parts, settings)
    yield from gstudy_averages(scores, parts, settings)
    yield from ceilings(scores, parts, settings)


def _beside_people(
    scores: Scores, system: str, parts: Sequence[Part], settings: Settings
) -> Iterator[Found]:
    """Yield the system against each rater, against people as they are, and against itself."""
    yield from against_each_rater(scores, system, parts[0], settings)
    for part in parts:
        if not part.many:
            yield from compared_with_people(scores, system, part, settings)
    yield from averaged_beside_people(scores, system, parts, settings)
    yield from system_severity(scores, system, parts[0], settings)
    yield from self_consistency(scores, system, parts[0], settings)


def _true_scores(
    scores: Scores, system: str, parts: Sequence[Part], settings: Settings, error: float | None
) -> Iterator[Found]:
    """Yield true-score accuracy of all responses and of each prompt, trait and fold."""
    for part in parts:
        if not part.many and not any(key.startswith("group:") for key in part.where):
            yield from true_scores(scores, system, part, settings, error=error)
