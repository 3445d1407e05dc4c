"""Tables of predictions brought beside the people by id; what does not match is counted."""

from typing import Any

import pytest

import tallymark as tm
from tallymark.sources.joining import join_predictions
from tests.compare.made import made, table, written


@pytest.fixture
def people():
    return {name: values for name, values in made(40).items() if name in ("id", "h1")}


def predictions(name, keep=range(40), more=()):
    columns = made(40)
    rows = [(columns["id"][i], columns[name][i]) for i in keep]
    return {"id": [i for i, _ in [*rows, *more]], "score": [s for _, s in [*rows, *more]]}


def test_files_become_systems_under_their_names(tmp_path, people):
    file = written(tmp_path / "people.csv", people)
    first = written(tmp_path / "first.csv", predictions("s0"))
    second = written(tmp_path / "second.csv", predictions("s1"))
    given: dict[str, Any] = {
        "humans": ["h1"], "id": "id", "scale": "1:6", "replicates": 100, "statistics": ["qwk"]
    }  # fmt: skip
    found = tm.compare(file, predictions=[first, f"new={second}"], **given)
    assert found.options["systems"] == ("first", "new")
    both = tm.compare(made(40), systems=["s0", "s1"], **given)
    assert [row["value"] for row in table(found, "ranking")] == [
        row["value"] for row in table(both, "ranking")
    ]


def test_unmatched_ids_are_counted_for_each_table(people):
    given = {"a": predictions("s0", range(5, 40), [("x", 1), ("y", 2)]), "b": predictions("s1")}
    joined = join_predictions(people, given, key="id")
    assert joined.notes == (
        "a: 2 of 37 predictions have an id that no person scored",
        "a: 5 of 40 responses have no prediction by it",
    )
    options: dict[str, Any] = {"humans": ["h1"], "replicates": 100, "statistics": ["qwk"]}
    found = tm.compare(people, predictions=given, id="id", **options)
    assert set(joined.notes) <= set(found.data.notes)
    assert found.data.used == 35


def test_any_order_of_predictions_gives_the_same(people):
    turned = {name: values[::-1] for name, values in predictions("s0").items()}
    one = join_predictions(people, {"a": predictions("s0")}, key="id")
    assert join_predictions(people, {"a": turned}, key="id") == one


def test_named_columns_of_one_table_are_taken(people):
    columns = made(40)
    wide = {name: columns[name] for name in ("id", "s0", "s1")} | {"words": ["x"] * 40}
    joined = join_predictions(people, {"all": wide}, key="id", systems=["s0", "s1"])
    assert joined.systems == ("s0", "s1")


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ({"a": predictions("s0", more=[("r0", 1)])}, tm.DataError, "the id 'r0' more than once"),
        ({"a": predictions("s0", more=[(None, 1)])}, tm.DataError, "lacks an id in 1 row"),
        ({"a": {"id": ["q"], "score": [1]}}, tm.DataError, "no id of the predictions a is among"),
        ({"a": {"key": ["r0"], "score": [1]}}, tm.DataError, "no column 'id'"),
        ({"a": {"id": ["r0"], "x": [1], "y": [2]}}, tm.DataError, "one column of scores"),
        ({"h1": predictions("s0")}, tm.OptionError, "two columns or tables are called 'h1'"),
        ([predictions("s0")], tm.OptionError, "name each table of predictions"),
    ],
)
def test_tables_that_cannot_be_joined_are_refused(people, given, error, words):
    with pytest.raises(error, match=words):
        join_predictions(people, given, key="id")


def test_without_an_id_nothing_can_be_joined(people):
    with pytest.raises(tm.OptionError, match="joined by id"):
        join_predictions(people, {"a": predictions("s0")}, key=None)
