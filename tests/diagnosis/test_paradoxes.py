"""Each finding has data that trigger it and data that must not."""

from functools import cache
from typing import Any

import numpy as np
import pytest

import tallymark as tm
from tallymark.results import DIAGNOSIS
from tests.said import read

OFF = np.array([[0, 51, 5, 0], [166, 0, 92, 0], [14, 98, 0, 102], [0, 4, 70, 0]])


def scored(table, first=1):
    """Two columns of scores with this table of counts, rows gold."""
    table = np.asarray(table)
    gold, system = (np.repeat(index.ravel(), table.ravel()) for index in np.indices(table.shape))
    return {"human": gold + first, "engine": system + first}


def evaluated(columns, scale, **options):
    return tm.evaluate(
        columns, humans=["human"], systems=["engine"], scale=scale, replicates=100, **options
    )


@cache
def of_skewed():
    return evaluated(skewed(), "1:3")


@cache
def of_errors(sizes, shares):
    return evaluated(errors_of(sizes, shares), "1:6")


def found(evaluation, name):
    """The diagnosis of that name on all responses."""
    whole = [d for d in evaluation.diagnoses if d.name == name]
    whole = [d for d in whole if evaluation.subsets[d.subset].prompt is None]
    return read(evaluation, whole[0]) if whole else None


def skewed(n=600, share=0.95, seed=0):
    """Gold and system nearly always give 2, and independently of each other."""
    rng = np.random.default_rng(seed)
    points, shares = [1, 2, 3], [(1 - share) / 2, share, (1 - share) / 2]
    return {who: rng.choice(points, n, p=shares) for who in ("human", "engine")}


def test_kappa_paradox():
    """The second table of the figure of Doewes, Kurdhi & Saxena (2023), three times over."""
    told = found(evaluated(scored(3 * np.array([[170, 10], [10, 10]])), "1:2"), "kappa_paradox")
    assert told.loud
    assert told.numbers["kappa"] == pytest.approx(0.4444, abs=1e-4)
    assert told.numbers["prevalence_index"] == pytest.approx(0.8)
    assert told.numbers["bias_index"] == 0
    assert told.numbers["kappa_if_points_were_even"] == pytest.approx(0.8)  # PABAK
    assert told.numbers["largest_share"] == pytest.approx(0.9)
    assert told.numbers["stuart_maxwell_p"] == 1
    assert "90 % of all scores are 1" in told.words
    assert "use the points alike" in told.words


def test_the_paradox_of_a_thousand_responses():
    """The listing of Doewes, Kurdhi & Saxena (2023): 99.6 % agree, QWK .487."""
    gold, system = np.full(1000, 9), np.full(1000, 9)
    gold[:5], system[:5] = [5, 7, 7, 9, 8], [8, 6, 9, 6, 8]
    ev = evaluated({"human": gold, "engine": system}, "5:9")
    told = found(ev, "kappa_paradox")
    assert told.numbers["qwk"] == pytest.approx(0.4872, abs=1e-4)
    assert told.numbers["prevalence_doewes"] > 0.3


@pytest.mark.parametrize(
    "table",
    [
        3 * np.array([[90, 10], [10, 90]]),  # as much agreement, evenly used points
        [[34, 2], [2, 2]],  # too few responses to settle it
        3 * np.array([[120, 50], [20, 10]]),  # low agreement and low kappa: no paradox
    ],
)
def test_no_kappa_paradox(table):
    assert found(evaluated(scored(table), "1:2"), "kappa_paradox") is None


def test_different_margins_are_told_as_a_cause():
    told = found(evaluated(scored([[900, 10], [90, 10]]), "1:2"), "kappa_paradox")
    assert told.numbers["bias_index"] == pytest.approx(-80 / 1010)
    assert told.numbers["stuart_maxwell_p"] < 1e-6
    assert "use the points differently" in told.words


