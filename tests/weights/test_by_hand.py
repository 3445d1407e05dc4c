"""Weighted statistics and their standard errors, written out again with NumPy alone."""

from typing import Any

import numpy as np
import pytest

import tallymark as tm

RNG = np.random.default_rng(11)
N = 240
GOLD = RNG.integers(1, 6, N).astype(float)
SECOND = np.clip(GOLD + RNG.integers(-1, 2, N), 1, 5)
SYSTEM = np.clip(GOLD + RNG.integers(-2, 3, N), 1, 5)
WEIGHT = np.exp(0.4 * GOLD) * RNG.gamma(3, 1, N)


def qwk(w, a=GOLD, b=SYSTEM):
    w = w / w.sum()
    table = np.zeros((5, 5))
    np.add.at(table, (a.astype(int) - 1, b.astype(int) - 1), w)
    distance = (np.arange(5)[:, None] - np.arange(5)) ** 2
    expected = np.outer(table.sum(axis=1), table.sum(axis=0))
    return 1 - (table * distance).sum() / (expected * distance).sum()


def pearson(w, a=GOLD, b=SYSTEM):
    w = w / w.sum()
    a, b = a - w @ a, b - w @ b
    return (w @ (a * b)) / np.sqrt((w @ a**2) * (w @ b**2))


def percent(w):
    return (w @ (GOLD == SYSTEM)) / w.sum()


def bias(w):
    return (w @ (SYSTEM - GOLD)) / w.sum()


def alpha(w):
    """Interval alpha of two raters: n (the number of ratings) is 2 N whatever the weights."""
    w = w / w.sum() * N
    observed = (w @ (GOLD - SYSTEM) ** 2) / N
    both, twice = np.concatenate([GOLD, SYSTEM]), np.concatenate([w, w])
    mean = (twice @ both) / (2 * N)
    expected = 2 * (twice @ (both - mean) ** 2) / (2 * N - 1)
    return 1 - observed / expected


BY_HAND: dict[str, tuple[Any, dict[str, Any]]] = {
    "qwk": (qwk, {}),
    "pearson": (pearson, {}),
    "percent_agreement": (percent, {}),
    "bias": (bias, {}),
    "krippendorff_alpha": (alpha, {"metric": "interval"}),
}


def linearised(statistic):
    """Taylor linearisation: the derivative by each weight, as a survey package has it."""
    step, slopes = 1e-6, np.empty(N)
    for i in range(N):
        up, down = WEIGHT.copy(), WEIGHT.copy()
        up[i] *= 1 + step
        down[i] *= 1 - step
        slopes[i] = (statistic(up) - statistic(down)) / (2 * step)
    return slopes  # of w_i z_i, whose sum is 0


@pytest.mark.parametrize("name", BY_HAND)
def test_the_estimate_is_the_weighted_one(name):
    statistic, params = BY_HAND[name]
    found = tm.estimate(
        name, GOLD, SYSTEM, scale="1:5", weight=WEIGHT, interval="analytic", **params
    )
    assert found.value == pytest.approx(statistic(WEIGHT), rel=1e-10)


@pytest.mark.parametrize("name", ["qwk", "pearson", "percent_agreement", "bias"])
def test_the_standard_error_is_that_of_linearisation(name):
    """Var = n / (n - 1) sum (w_i z_i)^2, drawn with replacement; without the factor where ddof is 0."""
    statistic, params = BY_HAND[name]
    found = tm.estimate(
        name, GOLD, SYSTEM, scale="1:5", weight=WEIGHT, interval="analytic", **params
    )
    total = np.sqrt((linearised(statistic) ** 2).sum())
    factor = np.sqrt(N / (N - 1)) if name in ("percent_agreement", "bias") else 1.0
    assert found.se == pytest.approx(total * factor, rel=1e-6)


