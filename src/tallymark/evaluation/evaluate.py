"""Evaluate: a table of scores in, every statistic of every system and part of the data out."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tallymark.errors import OptionError
from tallymark.evaluation.average import averages
from tallymark.evaluation.beside_people import compared_with_people
from tallymark.evaluation.ceilings.ceiling import ceilings
from tallymark.evaluation.ceilings.findings import ceiling_findings
from tallymark.evaluation.collected import collected
from tallymark.evaluation.fairness import SMALL_GROUP, fairness_of
from tallymark.evaluation.gstudy import gstudy
from tallymark.evaluation.measured import Found, estimates_of, measure
from tallymark.evaluation.panel_average import panel_averages
from tallymark.evaluation.people import (
    about_adjudicators,
    against_each_rater,
    people_agree,
    people_of,
)
from tallymark.evaluation.plan import AVERAGED, Part, Progress, formulas_for, parts_of
from tallymark.evaluation.repeats import self_consistency
from tallymark.evaluation.severity import system_severity
from tallymark.evaluation.true_scores import true_scores
from tallymark.inference import Settings
from tallymark.inference.estimate import Kind
from tallymark.results import Evaluation
from tallymark.scale import Scale
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
    prompts: Mapping[str, PromptOptions] | None = None,
    missing: Sequence[str] = (),
    exclude: Sequence[str] = (),
    exclude_zero: bool = False,
    flags: Mapping[str, object] | None = None,
    candidate: str | None = None,
    min_items: int | None = None,
    statistics: Sequence[str] = (),
    cross: bool = False,
    error_variance: float | None = None,
    small_group: int = SMALL_GROUP,
    level: float = 0.95,
    interval: Kind | None = None,
    replicates: int = 2000,
    seed: int = 0,
    progress: Progress | None = None,
) -> Evaluation:
    """Evaluate every system of a file or frame against the gold, with an interval on each number.

    Beside every statistic, people are compared with each other and with the systems, true scores
    are estimated where responses were rated twice, and groups are compared; ``statistics`` names
    statistics that are computed alone. Columns that are not named are guessed from their names;
    ``data.guesses`` says how. The gold is its own column or resolved from the humans: first, sum,
    mean, higher, lower, adjudicated.
    """
    roles = Roles(
        humans=tuple(humans), gold=gold, systems=tuple(systems), groups=tuple(groups),
        confidences=dict(confidences or {}),
        repeats={name: tuple(runs) for name, runs in (repeats or {}).items()},
        prompt=prompt, trait=trait, cluster=cluster, fold=fold, id=id,
        response=response, rater=rater, score=score,
    )  # fmt: skip
    settings = Settings(level=level, replicates=replicates, seed=seed, interval=interval)
    for name in statistics:  # a misspelt name is told before the data are read
        formulas_for(Scale((0.0, 1.0)), [name])
    scores = read_scores(
        source,
        roles=roles,
        scale=scale,
        system_scale=system_scale,
        resolve=resolve,
        adjudication=adjudication,
        adjacency=adjacency,
        missing=missing,
        exclude=exclude,
        prompts=prompts or {},
        exclude_zero=exclude_zero,
        flags=flags,
        candidate=candidate,
        min_items=min_items,
    )
    return evaluate_scores(
        scores,
        settings,
        statistics=statistics,
        cross=cross,
        error_variance=error_variance,
        small_group=small_group,
        progress=progress,
    )


def evaluate_scores(
    scores: Scores,
    settings: Settings,
    *,
    statistics: Sequence[str] = (),
    cross: bool = False,
    error_variance: float | None = None,
    small_group: int = SMALL_GROUP,
    progress: Progress | None = None,
) -> Evaluation:
    """Evaluate scores that were read already; named statistics are computed alone."""
    if error_variance is not None and not error_variance >= 0:
        raise OptionError(f"error_variance must not be negative, got {error_variance}")
    parts = list(parts_of(scores.patterns, cross=cross))
    total = len(parts) * len(scores.roles.systems)
    found: list[Found] = []
    for i, system in enumerate(scores.roles.systems):
        measured = []
        for j, part in enumerate(parts):
            if progress:
                progress(i * len(parts) + j, total)
            one = measure(scores, system, part, statistics)
            if one is None:
                continue
            measured.append(one)
            found.append(estimates_of(one, system, settings))
        for key in AVERAGED:
            over = [m for m in measured if set(m.part.where) == {key}]
            found.extend(averages(over, key, system, settings) if len(over) > 1 else [])
        if not statistics:
            found.extend(_beside_people(scores, system, parts, settings))
            found.extend(_true_scores(scores, system, parts, settings, error_variance))
            found.extend(fairness_of(scores, system, settings, small=small_group))
    for part in [] if statistics else parts:
        found.extend(people_agree(scores, part, settings))
    found.extend([] if statistics else gstudy(scores, parts[0], settings))
    found.extend([] if statistics else panel_averages(scores, parts, settings))
    found.extend([] if statistics else ceilings(scores, parts, settings))
    if progress:
        progress(total, total)
    findings = [*about_adjudicators(people_of(scores, parts[0])), *ceiling_findings(found)]
    return collected(scores, settings, statistics, found, cross=cross, findings=findings)


def _beside_people(
    scores: Scores, system: str, parts: Sequence[Part], settings: Settings
) -> Iterator[Found]:
    """Yield the system against each rater, against people as they are, and against itself."""
    yield from against_each_rater(scores, system, parts[0], settings)
    for part in parts:
        if not part.many:
            yield from compared_with_people(scores, system, part, settings)
    yield from system_severity(scores, system, parts[0], settings)
    yield from self_consistency(scores, system, parts[0], settings)


def _true_scores(
    scores: Scores, system: str, parts: Sequence[Part], settings: Settings, error: float | None
) -> Iterator[Found]:
    """Yield true-score accuracy of all responses and of each prompt, trait and fold."""
    for part in parts:
        if not part.many and not any(key.startswith("group:") for key in part.where):
            yield from true_scores(scores, system, part, settings, error=error)
