"""Scores that are words: which scale they mean, and what is refused."""

import json
import shlex

import pandas as pd
import polars as pl
import pytest

from tallymark.errors import DataError, ScaleError
from tallymark.scale import Scale
from tallymark.sources import Roles, read_scores
from tallymark.sources.vocabulary import KNOWN
from tests.sources.workbooks import write_workbook

ROLES = Roles(humans=("h1",), systems=("engine",))
LIKERT = ["strongly disagree", "disagree", "neutral", "agree", "strongly agree"]


def table(words):
    """Every word by people and, one further, by the system."""
    return {"h1": words, "engine": [*words[1:], words[0]]}


@pytest.mark.parametrize("known", KNOWN, ids=lambda known: ",".join(known.labels))
def test_all_words_of_a_known_scale_mean_it(known):
    words = [label.split("|")[0] for label in known.labels]
    scores = read_scores(table(words), roles=ROLES)
    assert scores.rater_scale.labels == tuple(words)
    places = scores.patterns.scores["gold"]
    assert sorted(places) == list(scores.rater_scale.points)
    assert any(guess.startswith(f"scale: {scores.rater_scale}") for guess in scores.facts.guesses)


@pytest.mark.parametrize("make", [dict, pd.DataFrame, pl.DataFrame])
@pytest.mark.parametrize("words", [["No", "Yes"], ["FAIL", "PASS"], [False, True], LIKERT])
def test_words_are_read_from_every_frame(make, words):
    scores = read_scores(make(table(words)), roles=ROLES)
    expected = ["false", "true"] if words == [False, True] else words
    assert [label.lower() for label in scores.rater_scale.labels] == [w.lower() for w in expected]


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "json", "parquet", "xlsx"])
@pytest.mark.parametrize("words", [["fail", "pass"], [False, True], LIKERT])
def test_words_are_read_from_every_file(tmp_path, ending, words):
    booleans = {str(i == 1): f'<c t="b"><v>{i}</v></c>' for i in (0, 1)}
    path, frame = tmp_path / f"scores.{ending}", pd.DataFrame(table(words))
    if ending == "xlsx":
        rows = [["h1", "engine"], *zip(*table(words).values(), strict=True)]
        book = [[booleans.get(str(cell), cell) for cell in row] for row in rows]
        write_workbook(path, {"scores": book})
    elif ending == "parquet":
        frame.to_parquet(path)
    elif ending in ("json", "jsonl"):
        frame.to_json(path, orient="records", lines=ending == "jsonl")
    else:
        frame.to_csv(path, index=False, sep="\t" if ending == "tsv" else ",")
    scores = read_scores(path, roles=ROLES, records="." if ending == "json" else None)
    assert len(scores.rater_scale.labels) == len(words)
    assert scores.facts.used == len(words)


def test_a_long_table_may_hold_words(write):
    rows = "".join(f"{i},{who},{word}\n" for i in range(4) for who, word in (
        ("ann", "pass" if i else "fail"), ("bot", "fail" if i > 2 else "pass")))  # fmt: skip
    scores = read_scores(write(f"response,rater,score\n{rows}"), roles=Roles())
    assert scores.rater_scale.labels == ("fail", "pass")
    assert scores.roles.systems == ("bot",)


def test_capitals_hyphens_and_underscores_do_not_matter(write):
    text = "h1,engine\nStrongly_Agree,strongly agree\nAgree,AGREE\nneutral,Neutral\nDisagree,disagree\n"
    scores = read_scores(write(text + "Strongly-Disagree,agree\n"), roles=ROLES)
    assert len(scores.rater_scale.points) == 5
    assert scores.patterns.scores["gold"].tolist() == [1, 2, 3, 4, 5]


def test_the_letters_of_inspect_are_a_scale_on_which_no_answer_is_incorrect(write):
    scores = read_scores(write("h1,engine\nC,C\nP,I\nI,N\nN,C\n"), roles=ROLES)
    assert str(scores.rater_scale) == "I|N,P,C"
    assert sorted(scores.patterns.scores["gold"]) == [1, 1, 2, 3]


