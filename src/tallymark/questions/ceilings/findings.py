"""What a reader should know of the ceilings before the numbers: the gold, and broken orders."""

import math
from collections.abc import Iterator, Mapping, Sequence

from tallymark.defaults import RELIABLY
from tallymark.evaluation.measured import Found
from tallymark.questions.ceilings.say import gold_words
from tallymark.reliability.congeneric import RANDOM
from tallymark.results import CEILING, PEOPLE, Estimate

SLACK = 1e-9


def ceiling_findings(found: Sequence[Found]) -> list[str]:
    """Findings on how the gold was made and on the order of the ceilings, part by part."""
    findings: list[str] = []
    people: dict[str, Estimate] = {}
    for one in found:
        if one.subset.against != CEILING:
            continue
        numbers = {estimate.text: estimate for estimate in one.estimates}
        where = one.subset.id.partition("|")[2]
        ahead = f"{where}: " if where else ""
        if one.subset.subject != PEOPLE:
            findings += [f"{ahead}{text}" for text in _above(one.subset.system, numbers, people)]
            continue
        people = numbers
        told = [*_gold(one.estimates), *broken_chain(numbers), *_odd_raters(numbers)]
        told += [] if where else _chosen(numbers, one.subset.n)
        findings += [f"{ahead}{text}" for text in told]
    return findings


def _gold(estimates: Sequence[Estimate]) -> Iterator[str]:
    """Say which rule reproduces the gold, and in what share of the responses."""
    tried = [e for e in estimates if e.name == "gold_rule"]
    if not tried:
        return
    best = tried[0]
    disputed, same = best.parts["disputed"], best.parts["same_disputed"]
    share = f"{100 * best.value:.1f} % of {best.n} responses rated twice or more"
    among = f" ({same:.0f} of the {disputed:.0f} on which raters differ)" if disputed else ""
    words = gold_words(str(best.params["rule"]))
    if best.value >= RELIABLY:
        yield f"the gold is {words} in {share}{among}; ceilings are of that gold"
        return
    yield (
        f"no known rule made the gold of these ratings: the nearest, {words}, gives it in {share}"
        f"{among}; ceilings against this gold are not known, and those told are of other golds"
    )


def _chosen(numbers: Mapping[str, Estimate], n: int) -> Iterator[str]:
    """Ask how the responses were chosen that were rated twice, where not all were."""
    twice = int(numbers["error_variance"].parts["rated_twice"])
    if 0 < twice < n:
        yield (
            f"{twice} of {n} responses were rated twice or more: if they were chosen because of a "
            "flag or a disagreement, and not at random, reliability and ceilings are biased"
        )


def _odd_raters(numbers: Mapping[str, Estimate]) -> Iterator[str]:
    """Say who seems to rate without error, or at random."""
    for one in _raters(numbers):
        who, error = one.params["rater"], one.parts.get("error_variance", math.nan)
        if error < 0:
            yield (
                f"the error variance of {who} is estimated below 0 ({error:.3f}), which cannot be; "
                "ceilings take it as 0: too few responses are shared, or raters share errors"
            )
        if one.value < RANDOM:
            yield (
                f"{who} hardly follows the other raters (reliability {one.value:.2f} "
                f"[{one.low:.2f}, {one.high:.2f}]): a gold that holds this rater's scores has a low "
                "ceiling; look at them before anything else"
            )


def _raters(numbers: Mapping[str, Estimate]) -> list[Estimate]:
    own = [e for e in numbers.values() if e.name == "rater_reliability"]
    return [e for e in own if not math.isnan(e.value)]


def _above(
    system: str, numbers: Mapping[str, Estimate], people: Mapping[str, Estimate]
) -> Iterator[str]:
    """Say why a system can stand above the theoretical ceiling."""
    over = [
        e
        for e in numbers.values()
        if e.name == "gap_to_ceiling" and e.params["ceiling"] == "theoretical" and e.value > 0
    ]
    if not over:
        return
    gap = max(over, key=lambda e: e.value)
    name = {"pearson": "r", "lin_ccc": "CCC", "reference": "the number"}
    what, top = name.get(str(gap.params["of"]), "QWK"), gap.parts.get("ceiling", math.nan)
    yield (
        f"{system}: {what} {top + gap.value:.3f} is above the theoretical ceiling ({top:.3f}), "
        f"which cannot be in the long run: {_why_above(gap, people)}"
    )


def _why_above(gap: Estimate, people: Mapping[str, Estimate]) -> str:
    if not gap.low > 0:
        return "the difference is within sampling error"
    odd = [str(e.params["rater"]) for e in _raters(people) if e.value < RANDOM]
    if odd:
        return f"{', '.join(odd)} rates nearly at random, so that true scores are poorly known"
    if gap.params["of"] == "reference":
        return "it was measured on other responses, raters or another gold"
    apart = [e for e in people.values() if e.params.get("raters") == "pool"]
    if not apart:
        return (
            "raters are taken to have equal errors, and those behind the gold may have smaller ones; "
            "or the system shares their biases"
        )
    return (
        "the system shares errors with the raters behind the gold, as one trained on their scores "
        "does, or it saw the gold"
    )


def broken_chain(numbers: Mapping[str, Estimate]) -> Iterator[str]:
    """Say where human-human <= human-like <= theoretical fails on these data, and why it can.

    Two people above a ceiling that their interval holds are no news: chance does that.
    """
    value = {text: estimate.value for text, estimate in numbers.items()}
    qwk = value.get("human_human[cohen_kappa[quadratic]]", value.get("human_human[lin_ccc]"))
    r, like = value.get("human_human[pearson]"), value.get("ceiling_human_like[mean]")
    top = value.get("ceiling_theoretical[mean]")
    if qwk is None or r is None or like is None or top is None:
        return
    if math.isnan(top):
        yield f"no ceiling: {numbers['ceiling_theoretical[mean]'].why}"
        return
    if value.get("error_variance") == 0:
        yield (
            "ratings of the same response never differ: if one column is a copy of another, the "
            "ceilings say nothing"
        )
    surely = {e.value: e.low for e in numbers.values() if e.name == "human_human"}
    steps = (
        ("QWK of two people", qwk, "their correlation", r),
        ("the correlation of two people", r, "the theoretical ceiling", top),
        ("QWK of two people", qwk, "the human-like ceiling", like),
        ("the human-like ceiling", like, "the theoretical one", top),
    )
    for low, a, high, b in steps:
        if a > b + SLACK and not surely.get(a, a) <= b:
            yield (
                f"{low} ({a:.3f}) exceeds {high} ({b:.3f}), which cannot be in the long run: "
                f"{_reason(value, r)}"
            )


def _reason(value: Mapping[str, float], r: float) -> str:
    """The likeliest reason why an order that holds in expectation fails in a sample."""
    one = value.get("reliability[one]", math.nan)
    if one > 0 and r > one + 0.05:
        return (
            "raters differ in severity or spread, which lowers the reliability of a rater drawn at "
            "random but not the correlation of two given ones"
        )
    return "pairs of raters rated different responses, or the sample is small"
