"""What a threshold means at a volume: critical errors to expect, audits, work and money."""

from itertools import combinations
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.questions.routing import say
from tallymark.questions.routing.artifact import Routing
from tallymark.questions.routing.calibration import Calibration, RoutingTerms
from tallymark.questions.routing.say import WORK_SAVED
from tallymark.results import Estimate, ResultTable
from tallymark.selective.bounds import (
    audit_size,
    future_errors,
    future_errors_certified,
    labels_for_zero,
)
from tallymark.selective.cost import Workload, cost, errors_per_1000
from tallymark.selective.methods import METHODS
from tallymark.study.judged import margins, on_scale
from tallymark.study.rows import Rows

Cell = str | int | float | None


class Outlook(NamedTuple):
    """Coverage, critical errors and their bound, as they are expected at the volume.

    ``bound`` is the rate among the accepted that is promised; None where none is. ``clustered``:
    responses to come share clusters, so that their errors come together; ``whose`` are counted.
    """

    coverage: float
    rate: float
    bound: float | None
    accepted: int
    n: int
    k: int
    human_rate: float | None
    clustered: bool = False
    whose: str = "responses"

    @classmethod
    def of(
        cls,
        routing: Routing,
        terms: RoutingTerms,
        chosen: NDArray[np.bool_],
        calibration: Calibration,
        people: Estimate | None,
    ) -> "Outlook":
        """Read it off the calibration."""
        alike = calibration.clustered and terms.weigh == "clusters"
        counted = calibration.used if alike else np.ones_like(chosen)
        n = int((chosen & counted).sum())
        k = int((chosen & counted & calibration.judged.wrong).sum())
        coverage = n / int(counted.sum())
        bound = watched_rate(routing, coverage)
        return cls(
            coverage=coverage,
            rate=k / n if n else float("nan"),
            bound=bound,
            accepted=round(terms.volume * coverage),
            n=n,
            k=k,
            human_rate=None if people is None else people.value,
            clustered=calibration.clustered and not alike,
            whose="responses, one of each cluster" if alike else "responses",
        )


def watched_rate(routing: Routing, coverage: float) -> float | None:
    """The rate of critical errors among the accepted that a certificate speaks of."""
    if routing.method == "dev_zero":
        uppers = [
            threshold.upper for threshold in routing.thresholds if threshold.upper is not None
        ]
        return max(uppers, default=None)
    if not routing.certified:
        return None
    return METHODS[routing.method].rate(routing.alpha, coverage)


def plan_table(terms: RoutingTerms, routing: Routing, outlook: Outlook) -> ResultTable:
    """Critical errors to expect, how many audits bound them, and what "none" would cost."""
    m, delta = outlook.accepted, terms.delta
    rows: list[tuple[Cell, ...]] = [
        ("submitted", terms.volume, "responses"),
        ("accepted", m, "responses, at the coverage of the calibration"),
    ]
    if outlook.n and m:
        rows.append(("critical errors expected", m * outlook.rate, "among them, at the rate seen"))
        rows.append(_upper(routing, outlook, m, delta))
        if outlook.bound is not None:
            most = int(np.floor(outlook.bound * m))
            size = audit_size(m, most, delta)
            rows.append(("audit", size, str(say.audited(most, 1 - delta))))
        if not outlook.clustered:
            clean = labels_for_zero(m, delta)
            meaning = "accepted labels without a critical error would promise that none follows"
            rows.append(("for no error at all", clean, meaning))
    return ResultTable(
        name="plan",
        title=str(say.to_come(terms.volume, outlook.whose)),
        columns=("what", "number", "meaning"),
        rows=tuple(rows),
    )


def _upper(routing: Routing, outlook: Outlook, m: int, delta: float) -> tuple[Cell, ...]:
    if outlook.clustered:
        rate = outlook.rate if outlook.bound is None else outlook.bound
        said = "on average; errors of a cluster come together, so that a single lot can hold more"
        said += ", had the threshold been fixed beforehand" if routing.method == "dev_zero" else ""
        return ("critical errors at most", m * rate, said)
    if routing.method == "ltt" and routing.certified:
        bound = future_errors_certified(routing.alpha, m, delta)
        return ("critical errors at most", bound, str(say.doubted(max(1 - 2 * delta, 0))))
    bound = future_errors(outlook.k, outlook.n, m, delta)
    return ("critical errors at most", bound, str(say.beforehand(1 - delta)))


