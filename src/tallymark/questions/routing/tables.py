"""What a certified threshold means: errors accepted and to come, work and money, a second rater."""

import math
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.errors import OptionError
from tallymark.questions.routing.certification import Calibration, RoutingTerms
from tallymark.questions.routing.routing_file import Routing
from tallymark.questions.routing.view import WORK_SAVED
from tallymark.render.sentences import Sentence
from tallymark.results import Estimate, Finding, Key, ResultTable
from tallymark.selective.bounds import (
    audit_size,
    future_errors,
    future_errors_certified,
    labels_for_zero,
)
from tallymark.selective.certify import part_of
from tallymark.selective.cost import Workload, cost, errors_per_1000
from tallymark.selective.guarantees import METHODS
from tallymark.selective.humans import no_worse, score_upper
from tallymark.selective.plan import search_labels, search_power
from tallymark.sources import Scores
from tallymark.study.judged import critical_of, gaps_of
from tallymark.study.rows import Rows

Cell = str | int | float | None
Flags = NDArray[np.bool_]
LISTED = 200
"""So many accepted critical errors are listed at most."""
FEW_VALUES = 30
"""A confidence with fewer distinct values is coarse."""
WORTH_TRYING = 0.8
"""Labels are few if they certify a system at a quarter of alpha less often than this."""
_note = partial(Finding, weight="note")


def thresholds_table(routing: Routing) -> ResultTable:
    """What is accepted of each prompt, and what was seen there."""
    return ResultTable(
        name="routing",
        title="Thresholds",
        columns=(
            "prompt", "certified", "rule", "threshold", "coverage", "accepted", "critical errors",
            "upper bound", "labels needed", "statement",
        ),
        rows=tuple(
            (
                t.prompt or "all", "yes" if t.certified else "no", t.rule, t.tau, t.coverage, t.n,
                t.k, t.upper, t.needed, t.statement,
            )
            for t in routing.thresholds
        ),
        note="A response is accepted when its confidence is above the threshold, or at it where the "
        f"rule is >=. Confidence: {routing.confidence.words}. Counts are of calibration responses.",
    )  # fmt: skip


def errors_table(calibration: Calibration, accepted: Flags) -> ResultTable:
    """The accepted critical errors of the calibration, the most confident first."""
    judged, ids = calibration.judged, calibration.ids
    note = "Of the calibration responses."
    places = np.flatnonzero(accepted & judged.wrong)
    if places.size > LISTED:
        note += f" The first {LISTED} of {places.size} are listed."
    if ids is None:
        ids = np.full(judged.counts.size, "", dtype=object)
        note += " Name the id column with --id to see which they are."
    gold = calibration.scores.patterns.scores["gold"][judged.rows]
    machine, called = calibration.system_scores, calibration.scores.gold_scale.called
    order = np.lexsort((gold[places], ids[places].astype(str), -judged.confidence[places]))
    prompts = calibration.prompts
    return ResultTable(
        name="accepted_errors",
        title="Critical errors that would have been accepted",
        columns=("id", "prompt", "gold", "score", "confidence"),
        rows=tuple(
            (
                str(ids[i]) or None, str(prompts[i]) or None, called(float(gold[i])),
                called(float(machine[i])), float(judged.confidence[i]),
            )
            for i in places[order][:LISTED]
        ),
        note=note,
    )  # fmt: skip


class Outlook(NamedTuple):
    """Coverage, critical errors and their bound, as they are expected at the volume.

    ``bound`` is the rate among the accepted that is promised; None where none is. ``clustered``:
    responses to come share clusters, so that their errors come together; ``unit`` is what counts.
    """

    coverage: float
    rate: float
    bound: float | None
    accepted: int
    n: int
    k: int
    human_rate: float | None
    clustered: bool = False
    unit: str = "responses"

    @classmethod
    def of(
        cls,
        routing: Routing,
        terms: RoutingTerms,
        accepted: Flags,
        calibration: Calibration,
        people: Estimate | None,
    ) -> "Outlook":
        """Read it off the calibration."""
        by_cluster = calibration.clustered and terms.weigh == "clusters"
        counted = calibration.used if by_cluster else np.ones_like(accepted)
        n = int((accepted & counted).sum())
        k = int((accepted & counted & calibration.judged.wrong).sum())
        coverage = n / int(counted.sum())
        return cls(
            coverage=coverage,
            rate=k / n if n else float("nan"),
            bound=promised_rate(routing, coverage),
            accepted=round(terms.volume * coverage),
            n=n,
            k=k,
            human_rate=None if people is None else people.value,
            clustered=calibration.clustered and not by_cluster,
            unit="responses, one of each cluster" if by_cluster else "responses",
        )


