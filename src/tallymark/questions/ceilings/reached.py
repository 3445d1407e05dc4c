"""What is reached at best against each kind of gold, as functions that all parts of the data share."""

from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tallymark.questions.ceilings.labels import simple, summary
from tallymark.questions.ceilings.ladder import Ladder
from tallymark.reliability.ceiling import theoretical
from tallymark.reliability.quantised import LabelCeilings

Floats = NDArray[np.float64]


class Theoretical(Struct, frozen=True):
    """The theoretical ceiling against a kind of gold."""

    rule: str

    def __call__(self, ladder: Ladder) -> Floats:
        """From the reliability of the gold where that is enough."""
        if not simple(self.rule):
            return Modelled(self.rule, "theoretical")(ladder)
        return theoretical(ladder.reliability(self.rule))


class HumanLike(Struct, frozen=True):
    """The human-like ceiling against a kind of gold."""

    rule: str

    def __call__(self, ladder: Ladder) -> Floats:
        """From the reliability of the gold, and of one more rater, where that is enough."""
        if not simple(self.rule):
            return Modelled(self.rule, "human_like")(ladder)
        return ladder.further(self.rule) * theoretical(ladder.reliability(self.rule))


class Modelled(Struct, frozen=True):
    """A ceiling of a gold on its points, by way of the reliability of one rating."""

    rule: str
    which: str

    def __call__(self, ladder: Ladder) -> Floats:
        """Read it off the curve of the ladder."""
        single, *others = summary(ladder, self.rule)
        curve = ladder.curves.get(self.rule)
        if curve is None:
            return np.full_like(single, np.nan)
        column = LabelCeilings._fields.index(self.which)
        ceiling = _between(single, curve.reliability, curve.ceilings[..., column])
        for i, at in enumerate(others):
            ceiling = ceiling + curve.slopes[..., i, column] * (at - curve.usual[..., i])
        ceiling = np.where(np.real(ceiling) > 1, 1.0, ceiling)
        return np.where(np.real(single) > 0, ceiling, np.nan)


def _between(x: Any, points: Floats, values: Floats) -> Any:
    """The polynomial through the points, which also moves along complex numbers; held beyond them.

    Newton's form: differences of the values, divided by how far their points are apart.
    """
    real, low, high = np.real(x), points[..., 0], points[..., -1]
    x = np.where((real < low) | (real > high), np.clip(real, low, high), x)
    at, divided = (list(np.moveaxis(part, -1, 0)) for part in (points, values))
    for order in range(1, len(at)):
        for i in range(len(at) - 1, order - 1, -1):
            divided[i] = (divided[i] - divided[i - 1]) / (at[i] - at[i - order])
    total = np.zeros_like(x) + divided[-1]
    for i in range(len(at) - 2, -1, -1):
        total = total * (x - at[i]) + divided[i]
    return total
