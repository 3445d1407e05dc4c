"""How many raters are needed, in the same words wherever it is said."""

from collections.abc import Iterator, Mapping, Sequence

from tallymark.render.sentences import Sentence
from tallymark.results import Estimate, Numbers


def raters_needed(
    needed: Mapping[float, Estimate], over: str | None, parts: Sequence[tuple[str, Numbers]]
) -> Iterator[Sentence]:
    """Say how many raters reach which Phi, as a mean ``over`` parts, and in each part alone."""
    if not needed:
        return
    mean = f", mean over {over}s" if over else ""
    each = [
        Sentence("{number:up} for {goal:goal}", number=number, goal=goal)
        for goal, number in needed.items()
    ]
    yield Sentence(f"Raters needed for a Phi{mean}: {{each}}.", each=_joined(each))
    goal, first = next(iter(needed.items()))
    of_parts = [
        Sentence("{part}: {number:up}", part=part, number=numbers[first.text])
        for part, numbers in parts
        if first.text in numbers
    ]
    if of_parts:
        words = "Raters needed for a Phi of {goal:goal}, by part: {each}."
        yield Sentence(words, goal=goal, each=_joined(of_parts))


def _joined(clauses: Sequence[Sentence]) -> Sentence:
    """Put semicolons between, for commas stand within."""
    named = {f"clause_{i}": clause for i, clause in enumerate(clauses)}
    return Sentence("; ".join(f"{{{name}}}" for name in named), **named)
