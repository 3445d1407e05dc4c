"""Sentences on a routing file: what a reader must know before its numbers."""

from collections.abc import Iterator, Sequence

import numpy as np

from tallymark.questions.routing.artifact import Routing
from tallymark.questions.routing.calibration import Calibration, Terms
from tallymark.render.sentences import Sentence
from tallymark.results import Estimate
from tallymark.selective.certify import part_of
from tallymark.selective.plan import search_labels, search_power

FEW_VALUES = 30
"""A confidence with fewer distinct values is coarse."""
WORTH_TRYING = 0.8
"""Labels are few if they certify a system at a quarter of alpha less often than this."""


def findings(
    found: Calibration, terms: Terms, routing: Routing, people: Sequence[Estimate]
) -> Iterator[Sentence]:
    """Say what a reader must know before the numbers."""
    yield from _drawn(found, terms)
    if people and people[0].value > terms.alpha and terms.method != "dev_zero":
        yield Sentence(
            "two people differ by a critical error on {people:percent} of the responses they both "
            "scored; labels like these cannot show that a system errs less often, and alpha is "
            "{alpha:g} %: have the labels adjudicated, or state alpha as the rate against one "
            "person's score",
            people=people[0],
            alpha=100 * terms.alpha,
        )
    yield from _few_labels(terms, routing)
    distinct = np.unique(found.judged.confidence).size
    if distinct < FEW_VALUES and any(one.grid == "rank" for one in routing.thresholds):
        yield Sentence(
            "the confidence takes only {distinct} {values}: equal confidences are accepted or left "
            "together, so coverage moves in large steps",
            distinct=distinct,
            values="value" if distinct == 1 else "values",
        )
    if routing.thresholds[0].prompt is None and len(routing.prompts) > 1:
        yield Sentence(
            "the threshold is for the {prompts} prompts together, in the mixture of the "
            "calibration; a single prompt may have more critical errors: see --by prompt",
            prompts=len(routing.prompts),
        )
    if not routing.ids:
        yield Sentence(
            "no id column is known, so responses of the calibration cannot be told from new ones: "
            "name it with --id"
        )


def _drawn(found: Calibration, terms: Terms) -> Iterator[Sentence]:
    """Say how the responses of clusters count."""
    if not found.clustered or found.judged.clusters is None:
        return
    clusters, kept = int(np.unique(found.judged.clusters).size), int(found.used.sum())
    which = Sentence(
        "each of {clusters}" if kept == clusters else "{kept} of {clusters}",
        kept=kept,
        clusters=clusters,
    )
    drawn = Sentence(
        "tested on one response of {which} clusters, drawn with seed {seed:g}",
        which=which,
        seed=terms.seed,
    )
    if terms.weigh == "clusters":
        yield Sentence("{drawn}; clusters count alike, whatever their size", drawn=drawn)
    elif kept == clusters:
        yield drawn
    else:
        yield Sentence(
            "{drawn}: clusters differ in size and were kept in proportion to it, so that responses "
            "count alike; --weigh clusters keeps all, for a promise about one response of each",
            drawn=drawn,
        )


def _few_labels(terms: Terms, routing: Routing) -> Iterator[Sentence]:
    """Few labels seldom certify, so much of what they do certify is luck."""
    sizes = [one.total for one in routing.thresholds if one.certified]
    if routing.method != "ltt" or not sizes:
        return
    each = part_of(terms.delta, len(routing.thresholds) if terms.by_prompt else 1, terms.family)
    n, rate = min(sizes), terms.alpha / 4
    chance = search_power(n, n, terms.alpha, each, rate).some
    if chance < WORTH_TRYING:
        yield Sentence(
            "{n} labels are few: they certify {chance:percent} of systems whose rate is {rate:g}, "
            "a quarter of alpha. The promise counts every calibration, also those that certify "
            "nothing; of the rare certificates from few labels, a third and more were unsafe in "
            "simulations. {enough} labels or more make this one worth relying on",
            n=n,
            chance=chance,
            rate=rate,
            enough=round(search_labels(terms.alpha, each, rate, 1.0, WORTH_TRYING)),
        )
