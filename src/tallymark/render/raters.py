"""What is said of raters wherever it is said: how many are needed, whether responses were dealt at random."""

import math
from collections.abc import Iterator, Mapping, Sequence

from tallymark.reliability.assignment import REJECTED
from tallymark.render.sentences import Sentence, joined
from tallymark.results import Estimate, Numbers

SURE = 0.05


def dealt(test: Estimate, what: str) -> Sentence:
    """Say by the test which responses tell ``what`` of raters."""
    p, shared = test.parts["p"], int(test.parts["shared"])
    tested = "" if math.isnan(p) else Sentence(" (p {p:p})", p=p)
    twice = Sentence("the {shared} rated twice or more", shared=shared)
    some = Sentence("within them") if shared == test.n else twice
    if test.parts["random"]:
        which = Sentence("all of them") if test.parts["all_count"] else some
        return Sentence(
            "Responses look dealt at random{tested}: severity from {which}.",
            tested=tested,
            which=which,
        )
    surely = ("not" if p < SURE else "perhaps not") if p < REJECTED else "not shown to be"
    if test.parts["all_count"]:
        return Sentence(
            f"Responses {surely} dealt at random{{tested}}, yet {what} from all of them.",
            tested=tested,
        )
    return Sentence(
        f"Responses {surely} dealt at random{{tested}}: {what} from {{which}}.",
        tested=tested,
        which=some,
    )


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
    yield Sentence(f"Raters needed for a Phi{mean}: {{each}}.", each=joined(each, "; "))
    goal, first = next(iter(needed.items()))
    of_parts = [
        Sentence("{part}: {number:up}", part=part, number=numbers[first.text])
        for part, numbers in parts
        if first.text in numbers
    ]
    if of_parts:
        words = "Raters needed for a Phi of {goal:goal}, by part: {each}."
        yield Sentence(words, goal=goal, each=joined(of_parts, "; "))