def promised_rate(routing: Routing, coverage: float) -> float | None:
    """The rate of critical errors among the accepted that a certificate speaks of."""
    if routing.method == "dev_zero":
        uppers = [threshold.upper for threshold in routing.thresholds]
        return max((upper for upper in uppers if upper is not None), default=None)
    return METHODS[routing.method].rate(routing.alpha, coverage) if routing.certified else None


def plan_table(terms: RoutingTerms, routing: Routing, outlook: Outlook) -> ResultTable:
    """Critical errors to expect, how many audits bound them, and what "none" would cost."""
    m, delta = outlook.accepted, terms.delta
    rows: list[tuple[Cell, ...]] = [
        ("submitted", terms.volume, "responses"),
        ("accepted", m, "responses, at the coverage of the calibration"),
    ]
    if outlook.n and m:
        rows.append(("critical errors expected", m * outlook.rate, "among them, at the rate seen"))
        rows.append(("critical errors at most", *_most_errors(routing, outlook, delta)))
        if outlook.bound is not None:
            most = int(np.floor(outlook.bound * m))
            meaning = Sentence(
                "accepted responses, at random; if none is a critical error, at most {most} are left "
                "among the others ({sure:level} sure)",
                most=most,
                sure=1 - delta,
            )
            rows.append(("audit", audit_size(m, most, delta), str(meaning)))
        if not outlook.clustered:
            promise = "accepted labels without a critical error would promise that none follows"
            rows.append(("for no error at all", labels_for_zero(m, delta), promise))
    title = Sentence("Among the next {volume} {unit}", volume=terms.volume, unit=outlook.unit)
    return ResultTable(
        name="plan", title=str(title), columns=("what", "number", "meaning"), rows=tuple(rows)
    )


def _most_errors(routing: Routing, outlook: Outlook, delta: float) -> tuple[float, str]:
    """The bound on critical errors to come, and how sure it is."""
    m = outlook.accepted
    if outlook.clustered:
        rate = outlook.rate if outlook.bound is None else outlook.bound
        doubt = "on average; errors of a cluster come together, so that a single lot can hold more"
        if routing.method == "dev_zero":
            doubt += ", had the threshold been fixed beforehand"
        return m * rate, doubt
    if routing.method == "ltt" and routing.certified:
        sure, bound = max(1 - 2 * delta, 0), future_errors_certified(routing.alpha, m, delta)
        doubt = "with probability {sure:level}, the certificate's doubt included"
    else:
        sure, bound = 1 - delta, future_errors(outlook.k, outlook.n, m, delta)
        doubt = "with probability {sure:level}, had the threshold been fixed beforehand"
    return bound, str(Sentence(doubt, sure=sure))


