"""Routing from Python, as ``tallymark.route``: certify, apply, monitor."""

import math
from collections.abc import Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import NamedTuple, Unpack

import numpy as np
from msgspec.structs import asdict, replace
from numpy.typing import NDArray

from tallymark.errors import OptionError
from tallymark.inference import Settings
from tallymark.questions.confidence.compute import areas, risk_curves
from tallymark.questions.confidence.groups import Accepted, accepted_shares, groups_at
from tallymark.questions.confidence.lambdas import every_gap_is_critical, human_critical
from tallymark.questions.routing.applying import asked_beside, each_response, with_vectors
from tallymark.questions.routing.artifact import Routing
from tallymark.questions.routing.calibration import Calibration, RoutingTerms, calibration_of
from tallymark.questions.routing.compute import chosen_by, routing_of
from tallymark.questions.routing.decisions import Decisions, decisions_of
from tallymark.questions.routing.findings import findings
from tallymark.questions.routing.outlook import Outlook, cost_table, plan_table
from tallymark.questions.routing.people import beside_second
from tallymark.questions.routing.rows import write_decisions
from tallymark.questions.routing.source import Source, source_of
from tallymark.questions.routing.tables import errors_table, thresholds_table
from tallymark.questions.routing.trusting import TRUST, certified_by_trust
from tallymark.questions.routing.watch import Watched, watched
from tallymark.results import (
    CONFIDENCE,
    Estimate,
    Evaluation,
    Finding,
    Key,
    ResultTable,
    system_called,
)
from tallymark.selective.bounds import interval
from tallymark.selective.cost import Prices
from tallymark.sources import ExcludedRow
from tallymark.sources.places import read_already
from tallymark.study.asked import Asked
from tallymark.study.collected import collected
from tallymark.study.measured import SubsetResults, subset_of
from tallymark.study.parts import Part, parts_of
from tallymark.study.reading import reading_of, roles_of
from tallymark.study.request import Request, takes
from tallymark.study.routing import ApplyKeywords, CertifyKeywords, MonitorKeywords
from tallymark.verdict.judged import judged
from tallymark.verdict.policy import policy_of

__all__ = [
    "Certified", "Decisions", "Routing", "Watched", "apply", "certify", "monitor",
    "write_decisions",
]  # fmt: skip
Cell = str | int | float | None


class Certified(NamedTuple):
    """The routing file, everything behind it, and the rows that were not used."""

    routing: Routing
    evaluation: Evaluation
    excluded: tuple[ExcludedRow, ...]

    def table(self, name: str) -> ResultTable:
        """Return a table of the evaluation by its name."""
        return self.evaluation.table(name)

    def __repr__(self) -> str:
        """What was read and certified, in a few lines."""
        return repr(self.evaluation)

    def _repr_html_(self) -> str:
        return self.evaluation._repr_html_()


Route = Routing | Certified | str | PathLike[str]
"""A routing, what holds one, or its file."""


def _routing(given: Route) -> Routing:
    if isinstance(given, Certified):
        return given.routing
    return given if isinstance(given, Routing) else Routing.read(Path(given))


@takes("route certify")
def certify(source: object, **asked: Unpack[CertifyKeywords]) -> Certified:
    """Find a threshold on the confidence that comes with a guarantee, on labelled responses.

    ``source`` is a random sample of the responses to come, which neither trained the system nor
    fitted its confidence. ``pool`` is a table of unlabelled responses, whose confidences become
    the thresholds that are tried.
    """
    return certified(source, Request.of("route certify", asked))


@takes("route apply")
def apply(routing: Route, source: object, **asked: Unpack[ApplyKeywords]) -> Decisions:
    """Decide about every response of a table; refuse a table that the routing is not for.

    ``routing`` is what :func:`certify` returned, its ``routing``, or the file of it.
    """
    request = Request.of("route apply", asked)
    terms, names = _routing(routing), ("missing",)
    table, options = with_vectors(terms, source, request, names)
    return decisions_of(terms, table, **options)


