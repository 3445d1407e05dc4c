"""Numbers beside limits: with decimals that keep a value apart from what it is held against."""

import math
from collections.abc import Sequence
from fractions import Fraction

from msgspec import Struct

from tallymark.defaults import ON_LIMIT
from tallymark.render.numbers import UNDEFINED, is_coefficient, rounded
from tallymark.results import Estimate

NEAR = 0.6
"""In units of the last decimal: a value this near to a limit gets one more decimal."""
PLACES, MOST_PARTS = 3, 9
"""With more decimals than this a limit is written as the ratio that it is, of so many parts at most."""


class End(Struct, frozen=True):
    """An end of a limit on a statistic, which is written with the decimals it has.

    >>> End(0.7, "cohen_kappa[quadratic]").written(""), End(0.125, "bias").written("")
    ('.70', '0.125')
    >>> End(0.6667, "sd_ratio").written("")
    '2/3'
    """

    number: float
    statistic: str

    def written(self, _: str) -> str:
        """Write it."""
        places = max(2, len(f"{self.number:g}".partition(".")[2]))
        ratio = Fraction(self.number).limit_denominator(MOST_PARTS)
        if places > PLACES and abs(self.number - ratio) < 10**-places:
            return f"{ratio}"
        return rounded(self.number, places, coefficient=is_coefficient(self.statistic))


class Beside(Struct, frozen=True):
    """An estimate beside the ends of a limit.

    >>> from tallymark.results import Key
    >>> kappa = Estimate(key=Key("cohen_kappa"), value=0.698, low=0.66, high=0.73, n=200)
    >>> Beside(kappa, (0.7,)).written("")
    '.698 [.660, .730]'
    """

    estimate: Estimate
    ends: Sequence[float]

    def written(self, spec: str) -> str:
        """Write it with its interval, or its ``value`` alone."""
        estimate, coefficient = self.estimate, is_coefficient(self.estimate.text)
        if math.isnan(estimate.value):
            return UNDEFINED
        places = next((p for p in (2, 3) if self._apart(p)), 4)
        value, low, high = (
            rounded(number, places, coefficient=coefficient)
            for number in (estimate.value, estimate.low, estimate.high)
        )
        if spec == "value":
            return value
        known = not math.isnan(estimate.low) and not math.isnan(estimate.high)
        return f"{value} [{low}, {high}]" if known else f"{value} (no interval)"

    def _apart(self, places: int) -> bool:
        estimate = self.estimate
        near = any(ON_LIMIT < abs(estimate.value - end) < NEAR * 10**-places for end in self.ends)
        shown = [x for x in (estimate.value, estimate.low, estimate.high) if not math.isnan(x)]
        return not near and all(
            _sign(round(x, places) - end) == _sign(x - end) for x in shown for end in self.ends
        )


def _sign(number: float) -> int:
    return 0 if abs(number) <= ON_LIMIT else int(math.copysign(1, number))
