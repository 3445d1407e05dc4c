"""Labels: how many responses people must score before a threshold can be certified."""

import math
from collections.abc import Mapping
from typing import Any, Unpack

from tallymark.analyses.planning.answers import answered, table_of
from tallymark.analyses.planning.pilots import checked
from tallymark.errors import OptionError
from tallymark.results import Evaluation
from tallymark.selective.certify import part_of
from tallymark.selective.plan import MOST_SEARCHED, plan, search_labels, search_power
from tallymark.study.planning import PlanCertifyKeywords
from tallymark.study.request import Request, takes

MOST_PROMPTS = 1_000_000
RATES = (0.1, 0.25, 0.5, 0.75)
"""Shares of alpha that stand for the true rate in the table."""


@takes("plan certify")
def certify(**asked: Unpack[PlanCertifyKeywords]) -> Evaluation:
    """Responses to label before a threshold certifies at most alpha critical errors.

    ``rate`` is the share of critical errors that you expect among accepted responses, a quarter of
    alpha if it is not named; ``coverage`` the share of responses that you expect to accept.
    """
    request = Request.of("plan certify", asked)
    alpha, delta, prompts = request.alpha, request.delta, request.prompts
    coverage, power = request.coverage, request.power
    expected = alpha / 4 if request.rate is None else request.rate
    options = request.some(("coverage", "power", "prompts"))
    _check(prompts, alpha=alpha, delta=delta, power=power, rate=expected, coverage=coverage)
    found = plan(alpha, delta, true_rate=expected, **options)
    if math.isnan(found.labels):
        words = f"no number of labels certifies this: {found.why}"
    else:
        each = f" for each of {prompts} prompts, {found.labels_in_all:,.0f} in all" * (prompts > 1)
        words = (
            f"{found.labels:,.0f} labelled responses{each} certify a rate of at most {alpha:g} critical errors "
            f"among accepted responses (confidence {1 - delta:g}) with probability {power:g}, if "
            f"{expected:g} is the true rate, {100 * coverage:g} % of the responses are accepted, and "
            "the threshold was fixed beforehand"
        )
    notes = (
        []
        if math.isnan(found.labels)
        else [_searched(found.labels, alpha, delta, expected, options)]
    )
    notes += [
        (
            f"the least that can certify is {found.least[0]:,} accepted labels without a critical "
            f"error, {found.least[1]:,} with one, {found.least[2]:,} with two"
        ),
        (
            f"to show that none of the next 100 accepted is a critical error takes {found.zero_100:,} "
            "clean labels"
        ),
    ]
    rows = [_at_rate(part * alpha, alpha, delta, options) for part in RATES]
    columns = ("true rate", "accepted labels", "labels in all", "with the search")
    said = {"alpha": alpha, "delta": delta, "rate": request.rate, **options}
    return answered("certify", said, [words], notes, table_of(columns, rows))


def _check(prompts: int, **shares: float) -> None:
    """Refuse what nobody plans with; what is no share at all is refused by the planner."""
    checked({name: share for name, share in shares.items() if 0 < share < 1})
    if not 1 <= prompts <= MOST_PROMPTS:
        raise OptionError(f"prompts must be from 1 to {MOST_PROMPTS:,}, got {prompts:,}")


def _searched(
    labels: float, alpha: float, delta: float, rate: float, options: Mapping[str, Any]
) -> str:
    """What the same labels do where the threshold must be found with them."""
    coverage, power = options["coverage"], options["power"]
    each = part_of(delta, options["prompts"], "bonferroni")
    accepted = math.floor(labels * coverage + 1e-9)
    found = search_power(accepted, int(labels), alpha, each, rate)
    enough = _enough(alpha, delta, rate, options)
    more = (
        f"more than {max(labels, MOST_SEARCHED / alpha / coverage):,.0f} labels make it {power:g}; a "
        "lower rate or a higher alpha takes fewer"
        if math.isnan(enough)
        else f"about {enough:,.0f} labels{' of each prompt' * (options['prompts'] > 1)} make it {power:g}"
    )
    return (
        "`tallymark route certify` looks for the threshold with the same labels: it then accepts so "
        f"many with probability {found.whole:.2f}, any with {found.some:.2f}, if the rate is the same "
        f"at every confidence; {more}"
    )


def _enough(alpha: float, delta: float, rate: float, options: Mapping[str, Any]) -> float:
    """Labels of each prompt with which the search accepts so many often enough."""
    each = part_of(delta, options["prompts"], "bonferroni")
    return search_labels(alpha, each, rate, options["coverage"], options["power"])


def _at_rate(
    rate: float, alpha: float, delta: float, options: Mapping[str, Any]
) -> list[str | int | None]:
    """Labels at another true rate: accepted and in all at a fixed threshold, and with the search."""
    found = plan(alpha, delta, true_rate=rate, **options)
    fixed = [None if math.isnan(n) else int(n) for n in (found.stays, found.labels_in_all)]
    searched = options["prompts"] * _enough(alpha, delta, rate, options)
    most = options["prompts"] * MOST_SEARCHED / alpha / options["coverage"]
    beyond = f"over {max(most, found.labels_in_all):,.0f}"
    return [f"{rate:.3g}", *fixed, beyond if math.isnan(searched) else int(searched)]
