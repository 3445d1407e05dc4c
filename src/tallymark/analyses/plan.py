"""Plans, as ``tallymark.plan``: how many responses, double scores, raters or labels are needed.

Each function takes a pilot (a file, frame or columns, with the options of ``tm.evaluate``) or
assumed values, and returns an Evaluation of the kind "plan": its findings are the answer, its
table shows the same for other sizes, its notes are the assumptions.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Unpack

import numpy as np

from tallymark.analyses.piloting import raters_shown, true_scores_shown
from tallymark.analyses.settling import Piloted, limit_on_pilot, policy_on_pilot
from tallymark.catalogue import called, find, texts
from tallymark.defaults import LEVEL
from tallymark.errors import OptionError
from tallymark.planning import sizes
from tallymark.planning.forecast import Forecast, LimitEnds, PartForecast, Smooth, sampling_of
from tallymark.questions.planning import compute, findings
from tallymark.questions.planning.pilots import (
    ASSUMED,
    Pilot,
    assumed,
    assumed_difference,
    assumed_estimate,
    assumed_samples,
    checked,
    difference_of_scores,
    of_scores,
    only_system,
)
from tallymark.questions.verdict.criteria import responses_of
from tallymark.reliability.ceiling import spearman_brown
from tallymark.results import Data, Estimate, Evaluation, Finding, ResultTable
from tallymark.sources import Scores
from tallymark.study.formulas import Progress
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
from tallymark.verdict.judged import fewest_for
from tallymark.verdict.policy import policy_of
from tallymark.verdict.states import bounds_of

__all__ = ["certify", "difference", "double_scores", "raters", "settle", "width"]
MOST_PROMPTS = 1_000_000
MOST_SAMPLED = 10_000
"""The intervals of more responses are those of very many."""


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
def settle(
    pilot: object = None,
    *,
    progress: Progress | None = None,
    **asked: Unpack[SettleKeywords],
) -> Evaluation:
    """Responses with which a verdict decides a limit, or a policy, on the side of the value."""
    request = Request.of("plan settle", asked)
    power, level = request.power, request.level
    checked({"power": power, "level": level})
    if request.policy is not None:
        return _settle_policy(pilot, request, progress)
    if request.at_least is None and request.at_most is None:
        raise OptionError("name a limit: at_least, at_most or both; or a policy")
    low = -math.inf if request.at_least is None else request.at_least
    high = math.inf if request.at_most is None else request.at_most
    if low >= high:
        raise OptionError(f"at_least must lie below at_most, got {low:g} and {high:g}")
    known = _limit(pilot, request)
    pilot_of, forecast = known.pilot, known.forecast
    plan = compute.to_settle(forecast, power)
    options = request.some(("at_least", "at_most", "value", "power", "level"))
    verb = "meets" if low <= forecast.value <= high else "misses"
    numbers = {"needed": plan.needed, "value": forecast.value}
    notes = [findings.basis(pilot_of), *findings.about_verdict(forecast, plan.needed)]
    texts = {"verb": verb, "what": _planned(forecast), "statistic": known.title}
    options = {"statistic": pilot_of.key, **options}
    return _answered("settle", options, numbers, notes, plan.others, **texts)


def _planned(forecast: Forecast) -> str:
    """Which responses are planned."""
    if len(forecast.parts) > 1:
        return "responses of the decisive group, and of the others in proportion,"
    return "responses" if forecast.estimate is None else responses_of(forecast.estimate)


def _limit(pilot: object, request: Request) -> Piloted:
    """A limit on a pilot, where a value given replaces the pilot's, or on a population."""
    ends, level, value = (request.at_least, request.at_most), request.level, request.value
    if pilot is not None:
        _without_pilot(request, ("points", "shares"))
        scores = read(pilot, request)
        system = only_system(scores, request.systems)
        known = limit_on_pilot(scores, system, _of_these(scores, request), ends, level)
        if value is None:
            return known
        if len(known.forecast.parts) > 1:
            raise OptionError("--value is of one number, and a limit on every group of several")
        return known._replace(forecast=known.forecast.moved(value))
    if value is None:
        raise OptionError("name a pilot file, or the value that you expect")
    checked({"value": value})
    shape = (request.shares, request.points)
    population, estimate = assumed_estimate(request.statistic, value, *shape, level)
    forecast = _assumed_forecast(estimate, value, ends)
    n = None if forecast is None else forecast.needed(request.power)
    if forecast is None:
        raise OptionError(f"no interval is known of {population.key} on such scores")
    if n is not None and n <= MOST_SAMPLED and isinstance(sampling_of(estimate), Smooth):
        samples = assumed_samples(request.statistic, value, *shape, level, n)
        again = None if samples is None else _assumed_forecast(samples, samples.value, ends)
        forecast = forecast if again is None else again._replace(value=value)
    return Piloted(population, forecast, called(population.key))


