"""Comparisons end to end: the same responses, paired differences, baselines, ranking, prompts."""

from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

import tallymark as tm
from tallymark.catalogue import find
from tallymark.inference.influence import influence
from tallymark.questions.comparison.shared import shared
from tallymark.results import Evaluation
from tallymark.study.units import Rows
from tallymark.tally import PairPatterns
from tests.compare.made import estimates, made, table

PEOPLE: dict[str, Any] = {"humans": ["h1", "h2"], "scale": "1:6", "replicates": 200}
BRIEF: dict[str, Any] = {**PEOPLE, "statistics": ["qwk", "smd"]}
BY = "cohen_kappa[quadratic]"
OF = f"paired_difference[{BY}]"


def qwk(gold, scores):
    points = np.arange(1.0, 7.0)
    return float(find("qwk").value(PairPatterns.of(gold, scores).table(points)))


@pytest.fixture(scope="module")
def found():
    return tm.compare(made(), systems=["s0", "s1"], **PEOPLE)


def test_values_and_intervals_are_those_of_evaluate(found):
    alone = tm.evaluate(made(), systems=["s0"], statistics=["qwk", "mae"], **PEOPLE)
    for text, one in alone.numbers[0].items():
        here = estimates(found, "s0")[text]
        # fewer statistics need fewer sums, which are added in another order
        assert (here.low, here.high) == pytest.approx((one.low, one.high), abs=1e-12)
        assert here.value == one.value


def test_a_difference_is_that_of_the_two_values_with_a_paired_interval(found):
    columns = made()
    one = estimates(found, "s0 against s1")[OF]
    assert one.value == pytest.approx(
        qwk(columns["h1"], columns["s0"]) - qwk(columns["h1"], columns["s1"])
    )
    assert one.low < one.value < one.high
    assert one.se == pytest.approx(one.se_analytic, rel=0.15)
    assert one.method.startswith(
        "permutation t interval, paired influence standard error, 119.0 df"
    )


def test_every_statistic_has_a_difference_and_leading_ones_a_test(found):
    own = estimates(found, "s0")
    pairs = estimates(found, "s0 against s1")
    without = {"prevalence_doewes", "sd_ratio"}  # neither more nor less is better
    assert {str(e.params["of"]) for e in pairs.values()} == set(own) - without
    tested = {str(e.params["of"]) for e in pairs.values() if "p" in e.parts}
    assert {BY, "mae", "pearson", "gwet_ac[quadratic]", "csrate[0.2]"} <= tested
    for one in pairs.values():
        if "p" in one.parts:
            assert one.parts["p"] <= one.parts["p_holm"] <= 1


def test_responses_that_a_system_did_not_score_are_left_out_and_counted():
    columns = made()
    columns["s0"][3] = columns["s0"][4] = None
    columns["s1"][4] = columns["s1"][50] = None
    found = tm.compare(columns, systems=["s0", "s1"], **BRIEF)
    assert found.data.used == 117
    assert found.data.read == 120
    assert dict(found.data.exclusions) == {
        "no system score": 1,
        "not scored by every system (lacking: s0 1, s1 1)": 2,
    }
    assert {s.n for s in found.subsets if s.system in ("s0", "s1")} == {117}


def test_systems_without_a_common_response_are_refused():
    columns = made(10)
    columns["s0"][:5] = columns["s1"][5:] = [None] * 5
    with pytest.raises(tm.DataError, match=r"no response was scored by all 2 systems.*s0 5, s1 5"):
        tm.compare(columns, systems=["s0", "s1"], **PEOPLE)


def test_the_ranking_holds_the_order_and_what_of_it_is_settled():
    found = tm.compare(made(400, noises=(1.4, 0.4, 0.42)), systems=["s0", "s1", "s2"], **BRIEF)
    first, second, last = table(found, "ranking")
    assert last["system"] == "s0"
    assert (last["rank_low"], last["rank_high"]) == (3, 3)
    assert (first["rank_low"], first["rank_high"]) == (1, 2)
    assert (first["groups"], second["groups"], last["groups"]) == ("a", "a", "b")
    assert (second["apart_from_best"], last["apart_from_best"]) == ("no", "yes")
    assert first["share_first"] + second["share_first"] == pytest.approx(1)
    assert last["value"] == estimates(found, "s0")[BY].value