def test_ac_without_discrimination():
    ev = of_skewed()
    told = found(ev, "ac_without_discrimination")
    assert told.loud
    assert told.numbers["gwet_ac"] > 0.9
    assert abs(told.numbers["pearson"]) < 0.1
    assert "always gives 2" in told.words


def test_a_constant_system_has_no_order():
    columns = skewed() | {"engine": np.full(600, 2)}
    ev = evaluated(columns, "1:3")
    assert "gives every response the same score" in found(ev, "ac_without_discrimination").words
    assert found(ev, "agreement_without_order") is not None


def test_a_constant_gold_shows_nothing():
    columns = skewed() | {"human": np.full(600, 2)}
    ev = evaluated(columns, "1:3")
    assert "nothing shows whether" in found(ev, "ac_without_discrimination").words
    assert found(ev, "agreement_without_order") is None


def test_a_system_that_tells_responses_apart():
    columns = skewed(share=0.7)
    columns["engine"] = np.where(np.arange(600) % 10, columns["human"], 2)
    ev = evaluated(columns, "1:3")
    assert ev.numbers[0]["gwet_ac[quadratic]"].low > 0.7
    assert found(ev, "ac_without_discrimination") is None
    assert found(ev, "agreement_without_order") is None


def test_a_noisy_gold_is_not_held_against_the_system():
    """r is low because raters are, yet PRMSE shows that true scores are predicted."""
    rng = np.random.default_rng(1)
    true = rng.normal(0, 0.2, 1500)
    h1, h2 = (np.clip(np.rint(5 + true + rng.normal(0, 1, 1500)), 0, 10) for _ in range(2))
    columns = {"h1": h1, "h2": h2, "engine": np.round(5 + true, 2)}
    ev = tm.evaluate(columns, humans=["h1", "h2"], systems=["engine"], scale="0:10", replicates=100)
    assert ev.numbers[0]["pearson"].high < 0.3
    assert ev.numbers[0]["gwet_ac[quadratic]"].low > 0.7
    assert found(ev, "ac_without_discrimination") is None


def test_agreement_without_order():
    told = found(of_skewed(), "agreement_without_order")
    assert told.numbers["percent_agreement"] > 0.85
    assert told.loud


def errors_of(sizes, shares, n=1000, seed=2):
    """Gold evenly over 1 to 6; errors of some sizes with some shares, inwards."""
    rng = np.random.default_rng(seed)
    gold = rng.integers(1, 7, n)
    size = rng.choice(sizes, n, p=shares)
    return {"human": gold, "engine": np.where(gold > 3, gold - size, gold + size)}


def test_qwk_without_exact_agreement():
    ev = of_errors((0, 1), (0.3, 0.7))
    told = found(ev, "qwk_without_exact")
    assert told.loud
    assert told.numbers["qwk"] > 0.7
    assert told.numbers["percent_agreement"] < 0.4
    assert found(ev, "qwk_with_critical_errors") is None


def test_most_responses_right_is_no_such_finding():
    assert found(of_errors((0, 1), (0.6, 0.4)), "qwk_without_exact") is None


def test_on_a_long_scale_it_is_told_quietly():
    rng = np.random.default_rng(3)
    gold = rng.integers(0, 31, 500)
    columns = {"human": gold, "engine": np.clip(gold + rng.integers(-3, 4, 500), 0, 30)}
    assert found(evaluated(columns, "0:30"), "qwk_without_exact").loud is False


def test_qwk_with_critical_errors():
    ev = of_errors((0, 3), (0.9, 0.1))
    told = found(ev, "qwk_with_critical_errors")
    assert told.loud
    assert told.numbers["qwk"] > 0.7
    assert told.numbers["errors"] == pytest.approx(0.1, abs=0.03)
    assert told.numbers["size"] == 2  # at lambda .2 every disagreement on 6 points is critical
    assert told.numbers["csrate[0.2]"] == pytest.approx(told.numbers["errors"])


