"""What tm.raters, tm.evaluate and the shell say of severity, variance components and drift."""

import math

import numpy as np
import pytest

import tallymark as tm
from tallymark.analyses.summary import summary
from tallymark.questions.raters import batches_of
from tallymark.render.layout import plain_text
from tallymark.results import GSTUDY
from tallymark.sources import Roles, read_scores
from tests.reliability.data import rasch_ratings
from tests.said import notes

NAN = float("nan")
SEVERITY = (0.8, 0.0, -0.2, -0.6)


def table(ratings, **more):
    columns = {f"r{i + 1}": list(column) for i, column in enumerate(np.asarray(ratings, float).T)}
    return {**columns, **more}


def rated(data, **options):
    humans = [name for name in data if name[0] == "r" and name[1:].isdigit()]
    return tm.raters(data, **{"humans": humans, "scale": "0:4", "replicates": 200, **options})


def of(evaluation, subset):
    places = [i for i, s in enumerate(evaluation.subsets) if s.id == subset]
    assert places, [s.id for s in evaluation.subsets]
    return evaluation.numbers[places[0]]


def text_of(evaluation):
    return " ".join(plain_text(summary(evaluation, width=100)).split())


@pytest.fixture(scope="module")
def pool():
    return rated(table(rasch_ratings(500, SEVERITY, each=2, seed=1)))


def test_every_rater_has_severity_fair_average_and_fit(pool):
    found = of(pool, "r1 against the other raters")
    truth = SEVERITY[0] - np.mean(SEVERITY)
    assert found["severity"].low < truth < found["severity"].high
    assert found["fair_difference"].high < 0
    assert found["fair_average"].low < found["fair_average"].value < found["fair_average"].high
    for name in ("infit", "outfit", "rater_spread"):
        assert found[name].low < found[name].value < found[name].high
    assert "converged in" in found["severity"].method


def test_the_model_behind_severities_is_on_record(pool):
    found = of(pool, "people against severity")
    assert [text for text in found if text.startswith("threshold")] == [
        *("threshold[1]", "threshold[2]", "threshold[3]", "threshold[4]")
    ]
    assert found["quality_sd"].value == pytest.approx(1.2, abs=0.3)
    assert found["severity_sd"].value > 0.3


def test_components_coefficients_and_the_curve_belong_together(pool):
    found = of(pool, "people against generalizability")
    response, rater, residual = (
        found[f"variance_component[crossed,{name}]"].value
        for name in ("response", "rater", "residual")
    )
    phi = found["dependability[crossed,2]"]
    assert phi.value == pytest.approx(response / (response + (rater + residual) / 2))
    assert phi.low < phi.value < phi.high
    needed = found["raters_needed[crossed,dependability,0.8]"].value
    assert needed == pytest.approx(4 * (rater + residual) / response)
    g, curve = pool.curves
    assert (g.name, curve.name) == ("generalizability", "dependability")
    assert curve.x == tuple(range(1, 21))
    assert curve.y[1] == phi.value
    assert pool.subsets[curve.subset].against == GSTUDY


def test_intervals_of_components_hold_their_values_with_few_responses_a_rater():
    rng = np.random.default_rng(9)
    heard = rng.normal(2, 1, (80, 1)) + rng.normal(0, 0.7, (80, 40))
    heard[rng.random((80, 40)).argsort(axis=1) >= 8] = NAN
    found = of(rated(table(np.clip(np.rint(heard), 0, 4))), "people against generalizability")
    for name in ("response", "rater", "residual"):
        component = found[f"variance_component[crossed,{name}]"]
        assert component.low <= component.value < component.high
        assert component.method.startswith("t interval, 79 df")


def test_everything_has_a_definition_and_survives_json(pool):
    assert {e.text for e in pool.estimates} == set(pool.definitions)
    again = tm.Evaluation.from_json(pool.to_json())
    assert again.curves == pool.curves
    assert again.to_json() == pool.to_json()


def test_a_curve_without_an_interval_survives_json():
    same = rated(table([[0, 0], [1, 1], [2, 2]] * 4))
    again = tm.Evaluation.from_json(same.to_json())
    assert math.isnan(again.curves[0].low[0])
    assert again.to_json() == same.to_json()


def test_the_summary_says_who_is_severe_and_how_many_raters_are_enough(pool):
    text = text_of(pool)
    assert (
        "Severity, the most severe first: Rasch model, marginal maximum likelihood rater severity"
        in text
    )
    assert "raters' severity" in text
    assert "Raters needed for a Phi:" in text


