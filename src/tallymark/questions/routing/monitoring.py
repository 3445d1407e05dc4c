"""Monitor: audited responses in, "still valid" or an alarm out."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tallymark.arrays import Floats, Whole
from tallymark.defaults import RUN_LENGTH
from tallymark.errors import DataError
from tallymark.questions.routing.certification import (
    Calibration,
    RoutingTerms,
    accepted_by,
    calibration_of,
)
from tallymark.questions.routing.decisions import ConfidenceDrift, check_overlap, drifts
from tallymark.questions.routing.routing_file import Routing
from tallymark.questions.routing.tables import promised_rate
from tallymark.selective.bounds import interval, upper
from tallymark.selective.monitor import Watch, e_detector, e_process
from tallymark.sources import PromptOptions, Roles
from tallymark.sources.confidence import read_columns

YEAR_FIRST = re.compile(r"\d{4}-\d\d")


class Watched(Struct, frozen=True, kw_only=True):
    """What audits say of a routing file.

    ``rate`` is the rate of critical errors among the accepted that was promised; ``since_start``
    watches whether it has been kept throughout, ``lately`` whether it rose at some point.
    ``not_accepted`` responses were left out: no rule of the file accepts them. ``method`` is that of
    the routing file; of "dev_zero" nothing was promised, and ``rate`` is the bound as reported.
    ``clusters`` is above 0 where several audits share one.
    """

    audited: int
    errors: int
    rate: float
    low: float
    high: float
    bound: float
    since_start: Watch
    lately: Watch
    run_length: float
    drifts: Mapping[str, ConfidenceDrift]
    not_accepted: int
    method: str = "ltt"
    clusters: int = 0

    @property
    def alarms(self) -> list[str]:
        """What speaks against the certificate: since_start, lately, or what has drifted."""
        watches = {"since_start": self.since_start, "lately": self.lately}
        alarms = [name for name, watch in watches.items() if not watch.valid]
        return alarms + [name for name, drift in self.drifts.items() if drift.large]

    @property
    def valid(self) -> bool:
        """Whether nothing speaks against the certificate."""
        return not self.alarms

    def __repr__(self) -> str:
        """Whether the certificate still holds, and what was seen."""
        from tallymark.questions.routing.view import audit_sentences

        return "\n".join(map(str, audit_sentences(self)))


def watched(
    routing: Routing,
    source: object,
    *,
    time: str | None = None,
    missing: tuple[str, ...] = (),
    where: str | None = None,
    place: Mapping[str, Any] = MappingProxyType({}),
    run_length: float = RUN_LENGTH,
) -> Watched:
    """Watch accepted responses that people scored, in the order of the rows or of ``time``."""
    terms = RoutingTerms(
        alpha=routing.alpha, delta=routing.delta, lambda_=routing.lambda_, one_per_cluster=True
    )
    roles = Roles(
        humans=routing.humans,
        gold=routing.gold,
        prompt=routing.prompt,
        id=routing.id,
        systems=(routing.system,),
    )
    reading = {**_reading(routing, missing), **place, "where": where}
    scale = routing.range_ if routing.continuous else None
    calibration = calibration_of(
        source, routing.confidence, terms, routing.system, roles, reading, scale
    )
    check_overlap(routing, calibration.ids)
    judged = calibration.judged
    accepted = _accepted(routing, calibration)
    rows = calibration.scores.patterns.scores["row"][judged.rows]
    order = _order(source, rows, time, place)
    critical = judged.wrong[order][accepted[order]].astype(np.int64)
    errors, n, rate = int(critical.sum()), int(critical.size), _rate(routing)
    low, high = interval(errors, n, 1 - routing.delta)
    clusters = 0 if judged.clusters is None else np.unique(judged.clusters[accepted]).size
    return Watched(
        audited=n,
        errors=errors,
        rate=rate,
        low=float(low),
        high=float(high),
        bound=float(upper(errors, n, routing.delta)),
        since_start=e_process(critical, rate, delta=routing.delta),
        lately=e_detector(critical, rate, run_length=run_length),
        run_length=run_length,
        drifts=drifts(routing, judged.confidence[accepted], calibration.system_scores[accepted]),
        not_accepted=int((~accepted).sum()),
        method=routing.method,
        clusters=clusters if clusters < n else 0,
    )


def _accepted(routing: Routing, calibration: Calibration) -> NDArray[np.bool_]:
    """Which audited responses the routing file accepts; of a batch all, for it has no threshold."""
    if all(threshold.rule == "none" for threshold in routing.thresholds):
        raise DataError(
            "the routing file accepts nothing, so that no response stands alone and there is nothing "
            "to watch: certify again, on more labels"
        )
    if routing.method == "batch":
        accepted = np.ones(calibration.judged.counts.size, dtype=bool)
    else:
        confidence = calibration.judged.confidence
        accepted = accepted_by(routing.thresholds, confidence, calibration.prompts)
    if routing.prompts:  # a prompt that was not calibrated is never accepted
        accepted &= np.isin(calibration.prompts.astype(str), routing.prompts)
    if not accepted.any():
        raise DataError(
            f"none of {accepted.size} audited responses is accepted by the routing file: give responses "
            "that it accepted, with the human score of the audit"
        )
    return accepted


def _rate(routing: Routing) -> float:
    """The promised rate, at the coverage of the calibration."""
    total = sum(threshold.total for threshold in routing.thresholds)
    accepted = sum(threshold.coverage * threshold.total for threshold in routing.thresholds)
    rate = promised_rate(routing, accepted / max(total, 1))
    if rate is None:
        raise DataError("the routing file certifies nothing: there is nothing to watch")
    return rate


def _reading(routing: Routing, missing: tuple[str, ...]) -> dict[str, Any]:
    """The options by which audited responses are read, those of the calibration."""
    options, mapped = dict(routing.reading), routing.system_scale
    prompts = {
        name: PromptOptions(scale=of_prompt.get("scale"), lambda_=of_prompt.get("lambda"))
        for name, of_prompt in options.get("prompts", {}).items()
    }
    return {
        **options,
        "scale": options.get("scale") or None,
        "missing": missing or tuple(options.get("missing", ())),
        "prompts": prompts,
        "system_scale": None if mapped is None else f"{mapped[0]:g}:{mapped[1]:g}",
    }


def _order(source: object, rows: Floats, time: str | None, place: Mapping[str, Any]) -> Whole:
    """Places of the responses in order of time: that of the rows, or that of a column."""
    if time is None:
        return np.argsort(rows, kind="stable")
    _, texts = read_columns(source, numbers={}, texts={time: "asked for as --time"}, place=place)
    times = texts[time][rows.astype(np.int64) - 1]
    if (times == "").any():
        raise DataError(f"column {time!r} lacks a time in row {int(rows[times == ''][0])}")
    try:
        return np.lexsort((rows, times.astype(np.float64)))
    except ValueError:  # times as text sort as they are written if the year comes first
        unsorted = [text for text in times.tolist() if not YEAR_FIRST.match(text)]
        if unsorted:
            raise DataError(
                f"column {time!r} must hold numbers, or dates and times that begin with year and "
                f"month such as 2026-03-01, got {min(unsorted)!r}: other texts do not sort by time"
            ) from None
        return np.lexsort((rows, times.astype(str)))
