"""Pairs: what a comparison found, as its sentences and tables read it."""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from msgspec.structs import replace

from tallymark.catalogue import member, members
from tallymark.results import Comparison, Estimate, Evaluation, Key, Kind, Subset, split_key

Record = Mapping[str, Any]
FEW_PAIRS = 3
"""Up to this many pairs have sentences; more stand in a table."""
DIFFERENCE = "paired_difference"
BETWEEN = "between_prompt_sd"
NEW_PROMPT = "new_prompt"


class SystemPair(NamedTuple):
    """Two systems in one statistic; ``difference`` is that of the first less the second.

    ``better`` is empty where they are not told apart; ``needed`` is how many responses would do
    that; ``on_new`` is the difference on new prompts like these.
    """

    statistic: str
    first: str
    second: str
    difference: Estimate
    p: float
    p_adjusted: float
    better: str
    needed: int | None
    test: str
    prompts: int | None
    on_new: Estimate | None
    p_on_new: float

    @property
    def turned(self) -> "SystemPair":
        """The same pair, the second system first."""
        return self._replace(
            first=self.second,
            second=self.first,
            difference=_negative(self.difference),
            on_new=None if self.on_new is None else _negative(self.on_new),
        )


def records(evaluation: Evaluation, name: str) -> list[Record]:
    """The rows of a table by column."""
    return [
        dict(zip(table.columns, row, strict=True))
        for table in evaluation.tables
        if table.name == name
        for row in table.rows
    ]


def ranked_by(evaluation: Evaluation) -> str:
    """The statistic that systems are ranked by."""
    return str(evaluation.options.get("by", ""))


def pairs_of(evaluation: Evaluation, statistic: str = "") -> list[SystemPair]:
    """The pairs that are listed: in one statistic, or in all."""
    differences = {
        (estimate.key, subset.system, subset.against): estimate
        for subset in between_systems(evaluation)
        if whole_or_mean(evaluation, subset)
        for estimate in evaluation.of(subset).values()
    }
    pairs = []
    for row in records(evaluation, "pairs"):
        text, first, second = str(row["statistic"]), str(row["system"]), str(row["against"])
        if text == (statistic or text):
            against = Comparison(Kind.SYSTEM, second)
            difference = differences.get((Key(DIFFERENCE, of=text), first, against))
            pairs += [] if difference is None else [_pair(row, difference)]
    return pairs


def between_systems(evaluation: Evaluation) -> list[Subset]:
    """Where systems are compared with each other."""
    return [subset for subset in evaluation.subsets if subset.against.kind is Kind.SYSTEM]


class Behind(NamedTuple):
    """How far a system is behind the best, on the responses that all systems scored."""

    best: str
    name: str
    difference: Estimate


def behind(evaluation: Evaluation) -> list[Behind]:
    """How far each system is behind the best one, the next first, as an evaluation knows it."""
    return [
        Behind(subset.system, str(subset.against), difference)
        for subset in between_systems(evaluation)
        if subset.average or subset.whole
        for difference in evaluation.of(subset).values()
    ]


def whole_or_mean(evaluation: Evaluation, subset: Subset) -> bool:
    """Whether a difference is the headline: the mean over prompts, else that of all responses."""
    over = evaluation.options.get("over") or None
    return subset.average == over and subset.column is None


def heading(text: str) -> str:
    """What a statistic is called in a table."""
    leading = (*members("leading"), *members("leading_continuous"))
    usual = {entry.text: entry.heading for entry in leading}
    return usual.get(text) or usual.get(split_key(text)[0]) or member(text).heading


def _pair(row: Record, difference: Estimate) -> SystemPair:
    on_new = None
    if row["new_p"] is not None:
        on_new = replace(difference, low=row["new_low"], high=row["new_high"])
    return SystemPair(
        statistic=str(row["statistic"]),
        first=str(row["system"]),
        second=str(row["against"]),
        difference=difference,
        p=_number(row["p"]),
        p_adjusted=_number(row["p_holm"]),
        better=str(row["better"]),
        needed=row["responses_needed"],
        test=str(row["test"]),
        prompts=row["prompts"],
        on_new=on_new,
        p_on_new=_number(row["new_p"]),
    )


def _negative(difference: Estimate) -> Estimate:
    return replace(difference, value=-difference.value, low=-difference.high, high=-difference.low)


def _number(value: float | None) -> float:
    return math.nan if value is None else value