def test_a_ranking_by_an_error_puts_the_smallest_first():
    found = tm.compare(made(300), systems=["s1", "s0"], by="mae", **BRIEF)
    assert [row["system"] for row in table(found, "ranking")] == ["s0", "s1"]
    (pair,) = [row for row in table(found, "pairs") if row["statistic"] == "mae"]
    assert pair["difference"] > 0
    assert pair["better"] == "s0"


def test_rank_statistics_are_tested_too():
    found = tm.compare(made(300), systems=["s0", "s1"], by="tau", **BRIEF)
    (pair,) = [row for row in table(found, "pairs") if row["statistic"] == "kendall_tau_b"]
    assert pair["test"] == "paired t test"
    assert pair["p"] < 0.05


def test_identical_systems_are_not_told_apart_and_that_is_said():
    columns = made()
    columns["s1"] = columns["s0"]
    found = tm.compare(columns, systems=["s0", "s1"], **BRIEF)
    one = estimates(found, "s0 against s1")[OF]
    assert one.value == 0
    assert np.isnan(one.low)
    assert "no response tells the two apart" in one.why
    assert one.parts["p"] == one.parts["p_holm"] == 1
    assert [row["rank"] for row in table(found, "ranking")] == [1, 1]


def test_baselines_are_what_reading_nothing_gives(found):
    gold = np.array(made()["h1"])
    values, counts = np.unique(gold, return_counts=True)
    share = counts / counts.sum()
    apart = np.abs(values[:, None] - values[None, :])
    random = estimates(found, "random score")
    assert random["percent_agreement"].value == pytest.approx((share**2).sum())
    assert random["mae"].value == pytest.approx(share @ apart @ share)
    assert random[BY].value == pytest.approx(0, abs=1e-12)
    assert random["kendall_tau_b"].value == pytest.approx(0, abs=1e-12)
    assert random["mae"].low < random["mae"].value < random["mae"].high
    majority = estimates(found, "majority score")
    assert majority["percent_agreement"].value == pytest.approx(share.max())
    assert majority[BY].value == pytest.approx(0, abs=1e-12)
    assert np.isnan(majority["pearson"].value)
    assert found.options["baselines"] == ["majority score", "random score", "second human h2"]


def test_the_second_human_is_scored_as_a_system_would_be(found):
    as_system = tm.evaluate(
        made(), humans=["h1"], systems=["h2"], scale="1:6", replicates=200, statistics=["qwk"]
    )
    assert estimates(found, "second human h2")[BY].value == as_system.numbers[0][BY].value


def test_baselines_are_not_part_of_the_ranking_or_the_pairs(found):
    names = {row["system"] for row in table(found, "ranking")}
    assert names == {"s0", "s1"}
    assert {row["system"] for row in table(found, "pairs")} <= names


def test_any_order_of_rows_gives_the_same_json(found):
    columns, order = made(), np.random.default_rng(1).permutation(120)
    shuffled = {name: [values[i] for i in order] for name, values in columns.items()}
    again = tm.compare(shuffled, systems=["s0", "s1"], **PEOPLE)
    assert again.to_json() == found.to_json()
    assert Evaluation.from_json(found.to_json()).to_json() == found.to_json()


def test_the_headline_is_the_mean_over_prompts():
    found = tm.compare(made(240, prompts=4), systems=["s0", "s1"], prompt="prompt", **BRIEF)
    mean = estimates(found, "s0 against s1|average:prompt")[OF]
    each = [estimates(found, f"s0 against s1|prompt=p{i}")[OF] for i in range(4)]
    assert mean.value == pytest.approx(np.mean([one.value for one in each]))
    assert mean.se == pytest.approx(np.sqrt(sum(one.se**2 for one in each)) / 4, rel=0.12)
    assert mean.parts["p"] < 0.05
    assert all("p" not in one.parts for one in each)
    (first, _) = table(found, "ranking")
    assert first["value"] == estimates(found, "s0|average:prompt")[BY].value


def test_the_difference_of_one_prompt_repeated_is_that_of_the_prompt():
    columns = made(100)
    both = {name: [*values, *values] for name, values in columns.items()}
    both["id"] = [f"r{i}" for i in range(200)]
    both["prompt"] = ["a"] * 100 + ["b"] * 100
    found = tm.compare(both, systems=["s0", "s1"], prompt="prompt", **BRIEF)
    alone = tm.compare(columns, systems=["s0", "s1"], **BRIEF)
    mean = estimates(found, "s0 against s1|average:prompt")[OF]
    one = estimates(alone, "s0 against s1")[OF]
    assert mean.value == pytest.approx(one.value)
    assert mean.se_analytic == pytest.approx(one.se_analytic / np.sqrt(2))


