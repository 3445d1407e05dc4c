"""Responses left out on purpose: zeros, flags and candidates with too few responses."""

from typing import Any

import pytest

import tallymark as tm
from tallymark.errors import DataError, OptionError
from tallymark.sources import Roles, read_scores
from tests.goldens import Golden, check, claimed

ROLES = Roles(humans=("h1", "h2"), systems=("engine",))
FLAGS = "h1,h2,engine,flag,advisory\n1,1,1,0,ok\n2,2,2,0.0,late\n3,3,3,1,ok\n4,4,4,,ok\n"
CANDIDATES = (
    "who,h1,h2,engine\na,1,1,1\na,2,2,2\nb,1,2,2\nb,,,2\n,3,3,3\n,2,2,2\nc,0,0,1\nc,1,1,1\n"
)


@claimed("tests/sources/test_exclusions.py::test_zeros")
def test_zeros(golden: Golden) -> None:
    columns = {"human": golden.input["human"], "system": golden.input["system"]}
    reading: dict[str, Any] = {
        "humans": ["human"],
        "systems": ["system"],
        "statistics": ["qwk"],
        "scale": "0:4",
    }
    found = tm.evaluate(columns, **reading, exclude_zero=golden.input["exclude_zero"])
    excluded = dict(found.data.exclusions)
    check(
        {
            "n_used": found.data.used,
            "n_used_if_false": tm.evaluate(columns, **reading).data.used,
            "n_zero_excluded": excluded["zero human score"],
            "n_nonnumeric_excluded": excluded["no human score that the rule 'first' needs"],
            "qwk": found.estimates[0].value,
        },
        golden,
    )


def test_a_zero_is_a_missing_score_to_every_rule(write):
    file = write("h1,h2,engine\n0,1,1\n1,0,1\n2,3,2\n0,0,1\n")
    used = {}
    for rule in ("first", "sum"):
        scores = read_scores(file, roles=ROLES, resolve=rule, exclude_zero=True, scale="0:4")
        used[rule] = scores.facts.used, dict(scores.facts.exclusions)
    assert used["first"] == (3, {"zero human score": 1})
    assert used["sum"] == (1, {"zero human score": 3})


def test_a_zero_that_the_rule_does_not_need_is_not_the_reason(write):
    file = write("h1,h2,engine\n,0,1\n1,0,1\n2,3,2\n")
    scores = read_scores(file, roles=ROLES, resolve="sum", exclude_zero=True, scale="0:4")
    lacking = "fewer than the 2 ratings that the rule 'sum' takes"
    assert dict(scores.facts.exclusions) == {"zero human score": 1, lacking: 1}


def test_zero_is_a_score_unless_told_otherwise(write):
    scores = read_scores(write("h1,h2,engine\n0,1,1\n1,0,1\n"), roles=ROLES)
    assert scores.facts.used == 2
    assert scores.facts.exclusions == ()


def test_a_zero_of_the_gold_column_is_excluded(write):
    file = write("gold,engine\n0,1\n1,1\n2,2\n")
    scores = read_scores(file, roles=Roles(gold="gold", systems=("engine",)), exclude_zero=True)
    assert dict(scores.facts.exclusions) == {"zero human score": 1}


@pytest.mark.parametrize("kept", [0, "0", "0.0", [0], ("0", "7")])
def test_flags_that_are_the_same_number_are_the_same_flag(write, kept):
    scores = read_scores(write(FLAGS), roles=ROLES, flags={"flag": kept})
    assert (scores.facts.read, scores.facts.used) == (4, 2)
    assert sum(dict(scores.facts.exclusions).values()) == 2


def test_every_flag_must_hold_and_the_first_that_does_not_is_the_reason(write):
    scores = read_scores(write(FLAGS), roles=ROLES, flags={"flag": [0, 1], "advisory": ["ok"]})
    assert scores.facts.used == 2
    assert dict(scores.facts.exclusions) == {"flag is not 0 or 1": 1, "advisory is not ok": 1}
    assert [(row.row, row.column, row.value) for row in scores.excluded] == [
        (2, "advisory", "late"),
        (4, "flag", None),
    ]


def test_what_a_flag_leaves_out_may_hold_anything(write):
    file = write("h1,h2,engine,flag\n1,1,1,0\n2,2,2,0\nx,9,inf,1\n")
    scores = read_scores(file, roles=ROLES, flags={"flag": 0}, scale="1:4")
    assert scores.facts.used == 2


def test_only_usable_responses_of_a_candidate_count(write):
    scores = read_scores(
        write(CANDIDATES), roles=ROLES, candidate="who", min_items=2, exclude_zero=True
    )
    assert scores.facts.used == 4
    assert dict(scores.facts.exclusions) == {
        "zero human score": 1,
        "no human score that the rule 'first' needs": 1,
        "candidate with fewer than 2 responses": 2,
    }


def test_filters_do_not_change_the_hash_of_what_is_left(write):
    plain = read_scores(write("h1,h2,engine\n1,1,1\n2,2,2\n", "a.csv"), roles=ROLES, scale="1:4")
    flagged = read_scores(write(FLAGS), roles=ROLES, flags={"flag": 0}, scale="1:4")
    assert plain.facts.hash == flagged.facts.hash


def test_filters_are_recorded_with_the_evaluation(write):
    found = tm.evaluate(write(FLAGS), humans=["h1"], systems=["engine"], flags={"flag": 0})
    assert found.options["flags"] == {"flag": ["0"]}
    assert "exclude_zero" not in found.options


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"candidate": "who"}, "--candidate and --min-items go together"),
        ({"min_items": 2}, "--candidate and --min-items go together"),
        ({"candidate": "who", "min_items": 0}, "--min-items must be 1 or more, got 0"),
        ({"flags": {"who": []}}, "--flag of who must say which values are kept"),
        (
            {"exclude_zero": True, "scale": "low,high"},
            "--exclude-zero needs scores that are numbers",
        ),
    ],
)
def test_filters_that_make_no_sense_are_refused(write, asked, message):
    with pytest.raises(OptionError, match=message):
        read_scores(write(CANDIDATES), roles=ROLES, **asked)


def test_a_flag_column_that_is_not_there_is_named_with_a_likely_one(write):
    with pytest.raises(DataError, match=r"no column 'flags' .*--flag.* Did you mean 'flag'\?"):
        read_scores(write(FLAGS), roles=ROLES, flags={"flags": 0})


def test_a_long_table_has_no_flags(write):
    file = write("id,rater,score,flag\n1,h1,1,0\n1,engine,1,0\n")
    roles = Roles(response="id", rater="rater", score="score", systems=("engine",))
    with pytest.raises(OptionError, match="need a wide table"):
        read_scores(file, roles=roles, flags={"flag": 0})


def test_nothing_left_tells_why(write):
    with pytest.raises(DataError, match=r"4 read, flag is not 5: 4"):
        read_scores(write(FLAGS), roles=ROLES, flags={"flag": 5})
