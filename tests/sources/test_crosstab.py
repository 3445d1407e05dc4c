"""A cross-table of counts gives what its responses give, and says what is wrong with it."""

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import tallymark as tm
from tallymark.errors import DataError, OptionError

TABLE = np.array([[139, 51, 5, 0], [166, 476, 92, 0], [14, 98, 404, 102], [0, 4, 70, 149]])
TEXT = "human,0,1,2,3\n0,139,51,5,0\n1,166,476,92,0\n2,14,98,404,102\n3,0,4,70,149\n"
WRONG = {
    "a row too few": ("human,0,1\n0,3,1\n", "has no row '1'"),
    "a column too few": ("human,0\n0,3\n1,2\n", "has no column '1'"),
    "a negative count": ("human,0,1\n0,3,-1\n1,0,2\n", "row '0' and column '1'.*is '-1'"),
    "a fraction": ("human,0,1\n0,3,1.5\n1,0,2\n", "is '1.5'; counts are whole"),
    "a word": ("human,0,1\n0,3,many\n1,0,2\n", "is 'many'"),
    "an infinite count": ("human,0,1\n0,3,inf\n1,0,2\n", "is 'inf'"),
    "a blank cell": ("human,0,1\n0,3,\n1,0,2\n", "is blank; counts are whole numbers, 0 for none"),
    "a missing label": ("human,0,1\n,3,1\n1,0,2\n", "line 2 of .* has no label"),
    "a missing heading": ("human,0,\n0,3,1\n1,0,2\n", "has 'unnamed_3' among scores"),
    "sums": ("human,0,1,Total\n0,3,1,4\n1,0,2,2\nTotal,3,3,6\n", "has 'Total' .*leave sums out"),
    "a row twice": ("human,0,1\n0,3,1\n0,0,2\n", "more than one row '0'"),
    "one row in two spellings": ("human,0,1\n0,3,1\n0.0,0,2\n", "more than one row '0'"),
    "nothing counted": ("human,0,1\n0,0,0\n1,0,0\n", "counts no responses"),
    "no rows": ("human,0,1\n", "has no row '0'"),
    "endless counts": ("human,0,1\n0,1e300,1\n1,1,1\n", "are these counts"),
}
TABLES = arrays(np.int64, (3, 3), elements=st.integers(0, 30)).filter(np.any)


def numbers(evaluation):
    read = json.loads(evaluation.to_json())
    return read["estimates"], read["data"]["hash"]


def rows(table):
    cells = [
        (i, j) for i in range(len(table)) for j in range(len(table)) for _ in range(table[i][j])
    ]
    return {"human": [i for i, _ in cells], "system": [j for _, j in cells]}


@given(TABLES)
def test_a_table_gives_what_its_responses_give(table):
    counted = tm.evaluate(table, table=True, scale="0:2", statistics=["qwk", "gwet_ac[quadratic]"])
    one_by_one = tm.evaluate(
        rows(table), scale="0:2", statistics=["qwk", "gwet_ac[quadratic]"], humans=["human"]
    )
    assert numbers(counted) == numbers(one_by_one)


def test_file_frame_and_array_give_the_same(write):
    options: dict[str, Any] = {"table": True, "statistics": ["qwk"]}
    file = tm.evaluate(write(TEXT), **options)
    frame = pd.DataFrame(TABLE, index=pd.Index(range(4), name="human"), columns=range(4))
    plain, numbered = pd.DataFrame(TABLE), pd.DataFrame(TABLE)
    plain.insert(0, "human", range(4))
    every = [tm.evaluate(made, **options) for made in (frame, plain, numbered)]
    every += [tm.evaluate(made, scale="0:3", **options) for made in (TABLE, TABLE.tolist())]
    assert all(numbers(made) == numbers(file) for made in every)
    assert file["qwk"].value == pytest.approx(
        0.7652723103661863, abs=1e-12
    )  # golden do.fig35.table1


def test_the_corner_may_be_blank_and_the_order_of_rows_any(write):
    turned = "human,0,1\n1,4,5\n0,2,3\n"
    given_so = tm.evaluate(write(turned), table=True, statistics=["qwk"])
    usual = tm.evaluate(write(",0,1\n0,2,3\n1,4,5\n"), table=True, statistics=["qwk"])
    assert numbers(given_so) == numbers(usual)


def test_points_that_nobody_was_given_count(write):
    evaluation = tm.evaluate(write("h,1,2,3\n1,5,1,0\n2,1,6,0\n3,0,0,0\n"), table=True)
    assert evaluation.data.scale == "1:3"
    assert not evaluation.data.scale_inferred


def test_a_declared_scale_fills_in_rows_and_columns(write):
    evaluation = tm.evaluate(write("h,1,2\n1,5,1\n3,1,6\n"), table=True, scale="1:4")
    assert evaluation.data.used == 13
    with pytest.raises(DataError, match="is no point of the scale 1,2"):
        tm.evaluate(write("h,1,2\n1,5,1\n3,1,6\n"), table=True, scale="1,2")


def test_labels_may_be_words_in_the_order_of_the_columns(write):
    text = "human,low,middle,high\nlow,9,1,0\nmiddle,2,8,1\nhigh,0,2,7\n"
    evaluation = tm.evaluate(write(text), table=True)
    assert evaluation.data.scale == "low,middle,high"
    assert evaluation.matrices[0].values == ((9, 1, 0), (2, 8, 1), (0, 2, 7))


def test_names_are_those_that_were_given(write):
    evaluation = tm.evaluate(write(TEXT), table=True, systems=["engine"], gold="final")
    assert evaluation.data.gold == "column final"
    assert evaluation.options["systems"] == ("engine",)
    with pytest.raises(OptionError, match="one human score and one system"):
        tm.evaluate(write(TEXT), table=True, systems=["a", "b"])
    with pytest.raises(OptionError, match="have one name"):
        tm.evaluate(write(TEXT), table=True, systems=["human"])
    with pytest.raises(DataError, match="has no column 'topic'"):
        tm.evaluate(write(TEXT), table=True, prompt="topic")


def test_two_raters_in_a_table_have_agreement_and_ceilings(write):
    people = tm.raters(write(TEXT), table=True, humans=["anna", "ben"])
    assert people.options["humans"] == ("anna", "ben")
    assert tm.ceiling(write(TEXT), table=True)["ceiling_theoretical"].value < 1
    with pytest.raises(OptionError, match="holds two raters"):
        tm.raters(write(TEXT), table=True, humans=["a", "b", "c"])


@pytest.mark.parametrize(("text", "said"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_named_with_its_place(write, text, said):
    with pytest.raises(DataError, match=said):
        tm.evaluate(write(text), table=True)


def test_one_point_is_no_scale_to_agree_on(write):
    evaluation = tm.evaluate(write("human,1\n1,7\n"), table=True, statistics=["qwk"])
    assert np.isnan(evaluation["qwk"].value)
    assert evaluation["qwk"].why


def test_an_array_needs_the_scale_and_its_size():
    with pytest.raises(OptionError, match="scale="):
        tm.evaluate(TABLE, table=True)
    with pytest.raises(DataError, match="4 by 4; the scale has 3 points"):
        tm.evaluate(TABLE, table=True, scale="1:3")
    with pytest.raises(DataError, match="2 by 3"):
        tm.evaluate([[1, 2, 3], [1, 2, 3]], table=True, scale="1:3")


def test_a_file_of_responses_is_told_from_a_table(write):
    many = "\n".join(f"{i},{i % 3}" for i in range(200))
    with pytest.raises(DataError, match="leave out table="):
        tm.evaluate(write(f"human,system\n{many}\n"), table=True)
