"""Few clusters: CR2 and its degrees of freedom against the matrices they stand for."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import tallymark as tm
from tallymark.catalogue import FORMULAS
from tallymark.inference.distributions import t_quantile
from tallymark.inference.few_clusters import from_left_out, leverage

NO_INTERVAL = ("no interval", "score 5 has", "every cluster gives the same value")


def by_matrices(sizes):
    """Variances and degrees of freedom from the residual maker of each part, response by response."""
    parts = sizes.shape[1]
    blocks = []
    for p in range(parts):
        of = np.repeat(np.arange(len(sizes)), sizes[:, p])
        n = of.size
        own = (np.arange(len(sizes))[:, None] == of) / (parts * n)
        blocks.append((own @ (np.eye(n) - np.ones((n, n)) / n), own))
    residual, raw = (np.hstack(part) for part in zip(*blocks, strict=True))
    left, adds = residual @ residual.T, (raw**2).sum(axis=1)
    raised = adds / np.diag(left)
    form = left * np.sqrt(np.outer(raised, raised))
    return raised, np.trace(form) ** 2 / (form**2).sum()


@given(arrays(np.int64, (5, 2), elements=st.integers(1, 12)))
def test_leverage_is_that_of_the_working_model(sizes):
    found = leverage(sizes.astype(float))
    raised, df = by_matrices(sizes)
    assert found.raised == pytest.approx(raised)
    assert found.df == pytest.approx(df)


def test_of_one_mean_it_is_cr2_with_the_inverse_root_of_the_residual_maker():
    # Pustejovsky & Tipton (2018): sum of A_g e_g, A_g = (I - H_gg)^(-1/2), for an intercept
    rng, sizes = np.random.default_rng(1), np.array([3, 8, 5, 20])
    of, y = np.repeat(np.arange(4), sizes), rng.normal(size=36)
    residual, variance = y - y.mean(), 0.0
    for g, n in enumerate(sizes):
        values, vectors = np.linalg.eigh(np.eye(n) - np.full((n, n), 1 / 36))
        adjusted = vectors @ np.diag(values**-0.5) @ vectors.T
        variance += (np.ones(n) @ adjusted @ residual[of == g] / 36) ** 2
    sums = np.bincount(of, weights=residual) / 36
    se = leverage(sizes[:, None].astype(float)).standard_error(sums * 4)
    assert se == pytest.approx(math.sqrt(variance))


def test_repeated_units_count_as_often_as_they_occur():
    sizes, times = np.array([[1.0], [2.0], [1.0]]), np.array([3, 2, 4])
    every = np.repeat(sizes, times, axis=0)
    assert leverage(sizes, times).df == pytest.approx(leverage(every).df)
    assert leverage(sizes, times).raised == pytest.approx(
        [leverage(every).raised[i] for i in (0, 3, 5)]
    )


def test_leaving_a_cluster_out_tells_the_influence_of_a_mean():
    rng, sizes = np.random.default_rng(2), np.array([4, 7, 2])
    of, y = np.repeat(np.arange(3), sizes), rng.normal(size=13)
    left_out = np.array([y[of != g].mean() for g in range(3)])
    moved = from_left_out(y.mean(), left_out, sizes[:, None].astype(float))
    exact = np.bincount(of, weights=y - y.mean()) / 13 * 3
    assert moved == pytest.approx(exact)


def scores(n=240):
    rng = np.random.default_rng(3)
    true = rng.normal(3, 1, n)
    return [np.clip(np.rint(true + rng.normal(0, s, n)), 1, 5) for s in (0.5, 0.6)]


def test_equal_clusters_give_a_t_interval_with_one_degree_less_than_clusters():
    first, second = scores()
    found = tm.estimate("bias", first, second, cluster=np.arange(240) % 8)
    each = [(second - first)[np.arange(240) % 8 == g].mean() for g in range(8)]
    se = np.std(each, ddof=1) / math.sqrt(8)
    assert found.se == pytest.approx(se)
    assert found.parts["df"] == pytest.approx(7)
    assert found.high - found.value == pytest.approx(t_quantile(0.95, 7) * se)
    assert found.method == "t interval over 8 clusters, CR2 standard error, 7.0 df"


def test_one_large_cluster_leaves_the_bootstrap_out_however_many_small_ones_stand_beside_it():
    first, second = scores()
    cluster = np.where(np.arange(240) < 120, 0, np.arange(240))
    found = tm.estimate("qwk", first, second, cluster=cluster)
    assert found.parts["clusters"] == 121
    assert found.parts["df"] < 5
    assert found.method.startswith("t interval over 121 clusters")


def test_many_clusters_are_units_and_asking_for_a_bootstrap_gives_one():
    first, second = scores()
    many = tm.estimate("qwk", first, second, cluster=np.arange(240) % 60)
    asked = tm.estimate("qwk", first, second, cluster=np.arange(240) % 8, interval="bca")
    assert many.method == "expanded ABC over clusters"
    assert "BCa bootstrap over clusters" in asked.method
    assert asked.why == "only 8 clusters: the interval may be too narrow"


@pytest.mark.parametrize("name", [row.name for row in FORMULAS])
def test_ends_stay_in_the_range_of_a_statistic_and_hold_its_value(name):
    first, second = scores(24)
    low, high = next(row.range for row in FORMULAS if row.name == name)
    found = tm.estimate(name, first, second, scale="1:5", cluster=np.arange(24) % 3)
    if math.isnan(found.value) or found.why.startswith(NO_INTERVAL):
        assert found.why
        return
    assert low <= found.low <= found.value <= found.high <= high


def test_one_cluster_shows_nothing():
    found = tm.estimate("qwk", *scores(), cluster=[0] * 240)
    assert math.isnan(found.low)
    assert found.why == "one cluster does not show how clusters differ"


def test_a_prompt_with_one_cluster_leaves_the_mean_over_prompts_without_an_interval():
    first, second = scores()
    data = {
        "h1": first,
        "engine": second,
        "prompt": np.arange(240) % 2,
        "candidate": np.arange(240),
    }
    data["candidate"] = np.where(data["prompt"] == 0, "c", np.arange(240) % 12).astype(str)
    made = tm.evaluate(
        data, humans=["h1"], systems=["engine"], prompt="prompt", cluster="candidate"
    )
    mean = next(s for s in made.subsets if s.average == "prompt" and not s.fisher_z)
    own = next(
        e
        for e in made.estimates
        if made.subsets[e.subset] is mean and e.text == "cohen_kappa[quadratic]"
    )
    assert math.isnan(own.low)
    assert "all come from one cluster" in own.why


@pytest.mark.parametrize("clusters", [2, 3, 5])
def test_equal_clusters_have_an_interval_however_few(clusters):
    rng = np.random.default_rng(3)
    gold = rng.integers(1, 7, size=30 * clusters)
    data = {
        "h1": gold,
        "engine": np.clip(gold + rng.integers(-1, 2, size=gold.size), 1, 6),
        "other": np.clip(gold + rng.integers(-2, 3, size=gold.size), 1, 6),
        "of": np.repeat(np.arange(clusters), 30),
    }
    asked: dict[str, Any] = {"humans": ["h1"], "scale": "1:6", "cluster": "of", "replicates": 100}
    qwk = tm.evaluate(data, systems=["engine"], statistics=["qwk"], **asked).estimates[0]
    assert qwk.low < qwk.value < qwk.high
    apart = tm.compare(data, systems=["engine", "other"], **asked)
    pairs = next(table for table in apart.tables if table.name == "pairs")
    row = dict(zip(pairs.columns, pairs.rows[0], strict=True))
    # all swaps of so few clusters: p is 2 / 2^n at least, whatever the number of responses
    assert row["p"] >= 2 / 2**clusters > 0.05
    assert (row["low"], row["high"], row["responses_needed"]) == (None, None, None)
