"""Plans, as ``tallymark.plan``: how many responses, double scores, raters or labels are needed.

Each function takes a pilot (a file, frame or columns, with the options of ``tm.evaluate``) or
assumed values, and returns an Evaluation of the kind "plan": its findings are the answer, its
table shows the same for other sizes, its notes are the assumptions.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Unpack

import numpy as np

from tallymark.analyses.piloting import reliability_shown, true_scores_shown
from tallymark.catalogue import called, find, texts
from tallymark.defaults import LEVEL
from tallymark.errors import OptionError
from tallymark.planning import sizes
from tallymark.questions.planning import compute, findings
from tallymark.questions.planning.pilots import (
    ASSUMED,
    Pilot,
    assumed,
    assumed_difference,
    checked,
    difference_of_scores,
    of_scores,
    only_system,
)
from tallymark.reliability.ceiling import spearman_brown
from tallymark.results import Data, Evaluation, Finding, ResultTable
from tallymark.sources import Scores
from tallymark.study.planning import (
    DifferenceKeywords,
    DoubleScoresKeywords,
    PlanCertifyKeywords,
    PlanRatersKeywords,
    SettleKeywords,
    WidthKeywords,
)
from tallymark.study.reading import read
from tallymark.study.request import Request, takes

__all__ = ["certify", "difference", "double_scores", "raters", "settle", "width"]
MOST_PROMPTS = 1_000_000


@takes("plan width")
def width(pilot: object = None, **asked: Unpack[WidthKeywords]) -> Evaluation:
    """Responses for an interval of value -/+ half_width."""
    request = Request.of("plan width", asked)
    half_width, level = request.half_width, request.level
    checked({"half_width": half_width, "level": level})
    known = _known(pilot, request)
    plan = compute.for_width(known, half_width, level)
    notes = [findings.basis(known)]
    if pilot is None and known.key == ASSUMED[0]:
        both = [
            f(known.value, half_width, level=level) for f in (sizes.qwk_normal, sizes.qwk_fisher)
        ]
        notes.append(findings.continuous(*both))
    options = {"statistic": known.key, **request.some(("half_width", "value", "level"))}
    numbers = {"needed": plan.needed, "value": known.value}
    return _answered("width", options, numbers, notes, plan.others)


@takes("plan settle")
def settle(pilot: object = None, **asked: Unpack[SettleKeywords]) -> Evaluation:
    """Responses with which the whole interval lies on the value's side of the limits."""
    request = Request.of("plan settle", asked)
    power, level = request.power, request.level
    checked({"power": power, "level": level})
    if request.at_least is None and request.at_most is None:
        raise OptionError("name a limit: at_least, at_most or both")
    low = -math.inf if request.at_least is None else request.at_least
    high = math.inf if request.at_most is None else request.at_most
    if low >= high:
        raise OptionError(f"at_least must lie below at_most, got {low:g} and {high:g}")
    known = _known(pilot, request)
    plan = compute.to_settle(known, low, high, power, level)
    options = request.some(("at_least", "at_most", "value", "power", "level"))
    verb = "meets" if low <= known.value <= high else "misses"
    numbers = {"needed": plan.needed, "value": known.value}
    options, notes = {"statistic": known.key, **options}, [findings.basis(known)]
    return _answered("settle", options, numbers, notes, plan.others, verb=verb)


@takes("plan difference")
def difference(pilot: object = None, **asked: Unpack[DifferenceKeywords]) -> Evaluation:
    """Responses, scored by both systems, that tell two systems apart."""
    request = Request.of("plan difference", asked)
    power, level = request.power, request.level
    checked({"power": power, "level": level})
    known = _known_difference(pilot, request)
    plan = compute.to_tell_apart(known, power, level)
    options = {"statistic": known.key, "values": list(request.values), "between": request.between}
    options |= {"power": power, "level": level}
    numbers = {"needed": plan.needed, "value": abs(known.value)}
    return _answered("difference", options, numbers, [findings.basis(known)], plan.others)


@takes("plan double-scores")
def double_scores(pilot: object = None, **asked: Unpack[DoubleScoresKeywords]) -> Evaluation:
    """How many of the responses must be rated twice for an interval of PRMSE -/+ half_width."""
    request = Request.of("plan double-scores", asked)
    half_width, responses, level = request.half_width, request.responses, request.level
    given = request.some(("value", "true_variance", "error_variance"))
    checked({"half_width": half_width, "level": level, **given})
    if responses < 4:
        raise OptionError(f"plan for four responses or more, got {responses}")
    read_off = pilot is not None and None in given.values()
    shown, n, over = true_scores_shown(pilot, request) if read_off else ({}, 0, "")
    known = {key: shown.get(key) if number is None else number for key, number in given.items()}
    missing = [key.replace("_", " ") for key, number in known.items() if number is None]
    if missing:
        raise OptionError(f"name a pilot file with double scores, or also {', '.join(missing)}")
    model = {key: float(number) for key, number in known.items() if number is not None}
    plan = compute.for_prmse(half_width, level, responses=responses, **model)
    options = {**request.some(("half_width", "responses", "level")), **given}
    numbers = {"needed": plan.needed, **model}
    return _answered(
        "double-scores", options, numbers, [findings.variances(model, n, over)], plan.others
    )


