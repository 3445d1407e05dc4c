"""The page while it is made: its estimates in their order, and ids that are not taken."""

import math
from collections.abc import Sequence

from msgspec import Struct, field

from tallymark.render.model import Cell
from tallymark.render.numbers import FEW_RESPONSES, UNDEFINED, count, with_interval
from tallymark.render.subsets import place, systems_of
from tallymark.results import Estimate, Evaluation, Subset

MOST_ROWS = 200
"""So many rows of a table are on the page; the rest is in the files beside it."""


class View(Struct, eq=False):
    """The evaluation, and the estimates shown so far, in the order of the page."""

    evaluation: Evaluation
    shown: dict[int, int] = field(default_factory=dict)
    """The place on the page of an estimate, by its place in the evaluation."""
    places: dict[int, int] = field(default_factory=dict)
    ids: dict[str, int] = field(default_factory=dict)
    prefix: str = ""
    """What ids begin with where several pages stand on one screen."""

    @classmethod
    def of(cls, evaluation: Evaluation) -> "View":
        """Remember the place of every estimate."""
        return cls(evaluation, places={id(e): i for i, e in enumerate(evaluation.estimates)})

    @property
    def systems(self) -> Sequence[str]:
        """The names of the systems, in their order."""
        return systems_of(self.evaluation)

    def free_id(self, text: str) -> str:
        """An id of the page that is not taken: letters and digits of the text, and a number."""
        kept = "".join(
            char if char.isascii() and char.isalnum() else "-"
            for char in f"{self.prefix} {text}".lower()
        )
        name = "-".join(filter(None, kept.split("-")))[:40] or "part"
        name = name if name[0].isalpha() else f"x{name}"
        self.ids[name] = number = self.ids.get(name, 0) + 1
        return name if number == 1 else f"{name}-{number}"

    def cell(self, estimate: Estimate | None, *, tone: str = "") -> Cell:
        """Write an estimate, and keep it for the page; a dash where it was not computed."""
        if estimate is None:
            return Cell("–")
        at = self.places.get(id(estimate))
        index = None if at is None else self.shown.setdefault(at, len(self.shown))
        text = with_interval(estimate).replace("-", "−")
        value, _, ends = text.partition(" [")
        if value == UNDEFINED or not ends:
            return Cell(text.removesuffix(" (no interval)"), "", index, estimate.value, tone)
        low, high = (None, None) if index is not None else (estimate.low, estimate.high)
        return Cell(value, f"[{ends}", index, estimate.value, tone, low=low, high=high)


def counted(n: int) -> Cell:
    """Write a number of responses, marked where they are few."""
    return Cell(count(n) + "*" * (n < FEW_RESPONSES), raw=float(n))


def part_name(subset: Subset) -> str:
    """What a part of the data is called."""
    if subset.average:
        return f"mean over {subset.average}s"
    return ", ".join(place(subset).values()) or "all responses"


def finite(number: float) -> float | None:
    """A number for the page's JSON, to six digits: none where it is undefined."""
    return float(f"{number:.6g}") if math.isfinite(number) else None