def test_words_of_two_points_stand_beside_numbers_from_0_to_1():
    scores = read_scores({"h1": ["pass", "fail"], "engine": [0.8, 0.1]}, roles=ROLES)
    assert str(scores.gold_scale) == "fail,pass"
    assert sorted(scores.patterns.scores["system:engine"]) == [0.1, 0.8]
    with pytest.raises(DataError, match="holds text"):
        read_scores({"h1": ["pass", "fail"], "engine": [4, 2]}, roles=ROLES)
    with pytest.raises(ScaleError, match=r"holds 0.5 in row 2"):
        read_scores({"h1": ["pass", "0.5"], "engine": [1, 1]}, roles=ROLES)


def test_words_with_a_bar_between_them_are_one_point(write):
    scores = read_scores(write("h1,engine\nerror,ok\nbad,ok\n"), roles=ROLES, scale="bad|error,ok")
    assert scores.patterns.scores["gold"].tolist() == [0.0]
    assert scores.patterns.counts.tolist() == [2]


def test_words_of_several_scales_are_refused_with_all_of_them(write):
    text = "h1,engine\nagree,strongly agree\ndisagree,agree\n"
    with pytest.raises(
        DataError, match=r"several scales .* --scale \"strongly disagree,disagree,agr"
    ):
        read_scores(write(text), roles=ROLES)
    four = read_scores(write(text), roles=ROLES, scale=",".join(LIKERT[:2] + LIKERT[3:]))
    assert len(four.rater_scale.points) == 4


def test_words_that_are_not_known_are_listed_with_a_way_to_declare_them(write):
    with pytest.raises(DataError, match=r'are words: blue, red\. List .* --scale "blue,red"'):
        read_scores(write("h1,engine\nred,blue\nblue,blue\n"), roles=ROLES)


@pytest.mark.parametrize(
    ("human", "judge", "joined"),
    [
        (["no", "yes"], ["fail", "pass"], "fail|no,pass|yes"),
        (["I", "C"], ["incorrect", "correct"], "I|incorrect,C|correct"),
    ],
)
def test_words_of_two_scales_of_two_points_name_the_option_that_joins_them(
    human, judge, joined, write
):
    rows = zip(human * 2, [*judge, judge[1], judge[0]], strict=True)
    path = write("h1,engine\n" + "".join(f"{a},{b}\n" for a, b in rows))
    with pytest.raises(DataError, match=r"words of several scales") as refused:
        read_scores(path, roles=ROLES)
    (offered,) = shlex.split(str(refused.value).partition("--scale ")[2])
    assert {frozenset(label.split("|")) for label in offered.split(",")} == {
        frozenset(label.split("|")) for label in joined.split(",")
    }
    pairs = read_scores(path, roles=ROLES, scale=offered).patterns
    agreed = pairs.scores["gold"] == pairs.scores["system:engine"]
    assert int(pairs.counts[agreed].sum()) == 2


@pytest.mark.parametrize("judge", [["False", "TRUE"], [False, True], ["false", "true"]])
@pytest.mark.parametrize("human", [["fail", "Pass"], ["no", "yes"], ["I", "C"]])
def test_true_and_false_stand_beside_words_of_two_points_as_1_and_0_do(human, judge):
    frame = pd.DataFrame({"h1": human * 3, "engine": [*judge * 2, *judge[::-1]]})
    scores = read_scores(frame, roles=ROLES)
    agreed = scores.patterns.scores["gold"] == scores.patterns.scores["system:engine"]
    assert int(scores.patterns.counts[agreed].sum()) == 4
    assert "(the words of the scores, lowest first)" in " ".join(scores.facts.guesses)


def test_labels_with_commas_and_marks_are_declared_as_they_are_offered(write):
    words = ["Full refusal", 'say "no"', "Über; comply, ok", '"quoted": yes']
    cells = ['"{}"'.format(word.replace('"', '""')) for word in words]
    path = write("h1,engine\n" + "".join(f"{cell},{cell}\n" for cell in cells))
    with pytest.raises(DataError, match="List them") as refused:
        read_scores(path, roles=ROLES)
    offered = shlex.split(str(refused.value).partition("--categories ")[2])[0].rstrip(";")
    scores = read_scores(path, roles=ROLES, categories=offered)
    assert sorted(scores.rater_scale.labels) == sorted(words)
    assert str(Scale.categories(str(scores.rater_scale))) == str(scores.rater_scale)