def test_clusters_are_drawn_and_swapped_as_one():
    columns = made(40)
    four = {name: [value for value in values for _ in range(4)] for name, values in columns.items()}
    four["id"] = [f"r{i}" for i in range(160)]
    four["candidate"] = [f"c{i // 4}" for i in range(160)]
    found = tm.compare(four, systems=["s0", "s1"], cluster="candidate", **BRIEF)
    alone = tm.compare(columns, systems=["s0", "s1"], **BRIEF)
    grouped, single = (estimates(f, "s0 against s1")[OF] for f in (found, alone))
    assert "over 40 clusters" in grouped.method
    assert grouped.se_analytic == pytest.approx(single.se_analytic)
    assert grouped.parts["p"] == pytest.approx(single.parts["p"], abs=0.06)


def test_a_cluster_is_one_unit_also_where_only_some_prompts_have_very_many():
    # the same candidates with the same scores on both prompts: the mean is as unsure as each
    columns = made(4200)
    first = {**columns, "candidate": columns["id"], "prompt": ["p"] * 4200}
    both = {name: values + values[:4000] for name, values in first.items()}
    both["prompt"] = ["p"] * 4200 + ["q"] * 4000
    both["id"] = [f"r{i}" for i in range(8200)]
    options = {**PEOPLE, "systems": ["s0", "s1"], "cluster": "candidate", "statistics": ["mae"]}
    alone = tm.compare(first, **options, by="mae")
    found = tm.compare(both, **options, by="mae", prompt="prompt")
    for name, text in (("s0", "mae"), ("s0 against s1", "paired_difference[mae]")):
        one = estimates(alone, name)[text].se_analytic
        mean = estimates(found, f"{name}|average:prompt")[text].se_analytic
        assert mean == pytest.approx(one, rel=0.05)


def test_what_a_new_prompt_may_bring_needs_three():
    for prompts in (2, 5):
        columns = made(300, prompts=prompts)
        found = tm.compare(columns, systems=["s0", "s1"], prompt="prompt", **BRIEF)
        own = estimates(found, "s0|average:prompt")
        new, spread = own[f"new_prompt[{BY}]"], own[f"between_prompt_sd[{BY}]"]
        assert "new_prompt[smd[unpooled]]" in own
        if prompts == 2:
            assert np.isnan(new.value)
            assert "fewer than 3 prompts" in spread.why
        else:
            assert new.value == pytest.approx(own[BY].value)
            assert new.high - new.low > own[BY].high - own[BY].low
            assert spread.low <= spread.value <= spread.high


def test_continuous_scores_are_ranked_by_concordance():
    rng = np.random.default_rng(0)
    truth = rng.normal(50, 10, 150)
    columns = {"h1": truth.tolist(), "s0": (truth + rng.normal(0, 3, 150)).tolist()}
    columns["s1"] = (truth + rng.normal(0, 6, 150)).tolist()
    found = tm.compare(columns, humans=["h1"], systems=["s0", "s1"], replicates=200)
    assert found.options["by"] == "lin_ccc"
    assert found.options["baselines"] == ["mean score"]
    assert table(found, "ranking")[0]["system"] == "s0"


@pytest.mark.parametrize("n", [1, 2, 3])
def test_a_few_responses_settle_nothing(n):
    found = tm.compare(made(n), systems=["s0", "s1"], **PEOPLE)
    (pair,) = [row for row in table(found, "pairs") if row["statistic"] == BY]
    assert not pair["better"]


def test_one_score_throughout_leaves_the_rank_open():
    columns = {name: [3] * 20 for name in ("h1", "s0", "s1")}
    found = tm.compare(columns, humans=["h1"], systems=["s0", "s1"], scale="1:6", replicates=200)
    assert [row["rank"] for row in table(found, "ranking")] == [None, None]
    assert estimates(found, "s0 against s1")[OF].why