@takes("route monitor")
def monitor(routing: Route, source: object, **asked: Unpack[MonitorKeywords]) -> Watched:
    """Watch accepted responses that people scored, in the order of the rows or of ``time``."""
    request = Request.of("route monitor", asked)
    terms, names = _routing(routing), ("time", "missing", "where", "run_length")
    table, options = with_vectors(terms, source, request, names)
    return watched(terms, table, **options)


def certified(source: object, request: Request) -> Certified:
    """Certify as a request asks."""
    terms, reading = RoutingTerms.of(request), reading_of(request)
    limits = None if request.policy is None else policy_of(request.policy)
    trained, roles, confidence = None, roles_of(request), request.confidence
    source, roles, reading = each_response(source, request, roles, reading)
    if request.vectors is not None:
        source, trained = certified_by_trust(
            source, request.vectors, request.train, roles, request.system, reading
        )
        reading, confidence = read_already(reading), TRUST
    elif request.train is not None:
        raise OptionError("--train goes with --vectors")
    named = (confidence, request.probabilities, request.runs, request.confidence_from)
    spec = source_of(request.system, *named, reading)
    calibration = calibration_of(source, spec, terms, request.system, roles, reading)
    terms = terms.on(calibration.scores.gold_scale)
    everything = Part.whole(calibration.scores)
    people = human_critical(calibration.scores, everything, terms.lambda_, terms.level)
    rate = None if people is None else people.value
    routing = routing_of(calibration, terms, reading, pool=request.pool, human_rate=rate)
    routing = replace(routing, trained=trained)
    evaluation = _evaluation(calibration, terms, routing)
    evaluation = replace(evaluation, options={**evaluation.options, **asked_beside(request)})
    judgement = evaluation if limits is None else judged(evaluation, limits)
    return Certified(routing, judgement, calibration.scores.excluded)


def _evaluation(calibration: Calibration, terms: RoutingTerms, routing: Routing) -> Evaluation:
    """Put together what the thresholds do to these responses, and what they promise."""
    settings = Settings(level=terms.level, seed=terms.seed)
    scores, judged = calibration.scores, calibration.judged
    chosen = chosen_by(calibration, routing)
    accepted = Accepted(judged, chosen, {})
    parts = list(parts_of(scores, cross=False, lambda_=terms.lambda_))
    people = _between_people(calibration, parts[0], terms, chosen)
    second, shown = beside_second(calibration, terms, chosen)
    outlook = Outlook.of(routing, terms, chosen, calibration, people[0] if people else None)
    tables = [
        thresholds_table(routing),
        cost_table(calibration, terms, outlook),
        plan_table(terms, routing, outlook),
        errors_table(calibration, chosen),
        *shown,
    ]
    every = list(_parts(calibration, terms, accepted, parts, settings))
    first = every[0]
    every[0] = first._replace(estimates=[*first.estimates, *people, *second], tables=tuple(tables))
    groups = list(groups_at(accepted, calibration.system, parts, terms.level))
    every[0] = every[0]._replace(tables=(*every[0].tables, _groups_table([*every[1:], *groups])))
    asked = Asked(lambda_=terms.lambda_, critical=terms.critical)
    evaluation = collected(
        scores,
        settings,
        asked,
        [*every, *groups],
        kind="route",
        findings=[*_every_gap(calibration, terms), *findings(calibration, terms, routing, people)],
    )
    return replace(evaluation, options={**evaluation.options, **_options(terms, routing)})


def _every_gap(calibration: Calibration, terms: RoutingTerms) -> Sequence[Finding]:
    """That lambda calls every disagreement critical, where all prompts have one scale."""
    scores = calibration.scores
    if terms.critical is not None or scores.scales:
        return []
    return every_gap_is_critical(scores.gold_scale, terms.lambda_)


