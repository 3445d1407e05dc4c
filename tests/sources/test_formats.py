"""The same scores give the same tally and hash, whatever they came in."""

import gzip
import json
import subprocess
import sys
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from tallymark.errors import DataError
from tallymark.sources import Roles, Scores, read_scores
from tests.sources.workbooks import write_workbook

COLUMNS = {
    "response": ["r1", "r2", "r3", "r4", "r5"],
    "prompt": ["7", "7", "8", "8", None],
    "gender": ["f", "m", None, "f", "m"],
    "h1": [1, 2, 3, 4, 4],
    "h2": [1.0, None, 3.0, 3.0, 2.0],
    "engine": [1.25, 2.5, None, 3.75, 4.5],
}
ROLES = Roles(humans=("h1", "h2"), systems=("engine",), prompt="prompt", groups=("gender",))


def csv_text(delimiter: str = ",") -> str:
    rows = [list(COLUMNS), *zip(*COLUMNS.values(), strict=True)]
    lines = [delimiter.join("" if cell is None else str(cell) for cell in row) for row in rows]
    return "\n".join(lines) + "\n"


def records() -> list[dict[str, object]]:
    return [dict(zip(COLUMNS, row, strict=True)) for row in zip(*COLUMNS.values(), strict=True)]


def as_file(folder: Path, kind: str) -> Path:
    path = folder / f"scores.{kind}"
    if kind == "csv":
        path.write_text(csv_text(), "utf-8")
    elif kind == "tsv":
        path.write_text(csv_text("\t"), "utf-8")
    elif kind == "csv.gz":
        path.write_bytes(gzip.compress(csv_text().encode()))
    elif kind == "jsonl":
        path.write_text("\n".join(json.dumps(record) for record in records()), "utf-8")
    elif kind == "parquet":
        pl.DataFrame(COLUMNS).write_parquet(path)
    else:
        rows = [list(COLUMNS), *zip(*COLUMNS.values(), strict=True)]
        write_workbook(path, {"scores": rows})
    return path


def as_frame(kind: str) -> object:
    return {
        "pandas": lambda: pd.DataFrame(COLUMNS),
        "polars": lambda: pl.DataFrame(COLUMNS),
        "polars lazy": lambda: pl.DataFrame(COLUMNS).lazy(),
        "arrow": lambda: pa.table(COLUMNS),
        "mapping": lambda: COLUMNS,
        "records": records,
    }[kind]()


@pytest.fixture(scope="module")
def expected() -> Scores:
    return read_scores(records(), roles=ROLES, scale="1:6")


def assert_same(scores: Scores, expected: Scores) -> None:
    assert scores.facts.hash == expected.facts.hash
    for name, values in expected.patterns.scores.items():
        np.testing.assert_array_equal(scores.patterns.scores[name], values)
    assert scores.patterns.labels == expected.patterns.labels
    assert scores.patterns.counts.dtype == np.int64


@pytest.mark.parametrize("kind", ["csv", "tsv", "csv.gz", "jsonl", "parquet", "xlsx"])
def test_every_file_format_gives_the_same_tally(tmp_path, kind, expected):
    scores = read_scores(as_file(tmp_path, kind), roles=ROLES, scale="1:6")
    assert scores.facts.name == f"scores.{kind}"
    assert_same(scores, expected)


@pytest.mark.parametrize("kind", ["pandas", "polars", "polars lazy", "arrow", "mapping", "records"])
def test_every_frame_gives_the_same_tally(kind, expected):
    scores = read_scores(as_frame(kind), roles=ROLES, scale="1:6")
    assert scores.facts.name == "data frame"
    assert_same(scores, expected)


def test_a_duckdb_relation_gives_the_same_tally_and_stays_open(expected):
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE data AS SELECT 1 AS other")
        relation = connection.from_arrow(pa.table(COLUMNS))
        assert_same(read_scores(relation, roles=ROLES, scale="1:6"), expected)
        assert len(relation.fetchall()) == 5
        assert connection.execute("SHOW TABLES").fetchall() == [("data",)]


@pytest.mark.parametrize("change", ["bom", "crlf", "cr", "no newline at end", "blank lines"])
def test_harmless_differences_between_editors_do_not_matter(write, change, expected):
    text = csv_text()
    changed = {
        "bom": "\ufeff" + text,
        "crlf": text.replace("\n", "\r\n"),
        "cr": text.replace("\n", "\r"),
        "no newline at end": text.rstrip(),
        "blank lines": text + "\n\n",
    }[change]
    assert_same(read_scores(write(changed), roles=ROLES, scale="1:6"), expected)


