"""What was read, excluded and guessed, in the first lines of a summary."""

from collections.abc import Sequence

from tallymark.defaults import LEVEL
from tallymark.render.layout import Line, paragraph
from tallymark.render.literal import literal
from tallymark.render.numbers import count
from tallymark.results import Evaluation

_FROM_NAMES = " (from the column names)"


def data_lines(evaluation: Evaluation, width: int, notes: Sequence[str] = ()) -> list[Line]:
    """Say what was read, excluded and guessed, on which scale, and what to note of it."""
    data = evaluation.data
    used = f"{responses(data.read)} read, {count(data.used)} used"
    excluded = "; ".join(f"{literal(reason)} ({count(n)})" for reason, n in data.exclusions)
    if excluded:
        used += f"; {count(data.read - data.used)} excluded: {excluded}"
    lines = [*paragraph(f"{used}.", width), *paragraph(_scale(evaluation), width)]
    if data.guesses:
        guesses = "; ".join(literal(guess.removesuffix(_FROM_NAMES)) for guess in data.guesses)
        lines += paragraph(f"Guessed from the column names: {guesses}.", width, indent="  ")
    for note in data.notes:
        lines += paragraph(f"Note: {literal(note)}.", width, indent="  ")
    for text in notes:
        lines += paragraph(f"Note before the numbers: {text}", width, indent="  ")
    return lines


def responses(n: int) -> str:
    """Write a number of responses."""
    return "1 response" if n == 1 else f"{count(n)} responses"


def intervals(evaluation: Evaluation) -> str:
    """Say of which level the intervals are."""
    return f"{100 * float(evaluation.options.get('level', LEVEL)):g} % intervals"


def _scale(evaluation: Evaluation) -> str:
    data = evaluation.data
    scale = f"Scale: {literal(data.scale)}"
    scale += " (read off the human scores)" if data.scale_inferred else ""
    if evaluation.kind in ("raters", "ceiling"):  # people alone have no gold
        return f"{scale}."
    gold = f"Gold: {literal(data.gold)}"
    gold += f", scale {literal(data.gold_scale)}" if data.gold_scale != data.scale else ""
    return f"{scale}. {gold}."