def test_critical_errors_of_few_clusters_are_not_settled():
    # the same 80 errors of 1,000: spread over all responses, or all by four of fifty candidates
    gold = np.tile(np.arange(1, 7), 167)[:1000]
    size = np.where(np.arange(1000) < 80, 3, 0)
    data = {"human": gold, "engine": np.where(gold > 3, gold - size, gold + size)}
    told = found(evaluated(data, "1:6"), "qwk_with_critical_errors")
    assert told is not None
    clusters = {"who": np.arange(1000) // 20}
    assert found(evaluated({**data, **clusters}, "1:6", cluster="who"), told.name) is None
    spread = {"who": np.arange(1000) % 50}
    assert found(evaluated({**data, **spread}, "1:6", cluster="who"), told.name) is not None


def test_as_many_small_errors_are_not_critical():
    ev = of_errors((0, 1), (0.9, 0.1))
    assert found(ev, "qwk_with_critical_errors") is None


def test_lambda_decides_what_is_critical():
    ev = evaluated(errors_of([0, 3], [0.9, 0.1]), "1:6", lambda_=0.8)
    assert found(ev, "qwk_with_critical_errors") is None


def test_critical_errors_that_people_make_too_are_told_quietly():
    rng = np.random.default_rng(8)
    true = rng.integers(0, 11, 600)
    far = [np.where(rng.random(600) < 0.1, np.where(true > 5, -3, 3), 0) for _ in range(3)]
    names = ("h1", "h2", "engine")
    data = {name: true + error for name, error in zip(names, far, strict=True)}
    options: dict[str, Any] = {
        "humans": ["h1", "h2"], "systems": ["engine"], "scale": "0:10", "replicates": 100
    }  # fmt: skip
    told = found(tm.evaluate(data, **options), "qwk_with_critical_errors")
    assert not told.loud
    assert told.numbers["people"] == pytest.approx(np.mean(data["h1"] != data["h2"]))
    agreed = tm.evaluate(data | {"h2": data["h1"]}, **options)
    assert found(agreed, "qwk_with_critical_errors").loud


def test_the_place_of_the_agreement_decides():
    """Table 7 of Doewes, Kurdhi & Saxena (2023), as rebuilt: rejected where it stands."""
    ev = evaluated(scored(OFF + np.diag([151, 1000, 12, 5]), first=0), "0:3")
    told = found(ev, "position_effect")
    assert not told.loud  # worth knowing: what might have been excuses nothing
    assert told.numbers["qwk"] == pytest.approx(0.5993, abs=5e-5)
    assert told.numbers["even"] > 0.75
    assert told.numbers["lowest"] <= 0.5993 < 0.8548 - 5e-5 <= told.numbers["highest"]
    assert "86 % of the 1,168 agreements lie at 1" in told.words


def test_the_place_of_the_agreement_does_not_matter_where_no_place_would_be_rejected():
    ev = evaluated(errors_of([0, 1], [0.8, 0.2]), "1:6")
    assert found(ev, "position_effect") is None


def test_margins_are_tested_for_every_system():
    ev = evaluated(scored([[20, 5], [15, 60]]), "1:2")
    at = next(i for i, s in enumerate(ev.subsets) if s.against == DIAGNOSIS)
    test = ev.numbers[at]["stuart_maxwell"]
    assert test.value == pytest.approx(5.0)  # McNemar: (15 - 5)^2 / 20
    assert test.parts["df"] == 1
    assert test.parts["p"] == pytest.approx(0.0253, abs=1e-4)
    assert ev.numbers[at]["bhapkar"].value == pytest.approx(5 / 0.95)


def test_findings_are_told_of_each_prompt():
    good, bad = errors_of([0, 1], [0.9, 0.1], n=600), skewed()
    columns = {key: np.concatenate([good[key], bad[key]]) for key in good}
    ev = evaluated(columns | {"prompt": np.repeat(["good", "bad"], 600)}, "1:6", prompt="prompt")
    named = [(d.name, ev.subsets[d.subset].prompt) for d in ev.diagnoses if d.loud]
    assert ("agreement_without_order", "bad") in named
    assert all(prompt != "good" for _, prompt in named)