def cost_table(calibration: Calibration, terms: RoutingTerms, outlook: Outlook) -> ResultTable:
    """People alone, the machine as second rater, and selective scoring, per response and in all."""
    apart = _apart(calibration, terms)
    base: Literal["single", "double"] = "double" if terms.double else "single"
    work = Workload(
        terms.volume, outlook.coverage, terms.audit, base=base, p_hh=apart[0], p_hm=apart[1],
        labels=int(calibration.used.sum()),
    )  # fmt: skip
    seen = cost(work, terms.prices)
    ways = (
        ("price per response", seen.base, seen.second_rater, seen.selective),
        (
            "readings per response", seen.readings_base, seen.readings_second_rater,
            seen.readings_selective,
        ),
        (
            "price in all", seen.base * terms.volume,
            seen.second_rater * terms.volume, seen.selective * terms.volume,
        ),
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = [*ways]
    rows.append((WORK_SAVED, None, None, seen.workload_saved))
    rows.append(("setup, paid once", None, None, seen.setup))
    even = None if np.isnan(seen.break_even) else seen.break_even
    rows.append(("break-even, responses", None, None, even))
    rows.append(("saved in all, less setup", None, None, seen.net_saving))
    if outlook.human_rate is not None and outlook.n:
        rate = outlook.human_rate
        for words, accepted_rate in (("seen", outlook.rate), ("promised at most", outlook.bound)):
            if accepted_rate is not None:
                errors = errors_per_1000(outlook.coverage, terms.audit, accepted_rate, rate)
                rows.append((f"CSEs per 1,000, {words}", 1000 * rate, None, errors))
    return ResultTable(
        name="cost",
        title="Work and prices",
        columns=("what", "people alone", "machine as second rater", "selective"),
        rows=tuple(rows),
        note=_note(calibration, terms, apart),
    )


def _note(calibration: Calibration, terms: RoutingTerms, apart: tuple[float, float]) -> str:
    """What the prices rest on."""
    people, machine = apart if len(calibration.scores.humans) > 1 else (None, apart[1])
    step = _step(calibration, terms)
    return str(say.prices(terms.volume, terms.audit, step, people, machine, double=terms.double))


def _step(calibration: Calibration, terms: RoutingTerms) -> float:
    """The gap that two scores may have: one step; on a continuous scale less than is critical.

    Labels without an order may have none.
    """
    scale = calibration.scores.rater_scale
    if scale.nominal:
        return 0.0
    return scale.step or terms.lambda_ * (scale.high - scale.low)


def _apart(calibration: Calibration, terms: RoutingTerms) -> tuple[float, float]:
    """Shares of responses on which two people, or person and machine, differ by more than a step."""
    patterns, step = calibration.scores.patterns, _step(calibration, terms)
    gold, given = patterns.scores["gold"], patterns.scores[f"system:{calibration.system}"].copy()
    for scale, _, rows in margins(calibration.scores, terms.lambda_):
        some = rows & ~np.isnan(given)
        given[some] = on_scale(given[some], scale)
    both = ~np.isnan(gold) & ~np.isnan(given)
    machine = np.abs(gold - given)[both] > step + 1e-9
    return _people_apart(calibration, step), float(machine.mean()) if both.any() else 0.0


def _people_apart(calibration: Calibration, step: float) -> float:
    """The share of pairs of ratings, whoever gave them, that differ by more than a step."""
    patterns, humans = calibration.scores.patterns, calibration.scores.humans
    if len(humans) < 2:
        return 0.0
    ratings = np.stack([patterns.scores[f"human:{name}"] for name in humans], axis=1)
    ordered = Rows(ratings, patterns.counts, np.zeros(1)).unnamed().scores
    if ordered.shape[1] < 2:  # nothing was rated twice
        return 0.0
    places = combinations(range(ordered.shape[1]), 2)
    gaps = np.stack([ordered[:, b] - ordered[:, a] for a, b in places])
    given = ~np.isnan(gaps)
    number = given.sum(axis=0)
    twice = number > 0
    wide = (gaps > step + 1e-9).sum(axis=0)[twice] / number[twice]
    return float(wide.mean()) if twice.any() else 0.0