@takes("plan raters")
def raters(pilot: object = None, **asked: Unpack[PlanRatersKeywords]) -> Evaluation:
    """How many raters a response needs for their mean to have a reliability."""
    request = Request.of("plan raters", asked)
    reliability, single = request.reliability, request.single
    checked({"reliability": reliability, "single": single})
    shown = reliability_shown(pilot, request) if pilot is not None and single is None else None
    if shown is not None:
        single = shown.mean.value
    if single is None:
        raise OptionError("name a pilot file with two ratings a response, or --single")
    plan = compute.for_reliability(reliability, single)
    numbers = {"needed": plan.needed, "single": single}
    if plan.needed is not None:
        numbers["reached"] = float(spearman_brown(np.array(single), plan.needed))
    if shown is not None:
        numbers["most"] = compute.raters_for(reliability, shown.mean.low)
        numbers["fewest"] = compute.raters_for(reliability, shown.mean.high)
    options = {"reliability": reliability, "single": None if pilot is not None else single}
    notes = [
        findings.assumed_rater() if shown is None else findings.one_rater(shown.mean, shown.over)
    ]
    if shown is not None and shown.parts:
        needed = {p: compute.raters_for(reliability, known) for p, known in shown.parts.items()}
        notes.append(findings.raters_by_part(needed, shown.over))
    return _answered("raters", options, numbers, notes, plan.others)


@takes("plan certify")
def certify(**asked: Unpack[PlanCertifyKeywords]) -> Evaluation:
    """Responses to label before a threshold certifies at most alpha critical errors.

    ``rate`` is the share of critical errors that you expect among accepted responses, a quarter of
    alpha if it is not named; ``coverage`` the share of responses that you expect to accept.
    """
    request = Request.of("plan certify", asked)
    given = request.some(("alpha", "delta", "rate", "coverage", "power", "prompts"))
    rate = given["alpha"] / 4 if given["rate"] is None else given["rate"]
    labels = compute.Labels(**{**given, "rate": rate})
    shares = {name: share for name, share in labels._asdict().items() if name != "prompts"}
    # what is no share at all is refused by the planner
    checked({name: share for name, share in shares.items() if 0 < share < 1})
    if not 1 <= labels.prompts <= MOST_PROMPTS:
        raise OptionError(f"prompts must be from 1 to {MOST_PROMPTS:,}, got {labels.prompts:,}")
    plan, notes, others = labels.plan(), findings.about_labels(labels), compute.other_rates(labels)
    numbers = {"rate": rate, "sure": 1 - labels.delta}
    if not math.isnan(plan.labels):
        numbers |= {"needed": plan.labels, "in_all": plan.labels_in_all}
    return _answered("certify", given, numbers, notes, others, why=plan.why)


def _known(pilot: object, request: Request) -> Pilot:
    """What is known of a statistic: from a pilot, where a value given replaces the pilot's."""
    statistic, value = request.statistic, request.value
    if pilot is not None:
        _without_pilot(request, ("points", "shares"))
        scores = read(pilot, request)
        statistic = _of_these(scores, request)
        known = of_scores(scores, statistic, only_system(scores, request.systems))
        return known if value is None else known._replace(value=value)
    if value is None:
        raise OptionError("name a pilot file, or the value that you expect")
    checked({"value": value})
    return assumed(statistic, value, request.shares, request.points)


def _known_difference(pilot: object, request: Request) -> Pilot:
    """What is known of the difference of two systems: from a pilot, or of normal scores."""
    statistic, values, between = request.statistic, request.values, request.between
    if pilot is not None:
        _without_pilot(request, ("values", "between"))
        scores = read(pilot, request)
        systems = request.systems or scores.roles.systems
        if len(systems) != 2:
            raise OptionError(f"name the two systems to tell apart, got {', '.join(systems)}")
        return difference_of_scores(scores, _of_these(scores, request), systems)
    if len(values) != 2:
        raise OptionError("name a pilot file with two systems, or the two values to tell apart")
    if find(statistic).key not in ASSUMED:
        raise OptionError(
            f"a difference of {statistic} needs a pilot file; without one take qwk or lin_ccc"
        )
    checked({"first value": values[0], "second value": values[1]})
    if between is not None and not -1 < between < 1:
        raise OptionError(f"between must lie between -1 and 1, got {between:g}")
    return assumed_difference(values, between)


def _of_these(scores: Scores, request: Request) -> str:
    """The statistic that was asked for, else the usual one of such scores."""
    asked: str = request.statistic
    return asked if "statistic" in request.given else texts("preferred", scores.gold_scale.view)[0]


def _without_pilot(request: Request, names: tuple[str, ...]) -> None:
    """Refuse what is assumed where a pilot shows it."""
    for name in names:
        if name in request.given:
            raise OptionError(
                f"--{name} is assumed where there is no pilot; leave it out, or leave out the file"
            )


def _answered(
    question: str,
    asked: Mapping[str, Any],
    answer: Mapping[str, float | None],
    notes: Iterable[Finding],
    others: ResultTable,
    **texts: str,
) -> Evaluation:
    """Put the answer, what was assumed and the table into one record."""
    options = {key: value for key, value in asked.items() if not _unsaid(value)}
    known = {"level": LEVEL, **options, **answer}
    numbers = {key: value for key, value in known.items() if isinstance(value, int | float)}
    if "statistic" in options:
        texts["statistic"] = called(options["statistic"])
    name = f"plan_{question}"
    return Evaluation(
        kind="plan",
        options={"question": question, "level": LEVEL, **options},
        data=Data(read=0, used=0, scale=""),
        definitions={},
        subsets=(),
        estimates=(),
        tables=(others,),
        findings=(Finding(name=name, numbers=numbers, texts=texts, weight="note"), *notes),
    )


def _unsaid(value: object) -> bool:
    return value is None or (isinstance(value, Sequence) and not value)


def __dir__() -> list[str]:
    """The public names alone."""
    return __all__
