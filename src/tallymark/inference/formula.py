"""What is estimated, and how: a statistic with its parameters bound, and the settings of intervals."""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, Literal, NamedTuple
from weakref import WeakValueDictionary

import numpy as np
from msgspec import Struct, field

from tallymark.arrays import Floats
from tallymark.defaults import LEVEL, REPLICATES, SEED
from tallymark.errors import OptionError
from tallymark.inference.interval import OtherRaters
from tallymark.results.keys import Key

Kind = Literal["abc", "bca", "percentile", "analytic", "wilson", "none"]
Analytic = Literal["normal", "t", "fisher_z", "spearman_z", "root", "logit"]


class Identity:
    """What tells a statistic from others: there is one of each key and function at a time."""

    __slots__ = ("__weakref__",)

    @classmethod
    def of(cls, key: Key, function: Callable[..., Any]) -> "Identity":
        """The same for the same key and function, so that it is compared and hashed by itself."""
        identity = _IDENTITIES.get((key, function))
        if identity is None:
            identity = _IDENTITIES[key, function] = cls()
        return identity


_IDENTITIES: WeakValueDictionary[tuple[Key, Callable[..., Any]], Identity] = WeakValueDictionary()


class Joint(Struct, frozen=True, eq=False):
    """A function ``of`` the values that some statistics have on several parts of the data.

    ``each`` are the statistics of the parts, or one for all of them; the values stand on the last
    axis. ``over`` is what the parts are where the reason why it is undefined counts them.
    """

    each: "Sequence[Formula]"
    of: Callable[[Any], Any]
    over: str = ""

    def formula(self, part: int) -> "Formula":
        """The statistic of one part."""
        return self.each[part if len(self.each) > 1 else 0]

    def value(self, parts: Sequence[Any]) -> Floats:
        """The function of the tallies of the parts."""
        values = [self.formula(i).value(part) for i, part in enumerate(parts)]
        return np.asarray(self.of(np.stack(values, axis=-1)))

    def undefined(self, parts: Sequence[Any]) -> str:
        """In how many parts the statistic is undefined, and why in the first of them."""
        each = [self.formula(i) for i in range(len(parts))]
        lost = [i for i, part in enumerate(parts) if np.isnan(each[i].value(part)).any()]
        where = f"undefined in {len(lost)} of {len(parts)} {self.over}s"
        return f"{where}: {each[lost[0]].reason(parts[lost[0]])}" if lost else where


class MeanOf(NamedTuple):
    """The proportions whose mean a number is, each with its ``base``; arithmetic or ``harmonic``."""

    of: "Sequence[Formula]"
    harmonic: bool = False


class Formula(Struct, frozen=True, dict=True, kw_only=True, eq=False):
    """A statistic with its parameters bound, and what is known about its sampling.

    ``linear`` is the formula whose influence gives the analytic standard error when it is not
    ``value`` itself, and for ``root`` the square of ``value`` before it is bounded; ``influence`` gives that influence directly; ``ddof`` is 1 where the
    literature divides by n - 1; ``closed_form`` gives interval ends of its own kind.
    ``undefined`` is the reason when ``value`` is NaN; ``lacks`` gives that of one tally where there
    are several. ``tally`` is the kind of tally it needs where
    that is not the usual one of the statistic; ``range`` is between which values it lies. ``joint``
    says how it follows from statistics of several parts of the data. ``thin`` tells of a tally why
    it allows no interval; an empty text where it does. ``unseen`` is whether a few large errors
    carry it, so that its interval allows for one larger than any seen. ``divisor`` is what it is
    divided by, where that may be 0 in truth: then it has no bounded interval (Fieller, 1954).
    ``compares`` marks a difference of two statistics of the same responses, which those carry on which
    the two sides differ.
    ``base`` is the share of responses that a proportion is of, where it is not of all of them;
    ``mean`` gives the proportions that it is the mean of; ``scored`` the ends of a number that rises
    with one proportion of so many responses, at a level, where responses count alike. ``raters``
    gives, at a level, how far it may be off because these raters are a sample of all like them.
    """

    name: str
    value: Callable[[Any], Floats]
    params: Mapping[str, Any] = field(default_factory=dict)
    interval: Kind = "abc"
    analytic: Analytic | None = "normal"
    linear: Callable[[Any], Floats] | None = None
    influence: Callable[[Any], Floats] | None = None
    ddof: int = 0
    parts: Callable[[Any], Mapping[str, float]] | None = None
    undefined: str = "undefined"
    lacks: Callable[[Any], str] | None = None
    ranks: bool = False
    closed_form: Callable[[Any, float], tuple[float, float]] | None = None
    tally: str = ""
    range: tuple[float, float] = (-math.inf, math.inf)
    joint: Joint | None = None
    thin: Callable[[Any], str] | None = None
    unseen: bool = False
    divisor: Callable[[Any], Floats] | None = None
    compares: bool = False
    base: Callable[[Any], Floats] | None = None
    mean: "Callable[[Any], MeanOf] | None" = None
    scored: Callable[[Any, float, float], tuple[float, float]] | None = None
    raters: Callable[[Any, float], OtherRaters] | None = None

    @cached_property
    def key(self) -> Key:
        """Its name and parameters."""
        return Key(self.name, **self.params)

    @cached_property
    def identity(self) -> Identity:
        """What tells it from other formulas on the same units."""
        return Identity.of(self.key, getattr(self.value, "func", self.value))

    def reason(self, tally: Any) -> str:
        """Why it is undefined for a tally."""
        if self.joint is not None and self.joint.over:
            return self.joint.undefined(tally)
        return self.lacks(tally) if self.lacks else self.undefined


@lru_cache(maxsize=1000)
def divisor_of(formula: Formula) -> Formula:
    """What a statistic is divided by, as one of its own."""
    value = formula.divisor or formula.value
    return Formula(name="divisor", params=formula.params, value=value)


def name_of(formula: Formula, what: str = "") -> tuple[str, Identity]:
    """What tells one formula from another on the same units, and what was worked out of it."""
    return what, formula.identity


class Settings(Struct, frozen=True, kw_only=True):
    """How intervals are made; ``interval`` None takes each statistic's default."""

    level: float = LEVEL
    replicates: int = REPLICATES
    seed: int = SEED
    interval: Kind | None = None

    def __post_init__(self) -> None:
        if not 0 < self.level < 1:
            hint = f" Did you mean {self.level / 100:g}?" if 1 < self.level < 100 else ""
            raise OptionError(f"level must lie between 0 and 1, got {self.level:g}.{hint}")
        if self.replicates < 100:
            raise OptionError(f"replicates must be at least 100, got {self.replicates}")
        if self.seed < 0:
            raise OptionError(f"seed must be a whole number of 0 or more, got {self.seed}")
        if self.interval not in (None, "abc", "bca", "percentile", "analytic"):
            raise OptionError(
                f"unknown interval {self.interval!r}; choose abc, bca, percentile or analytic"
            )
