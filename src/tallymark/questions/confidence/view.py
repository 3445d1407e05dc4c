"""What a confidence is worth, as a section: curves, numbers, the surest scores, parts of the data."""

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from msgspec.structs import asdict, replace

from tallymark.catalogue import BY_NAME, member, texts
from tallymark.defaults import LAMBDA, MOST_SYSTEMS
from tallymark.questions.confidence.runs import AVERAGE
from tallymark.render.model import (
    Block,
    Cell,
    Column,
    Drawing,
    Entry,
    Grid,
    Heading,
    Measure,
    Rank,
    Responses,
    Says,
    Section,
    Slider,
    Table,
    Text,
    Value,
    table_by,
)
from tallymark.render.records import given_table, whose
from tallymark.render.sentences import FindingWords, Sentence, Tellers, Words
from tallymark.render.subsets import asked_alone, place, system_against, whole
from tallymark.results import (
    CONFIDENCE,
    Curve,
    Estimate,
    Evaluation,
    Finding,
    Key,
    Numbers,
    Subset,
    split_key,
)
from tallymark.selective.cost import Prices

ABOUT = (
    "A score is accepted when the system's confidence reaches the threshold; people score the rest. "
    "A critical error is one of at least a set share of the score range. Coverage is the share of "
    "responses that is accepted, the critical-error rate (CSRate) the share of accepted scores that "
    "are critically wrong."
)
BOUND = (
    "The bound holds for one threshold fixed beforehand. One chosen by looking has no guarantee: "
    "tallymark route certify gives one."
)
NEAREST_HALF = "at the threshold nearest to half"
SUREST = "most_confident"
SURE = "how sure a system was of each score: --confidence NAME=COL, or --probabilities."
_FULL = ("auroc_cse", "coverage_at", "brier", "rps")
_AT_ONE = {
    "accepted": ("accepted", "share of the part's scores that is accepted"),
    "accepted_csrate": ("critical errors", "share of those that is critically wrong"),
}
_COVERAGE = {
    "max": ("coverage at CSRate {rate}", "largest share that can be accepted"),
    "prefix": (
        "steady coverage at CSRate {rate}",
        "the same, if every stricter threshold keeps it too",
    ),
}
LEAST_AXIS = 0.05
"""The axis of critical errors reaches at least so far."""
_CALIBRATION = "reliability"
_BY_LAMBDA = "critical_errors_by_lambda"
_OF_SYSTEM = {
    _CALIBRATION: ("accepted", ("above", "up to", "mean confidence", "right")),
    "dev_test": ("", ("threshold", "accepted", "CSRate")),
    "surest_qwk_by_prompt": ("cohen_kappa", ("",)),
    "surest_csrate_by_prompt": ("csrate", ("",)),
}
"""Tables of one system: the statistic in them, and how the columns begin whose fractions are shares."""
RISK_RUNS = "risk_coverage_runs"
_PANELS = {RISK_RUNS: "critical errors", "rmse_coverage_runs": "RMSE, points"}
"""Curves over runs, each in a panel for each prompt, with the title of its axis."""
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


def section(evaluation: Evaluation) -> Section:
    """Show which scores may stand without a person looking at them."""
    roles = ("confidences", "probabilities", "repeats")
    confident = asked_alone(evaluation) or any(evaluation.options.get(role) for role in roles)
    return Section(
        id="selective",
        title="Selective scoring",
        question="Which scores may stand without a person looking at them?",
        blocks=tuple(_blocks(evaluation)),
        needs="" if confident else SURE,
        takes=SURE,
    )


def chart(evaluation: Evaluation) -> Iterator[Block]:
    """The curve of the first system, with its slider."""
    yield from (_slider(evaluation, curve) for curve in _curves(evaluation)[:1])


