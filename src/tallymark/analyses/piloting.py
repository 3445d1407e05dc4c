"""What pilots show of raters and of a system's PRMSE: within traits or prompts where there are such."""

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from tallymark.analyses.ceiling import ceiling_asked
from tallymark.analyses.evaluate import evaluated
from tallymark.errors import DataError, OptionError
from tallymark.results import TRUE_SCORES, Estimate, Subset, parts_of
from tallymark.study.parts import FACETS
from tallymark.study.request import Request, fields_of


def true_scores_shown(pilot: object, request: Request) -> tuple[dict[str, float], int, str]:
    """PRMSE and both variances of the only system of a pilot, of how many responses, means of what.

    All responses together would take differences between traits or prompts for true ones.
    """
    evaluation = evaluated(pilot, _reading(request, "evaluate", replicates=100)).evaluation
    every = [s for s in evaluation.subsets if s.against == TRUE_SCORES]
    if len({s.subject for s in every}) != 1:
        raise OptionError(
            f"plan for one system whose responses were rated twice, named with --system; the pilot has "
            f"{', '.join(evaluation.options['systems'])}"
        )
    subset = _within_parts(every)
    numbers = evaluation.of(subset)
    if "error_variance" not in numbers:
        raise DataError(
            "prompts are on different scales, and variances have no mean over them; plan for one "
            "prompt, or name --value, --true-variance and --error-variance"
        )
    names = {"value": "prmse", "true_variance": "true_score_variance"}
    known = {key: numbers[text].value for key, text in names.items()}
    known["error_variance"] = numbers["error_variance"].value
    if not all(number > 0 for number in known.values()):
        raise DataError(
            "the pilot gives no PRMSE to plan with: "
            + (numbers["prmse"].why or "a variance or PRMSE is not above 0")
        )
    return known, subset.n, subset.average or ""


class OneRater(NamedTuple):
    """Reliability of one rater, drawn at random: a mean ``over`` parts, and that of each part."""

    mean: Estimate
    over: str = ""
    parts: Mapping[str, float] = MappingProxyType({})


def reliability_shown(pilot: object, request: Request) -> OneRater:
    """Reliability of one rater in a pilot, within traits or prompts where it has several."""
    evaluation = ceiling_asked(pilot, _reading(request, "ceiling", replicates=1000)).evaluation
    known = {
        evaluation.subsets[estimate.subset]: estimate
        for estimate in evaluation.estimates
        if estimate.text == "reliability[one]"
    }
    if not known:
        raise DataError(
            "no response of the pilot was rated twice; give a reliability with --single"
        )
    subset = _within_parts([*known])
    if math.isnan(known[subset].value):
        why = known[subset].why or "undefined"
        raise DataError(
            f"the pilot gives no reliability of one rater: {why}. Give one with --single"
        )
    of_parts = parts_of(known, subset) if subset.average else []
    parts = {str(getattr(part, part.column or "")): known[part].value for part in of_parts}
    return OneRater(known[subset], subset.average or "", parts)


def _within_parts(subsets: Sequence[Subset]) -> Subset:
    """The mean over traits or prompts, else the only one that is known, else all responses."""
    means = [s for key in FACETS for s in subsets if s.average == key]
    single = [s for key in FACETS for s in subsets if s.column == key]
    return [*means, *single, *subsets][0]


def _reading(request: Request, command: str, replicates: int) -> Request:
    """How the pilot is read, for another command."""
    known = {*fields_of(command)} - {"error_variance", "level"}
    read = {name: value for name, value in request.given.items() if name in known}
    return Request.of(command, {**read, "replicates": replicates})
