"""Cost and workload: people alone, machine beside people, or machine alone where it is confident."""

import math
from typing import Literal

from msgspec import Struct

from tallymark.errors import OptionError


class Prices(Struct, frozen=True):
    """Prices per reading in any one currency, and of getting started.

    ``machine``, ``human`` and ``adjudication`` are prices of one reading, ``label`` of one
    calibration response, ``fixed`` of everything else that is paid once.
    """

    machine: float = 0.0
    human: float = 1.0
    adjudication: float = 0.0
    label: float = 0.0
    fixed: float = 0.0


class Workload(Struct, frozen=True):
    """How responses are scored.

    ``base``: people score once (single) or twice with adjudication (double). ``p_hh`` and ``p_hm``
    are the shares that go to adjudication when two people, or a person and the machine, differ.
    ``coverage`` of the responses stand with the machine score, a share ``audit`` of which a person
    reads all the same. ``labels`` calibration responses are scored beforehand.
    """

    responses: int
    coverage: float
    audit: float = 0.0
    base: Literal["single", "double"] = "single"
    p_hh: float = 0.0
    p_hm: float = 0.0
    labels: int = 0


class Cost(Struct, frozen=True):
    """Money and readings per response, and what is saved in all; NaN where nothing is saved."""

    base: float
    selective: float
    second_rater: float
    saving: float
    readings_base: float
    readings_selective: float
    readings_second_rater: float
    workload_saved: float
    setup: float
    break_even: float
    net_saving: float


def cost(work: Workload, prices: Prices) -> Cost:
    r"""Compare three ways of scoring, per response.

    People: :math:`H = c_h` or :math:`2 c_h + p_{hh} c_{adj}`. Selective:
    :math:`c_m + (1 - cov) H + cov \cdot audit \cdot c_h`. Machine as second rater:
    :math:`c_m + c_h + p_{hm} c_{adj}`. ``break_even`` responses pay for the setup; NaN if selective
    scoring is not cheaper.

    Examples
    --------
    >>> work = Workload(10000, 0.5, 0.05, base="double", p_hh=0.06, labels=600)
    >>> costs = cost(work, Prices(0.02, 1, 1.5, label=2, fixed=500))
    >>> f"{costs.base:.2f} {costs.selective:.2f} {costs.break_even:.0f}"
    '2.09 1.09 1700'
    """
    _check(work, prices)
    double = work.base == "double"
    adjudicated = work.p_hh if double else 0.0
    people = (2 if double else 1) * prices.human + adjudicated * prices.adjudication
    readings = (2 if double else 1) + adjudicated
    to_people, audited = 1 - work.coverage, work.coverage * work.audit
    selective = prices.machine + to_people * people + audited * prices.human
    read = to_people * readings + audited
    setup = work.labels * prices.label + prices.fixed
    saving = people - selective
    return Cost(
        base=people,
        selective=selective,
        second_rater=prices.machine + prices.human + work.p_hm * prices.adjudication,
        saving=saving,
        readings_base=readings,
        readings_selective=read,
        readings_second_rater=1 + work.p_hm,
        workload_saved=1 - read / readings,
        setup=setup,
        break_even=float(math.ceil(setup / saving - 1e-9)) if saving > 0 else math.nan,
        net_saving=work.responses * saving - setup,
    )


def errors_per_1000(coverage: float, audit: float, rate_machine: float, rate_human: float) -> float:
    r"""Expected critical errors among 1,000 released scores.

    .. math:: 1000 (cov (1 - audit) r_m + (cov \cdot audit + 1 - cov) r_h)

    Call it with the rate that was seen and with the certified bound.

    >>> round(errors_per_1000(0.5, 0.05, 0.01, 0.06), 2)
    36.25
    """
    unread = coverage * (1 - audit)
    return 1000 * (unread * rate_machine + (1 - unread) * rate_human)


def _check(work: Workload, prices: Prices) -> None:
    shares = {name: getattr(work, name) for name in ("coverage", "audit", "p_hh", "p_hm")}
    for name, share in shares.items():
        if not 0 <= share <= 1:
            raise OptionError(f"{name} must be a share from 0 to 1, got {share}")
    for name in ("machine", "human", "adjudication", "label", "fixed"):
        if not getattr(prices, name) >= 0:
            raise OptionError(f"the price {name} must be 0 or more, got {getattr(prices, name)}")
    if work.base not in ("single", "double"):
        raise OptionError(f"base must be single or double, got {work.base!r}")
