"""People: double scores for PRMSE, and raters for a reliability."""

import math
from collections.abc import Sequence
from typing import Any, Unpack

import numpy as np

from tallymark.analyses.evaluate import evaluate
from tallymark.analyses.planning.answers import answered, table_of
from tallymark.analyses.planning.pilots import checked
from tallymark.errors import DataError, OptionError
from tallymark.evaluation.ceilings.ceiling import ceiling
from tallymark.planning import double_scores as doubles
from tallymark.reliability.ceiling import raters_needed, spearman_brown
from tallymark.results import TRUE_SCORES, Estimate, Evaluation
from tallymark.study.planning import DoubleScoresKeywords, PlanRatersKeywords
from tallymark.study.request import Request, fields_of, takes

TWICE = (50, 100, 200, 500, 1000)
TARGETS = (0.7, 0.8, 0.85, 0.9, 0.95)


@takes("plan double-scores")
def double_scores(pilot: object = None, **asked: Unpack[DoubleScoresKeywords]) -> Evaluation:
    """How many of the responses must be rated twice for an interval of PRMSE -/+ half_width."""
    request = Request.of("plan double-scores", asked)
    half_width, responses, level = request.half_width, request.responses, request.level
    given = request.some(("value", "true_variance", "error_variance"))
    checked({"half_width": half_width, "level": level, **given})
    if responses < 4:
        raise OptionError(f"plan for four responses or more, got {responses}")
    known, whence = given, "as assumed"
    if pilot is not None:
        found, whence = _of_pilot(pilot, request)
        known = {key: found[key] if asked is None else asked for key, asked in given.items()}
    missing = [key.replace("_", " ") for key, number in known.items() if number is None]
    if missing:
        raise OptionError(f"name a pilot file with double scores, or also {', '.join(missing)}")
    true = {key: float(number) for key, number in known.items() if number is not None}
    model = {"responses": responses, **true}
    n = doubles.needed(half_width, level=level, **model)
    about = (
        f"PRMSE {true['value']:.3g}, variance of true scores {true['true_variance']:.3g}, of rater "
        f"errors {true['error_variance']:.3g}, {whence}; scores normal, the system calibrated"
    )
    words = (
        f"no number of double scores among {responses:,} responses gives PRMSE an interval of -/+ "
        f"{half_width:g}: more responses are needed"
        if n is None
        else f"{n:,} of {responses:,} responses rated twice give PRMSE a {100 * level:g} % interval "
        f"of -/+ {half_width:g}; they must be drawn at random"
    )
    sizes = sorted({m for m in (*TWICE, n or responses) if m <= responses})
    rows = [[m, *_errors(m, model)] for m in sizes]
    columns = ("rated twice", "standard error", "of it from rater error alone")
    said = {**request.some(("half_width", "responses", "level")), **given}
    return answered("double-scores", said, [words], [about], table_of(columns, rows))


@takes("plan raters")
def raters(pilot: object = None, **asked: Unpack[PlanRatersKeywords]) -> Evaluation:
    """How many raters a response needs for their mean to have a reliability."""
    request = Request.of("plan raters", asked)
    reliability, single = request.reliability, request.single
    checked({"reliability": reliability, "single": single})
    ends: Sequence[float] = ()
    note = "reliability of one rater as assumed"
    if pilot is not None and single is None:
        found = _single(pilot, request)
        single, ends = found.value, (found.low, found.high)
        note = (
            f"reliability of one rater {found.value:.3g} [{found.low:.3g}, {found.high:.3g}], "
            f"from {found.n} responses"
        )
    if single is None:
        raise OptionError("name a pilot file with two ratings a response, or --single")
    k = _needed(reliability, single)
    if k is None:
        words = "raters do not tell responses apart: no number of them is reliable"
    else:
        words = (
            f"{_people(k)} a response give reliability {reliability:g} "
            f"({float(spearman_brown(np.array(single), k)):.3g}) when one has {single:.3g}"
        )
        most, fewest = (_needed(reliability, end) for end in ends) if ends else (k, k)
        if most != fewest:
            words += f"; with the ends of its interval {fewest} to {most or 'no number of'}"
    rows = [[f"{target:g}", _needed(target, single)] for target in TARGETS]
    said = {"reliability": reliability, "single": None if pilot is not None else single}
    return answered("raters", said, [words], [note], table_of(("reliability", "raters"), rows))


def _needed(target: float, single: float) -> int | None:
    """Whole raters for a reliability; None where one tells nothing."""
    k = float(raters_needed(np.array(single), target))
    return None if math.isnan(k) else max(1, math.ceil(k - 1e-9))


def _people(k: int) -> str:
    return "1 rater" if k == 1 else f"{k} raters"


def _errors(double: int, model: dict[str, Any]) -> tuple[float | str, float]:
    whole = doubles.standard_error(double, **model)
    return whole if math.isfinite(whole) else "unbounded", doubles.error_part(double, **model)


def _reading(request: Request, command: str) -> dict[str, Any]:
    """How the pilot is read, for another command."""
    own = ("error_variance", "level")
    return {n: v for n, v in request.given.items() if n in fields_of(command) and n not in own}


def _of_pilot(pilot: object, request: Request) -> tuple[dict[str, float], str]:
    """PRMSE and both variances of the only system of a pilot."""
    found = evaluate(pilot, replicates=100, **_reading(request, "evaluate"))
    places = [
        i for i, s in enumerate(found.subsets) if s.against == TRUE_SCORES and s.column is None
    ]
    if len(places) != 1:
        raise OptionError("plan for one system, named with --system, whose responses have ratings")
    numbers = found.numbers[places[0]]
    names = {"value": "prmse", "true_variance": "true_score_variance"}
    known = {key: numbers[text].value for key, text in names.items()}
    known["error_variance"] = numbers["error_variance"].value
    if not all(number > 0 for number in known.values()):
        raise DataError(
            "the pilot gives no PRMSE to plan with: "
            + (numbers["prmse"].why or "a variance or PRMSE is not above 0")
        )
    return known, f"from {found.subsets[places[0]].n} responses of the pilot"


def _single(pilot: object, request: Request) -> Estimate:
    """Reliability of one rater, drawn at random, on all responses of a pilot."""
    found = ceiling(pilot, replicates=1000, **_reading(request, "ceiling"))
    for estimate in found.estimates:
        whole = found.subsets[estimate.subset].column is None
        if estimate.text == "reliability[one]" and whole:
            if math.isnan(estimate.value):
                raise DataError(
                    f"the pilot gives no reliability of one rater: {estimate.why or 'undefined'}"
                )
            return estimate
    raise DataError("no response of the pilot was rated twice")
