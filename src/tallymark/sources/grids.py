"""Grids: intervals of a continuous score, as SQL."""

from msgspec import Struct


class Spacing(Struct, frozen=True):
    """Intervals of a continuous score, as SQL: where the first starts, and how wide they are.

    They are halved so often as ``level`` says. The ``least`` score stands alone, if it is given.
    """

    start: str
    width: str
    level: int = 0
    least: str = ""

    @property
    def unit(self) -> str:
        """Write the width of an interval."""
        return f"({self.width} / {1 << self.level})"

    def place(self, score: str) -> str:
        """Write how many intervals lie below a score; the fraction is how far it lies in its own."""
        return f"(({score} - {self.start}) / {self.unit})"

    def interval(self, score: str) -> str:
        """Write the number of the interval that a score lies in."""
        inside = f"floor({self.place(score)})"
        return (
            f"CASE WHEN {score} = {self.least} THEN -1 ELSE {inside} END" if self.least else inside
        )
