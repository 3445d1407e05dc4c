"""Strata: errors of labels that were drawn stratum by stratum, against formulas worked out here."""

from typing import Any

import numpy as np
import pytest

import tallymark as tm
from tallymark.errors import DataError, OptionError

N = np.array([6000.0, 1500.0, 300.0])
DRAWN = np.array([40, 30, 20])


def drawn(seed=3):
    """Gold, system, stratum and weight of responses that were drawn by the system's score."""
    rng = np.random.default_rng(seed)
    stratum = np.repeat(np.arange(3), DRAWN)
    system = stratum + 1.0
    gold = np.clip(system + rng.integers(-1, 2, stratum.size), 1, 3)
    return gold, system, stratum, (N / DRAWN)[stratum]


def error(values, stratum, sizes=N, total=DRAWN):
    """Double sampling for stratification (Cochran 1977, eq. 12.7, without corrections of order 1/N)."""
    shares = sizes / sizes.sum()
    means = np.array([values[stratum == h].sum() / total[h] for h in range(3)])
    squares = np.array([(values[stratum == h] ** 2).sum() for h in range(3)])
    within = (squares - total * means**2) / (total - 1)
    between = shares @ (means - shares @ means) ** 2
    return np.sqrt((shares**2 * within / total).sum() + between / sizes.sum())


@pytest.mark.parametrize(
    ("name", "of"),
    [
        ("percent_agreement", lambda gold, system: (gold == system) * 1.0),
        ("bias", lambda gold, system: system - gold),
        ("mse", lambda gold, system: (system - gold) ** 2),
    ],
)
def test_the_error_of_a_mean_is_that_of_double_sampling(name, of):
    gold, system, stratum, weight = drawn()
    found = tm.estimate(name, gold, system, scale="1:3", weight=weight, stratum=stratum)
    values = of(gold, system)
    assert found.value == pytest.approx((weight @ values) / weight.sum(), rel=1e-12)
    assert found.se_analytic == pytest.approx(error(values, stratum), rel=1e-9)


def test_the_error_of_a_ratio_takes_the_influence_of_each_response():
    gold, system, stratum, weight = drawn()
    found = tm.estimate(
        "cohen_kappa",
        gold,
        system,
        scale="1:3",
        weight=weight,
        stratum=stratum,
        weights="quadratic",
    )

    def kappa(w):
        p, q = ([w[each == k].sum() / w.sum() for k in (1, 2, 3)] for each in (gold, system))
        apart = w @ (gold - system) ** 2 / w.sum()
        chance = sum(a * b * (i - j) ** 2 for i, a in enumerate(p) for j, b in enumerate(q))
        return 1 - apart / chance

    step = 1e-6
    slopes = np.array(
        [
            (kappa(weight + step * one) - kappa(weight - step * one)) / (2 * step)
            for one in np.eye(90)
        ]
    )
    assert found.value == pytest.approx(kappa(weight), rel=1e-12)
    assert found.se == pytest.approx(error(slopes * weight.sum(), stratum), rel=1e-6)
    assert found.method == "expanded ABC over responses"


def columns(**more):
    gold, system, stratum, weight = drawn()
    group = np.where(np.arange(gold.size) % 3 == 0, "a", "b")
    return {"human": gold, "engine": system, "layer": stratum, "w": weight, "group": group} | more


ROLES: dict[str, Any] = {"humans": ["human"], "systems": ["engine"], "scale": "1:3"}


def test_a_file_gives_what_arrays_give():
    found = tm.evaluate(columns(), **ROLES, weight="w", stratum="layer")
    gold, system, stratum, weight = drawn()
    for name in ("qwk", "percent_agreement", "mse", "pearson"):
        one = tm.estimate(name, gold, system, scale="1:3", weight=weight, stratum=stratum)
        assert found[name].low == pytest.approx(one.low, rel=1e-9)
        assert found[name].high == pytest.approx(one.high, rel=1e-9)


def test_a_group_is_a_domain_of_the_design():
    data = columns()
    found = tm.evaluate(data, **ROLES, weight="w", stratum="layer", groups=["group"])
    here, stratum, weight = data["group"] == "a", data["layer"], data["w"]
    apart = (data["engine"] - data["human"]) ** 2
    mean = weight[here] @ apart[here] / weight[here].sum()
    moved = np.where(here, apart - mean, 0.0) * weight.sum() / weight[here].sum()
    of_group = found.number("mse", group="a")
    assert of_group.value == pytest.approx(mean, rel=1e-9)
    assert of_group.se == pytest.approx(error(moved, stratum), rel=1e-6)


def test_an_interval_is_the_same_for_any_order_of_rows():
    data, order = columns(), np.random.default_rng(1).permutation(90)
    found = tm.evaluate(data, **ROLES, weight="w", stratum="layer")
    moved = {name: values[order] for name, values in data.items()}
    assert tm.evaluate(moved, **ROLES, weight="w", stratum="layer").to_json() == found.to_json()


def test_a_stratum_needs_two_responses_and_a_weight():
    data = columns()
    alone = {**data, "layer": np.where(np.arange(90) == 7, 9, data["layer"])}
    with pytest.raises(DataError, match=r"the stratum '9' has 1 response with a human score"):
        tm.evaluate(alone, **ROLES, weight="w", stratum="layer")
    with pytest.raises(OptionError, match=r"stratum= goes with weight="):
        tm.evaluate(data, **ROLES, stratum="layer")


def test_systems_are_compared_within_strata():
    data = columns()
    other = np.clip(data["human"] + np.random.default_rng(8).integers(-1, 2, 90), 1, 3)
    asked: dict[str, Any] = {
        **ROLES,
        "systems": ["engine", "other"],
        "weight": "w",
        "statistics": ["mse"],
    }
    both = {**data, "other": other}
    found, plain = (tm.compare(both, **asked, stratum=stratum) for stratum in ("layer", None))
    apart = (data["engine"] - data["human"]) ** 2 - (other - data["human"]) ** 2
    (pair,) = every(found)
    assert abs(pair.value) == pytest.approx(abs(data["w"] @ apart / data["w"].sum()), rel=1e-9)
    wanted = error(apart - data["w"] @ apart / data["w"].sum(), data["layer"])
    assert pair.se == pytest.approx(wanted, rel=0.02)  # CR2 raises it by about 1 / n
    (wide,) = every(plain)
    assert pair.se != wide.se


def every(found):
    return [e for e in found.estimates if e.params.get("of") == "mse"]
