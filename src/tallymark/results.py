"""What an analysis returns: frozen records at full precision, with a JSON round trip."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

NAN = math.nan


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """One number, its interval, and what is needed to trust or repeat it.

    ``value`` is NaN when the statistic is undefined, and ``why`` then says the reason; ``why`` is
    also set when the value exists but its interval does not.
    """

    name: str
    params: Mapping[str, Any] = field(default_factory=dict)
    value: float
    se: float = NAN
    low: float = NAN
    high: float = NAN
    level: float = 0.95
    n: int
    method: str = ""
    score: str = ""
    why: str = ""
    se_analytic: float = NAN
    parts: Mapping[str, float] = field(default_factory=dict)
    subset: int = -1

    @property
    def text(self) -> str:
        """The name with its parameters, ``cohen_kappa[quadratic]``; policies use this form."""
        return named(self.name, self.params)

    def __float__(self) -> float:
        """The value alone."""
        return self.value


def named(name: str, params: Mapping[str, Any]) -> str:
    """Write a statistic's name with its parameters.

    >>> named("cohen_kappa", {"weights": "quadratic"})
    'cohen_kappa[quadratic]'
    """
    if not params:
        return name
    words = [
        value if isinstance(value, str) else f"{value:g}" if isinstance(value, int | float) else key
        for key, value in params.items()
    ]
    return f"{name}[{','.join(words)}]"