def test_few_replicates_do_not_keep_clear_differences_of_many_pairs_open():
    # 200 permutations of 36 pairs: the least adjusted p would be .18
    noises = [0.2, *np.linspace(1.2, 1.6, 8)]
    found = tm.compare(made(150, noises=noises), systems=["s*"], **BRIEF)
    best, *others = table(found, "ranking")
    assert (best["system"], best["rank_high"]) == ("s0", 1)
    assert {row["apart_from_best"] for row in others} == {"yes"}
    assert {row["test"] for row in table(found, "pairs")} == {
        "studentised permutation test, 1440 permutations, seed 0"
    }


def test_many_systems_are_tested_by_one_statistic():
    found = tm.compare(made(150, noises=np.linspace(0.4, 1.2, 12)), systems=["s*"], **BRIEF)
    pairs = table(found, "pairs")
    assert {row["statistic"] for row in pairs} == {BY}
    assert {row["test"] for row in pairs} == {"paired t test"}
    best = table(found, "ranking")[0]["system"]
    assert sum(best in (row["system"], row["against"]) for row in pairs) == 11


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"systems": ["s0"]}, "two systems or more, got s0"),
        ({"systems": ["s0", "s1"], "by": "bias"}, "neither high nor low is better"),
        ({"systems": ["s0", "s1"], "by": "icc"}, "no statistic of two scores"),
        ({"systems": ["s0", "s1"], "by": "qwkk"}, "Did you mean 'QWK'"),
    ],
)
def test_what_cannot_be_compared_is_refused(options, words):
    with pytest.raises(tm.OptionError, match=words):
        tm.compare(made(30), **options, **PEOPLE)


def test_an_error_share_is_ranked_at_the_lambda_asked_for():
    found = tm.compare(made(200), systems=["s0", "s1"], by="csrate", lambda_=0.4, **BRIEF)
    assert found.options["by"] == "csrate[0.4]"
    assert [row["system"] for row in table(found, "ranking")] == ["s0", "s1"]


def test_very_many_systems_say_what_is_left_out():
    columns = made(60, noises=np.linspace(0.4, 1.2, 35))
    found = tm.compare(columns, systems=["s*"], by="mae", humans=["h1"], replicates=200)
    assert any(
        note.startswith("595 pairs: all are tested, by MAE alone") for note in found.data.notes
    )
    assert len(table(found, "ranking")) == 35
    assert all(row["value"] is not None for row in table(found, "ranking"))


def test_a_system_called_like_a_word_of_ours_is_compared_as_any_other():
    columns = {"h": [1, 2, 3, 1], "a": [1, 2, 2, 1], "itself": [1, 2, 3, 3]}
    found = tm.compare(columns, humans=["h"], systems=["a", "itself"], replicates=100)
    columns["b"] = columns.pop("itself")
    usual = tm.compare(columns, humans=["h"], systems=["a", "b"], replicates=100)
    assert "itself" in {subset.system for subset in found.subsets}
    assert str([e.value for e in found.estimates]) == str([e.value for e in usual.estimates])


def test_a_difference_has_an_interval_where_both_values_have_one():
    rng = np.random.default_rng(5)
    for rare in (0, 2, 9, 40):
        gold = np.concatenate([rng.integers(2, 6, 160), np.full(rare, 6)]).astype(float)
        columns = {"gold": gold}
        for name in ("s0", "s1"):
            columns[name] = np.clip(gold + rng.integers(-1, 2, gold.size), 1, 6)
        asked: dict[str, Any] = {
            "gold": "gold",
            "scale": "1:6",
            "statistics": ["macro_rmse", "macro_mae", "qwk"],
        }
        every = tm.compare(columns, systems=["s0", "s1"], **asked)
        apart = estimates(every, "s0 against s1")
        for text, value in estimates(every, "s0").items():
            difference = apart[f"paired_difference[{text}]"]
            assert np.isnan(difference.low) == np.isnan(value.low)
            assert difference.why == value.why


def test_systems_share_the_few_sums_that_derivatives_need():
    formula = find("krippendorff_alpha[ordinal]")
    columns = made()
    scores = np.stack([columns["h1"], columns["s0"]], axis=1).astype(float)
    rows = Rows(scores, np.ones(len(scores), np.int64), np.arange(1.0, 7.0))
    units = shared(rows).units("ordinal", 1, [formula])
    assert units.near is not None
    np.testing.assert_allclose(
        influence(formula.value, units),
        influence(formula.value, replace(units, near=None)),
        atol=1e-9,
    )
