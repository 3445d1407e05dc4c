"""Verdicts: a policy's limits held against the numbers of an evaluation."""

import math
from dataclasses import dataclass
from typing import Literal

NAN = math.nan
State = Literal["met", "not met", "undecided", "not computable"]
"""What data say of a limit; a whole verdict is never "not computable"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """One limit of a policy held against one number.

    ``passes`` is the verdict on the point alone, None where there is no value; ``needed`` how many
    responses would settle it if the value were the true one, None where no number would. ``rows``
    are the positions of the estimates behind it, several for a limit on groups, of which the
    numbers shown are those of the group that decides.
    """

    statistic: str
    title: str
    state: State
    words: str
    passes: bool | None = None
    value: float = NAN
    low: float = NAN
    high: float = NAN
    n: int = 0
    at_least: float | None = None
    at_most: float | None = None
    decide: Literal["interval", "point"] = "interval"
    needed: int | None = None
    group_column: str | None = None
    group: str | None = None
    rows: tuple[int, ...] = ()
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What a policy says of one system; ``missing`` is evidence the data do not hold."""

    system: str
    state: State
    words: str
    criteria: tuple[Criterion, ...]
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a policy says of every system, the state of the worst of them, and its cautions."""

    policy: str
    version: str
    title: str
    state: State
    systems: tuple[Judgement, ...]
    cautions: tuple[str, ...] = ()
