"""Wide, slot and long tables."""

import numpy as np
import pytest
from msgspec.structs import replace

from tallymark.errors import DataError, OptionError
from tallymark.sources import Roles, read_scores

LONG = """response,rater,score,gender
a,ann,1,f
a,bob,2,f
a,engine,1.5,f
b,ann,3,m
b,engine,3.5,m
c,bob,4,f
c,engine,3.9,f
"""
ROLES = Roles(response="response", rater="rater", score="score", systems=("engine",))


def rows_of(scores, *names):
    return [
        tuple(row) for row in np.stack([scores.patterns.scores[name] for name in names]).T.tolist()
    ]


def test_a_long_table_has_one_pattern_per_response(write):
    scores = read_scores(write(LONG), roles=ROLES, resolve="mean")
    assert scores.facts.layout == "long"
    assert scores.humans == ("ann", "bob")
    assert (scores.facts.read, scores.facts.used) == (3, 3)
    gold = rows_of(scores, "gold", "system:engine")
    assert sorted(gold) == [(1.5, 1.5), (3.0, 3.5), (4.0, 3.9)]
    assert scores.patterns.labels["group:gender"] == ("f", "m")


def test_first_is_the_first_rating_present_in_a_long_table(write):
    scores = read_scores(write(LONG), roles=ROLES)
    assert scores.facts.used == 3
    gold = rows_of(scores, "gold", "second", "system:engine")
    assert str(sorted(gold)) == "[(1.0, 2.0, 1.5), (3.0, nan, 3.5), (4.0, nan, 3.9)]"
    (made,) = scores.facts.golds
    assert (made.first, made.second) == ((("ann", 2), ("bob", 1)), (("bob", 1),))


def test_raters_of_a_long_table_come_in_the_order_given_or_else_as_people_count(write):
    path = write(LONG.replace("ann", "r10").replace("bob", "r9"))
    assert read_scores(path, roles=ROLES).humans == ("r9", "r10")
    asked = replace(ROLES, humans=("r10", "r9"))
    assert read_scores(path, roles=asked).humans == ("r10", "r9")


def test_a_response_without_any_rating_is_counted_out(write):
    scores = read_scores(write(LONG + "d,engine,2,m\n"), roles=ROLES)
    assert scores.facts.exclusions == (("no human score that the rule 'first' needs", 1),)
    assert (scores.excluded[0].row, scores.excluded[0].id) == (8, "d")


def test_a_mean_of_one_or_two_ratings_lies_on_half_steps(write):
    scores = read_scores(write(LONG), roles=ROLES, resolve="mean", scale="1:4")
    assert str(scores.gold_scale) == "1:4:0.5"


def test_a_mean_of_two_or_three_ratings_lies_on_a_continuous_scale(write):
    more = LONG + "a,zoe,3,f\nb,zoe,2,m\n"
    scores = read_scores(write(more), roles=ROLES, resolve="mean", scale="1:4")
    assert scores.gold_scale.continuous
    assert (scores.gold_scale.low, scores.gold_scale.high) == (1, 4)


def test_a_mean_of_all_raters_keeps_its_points_in_a_long_table(write):
    complete = LONG.replace("b,engine", "b,bob,3,m\nb,engine").replace("c,bob", "c,ann,4,f\nc,bob")
    scores = read_scores(write(complete), roles=ROLES, resolve="mean", scale="1:4")
    assert str(scores.gold_scale) == "1:4:0.5"


def test_a_long_table_is_guessed(write):
    scores = read_scores(write(LONG), roles=Roles(), resolve="mean")
    assert scores.roles.rater == "rater"
    assert scores.roles.systems == ("engine",)
    assert "system: engine (from the names of the raters)" in scores.facts.guesses


def test_a_long_table_equals_its_wide_form(write):
    wide = "response,ann,bob,engine\na,1,2,1.5\nb,3,,3.5\nc,,4,3.9\n"
    roles = Roles(humans=("ann", "bob"), systems=("engine",))
    one = read_scores(write(wide, "wide.csv"), roles=roles)
    other = read_scores(write(LONG.replace(",gender", ",_"), "long.csv"), roles=ROLES)
    assert one.facts.hash == other.facts.hash


def test_two_scores_by_one_rater_are_refused_or_excluded(write):
    path = write(LONG + "a,ann,2,f\n")
    with pytest.raises(DataError, match=r"scored twice by one rater: 'a'.*1 response in all"):
        read_scores(path, roles=ROLES)
    scores = read_scores(path, roles=ROLES, resolve="mean", exclude=["duplicate"])
    assert scores.facts.exclusions == (("response scored twice by one rater", 1),)


def test_text_in_a_long_table_names_rater_and_row(write):
    with pytest.raises(
        DataError, match=r"rater 'bob' of scores.csv holds text in 1 response, first 'x' in row 6"
    ):
        read_scores(write(LONG.replace("c,bob,4", "c,bob,x")), roles=ROLES)


def test_a_response_has_one_group(write):
    with pytest.raises(
        DataError, match=r"response 'a' of scores.csv, first in row 1, has rows that differ"
    ):
        read_scores(write(LONG.replace("a,bob,2,f", "a,bob,2,m")), roles=ROLES)