def test_which_responses_count_can_be_asked_for_and_is_said():
    ratings = table(rasch_ratings(200, SEVERITY, each=3, seed=2))
    for severity, method in {"conditional": "conditional", "mml": "marginal maximum"}.items():
        found = rated(ratings, severity=severity)
        assert found.options["severity"] == severity
        said = of(found, "r1 against the other raters")["severity"].method
        assert said.startswith(f"{method} likelihood, ")


@pytest.mark.parametrize("severity", ["jmle", "cml"])
def test_an_unknown_way_to_estimate_severity_is_refused(severity):
    match = f"unknown severity '{severity}'; choose auto, conditional, mml"
    with pytest.raises(tm.OptionError, match=match):
        rated(table([[1, 2], [2, 3]]), severity=severity)


@pytest.mark.parametrize(
    ("ratings", "options", "why"),
    [
        ([[0.123, 0.318], [0.57, 0.99], [0.4, 0.1]], {"scale": None}, "scores are continuous"),
        ([[1, 2], [30, 31], [7, 9]], {"scale": "0:40"}, "the scale has 41 points, more than 20"),
        ([[1, 1], [1, 1], [1, 1]], {}, "all ratings are the same"),
        ([[0, 1, NAN, NAN], [1, 2, NAN, NAN], [NAN, NAN, 3, 1]], {}, "(r1, r2; r3, r4)"),
        ([[0, 0], [1, 1], [2, 2]] * 4, {}, "did not converge"),
    ],
)
def test_severity_that_cannot_be_estimated_is_undefined_with_the_reason(ratings, options, why):
    found = rated(table(ratings), **options)
    severity = of(found, "r1 against the other raters")["severity"]
    assert math.isnan(severity.value)
    assert why in severity.why
    assert "Severity in logits is undefined, because" in text_of(found)


def test_a_rater_with_only_the_highest_score_has_no_severity_and_the_others_do():
    ratings = rasch_ratings(150, SEVERITY, each=4, seed=3)
    ratings[:, 3] = 4
    found = rated(table(ratings))
    lazy = of(found, "r4 against the other raters")["severity"]
    assert lazy.why == "the rater gave only the lowest or only the highest score"
    assert not math.isnan(of(found, "r1 against the other raters")["severity"].value)
    assert "Severity of r4 is undefined" in text_of(found)


def test_a_score_nobody_gave_is_said():
    ratings = rasch_ratings(150, SEVERITY, each=4, points=4, seed=3)
    found = rated(table(np.where(ratings >= 2, ratings + 1, ratings)))
    assert "nobody gave the score 2: severity is estimated without it" in notes(found)


def test_negative_components_are_kept_and_shown_as_0():
    found = rated(table([[1, 3], [3, 1], [2, 4], [4, 2]] * 5))
    component = of(found, "people against generalizability")["variance_component[crossed,response]"]
    assert component.value < 0
    assert "responses 0 (estimated below 0) 0 %" in text_of(found)
    assert "because responses do not differ more than their ratings do" in text_of(found)


def test_responses_read_once_give_the_spread_of_severity_and_no_coefficient():
    ratings = np.full((90, 3), NAN)
    rng = np.random.default_rng(4)
    ratings[np.arange(90), np.arange(90) % 3] = np.clip(
        np.rint(rng.normal([1, 2, 3] * 30, 0.7)), 0, 4
    )
    found = of(rated(table(ratings)), "people against generalizability")
    assert set(found) == {"variance_component[once,rater]", "variance_component[once,residual]"}
    assert found["variance_component[once,rater]"].value == pytest.approx(1, abs=0.4)


def test_prompts_are_a_facet_where_every_candidate_answered_all():
    rng = np.random.default_rng(5)
    n, prompts = 60, 4
    quality = rng.normal(2, 0.8, (n, 1, 1)) + rng.normal(0, 0.7, (n, prompts, 1))
    ratings = np.clip(np.rint(quality + rng.normal(0, 0.4, (n, prompts, 3))), 0, 4)
    data = table(
        ratings.reshape(-1, 3),
        who=[f"c{i}" for i in range(n) for _ in range(prompts)],
        question=[f"q{i}" for _ in range(n) for i in range(prompts)],
    )
    found = of(rated(data, cluster="who", prompt="question"), "people against generalizability")
    by_prompt = found["variance_component[prompts,candidate x prompt]"].value
    assert by_prompt > found["variance_component[prompts,residual]"].value
    one, all_four = (found[f"dependability[prompts,1,{t}]"].value for t in (1, prompts))
    assert all_four > one + 0.15
    assert found["dependability[prompts,2,1]"].value < one + 0.15
    apart: dict[str, list[float]] = {f"r{i + 1}": [] for i in range(8)}
    for row, question in zip(ratings.reshape(-1, 3), data["question"], strict=True):
        for i in range(8):
            own = i // 2 == int(question[1])
            apart[f"r{i + 1}"].append(row[i % 2] if own else NAN)
    nested = rated({**apart, "who": data["who"], "question": data["question"]}, cluster="who",
                   prompt="question")  # fmt: skip
    found = of(nested, "people against generalizability")
    assert "dependability[raters within prompts,2,4]" in found


