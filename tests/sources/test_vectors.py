"""Vectors made elsewhere: read whole, in the order of the rows, or refused with what to do."""

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest

from tallymark.errors import DataError, OptionError
from tallymark.sources.vectors import read_vectors

VECTORS = np.arange(12.0).reshape(4, 3)
IDS = ["a", "b", "c", "d"]


@pytest.fixture
def npy(tmp_path):
    np.save(tmp_path / "v.npy", VECTORS.astype(np.float32))
    return tmp_path / "v.npy"


def _parquet(path, select):
    duckdb.sql(f"COPY ({select}) TO '{path}' (FORMAT parquet)")
    return path


def test_an_array_of_numpy_has_one_row_for_each_row(npy):
    assert (read_vectors(npy, rows=4) == VECTORS).all()
    assert (read_vectors(VECTORS.tolist(), rows=4) == VECTORS).all()


@pytest.mark.parametrize("kind", ["FLOAT[]", "DOUBLE[3]", "INTEGER[]"])
def test_lists_of_parquet_are_joined_by_id(tmp_path, kind):
    cells = [(name, VECTORS[i].tolist()) for i, name in enumerate(IDS)]
    values = ", ".join(f"('{name}', {row}::{kind})" for name, row in reversed(cells))
    path = _parquet(tmp_path / "v.parquet", f"SELECT * FROM (VALUES {values}) t(id, vector)")
    assert (read_vectors(path, rows=4, key="id", ids=IDS) == VECTORS).all()


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_a_column_for_each_dimension_is_joined_by_id(frame):
    given = frame({"d1": VECTORS[:, 0], "key": IDS, "d2": VECTORS[:, 1], "d3": VECTORS[:, 2]})
    read = read_vectors(given, rows=2, key="key", ids=["d", "a"])
    assert (read == VECTORS[[3, 0]]).all()


def test_ids_that_are_numbers_are_those_of_a_text_table(tmp_path):
    path = _parquet(tmp_path / "v.parquet", "SELECT i AS id, [i, 2 * i] AS v FROM range(5) t(i)")
    assert read_vectors(path, rows=2, key="id", ids=["4", "0"]).tolist() == [[4, 8], [0, 0]]


def test_another_number_of_rows_is_refused(npy):
    with pytest.raises(DataError, match="has 4 rows and the table 5"):
        read_vectors(npy, rows=5)


def test_objects_are_never_loaded(tmp_path):
    np.save(tmp_path / "o.npy", np.array([{}, []], dtype=object), allow_pickle=True)
    with pytest.raises(DataError, match=r"not a readable .npy array of numbers"):
        read_vectors(tmp_path / "o.npy", rows=2)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "not a readable"),
        (b"id,v\n1,2\n", "not a readable"),
    ],
)
def test_what_is_no_array_is_refused(tmp_path, content, words):
    (tmp_path / "x.npy").write_bytes(content)
    with pytest.raises(DataError, match=words):
        read_vectors(tmp_path / "x.npy", rows=1)


@pytest.mark.parametrize(
    ("array", "words"),
    [
        (np.zeros(4), "responses x dimensions; it holds float64 of the shape 4"),
        (np.array([["a"]] * 4), "must hold numbers"),
        (np.zeros((4, 0)), "must hold numbers"),
        (np.where(VECTORS == 7, np.nan, VECTORS), "in 1 of 4 vectors, first in row 3"),
    ],
)
def test_arrays_of_another_kind_are_refused(array, words):
    with pytest.raises(DataError, match=words):
        read_vectors(array, rows=4)


def test_a_missing_or_repeated_id_is_named(tmp_path):
    frame = pd.DataFrame({"id": ["a", "b", "b"], "d": [1.0, 2, 3]})
    with pytest.raises(DataError, match="more than one vector for 'b'"):
        read_vectors(frame, rows=1, key="id", ids=["a"])
    with pytest.raises(DataError, match="no vector for 1 of 2 responses, such as 'z'"):
        read_vectors(frame[:2], rows=2, key="id", ids=["a", "z"])


def test_a_table_needs_an_id(tmp_path):
    path = _parquet(tmp_path / "v.parquet", "SELECT 1 AS id, [1.0] AS v")
    with pytest.raises(OptionError, match="joined by id"):
        read_vectors(path, rows=1)
    with pytest.raises(DataError, match=r"no column 'ID'.*Did you mean 'id'"):
        read_vectors(path, rows=1, key="ID", ids=["1"])


def test_lists_of_several_lengths_and_texts_are_refused(tmp_path):
    lists = _parquet(tmp_path / "l.parquet", "SELECT i AS id, range(i) AS v FROM range(3) t(i)")
    with pytest.raises(DataError, match="must be of one length"):
        read_vectors(lists, rows=1, key="id", ids=["1"])
    texts = _parquet(tmp_path / "t.parquet", "SELECT 1 AS id, 'x' AS word, 2.0 AS d")
    with pytest.raises(DataError, match="a column of numbers for each dimension; it has word"):
        read_vectors(texts, rows=1, key="id", ids=["1"])


def test_another_ending_is_refused(tmp_path):
    (tmp_path / "v.csv").write_text("1,2\n")
    with pytest.raises(DataError, match=r"must name a .npy or .parquet file"):
        read_vectors(tmp_path / "v.csv", rows=1)
