"""Of too many distinct rows, scores that nearly agree stand together; what is computed stays true."""

import json

import numpy as np
import pytest

import tallymark as tm
from tallymark.sources import near, open_scores, tallying
from tallymark.sources.representing import _axes, _standing
from tallymark.sources.roles import Roles
from tallymark.study.worst import list_worst

N = 20_000
POINTS = [
    "percent_agreement",
    "cohen_kappa[quadratic]",
    "gwet_ac[quadratic]",
    "pearson",
    "lin_ccc",
    "bias",
    "rmse",
    "sd_ratio",
]
MOMENTS = ["pearson", "lin_ccc", "bias", "rmse", "mse"]


@pytest.fixture(scope="module")
def table():
    """Two raters on six points, three systems with decimals, continuous ratings, some missing."""
    rng = np.random.default_rng(19)
    true = 3.5 + 1.2 * rng.standard_normal(N)

    def rater():
        return np.clip(np.round(true + 0.6 * rng.standard_normal(N)), 1, 6)

    engine = true + 0.4 * rng.standard_normal(N)
    engine[rng.random(N) < 0.02] = np.nan
    return {
        "h1": rater(),
        "h2": np.where(rng.random(N) < 0.5, rater(), np.nan),
        "engine": engine,
        "other": 0.8 * true + 1 + 0.5 * rng.standard_normal(N),
        "share": (true - 1) / 5 + 0.05 * rng.standard_normal(N),
        "c1": true + 0.3 * rng.standard_normal(N),
        "c2": 0.9 * true + 0.3 * rng.standard_normal(N),
        "prompt": rng.choice(["a", "b"], N),
    }


@pytest.fixture
def both(monkeypatch):
    """Evaluate with every row by itself, and with near ones together."""

    def evaluate(table, **options):
        exact = tm.evaluate(table, **options)
        monkeypatch.setattr(near, "MANY", 5000)
        monkeypatch.setattr(near, "FEW", 2000)
        together = tm.evaluate(table, **options)
        monkeypatch.undo()
        assert any("too many to tally" in note for note in together.data.notes)
        return exact, together

    return evaluate


def values(evaluation):
    return {(e.subset, e.text): e for e in evaluation.estimates}


def check(exact, together, *, rel):
    known, told = values(exact), values(together)
    assert known.keys() == told.keys()
    for key, estimate in known.items():
        little = max(1e-9, 1e-4 * estimate.se)
        assert told[key].value == pytest.approx(estimate.value, rel=rel, abs=little), key
        assert told[key].n == estimate.n
        assert told[key].se == pytest.approx(estimate.se, rel=0.05), key


def test_tables_and_moments_of_one_system_are_those_of_all_rows(both, table):
    check(*both(table, humans=["h1", "h2"], systems=["engine"], statistics=POINTS), rel=2e-6)


def test_agreement_of_rounded_scores_is_exact_for_systems_on_their_own_scale(both, table):
    asked = {"humans": ["h1"], "systems": ["share"], "system_scale": "0:1", "scale": "1:6"}
    exact, together = both(table, **asked, statistics=POINTS[:3])
    assert [m.values for m in exact.matrices] == [m.values for m in together.matrices]
    check(exact, together, rel=1e-12)


def test_agreement_of_rounded_scores_is_exact_where_golds_are_means(both, table):
    asked = {"humans": ["h1", "h2"], "systems": ["engine", "other"], "resolve": "mean"}
    exact, together = both(table, **asked, statistics=POINTS[:3])
    assert [m.values for m in exact.matrices] == [m.values for m in together.matrices]


def test_prompts_may_have_scales_of_their_own(both, table):
    asked = {"humans": ["h1"], "systems": ["engine"], "prompt": "prompt"}
    coarse = {"b": {"scale": "0:12:0.5"}}
    exact, together = both(table, **asked, prompts=coarse, statistics=["qwk"])
    assert [m.values for m in exact.matrices] == [m.values for m in together.matrices]


def test_moments_of_continuous_ratings_are_those_of_all_rows(both, table):
    asked = {"humans": ["c1", "c2"], "systems": ["engine"], "resolve": "mean", "trim": "none"}
    check(*both(table, **asked, statistics=MOMENTS), rel=1e-8)


def test_ranks_are_close_and_the_method_says_what_they_are_of(both, table):
    asked = {"humans": ["h1"], "systems": ["engine"], "statistics": ["kendall_tau_b", "spearman"]}
    exact, together = both(table, **asked)
    for key, estimate in values(together).items():
        assert estimate.value == pytest.approx(values(exact)[key].value, abs=5e-4)
        assert "of scores told within 1/" in estimate.method


def test_the_order_of_the_rows_does_not_matter(both, table):
    order = np.random.default_rng(2).permutation(N)
    shuffled = {name: column[order] for name, column in table.items()}
    asked = {"humans": ["h1", "h2"], "systems": ["engine", "other"], "prompt": "prompt"}
    _, one = both(table, **asked, statistics=["qwk", "pearson"])
    _, other = both(shuffled, **asked, statistics=["qwk", "pearson"])
    assert one.to_json() == other.to_json()


def test_what_is_left_out_is_counted_as_before(both, table):
    off = {**table, "h1": np.where(np.arange(N) % 1000 == 7, 9, table["h1"])}
    asked = {"humans": ["h1"], "systems": ["engine"], "scale": "1:6", "exclude": ["off-scale"]}
    exact, together = both(off, **asked, statistics=["qwk"])
    data = [json.loads(each.to_json())["data"] for each in (exact, together)]
    assert data[0]["exclusions"] == data[1]["exclusions"]
    assert [data[0][key] for key in ("read", "used")] == [data[1][key] for key in ("read", "used")]


def test_listed_responses_are_rows_with_such_scores(monkeypatch, table):
    monkeypatch.setattr(near, "MANY", 5000)
    monkeypatch.setattr(near, "FEW", 2000)
    with open_scores(table, roles=Roles(humans=("h1",), systems=("engine",))) as opened:
        assert opened.scores.facts.near
        worst, _ = list_worst(opened.responses, "rows")
    assert worst["engine"]
    for listed in worst["engine"]:
        assert listed.row
        assert table["h1"][listed.row - 1] == listed.gold
        assert table["engine"][listed.row - 1] == pytest.approx(listed.score, abs=0.51)


@pytest.mark.parametrize("axes", [1, 2, 3, 5])
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 7, 9, 10, 11, 12, 1000])
def test_rows_that_stand_for_a_cell_have_its_number_mean_and_covariances(axes, n):
    rng = np.random.default_rng(n)
    scores = rng.standard_normal((n, axes)) @ rng.standard_normal((axes, axes))
    covariances = np.cov(scores.T, ddof=0).reshape(1, axes, axes)
    cell, times, away = _standing(np.array([n]), _axes(covariances))
    assert not cell.any()
    assert times.sum() == n
    assert times.size <= 2 * axes + 1
    assert times @ away == pytest.approx(np.zeros(axes), abs=1e-12 * n)
    assert (away.T * times) @ away / n == pytest.approx(covariances[0], abs=1e-10)


def test_fewer_rows_than_a_million_are_told_one_by_one(table):
    evaluation = tm.evaluate(table, humans=["h1"], systems=["engine"], statistics=["pearson"])
    assert tallying.MANY == 1_000_000
    assert not any("too many" in note for note in evaluation.data.notes)
