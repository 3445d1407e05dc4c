"""How many rows a screen shows, and which numbers of responses are few."""

from tallymark.defaults import FEW
from tallymark.render.layout import Line
from tallymark.render.numbers import count

MOST_ROWS = 20
FEW_RESPONSES = FEW


def counted(n: int) -> str:
    """Write a number of responses, with a star when they are few."""
    return count(n) + "*" * (n < FEW_RESPONSES)


def more(left: int) -> list[Line]:
    """Say how many rows were cut."""
    return [Line(f"... and {count(left)} more (see --out)", "lesser")] if left > 0 else []
