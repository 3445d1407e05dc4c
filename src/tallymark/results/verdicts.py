"""Verdicts: a policy's limits held against the numbers of an evaluation."""

import math
from enum import StrEnum
from typing import Literal

from msgspec import Struct

NAN = math.nan
State = Literal["met", "not met", "undecided", "not computable"]
"""What data say of a limit; a whole verdict is never "not computable"."""


class Lack(StrEnum):
    """Why the data hold no evidence for a limit."""

    NOT_SCORED = "not scored"
    OTHERS_ASKED = "other statistics asked for"
    NO_PARTS = "no parts"
    ONE_PART = "one part"
    ONE_RATER = "one rater"
    OTHER_SCALE = "other scale"
    NOT_OF_PEOPLE = "not of people"
    MANY_PARTS = "many parts"
    ONE_RUN = "one run"
    NO_RATINGS = "no ratings"
    NOT_ROUTED = "not routed"
    NOT_OF_ROUTES = "not of routes"
    NO_MEAN = "no mean"
    NOT_COMPUTED = "not computed"


class Note(StrEnum):
    """What a reader should know of a number that is held against a limit."""

    CONTINUOUS = "continuous"
    OTHER_WEIGHTS = "other weights"
    POOLED = "pooled"
    CAUTION = "caution"


class PartState(Struct, frozen=True, kw_only=True):
    """What one part of the data, such as a prompt, says of a limit.

    ``row`` is the position of the estimate behind it. Where only the adjustment for the number of
    parts leaves it open, it is ``adjusted``: alone it would be not met.
    """

    column: str
    name: str
    state: State
    row: int
    adjusted: bool = False


class Criterion(Struct, frozen=True, kw_only=True):
    """One limit of a policy held against one number.

    ``passes`` is the verdict on the point alone, None where there is no value; ``needed`` how many
    responses settle it with a probability of .8 if ``planned`` is the true value, None where no
    number would. That is the value, or the Jeffreys mean of a proportion of 0 or 1. With
    fewer than ``fewest`` responses nothing is decided. Unless a ``precondition`` is met, no system
    is judged.

    ``rows`` are the positions of the estimates behind it, several for a limit on every part:
    ``decided_by`` is the one whose numbers are shown, ``few`` are those of too few responses,
    ``few_clusters`` those of too few clusters, and this many ``kept`` the limit with their interval.
    ``small_part`` is the position of a subset that is too small for a mean over such subsets.

    ``parts`` are the states of each part: of a limit on every part those it is decided by, of one
    on all responses what each prompt and trait says of it alone. Where the number is a mean over
    prompts or traits, ``mean_over`` is their column and ``mean_of`` how many there are.
    """

    statistic: str
    title: str
    state: State
    passes: bool | None = None
    value: float = NAN
    low: float = NAN
    high: float = NAN
    n: int = 0
    at_least: float | None = None
    at_most: float | None = None
    decimals: int | None = None
    where: str = "overall"
    decide: str = "interval"
    precondition: bool = False
    needed: int | None = None
    planned: float = NAN
    fewest: int = 0
    group_column: str | None = None
    group: str | None = None
    rows: tuple[int, ...] = ()
    decided_by: int | None = None
    kept: int = 0
    few: tuple[int, ...] = ()
    few_clusters: tuple[int, ...] = ()
    small_part: int | None = None
    parts: tuple[PartState, ...] = ()
    mean_over: str = ""
    mean_of: int = 0
    ceiling: float = NAN
    ceiling_high: float = NAN
    lack: Lack | None = None
    notes: tuple[Note, ...] = ()
    source: str = ""

    def __repr__(self) -> str:
        """The limit and its state."""
        return f"Criterion({self.title}: {self.state})"


class Missing(Struct, frozen=True, kw_only=True):
    """A limit for which the data hold no evidence; the policy may do without it."""

    title: str
    where: str = "overall"
    lack: Lack
    optional: bool = False


class Judgement(Struct, frozen=True, kw_only=True):
    """What a policy says of one system; ``missing`` is evidence the data do not hold."""

    system: str
    state: State
    criteria: tuple[Criterion, ...]
    missing: tuple[Missing, ...] = ()

    def __repr__(self) -> str:
        """The system, its state and that of each limit."""
        limits = ", ".join(f"{criterion.title} {criterion.state}" for criterion in self.criteria)
        return f"Judgement({self.system} {self.state}: {limits})"


class Verdict(Struct, frozen=True, kw_only=True):
    """What a policy says of every system, the state of the worst of them, and its cautions."""

    policy: str
    version: str
    title: str
    state: State
    systems: tuple[Judgement, ...]
    cautions: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """The policy, and the state of each system."""
        states = ", ".join(f"{judgement.system} {judgement.state}" for judgement in self.systems)
        return f"Verdict({self.policy}: {states})"
