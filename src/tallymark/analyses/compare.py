"""Compare: a table of scores by several systems in, their differences and their ranking out."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Unpack

from msgspec.structs import replace

from tallymark.defaults import MANY
from tallymark.errors import OptionError
from tallymark.inference import Settings
from tallymark.questions.comparison.baselines import baselines
from tallymark.questions.comparison.compute import compared_pairs
from tallymark.questions.comparison.confidences import confidence_table
from tallymark.questions.comparison.contest import Contest, contest_of
from tallymark.questions.comparison.prompts import SMD, beside_average, between_prompts
from tallymark.questions.probes import by_probe
from tallymark.results import Evaluation, system_called
from tallymark.sources import Roles, Scores, read_scores
from tallymark.sources.joining import Predictions, join_predictions
from tallymark.sources.places import place_of, read_already, recorded
from tallymark.study.asked import Asked
from tallymark.study.average import averages
from tallymark.study.collected import collected
from tallymark.study.formulas import Progress, unwatched
from tallymark.study.keywords import CompareKeywords
from tallymark.study.measured import Measured, SubsetResults, estimates_of, measure
from tallymark.study.reading import Outcome, noted, reading_of, roles_of, settings_of, with_probes
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
    scores = read_joined(
        source,
        roles_of(request),
        request.predictions or (),
        reading_of(request),
        request.probe_scores,
    )
    contest, report = contest_of(scores, asked, request.by, request.test), progress or unwatched
    results = [*_of_systems(contest, settings, report)]
    more, tables = compared_pairs(contest, results, settings)
    base = list(_baselines(contest, settings))
    for system in contest.systems:
        more += by_probe(contest.scores, system, contest.parts, settings)
    report(len(contest.systems) + 1, len(contest.systems) + 1)
    made = collected(
        contest.scores, settings, contest.request, [*results, *more, *base], kind="compare"
    )
    names = list(dict.fromkeys(baseline.subset.system for baseline in base))
    options = {**made.options, "by": contest.by, "over": contest.over, "baselines": names}
    options |= {} if request.test == "auto" else {"test": request.test}
    if not contest.scores.weighted:
        tables = (*tables, *confidence_table(contest, settings))
    evaluation = replace(made, options=options, tables=tables)
    return Outcome(noted(evaluation, request), scores.excluded)


def _of_systems(
    contest: Contest, settings: Settings, progress: Progress
) -> Iterator[SubsetResults]:
    """Every statistic of each system on every part of the data, then the macro-averages."""
    listed = len(contest.systems) <= MANY
    measured = {
        system: [
            here
            for part in contest.parts
            if (here := measure(system, part, contest.request.statistics)) is not None
        ]
        for system in contest.systems
    }
    shown = [
        (system, here)
        for system, every in measured.items()
        for here in every
        if listed or not here.part.where
    ]
    estimated = estimates_of(shown, settings)
    for i, (system, every) in enumerate(measured.items()):
        progress(i, len(measured) + 1)
        of_system = [
            made for (name, _), made in zip(shown, estimated, strict=True) if name == system
        ]
        yield from _with_averages(contest, system, every, of_system, settings)


def _with_averages(
    contest: Contest,
    system: str,
    measured: Sequence[Measured],
    results: list[SubsetResults],
    settings: Settings,
) -> list[SubsetResults]:
    """Add the means over parts to what was found on each, and how parts differ."""
    over = [m for m in measured if contest.over and set(m.part.where) == {contest.over}]
    if len(over) > 1:
        results += averages(over, contest.over, system_called(system), settings)
    prompts = [f for f in results if f.subset.column == "prompt" and f.subset.trait is None]
    if len(prompts) > 1:
        spread = between_prompts(prompts, (contest.by, SMD), settings.level)
        results += beside_average(results, system_called(system), spread, contest.scores.facts.used)
    return results


def _baselines(contest: Contest, settings: Settings) -> Iterator[SubsetResults]:
    """The baselines on all responses, and on the parts that are averaged over."""
    parts = [p for p in contest.parts if not p.where or set(p.where) == {contest.over}]
    scores, statistics = contest.scores, contest.request.statistics
    yield from baselines(scores, parts, contest.over, statistics, settings)


def read_joined(
    source: object,
    roles: Roles,
    predictions: Predictions,
    reading: Mapping[str, Any],
    probes: object = None,
) -> Scores:
    """Read scores, after bringing tables of predictions and probes beside the people."""
    if not predictions:
        joined = with_probes(source, roles, reading, probes)
        return joined.noted(read_scores(joined.source, roles=joined.roles, **joined.reading))
    if roles.long:
        raise OptionError(
            "predictions are joined to one row per response; in a long table add the systems' "
            "scores as rows"
        )
    tables = join_predictions(
        source,
        predictions,
        key=roles.id,
        systems=roles.systems,
        place=place_of(reading),
    )
    here = read_already(reading)
    joined = with_probes(tables.columns, replace(roles, systems=tables.systems), here, probes)
    scores = joined.noted(read_scores(joined.source, roles=joined.roles, **joined.reading))
    facts = replace(scores.facts, notes=(*scores.facts.notes, *tables.notes))
    named = [f"{name}=PREDICTIONS" for name in tables.tables]
    options = {**recorded(place_of(reading)), **scores.options, "predictions": named}
    return replace(scores, facts=facts, options=options)