def _parts(
    calibration: Calibration,
    terms: RoutingTerms,
    accepted: Accepted,
    parts: Sequence[Part],
    settings: Settings,
) -> Iterator[SubsetResults]:
    """Yield shares, areas and curves of all responses and of each prompt."""
    judged = calibration.judged
    for part in parts:
        cases = judged.where(part.rows)
        if part.many or cases.n == 0 or any(key.startswith("group:") for key in part.where):
            continue
        keep = np.asarray(part.rows[judged.rows])
        covered, rate = accepted_shares(accepted, keep, terms.level)
        estimates = [covered, _exact(rate, terms.level), *areas(cases, settings, part.label)]
        subset = subset_of(part, system_called(calibration.system), n=cases.n, against=CONFIDENCE)
        yield SubsetResults(subset, estimates, [], curves=risk_curves(cases, terms.level))


def _between_people(
    calibration: Calibration, part: Part, terms: RoutingTerms, chosen: NDArray[np.bool_]
) -> list[Estimate]:
    """Critical errors between two people, on all responses and on the accepted ones."""
    inside = np.zeros(part.rows.size, dtype=bool)
    inside[np.flatnonzero(calibration.judged.rows)[chosen]] = True
    every = human_critical(calibration.scores, part, terms.lambda_, terms.level)
    some = human_critical(calibration.scores, part, terms.lambda_, terms.level, inside)
    named = [(every, {}), (some, {"of": "accepted"})]
    return [
        replace(estimate, key=Key(estimate.name, **params))
        for estimate, params in named
        if estimate is not None
    ]


def _exact(estimate: Estimate, level: float) -> Estimate:
    """The exact interval in the place of Wilson's."""
    if math.isnan(estimate.value) or "clusters" in estimate.method:
        return estimate
    k = round(estimate.value * estimate.n)
    low, high = interval(k, estimate.n, level)
    return replace(estimate, low=float(low), high=float(high), method="Clopper-Pearson interval")


def _groups_table(parts: Sequence[SubsetResults]) -> ResultTable:
    rows: list[tuple[Cell, ...]] = []
    for results in parts:
        subset = results.subset
        both = [e for e in results.estimates if e.name in ("accepted", "accepted_csrate")]
        name = subset.group if subset.group is not None else subset.prompt or subset.trait
        numbers = [n for e in both for n in (e.value, e.low, e.high)]
        rows.append((subset.column or "", name or subset.fold or "", subset.n, *_numbers(numbers)))
    return ResultTable(
        name="groups",
        title="Prompts and groups at the threshold",
        columns=(
            "column", "value", "responses", "coverage", "coverage low", "coverage high", "CSRate",
            "CSRate low", "CSRate high",
        ),
        rows=tuple(rows),
        note="Coverage: share of the responses that is accepted. CSRate: critical errors among them.",
    )  # fmt: skip


def _numbers(values: Sequence[float]) -> list[float | None]:
    return [None if math.isnan(value) else value for value in values]


def _options(terms: RoutingTerms, routing: Routing) -> dict[str, object]:
    return {
        **({} if terms.method == "dev_zero" else {"alpha": terms.alpha}),
        **({} if terms.margin is None else {"margin": terms.margin}),
        "delta": terms.delta,
        "method": terms.method,
        "by_prompt": terms.by_prompt,
        "family": routing.family,
        "confidence": routing.confidence.words,
        "confidence_columns": _asked_as(routing.confidence),
        "volume": terms.volume,
        "audit": terms.audit,
        "one_per_cluster": terms.one_per_cluster,
        "weigh": terms.weigh if terms.one_per_cluster else "",
        "double": terms.double,
        "prices": {
            name: price
            for name, price in asdict(terms.prices).items()
            if price != getattr(Prices(), name)
        },
    }


def _asked_as(source: Source) -> dict[str, object]:
    """The columns of the confidence under the options that name them."""
    if source.kind == "column":
        return {"confidence": source.columns[0]}
    how = {"confidence_from": source.how} if source.how else {}
    named: dict[str, object] = {source.kind: ",".join(source.columns)}
    return {"confidence": None, **(named if source.kind != "scores" else {}), **how}


def __dir__() -> list[str]:
    """The public names alone."""
    return __all__
