"""Compare: a table of scores by several systems in, their differences and their ranking out."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from tallymark.errors import OptionError
from tallymark.evaluation.asked import Asked
from tallymark.evaluation.catalogue import LAMBDA
from tallymark.evaluation.comparison.contest import compare_scores
from tallymark.evaluation.comparison.entrants import BY
from tallymark.evaluation.plan import Progress
from tallymark.inference import Settings
from tallymark.inference.estimate import Kind
from tallymark.results import Evaluation
from tallymark.scale import HALF_STEP
from tallymark.sources import PromptOptions, Roles, Scores, read_scores
from tallymark.sources.joining import Predictions, join_predictions


def compare(  # noqa: PLR0913 - one keyword for each role and option
    source: object,
    *,
    predictions: Predictions | None = None,
    by: str = BY,
    humans: Sequence[str] = (),
    gold: str | None = None,
    systems: Sequence[str] = (),
    confidences: Mapping[str, str] | None = None,
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
    lambda_: float = LAMBDA,
    level: float = 0.95,
    interval: Kind | None = None,
    replicates: int = 2000,
    seed: int = 0,
    progress: Progress | None = None,
) -> Evaluation:
    """Compare the systems of a file or frame with each other, on the responses that all scored.

    Every pair gets paired differences with intervals and a permutation test, adjusted by Holm; the
    systems are ranked ``by`` a statistic, and baselines stand beside them. ``predictions`` are
    further tables, joined by ``id``: files, or frames by name. The other keywords are those of
    :func:`tallymark.evaluate`.
    """
    roles = Roles(
        humans=tuple(humans), gold=gold, systems=tuple(systems), groups=tuple(groups),
        prompt=prompt, trait=trait, cluster=cluster, fold=fold, id=id,
        response=response, rater=rater, score=score, confidences=dict(confidences or {}),
    )  # fmt: skip
    settings = Settings(level=level, replicates=replicates, seed=seed, interval=interval)
    asked = Asked(statistics=tuple(statistics), cross=cross, lambda_=lambda_)
    reading = {
        "scale": scale, "system_scale": system_scale, "resolve": resolve,
        "adjudication": adjudication, "adjacency": adjacency, "missing": missing,
        "exclude": exclude, "prompts": prompts or {}, "exclude_zero": exclude_zero,
        "flags": flags, "candidate": candidate, "min_items": min_items,
        "sheet": sheet, "trim": trim,
    }  # fmt: skip
    scores = read_joined(source, roles, predictions or (), reading)
    return compare_scores(scores, settings, asked, by=by, progress=progress)


def read_joined(
    source: object, roles: Roles, predictions: Predictions, reading: Mapping[str, Any]
) -> Scores:
    """Read scores, after bringing tables of predictions beside the people where there are some."""
    if not predictions:
        return read_scores(source, roles=roles, **reading)
    if roles.long:
        raise OptionError(
            "predictions are joined to one row per response; in a long table add the systems' "
            "scores as rows"
        )
    joined = join_predictions(
        source, predictions, key=roles.id, systems=roles.systems, sheet=reading.get("sheet")
    )
    roles = replace(roles, systems=joined.systems)
    scores = read_scores(joined.columns, roles=roles, **{**reading, "sheet": None})
    facts = replace(scores.facts, notes=(*scores.facts.notes, *joined.notes))
    tables = [f"{name}=PREDICTIONS" for name in joined.tables]
    return replace(scores, facts=facts, options={**scores.options, "predictions": tables})