def cost_table(calibration: Calibration, terms: RoutingTerms, outlook: Outlook) -> ResultTable:
    """People alone, the machine as second rater, and selective scoring, per response and in all."""
    step = _step(calibration, terms)
    between_people = _between_people(calibration, step)
    with_machine = _with_machine(calibration, step)
    work = Workload(
        terms.volume,
        outlook.coverage,
        terms.audit,
        base="double" if terms.double else "single",
        p_hh=between_people,
        p_hm=with_machine,
        labels=int(calibration.used.sum()),
    )
    costs = cost(work, terms.prices)
    prices = (costs.base, costs.second_rater, costs.selective)
    readings = (costs.readings_base, costs.readings_second_rater, costs.readings_selective)
    break_even = None if math.isnan(costs.break_even) else costs.break_even
    rows: list[tuple[Cell, ...]] = [
        ("price per response", *prices),
        ("readings per response", *readings),
        ("price in all", *(price * terms.volume for price in prices)),
        (WORK_SAVED, None, None, costs.workload_saved),
        ("setup, paid once", None, None, costs.setup),
        ("break-even, responses", None, None, break_even),
        ("saved in all, less setup", None, None, costs.net_saving),
    ]
    if (human_rate := outlook.human_rate) is not None and outlook.n:
        for words, rate in (("seen", outlook.rate), ("promised at most", outlook.bound)):
            if rate is not None:
                errors = errors_per_1000(outlook.coverage, terms.audit, rate, human_rate)
                rows.append((f"CSEs per 1,000, {words}", 1000 * human_rate, None, errors))
    several = len(calibration.scores.humans) > 1
    people = "{people:tenths} of responses scored by two people and " if several else ""
    points = Sentence("{step:g} point" + "s" * (step != 1), step=step)
    note = Sentence(
        "In all: {volume:responses}. CSEs: critical errors. People score {times}; {audit:level} of "
        f"the accepted are read all the same; {people}{{machine:tenths}} of those scored by a person "
        "and the machine differ{step} and go to a third.",
        volume=terms.volume,
        times="twice" if terms.double else "once",
        audit=terms.audit,
        people=between_people,
        machine=with_machine,
        step=Sentence(" by more than {points}", points=points) if step else "",
    )
    return ResultTable(
        name="cost",
        title="Work and prices",
        columns=("what", "people alone", "machine as second rater", "selective"),
        rows=tuple(rows),
        note=str(note),
    )


def _step(calibration: Calibration, terms: RoutingTerms) -> float:
    """The gap that two scores may have: one step; on a continuous scale less than is critical.

    Labels without an order may have none.
    """
    scale = calibration.scores.rater_scale
    if scale.nominal:
        return 0.0
    return scale.step or terms.lambda_ * (scale.high - scale.low)


def _with_machine(calibration: Calibration, step: float) -> float:
    """The share of responses on which gold and machine differ by more than a step."""
    gaps = gaps_of(calibration.scores, f"system:{calibration.system}")
    gaps = np.abs(gaps[~np.isnan(gaps)])
    return float((gaps > step + 1e-9).mean()) if gaps.size else 0.0


def _between_people(calibration: Calibration, step: float) -> float:
    """The share of pairs of ratings, whoever gave them, that differ by more than a step."""
    patterns, humans = calibration.scores.patterns, calibration.scores.humans
    if len(humans) < 2:
        return 0.0
    ratings = np.stack([patterns.scores[f"human:{name}"] for name in humans], axis=1)
    ordered = Rows(ratings, patterns.counts, np.zeros(1)).unnamed().scores
    if ordered.shape[1] < 2:  # nothing was rated twice
        return 0.0
    pairs = combinations(range(ordered.shape[1]), 2)
    gaps = np.stack([ordered[:, b] - ordered[:, a] for a, b in pairs])
    number = (~np.isnan(gaps)).sum(axis=0)
    twice = number > 0
    wide = (gaps > step + 1e-9).sum(axis=0)[twice] / number[twice]
    return float(wide.mean()) if twice.any() else 0.0


def second_rater(
    calibration: Calibration, terms: RoutingTerms, accepted: Flags
) -> tuple[list[Estimate], list[ResultTable]]:
    """Critical errors of the system less those of a second rater, against the first, if accepted.

    Of several responses of one cluster, only the one behind the certificate counts.
    """
    scores, judged = calibration.scores, calibration.judged
    rules = _gold_rules(scores)
    if set(rules) != {"first"} or len(scores.humans) < 2:
        if terms.margin is None:
            return [], []
        raise OptionError(
            "--margin compares the system with a second rater, both against the first: name two raters "
            f"with --human, without --gold and with --resolve first; got {len(scores.humans)} --human "
            f"and gold by {', '.join(dict.fromkeys(rules))}"
        )
    rater = critical_of(scores, "second", terms.lambda_)[judged.rows]
    rows = accepted & calibration.used & ~np.isnan(rater)
    machine, human = judged.wrong[rows], rater[rows] > 0
    raters = {name for gold in scores.facts.golds for name, _ in gold.second}
    name = raters.pop() if len(raters) == 1 else "second human"
    tables = [] if terms.margin is None else [_no_worse(name, machine, human, terms)]
    if not rows.any():
        return [], tables
    n, b, c = human.size, int((machine & ~human).sum()), int((human & ~machine).sum())
    excess = Estimate(
        key=Key("excess_csrate"),
        value=(b - c) / n,
        low=-score_upper(c, b, n, terms.delta),
        high=score_upper(b, c, n, terms.delta),
        level=1 - 2 * terms.delta,
        n=n,
        method=f"Tango's score bounds, each at level {1 - terms.delta:g}",
    )
    return [excess], tables