def _assumed_forecast(
    estimate: Estimate, value: float, ends: tuple[float | None, float | None]
) -> Forecast | None:
    """How many responses decide a limit on a number that has this value."""
    sampling = sampling_of(estimate)
    if sampling is None:
        return None
    limits, fewest = LimitEnds(*bounds_of(*ends)), fewest_for(estimate.key)
    return Forecast(value, (PartForecast(sampling.moved(value), limits, fewest=fewest),))


def _settle_policy(pilot: object, request: Request, progress: Progress | None) -> Evaluation:
    """Responses with which the verdict of a policy is decided."""
    for name in ("at_least", "at_most", "value", "statistic", "points", "shares"):
        if name in request.given:
            option = name.replace("_", "-")
            raise OptionError(f"a policy has its own limits; leave out --{option}, or --policy")
    if pilot is None:
        raise OptionError("a policy is planned from a pilot file, which shows how its limits vary")
    policy = policy_of(request.policy)
    scores = read(pilot, request)
    system = only_system(scores, request.systems)
    known = policy_on_pilot(scores, system, policy, request.level, progress)
    plan = compute.to_settle_policy(known.titles, known.alone, known.together, request.power)
    options = {"policy": policy.name, **request.some(("power", "level"))}
    basis = Pilot(policy.name, math.nan, math.nan, n=known.n, systems=(system,))
    verb = "meets" if known.together.keeps else "does not meet"
    numbers = {"needed": plan.needed, "power": request.power}
    notes = [findings.basis(basis)]
    return _answered(
        "settle_policy",
        options,
        numbers,
        notes,
        plan.others,
        verb=verb,
        policy=policy.name,
        system=system,
    )


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
    if pilot is not None and single is None:
        return _raters_of_pilot(pilot, request)
    if single is None:
        raise OptionError("name a pilot file with two ratings a response, or --single")
    plan = compute.for_reliability(reliability, single)
    numbers = {"needed": plan.needed, "single": single}
    if plan.needed is not None:
        numbers["reached"] = float(spearman_brown(np.array(single), plan.needed))
    options = {"reliability": reliability, "single": None if pilot is not None else single}
    return _answered("raters", options, numbers, [findings.assumed_rater()], plan.others)


def _raters_of_pilot(pilot: object, request: Request) -> Evaluation:
    """How many raters reach a reliability if further ones are like those of a pilot."""
    goal = request.reliability
    shown = raters_shown(pilot, request, tuple(dict.fromkeys([goal, *compute.TARGETS])))
    plan = compute.for_needed(shown.needed, goal)
    numbers = {"needed": plan.needed, "single": shown.single.value}
    if plan.needed is not None:
        numbers["reached"] = shown.reached(plan.needed)
    ends = {"fewest": shown.needed[goal].low, "most": shown.needed[goal].high}
    numbers |= {name: compute.whole(end) for name, end in ends.items() if not math.isnan(end)}
    notes = [findings.one_rater(shown.single, shown.over)]
    if shown.parts:
        each = {part: compute.whole(of[goal].value) for part, of in shown.parts.items()}
        notes.append(findings.raters_by_part(each, shown.over))
    return _answered("raters", {"reliability": goal}, numbers, notes, plan.others)


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
        texts.setdefault("statistic", called(options["statistic"]))
    name = f"plan_{question}"
    return Evaluation(
        kind="plan",
        options={"question": question.partition("_")[0], "level": LEVEL, **options},
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
