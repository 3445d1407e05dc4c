"""Sentences on agreement with the gold."""

import math
from collections.abc import Iterator, Sequence

from tallymark.render.sentences import Sentence, joined
from tallymark.results import Data, Estimate, Evaluation, Key, Numbers
from tallymark.scale import SAME, Scale

BANDS: tuple[tuple[float, str], ...] = (
    (0.20, "slight"),
    (0.40, "fair"),
    (0.60, "moderate"),
    (0.80, "substantial"),
    (1.00, "almost perfect"),
)
"""Each up to and with its number; below 0 is poor."""
NOBODY = "No system could be evaluated on all responses together."


def headline(systems: Sequence[str], of: Sentence | None, level: float) -> Sentence:
    """Say which systems are held against the gold, and of what their numbers are means."""
    whose = (
        Sentence("{system}", system=systems[0])
        if len(systems) == 1
        else Sentence("{number} systems", number=len(systems))
    )
    return Sentence(
        "{whose} against the gold{mean}, {level:level} intervals",
        whose=whose,
        mean="" if of is None else Sentence(", {of}", of=of),
        level=level,
    )


def labels_of(data: Data) -> tuple[str, str]:
    """The negative and the positive label of two points."""
    low, high = Scale.categories(data.gold_scale or data.scale).names
    return low, high


def shares_found(evaluation: Evaluation, numbers: Numbers) -> Sentence | None:
    """Say how much of each label a system finds, with kappa; None of scores in an order."""
    shares, kappa = share_found(evaluation, numbers), numbers.get(KAPPA)
    if shares is None:
        return None
    beyond = "" if kappa is None or math.isnan(kappa.value) else Sentence("; kappa {k}", k=kappa)
    return Sentence("{shares}{beyond}.{least}", shares=shares, beyond=beyond, least=_least(numbers))


def share_found(evaluation: Evaluation, numbers: Numbers) -> Sentence | None:
    """The words for how much of each of two labels is found, or how many labels are those of people."""
    if evaluation.data.view == "nominal":
        exact = numbers.get(Key("percent_agreement"))
        if exact is None or math.isnan(exact.value):
            return None
        words = "gives {exact:percent} of responses the label that people give"
        return Sentence(words, exact=exact)
    high, low = (numbers.get(Key(name)) for name in ("sensitivity", "specificity"))
    if evaluation.data.view != "binary" or high is None or low is None:
        return None
    shares = zip((high, low), reversed(labels_of(evaluation.data)), strict=True)
    known = [(share, label) for share, label in shares if not math.isnan(share.value)]
    said = [
        Sentence(
            f"{{share:percent}} of what {'people' if i == 0 else 'they'} label {{label}}",
            share=share,
            label=label.partition(SAME)[0],
        )
        for i, (share, label) in enumerate(known)
    ]
    return Sentence("finds {said}", said=joined(said, " and ")) if said else None


def _least(numbers: Numbers) -> Sentence | str:
    """Of which of several labels least are found."""
    recalls = [e for e in numbers.values() if e.name == "class_recall" and not math.isnan(e.value)]
    if not recalls:
        return ""
    least = min(recalls, key=lambda recall: recall.value)
    label = str(least.params["label"])
    return Sentence(" It finds least of {label}: {least:percent}.", label=label, least=least)


def pooled(column: str) -> str:
    """Say what the value over all responses holds beside agreement."""
    return f"Pooled over {column}s, so that differences between {column}s count too"


def bands(name: str, kappas: Sequence[tuple[str, Estimate | None]]) -> Iterator[Sentence]:
    """Say what Landis and Koch would call a kappa, over its whole interval; alike systems once."""
    called: dict[str, list[str]] = {}
    for system, kappa in kappas:
        ends = () if kappa is None else (kappa.low, kappa.high)
        words = " to ".join(dict.fromkeys(word for end in ends if (word := band(end))))
        if words:
            called.setdefault(words, []).append(system)
    for words, systems in called.items():
        yield Sentence(
            "{systems}: {name} is {words} (Landis & Koch; arbitrary bands).",
            systems=systems,
            name=name,
            words=words,
        )


KAPPA = Key("cohen_kappa", weights="identity")
HIGH = 0.7
"""From here on a correlation of ranks, or an agreement, is called high: a convention, as .70 is."""
READINGS: dict[tuple[bool | None, bool | None], str] = {
    (True, True): "it orders responses much as the gold does, and its scores are close",
    (
        True,
        False,
    ): "it orders responses much as the gold does, but gives them other scores: look at its "
    "severity and spread, which recalibration may mend",
    (False, True): "its scores are close to the gold and their order is not: a few points, or one "
    "that dominates, hide it",
    (False, False): "neither its order nor its scores are close to the gold's",
}
"""What rank correlation and agreement say together (Yannakoudakis & Cummins 2015)."""


def order_and_agreement(
    system: str, ranks: Estimate | None, name: str, kappa: Estimate | None
) -> Sentence | None:
    """Say what rank correlation and agreement say together: each is high, low or not settled."""
    if ranks is None or kappa is None or math.isnan(ranks.value) or math.isnan(kappa.value):
        return None
    high = _high(ranks), _high(kappa)
    words = [{True: "high", False: "low", None: "low or high"}[each] for each in high]
    return Sentence(
        f"{{system}}: rank correlation {words[0]} (Spearman {{ranks}}), agreement {words[1]} "
        f"({{name}} {{kappa}}; high from {{limit:goal}} on): "
        f"{READINGS.get(high, 'these data do not settle which')}.",
        system=system,
        ranks=ranks,
        name=name,
        kappa=kappa,
        limit=HIGH,
    )


def _high(estimate: Estimate) -> bool | None:
    """Whether it is high; None where its interval holds the limit."""
    ends = [estimate.value if math.isnan(end) else end for end in (estimate.low, estimate.high)]
    sides = {end >= HIGH for end in ends}
    return sides.pop() if len(sides) == 1 else None


def band(kappa: float) -> str:
    """Name the band of a kappa: a habit of speech, not a test of what is good enough.

    Landis & Koch (1977), doi:10.2307/2529310, give the bands in steps of .01; here each begins
    where the one below ends. NaN has none.

    >>> band(0.79), band(0.8001)
    ('substantial', 'almost perfect')
    """
    if math.isnan(kappa):
        return ""
    if kappa < 0:
        return "poor"
    return next((name for top, name in BANDS if kappa <= top), "almost perfect")


def left_to_tables(number: int, what: str) -> Sentence:
    """Say where the rest is."""
    return Sentence("{number} more in {what}.", number=number, what=what)