def _gold_rules(scores: Scores) -> list[str]:
    """How the gold comes about; a prompt may have a rule of its own."""
    prompts = scores.options.get("prompts", {}).values()
    return [scores.resolve, *(options.get("resolve", scores.resolve) for options in prompts)]


def _no_worse(rater: str, machine: Flags, human: Flags, terms: RoutingTerms) -> ResultTable:
    """Whether "no worse than a second rater" is shown, with what it rests on.

    The exact bound, for these responses chose the threshold: after that, simulated score bounds
    were too low up to twice as often as delta, exact ones hardly ever.
    """
    answer = "no"
    numbers: tuple[float | None, ...] = (None,) * 4
    if human.size and terms.margin is not None:
        test = no_worse(machine, human, margin=terms.margin, delta=terms.delta, method="exact")
        answer = "yes" if test.shown else "no"
        numbers = (test.machine_rate, test.human_rate, test.difference, test.upper)
    return ResultTable(
        name="no_worse",
        title="No worse than a second rater?",
        columns=(
            "rater", "shown", "margin", "CSRate of the system", "CSRate of the rater", "difference",
            "upper bound", "responses",
        ),
        rows=((rater, answer, terms.margin, *numbers, human.size),),
        note="Shown if the upper bound of the difference lies below the margin. Both against the "
        "first rater, on accepted responses that both raters scored, one of each cluster. The bound "
        f"is exact, at level {1 - terms.delta:g}, for a threshold that is taken as given.",
    )  # fmt: skip


def findings(
    calibration: Calibration, terms: RoutingTerms, routing: Routing, people: Sequence[Estimate]
) -> Iterator[Finding]:
    """Yield what a reader must know before the numbers."""
    judged = calibration.judged
    if calibration.clustered and judged.clusters is not None:
        clusters, drawn = np.unique(judged.clusters).size, int(calibration.used.sum())
        numbers = {"clusters": clusters, "kept": drawn, "seed": terms.seed}
        yield _note(name="one_per_cluster", numbers=numbers, texts={"weigh": terms.weigh})
    if people and people[0].value > terms.alpha and terms.method != "dev_zero":
        rate = {name: getattr(people[0], name) for name in ("value", "low", "high")}
        yield _note(name="people_differ", numbers={**rate, "alpha": terms.alpha})
    yield from _few_labels(terms, routing)
    distinct = np.unique(judged.confidence).size
    if distinct < FEW_VALUES and any(threshold.grid == "rank" for threshold in routing.thresholds):
        yield _note(name="coarse_confidence", numbers={"distinct": distinct})
    if routing.thresholds[0].prompt is None and len(routing.prompts) > 1:
        yield _note(name="prompts_together", numbers={"prompts": len(routing.prompts)})
    if not routing.ids:
        yield _note(name="no_ids")


def _few_labels(terms: RoutingTerms, routing: Routing) -> Iterator[Finding]:
    """Few labels seldom certify, so much of what they do certify is luck."""
    sizes = [threshold.total for threshold in routing.thresholds if threshold.certified]
    if routing.method != "ltt" or not sizes:
        return
    level = part_of(terms.delta, len(routing.thresholds) if terms.by_prompt else 1, terms.family)
    n, rate = min(sizes), terms.alpha / 4
    chance = search_power(n, n, terms.alpha, level, rate).some
    if chance < WORTH_TRYING:
        enough = search_labels(terms.alpha, level, rate, 1.0, WORTH_TRYING)
        numbers = {"n": n, "chance": chance, "rate": rate, "enough": round(enough)}
        yield _note(name="few_labels", numbers=numbers)
