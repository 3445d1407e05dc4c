"""The curve of critical errors over coverage, which the reader of the page can move along."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import asdict, replace

from tallymark.questions.confidence.say import BOUND
from tallymark.render.model import Drawing, Slider
from tallymark.render.sentences import Sentence, Words
from tallymark.render.subsets import whole
from tallymark.results import Curve, Estimate, Evaluation, Key
from tallymark.selective.cost import Prices

MOST_POINTS = 61
"""Points of a curve that the reader can move along."""
START = 0.05
"""It starts where at most this share of accepted scores is wrong, and as much accepted."""
EXAMPLES = {"human": 1.0, "machine": 0.01}
"""Prices for the reader to change, where none can be named."""
_TITLES = {
    "threshold": "Threshold of confidence",
    "coverage": "Coverage: accepted",
    "rate": "Critical errors among accepted",
    "upper": "At most, upper bound",
}
_LIVE = {"read": "People read", "cost": "Cost", "errors": "Critical errors that stand"}


class RiskCurves(NamedTuple):
    """The rate of critical errors, its upper bound and the threshold, over the same coverage."""

    risk: Curve
    upper: Curve | None
    threshold: Curve | None


def curves_of(evaluation: Evaluation) -> list[RiskCurves]:
    """The curves of each system on all responses."""
    by_name = {(curve.name, curve.subset): curve for curve in evaluation.curves}
    return [
        RiskCurves(curve, by_name.get(("risk_upper", at)), by_name.get(("threshold", at)))
        for (name, at), curve in by_name.items()
        if name == "risk_coverage" and curve.x and whole(evaluation.subsets[at])
    ]


def slider(evaluation: Evaluation, given: RiskCurves) -> Slider | Drawing:
    """The figure with what is read at each of its points."""
    risk, upper, threshold = _thinned(given)
    subset = evaluation.subsets[risk.subset]
    start = _start(evaluation, risk, upper or risk)
    caption = Sentence(
        "{system}: critical errors among accepted scores, by the share that is accepted",
        system=subset.system,
    )
    by_prompt = _certified_by_prompt(evaluation)
    if by_prompt:
        caption = Sentence("{caption}, if all prompts had one threshold", caption=caption)
    options = {"limit": evaluation.options.get("alpha"), "at": start, "marked": not by_prompt}
    drawing = Drawing("risk.risk_coverage", (risk, upper, threshold), caption, options=options)
    if threshold is None or by_prompt:
        return drawing
    texts: dict[str, tuple[Words, ...]] = {
        "threshold": tuple(Sentence("{tau}", tau=tau) for tau in threshold.y),
        "coverage": tuple(Sentence("{share:tenths}", share=share) for share in risk.x),
        "rate": tuple(map(_rate, risk.y, risk.low or risk.y, risk.high or risk.y)),
    }
    if upper is not None:
        texts["upper"] = tuple(Sentence("{share:tenths}", share=share) for share in upper.y)
    return Slider(
        label=Sentence("Threshold of confidence for {system}", system=subset.system),
        figure=drawing,
        coverage=risk.x,
        rate=risk.y,
        upper=() if upper is None else upper.y,
        texts=texts,
        titles=_TITLES,
        live=_LIVE,
        prices=_prices(evaluation, subset.n),
        start=start,
        note=BOUND,
    )


def _certified_by_prompt(evaluation: Evaluation) -> bool:
    """Whether each prompt has a threshold of its own, which no point of the curve stands for."""
    return any(table.name == "routing" and len(table.rows) > 1 for table in evaluation.tables)


def _prices(evaluation: Evaluation, n: int) -> tuple[tuple[str, str, str], ...]:
    """What the reader may change: as options say, else examples."""
    options = evaluation.options
    usual = asdict(Prices()) if evaluation.kind == "route" else EXAMPLES
    asked = {**usual, **(options.get("prices") or {})}
    human, machine = float(asked["human"]), float(asked["machine"])
    return (
        ("volume", "Responses to score", str(int(options.get("volume") or n))),
        ("human", "Price of a human score", str(Sentence("{price:exact}", price=human))),
        ("machine", "Price of a system score", str(Sentence("{price:exact}", price=machine))),
        (
            "audit",
            "Audited share of accepted, %",
            str(Sentence("{share:exact}", share=100 * float(options.get("audit") or 0))),
        ),
    )


def _thinned(given: RiskCurves) -> RiskCurves:
    """At most this many points, evenly over the coverage, the first and the last among them."""
    last = len(given.risk.x) - 1
    if last < MOST_POINTS:
        return given
    kept = sorted({round(i * last / (MOST_POINTS - 1)) for i in range(MOST_POINTS)})
    upper, threshold = (None if curve is None else _at(curve, kept) for curve in given[1:])
    return RiskCurves(_at(given.risk, kept), upper, threshold)


def _at(curve: Curve, kept: Sequence[int]) -> Curve:
    def some(line: Sequence[float]) -> tuple[float, ...]:
        return tuple(line[i] for i in kept) if line else ()

    return replace(
        curve, x=some(curve.x), y=some(curve.y), low=some(curve.low), high=some(curve.high)
    )


def _rate(value: float, low: float, high: float) -> Sentence:
    """A rate in percent, with its interval where it has one."""
    ends = (low, high) if low < high else (math.nan, math.nan)
    rate = Estimate(key=Key("csrate"), value=value, low=ends[0], high=ends[1], n=0)
    return Sentence("{rate:percent}", rate=rate)


def _start(evaluation: Evaluation, risk: Curve, bound: Curve) -> int:
    """Where it was certified; else the last point at which surely few scores are wrong."""
    for table in (table for table in evaluation.tables if table.name == "routing" and table.rows):
        accepted = dict(zip(table.columns, table.rows[0], strict=True)).get("coverage")
        if isinstance(accepted, float):
            return min(range(len(risk.x)), key=lambda i: abs(risk.x[i] - accepted))
    good = [i for i, rate in enumerate(bound.y) if rate <= START <= risk.x[i]]
    return good[-1] if good else len(risk.y) // 2
