"""Sentences on where differences between ratings come from, and on how many raters are enough."""

import math
from collections.abc import Iterator, Sequence

from tallymark.render.raters_needed import raters_needed
from tallymark.render.sentences import Sentence
from tallymark.render.subsets import FACETS
from tallymark.results import Estimate, Key, Numbers
from tallymark.study.raters_needed import needed_in

SOURCES = {
    "response": "responses",
    "rater": "raters' severity",
    "candidate": "candidates",
    "candidate x rater": "candidates x raters",
    "residual": "neither",
    **{
        f"{beside}{facet}": f"{besides}{facet}s"
        for facet in FACETS
        for beside, besides in {
            "": "",
            "candidate x ": "candidates x ",
            "rater x ": "raters x ",
        }.items()
    },
}
AS_DEALT = "responses as dealt"
READ_ONCE = "Every response was read once: responses and errors cannot be told apart."
OTHER_RATERS = "Intervals are for other raters like these; of G for these."
FEW_RATERS = "Few raters say little about others, so they are wide however much is rated."
SEVERITY_OF_OTHERS = "The interval of severity is for other raters like these."
BELOW_ZERO = "0 (estimated below 0)"
CAPTIONS = {
    "crossed": "Sources of variance, in squared points",
    "once": "Sources of variance, in squared points",
    "nested": "The same, as if every response had raters of its own",
    **{f"{facet}s": f"The same, with {facet}s as a source of their own" for facet in FACETS},
    **{
        f"raters within {facet}s": f"The same, with {facet}s as a source, each with raters of its own"
        for facet in FACETS
    },
}
"""By design."""
PHI = "dependability"


def source(component: Estimate, *, piles: bool) -> str:
    """Name a source; who was given which responses is part of the responses' variance."""
    of, design = str(component.params["of"]), component.params["design"]
    if of == "response" and piles:
        return AS_DEALT
    return "responses and errors" if (design, of) == ("once", "residual") else SOURCES[of]


def variances(design: str, over: str | None, n: int) -> Sentence:
    """Say what a table of variances is of."""
    if design not in ("crossed", "once"):
        return Sentence(CAPTIONS[design])
    mean = f", mean over {over}s" if over else ""
    return Sentence(f"{CAPTIONS[design]}{mean}: {{n:responses}}", n=n)


def of_means(facets: str) -> str:
    """Say what coefficients are of."""
    return f"Reliability of means over raters and {facets}"


def own_scales(over: str | None) -> str:
    """Say why there is no table of variances."""
    return f"No table of variances: they are in score points, and each {over} has its own scale."


def pooled(column: str) -> str:
    """Say what else is in the variance of responses."""
    return f"Pooled over {column}s: the responses' share also holds differences between {column}s."


def dealt_in_parts(piles: int, parts: int, column: str) -> Sentence:
    """Say in how many parts raters may have been given better or worse responses."""
    return Sentence(
        f"In {{piles}} of {{parts}} {column}s responses may not be dealt at random: severity and error "
        "come from within responses.",
        piles=piles,
        parts=parts,
    )


def reliability(over: str | None) -> str:
    """Say what the reliabilities are of."""
    mean = f", mean over {over}s" if over else ""
    return f"How many raters? Reliability of the mean of so many ratings{mean}"


def enough(
    numbers: Numbers, over: str | None, parts: Sequence[tuple[str, Numbers]]
) -> Iterator[Sentence]:
    """Say how many raters reach which dependability, and what holds if raters were unknown."""
    yield from raters_needed(dict(needed_in(numbers)), over, parts)
    unknown = numbers.get(Key(PHI, design="nested", raters=1))
    if unknown is not None and not math.isnan(unknown.value):
        yield Sentence(
            "If every response had raters of its own: Phi of one rating {phi}.", phi=unknown
        )
