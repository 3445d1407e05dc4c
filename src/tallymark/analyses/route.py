"""Routing from Python, as ``tallymark.route``: certify, apply, monitor."""

import math
from collections.abc import Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple, Unpack

import numpy as np
from msgspec.structs import asdict, replace
from numpy.typing import NDArray

from tallymark.errors import OptionError
from tallymark.inference import Settings
from tallymark.questions.confidence.compute import areas, risk_curves
from tallymark.questions.confidence.groups import Accepted, accepted_shares, groups_at
from tallymark.questions.confidence.lambdas import every_gap_is_critical, human_critical
from tallymark.questions.routing.certification import (
    Calibration,
    RoutingTerms,
    accepted_labels,
    calibration_of,
    routing_of,
)
from tallymark.questions.routing.confidence import (
    TRUST,
    applied_by_trust,
    certified_by_trust,
    source_of,
)
from tallymark.questions.routing.decisions import Decisions, decisions_of, write_decisions
from tallymark.questions.routing.monitoring import Watched, watched
from tallymark.questions.routing.routing_file import Routing
from tallymark.questions.routing.tables import (
    Outlook,
    cost_table,
    errors_table,
    findings,
    plan_table,
    second_rater,
    thresholds_table,
)
from tallymark.results import (
    CONFIDENCE,
    Estimate,
    Evaluation,
    Key,
    ResultTable,
    system_called,
)
from tallymark.selective.bounds import interval
from tallymark.selective.cost import Prices
from tallymark.sources import ExcludedRow
from tallymark.sources.counted import written_out
from tallymark.sources.places import place_of, read_already
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


def _routing(route: Route) -> Routing:
    if isinstance(route, Certified):
        return route.routing
    return route if isinstance(route, Routing) else Routing.read(Path(route))


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
    request, terms = Request.of("route apply", asked), _routing(routing)
    table, options = _new_responses(terms, source, request, ("missing",))
    return decisions_of(terms, table, **options)


@takes("route monitor")
def monitor(routing: Route, source: object, **asked: Unpack[MonitorKeywords]) -> Watched:
    """Watch accepted responses that people scored, in the order of the rows or of ``time``."""
    request, terms = Request.of("route monitor", asked), _routing(routing)
    names = ("time", "missing", "where", "run_length")
    table, options = _new_responses(terms, source, request, names)
    return watched(terms, table, **options)


def _new_responses(
    routing: Routing, source: object, request: Request, names: tuple[str, ...]
) -> tuple[object, Mapping[str, Any]]:
    """The table, with its trust scores if need be, and the named options of reading it."""
    place = place_of(request.reading)
    table = applied_by_trust(routing, source, request.vectors, place)
    options = request.some(names)
    return table, {**options, "place": place} if table is source else options


def certified(source: object, request: Request) -> Certified:
    """Certify as a request asks."""
    terms, reading = RoutingTerms.of(request), reading_of(request)
    limits = None if request.policy is None else policy_of(request.policy)
    trained, roles, confidence = None, roles_of(request), request.confidence
    if request.count is not None:  # responses are looked at one by one: a tally is written out
        if request.vectors is not None:
            raise OptionError("--vectors has one vector a response: leave out --count")
        source = written_out(source, request.count, place_of(reading))
        roles, reading = replace(roles, count=None), read_already(reading)
    if request.vectors is not None:
        source, trained = certified_by_trust(
            source, request.vectors, request.train, roles, request.system, reading
        )
        reading, confidence = read_already(reading), TRUST
    elif request.train is not None:
        raise OptionError("--train goes with --vectors")
    columns = (confidence, request.probabilities, request.runs, request.confidence_from)
    spec = source_of(request.system, *columns, reading)
    calibration = calibration_of(source, spec, terms, request.system, roles, reading)
    terms = terms.on(calibration.scores.gold_scale)
    everything = Part.whole(calibration.scores)
    people = human_critical(calibration.scores, everything, terms.lambda_, terms.level)
    rate = None if people is None else people.value
    routing = routing_of(calibration, terms, reading, pool=request.pool, human_rate=rate)
    routing = replace(routing, trained=trained)
    evaluation = _evaluation(calibration, terms, routing)
    options = {**evaluation.options, **_options(terms, routing, request)}
    evaluation = replace(evaluation, options=options)
    judgement = evaluation if limits is None else judged(evaluation, limits)
    return Certified(routing, judgement, calibration.scores.excluded)


