"""What a reader must know before the numbers of a routing file."""

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from tallymark.questions.routing.artifact import Routing
from tallymark.questions.routing.calibration import Calibration, RoutingTerms
from tallymark.results import Estimate, Finding
from tallymark.selective.certify import part_of
from tallymark.selective.plan import search_labels, search_power

FEW_VALUES = 30
"""A confidence with fewer distinct values is coarse."""
WORTH_TRYING = 0.8
"""Labels are few if they certify a system at a quarter of alpha less often than this."""
_note = partial(Finding, weight="note")


def findings(
    calibration: Calibration, terms: RoutingTerms, routing: Routing, people: Sequence[Estimate]
) -> Iterator[Finding]:
    """Yield what a reader must know before the numbers."""
    if calibration.clustered and calibration.judged.clusters is not None:
        clusters, kept = np.unique(calibration.judged.clusters).size, int(calibration.used.sum())
        numbers = {"clusters": clusters, "kept": kept, "seed": terms.seed}
        yield _note(name="one_per_cluster", numbers=numbers, texts={"weigh": terms.weigh})
    if people and people[0].value > terms.alpha and terms.method != "dev_zero":
        rate = {name: getattr(people[0], name) for name in ("value", "low", "high")}
        yield _note(name="people_differ", numbers={**rate, "alpha": terms.alpha})
    yield from _few_labels(terms, routing)
    distinct = np.unique(calibration.judged.confidence).size
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
    each = part_of(terms.delta, len(routing.thresholds) if terms.by_prompt else 1, terms.family)
    n, rate = min(sizes), terms.alpha / 4
    chance = search_power(n, n, terms.alpha, each, rate).some
    if chance < WORTH_TRYING:
        enough = search_labels(terms.alpha, each, rate, 1.0, WORTH_TRYING)
        numbers = {"n": n, "chance": chance, "rate": rate, "enough": round(enough)}
        yield _note(name="few_labels", numbers=numbers)
