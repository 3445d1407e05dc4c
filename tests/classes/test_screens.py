"""What screens say of labels: no number that needs an order, none that repeats another."""

import re
from typing import Any

import numpy as np
import pytest

import tallymark as tm
from tallymark.analyses.summary import markdown, summary
from tallymark.catalogue import level_of
from tallymark.errors import DataError, OptionError
from tallymark.verdict.policy import policy_of
from tests.classes.forms import FORMS, responses

pytest.importorskip("pandas")
BOTH: dict[str, Any] = {"humans": ["human1", "human2"], "systems": ["judge"]}
CATEGORIES = FORMS["categories"].asked


def with_groups(form):
    frame = responses(FORMS[form])
    frame["language"] = np.where(np.arange(len(frame)) % 2, "de", "en")
    frame["topic"] = np.arange(len(frame)) % 3
    return frame


def screens(evaluation):
    """Every screen of an evaluation."""
    lines = [line.text for full in (True, False) for line in summary(evaluation, full=full)]
    page = re.sub(r"<script.*?</script>|<svg.*?</svg>", "", evaluation.to_html(), flags=re.DOTALL)
    return "\n".join([*lines, markdown(evaluation)]), page


@pytest.mark.parametrize("prompt", [None, "topic"])
@pytest.mark.parametrize("command", ["evaluate", "raters", "compare"])
def test_no_number_that_needs_an_order_is_told_of_categories(command, prompt):
    asked = {
        "evaluate": {**BOTH, "policy": "llm-judge"},
        "raters": {"humans": BOTH["humans"]},
        "compare": {"humans": ["human1"], "systems": ["judge", "other"]},
    }[command]
    frame = with_groups("categories")
    found = getattr(tm, command)(frame, groups=["language"], prompt=prompt, **asked, **CATEGORIES)
    assert found.estimates
    assert {level_of(e.text) for e in found.estimates} == {"nominal"}
    said, page = screens(found)
    for word in ("QWK", "AC2", "tau-b", "MAE", "SMD", "CSRate", "PRMSE", "Pearson"):
        assert word not in said, word
        assert not re.search(rf">\s*{word}\b", page), word
    assert "no order" in said


def test_on_two_points_nothing_repeats_exact_agreement_or_kappa():
    found = tm.evaluate(with_groups("words"), groups=["language"], policy="llm-judge", **BOTH)
    said, _ = screens(found)
    for word in ("QWK", "AC2", "tau-b", "MAE", "CSRate", "adjacent"):
        assert not re.search(rf"\b{word}\b", said), word
    assert "positive: pass" in said


def test_the_first_sentence_says_how_much_of_each_label_is_found():
    found = tm.evaluate(responses(FORMS["words"]), humans=["human1"], systems=["judge"])
    first = " ".join(line.text.strip() for line in summary(found, full=False)[:3])
    sensitivity = round(100 * found["sensitivity"].value)
    assert first.startswith(f"judge finds {sensitivity} % [")
    assert "of what people label pass" in first
    assert "of what they label fail; kappa ." in first


@pytest.mark.parametrize("form", ["words", "categories"])
def test_the_first_sentence_says_too_whether_the_judge_may_gate(form):
    frame = responses(FORMS[form])
    human = frame["human1"]
    frame["judge"] = human.where(np.arange(len(frame)) % 20 > 0, human.iloc[::-1].to_numpy())
    asked: dict[str, Any] = {"humans": ["human1"], "systems": ["judge"], **FORMS[form].asked}
    judged = summary(tm.evaluate(frame, policy="llm-judge", **asked), full=False)
    said = " ".join(line.text.strip() for line in judged[1:4])
    assert said.startswith("judge finds" if form == "words" else "judge gives")
    assert "and meets the" in said
    alone = tm.evaluate(frame, **asked)
    assert 'policy="llm-judge" says whether it may gate' in str(alone)
    shown = [line.text for line in summary(alone, full=False)]
    assert "--policy llm-judge says whether it may gate a release." in shown


def test_alpha_of_labels_without_an_order_is_the_nominal_one():
    found = tm.evaluate(
        responses(FORMS["categories"]), statistics=["alpha"], **BOTH, **FORMS["categories"].asked
    )
    assert {e.text for e in found.estimates if "alpha" in e.text} == {"krippendorff_alpha[nominal]"}


