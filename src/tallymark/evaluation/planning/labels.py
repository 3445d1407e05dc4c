"""Labels: how many responses people must score before a threshold can be certified."""

import math

from tallymark.evaluation.planning.answers import answered, table_of
from tallymark.results import Evaluation
from tallymark.selective.plan import plan

RATES = (0.1, 0.25, 0.5, 0.75)
"""Shares of alpha that stand for the true rate in the table."""


def certify(
    *,
    alpha: float,
    delta: float = 0.05,
    rate: float | None = None,
    coverage: float = 1.0,
    power: float = 0.8,
    prompts: int = 1,
) -> Evaluation:
    """Responses to label before a threshold certifies at most alpha critical errors.

    ``rate`` is the share of critical errors that you expect among accepted responses, a quarter of
    alpha if it is not named; ``coverage`` the share of responses that you expect to accept.
    """
    expected = alpha / 4 if rate is None else rate
    options = {"coverage": coverage, "power": power, "prompts": prompts}
    found = plan(alpha, delta, true_rate=expected, **options)  # type: ignore[arg-type]
    if math.isnan(found.labels):
        words = f"no number of labels certifies this: {found.why}"
    else:
        each = f" for each of {prompts} prompts, {found.labels_in_all:,.0f} in all" * (prompts > 1)
        words = (
            f"{found.labels:,.0f} labelled responses{each} certify a rate of at most {alpha:g} critical errors "
            f"among accepted responses (confidence {1 - delta:g}) with probability {power:g}, if "
            f"{expected:g} is the true rate and {coverage:g} of the responses are accepted"
        )
    notes = [
        (
            f"the least that can certify is {found.least[0]:,} accepted labels without a critical "
            f"error, {found.least[1]:,} with one, {found.least[2]:,} with two"
        ),
        (
            f"to show that none of the next 100 accepted is a critical error takes {found.zero_100:,} "
            "clean labels"
        ),
    ]
    rows = []
    for part in RATES:
        other = plan(alpha, delta, true_rate=part * alpha, **options)  # type: ignore[arg-type]
        counts = [other.stays, other.labels_in_all]
        rows.append([f"{part * alpha:.3g}", *(None if math.isnan(n) else int(n) for n in counts)])
    columns = ("true rate", "accepted labels", "labels in all")
    asked = {"alpha": alpha, "delta": delta, "rate": rate, **options}
    return answered("certify", asked, [words], notes, table_of(columns, rows))
