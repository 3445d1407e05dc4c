"""Evaluate: the parts of the data, averages over them, and the same answer however data come."""

import math

import numpy as np
import pytest

import tallymark as tm
from tallymark.catalogue import texts
from tallymark.demo import SCORES
from tallymark.results import GOLD
from tallymark.sources import PromptOptions

QWK = "cohen_kappa[quadratic]"


def simulated(n=240, **changes):
    rng = np.random.default_rng(5)
    gold = rng.integers(1, 5, n)
    columns = {
        "h1": gold,
        "engine": np.clip(gold + rng.normal(0, 0.8, n), 0.6, 4.4).round(2),
        "prompt": np.where(np.arange(n) % 3 == 0, "a", "b"),
        "gender": np.where(np.arange(n) % 2 == 0, "f", "m"),
        "pupil": [f"p{i // 3}" for i in range(n)],
    }
    return {**columns, **changes}


def run(columns=None, **options):
    asked = {"humans": ["h1"], "systems": ["engine"], "scale": "1:4", "replicates": 200}
    return tm.evaluate(columns or simulated(), **{**asked, **options})


def by_id(evaluation):
    return {subset.id: evaluation.numbers[i] for i, subset in enumerate(evaluation.subsets)}


@pytest.fixture(scope="module")
def demo():
    return tm.evaluate(
        SCORES,
        humans=["h1", "h2"],
        systems=["engine", "chatbot"],
        scale="1:6",
        prompt="prompt",
        groups=["first_language"],
        replicates=200,
    )


def test_every_part_of_the_data_is_evaluated_for_every_system(demo):
    ids = [s.id for s in demo.subsets if (s.system, s.against) == ("engine", GOLD)]
    assert ids == [
        "engine",
        "engine|prompt=city life",
        "engine|prompt=school uniform",
        "engine|prompt=travel",
        "engine|group:first_language=English",
        "engine|group:first_language=Mandarin",
        "engine|group:first_language=Spanish",
        "engine|average:prompt",
        "engine|average:prompt|fisher_z",
    ]


def test_every_two_rater_statistic_is_reported_with_an_interval_or_a_reason(demo):
    for found in demo.estimates:
        assert found.low <= found.value <= found.high or found.why, found
    assert [found.text.partition("[")[0] for found in demo.numbers[0].values()] == [
        name.partition("[")[0] for name in texts("default")
    ]


def test_a_built_in_unfairness_shows_in_its_group_only(demo):
    chatbot = {
        s.group: demo.numbers[i]["bias"]
        for i, s in enumerate(demo.subsets)
        if s.group and (s.system, s.against) == ("chatbot", GOLD)
    }
    assert chatbot["Mandarin"].high < -0.3
    assert chatbot["English"].low < 0.05
    assert chatbot["English"].high > -0.05


def test_the_average_is_the_mean_over_prompts_plainly_and_on_fishers_z():
    found = by_id(run(prompt="prompt"))
    each = [found[f"engine|prompt={name}"][QWK].value for name in "ab"]
    assert found["engine|average:prompt"][QWK].value == pytest.approx(np.mean(each), abs=1e-12)
    z = math.tanh(np.mean(np.arctanh(each)))
    assert found["engine|average:prompt|fisher_z"][QWK].value == pytest.approx(z, abs=1e-12)


def test_the_error_of_an_average_of_independent_prompts_adds_up():
    found = by_id(run(prompt="prompt", replicates=4000))
    each = [found[f"engine|prompt={name}"]["pearson"].se for name in "ab"]
    expected = math.hypot(*each) / 2
    assert found["engine|average:prompt"]["pearson"].se == pytest.approx(expected, rel=0.05)
    ranks = found["engine|average:prompt"]["kendall_tau_b"]
    assert ranks.se_analytic == pytest.approx(ranks.se, rel=0.1)


def test_clusters_are_drawn_together_over_prompts():
    twins = simulated(n=200)
    both = {name: np.concatenate([column, column]) for name, column in twins.items()}
    both["prompt"] = np.repeat(["a", "b"], 200)
    both["pupil"] = np.tile(np.arange(200), 2).astype(str)
    found = by_id(run(both, prompt="prompt", cluster="pupil", replicates=1000))
    # the second prompt repeats the first: averaging the two gains nothing
    one, average = found["engine|prompt=a"][QWK], found["engine|average:prompt"][QWK]
    assert average.value == pytest.approx(one.value)
    assert average.se == pytest.approx(one.se, rel=0.1)
    assert "clusters" in average.method


def test_prompts_on_different_scales_are_averaged_but_not_pooled():
    columns = simulated()
    on_b = columns["prompt"] == "b"
    columns["h1"] = np.where(on_b, columns["h1"] * 10, columns["h1"])
    columns["engine"] = np.where(on_b, columns["engine"] * 10, columns["engine"])
    options = {"a": PromptOptions(scale="1:4"), "b": PromptOptions(scale="10:40:10")}
    found = run(columns, prompt="prompt", scale=None, prompts=options)
    assert "engine" not in by_id(found)
    plain = by_id(run(prompt="prompt"))
    for name in "ab":
        here = by_id(found)[f"engine|prompt={name}"][QWK].value
        assert here == pytest.approx(plain[f"engine|prompt={name}"][QWK].value)


def test_groups_crossed_with_prompts_come_on_request():
    ids = by_id(run(prompt="prompt", groups=["gender"], cross=True))
    assert "engine|prompt=a|group:gender=f" in ids


def test_folds_are_pooled_and_averaged():
    found = by_id(run(simulated(fold=np.arange(240) % 5), fold="fold"))
    assert {"engine", "engine|fold=0", "engine|average:fold"} <= set(found)