def test_categories_have_no_ceiling_that_could_be_known():
    frame = responses(FORMS["categories"])
    found = tm.evaluate(frame, humans=["human1"], systems=["judge"], **CATEGORIES)
    first = " ".join(line.text.strip() for line in summary(found, full=False)[:5])
    assert "so human-human agreement is unknown" in first


def test_labels_in_a_column_of_decimals_are_those_of_whole_numbers():
    whole = {"human": [1, 2, 3, 3] * 9, "judge": [1, 2, 3, 2] * 9}
    decimals = {name: [float(label) for label in labels] for name, labels in whole.items()}
    asked: dict[str, Any] = {"humans": ["human"], "systems": ["judge"], "categories": "1,2,3"}
    first, second = (tm.evaluate(frame, **asked) for frame in (whole, decimals))
    assert first["cohen_kappa[identity]"] == second["cohen_kappa[identity]"]


@pytest.mark.parametrize("form", ["words", "booleans", "numbers", "categories"])
def test_a_first_screen_of_one_system_has_at_most_forty_lines(form):
    frame = with_groups(form)
    found = tm.evaluate(frame, groups=["language"], **BOTH, **FORMS[form].asked)
    assert len(summary(found, full=False)) <= 40


def test_the_positive_label_may_be_chosen_and_is_recorded():
    frame = responses(FORMS["words"])
    usual, turned = tm.evaluate(frame, **BOTH), tm.evaluate(frame, positive="fail", **BOTH)
    assert usual["sensitivity"].value == pytest.approx(turned["specificity"].value)
    assert usual["precision"].value == pytest.approx(turned["negative_predictive_value"].value)
    assert turned.options["positive"] == "fail"
    assert turned.data.scale == "pass,fail"


@pytest.mark.parametrize("kind", ["int64", "float64", "str"])
def test_numbers_are_turned_as_well(kind):
    frame = responses(FORMS["numbers"])
    columns = ["human1", "human2", "judge"]
    frame[columns] = frame[columns].astype(kind)
    usual, turned = tm.evaluate(frame, **BOTH), tm.evaluate(frame, positive="0", **BOTH)
    assert usual["sensitivity"].value == pytest.approx(turned["specificity"].value)
    assert "of what people label 0" in " ".join(str(turned).split())


@pytest.mark.parametrize("positive", ["pass", "fail"])
def test_a_judge_of_shares_beside_two_labels_says_from_where_it_passes(positive):
    frame = responses(FORMS["words"])
    frame["judge"] = np.random.default_rng(3).integers(0, 11, len(frame)) / 10
    asked: dict[str, Any] = {"humans": ["human1"], "systems": ["judge"]}
    turned = tm.evaluate(frame, positive=positive, **asked)
    passed = frame["judge"] >= 0.5 if positive == "pass" else frame["judge"] > 0.5
    given = passed == (positive == "pass")
    people = frame["human1"] == positive
    assert turned["sensitivity"].value == pytest.approx((people & given).sum() / people.sum())
    between = int(((frame["judge"] > 0) & (frame["judge"] < 1)).sum())
    where = "from 0.5 on" if positive == "pass" else "up to 0.5"
    says = " ".join(turned.data.notes)
    assert f"judge: {between} scores between" in says
    assert f"{where} they count as {positive}" in says


@pytest.mark.parametrize(
    ("form", "asked", "says"),
    [
        ("words", {"positive": "maybe"}, "no such label; choose fail or pass"),
        ("letters", {"positive": "C"}, "needs two labels"),
        ("categories", {**CATEGORIES, "statistics": ["qwk"]}, "QWK needs scores in an order"),
        ("categories", {**CATEGORIES, "statistics": ["mae"]}, "needs scores in an order"),
        ("categories", {**CATEGORIES, "cuts": [2]}, "cuts= needs scores in an order"),
        ("categories", {**CATEGORIES, "resolve": "mean"}, "needs scores in an order"),
        ("categories", {**CATEGORIES, "scale": "a,b"}, "name one"),
        ("categories", {**CATEGORIES, "critical": 1}, "any disagreement counts"),
        ("categories", {"categories": "refuse"}, "two labels or more"),
    ],
)
def test_what_does_not_fit_is_refused(form, asked, says):
    with (
        pytest.raises(OptionError, match=says)
        if "two labels or" not in says
        else pytest.raises(ValueError, match=says)
    ):
        tm.evaluate(responses(FORMS[form]), **BOTH, **asked)