def drifting(n=600, change=-1.2, seed=6):
    rng = np.random.default_rng(seed)
    week = np.arange(n) * 6 // n
    heard = rng.normal(2, 0.8, (n, 1)) + rng.normal(0, 0.5, (n, 4))
    heard[:, 0] += change * (week / 5 - 0.5)
    return table(np.clip(np.rint(heard), 0, 4), week=[f"{w + 8}" for w in week])


def test_a_rater_who_becomes_severe_is_found_with_an_interval():
    found = rated(drifting(), batch="week")
    change = of(found, "r1 against the other raters")["drift"]
    assert change.low < -1.1 < change.high < 0
    first = of(found, "r1 against the other raters|group:week=8")["rater_difference"]
    last = of(found, "r1 against the other raters|group:week=13")["rater_difference"]
    assert first.low > 0 > last.high
    assert of(found, "people against people|group:week=8")["krippendorff_alpha[interval]"].n == 100
    text = text_of(found)
    assert "Raters over week, those who change most first" in text
    assert "to severe 0." in text


def test_raters_who_do_not_drift_are_not_accused():
    found = rated(drifting(change=0.0, seed=7), batch="week", level=0.99)  # four at once
    for rater in ("r1", "r2", "r3", "r4"):
        change = of(found, f"{rater} against the other raters")["drift"]
        assert change.low < 0 < change.high


def read(batches):
    data = table([[1, 2]] * len(batches), when=batches)
    roles = Roles(humans=("r1", "r2"), batch="when")
    return batches_of(read_scores(data, roles=roles, scale="1:3", people_only=True))


def test_batches_are_ordered_as_numbers_where_they_are_numbers():
    assert read(["10", "9", "2", "10"]).labels == ("2", "9", "10")
    assert read(["b", "a", "10"]).labels == ("10", "a", "b")


def test_many_points_in_time_are_joined_in_their_order():
    days = [f"2026-{month:02}-{day:02}" for month in range(1, 13) for day in range(1, 29)]
    found = read(days)
    assert len(found.labels) == 8
    assert found.labels[0] == "2026-01-01 to 2026-02-14"
    assert np.bincount(found.codes).tolist() == [42] * 8


def test_one_batch_shows_no_drift():
    found = rated(table([[1, 2], [2, 2], [3, 1]] * 5, week=["1"] * 15), batch="week")
    assert "drift" not in of(found, "r1 against the other raters")


def test_a_system_is_judged_as_one_more_rater():
    ratings = rasch_ratings(400, (0.3, 0.0, -0.3), each=3, seed=8)
    rng = np.random.default_rng(0)
    mean = ratings.mean(axis=1)
    data = table(
        ratings,
        strict=np.clip(np.rint(mean - 1), 0, 4),
        timid=np.where(mean > 2, 2.0, np.where(mean < 1, 1.0, 2.0)),
        random=rng.integers(0, 5, 400) * 1.0,
    )
    found = tm.evaluate(
        data, humans=["r1", "r2", "r3"], systems=["strict", "timid", "random"], scale="0:4",
        resolve="mean", replicates=200,
    )  # fmt: skip
    strict = of(found, "strict against severity")
    assert strict["severity"].low > 0
    assert strict["fair_difference"].high < -0.5
    assert of(found, "random against severity")["outfit"].value > 1.5
    assert of(found, "timid against severity")["rater_spread"].high < 0.9
    text = text_of(found)
    assert "strict: severe" in text
    assert "random: erratic" in text or "random: severe, erratic" in text
    assert "compressed" in text


def test_expert_ratings_of_summaries_are_read(shared):
    path = shared("data", "summeval_experts", "scores.csv")
    found = tm.raters(path, trait="dimension", scale="1:5", replicates=200)
    by_trait = {
        trait: of(found, f"expert_2 against the other raters|trait={trait}")["severity"]
        for trait in ("coherence", "relevance", "consistency", "fluency")
    }
    assert by_trait["coherence"].low > 0 < by_trait["relevance"].low
    assert by_trait["consistency"].high < 0 > by_trait["fluency"].high
    assert (
        0.6 < of(found, "people against generalizability")["dependability[crossed,1]"].value < 0.8
    )
