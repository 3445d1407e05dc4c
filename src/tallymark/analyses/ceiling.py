"""Ceiling: a table of people's scores in, what agreement with them is attainable out."""

from collections.abc import Mapping
from typing import Unpack

from msgspec.structs import replace

from tallymark.errors import DataError, OptionError
from tallymark.questions.ceilings.compute import ladders_of, mean_ceilings, part_ceilings
from tallymark.results import Evaluation
from tallymark.study.asked import Asked
from tallymark.study.collected import collected
from tallymark.study.formulas import Progress, unwatched
from tallymark.study.keywords import CeilingKeywords
from tallymark.study.parts import parts_of
from tallymark.study.reading import Outcome, noted, read, settings_of
from tallymark.study.request import Request, takes


@takes("ceiling")
def ceiling(
    source: object, *, progress: Progress | None = None, **asked: Unpack[CeilingKeywords]
) -> Evaluation:
    """Say what agreement with these people is attainable; no system is needed.

    Two ratings of some responses are. With a ``gold`` column it is found out how the gold was
    made; ``references`` are published numbers to be placed among the ceilings.
    """
    return ceiling_asked(source, Request.of("ceiling", asked), progress=progress).evaluation


def ceiling_asked(source: object, request: Request, *, progress: Progress | None = None) -> Outcome:
    """Say what is attainable, as a request asks."""
    settings, given = settings_of(request), checked_references(request.references or {})
    scores = read(source, request, people_only=True)
    if len(scores.humans) < 2:
        raise DataError(
            f"{scores.facts.name} has one rater, {scores.humans[0]}; rater error, and with it a "
            "reliability or a ceiling, shows only where two people rated the same responses. Name a "
            "second one with --human."
        )
    cross, report = request.cross, progress or unwatched
    parts = [part for part in parts_of(scores, cross=cross) if not (part.many and part.grouped)]
    report(0, len(parts))
    ladders = ladders_of(parts, settings, given)
    results = [*part_ceilings(ladders, settings), *mean_ceilings(ladders, settings)]
    report(len(parts), len(parts))
    kept = replace(scores, options={**scores.options, **({"references": given} if given else {})})
    evaluation = collected(kept, settings, Asked(cross=cross), results, kind="ceiling")
    return Outcome(noted(evaluation, request), scores.excluded)


def checked_references(given: Mapping[str, float]) -> dict[str, float]:
    """Refuse published numbers that no coefficient can have."""
    for name, value in given.items():
        if not -1 <= value <= 1:
            raise OptionError(
                f"a reference is a coefficient between -1 and 1, got {name}={value:g}; write "
                f"{name}=.856 for .856"
            )
    return dict(given)