def test_unknown_words_are_offered_both_ways():
    with pytest.raises(DataError, match=r'scale="comply,partial,refuse" or.*categories="comply'):
        tm.evaluate(responses(FORMS["categories"]), **BOTH)


def test_a_statistic_may_be_asked_of_one_label():
    frame = responses(FORMS["categories"])
    found = tm.evaluate(frame, **BOTH, **CATEGORIES, statistics=["class_recall[comply]", "kappa"])
    assert [e.text for e in found.estimates] == ["class_recall[comply]", "cohen_kappa[identity]"]


def test_groups_are_compared_at_the_same_label_by_people():
    frame = with_groups("categories")
    wrong = (frame["language"] == "de") & (frame["human1"] == "comply")
    frame.loc[wrong, "judge"] = "refuse"
    found = tm.evaluate(frame, groups=["language"], **BOTH, **CATEGORIES)
    apart = found.number("difference[class_recall[comply]]", against="other groups", group="de")
    rest = frame[(frame["language"] == "en") & (frame["human1"] == "comply")]
    assert apart.value == pytest.approx(0 - (rest["judge"] == "comply").mean())
    assert apart.parts["p_adjusted"] < 0.05
    assert "recall comply of de is" in screens(found)[0]


@pytest.mark.parametrize(
    ("form", "titles"),
    [
        ("words", {"Sensitivity", "Specificity", "Kappa", "Degradation of kappa"}),
        ("categories", {"Balanced accuracy", "Kappa", "Degradation of kappa"}),
        (
            "Likert",
            {"QWK", "SMD", "Degradation of QWK", "Critical errors beyond those between people"},
        ),
    ],
)
def test_the_policy_for_judges_asks_what_fits_the_scores(form, titles):
    frame = responses(FORMS[form])
    found = tm.evaluate(frame, policy="llm-judge", **BOTH, **FORMS[form].asked)
    assert found.verdict is not None
    (judged,) = found.verdict.systems
    assert {criterion.title for criterion in judged.criteria} == titles
    assert all(criterion.state != "not computable" for criterion in judged.criteria)


def test_a_limit_on_qwk_is_held_against_kappa_on_two_points():
    found = tm.evaluate(responses(FORMS["words"]), policy="williamson2012", **BOTH)
    assert found.verdict is not None
    (judged,) = found.verdict.systems
    assert all(criterion.state != "not computable" for criterion in judged.criteria)


def test_a_policy_names_the_scores_that_a_limit_is_for(tmp_path):
    path = tmp_path / "own.toml"
    path.write_text(
        'name = "own"\nversion = "1"\n[[criteria]]\nstatistic = "sensitivity"\nat_least = 0.9\n'
        'scores = ["binry"]\n'
    )
    with pytest.raises(
        OptionError, match="unknown scores 'binry'; choose ordinal, binary, nominal"
    ):
        policy_of(path)
    path.write_text(path.read_text().replace("binry", "binary"))
    assert policy_of(path).limits[0].scores == ("binary",)


def test_responses_without_a_label_by_people_are_a_counted_exclusion():
    frame = responses(FORMS["words"])
    frame.loc[:9, "human1"] = None
    found = tm.evaluate(frame, humans=["human1"], systems=["judge"])
    assert (
        dict(found.data.exclusions) == {"no human score": 10} or found.data.used == len(frame) - 10
    )
    assert "10 excluded: " in screens(found)[0]


def test_labels_with_commas_may_stand_in_a_file_of_options(tmp_path, run):
    frame = responses(FORMS["categories"]).replace({"partial": "in part, or late"})
    frame.to_csv(tmp_path / "scores.csv", index=False)
    options = 'human = ["human1"]\nsystem = ["judge"]\n'
    options += 'categories = ["refuse", "comply", "in part, or late"]\n'
    (tmp_path / "options.toml").write_text(options, "utf-8")
    ended = run(
        "evaluate", tmp_path / "scores.csv", "--config", tmp_path / "options.toml", "--json"
    )
    assert ended.code == 0, ended.err
    found = tm.Evaluation.from_json(ended.out)
    again = tm.evaluate(frame, humans=["human1"], systems=["judge"], categories=found.data.scale)
    assert again["kappa"].value == found["kappa"].value
