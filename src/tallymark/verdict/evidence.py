"""Evidence: the estimates of an evaluation that a limit is held against, or why there are none."""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tallymark.catalogue import BY_NAME, texts
from tallymark.defaults import MANY
from tallymark.results import (
    AMONG_PEOPLE,
    CEILING,
    CONFIDENCE,
    GOLD,
    ITSELF,
    OTHER_GROUPS,
    OTHERS,
    PEOPLE,
    TRUE_SCORES,
    Estimate,
    Evaluation,
    Key,
    Lack,
    Scorer,
    Subset,
    gold_rule,
    split_key,
    system_called,
)
from tallymark.verdict.policy import OVERALL, Limit, part_of
from tallymark.verdict.statistics import CCC, CEILED, KAPPA, QWK

AGAINST = (
    GOLD, AMONG_PEOPLE, TRUE_SCORES, ITSELF, OTHER_GROUPS, OTHERS, CEILING, CONFIDENCE,
)  # fmt: skip
"""Comparisons to search for a statistic, in this order."""
MEANS = ("trait", "prompt")
"""A limit on all responses is held against the mean over the first that has several values."""
LACKS = {
    "self_consistency": (Lack.ONE_RUN, ITSELF),
    "prmse": (Lack.NO_RATINGS, TRUE_SCORES),
    "mse_true": (Lack.NO_RATINGS, TRUE_SCORES),
}
"""Why a statistic may be missing, by its name, unless the system was compared with this."""


class Evidence(NamedTuple):
    """Positions of the estimates of one statistic, and its name as it was computed."""

    statistic: str
    rows: tuple[int, ...]


class Places:
    """The estimates of an evaluation by subset and key."""

    def __init__(self, evaluation: Evaluation) -> None:
        self.evaluation = evaluation
        self.by_subset: list[dict[str, int]] = [{} for _ in evaluation.subsets]
        for place, estimate in enumerate(evaluation.estimates):
            self.by_subset[estimate.subset].setdefault(estimate.key, place)

    def find(self, system: str, limit: Limit) -> Evidence:
        """The estimates a limit is held against.

        On continuous scores CCC stands for QWK, and kappa on two points, where they are the same.
        """
        two = self.evaluation.data.view == "binary"
        other = limit.statistic.replace(QWK, KAPPA if two else CCC)
        for statistic in dict.fromkeys((limit.statistic, other)):
            rows = tuple(self._rows(system, statistic, limit.where))
            if rows:
                return Evidence(self.evaluation.estimates[rows[0]].key, rows)
        return Evidence(limit.statistic, ())

    def _rows(self, system: str, statistic: str, where: str) -> Iterator[int]:
        subject = system_called(system)
        subsets = [
            (i, s)
            for against in AGAINST
            for i, s in enumerate(self.evaluation.subsets)
            if s.subject == subject and s.against == against and s.fold is None and not s.fisher_z
        ]
        if where == OVERALL:
            means = [(i, s) for key in MEANS for i, s in subsets if s.average == key]
            yield from self._first(statistic, [*means, *((i, s) for i, s in subsets if s.whole)])
            return
        parts: dict[tuple[str, str], list[tuple[int, Subset]]] = {}
        for i, s in subsets:
            part = part_of(s, where)
            if part is not None:
                parts.setdefault(part, []).append((i, s))
        for part_subsets in parts.values():
            yield from self._first(statistic, part_subsets)

    def _first(self, statistic: str, subsets: Sequence[tuple[int, Subset]]) -> Iterator[int]:
        for i, _ in subsets:
            place = self._named(statistic, i)
            if place is not None:
                yield place
                return

    def _named(self, statistic: str, subset: int) -> int | None:
        """By its key, else with any number where the policy left the brackets out."""
        numbers = self.by_subset[subset]
        if statistic in numbers:
            return numbers[statistic]
        return next((place for key, place in numbers.items() if _left_open(key) == statistic), None)

    def averaged(self, estimate: Estimate) -> list[int]:
        """The subsets behind a mean over prompts or traits, the smallest first."""
        of = self.evaluation.subsets[estimate.subset]
        parts = [
            (s.n, i)
            for i, s in enumerate(self.evaluation.subsets)
            if of.average
            and (s.subject, s.against, s.column) == (of.subject, of.against, of.average)
        ]
        return [i for _, i in sorted(parts)]

    def ceiling(self, statistic: str, average: str | None) -> tuple[float, float]:
        """The lowest known ceiling of a statistic against the gold, and its upper end.

        Of a mean over prompts or traits, the means of theirs; NaN where one is not known.
        """
        ceilings = []
        for s in self.evaluation.subsets if statistic in CEILED else ():
            part = s.column == average and s.group is None if average else s.whole
            if s.subject == PEOPLE and s.against == CEILING and part:
                ceilings.append(self._lowest(statistic, s))
        if not ceilings:
            return math.nan, math.nan
        value, high = (sum(ends) / len(ceilings) for ends in zip(*ceilings, strict=True))
        return value, high

    def _lowest(self, statistic: str, people: Subset) -> tuple[float, float]:
        """The theoretical ceiling or, for QWK, that on the points if it is lower."""
        rule, numbers = gold_rule(self.evaluation, people), self.evaluation.of(people)
        kinds = ("theoretical", "quantised") if statistic == QWK else ("theoretical",)
        ceilings = [numbers.get(Key(f"ceiling_{kind}", gold=rule)) for kind in kinds if rule]
        ends = [(e.value, e.high) for e in ceilings if e is not None and not math.isnan(e.high)]
        return min(ends, default=(math.nan, math.nan))


