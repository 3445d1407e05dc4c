"""Evidence: the estimates of an evaluation that a limit is held against, or why there are none."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from tallymark.defaults import LEVEL, MANY
from tallymark.evaluation.verdict.policy import Limit
from tallymark.results import (
    AMONG_PEOPLE,
    CEILING,
    GOLD,
    ITSELF,
    OTHER_GROUPS,
    OTHERS,
    PEOPLE,
    TRUE_SCORES,
    Estimate,
    Evaluation,
    Key,
    Subset,
    gold_rule,
    split_key,
    system_called,
)

QWK, CCC = "cohen_kappa[quadratic]", "lin_ccc"
"""The same statistic of score points and of continuous scores."""
AGAINST = (GOLD, AMONG_PEOPLE, TRUE_SCORES, ITSELF, OTHER_GROUPS, OTHERS)
"""In which comparisons a statistic is looked for, the first that has it counts."""
CEILED = {QWK, CCC, "pearson"}
"""Statistics that the ceilings of the gold bound."""


class Evidence(NamedTuple):
    """Positions of the estimates of one statistic, and its name as it was computed."""

    statistic: str
    rows: tuple[int, ...]


class Places:
    """The estimates of an evaluation by subset and name."""

    def __init__(self, evaluation: Evaluation) -> None:
        self.evaluation = evaluation
        self.by_subset: list[dict[str, int]] = [{} for _ in evaluation.subsets]
        for place, estimate in enumerate(evaluation.estimates):
            self.by_subset[estimate.subset].setdefault(estimate.text, place)

    def find(self, system: str, limit: Limit) -> Evidence:
        """The estimates a limit is held against; on continuous scores CCC stands for QWK."""
        for text in dict.fromkeys((limit.statistic, limit.statistic.replace(QWK, CCC))):
            rows = tuple(self._rows(system, text, limit.where))
            if rows:
                return Evidence(self.evaluation.estimates[rows[0]].text, rows)
        return Evidence(limit.statistic, ())

    def _rows(self, system: str, text: str, where: str) -> Iterator[int]:
        subject = system_called(system)
        subsets = [
            (i, s)
            for against in AGAINST
            for i, s in enumerate(self.evaluation.subsets)
            if s.subject == subject and s.against == against and s.fold is None and not s.fisher_z
        ]
        if where == "overall":
            averages = [
                (i, s) for key in ("trait", "prompt") for i, s in subsets if s.average == key
            ]
            yield from self._first(text, [*averages, *((i, s) for i, s in subsets if _whole(s))])
            return
        parts: dict[tuple[str, str], list[tuple[int, Subset]]] = {}
        for i, s in subsets:
            key = _part(s, where)
            if key is not None:
                parts.setdefault(key, []).append((i, s))
        for own in parts.values():
            yield from self._first(text, own)

    def _first(self, text: str, subsets: Sequence[tuple[int, Subset]]) -> Iterator[int]:
        for i, _ in subsets:
            place = self._named(text, self.by_subset[i])
            if place is not None:
                yield place
                return

    def _named(self, text: str, numbers: Mapping[str, int]) -> int | None:
        """By its text, else with any number where the policy left the brackets out."""
        if text in numbers:
            return numbers[text]
        start = text.replace("]", "") + "["
        return next((place for name, place in numbers.items() if name.startswith(start)), None)

    def smallest_part(self, found: Estimate) -> Subset | None:
        """Of a mean over prompts or traits the one with the fewest responses."""
        of = self.evaluation.subsets[found.subset]
        parts = [
            s
            for s in self.evaluation.subsets
            if (s.subject, s.against, s.column) == (of.subject, of.against, of.average)
        ]
        return min(parts, key=lambda s: s.n, default=None) if of.average else None

    def ceiling(self, statistic: str, average: str | None) -> Estimate | None:
        """The lowest known ceiling of a statistic against the gold; the mean over prompts or traits.

        Its ``high`` is the upper end, of a mean the mean of the upper ends.
        """
        if statistic not in CEILED:
            return None
        found = []
        for i, s in enumerate(self.evaluation.subsets):
            part = s.column == average and s.group is None if average else _whole(s)
            if s.subject == PEOPLE and s.against == CEILING and part:
                found.append(self._lowest(statistic, i))
        known = [one for one in found if one is not None]
        if not known or len(known) < len(found):
            return None
        value, high = (sum(ends) / len(known) for ends in zip(*known, strict=True))
        level = float(self.evaluation.options.get("level", LEVEL))
        return Estimate(key=Key("ceiling"), value=value, high=high, level=level, n=0)

    def _lowest(self, statistic: str, subset: int) -> tuple[float, float] | None:
        """The theoretical ceiling or, for QWK, that on the points if it is lower."""
        estimates = self.evaluation.estimates
        numbers = {text: estimates[place] for text, place in self.by_subset[subset].items()}
        rule = gold_rule(self.evaluation, self.evaluation.subsets[subset])
        kinds = ("theoretical", "quantised") if statistic == QWK else ("theoretical",)
        own = [numbers.get(Key(f"ceiling_{kind}", gold=rule)) for kind in kinds]
        ends = [(e.value, e.high) for e in own if e is not None and not math.isnan(e.high)]
        return min(ends, default=None)


def _whole(subset: Subset) -> bool:
    return subset.average is None and subset.column is None


def _part(subset: Subset, where: str) -> tuple[str, str] | None:
    """Of which group, or prompt, a subset is; None where it is no such part."""
    if subset.average is not None or subset.trait is not None:
        return None
    if where == "every prompt":
        alone = subset.prompt is not None and subset.group_column is None
        return ("prompt", str(subset.prompt)) if alone else None
    if subset.group is None or subset.group_column is None or subset.prompt is not None:
        return None
    return subset.group_column, subset.group


def why_missing(evaluation: Evaluation, system: str, limit: Limit) -> str:
    """Say which evidence the data do not hold."""
    if not any(
        s.subject == system_called(system) and s.against == GOLD for s in evaluation.subsets
    ):
        return "the system scored none of the responses that were used"
    return _why_not_found(evaluation, limit)


def _why_not_found(evaluation: Evaluation, limit: Limit) -> str:
    options, name = evaluation.options, split_key(limit.statistic)[0]
    if options.get("statistics"):
        return "it was not computed, because other statistics were asked for alone"
    if limit.where == "every group" and not options.get("groups"):
        return "no column of groups was named"
    if limit.where == "every prompt" and not any(s.prompt for s in evaluation.subsets):
        return "there is only one prompt, or no column of prompts was named"
    if name in ("degradation", "human_system", "human_human", "disattenuated_r"):
        return _why_without_people(evaluation, limit)
    if limit.where != "overall" and _many(evaluation, limit.where):
        return f"it is not computed for more than {MANY} parts of the data"
    return WHY.get(name, "it was not computed on these data")


WHY = {
    "self_consistency": "there are no repeated runs of the system",
    "prmse": "the ratings behind the gold are not known, or lie on another scale",
    "mse_true": "the ratings behind the gold are not known, or lie on another scale",
}
"""Why a statistic may be missing, by its name."""


def _why_without_people(evaluation: Evaluation, limit: Limit) -> str:
    if not any(s.subject == PEOPLE and s.against == AMONG_PEOPLE for s in evaluation.subsets):
        return "no response was rated by two people, so there is no second rater to compare with"
    if limit.where == "overall" and not any(
        s.against == AMONG_PEOPLE and s.subject != PEOPLE and _whole(s) for s in evaluation.subsets
    ):
        return "the gold, or one prompt, lies on another scale than the ratings of people"
    return "it was not computed between people on these data"


def _many(evaluation: Evaluation, where: str) -> bool:
    parts = {_part(s, where) for s in evaluation.subsets} - {None}
    return len(parts) > MANY
