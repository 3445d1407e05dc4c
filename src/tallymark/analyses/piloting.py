"""What pilots show of raters and of a system's PRMSE: within traits or prompts where there are such."""

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from tallymark.analyses.evaluate import evaluated
from tallymark.errors import DataError, OptionError
from tallymark.reliability.ceiling import spearman_brown
from tallymark.results import TRUE_SCORES, Estimate, Subset
from tallymark.study.measured import stream_of
from tallymark.study.parts import FACETS, parts_of
from tallymark.study.raters_needed import needs
from tallymark.study.reading import read, settings_of
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


class RatersShown(NamedTuple):
    """Phi of one rating and the raters needed for each target: a mean ``over`` parts, and of each."""

    single: Estimate
    needed: Mapping[float, Estimate]
    over: str = ""
    parts: Mapping[str, Mapping[float, Estimate]] = MappingProxyType({})

    def reached(self, raters: float) -> float:
        """Phi of the mean of so many ratings."""
        each = [*self.parts.values()] or [self.needed]
        goal = next(iter(self.needed))
        single = [1 / (1 + part[goal].value * (1 - goal) / goal) for part in each]
        return float(spearman_brown(np.array(single), raters).mean())


def raters_shown(pilot: object, request: Request, targets: Sequence[float]) -> RatersShown:
    """How many raters a pilot says are needed, within traits or prompts where it has several."""
    asked = _reading(request, "ceiling", replicates=1000)
    scores, settings = read(pilot, asked, people_only=True), settings_of(asked)
    parts = [part for part in parts_of(scores, cross=False) if not part.grouped]
    facets = [(key, [part for part in parts if set(part.where) == {key}]) for key in FACETS]
    key, over = next(((key, over) for key, over in facets if over), ("", parts[:1]))
    known = [part for part in over if part.people is not None and part.people.rows.twice.any()]
    people = [part.people for part in known if part.people is not None]
    if not people:
        raise DataError(
            "no response of the pilot was rated twice; give a reliability with --single"
        )
    each = [
        needs([of_part], settings, stream_of(part.label), targets=targets)
        for part, of_part in zip(known, people, strict=True)
    ]
    mean, of_parts = each[0], {}
    if len(each) > 1:
        mean = needs(people, settings, stream_of(f"average:{key}"), over=key, targets=targets)
        names = [str(part.where[key]) for part in known]
        of_parts = {name: _by_target(of) for name, of in zip(names, each, strict=True)}
    if math.isnan(mean[0].value):
        raise DataError(
            f"the pilot gives no reliability of one rater: {mean[0].why or 'undefined'}. Give one "
            "with --single"
        )
    return RatersShown(mean[0], _by_target(mean), key if of_parts else "", of_parts)


def _by_target(estimates: Sequence[Estimate]) -> dict[float, Estimate]:
    return {float(e.params["target"]): e for e in estimates if "target" in e.params}


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
