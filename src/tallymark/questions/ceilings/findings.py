"""What is to be known before the ceilings: how the gold was made, odd raters, broken orders."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

from tallymark.defaults import RELIABLY
from tallymark.questions.ceilings.kappas import kappa_in
from tallymark.reliability.congeneric import RANDOM
from tallymark.results import Estimate, Finding, Key

SLACK = 1e-9
SEVERE = 0.05
"""A correlation this far above the reliability of one rating is a matter of severity or spread."""
STEPS = (
    ("kappa", "r"), ("r", "theoretical"), ("kappa", "human_like"), ("human_like", "theoretical"),
)  # fmt: skip
"""What is lower, and what is higher, in the long run."""
_note = partial(Finding, weight="note")


def about_people(estimates: Sequence[Estimate], n: int, *, everyone: bool) -> Iterator[Finding]:
    """Yield what to know of the people's ratings of one part of the data."""
    numbers = {estimate.text: estimate for estimate in estimates}
    yield from _gold(estimates)
    yield from broken_chain(numbers)
    yield from _odd_raters(numbers)
    twice = numbers["error_variance"].parts["rated_twice"]
    if everyone and 0 < twice < n:
        yield _note(name="some_rated_twice", numbers={"twice": twice, "responses": float(n)})


def above_ceiling(
    scorer: str, estimates: Sequence[Estimate], people: Sequence[Estimate], gold: str
) -> Iterator[Finding]:
    """Yield by how much a system stands above the theoretical ceiling of ``gold``, and why it can.

    One within the interval of the ceiling is no news: chance does that. A published number above it
    is most likely of another gold.
    """
    over = [
        e
        for e in estimates
        if e.name == "gap_to_ceiling" and e.params["ceiling"] == "theoretical" and e.low > 0
    ]
    if not over:
        return
    gap = max(over, key=lambda e: e.value)
    top = gap.parts.get("ceiling", math.nan)
    if gap.params["of"] == "reference":
        published = next(e.value for e in estimates if e.name == "reference")
        yield _note(
            name="published_above",
            system=scorer,
            numbers={"value": published},
            texts={"rule": gold},
        )
        return
    reason, raters = _why_above(people)
    yield _note(
        name="above_ceiling",
        system=scorer,
        numbers={"value": top + gap.value, "ceiling": top},
        texts={"of": str(gap.params["of"]), "reason": reason, "raters": raters},
    )


def _why_above(people: Sequence[Estimate]) -> tuple[str, str]:
    """The likeliest reason, and the raters it names."""
    at_random = [str(e.params["rater"]) for e in _raters(people) if e.value < RANDOM]
    if at_random:
        return "rater_at_random", ", ".join(at_random)
    separate = any(e.params.get("raters") == "pool" for e in people)
    return "shared_errors" if separate else "equal_errors", ""


def _gold(estimates: Sequence[Estimate]) -> Iterator[Finding]:
    """Yield which rule reproduces the gold best, and in how many of the responses."""
    best = next((e for e in estimates if e.name == "gold_rule"), None)
    if best is None:
        return
    yield _note(
        name="gold_made" if best.value >= RELIABLY else "gold_unknown",
        numbers={
            "percent": 100 * best.value,
            "responses": float(best.n),
            "disputed": best.parts["disputed"],
            "same": best.parts["same_disputed"],
        },
        texts={"rule": str(best.params["rule"])},
    )


def _odd_raters(numbers: Mapping[str, Estimate]) -> Iterator[Finding]:
    """Yield who seems to rate without error, or at random."""
    for rater in _raters(numbers.values()):
        who = {"rater": str(rater.params["rater"])}
        error = rater.parts.get("error_variance", math.nan)
        if error < 0:
            yield _note(name="error_below_zero", numbers={"error": error}, texts=who)
        if rater.value < RANDOM:
            ends = {"value": rater.value, "low": rater.low, "high": rater.high}
            yield _note(name="rater_at_random", numbers=ends, texts=who)


def _raters(estimates: Iterable[Estimate]) -> list[Estimate]:
    reliabilities = [e for e in estimates if e.name == "rater_reliability"]
    return [e for e in reliabilities if not math.isnan(e.value)]


def broken_chain(numbers: Mapping[str, Estimate]) -> Iterator[Finding]:
    """Yield where human-human <= human-like <= theoretical fails on these data.

    Two people above a ceiling that their interval holds are no news: chance does that.
    """
    value = {text: estimate.value for text, estimate in numbers.items()}
    of = kappa_in(value)
    kappa = value.get(Key("human_human", of=of))
    r, like = value.get("human_human[pearson]"), value.get("ceiling_human_like[mean]")
    top = value.get("ceiling_theoretical[mean]")
    if kappa is None or r is None or like is None or top is None:
        return
    if math.isnan(top):
        yield _note(name="no_ceiling", texts={"why": numbers["ceiling_theoretical[mean]"].why})
        return
    if value.get("error_variance") == 0:
        yield _note(name="ratings_never_differ")
    surely = {e.value: e.low for e in numbers.values() if e.name == "human_human"}
    single = value.get("reliability[one]", math.nan)
    reason = "severity" if single > 0 and r > single + SEVERE else "sample"
    rungs = {"kappa": kappa, "r": r, "human_like": like, "theoretical": top}
    for lower, higher in STEPS:
        over, under = rungs[lower], rungs[higher]
        if over > under + SLACK and not surely.get(over, over) <= under:
            yield _note(
                name="ceilings_out_of_order",
                numbers={"over": over, "under": under},
                texts={"lower": lower, "higher": higher, "of": of, "reason": reason},
            )