ODD = [
    '"; DROP TABLE x; --',
    "<script>alert(1)</script>",
    "où ça?",
    "a'b",
    "A'B",
    *("row", "data", "tallymark_data", "k0", "v0", "s1", "d2", "id", "problem", "n", "place"),
]


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet", "pandas"])
def test_odd_column_names_work(tmp_path, kind):
    names = ODD if kind == "csv" else [name for name in ODD if name != "A'B"]
    columns = {name: [1.0, 2.0, 3.0 + i] for i, name in enumerate(names)}
    frame = pd.DataFrame(columns)
    path = tmp_path / f"scores.{kind}"
    if kind == "csv":
        frame.to_csv(path, index=False)
    elif kind == "jsonl":
        frame.to_json(path, orient="records", lines=True)
    elif kind == "parquet":
        frame.to_parquet(path)
    roles = Roles(humans=tuple(names[:1]), systems=tuple(names[1:]))
    scores = read_scores(frame if kind == "pandas" else path, roles=roles, scale="1:20")
    for i, name in enumerate(names[1:], 1):
        assert scores.patterns.scores[f"system:{name}"].max() == 3.0 + i


@pytest.mark.parametrize(
    "name", ["scores (1).csv", "scores[1].csv", "a*b.csv", "it's.csv", "é.csv"]
)
def test_odd_file_names_work(write, name):
    write("h1,engine\n9,9\n", "axxb.csv")
    scores = read_scores(write("h1,engine\n1,2\n3,3\n", name), roles=Roles())
    assert (scores.facts.name, scores.facts.used) == (name, 2)


def test_text_far_down_a_column_of_objects_is_found():
    frame = pd.DataFrame({"h1": [1] * 3000, "engine": [1.0] * 2999 + ["n/a"]}, dtype=object)
    with pytest.raises(DataError, match="first 'n/a' in row 3000"):
        read_scores(frame, roles=Roles())


def test_a_single_pandas_column_is_no_table():
    with pytest.raises(DataError, match="cannot read scores from a Series"):
        read_scores(pd.Series([1, 2]), roles=Roles())


def test_columns_of_a_mapping_must_be_equally_long():
    with pytest.raises(DataError, match="differ in length"):
        read_scores({"h1": [1, 2], "engine": [1]}, roles=Roles())


def test_a_frame_with_two_columns_of_one_name_is_refused():
    frame = pd.DataFrame([[1, 2, 3]], columns=["h1", "h1", "engine"])
    with pytest.raises(DataError, match="more than one column 'h1'"):
        read_scores(frame, roles=Roles())


def test_an_empty_frame_is_refused():
    with pytest.raises(DataError, match="no rows"):
        read_scores(pd.DataFrame({"h1": [], "engine": []}), roles=Roles())
    with pytest.raises(DataError, match="no columns"):
        read_scores(pd.DataFrame(), roles=Roles())


def test_reading_leaves_no_file_behind(write, monkeypatch):
    path = write(csv_text())
    monkeypatch.chdir(path.parent)
    read_scores(path, roles=ROLES)
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]


def test_columns_in_memory_are_read_without_the_package_around_the_database():
    code = (
        "import sys, tallymark as tm\n"
        "tm.evaluate({'h1': [1, 2, 3, 1], 'engine': [1, 2, 2, 1]}, humans=['h1'], systems=['engine'])\n"
        "assert 'duckdb' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_long_read_draws_no_bar_on_the_screen_of_a_session():
    code = (
        "from tallymark.sources.tables import open_table\n"
        "with open_table({'a': [1]}) as table:\n"
        "    shown = table.rows(\"SELECT current_setting('enable_progress_bar')\")\n"
        "assert shown == [(False,)], shown"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_fields_between_semicolons_have_decimal_commas(tmp_path):
    """As spreadsheets save a table where the comma is the decimal sign."""
    rows = [("id", "h1", "engine"), ("a", 1, 1.5), ("b", 2, 2), ("c", 3, 2.5), ("d", 2, 1)]
    plain, saved = tmp_path / "plain.csv", tmp_path / "saved.csv"
    plain.write_text("".join(",".join(map(str, row)) + "\n" for row in rows), "utf-8")
    text = "".join(";".join(str(c).replace(".", ",") for c in row) + "\r\n" for row in rows)
    saved.write_bytes(b"\xef\xbb\xbf" + text.encode())
    asked = Roles(humans=("h1",), systems=("engine",), id="id")
    one, other = (read_scores(path, roles=asked) for path in (plain, saved))
    assert other.facts.hash == one.facts.hash
