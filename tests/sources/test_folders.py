"""A table in several Parquet files is one table, and its faults are named by file."""

from typing import Any

import duckdb
import pytest

import tallymark as tm
from tallymark.demo import SCORES
from tallymark.errors import DataError

ASKED: dict[str, Any] = {"humans": ["h1"], "systems": ["chatbot"], "statistics": ["qwk"]}


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "scores [1]"
    place.mkdir()
    for part in range(3):
        rows = f"SELECT * FROM read_csv('{SCORES}') LIMIT 400 OFFSET {part * 400}"
        duckdb.sql(f"COPY ({rows}) TO '{place}/part {part}.parquet'")
    (place / "_SUCCESS").touch()
    return place


def test_a_folder_and_a_pattern_give_the_json_of_one_file(folder):
    expected = tm.evaluate(SCORES, **ASKED).to_json()
    assert tm.evaluate(folder, **ASKED).to_json() == expected
    pattern = str(folder).replace("[", "[[]") + "/part*.parquet"
    assert tm.evaluate(pattern, **ASKED).to_json() == expected


def test_partitions_of_hive_are_columns(tmp_path):
    rows = f"SELECT * FROM read_csv('{SCORES}')"
    duckdb.sql(f"COPY ({rows}) TO '{tmp_path}/scores' (FORMAT parquet, PARTITION_BY (prompt))")
    assert (
        tm.evaluate(tmp_path / "scores", **ASKED).to_json()
        == tm.evaluate(SCORES, **ASKED).to_json()
    )


def test_an_unreadable_part_is_named(folder):
    part = folder / "part 1.parquet"
    part.write_bytes(part.read_bytes()[:-9])
    with pytest.raises(
        DataError, match=r"part 1.parquet of scores \[1\] is not a Parquet file, or"
    ):
        tm.evaluate(folder, **ASKED)


def test_parts_with_other_columns_are_no_table(folder):
    duckdb.sql(f"COPY (SELECT 1 AS other) TO '{folder}/part 1.parquet'")
    with pytest.raises(DataError, match="the 3 files of"):
        tm.evaluate(folder, **ASKED)


def test_a_part_that_comes_while_the_folder_is_read_is_noticed(folder, monkeypatch):
    from tallymark.sources import tables

    asked = tables.SqlTable.arrays

    def growing(self, query):
        (folder / "part 3.parquet").write_bytes((folder / "part 0.parquet").read_bytes())
        return asked(self, query)

    monkeypatch.setattr(tables.SqlTable, "arrays", growing)
    with pytest.raises(DataError, match="changed while it was read"):
        tm.evaluate(folder, **ASKED)


@pytest.mark.parametrize("address", ["s3://bucket/scores.parquet", "https://host/scores.csv"])
def test_nothing_is_read_from_the_network(address):
    with pytest.raises(DataError, match="is on the network"):
        tm.evaluate(address, **ASKED)
