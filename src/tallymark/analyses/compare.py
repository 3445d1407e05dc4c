"""Compare: a table of scores by several systems in, their differences and their ranking out."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Unpack

from tallymark.errors import OptionError
from tallymark.evaluation.asked import Asked
from tallymark.evaluation.plan import Progress
from tallymark.questions.comparison.compute import compare_scores
from tallymark.results import Evaluation
from tallymark.sources import Roles, Scores, read_scores
from tallymark.sources.joining import Predictions, join_predictions
from tallymark.study.keywords import CompareKeywords
from tallymark.study.reading import Outcome, noted, reading_of, roles_of, settings_of
from tallymark.study.request import Request, takes


@takes("compare")
def compare(
    source: object, *, progress: Progress | None = None, **asked: Unpack[CompareKeywords]
) -> Evaluation:
    """Compare the systems of a file or frame with each other, on the responses that all scored.

    Every pair gets paired differences with intervals and a permutation test, adjusted by Holm; the
    systems are ranked ``by`` a statistic, and baselines stand beside them. ``predictions`` are
    further tables, joined by ``id``: files, or frames by name. The other keywords are those of
    :func:`tallymark.evaluate`.
    """
    return compared(source, Request.of("compare", asked), progress=progress).evaluation


def compared(source: object, request: Request, *, progress: Progress | None = None) -> Outcome:
    """Compare systems as a request asks."""
    settings, asked = settings_of(request), Asked.of(request)
    scores = read_joined(source, roles_of(request), request.predictions or (), reading_of(request))
    found = compare_scores(scores, settings, asked, by=request.by, progress=progress)
    return Outcome(noted(found, request), scores.excluded)


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
