"""Estimates: which interval is made, what is said when there is none, and the same answer twice."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tallymark as tm
from tallymark.catalogue import FORMULAS
from tallymark.catalogue.reasons import TWO_POINTS
from tallymark.errors import OptionError
from tallymark.inference import OnUnits, Settings, estimate, estimate_all, estimate_each
from tallymark.study.units import Rows, units_of
from tests.inference.data import continuous, formula, scores, units

NAMES = [row.name for row in FORMULAS]
BILLIONS = 7_000_000_000


def ends(found):
    return found.low, found.high


def test_the_default_is_the_closed_form_of_bca_over_responses():
    found = tm.estimate("qwk", *scores(1))
    assert found.method == "expanded ABC over responses"
    assert found.low < found.value < found.high
    assert found.why == ""
    asked = tm.estimate("qwk", *scores(1), interval="bca")
    assert asked.method == "expanded BCa bootstrap over responses, 2000 replicates, seed 0"


def test_shares_take_the_wilson_interval_also_where_all_agree():
    found = tm.estimate("percent_agreement", [1, 2] * 25, [1, 2] * 25)
    assert found.method == "Wilson score interval"
    assert found.low == pytest.approx(0.9287, abs=1e-4)
    assert found.high == 1.0


def test_shares_of_clusters_take_the_clusters_as_units():
    first, second = scores(2)
    found = tm.estimate("percent_agreement", first, second, cluster=np.maximum(np.arange(60), 3))
    assert found.method.startswith("expanded ABC over clusters")


def test_more_than_a_percent_of_undefined_replicates_gives_percentiles():
    # one response of fifty differs: a third of the resamples leave it out
    first, second = [1] * 49 + [2], [1] * 49 + [2]
    found = tm.estimate("cohen_kappa", first, [*second[:48], 2, 2], scale="1:2", interval="bca")
    assert found.parts["undefined_share"] > 0.01
    assert found.method.startswith("percentile bootstrap")


def test_replicates_that_do_not_vary_are_not_certainty():
    found = tm.estimate("cohen_kappa", [1, 2] * 25, [1, 2] * 25)
    assert found.value == 1.0
    assert math.isnan(found.low)
    assert math.isnan(found.se)
    assert found.why.startswith("every resample gives the same value")


@pytest.mark.parametrize("name", NAMES)
def test_one_response_gives_no_interval_but_a_reason(name):
    found = tm.estimate(name, [1], [2], scale="1:3")
    if "Wilson score interval" not in found.method:
        assert all(math.isnan(end) for end in ends(found))
        assert found.why


@pytest.mark.parametrize("name", NAMES)
def test_no_response_gives_neither_value_nor_interval_but_a_reason(name):
    found = tm.estimate(name, [], [], scale="1:3")
    assert math.isnan(found.value)
    assert all(math.isnan(end) for end in ends(found))
    assert (found.n, found.why) == (0, "no response has both scores")


def test_few_clusters_are_said_to_be_few():
    first, second = scores(3)
    few = tm.estimate("qwk", first, second, cluster=np.arange(60) % 12)
    assert few.why == "only 12 clusters, which the t interval allows for"
    assert not math.isnan(few.low)
    assert tm.estimate("qwk", first, second, cluster=np.arange(60) % 30).why == ""


def test_no_z_interval_at_a_perfect_correlation():
    for name in ("pearson", "spearman"):
        found = tm.estimate(name, [1, 2, 3, 4] * 5, [1, 2, 3, 4] * 5, interval="analytic")
        assert all(math.isnan(end) for end in ends(found))
        assert found.why == "a correlation of 1 or -1 has no z interval"


@pytest.mark.parametrize("interval", [None, "abc", "bca", "percentile", "analytic"])
@settings(max_examples=15)
@given(st.lists(st.tuples(*[st.integers(1, 3)] * 2), min_size=1, max_size=8))
def test_an_interval_is_missing_only_with_a_reason(interval, rows):
    first, second = zip(*rows, strict=True)
    for row in FORMULAS:
        options = {"scale": "1:3", "interval": interval, "replicates": 100}
        found = tm.estimate(row.name, first, second, **options)
        assert found.why or not math.isnan(found.low + found.high), row.name
        assert not math.isinf(found.low + found.high), row.name
        assert not found.low > found.high, row.name
        assert math.isnan(found.value) <= bool(found.why), row.name


@pytest.mark.parametrize("name", ["qwk", "lin_ccc", "kendall_tau_b", "macro_mae"])
def test_the_same_seed_gives_the_same_numbers_in_any_order_of_rows(name):
    first, second = scores(4)
    order = np.random.default_rng(0).permutation(60)
    one = tm.estimate(name, first, second, seed=5, interval="bca")
    assert tm.estimate(name, first[order], second[order], seed=5, interval="bca") == one
    assert ends(tm.estimate(name, first, second, seed=6, interval="bca")) != ends(one)
    default = tm.estimate(name, first, second)
    assert tm.estimate(name, first[order], second[order]) == default


def test_another_key_is_another_stream():
    own = units("moments", *scores(5))
    bca = Settings(interval="bca")
    one, same, other = (estimate(formula("lin_ccc"), own, bca, key=key) for key in (1, 1, 2))
    assert one == same
    assert ends(one) != ends(other)
    assert one.se == pytest.approx(other.se, rel=0.1)


def test_statistics_estimated_together_are_those_estimated_alone():
    own = units("moments", *scores(6))
    formulas = [formula(name) for name in ("lin_ccc", "mae", "pearson")]
    assert estimate_all(formulas, own) == [estimate(one, own) for one in formulas]


def on_four_points(kind, first, second, formulas):
    both, points = np.stack([first, second], axis=1), np.arange(1.0, 5)
    return units_of(kind, Rows(both, np.ones(len(both), np.int64), points), formulas)


@pytest.mark.parametrize("kind", ["table", "moments"])
def test_parts_estimated_together_are_those_estimated_alone(kind):
    rows = [row for row in FORMULAS if row.tallies[0] == kind]
    formulas = [formula(row.name) for row in rows if not row.settled_on(np.arange(1.0, 5), {})]
    shares = [scores(seed, n=n) for seed, n in enumerate((12, 60, 61, 400))]
    shares += [(np.full(9, 2.0), np.full(9, 3.0)), (np.array([1.0, 4.0]), np.array([1.0, 4.0]))]
    parts = [OnUnits(formulas, on_four_points(kind, *part, formulas)) for part in shares]
    assert len({part.units.shape for part in parts}) == 1
    together = estimate_each(parts, keys=range(len(parts)))
    for key, (made, part) in enumerate(zip(together, shares, strict=True)):
        alone = estimate_all(formulas, on_four_points(kind, *part, formulas), key=key)
        for one, other in zip(made, alone, strict=True):
            assert (one.key, one.method, one.why) == (other.key, other.method, other.why)
            first, second = ([e.value, e.se, e.low, e.high, e.se_analytic] for e in (one, other))
            np.testing.assert_allclose(first, second, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", ["qwk", "lin_ccc", "spearman", "macro_mae"])
def test_copies_within_a_cluster_add_no_information(name):
    first, second = scores(7, n=200)
    twice, cluster = (np.repeat(first, 2), np.repeat(second, 2)), np.repeat(np.arange(200), 2)
    alone = tm.estimate(name, first, second)
    together = tm.estimate(name, *twice, cluster=cluster)
    pretended = tm.estimate(name, *twice)
    assert together.value == pytest.approx(alone.value, abs=1e-9)
    assert together.se == pytest.approx(alone.se, rel=0.08)
    assert pretended.se == pytest.approx(alone.se / math.sqrt(2), rel=0.08)
    assert ends(together) == pytest.approx(ends(alone), abs=0.03)


@pytest.mark.parametrize("name", ["lin_ccc", "pearson", "rmse", "bias"])
def test_shards_give_the_error_of_responses(name):
    first, second = continuous(8, n=24_000)
    found = tm.estimate(name, first, second, interval="bca")
    assert "shards" in found.method
    # of 4,096 shards and 2,000 replicates: 1.1 and 1.6 % of error; the analytic one has neither
    assert found.se == pytest.approx(found.se_analytic, rel=0.05)
    usual = tm.estimate(name, first, second)
    assert "bootstrap" not in usual.method
    assert ends(usual) == pytest.approx(ends(found), abs=0.2 * found.se)


def test_counts_of_billions_neither_overflow_nor_lose_exactness():
    table = [[BILLIONS, 1, 0], [3, BILLIONS, 7], [0, 2, BILLIONS + 1]]
    n = sum(map(sum, table))
    found = tm.estimate("percent_agreement", table=table)
    assert found.n == n
    assert found.value == float(1 - Fraction(13, n))
    rows, columns = [sum(row) for row in table], [sum(c) for c in zip(*table, strict=True)]
    by_chance = Fraction(sum(a * b for a, b in zip(rows, columns, strict=True)), n * n)
    kappa = 1 - Fraction(13, n) / (1 - by_chance)
    assert 1 - tm.estimate("cohen_kappa", table=table).value == pytest.approx(
        float(1 - kappa), rel=1e-6
    )
    assert tm.estimate("bias", table=table).value == pytest.approx(3 / n, rel=1e-6)


@pytest.mark.parametrize("row", FORMULAS, ids=lambda row: row.name)
def test_every_statistic_has_an_interval_of_billions_of_responses(row):
    k = 2 if TWO_POINTS in row.undefined else 3
    table = np.full((k, k), BILLIONS // 10) + np.diag([BILLIONS, *range(1, k)])
    found = tm.estimate(row.name, table=table)
    assert found.n == table.sum()
    if row.interval == "none":
        assert found.why.startswith("no interval is known")
        return
    assert found.low < found.value < found.high
    assert found.high - found.low < 1e-3


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"level": 95}, r"level must lie between 0 and 1, got 95\. Did you mean 0\.95\?"),
        ({"level": 0}, "level must lie between 0 and 1, got 0"),
        ({"replicates": 10}, "replicates must be at least 100, got 10"),
        ({"seed": -1}, "seed must be a whole number of 0 or more, got -1"),
        ({"interval": "bayes"}, "unknown interval 'bayes'"),
    ],
)
def test_settings_that_make_no_sense_are_refused(options, said):
    with pytest.raises(OptionError, match=said):
        Settings(**options)


def test_a_wider_level_is_a_wider_interval():
    first, second = scores(9)
    narrow, wide = (tm.estimate("qwk", first, second, level=level) for level in (0.8, 0.99))
    assert wide.low < narrow.low < narrow.value < narrow.high < wide.high