def test_of_many_prompts_only_the_leading_statistics_are_computed_and_that_is_said():
    columns = simulated(n=400, prompt=[f"p{i % 40:02d}" for i in range(400)])
    found = run(columns, prompt="prompt")
    assert list(by_id(found)["engine|prompt=p00"]) == [*texts("by_part")[:-1], "csrate[0.2]"]
    assert any("40 values of prompt" in note for note in found.data.notes)
    asked = run(columns, prompt="prompt", statistics=["kendall_tau_b"])
    assert list(by_id(asked)["engine|prompt=p00"]) == ["kendall_tau_b"]


def test_json_comes_back_as_it_was(demo):
    text = demo.to_json()
    assert tm.Evaluation.from_json(text).to_json() == text
    assert "NaN" not in text


def test_an_undefined_number_is_null_in_json_and_nan_again_after_reading():
    found = run(simulated(engine=np.full(240, 2)))
    back = tm.Evaluation.from_json(found.to_json()).numbers[0]["pearson"]
    assert math.isnan(back.value)
    assert back.why == "a score does not vary"


def test_rubbish_is_not_taken_for_an_evaluation():
    with pytest.raises(tm.DataError, match="not an evaluation"):
        tm.Evaluation.from_json("{}")


def test_results_whose_rows_lost_their_subset_are_refused():
    text = run(simulated()).to_json()
    start = text.index('"subsets": [')
    end = text.index('"estimates"', start)
    with pytest.raises(tm.DataError, match="a row points to number 0, of 0"):
        tm.Evaluation.from_json(f'{text[:start]}"subsets": [], {text[end:]}')


def test_the_order_of_rows_changes_nothing():
    columns = simulated()
    order = np.random.default_rng(1).permutation(240)
    shuffled = {name: np.asarray(column)[order] for name, column in columns.items()}
    options = {"prompt": "prompt", "groups": ["gender"], "cluster": "pupil"}
    assert run(columns, **options).to_json() == run(shuffled, **options).to_json()


def test_a_system_evaluated_beside_others_gets_the_same_numbers(demo):
    alone = tm.evaluate(
        SCORES, humans=["h1"], systems=["chatbot"], scale="1:6", replicates=200, statistics=[QWK]
    )
    beside = next(i for i, s in enumerate(demo.subsets) if s.id == "chatbot")
    low = demo.numbers[beside][QWK].low
    assert alone.numbers[0][QWK].low == pytest.approx(low, rel=1e-11)


def test_estimate_and_evaluate_agree():
    columns = simulated()
    alone = tm.estimate("qwk", columns["h1"], columns["engine"], scale="1:4", replicates=200)
    inside = by_id(run(columns))["engine"][QWK]
    assert alone.value == inside.value
    assert (alone.low, alone.high) == pytest.approx((inside.low, inside.high), rel=1e-11)


def test_confusion_matrices_have_the_gold_in_rows():
    found = run({"h1": [1, 1, 2, 3], "engine": [2, 2, 2, 4]}, scale="1:4")
    confusion = next(matrix for matrix in found.matrices if matrix.name == "confusion")
    assert (confusion.row_title, confusion.column_title) == ("gold", "engine")
    assert confusion.values[0] == (0, 2, 0, 0)
    distribution = next(matrix for matrix in found.matrices if matrix.name == "distribution")
    assert distribution.values == ((2, 0), (1, 3), (1, 0), (0, 1))


def test_a_two_point_scale_gets_its_own_indices():
    found = run({"h1": [0, 1, 1, 0, 1], "engine": [0, 1, 0, 0, 1]}, scale="0:1").numbers[0]
    assert found["pabak"].value == pytest.approx(0.6)
    assert {"prevalence_index", "bias_index"} <= set(found)


def test_continuous_gold_leaves_score_point_statistics_out():
    rng = np.random.default_rng(2)
    gold = rng.normal(size=150)
    found = run({"h1": gold, "engine": gold + rng.normal(0, 0.1, 150)}, scale=None)
    assert QWK not in found.numbers[0]
    assert found.numbers[0]["lin_ccc"].value > 0.9
    assert any("continuous" in note for note in found.data.notes)


def test_one_response_gives_values_or_reasons_and_no_crash():
    found = run({"h1": [2], "engine": [2]})
    assert found.numbers[0]["percent_agreement"].value == 1
    assert found.numbers[0][QWK].why


def test_a_single_cluster_of_two_raters_gives_values_without_warnings():
    rng = np.random.default_rng(0)
    gold = rng.integers(1, 7, 200)  # on six points the ceiling is told on the points too
    names = ("h1", "h2", "engine")
    columns = {name: np.clip(gold + rng.integers(-1, 2, 200), 1, 6) for name in names}
    found = tm.evaluate(
        {**columns, "class": ["x"] * 200}, humans=["h1", "h2"], systems=["engine"], scale="1:6",
        cluster="class", replicates=100,
    )  # fmt: skip
    assert found.numbers[0][QWK].value > 0.7
    assert math.isnan(found.numbers[0][QWK].low)


def test_misspelt_statistics_are_told_before_the_data_are_read():
    with pytest.raises(tm.OptionError, match="Did you mean 'gwet_ac'"):
        tm.evaluate("there-is-no-such-file.csv", statistics=["gwet_acc"])


def test_records_spell_out_the_subset_and_fit_a_data_frame(demo):
    frame = demo.to_frame()
    row = frame[(frame.system == "engine") & (frame.statistic == QWK) & (frame.prompt == "travel")]
    assert len(row) == 1
    assert row.value.item() == demo.numbers[3][QWK].value