def _blocks(evaluation: Evaluation) -> Iterator[Block]:
    curves, subsets = _curves(evaluation), system_against(evaluation, CONFIDENCE)
    if curves:
        yield Text(ABOUT, rank=Rank.PAGE)
    if subsets:
        yield Text(_critical(evaluation))
    yield from _between_people(evaluation)
    for curve in curves[evaluation.kind == "route" : MOST_SYSTEMS]:  # there it leads the page
        yield _slider(evaluation, curve)
    if subsets:
        yield _numbers(evaluation, subsets)
    for subset in subsets[:MOST_SYSTEMS]:
        yield from _surest(evaluation, subset)
    yield from _parts(evaluation, subsets)
    repeats = evaluation.options.get("repeats") or {}
    repeated = [subset for subset in subsets if subset.system in repeats] or subsets
    for subset in repeated[:MOST_SYSTEMS]:
        for name in _PANELS:
            yield from _panels(evaluation, subset, name)
    yield from _tables(evaluation, subsets[:MOST_SYSTEMS], repeated[:MOST_SYSTEMS])


def _critical(evaluation: Evaluation) -> Sentence:
    """Say which errors are critical: from a share of the range, or from some points on."""
    points = evaluation.options.get("critical")
    if points is not None:
        return Sentence(
            "An error of {points:g} points or more is critical; CSRate is the share of scores with "
            "one.",
            points=points,
        )
    return Sentence(
        "An error of {share:g} % of the score range is critical; CSRate is the share of scores with "
        "one.",
        share=100 * float(evaluation.options.get("lambda", LAMBDA)),
    )


def _between_people(evaluation: Evaluation) -> Iterator[Says]:
    """Say how often two people lie a critical error apart: no rate of a system means much alone."""
    lambda_ = float(evaluation.options.get("lambda", LAMBDA))
    gap = next((e for e in evaluation.estimates if e.name == "human_gap"), None)
    tables = [table for table in evaluation.tables if table.name == _BY_LAMBDA]
    row = next((row for table in tables for row in table.rows if row[0] == lambda_), None)
    if gap is None or row is None:
        return
    rate, low, high = (float(cell or 0) for cell in row[1:4])
    usual = " Such a lambda calls the usual differences of people critical."
    sentence = Sentence(
        "Two people differ by a critical error (lambda {share:g}) on {people:percent} of the "
        "responses they both scored; their mean gap is {gap} of the range."
        + usual
        * (lambda_ < gap.value),
        share=lambda_,
        people=Estimate(key=Key("human_csrate"), value=rate, low=low, high=high, n=0),
        gap=gap,
    )
    yield Says((sentence,))


class RiskCurves(NamedTuple):
    """The rate of critical errors, its upper bound and the threshold, over the same coverage."""

    risk: Curve
    upper: Curve | None
    threshold: Curve | None


def _curves(evaluation: Evaluation) -> list[RiskCurves]:
    """The curves of each system on all responses."""
    curves = {(curve.name, curve.subset): curve for curve in evaluation.curves}
    return [
        RiskCurves(curve, curves.get(("risk_upper", subset)), curves.get(("threshold", subset)))
        for (name, subset), curve in curves.items()
        if name == "risk_coverage" and curve.x and whole(evaluation.subsets[subset])
    ]


def _slider(evaluation: Evaluation, curves: RiskCurves) -> Slider | Drawing:
    """The curve of critical errors, with what is read at each point that the reader moves to."""
    risk, upper, threshold = _thinned(curves)
    subset = evaluation.subsets[risk.subset]
    start = _start(evaluation, risk, upper or risk)
    # no point of the curve stands for thresholds of each prompt
    by_prompt = any(table.name == "routing" and len(table.rows) > 1 for table in evaluation.tables)
    caption = Sentence(
        "{system}: critical errors among accepted scores, by the share that is accepted",
        system=subset.system,
    )
    if by_prompt:
        caption = Sentence("{caption}, if all prompts had one threshold", caption=caption)
    options = {"limit": evaluation.options.get("alpha"), "at": start, "marked": not by_prompt}
    drawing = Drawing("risk.risk_coverage", (risk, upper, threshold), caption, options=options)
    if threshold is None or by_prompt:
        return drawing
    readings: dict[str, tuple[Words, ...]] = {
        "threshold": tuple(Sentence("{tau}", tau=tau) for tau in threshold.y),
        "coverage": tuple(Sentence("{share:tenths}", share=share) for share in risk.x),
        "rate": tuple(map(_rate, risk.y, risk.low or risk.y, risk.high or risk.y)),
    }
    if upper is not None:
        readings["upper"] = tuple(Sentence("{share:tenths}", share=share) for share in upper.y)
    return Slider(
        label=Sentence("Threshold of confidence for {system}", system=subset.system),
        figure=drawing,
        coverage=risk.x,
        rate=risk.y,
        upper=() if upper is None else upper.y,
        texts=readings,
        titles=_TITLES,
        live=_LIVE,
        prices=_prices(evaluation, subset.n),
        start=start,
        note=BOUND,
    )


