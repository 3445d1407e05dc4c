"""Scales: declared, inferred, of words, per prompt; system scores mapped and trimmed."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from tallymark.errors import DataError, OptionError, ScaleError
from tallymark.sources import PromptOptions, Roles, read_scores

ROLES = Roles(humans=("h1",), systems=("engine",))


def test_the_scale_is_inferred_from_people_only(write):
    scores = read_scores(write("h1,engine\n1,1\n2,9\n4,2\n"), roles=ROLES)
    assert str(scores.rater_scale) == "1:4"
    assert scores.rater_scale.inferred


def test_a_rating_without_system_score_still_shows_the_scale(write):
    scores = read_scores(write("h1,engine\n1,1\n2,2\n6,\n"), roles=ROLES)
    assert scores.rater_scale.high == 6


def test_many_distinct_human_scores_are_continuous(write):
    rows = "".join(f"{i / 1000},{i / 1000}\n" for i in range(500))
    scores = read_scores(write(f"h1,engine\n{rows}"), roles=ROLES)
    assert scores.rater_scale.continuous


def test_system_scores_are_trimmed_and_the_raw_ones_kept(write):
    scores = read_scores(write("h1,engine\n1,0.2\n3,3.3\n6,7\n6,7\n"), roles=ROLES, scale="1:6")
    assert scores.patterns.scores["system:engine"] == pytest.approx([0.5002, 3.3, 6.4998])
    assert scores.patterns.scores["raw:engine"].tolist() == [0.2, 3.3, 7.0]
    told = "engine: 3 scores trimmed to half a step beyond the ends of the scale (1:6)"
    assert scores.facts.notes == (told,)


def test_no_raw_scores_are_kept_where_nothing_was_trimmed(write):
    scores = read_scores(write("h1,engine\n1,1.2\n3,3.3\n"), roles=ROLES, scale="1:6")
    assert "raw:engine" not in scores.patterns.scores


def test_the_tolerance_of_trimming_can_be_chosen(write):
    path = write("h1,engine\n1,0.2\n6,7\n3,3\n")
    for rule, expected in (
        (0, [1.0, 3.0, 6.0]), ("range", [1.0, 3.0, 6.0]), ("none", [0.2, 3.0, 7.0]),
        ("half-step", [0.5002, 3.0, 6.4998]), (0.25, [0.75, 3.0, 6.25]),
    ):  # fmt: skip
        scores = read_scores(path, roles=ROLES, scale="1:6", trim=rule)
        assert scores.patterns.scores["system:engine"] == pytest.approx(expected), rule
        raw = scores.patterns.scores.get("raw:engine")
        assert (raw is None) == (rule == "none")
    with pytest.raises(
        OptionError, match=r"unknown trim 'rang'; choose half-step, range or none.*range"
    ):
        read_scores(path, roles=ROLES, scale="1:6", trim="rang")
    for wrong in (-1.0, float("inf"), float("nan")):
        with pytest.raises(OptionError, match="zero or more steps"):
            read_scores(path, roles=ROLES, scale="1:6", trim=wrong)


def test_what_became_of_scores_beyond_the_scale_is_told_as_it_is(write):
    path = write("p,h1,engine\na,1,0.2\na,6,7\nb,3,3\nb,6,9\nb,3,3\n")
    roles = Roles(humans=("h1",), systems=("engine",), prompt="p")

    def told(**options):
        return read_scores(path, roles=roles, scale="1:6", **options).facts.notes

    assert told(trim="range") == ("engine: 3 scores trimmed to the ends of the scale (1:6)",)
    left = "engine: 3 scores over half a step beyond the scale (1:6) left as given"
    assert told(trim="none") == (left,)
    each = "engine: 3 scores beyond the scale trimmed, by the rule of each prompt"
    assert told(prompts={"a": PromptOptions(trim="range")}) == (each,)
    usual = "engine: 1 score trimmed to half a step beyond the ends of the scale (1:6)"
    assert told(prompts={"a": PromptOptions(trim=3)}) == (usual,)


def test_a_system_on_another_scale_is_refused_also_where_nothing_is_trimmed(write):
    path = write("h1,engine\n1,20\n3,55\n6,97.5\n")
    with pytest.raises(ScaleError, match=r"from 20 to 97\.5"):
        read_scores(path, roles=ROLES, scale="1:6", trim="none")


def test_a_system_on_another_scale_is_told_to_declare_it(write):
    path = write("h1,engine\n1,20\n3,55\n6,97.5\n")
    with pytest.raises(
        ScaleError, match=r"from 20 to 97.5, but the gold lies on 1:6.*--system-scale 0:100"
    ):
        read_scores(path, roles=ROLES, scale="1:6")


def test_a_declared_system_scale_is_mapped_end_to_end(write):
    path = write("h1,engine\n1,0\n3,50\n6,100\n")
    scores = read_scores(path, roles=ROLES, scale="1:6", system_scale="0:100")
    assert scores.patterns.scores["system:engine"].tolist() == [1.0, 3.5, 6.0]
    assert scores.facts.notes == ("system scores were mapped linearly from 0:100 onto 1:6",)


def test_systems_are_read_on_the_scale_of_the_gold(write):
    path = write("h1,h2,engine\n1,2,0\n6,6,100\n")
    roles = Roles(humans=("h1", "h2"), systems=("engine",))
    scores = read_scores(path, roles=roles, scale="1:6", resolve="sum", system_scale="0:100")
    assert scores.patterns.scores["system:engine"].tolist() == [2.0, 12.0]


def test_a_system_scale_needs_two_ends(write):
    with pytest.raises(OptionError, match="write low:high"):
        read_scores(write("h1,engine\n1,1\n"), roles=ROLES, system_scale="5")


def test_scores_may_be_words_in_listed_order(write):
    path = write("h1,engine\nfail,pass\n merit ,merit\npass,fail\n")
    scores = read_scores(path, roles=ROLES, scale="fail,pass,merit")
    pairs = zip(
        scores.patterns.scores["gold"], scores.patterns.scores["system:engine"], strict=True
    )
    assert sorted(pairs) == [(1, 2), (2, 1), (3, 3)]
    assert scores.gold_scale.labels == ("fail", "pass", "merit")


@pytest.mark.parametrize("row", ["failed,pass", "fail,unsure"])
def test_words_that_are_not_on_the_scale_are_refused(write, row):
    with pytest.raises(ScaleError, match="in row 2, which is not on the scale fail,pass"):
        read_scores(write(f"h1,engine\npass,pass\n{row}\n"), roles=ROLES, scale="fail,pass")


PROMPTS = "prompt,h1,h2,engine\np,1,3,2\np,4,4,9\nq,10,30,20\nq,60,60,70\n"
TWO = Roles(humans=("h1", "h2"), systems=("engine",), prompt="prompt")


def test_scale_and_rule_may_differ_by_prompt(write):
    own = {"q": PromptOptions(scale="10:60:10", resolve="mean", trim=0.0)}
    scores = read_scores(write(PROMPTS), roles=TWO, scale="1:6", resolve="sum", prompts=own)
    assert str(scores.gold_scale) == "2:12"
    assert {name: str(gold) for name, (_, gold) in scores.scales.items()} == {"q": "10:60:5"}
    gold = dict(
        zip(scores.patterns.scores["gold"], scores.patterns.scores["system:engine"], strict=True)
    )
    assert gold == {4.0: 2.0, 8.0: 9.0, 20.0: 20.0, 60.0: 60.0}


def test_where_every_prompt_has_a_scale_the_common_one_holds_all_points(write):
    own = {"p": PromptOptions(scale="1:6"), "q": PromptOptions(scale="10:60:10")}
    scores = read_scores(write(PROMPTS), roles=TWO, prompts=own)
    assert (scores.rater_scale.low, scores.rater_scale.high) == (1, 60)
    assert str(scores.scales["p"][0]) == "1:6"


def test_a_score_off_the_scale_of_its_prompt_is_refused(write):
    own = {"q": PromptOptions(scale="1:6")}
    with pytest.raises(ScaleError, match=r"holds 10.0 in row 3"):
        read_scores(write(PROMPTS), roles=TWO, prompts=own)


def test_an_unknown_prompt_is_refused(write):
    with pytest.raises(OptionError, match="there is no prompt 'r'; the prompts are p, q"):
        read_scores(write(PROMPTS), roles=TWO, prompts={"r": PromptOptions(resolve="mean")})


def test_options_for_prompts_need_a_prompt_column(write):
    with pytest.raises(OptionError, match="--prompt"):
        read_scores(write("h1,engine\n1,1\n"), roles=ROLES, prompts={"p": PromptOptions(trim=0.0)})


@pytest.mark.parametrize(
    ("gold", "scale"),
    [("1,3,6", "1:6"), ("1,3.5,6", "1:6:0.5"), ("2,7,12", "2:12"), ("0,50,100", "0:100:50")],
)
def test_the_scale_of_a_gold_column_is_found(write, gold, scale):
    cells = gold.split(",")
    rows = "".join(f"{h},{h},{g},{g}\n" for h, g in zip((1, 3, 6), cells, strict=True))
    roles = Roles(humans=("h1", "h2"), gold="gold", systems=("engine",))
    scores = read_scores(write(f"h1,h2,gold,engine\n{rows}"), roles=roles, scale="1:6")
    assert str(scores.gold_scale) == scale
    assert scores.resolve == "column"


def test_a_gold_column_alone_lies_on_the_declared_scale(write):
    roles = Roles(gold="gold", systems=("engine",))
    with pytest.raises(ScaleError, match=r"column 'gold' of scores.csv holds 9.0 in row 2"):
        read_scores(write("gold,engine\n1,1\n9,1\n"), roles=roles, scale="1:6")


@pytest.mark.parametrize(
    ("scale", "shown"),
    [("0:100", "0:100"), ("0:10:0.1", "0:10:0.1"), ("0:200", "continuous 0 to 200")],
)
def test_a_scale_of_very_many_points_is_continuous(scale, shown):
    scores = read_scores({"h1": [0.0, 3.0], "engine": [1.0, 2.0]}, roles=ROLES, scale=scale)
    assert str(scores.gold_scale) == shown


def test_negative_zero_is_zero():
    plus = read_scores({"h1": [0.0, 1.0], "engine": [0.0, 1.0]}, roles=ROLES)
    minus = read_scores({"h1": [-0.0, 1.0], "engine": [-0.0, 1.0]}, roles=ROLES)
    assert plus.facts.hash == minus.facts.hash
    assert not np.signbit(minus.patterns.scores["system:engine"]).any()


@pytest.mark.parametrize("given", [[1, 2, 3], [0.8, 2.2, 3.3]])
def test_a_system_that_stays_on_the_raters_scale_is_told_of_beside_a_sum(given):
    columns = {"h1": [1, 2, 3], "h2": [1, 3, 3], "engine": given}
    roles = Roles(humans=("h1", "h2"), systems=("engine",))
    summed = read_scores(columns, roles=roles, scale="1:3", resolve="sum")
    assert any("--system-scale 1:3" in note for note in summed.facts.notes)
    mapped = read_scores(columns, roles=roles, scale="1:3", resolve="sum", system_scale="1:3")
    meant = read_scores(columns, roles=roles, scale="1:3", resolve="mean")
    assert not any("if it scores as raters do" in n for s in (mapped, meant) for n in s.facts.notes)


@pytest.mark.parametrize("words", [("False", "True"), ("false", "true"), ("FALSE", "TRUE")])
@pytest.mark.parametrize("scale", [None, "0:1", "False,True", "false,true"])
def test_true_and_false_are_one_and_zero(write, words, scale):
    path = write(f"h1,engine\n{words[1]},1\n{words[0]},{words[0]}\n{words[1]},{words[1]}\n")
    scores = read_scores(path, roles=ROLES, scale=scale)
    assert str(scores.rater_scale) == {"0:1": "0,1", None: ",".join(words)}.get(scale, scale)
    assert scores.patterns.scores["gold"].tolist() == [0.0, 1.0]
    assert scores.patterns.scores["system:engine"].tolist() == [0.0, 1.0]
    assert scores.patterns.counts.tolist() == [1, 2]


def test_columns_of_booleans_are_scores_in_every_frame():
    truths = [True, False, True, False]
    for make in (dict, pd.DataFrame, pl.DataFrame):
        scores = read_scores(make({"h1": truths, "engine": truths}), roles=Roles())
        assert scores.patterns.scores["gold"].tolist() == [0.0, 1.0]
        assert scores.patterns.counts.tolist() == [2, 2]


def test_a_flag_beside_scores_of_other_points_is_not_taken_for_a_system(write):
    text = "h1,model_score,model_ok,late\n1,1,true,true\n3,2,false,true\n"
    assert read_scores(write(text), roles=Roles()).roles.systems == ("model_score",)
    with pytest.raises(DataError, match="'model_ok' looks like one, but it holds words"):
        read_scores(write("h1,model_ok\n1,true\n3,false\n"), roles=Roles())


def test_two_points_where_a_range_was_meant_are_explained(write):
    path = write("h1,engine\n1,1\n3,3\n6,6\n")
    with pytest.raises(ScaleError, match=r"has 2 points, 1 and 6; .* write --scale 1:6\.$"):
        read_scores(path, roles=ROLES, scale=(1, 6))
    with pytest.raises(ScaleError, match=r"--exclude off-scale\.$"):
        read_scores(path, roles=ROLES, scale=(1, 2))


def test_a_truth_among_scores_of_other_points_is_text(write):
    path = write("h1,engine\n1,1\nTRUE,3\n6,6\n")
    with pytest.raises(DataError, match="holds text in 1 row, first 'TRUE'"):
        read_scores(path, roles=ROLES)