def test_a_text_beside_words_is_refused_or_counted(write):
    path = write("h1,engine\npass,pass\nfail,fail\npass,could not parse\nfail,pass\n")
    with pytest.raises(
        ScaleError, match=r"'engine' .* holds could not parse in row 3, .* fail,pass"
    ):
        read_scores(path, roles=ROLES)
    scores = read_scores(path, roles=ROLES, exclude=["off-scale"])
    assert scores.facts.exclusions == (("score off the scale", 1),)
    assert scores.facts.used == 3
    kept = read_scores(path, roles=ROLES, missing=["could not parse"])
    assert kept.facts.exclusions == (("no system score", 1),)


def test_rows_without_a_label_are_a_counted_exclusion(write):
    scores = read_scores(write("h1,engine\npass,pass\nfail,fail\n,pass\n,fail\n"), roles=ROLES)
    assert scores.facts.used == 2
    assert sum(count for _, count in scores.facts.exclusions) == 2


def test_hostile_words_are_words(write):
    hostile = ["'; DROP TABLE tallymark_data; --", "<script>alert(1)</script>"]
    path = write("h1,engine\n" + "".join(f'"{word}","{word}"\n' for word in hostile))
    scores = read_scores(path, roles=ROLES, scale=hostile)
    assert scores.rater_scale.labels == tuple(hostile)
    assert scores.patterns.counts.tolist() == [1, 1]


@pytest.mark.parametrize("names", ["human,judge", "human_label,judge_label", "h1,llm_judge"])
def test_columns_of_people_and_judges_are_found_by_their_usual_names(write, names):
    scores = read_scores(write(f"id,{names}\n1,pass,fail\n2,fail,fail\n"), roles=Roles())
    human, judge = names.split(",")
    assert (scores.humans, scores.roles.systems) == ((human,), (judge,))


def test_choices_of_a_label_studio_file_are_words(tmp_path):
    def choice(word):
        return {"from_name": "verdict", "type": "choices", "value": {"choices": [word]}}

    tasks = [
        {
            "id": i,
            "data": {},
            "annotations": [
                {"completed_by": 1, "was_cancelled": False, "result": [choice(person)]}
            ],
            "predictions": [{"model_version": "judge", "result": [choice(judge)]}],
        }
        for i, (person, judge) in enumerate([("Pass", "Pass"), ("Fail", "Pass"), ("Fail", "Fail")])
    ]
    path = tmp_path / "tasks.json"
    path.write_text(json.dumps(tasks), encoding="utf-8")
    scores = read_scores(path, roles=Roles())
    assert scores.rater_scale.labels == ("Fail", "Pass")
    assert scores.facts.used == 3


@pytest.mark.parametrize(
    ("people", "judge", "said"),
    [
        (["pass", "fail"], ["pass", "error"], r"'judge' .* holds error in row 2, .* scale fail,pass"),
        (["pass", "fail", "unsure"], ["pass", "fail"], r"'human' .* holds unsure in row 3, "),
        (["pass", "N/A"], ["None", "fail"], r"are words: N/A, None, fail, pass\. List them"),
        (["red", "blue"], ["blue", "red"], r"are words: blue, red\. List them"),
        (["4/5", "3/5"], ["4/5", "5/5"], r"are words: 3/5, 4/5, 5/5\. List them"),
    ],
)  # fmt: skip
def test_words_off_every_scale_are_named_though_no_column_is(write, people, judge, said):
    rows = "\n".join(f"{people[i % len(people)]},{judge[i % len(judge)]}" for i in range(12))
    with pytest.raises((DataError, ScaleError), match=said):
        read_scores(write(f"human,judge\n{rows}\n"), roles=Roles())