def _prices(evaluation: Evaluation, n: int) -> tuple[tuple[str, str, str], ...]:
    """What the reader may change: as options say, else examples."""
    options = evaluation.options
    usual = asdict(Prices()) if evaluation.kind == "route" else EXAMPLES
    prices = {**usual, **(options.get("prices") or {})}

    def exact(number: object) -> str:
        return str(Sentence("{number:exact}", number=float(str(number))))

    return (
        ("volume", "Responses to score", str(int(options.get("volume") or n))),
        ("human", "Price of a human score", exact(prices["human"])),
        ("machine", "Price of a system score", exact(prices["machine"])),
        ("audit", "Audited share of accepted, %", exact(100 * float(options.get("audit") or 0))),
    )


def _thinned(curves: RiskCurves) -> RiskCurves:
    """At most this many points, evenly over the coverage, the first and the last among them."""
    last = len(curves.risk.x) - 1
    if last < MOST_POINTS:
        return curves
    places = sorted({round(i * last / (MOST_POINTS - 1)) for i in range(MOST_POINTS)})
    upper, threshold = (None if curve is None else _at(curve, places) for curve in curves[1:])
    return RiskCurves(_at(curves.risk, places), upper, threshold)


def _at(curve: Curve, places: Sequence[int]) -> Curve:
    """Some points of a curve."""
    lines = {name: getattr(curve, name) for name in ("x", "y", "low", "high")}
    points = {name: tuple(line[i] for i in places) for name, line in lines.items() if line}
    return replace(curve, **points)


def _rate(rate: float, low: float, high: float) -> Sentence:
    """A rate in percent, with its interval where it has one."""
    if not low < high:
        low = high = math.nan
    estimate = Estimate(key=Key("csrate"), value=rate, low=low, high=high, n=0)
    return Sentence("{rate:percent}", rate=estimate)


def _start(evaluation: Evaluation, risk: Curve, bound: Curve) -> int:
    """Where it was certified; else the last point at which surely few scores are wrong."""
    for table in (table for table in evaluation.tables if table.name == "routing" and table.rows):
        accepted = table.records()[0].get("coverage")
        if isinstance(accepted, float):
            return min(range(len(risk.x)), key=lambda i: abs(risk.x[i] - accepted))
    good = [i for i, rate in enumerate(bound.y) if rate <= START <= risk.x[i]]
    return good[-1] if good else len(risk.y) // 2


def _numbers(evaluation: Evaluation, subsets: Sequence[Subset]) -> Grid:
    """The numbers of every system whose confidence is known."""
    numbers = [evaluation.of(subset) for subset in subsets]
    keys = dict.fromkeys(e.key for of_system in numbers for e in of_system.values())
    measures = {key: measure for key in keys if (measure := _measure(key)) is not None}
    ranked = sorted(measures, key=lambda key: (measures[key].rank, key.name != SUREST))
    return Grid(
        id="selective",
        caption="How well confidence tells good scores from bad ones",
        names=("system",),
        measures=tuple(measures[key] for key in ranked),
        entries=tuple(
            Entry((subset.system,), tuple(of_system.get(key) for key in ranked), subset.n)
            for subset, of_system in zip(subsets, numbers, strict=True)
        ),
    )


