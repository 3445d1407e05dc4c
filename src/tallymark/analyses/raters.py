"""Raters: the people on their own. Who agrees with whom, who is severe, who uses the scale?"""

from typing import Unpack

from msgspec.structs import replace

from tallymark.errors import DataError, OptionError
from tallymark.inference import Settings
from tallymark.questions.generalizability import gstudy, gstudy_averages
from tallymark.questions.people.compute import about_adjudicators, panel_averages, people_agree
from tallymark.questions.people.left_out_raters import (
    people_without_each_rater,
    turning_on_one_rater,
)
from tallymark.questions.raters import (
    Drift,
    about_prompts,
    about_raters,
    drift,
    each_rater,
    rater_averages,
)
from tallymark.questions.severity.compute import JudgedRaters, judge
from tallymark.reliability.severity import METHODS, Method
from tallymark.results import Evaluation, Finding
from tallymark.sources import Scores
from tallymark.study.asked import Asked
from tallymark.study.collected import collected
from tallymark.study.formulas import Progress, unwatched
from tallymark.study.keywords import RatersKeywords
from tallymark.study.measured import SubsetResults
from tallymark.study.reading import Outcome, noted, read, settings_of
from tallymark.study.request import Request, takes
from tallymark.study.study import Study


@takes("raters")
def raters(
    source: object, *, progress: Progress | None = None, **asked: Unpack[RatersKeywords]
) -> Evaluation:
    """Evaluate the raters of a file or frame on their own: no system and no gold are needed.

    Beside agreement: variance components and how many raters are enough, each rater's severity
    (Rasch model; ``severity`` "conditional": from shared responses alone, "mml": from all, "auto":
    from all only where responses look as if dealt to raters at random) and, with a ``batch``
    column, how agreement and severity change from batch to batch.
    """
    return rated(source, Request.of("raters", asked), progress=progress).evaluation


def rated(source: object, request: Request, *, progress: Progress | None = None) -> Outcome:
    """Evaluate the raters as a request asks."""
    settings, severity = settings_of(request), request.severity
    scores = read(source, request, people_only=True)
    _check(scores, severity)
    study = Study(scores, settings, Asked(cross=request.cross))
    if len(scores.humans) < 2:
        raise DataError(
            f"{scores.facts.name} has one rater, {scores.humans[0]}; agreement of people needs two "
            "or more. Name them with --human."
        )
    rate = _of_labels if scores.rater_scale.nominal else _of_scores
    evaluation = rate(study, severity, progress or unwatched)
    return Outcome(noted(evaluation, request), scores.excluded)


def _of_scores(study: Study, severity: Method, progress: Progress) -> Evaluation:
    """Evaluate raters who gave scores: how they agree, who is severe, who uses the scale."""
    scores, settings = study.scores, study.settings
    parts, people = study.parts, study.whole.people
    judged, moved = _judged(study, settings, severity)
    more = {
        name: [*judged.by_rater.get(name, []), *moved.by_rater.get(name, [])]
        for name in (people.names if people is not None else ())
    }
    results: list[SubsetResults] = []
    for i, part in enumerate(parts):
        progress(i, len(parts))
        results.extend(people_agree([part], settings))
        results.extend(gstudy(scores, part, settings) if study.alike else ())
        if people is not None and not part.where:
            results.extend(each_rater(people, part, settings, more))
    results.extend(panel_averages(parts, settings))
    results.extend(rater_averages(parts, settings, judged.means))
    results.extend(people_without_each_rater(parts, settings))
    results = turning_on_one_rater(results, parts, raters_only=True)
    results.extend(gstudy_averages(scores, parts, settings) if study.alike else ())
    progress(len(parts), len(parts))
    results += [*judged.results, *moved.results]
    findings: list[Finding] = [
        *(about_prompts(parts) if people is None else about_raters(people)),
        *about_adjudicators(people),
        *judged.findings,
    ]
    evaluation = collected(scores, settings, study.asked, results, kind="raters", findings=findings)
    return replace(evaluation, options={**evaluation.options, "severity": severity})


def _check(scores: Scores, severity: Method) -> None:
    """Refuse models of severity that are unknown, or that these scores do not allow."""
    if severity not in METHODS:
        raise OptionError(f"unknown severity {severity!r}; choose {', '.join(METHODS)}")
    which = "--batch" if scores.roles.batch else "--severity"
    if severity == "auto" and not scores.roles.batch:
        return
    if scores.weighted:
        raise OptionError(f"--weight: {which} rests on a model that does not use weights")
    if scores.rater_scale.nominal:
        raise OptionError(f"{which} needs scores in an order, and --categories have none")


def _of_labels(study: Study, *_: object) -> Evaluation:
    """Evaluate the raters of labels without an order: how they agree."""
    scores, settings = study.scores, study.settings
    results = [*people_agree(study.parts, settings), *panel_averages(study.parts, settings)]
    return collected(scores, settings, study.asked, results, kind="raters")


def _judged(study: Study, settings: Settings, severity: Method) -> tuple[JudgedRaters, Drift]:
    """Severity where two raters share a response, and drift where batches were named."""
    people, moved = study.whole.people, Drift([], {})
    if not study.alike:
        return JudgedRaters({}, {}, [], []), moved
    if people is not None and people.rows.twice.any():
        moved = drift(study.scores, people, settings)
    return judge(study.parts, settings, severity), moved
