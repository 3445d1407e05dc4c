"""Selective scoring: which scores may stand alone, and what that costs."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tallymark.catalogue import texts
from tallymark.render import figures
from tallymark.render.leading import CONTINUOUS, LEADING, Shown
from tallymark.render.literal import literal
from tallymark.render.model import Block, Cell, Column, Figure, Section, Slider, Table, Text
from tallymark.render.numbers import percent, plain_number, rounded
from tallymark.render.report.blocks import (
    MOST_FIGURES,
    any_table,
    by_part,
    drawn,
    few_systems,
    statistics_table,
)
from tallymark.render.report.view import View, words
from tallymark.render.subsets import whole
from tallymark.results import CONFIDENCE, Curve, Estimate, Key, Subset

_SURE = "most_confident"
Three = tuple[Curve, Curve | None, Curve | None]
"""The rate of critical errors, its upper bound and the threshold, over the same coverage."""
MOST_POINTS = 61
"""Of a curve that the reader can move along."""
TABLES = ("cost", "groups", "accepted_errors", "critical_errors_by_lambda")
"""Tables of this section; thresholds and what they promise are on the first screen."""
_TITLES = {
    "threshold": "Threshold of confidence",
    "coverage": "Coverage: accepted",
    "rate": "Critical errors among accepted",
    "upper": "At most, upper bound",
}
_LIVE = (
    ("read", "People read"),
    ("cost", "Cost"),
    ("errors", "Critical errors that stand"),
)
_AT_ONE = (
    ("accepted", "accepted", "share of the part's scores that is accepted"),
    ("accepted_csrate", "critical errors", "share of those that is critically wrong"),
)
_START = 0.05
"""The slider starts where at most this share of accepted scores is wrong, and as much accepted."""


def selective(view: View) -> Section:
    """Put the section together."""
    return Section(
        id="selective",
        title="Selective scoring",
        question="Which scores may stand without a person looking at them?",
        blocks=tuple(_blocks(view)),
        needs="how sure a system was of each score: --confidence NAME=COL.",
    )


def _blocks(view: View) -> Iterator[Block]:
    curves = _curves(view)
    if curves:
        yield Text(
            "A score is accepted when the system's confidence reaches the threshold; people score "
            "the rest. A critical error is one of at least a set share of the score range. "
            "Coverage is the share of responses that is accepted, the critical-error rate (CSRate) "
            "the share of accepted scores that are critically wrong."
        )
    for three in curves:
        yield from _slider(view, *_thinned(three))
    yield from _numbers(view)
    yield from _parts(view)
    subsets = view.evaluation.subsets
    for table in view.evaluation.tables:
        own = table.subset >= 0 and subsets[table.subset].against == CONFIDENCE
        told = table.name in ("routing", "plan")
        own = own and not told and whole(subsets[table.subset])
        if (table.name in TABLES or own) and few_systems(view, table.subset):
            yield any_table(view, table)


def _curves(view: View) -> list[Three]:
    """The three curves of each system over the same coverage."""
    by_name = {(curve.name, curve.subset): curve for curve in view.evaluation.curves}
    return [
        (curve, by_name.get(("risk_upper", subset)), by_name.get(("threshold", subset)))
        for (name, subset), curve in by_name.items()
        if name == "risk_coverage" and curve.x and whole(view.evaluation.subsets[subset])
    ][:MOST_FIGURES]


def _thinned(three: Three) -> Three:
    """At most so many points, evenly over the coverage, the first and the last among them."""
    last = len(three[0].x) - 1
    if last < MOST_POINTS:
        return three
    kept = sorted({round(i * last / (MOST_POINTS - 1)) for i in range(MOST_POINTS)})
    risk, upper, threshold = three
    return (
        _at(risk, kept),
        None if upper is None else _at(upper, kept),
        None if threshold is None else _at(threshold, kept),
    )


def _at(curve: Curve, kept: Sequence[int]) -> Curve:
    def some(line: Sequence[float]) -> tuple[float, ...]:
        return tuple(line[i] for i in kept) if line else ()

    return replace(
        curve, x=some(curve.x), y=some(curve.y), low=some(curve.low), high=some(curve.high)
    )


def _slider(
    view: View, risk: Curve, upper: Curve | None, threshold: Curve | None
) -> Iterator[Block]:
    subset = view.evaluation.subsets[risk.subset]
    system, limit = literal(subset.system), view.evaluation.options.get("alpha")
    start = _start(view, risk, upper or risk)
    caption = f"{system}: critical errors among accepted scores, by the share that is accepted"
    blocks = drawn(
        view, figures.risk_coverage, risk, upper, threshold, limit=limit, at=start, caption=caption
    )
    for block in blocks:
        if not isinstance(block, Figure) or threshold is None:
            yield block
            continue
        yield _moving(view, block, risk, upper, threshold, start)


def _moving(
    view: View, figure: Figure, risk: Curve, upper: Curve | None, threshold: Curve, start: int
) -> Slider:
    """The figure with what is read at each of its points."""
    subset = view.evaluation.subsets[risk.subset]
    texts = {
        "threshold": tuple(plain_number(one) for one in threshold.y),
        "coverage": tuple(_share(one) for one in risk.x),
        "rate": tuple(map(_rate, risk.y, risk.low or risk.y, risk.high or risk.y)),
    }
    if upper is not None:
        texts["upper"] = tuple(_share(one) for one in upper.y)
    own = [(key, _TITLES[key], text[start]) for key, text in texts.items()]
    live = [(key, title, "") for key, title in _LIVE]
    return Slider(
        id=view.free_id("slider"),
        system=literal(subset.system),
        figure=figure,
        coverage=risk.x,
        rate=risk.y,
        upper=() if upper is None else upper.y,
        texts=texts,
        readout=tuple(own),
        live=tuple(live),
        prices=(
            ("volume", "Responses to score", str(subset.n)),
            ("human", "Price of a human score", "1.00"),
            ("machine", "Price of a system score", "0.01"),
            ("audit", "Audited share of accepted, %", "0"),
        ),
        start=start,
    )


def _share(value: float) -> str:
    return "undefined" if math.isnan(value) else f"{rounded(100 * value, 1)} %"


def _rate(value: float, low: float, high: float) -> str:
    """A rate in percent, with its interval where it has one."""
    ends = Estimate(key=Key("csrate"), value=value, low=low, high=high, n=0)
    return percent(ends if low < high else replace(ends, low=math.nan, high=math.nan))


def _start(view: View, risk: Curve, bound: Curve) -> int:
    """Where it was certified; else the last point at which surely few scores are wrong."""
    for table in view.tables("routing"):
        accepted = dict(zip(table.columns, table.rows[0], strict=True)).get("coverage")
        if isinstance(accepted, float):
            return min(range(len(risk.x)), key=lambda i: abs(risk.x[i] - accepted))
    good = [i for i, rate in enumerate(bound.y) if rate <= _START <= risk.x[i]]
    return good[-1] if good else len(risk.y) // 2


def _numbers(view: View) -> Iterator[Block]:
    """The estimates of every system whose confidence is known, one row per statistic."""
    found = [(i, s) for i, s in view.whole(CONFIDENCE) if view.numbers[i]]
    if not found:
        return
    known = dict(e for i, _ in found for e in view.numbers[i].items())
    shown = [_shown(view, e) for e in known.values() if e.name != _SURE]
    rows = [(words(s.system), s.n, view.numbers[i]) for i, s in found]
    caption = "How well confidence tells good scores from bad ones"
    yield statistics_table(view, "confidence", caption, rows, shown)
    yield from (_most_confident(view, i, s) for i, s in found[:MOST_FIGURES])


def _shown(view: View, found: Estimate) -> Shown:
    """A statistic under its title, with what its parameters say."""
    own = view.evaluation.definitions[found.text]
    said = ", ".join(f"{_of(value)}" for value in found.params.values())
    reading = own.reading.partition(".")[0].partition(";")[0]
    return Shown(found.text, f"{own.title}{f' ({said})' if said else ''}", reading)


def _of(value: object) -> str:
    return rounded(value, 2, coefficient=True) if isinstance(value, float) else str(value)


def _most_confident(view: View, i: int, subset: Subset) -> Table:
    """How good the surest scores are: one column for each share of them."""
    own = [e for e in view.numbers[i].values() if e.name == _SURE]
    shares = sorted({float(e.params["share"]) for e in own})
    known = {one.text: one for one in (*LEADING, CONTINUOUS)}
    texts = [text for text in dict.fromkeys(str(e.params["of"]) for e in own) if _leads(text)]
    by_place = {(str(e.params["of"]), float(e.params["share"])): e for e in own}
    return Table(
        id=view.free_id("surest"),
        caption=f"{literal(subset.system)}: agreement of its surest scores",
        columns=(
            Column("statistic"),
            *(Column(f"surest {rounded(100 * share, 0)} %", numeric=True) for share in shares),
        ),
        rows=tuple(
            (
                Cell(known[text].heading if text in known else text, key=text),
                *(view.cell(by_place.get((text, share))) for share in shares),
            )
            for text in texts
        ),
    )


def _leads(text: str) -> bool:
    """Whether a statistic is among those that are shown; every one is in the JSON."""
    return text in texts("by_part") or text.startswith("csrate")


def _parts(view: View) -> Iterator[Block]:
    """Coverage and critical errors of each prompt and group, at one threshold for all."""
    found = [(i, s) for i, s in view.subsets(CONFIDENCE) if not whole(s)]
    shown = []
    for name, title, said in _AT_ONE:
        texts = [e.text for i, _ in found for e in view.numbers[i].values() if e.name == name]
        shown += [Shown(texts[0], title, said)] if texts else []
    if shown:
        caption = "Each part of the data, all at the threshold that accepts half of the responses"
        yield by_part(view, "coverage", caption, found, shown)