def _measure(key: Key) -> Measure | None:
    """How a number is shown; of the surest scores only their critical errors are among these."""
    params, row = dict(key.params), BY_NAME[key.name]
    if key.name == SUREST:
        if not _is_csrate(params["of"]):
            return None
        title = Sentence("CSRate, surest {share:percent}", share=float(params["share"]))
        return Measure(str(title), "", key.name, Rank.FULL)
    if key.name == "coverage_at":
        template, gloss = _COVERAGE[str(params["kind"])]
        rank = Rank.FULL if params["kind"] == "max" else Rank.PAGE
        return Measure(str(Sentence(template, rate=float(params["rate"]))), gloss, key.name, rank)
    title = Sentence("{title}", title=row.short or row.title)
    if "share" in params:
        title = Sentence("{title}, {threshold}", title=title, threshold=NEAREST_HALF)
    elif "of" in params:
        title = Sentence("{title}, {of}", title=title, of=str(params["of"]))
    gloss = row.gloss or row.reading.partition(".")[0].partition(";")[0]
    gloss = gloss if gloss[:2].isupper() else f"{gloss[:1].lower()}{gloss[1:]}"
    rank = Rank.FULL if key.name in _FULL else Rank.PAGE
    return Measure(str(title), gloss, key.name, rank)


def _is_csrate(key: object) -> bool:
    return split_key(str(key))[0] == "csrate"


def _surest(evaluation: Evaluation, subset: Subset) -> Iterator[Table]:
    """How good the surest scores are: one column for each share of them; every one is in the JSON."""
    surest = {
        (e.params["of"], float(e.params["share"])): e
        for e in evaluation.of(subset).values()
        if e.name == SUREST
    }
    by_part = texts("by_part")
    keys = [
        key
        for key in dict.fromkeys(key for key, _ in surest)
        if str(key) in by_part or _is_csrate(key)
    ]

    def statistic(key: Key) -> Value:
        return Cell("CSRate" if _is_csrate(key) else member(str(key)).heading, key=str(key))

    def number(key: Key, share: float) -> Value:
        return surest.get((key, share))

    shares = sorted({share for _, share in surest})
    titles = [str(Sentence("surest {share:percent}", share=share)) for share in shares]
    columns = [
        (Column(title, numeric=True), partial(number, share=share))
        for title, share in zip(titles, shares, strict=True)
    ]
    if keys:
        caption = Sentence("{system}: agreement of its surest scores", system=subset.system)
        first = (Column("statistic"), statistic)
        yield table_by("surest", caption, keys, first, *columns, folded=True, rank=Rank.PAGE)


def _parts(evaluation: Evaluation, systems: Sequence[Subset]) -> Iterator[Table]:
    """Coverage and critical errors of each prompt and group, at one threshold for all.

    Equal confidences are accepted together, so that it may be far from half.
    """
    parts = [s for s in evaluation.subsets if s.against == CONFIDENCE and not whole(s)]
    if not parts or evaluation.kind == "route":
        return  # a routing file has a threshold of its own
    accepted = {s.system: _first(evaluation.of(s), "accepted") for s in systems}
    shares = [
        Sentence("{share:percent} of {system}", share=share.value, system=system)
        for system, share in accepted.items()
        if share is not None
    ]
    columns: list[tuple[Column, Callable[[Subset], Value]]]
    columns = [(Column("part"), lambda part: ", ".join(place(part).values()))]
    if len({part.subject for part in parts}) > 1:
        columns.append((Column("system"), lambda part: part.system))
    names = len(columns)
    columns.append((Column("responses", numeric=True), lambda part: Responses(part.n)))
    for key, (title, gloss) in _AT_ONE.items():
        number = partial(_of_part, evaluation, key)
        columns.append((Column(title, gloss, key, True), number))
    caption = Sentence(
        f"Each part of the data, {NEAREST_HALF}{{shares}}",
        shares=Sentence(": accepts {shares}", shares=shares) if shares else "",
    )
    yield table_by("coverage", caption, parts, *columns, names=names)


def _of_part(evaluation: Evaluation, name: str, part: Subset) -> Estimate | None:
    return _first(evaluation.of(part), name)


def _first(numbers: Numbers, name: str) -> Estimate | None:
    return next((e for e in numbers.values() if e.name == name), None)