def _evaluation(calibration: Calibration, terms: RoutingTerms, routing: Routing) -> Evaluation:
    """Put together what the thresholds do to these responses, and what they promise."""
    settings = Settings(level=terms.level, seed=terms.seed)
    scores, chosen = calibration.scores, accepted_labels(calibration, routing)
    accepted = Accepted(calibration.judged, chosen, {})
    parts = list(parts_of(scores, cross=False, lambda_=terms.lambda_))
    people = _between_people(calibration, parts[0], terms, chosen)
    excess, no_worse = second_rater(calibration, terms, chosen)
    outlook = Outlook.of(routing, terms, chosen, calibration, people[0] if people else None)
    everything, *prompts = _parts(calibration, terms, accepted, parts, settings)
    groups = list(groups_at(accepted, calibration.system, parts, terms.level))
    everything = everything._replace(
        estimates=[*everything.estimates, *people, *excess],
        tables=(
            thresholds_table(routing),
            cost_table(calibration, terms, outlook),
            plan_table(terms, routing, outlook),
            errors_table(calibration, chosen),
            *no_worse,
            _groups_table([*prompts, *groups]),
        ),
    )
    notes = [*findings(calibration, terms, routing, people)]
    if terms.critical is None and not scores.scales:
        notes = [*every_gap_is_critical(scores.gold_scale, terms.lambda_), *notes]
    return collected(
        scores,
        settings,
        Asked(lambda_=terms.lambda_, critical=terms.critical),
        [everything, *prompts, *groups],
        kind="route",
        findings=notes,
    )


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
    accepted = np.zeros(part.rows.size, dtype=bool)
    accepted[np.flatnonzero(calibration.judged.rows)[chosen]] = True
    scores, lambda_, level = calibration.scores, terms.lambda_, terms.level
    on_all = human_critical(scores, part, lambda_, level)
    on_accepted = human_critical(scores, part, lambda_, level, accepted)
    if on_accepted is not None:
        on_accepted = replace(on_accepted, key=Key(on_accepted.name, of="accepted"))
    return [estimate for estimate in (on_all, on_accepted) if estimate is not None]


def _exact(estimate: Estimate, level: float) -> Estimate:
    """The exact interval in the place of Wilson's."""
    if math.isnan(estimate.value) or "clusters" in estimate.method:
        return estimate
    k = round(estimate.value * estimate.n)
    low, high = interval(k, estimate.n, level)
    return replace(estimate, low=float(low), high=float(high), method="Clopper-Pearson interval")


def _groups_table(parts: Sequence[SubsetResults]) -> ResultTable:
    """Coverage and critical errors of prompts and groups at the threshold."""
    rows = []
    for part in parts:
        subset = part.subset
        name = subset.group if subset.group is not None else subset.prompt or subset.trait
        ends = [
            None if math.isnan(number) else number
            for estimate in part.estimates
            if estimate.name in ("accepted", "accepted_csrate")
            for number in (estimate.value, estimate.low, estimate.high)
        ]
        rows.append((subset.column or "", name or subset.fold or "", subset.n, *ends))
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


def _options(terms: RoutingTerms, routing: Routing, request: Request) -> dict[str, Any]:
    """The terms, prices and columns that the evaluation records."""
    usual = asdict(Prices())
    options: dict[str, Any] = {
        "delta": terms.delta,
        "method": terms.method,
        "by_prompt": terms.by_prompt,
        "family": routing.family,
        "confidence": routing.confidence.words,
        "confidence_columns": routing.confidence.options,
        "volume": terms.volume,
        "audit": terms.audit,
        "one_per_cluster": terms.one_per_cluster,
        "weigh": terms.weigh if terms.one_per_cluster else "",
        "double": terms.double,
        "prices": {n: price for n, price in asdict(terms.prices).items() if price != usual[n]},
    }
    if terms.method != "dev_zero":
        options["alpha"] = terms.alpha
    if terms.margin is not None:
        options["margin"] = terms.margin
    if request.vectors is not None:
        columns = {"confidence": None, "vectors": "VECTORS", "train": request.train}
        options["confidence_columns"] = columns
    if request.pool is not None:
        options["pooled"] = True
    if request.count is not None:
        options["count"] = request.count
    return options


def __dir__() -> list[str]:
    """The public names alone."""
    return __all__