def test_a_rating_without_response_or_rater_is_refused(write):
    with pytest.raises(DataError, match="lacks the response or the rater in row 8"):
        read_scores(write(LONG + ",ann,2,f\n"), roles=ROLES)


def test_an_unknown_rater_suggests_the_nearest(write):
    roles = Roles(response="response", rater="rater", score="score", systems=("engin",))
    with pytest.raises(DataError, match="Did you mean 'engine'"):
        read_scores(write(LONG), roles=roles)


def test_a_long_table_without_system_names_the_raters(write):
    path = write(LONG.replace("engine", "zoe"))
    with pytest.raises(DataError, match=r"--system RATER \(raters: ann, bob, zoe\)"):
        read_scores(path, roles=Roles(response="response", rater="rater", score="score"))


def test_raters_left_out_are_noted(write):
    roles = Roles(
        response="response", rater="rater", score="score", systems=("engine",), humans=("ann",)
    )
    assert read_scores(write(LONG), roles=roles).facts.notes == ("raters left out: bob",)


def test_a_long_table_needs_all_three_roles(write):
    with pytest.raises(OptionError, match="--rater and --score not given"):
        read_scores(write(LONG), roles=Roles(response="response"))


SLOTS = "mqm_1,rater_1,mqm_2,rater_2,engine\n1,ann,2,bob,1\n3,bob,,,3\n,,4,zoe,4\n"


def test_slots_keep_who_gave_each_score(write):
    scores = read_scores(
        write(SLOTS), roles=Roles(humans=("mqm_1@rater_1", "mqm_2@rater_2")), resolve="mean"
    )
    assert scores.facts.layout == "slots"
    assert scores.humans == ("ann", "bob", "zoe")
    assert sorted(scores.patterns.scores["gold"].tolist()) == [1.5, 3.0, 4.0]
    by_rater = rows_of(scores, "human:ann", "human:bob", "human:zoe")
    assert str(sorted(by_rater, key=str)) == ("[(1.0, 2.0, nan), (nan, 3.0, nan), (nan, nan, 4.0)]")


def test_the_first_of_slots_is_the_first_slot_that_is_filled(write):
    scores = read_scores(write(SLOTS.replace("1,ann,2,bob", "1,zoe,2,ann")), roles=Roles())
    assert sorted(scores.patterns.scores["gold"].tolist()) == [1.0, 3.0, 4.0]
    assert scores.facts.golds[0].first == (("bob", 1), ("zoe", 2))


def test_a_score_in_a_slot_without_its_rater_is_refused(write):
    path = write(SLOTS.replace("3,bob", "3,"))
    with pytest.raises(DataError, match=r"column 'mqm_1' of .* without its rater in row 2 .1 row"):
        read_scores(path, roles=Roles(humans=("mqm_1@rater_1", "mqm_2@rater_2")))


def test_two_slots_of_one_rater_are_refused_or_excluded(write):
    path = write(SLOTS.replace("2,bob", "2,ann"))
    with pytest.raises(DataError, match="response scored twice by one rater"):
        read_scores(path, roles=Roles())
    scores = read_scores(path, roles=Roles(), exclude=["duplicate"])
    assert scores.facts.exclusions == (("response scored twice by one rater", 1),)


def test_slots_are_guessed_from_pairs_of_columns(write):
    scores = read_scores(write(SLOTS), roles=Roles(), resolve="mean")
    assert scores.roles.humans == ("mqm_1@rater_1", "mqm_2@rater_2")


def test_a_column_whose_name_holds_an_at_sign_is_no_slot(write):
    scores = read_scores(write("h@x,x,engine\n1,1,2\n2,1,2\n"), roles=Roles(humans=("h@x",)))
    assert (scores.facts.layout, scores.humans) == ("wide", ("h@x",))


def test_patterns_and_comma_lists_name_several_columns(write):
    path = write("h1,h2,a_shot,b_shot\n1,1,1,1\n2,2,2,2\n")
    scores = read_scores(path, roles=Roles(humans=("h1, h2",), systems=("*_shot",)))
    assert scores.roles.humans == ("h1", "h2")
    assert scores.roles.systems == ("a_shot", "b_shot")


def test_a_column_with_a_comma_in_its_name_is_one_column(write):
    scores = read_scores(write('"h1,h2",engine\n1,1\n2,2\n'), roles=Roles(humans=("h1,h2",)))
    assert scores.humans == ("h1,h2",)


def test_repeats_and_confidences_are_tallied(write):
    path = write("h1,bot,run1,run2,c\n1,1,1,2,0.5\n3,3,3,9,0.9\n")
    roles = Roles(
        humans=("h1",), systems=("bot",), repeats={"bot": ("run*",)}, confidences={"bot": "c"}
    )
    scores = read_scores(path, roles=roles, scale="1:6")
    assert scores.patterns.scores["repeat:bot:run2"] == pytest.approx([2.0, 6.4998])
    assert scores.patterns.scores["confidence:bot"].tolist() == [0.5, 0.9]