def _panels(evaluation: Evaluation, subset: Subset, name: str) -> Iterator[Heading | Drawing]:
    """A panel for each prompt, else one: the runs of a system; critical errors share an axis."""
    curves = [
        (evaluation.subsets[curve.subset], curve)
        for curve in evaluation.curves
        if curve.name == name and evaluation.subsets[curve.subset].subject == subset.subject
    ]
    curves = [(part, curve) for part, curve in curves if not whole(part)] or curves
    highest = [max(curve.high or curve.y) for _, curve in curves]
    if name == RISK_RUNS and curves:
        highest = [max(LEAST_AXIS, *highest)] * len(curves)
    several = len(curves) > 1
    if several:
        yield Heading(whose(subset, curves[0][1].y_title), rank=Rank.PAGE)
    for (part, curve), high in zip(curves, highest, strict=True):
        yield Drawing(
            "lines.curves",
            ([replace(curve, y_title=_PANELS[name])],),
            whose(part, _PANELS[name] if several else curve.y_title),
            small=True,
            options={"y_domain": (0.0, high or 1.0)},  # 0 throughout: nothing is off
        )


def _tables(
    evaluation: Evaluation, systems: Sequence[Subset], repeated: Sequence[Subset]
) -> Iterator[Table]:
    """Critical errors by lambda; calibration of the first systems; development and test over runs."""
    for table in evaluation.tables:
        if table.name == _BY_LAMBDA:
            keys = dict.fromkeys(table.columns, "csrate")
            yield replace(given_table(table, table.title, rank=Rank.PAGE, keys=keys), folded=True)
            continue
        if table.name not in _OF_SYSTEM or table.subset < 0:
            continue
        subset, calibration = evaluation.subsets[table.subset], table.name == _CALIBRATION
        if subset not in (systems if calibration else repeated):
            continue
        statistic, names = _OF_SYSTEM[table.name]
        shares = [name for name in table.columns if name.startswith(names)]
        block = given_table(
            table,
            Sentence("{system}: {title}", system=subset.system, title=table.title),
            rank=Rank.PAGE if calibration else Rank.FULL,
            keys=dict.fromkeys(shares, statistic),
            styles=dict.fromkeys(shares, "share"),
        )
        yield replace(block, below=int(table.rows[-1][0] == AVERAGE), folded=True)


def _missing(finding: Finding, _: Evaluation) -> FindingWords:
    return FindingWords(
        Sentence(
            "{n:responses} have no confidence of {system} and are left out where it counts.",
            n=finding.numbers["without"],
            system=finding.system,
        ),
        "Give them a confidence or leave them to people: routing refuses gaps.",
    )


def _uneven_coverage(finding: Finding, _: Evaluation) -> FindingWords:
    return FindingWords(
        _uneven(
            "{threshold}, {system} accepts {here:percent} of the responses of {column} {group} and "
            "{others:percent} of the others: this group is left to people more often.",
            finding,
        ),
        "Ask why the system is less sure of them; report waiting times by group.",
    )


def _uneven_errors(finding: Finding, _: Evaluation) -> FindingWords:
    return FindingWords(
        _uneven(
            "{threshold}, {here:percent} of the accepted scores of {column} {group} are critical "
            "errors, and {others:percent} of the others': its errors pass more often.",
            finding,
        ),
        "Certify a threshold for this group, or leave its responses to people.",
    )


def _uneven(template: str, finding: Finding) -> Sentence:
    """Fill in the group and the threshold: that of a share of all responses, or the chosen one."""
    threshold = Sentence("At the chosen threshold")
    if "coverage" in finding.numbers:
        threshold = Sentence(
            "At the threshold that accepts {share:percent} of all responses",
            share=finding.numbers["coverage"],
        )
    return Sentence(
        template, threshold=threshold, system=finding.system, **finding.numbers, **finding.texts
    )


def _every_gap(finding: Finding, _: Evaluation) -> FindingWords:
    """Say that lambda calls every disagreement critical, and how gaps of two steps alone are."""
    numbers = finding.numbers
    two = Sentence("; --critical {two:g} needs {two:g} points", two=numbers["two"])
    return FindingWords(
        Sentence(
            "lambda {share:g} makes any error on {scale} critical{two}.",
            share=numbers["lambda"],
            scale=finding.texts["scale"],
            two="" if numbers["two"] > numbers["width"] else two,
        )
    )


FINDINGS: Tellers = {
    "confidence_missing": _missing,
    "every_gap_critical": _every_gap,
    "uneven_coverage": _uneven_coverage,
    "uneven_errors": _uneven_errors,
}
