"""One number: its value, its interval, and what is needed to trust or repeat it."""

import math
from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from tallymark.defaults import LEVEL
from tallymark.results.keys import Key

NAN = math.nan


class Estimate(Struct, frozen=True, kw_only=True):
    """One number, its interval, and what is needed to trust or repeat it.

    ``value`` is NaN when the statistic is undefined, and ``why`` then says the reason; ``why`` is
    also set when the value exists but its interval does not.
    """

    key: Key
    value: float
    se: float = NAN
    low: float = NAN
    high: float = NAN
    level: float = LEVEL
    n: int
    method: str = ""
    score: str = ""
    why: str = ""
    se_analytic: float = NAN
    parts: Mapping[str, float] = field(default_factory=dict)
    subset: int = -1

    @property
    def name(self) -> str:
        """The name of the statistic."""
        return self.key.name

    @property
    def params(self) -> Mapping[str, Any]:
        """The parameters of the statistic."""
        return self.key.params

    @property
    def text(self) -> str:
        """The name with its parameters, ``cohen_kappa[quadratic]``; policies use this form."""
        return self.key.text

    def __float__(self) -> float:
        """The value alone."""
        return self.value

    def __format__(self, spec: str) -> str:
        """The value in a format of numbers; without one, as it prints."""
        return format(self.value, spec) if spec else repr(self)

    def __repr__(self) -> str:
        """The number with its interval, or why there is none."""
        from tallymark.analyses.display import estimate_line

        return estimate_line(self)