def _left_open(key: str) -> str:
    """The key, or a contrast's, without the innermost brackets: ``degradation[csrate]``."""
    name, inside = split_key(key)
    of, innermost = split_key(inside)
    if not BY_NAME[of if innermost else name].params:
        return key
    return Key(name, of=of) if innermost else name


def lack_of(evaluation: Evaluation, system: str, limit: Limit) -> Lack:
    """Say which evidence the data do not hold."""
    subject = system_called(system)
    routed = evaluation.kind == "route"
    if routed != (limit.statistic in texts("routed")):
        return Lack.NOT_OF_ROUTES if routed else Lack.NOT_ROUTED
    if not routed and not any(
        s.subject == subject and s.against == GOLD for s in evaluation.subsets
    ):
        return Lack.NOT_SCORED
    if evaluation.options.get("statistics"):
        return Lack.OTHERS_ASKED
    parts = _parts(evaluation, limit.where)
    if limit.where != OVERALL and not parts:
        return Lack.ONE_PART if _named(evaluation, limit.where) else Lack.NO_PARTS
    name = split_key(limit.statistic)[0]
    if name in (*texts("contrast"), *texts("standing"), "disattenuated_r"):
        return _lack_of_people(evaluation, limit)
    alone = limit.where == OVERALL and _in_parts(evaluation, subject, limit.statistic)
    lack = Lack.NO_MEAN if alone else _lack_by_name(evaluation, name, subject)
    return Lack.MANY_PARTS if parts > MANY else lack


def _in_parts(evaluation: Evaluation, subject: Scorer, statistic: str) -> bool:
    """Whether each prompt or trait has the number, so that scales that differ left no mean."""
    return any(
        (s.subject, s.against) == (subject, GOLD) and statistic in evaluation.of(s)
        for s in evaluation.subsets
        if s.column in ("prompt", "trait")
    )


def _lack_by_name(evaluation: Evaluation, name: str, subject: Scorer) -> Lack:
    """What a statistic takes; where the system was compared so, this part alone lacks it."""
    lack, against = LACKS.get(name, (Lack.NOT_COMPUTED, None))
    compared = any((s.subject, s.against) == (subject, against) for s in evaluation.subsets)
    return Lack.NOT_COMPUTED if compared else lack


def _lack_of_people(evaluation: Evaluation, limit: Limit) -> Lack:
    among = [s for s in evaluation.subsets if s.against == AMONG_PEOPLE]
    people = [s for s in among if s.subject == PEOPLE]
    if not any(not math.isnan(e.value) for s in people for e in evaluation.of(s).values()):
        return Lack.ONE_RATER
    if limit.where == OVERALL and not any(s.subject != PEOPLE and s.whole for s in among):
        return Lack.OTHER_SCALE
    return Lack.NOT_OF_PEOPLE


def _named(evaluation: Evaluation, where: str) -> bool:
    """Whether a column of such parts was named."""
    what = where.removeprefix("every ")
    return bool(evaluation.options.get(what) or evaluation.options.get(f"{what}s"))


def _parts(evaluation: Evaluation, where: str) -> int:
    """How many parts of a kind there are."""
    known = evaluation.subsets if where != OVERALL else ()
    return len({part_of(s, where) for s in known} - {None})