def test_a_mean_of_two_raters_is_weighted_and_prmse_too():
    """Haberman's PRMSE from weighted sums, every response rated twice."""
    data = {"h1": GOLD, "h2": SECOND, "engine": SYSTEM, "w": WEIGHT}
    ev = tm.evaluate(
        data, humans=["h1", "h2"], systems=["engine"], scale="1:5", weight="w", replicates=100
    )
    found = {
        e.text: e.value for e in ev.estimates if str(ev.subsets[e.subset].against) == "true scores"
    }
    w = WEIGHT / WEIGHT.mean()
    error = (w @ (GOLD - SECOND) ** 2) / 2 / N
    assert found["error_variance"] == pytest.approx(error, rel=1e-10)
    mean = (GOLD + SECOND) / 2
    mse = (w @ (SYSTEM - mean) ** 2) / N - error / 2
    assert found["mse_true"] == pytest.approx(mse, rel=0.02)
    centre = (w @ mean) / N
    true = (w @ (mean - centre) ** 2) / (N - 1) - error / 2
    assert found["prmse"] == pytest.approx(1 - mse / true, rel=0.01)


def test_the_influence_of_clusters_is_summed_before_it_is_squared():
    cluster = np.arange(N) // 4
    found = tm.estimate("bias", GOLD, SYSTEM, scale="1:5", weight=WEIGHT, cluster=cluster)
    by_cluster = np.bincount(cluster, linearised(bias))
    groups = by_cluster.size
    expected = np.sqrt(groups / (groups - 1) * (by_cluster**2).sum())
    assert found.se_analytic == pytest.approx(expected, rel=1e-6)


def test_groups_are_weighted_each_by_itself():
    sex = np.where(np.arange(N) % 3 == 0, "f", "m")
    data = {"h1": GOLD, "engine": SYSTEM, "w": WEIGHT, "sex": sex}
    ev = tm.evaluate(
        data, humans=["h1"], systems=["engine"], scale="1:5", weight="w", groups=["sex"],
        replicates=100,
    )  # fmt: skip
    place = {ev.subsets[e.subset].group: e for e in ev.estimates if e.name == "osd_effect"}
    error, f, m = SYSTEM - GOLD, sex == "f", sex == "m"

    def mean(here):
        return (WEIGHT[here] @ error[here]) / WEIGHT[here].sum()

    assert place["f"].value == pytest.approx(mean(f) - mean(m), rel=1e-10)
    own, other = (((WEIGHT[g] * (error[g] - mean(g)) / WEIGHT[g].sum()) ** 2).sum() for g in (f, m))
    # Welch, with Kish's number of responses; a group never varies less than all together
    few, many = (WEIGHT[g].sum() ** 2 / (WEIGHT[g] ** 2).sum() for g in (f, m))
    usual = (few * few * own + many * many * other) / (few + many)
    own += max(usual - few * own, 0) / few
    expected = own * few / (few - 1) + other * m.sum() / (m.sum() - 1)
    assert place["f"].se == pytest.approx(np.sqrt(expected), rel=1e-6)
    osd = next(e for e in ev.estimates if e.name == "osd")
    assert np.isnan(osd.low)
    assert "do not use weights" in osd.why


def test_a_mean_over_prompts_weights_within_each():
    task = np.where(np.arange(N) % 2 == 0, "a", "b")
    data = {"h1": GOLD, "engine": SYSTEM, "w": WEIGHT, "task": task}
    ev = tm.evaluate(
        data, humans=["h1"], systems=["engine"], scale="1:5", weight="w", prompt="task",
        replicates=100,
    )  # fmt: skip
    found = next(
        e for e in ev.estimates
        if e.text == "cohen_kappa[quadratic]" and ev.subsets[e.subset].average == "prompt"
        and not ev.subsets[e.subset].fisher_z
    )  # fmt: skip
    each = [qwk(WEIGHT[task == t], GOLD[task == t], SYSTEM[task == t]) for t in ("a", "b")]
    assert found.value == pytest.approx(np.mean(each), rel=1e-10)


def test_compare_tests_the_weighted_difference_by_t():
    data = {"h1": GOLD, "one": SYSTEM, "two": SECOND, "w": WEIGHT}
    ev = tm.compare(
        data, humans=["h1"], systems=["one", "two"], scale="1:5", weight="w", replicates=100
    )
    found = next(
        e for e in ev.estimates
        if e.name == "paired_difference" and e.params["of"] == "cohen_kappa[quadratic]"
    )  # fmt: skip
    assert found.value == pytest.approx(qwk(WEIGHT) - qwk(WEIGHT, GOLD, SECOND), rel=1e-9)
    apart = linearised(lambda w: qwk(w) - qwk(w, GOLD, SECOND))
    assert found.se == pytest.approx(np.sqrt((apart**2).sum()), rel=0.02)
    assert "paired t test" in found.method
    assert "permutation" not in found.method
