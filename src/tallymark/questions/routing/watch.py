"""Monitor: audited responses in, "still valid" or an alarm out."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.defaults import RUN_LENGTH
from tallymark.errors import DataError
from tallymark.questions.routing.artifact import Routing
from tallymark.questions.routing.calibration import (
    Calibration,
    RoutingTerms,
    accepted_by,
    calibration_of,
)
from tallymark.questions.routing.decisions import ConfidenceDrift, check_overlap, drifts
from tallymark.questions.routing.outlook import watched_rate
from tallymark.selective.bounds import interval, upper
from tallymark.selective.monitor import Watch, e_detector, e_process
from tallymark.sources import PromptOptions, Roles
from tallymark.sources.confidence import read_columns
from tallymark.study.judged import Judged

Floats = NDArray[np.float64]
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
        drifted = [name for name, drift in self.drifts.items() if drift.large]
        return [*(name for name, watch in watches.items() if not watch.valid), *drifted]

    @property
    def valid(self) -> bool:
        """Whether nothing speaks against the certificate."""
        return not self.alarms

    def __repr__(self) -> str:
        """Whether the certificate still holds, and what was seen."""
        from tallymark.questions.routing.say import audits

        return "\n".join(map(str, audits(self)))


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
    terms = RoutingTerms(alpha=routing.alpha, delta=routing.delta, lambda_=routing.lambda_)
    roles = Roles(
        humans=routing.humans, gold=routing.gold, prompt=routing.prompt, id=routing.id,
        systems=(routing.system,),
    )  # fmt: skip
    reading = {**_reading(routing, missing), **place, "where": where}
    calibration = calibration_of(
        source, routing.confidence, replace(terms, one_per_cluster=True), routing.system, roles,
        reading, routing.range_ if routing.continuous else None,
    )  # fmt: skip
    check_overlap(routing, calibration.ids)
    judged = calibration.judged
    chosen = _accepted(routing, calibration)
    rows = calibration.scores.patterns.scores["row"][judged.rows]
    order = _order(source, rows, time, place)
    wrong = judged.wrong[order][chosen[order]].astype(np.int64)
    rate = _rate(routing)
    low, high = interval(int(wrong.sum()), wrong.size, 1 - routing.delta)
    given = calibration.scores.patterns.scores[f"system:{routing.system}"][judged.rows]
    return Watched(
        audited=int(wrong.size),
        errors=int(wrong.sum()),
        rate=rate,
        low=float(low),
        high=float(high),
        bound=float(upper(int(wrong.sum()), wrong.size, routing.delta)),
        since_start=e_process(wrong, rate, delta=routing.delta),
        lately=e_detector(wrong, rate, run_length=run_length),
        run_length=run_length,
        drifts=drifts(routing, "accepted", judged.confidence[chosen], given[chosen]),
        not_accepted=int((~chosen).sum()),
        method=routing.method,
        clusters=_shared(judged, chosen),
    )


def _accepted(routing: Routing, calibration: Calibration) -> NDArray[np.bool_]:
    """Which audited responses the routing file accepts; of a batch all, for it has no threshold."""
    if routing.method == "batch":
        chosen = np.ones(calibration.judged.counts.size, dtype=bool)
    else:
        chosen = accepted_by(routing.thresholds, calibration.judged.confidence, calibration.prompts)
    if routing.prompts:  # a prompt that was not calibrated is never accepted
        chosen &= np.isin(calibration.prompts.astype(str), routing.prompts)
    if all(threshold.rule == "none" for threshold in routing.thresholds):
        raise DataError(
            "the routing file accepts nothing, so that no response stands alone and there is nothing "
            "to watch: certify again, on more labels"
        )
    if not chosen.any():
        raise DataError(
            f"none of {chosen.size} audited responses is accepted by the routing file: give responses "
            "that it accepted, with the human score of the audit"
        )
    return chosen


def _shared(judged: Judged, chosen: NDArray[np.bool_]) -> int:
    """How many clusters the audits come from, 0 where each has its own."""
    if judged.clusters is None:
        return 0
    clusters = np.unique(judged.clusters[chosen]).size
    return clusters if clusters < chosen.sum() else 0


def _rate(routing: Routing) -> float:
    total = sum(threshold.total for threshold in routing.thresholds)
    coverage = sum(threshold.coverage * threshold.total for threshold in routing.thresholds) / max(
        total, 1
    )
    rate = watched_rate(routing, coverage)
    if rate is None:
        raise DataError("the routing file certifies nothing: there is nothing to watch")
    return rate


def _reading(routing: Routing, missing: tuple[str, ...]) -> dict[str, Any]:
    kept = dict(routing.reading)
    by_prompt = kept.pop("prompts", {})
    kept["scale"] = kept.get("scale") or None
    prompts = {
        name: PromptOptions(scale=given.get("scale"), lambda_=given.get("lambda"))
        for name, given in by_prompt.items()
    }
    mapped = routing.system_scale
    return {
        **kept,
        "missing": missing or tuple(kept.get("missing", ())),
        "prompts": prompts,
        "system_scale": None if mapped is None else f"{mapped[0]:g}:{mapped[1]:g}",
    }


def _order(
    source: object, rows: Floats, time: str | None, place: Mapping[str, Any]
) -> NDArray[np.int64]:
    """Places of the responses in order of time: that of the rows, or that of a column."""
    if time is None:
        return np.argsort(rows, kind="stable")
    _, texts = read_columns(source, numbers={}, texts={time: "asked for as --time"}, place=place)
    when = texts[time][rows.astype(np.int64) - 1]
    if (when == "").any():
        raise DataError(f"column {time!r} lacks a time in row {int(rows[when == ''][0])}")
    try:
        return np.lexsort((rows, when.astype(np.float64)))
    except ValueError:  # times as text sort as they are written if the year comes first
        odd = [text for text in when.tolist() if not YEAR_FIRST.match(text)]
        if odd:
            raise DataError(
                f"column {time!r} must hold numbers, or dates and times that begin with year and "
                f"month such as 2026-03-01, got {min(odd)!r}: other texts do not sort by time"
            ) from None
        return np.lexsort((rows, when.astype(str)))
