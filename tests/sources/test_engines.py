"""Other engines and frames: known by what they can do; a missing one is named, with the remedy."""

import shutil
import sys
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import dataset

import tallymark as tm
from tallymark.demo import SCORES
from tallymark.errors import OptionError
from tallymark.sources.tables import open_table

COLUMNS = {"h1": [1, 2, 3, 3, 2, 1] * 5, "engine": [1, 2, 3, 2, 2, 1] * 5}
ASKED: dict[str, Any] = {"humans": ["h1"], "systems": ["engine"], "statistics": ["qwk"]}


class Streamed:
    """What any library that speaks Arrow gives, here one that flows only once."""

    def __init__(self, table):
        self.reader = table.to_reader()

    def __arrow_c_stream__(self, requested_schema=None):
        return self.reader.__arrow_c_stream__(requested_schema)


def lazily(way):
    """A frame of a library that is not installed, with one way to a table."""

    class Lazy:
        def __init__(self, table):
            self.table = table

    setattr(Lazy, way, lambda self: self.table)
    return Lazy


@pytest.mark.parametrize(
    "frame",
    [Streamed, *map(lazily, ["to_native", "compute", "to_pyarrow", "to_arrow", "to_pandas"])],
)
def test_frames_of_any_library_are_read(frame):
    expected = tm.evaluate(COLUMNS, **ASKED).to_json()
    assert tm.evaluate(frame(pa.table(COLUMNS)), **ASKED).to_json() == expected


def test_a_dataset_of_pyarrow_is_read_in_pieces(tmp_path):
    for part in range(3):
        pq.write_table(pa.table(COLUMNS), tmp_path / f"{part}.parquet")
    found = tm.evaluate(dataset.dataset(tmp_path), **ASKED)
    assert found.to_json() == tm.evaluate(tmp_path, **ASKED).to_json()
    assert found.data.read == 90


def test_without_pyspark_the_message_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspark.sql", None)
    with pytest.raises(OptionError, match=r"pip install 'tallymark\[spark\]'"):
        tm.evaluate(SCORES, engine="spark")


def test_without_java_the_message_asks_for_it(monkeypatch):
    pytest.importorskip("pyspark.sql", reason="no Spark is installed")
    monkeypatch.setattr(shutil, "which", lambda _: None)
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with pytest.raises(OptionError, match="found no Java"):
        tm.evaluate(SCORES, engine="spark")


def test_options_of_spark_need_spark():
    with pytest.raises(OptionError, match="needs"):
        tm.evaluate(SCORES, master="local[2]")
    with (
        pytest.raises(OptionError, match="needs a table"),
        open_table(COLUMNS, engine="spark"),
    ):
        pass
