"""What stands behind a routing file, as an Evaluation: shares, groups, prices, plan, errors."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace

import numpy as np
from numpy.typing import NDArray

from tallymark.evaluation.asked import Asked
from tallymark.evaluation.collected import collected
from tallymark.evaluation.measured import Found, subset_of
from tallymark.evaluation.routing.artifact import Routing
from tallymark.evaluation.routing.calibration import Calibration, Terms, accepted_by
from tallymark.evaluation.routing.confidence import Source
from tallymark.evaluation.routing.people import beside_second, between_people
from tallymark.evaluation.routing.plan import Outlook, cost_table, plan_table
from tallymark.evaluation.selective.confidence import areas, risk_curves
from tallymark.evaluation.selective.groups import Accepted, accepted_shares, groups_at
from tallymark.inference import Settings
from tallymark.results import CONFIDENCE, Estimate, Evaluation, Table, system_called
from tallymark.selective.bounds import interval
from tallymark.selective.certify import part_of
from tallymark.selective.cost import Prices
from tallymark.selective.plan import search_labels, search_power
from tallymark.study.parts import Part, parts_of

LISTED = 200
"""So many accepted critical errors are listed at most."""
FEW_VALUES = 30
"""A confidence with fewer distinct values is told to be coarse."""
WORTH_TRYING = 0.8
"""Fewer labels than certify a system at a quarter of alpha so often are told to be few."""
Cell = str | int | float | None


def reported(found: Calibration, terms: Terms, routing: Routing) -> Evaluation:
    """Put together what the thresholds do to these responses, and what they promise."""
    settings = Settings(level=terms.level, seed=terms.seed)
    scores, judged = found.scores, found.judged
    chosen = chosen_by(found, routing)
    accepted = Accepted(judged, chosen, {}, "At the chosen threshold")
    parts = list(parts_of(scores, cross=False, lambda_=terms.lambda_))
    people = between_people(found, parts[0], terms, chosen)
    second, shown = beside_second(found, terms, chosen)
    outlook = Outlook.of(routing, terms, chosen, found, people[0] if people else None)
    tables = [
        _routing_table(routing),
        cost_table(found, terms, outlook),
        plan_table(terms, routing, outlook),
        _errors_table(found, chosen),
        *shown,
    ]
    every = list(_parts(found, terms, accepted, parts, settings))
    first = every[0]
    every[0] = first._replace(estimates=[*first.estimates, *people, *second], tables=tuple(tables))
    groups = list(groups_at(accepted, found.system, parts, terms.level))
    every[0] = every[0]._replace(tables=(*every[0].tables, _groups_table([*every[1:], *groups])))
    asked = Asked(lambda_=terms.lambda_)
    findings = tuple(_findings(found, terms, routing, people))
    evaluation = collected(
        scores, settings, asked, [*every, *groups], kind="route", findings=findings
    )
    return replace(evaluation, options={**evaluation.options, **_options(terms, routing)})


def _parts(
    found: Calibration,
    terms: Terms,
    accepted: Accepted,
    parts: Sequence[Part],
    settings: Settings,
) -> Iterator[Found]:
    """Yield shares, areas and curves of all responses and of each prompt."""
    judged = found.judged
    for part in parts:
        own = judged.where(part.rows)
        if part.many or own.n == 0 or any(key.startswith("group:") for key in part.where):
            continue
        keep = np.asarray(part.rows[judged.rows])
        covered, rate = accepted_shares(accepted, keep, terms.level)
        estimates = [covered, _exact(rate, terms.level), *areas(own, settings, part.label)]
        subset = subset_of(part, system_called(found.system), n=own.n, against=CONFIDENCE)
        yield Found(subset, estimates, [], curves=risk_curves(own, terms.level))


def chosen_by(found: Calibration, routing: Routing) -> NDArray[np.bool_]:
    """Which calibration responses are accepted; in a batch, by the calibration taken as one."""
    if routing.method == "batch":
        from tallymark.selective.batch import select

        judged = found.judged
        return select(judged.confidence, judged.wrong, judged.confidence, routing.alpha).accepted
    return accepted_by(routing.thresholds, found.judged.confidence, found.prompts)


def _options(terms: Terms, routing: Routing) -> dict[str, object]:
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
    return {"confidence": None, source.kind: ",".join(source.columns), **how}


def _exact(found: Estimate, level: float) -> Estimate:
    """The exact interval in the place of Wilson's."""
    if math.isnan(found.value) or "clusters" in found.method:
        return found
    k = round(found.value * found.n)
    low, high = interval(k, found.n, level)
    return replace(found, low=float(low), high=float(high), method="Clopper-Pearson interval")


