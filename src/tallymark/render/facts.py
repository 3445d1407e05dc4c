"""Numbers of responses: how a screen writes them, how many rows it shows, and which are few."""

from tallymark.defaults import FEW, LEVEL
from tallymark.render.layout import Line
from tallymark.render.numbers import count
from tallymark.results import Evaluation

MOST_ROWS = 20
FEW_RESPONSES = FEW


def responses(n: int) -> str:
    """Write a number of responses."""
    return "1 response" if n == 1 else f"{count(n)} responses"


def intervals(evaluation: Evaluation) -> str:
    """Say the level of the intervals."""
    return f"{100 * float(evaluation.options.get('level', LEVEL)):g} % intervals"


def counted(n: int) -> str:
    """Write a number of responses, with a star when they are few."""
    return count(n) + "*" * (n < FEW_RESPONSES)


def more(left: int, files: str) -> list[Line]:
    """Say how many rows were cut, and which option writes them."""
    return [Line(f"... and {count(left)} more (see {files})", "lesser")] if left > 0 else []