def _routing_table(routing: Routing) -> Table:
    rows = [
        (
            one.prompt or "all", "yes" if one.certified else "no", one.rule, one.tau, one.coverage,
            one.n, one.k, one.upper, one.needed, one.statement,
        )
        for one in routing.thresholds
    ]  # fmt: skip
    return Table(
        name="routing",
        title="Thresholds",
        columns=(
            "prompt", "certified", "rule", "threshold", "coverage", "accepted", "critical errors",
            "upper bound", "labels needed", "statement",
        ),
        rows=tuple(rows),
        note=f"Accepted is a response whose confidence ({routing.confidence.words}) stands to the "
        "threshold as the rule says; counts are of calibration responses.",
    )  # fmt: skip


def _groups_table(parts: Sequence[Found]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for found in parts:
        subset = found.subset
        both = [e for e in found.estimates if e.name in ("accepted", "accepted_csrate")]
        name = subset.group if subset.group is not None else subset.prompt or subset.trait
        numbers = [n for e in both for n in (e.value, e.low, e.high)]
        rows.append((subset.column or "", name or subset.fold or "", subset.n, *_numbers(numbers)))
    return Table(
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


def _errors_table(found: Calibration, chosen: NDArray[np.bool_]) -> Table:
    """The accepted critical errors of the calibration, the most confident first."""
    judged, patterns = found.judged, found.scores.patterns
    which = np.flatnonzero(chosen & judged.wrong)
    gold, given = (
        patterns.scores[name][judged.rows] for name in ("gold", f"system:{found.system}")
    )
    prompts = found.prompts
    ids = found.ids if found.ids is not None else np.full(judged.counts.size, "", dtype=object)
    order = np.lexsort((gold[which], ids[which].astype(str), -judged.confidence[which]))
    rows = [
        (
            str(ids[i]) or None, str(prompts[i]) or None, float(gold[i]), float(given[i]),
            float(judged.confidence[i]),
        )
        for i in which[order][:LISTED]
    ]  # fmt: skip
    more = f" The first {LISTED} of {which.size} are listed." if which.size > LISTED else ""
    without = (
        "" if found.ids is not None else " Name the id column with --id to see which they are."
    )
    return Table(
        name="accepted_errors",
        title="Critical errors that would have been accepted",
        columns=("id", "prompt", "gold", "score", "confidence"),
        rows=tuple(rows),
        note=f"Of the calibration responses.{more}{without}",
    )


def _findings(
    found: Calibration, terms: Terms, routing: Routing, people: Sequence[Estimate]
) -> Iterator[str]:
    """What a reader must know before the numbers."""
    yield from found.notes
    if people and people[0].value > terms.alpha and terms.method != "dev_zero":
        yield (
            f"two people differ by a critical error on {100 * people[0].value:.1f} % of the responses "
            f"they both scored; labels like these cannot show that a system errs less often, and "
            f"alpha is {100 * terms.alpha:g} %: have the labels adjudicated, or state alpha as the "
            "rate against one person's score"
        )
    yield from _few_labels(terms, routing)
    distinct = np.unique(found.judged.confidence).size
    if distinct < FEW_VALUES and any(one.grid == "rank" for one in routing.thresholds):
        yield (
            f"the confidence takes {distinct} value{'s' * (distinct > 1)} only; equal confidences stand or fall together, so "
            "that coverage moves in large steps"
        )
    if routing.thresholds[0].prompt is None and len(routing.prompts) > 1:
        yield (
            f"the threshold is for the {len(routing.prompts)} prompts together, in the mixture of the "
            "calibration; a single prompt may have more critical errors: see --by prompt"
        )
    if not routing.ids:
        yield "no id column is known: responses of the calibration cannot be told from new ones"


def _few_labels(terms: Terms, routing: Routing) -> Iterator[str]:
    """Few labels seldom certify, so that much of what they do certify is luck."""
    sizes = [one.total for one in routing.thresholds if one.certified]
    if routing.method != "ltt" or not sizes:
        return
    each = part_of(terms.delta, len(routing.thresholds) if terms.by_prompt else 1, terms.family)
    n, rate = min(sizes), terms.alpha / 4
    chance = search_power(n, n, terms.alpha, each, rate).some
    if chance < WORTH_TRYING:
        enough = search_labels(terms.alpha, each, rate, 1.0, WORTH_TRYING)
        yield (
            f"{n} labels are few: they certify {100 * chance:.0f} in 100 systems whose rate is {rate:g}, a "
            "quarter of alpha. The promise counts every calibration, also those that certify nothing; "
            "of the rare certificates from few labels, a third and more were unsafe in simulations. "
            f"{enough:.0f} labels or more make this one worth relying on"
        )
