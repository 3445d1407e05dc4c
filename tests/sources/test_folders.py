"""A table in several Parquet files is one table, and its faults are named by file."""

from pathlib import Path
from typing import Any

import duckdb
import pytest

import tallymark as tm
from tallymark.demo import SCORES
from tallymark.errors import DataError, OptionError, TallymarkError
from tallymark.sources import network

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


@pytest.mark.parametrize("kind", ["parquet", "csv"])
@pytest.mark.parametrize("named", ["{0}", "{0}/chatbot=3", "{0}/*/*", "{0}/chatbot=3/prompt=*"])
def test_a_folder_never_takes_the_place_of_a_column(tmp_path, kind, named):
    """DuckDB would read 3 in every row of the column."""
    place = tmp_path / "scores" / "chatbot=3" / "prompt=travel"
    place.mkdir(parents=True)
    rows = f"SELECT * EXCLUDE prompt FROM read_csv('{SCORES}') WHERE prompt = 'travel'"
    duckdb.sql(f"COPY ({rows}) TO '{place}/part.{kind}'")
    with pytest.raises(
        DataError, match="has a column 'chatbot' and stands in a folder 'chatbot=3'"
    ):
        tm.evaluate(named.format(tmp_path / "scores"), **ASKED)


def test_an_unreadable_part_is_named(folder):
    part = folder / "part 1.parquet"
    part.write_bytes(part.read_bytes()[:-9])
    with pytest.raises(
        DataError, match=r"part 1.parquet of scores \[1\] is not a Parquet file, or"
    ):
        tm.evaluate(folder, **ASKED)


def test_parts_with_other_columns_are_no_table(folder):
    duckdb.sql(f"COPY (SELECT 1 AS other) TO '{folder}/part 1.parquet'")
    with pytest.raises(DataError, match=r"part 1.parquet of .* lacks 'response', unlike part 0"):
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


def test_a_part_with_texts_where_others_have_numbers_is_named(folder):
    rows = f"SELECT * REPLACE (CASE WHEN h1 = 1 THEN 'n/a' ELSE h1::VARCHAR END AS h1) FROM read_csv('{SCORES}')"
    duckdb.sql(f"COPY ({rows}) TO '{folder}/part 2.parquet'")
    with pytest.raises(DataError, match=r"part 2.parquet of .* has 'h1' as VARCHAR, unlike part 0"):
        tm.evaluate(folder, **ASKED)


def test_a_link_to_nothing_is_a_part_that_is_missing(folder):
    (folder / "part 9.parquet").symlink_to(folder / "gone.parquet")
    with pytest.raises(DataError, match=r"part 9.parquet of .* is gone, or a link to nothing"):
        tm.evaluate(folder, **ASKED)


@pytest.fixture
def hive(tmp_path):
    """The demo by prompt and gender: every file of it has the same name."""
    place, rows = tmp_path / "hive", f"SELECT * FROM read_csv('{SCORES}')"
    duckdb.sql(f"COPY ({rows}) TO '{place}' (FORMAT parquet, PARTITION_BY (gender, prompt))")
    return place


def test_parts_of_one_name_are_told_apart_by_their_folders(hive):
    part = next(hive.glob("gender=female/prompt=travel/*.parquet"))
    part.write_bytes(part.read_bytes()[:-9])
    with pytest.raises(DataError, match=rf"gender=female/prompt=travel/{part.name} of hive is not"):
        tm.evaluate(hive, **ASKED)


def test_a_pattern_of_folders_is_the_files_in_them(hive):
    expected = tm.evaluate(hive, **ASKED).to_json()
    assert tm.evaluate(f"{hive}/gender=*", **ASKED).to_json() == expected
    assert tm.evaluate(f"{hive}/**/*.parquet", **ASKED).to_json() == expected


def test_parts_that_do_not_share_their_partitions_are_no_table(hive):
    part = next(hive.glob("gender=female/prompt=travel/*.parquet"))
    (hive / "other").mkdir()
    part.rename(hive / "other" / part.name)
    with pytest.raises(DataError, match=r"gender=.* is not in folders such as those of|other/"):
        tm.evaluate(hive, **ASKED)


def test_a_condition_on_a_partition_leaves_the_other_folders_unread(hive):
    for part in hive.glob("gender=male/*/*.parquet"):
        whole = part.read_bytes()
        part.write_bytes(whole[:4] + bytes(len(whole) // 2) + whole[4 + len(whole) // 2 :])
    found = tm.evaluate(hive, where="gender = female", **ASKED)
    assert found.estimates == tm.evaluate(SCORES, where="gender = female", **ASKED).estimates
    with pytest.raises(DataError, match="gender=male"):
        tm.evaluate(hive, **ASKED)


def test_only_columns_that_are_needed_are_read(tmp_path):
    path, here = tmp_path / "scores.parquet", duckdb.connect()
    rows = f"SELECT *, repeat(md5(response), 20) AS body FROM read_csv('{SCORES}')"
    here.execute(f"COPY ({rows}) TO '{path}' (COMPRESSION uncompressed)")
    starts = "least(coalesce(dictionary_page_offset, data_page_offset), data_page_offset)"
    chunks = f"SELECT {starts}, total_compressed_size FROM parquet_metadata('{path}')"
    [(at, size)] = here.execute(f"{chunks} WHERE path_in_schema = 'body'").fetchall()
    whole = path.read_bytes()
    path.write_bytes(whole[:at] + bytes(size) + whole[at + size :])
    assert tm.evaluate(path, **ASKED).to_json() == tm.evaluate(SCORES, **ASKED).to_json()
    with pytest.raises(DataError, match="damaged"):
        tm.evaluate(path, **ASKED, groups=["body"])


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("empty", "is a folder without Parquet or CSV files"),
        ("none*.parquet", r"no Parquet or CSV file matches .*none\*.parquet"),
    ],
)
def test_where_there_is_no_part_that_is_said(tmp_path, place, said):
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataError, match=said):
        tm.evaluate(tmp_path / place, **ASKED)


ADDRESSES = [
    "s3://b/x.parquet",
    "https://host/x.csv",
    "hf://d/x.csv",
    "az://c/x.parquet",
    "GS://b/x.pq",
]


@pytest.mark.parametrize("address", ADDRESSES)
def test_nothing_is_read_from_the_network(address):
    with pytest.raises(DataError, match="is on the network"):
        tm.evaluate(address, **ASKED)
    with pytest.raises(DataError, match="is on the network"):
        tm.evaluate(Path(address), **ASKED)


@pytest.mark.parametrize("option", ["human_file", "predictions"])
def test_no_second_file_is_read_from_the_network(option):
    place = "https://host/x.csv"
    asked: dict[str, Any] = {option: {"x": place} if option == "predictions" else place}
    call = tm.compare if option == "predictions" else tm.evaluate
    with pytest.raises(DataError, match="is on the network"):
        call(SCORES, **ASKED, **asked, id="response")


@pytest.mark.parametrize("address", ADDRESSES)
def test_an_address_that_is_allowed_needs_an_extension_that_nobody_fetches(address, monkeypatch):
    monkeypatch.setattr(network, "_INSTALLED", "SELECT FALSE WHERE {} IS NOT NULL")
    with pytest.raises(OptionError, match=r"extension (httpfs|azure), which is not installed"):
        tm.evaluate(address, **ASKED, allow_network=True)


@pytest.mark.parametrize("address", ["hdfs://host/x.parquet", "ftp://host/x.csv", "s3://b/x.docx"])
def test_an_address_that_cannot_be_read_is_refused(address):
    with pytest.raises(TallymarkError, match="cannot"):
        tm.evaluate(address, **ASKED, allow_network=True)


def parts_as(folder, tmp_path, ending):
    """The same parts as texts."""
    place = tmp_path / "texts"
    place.mkdir()
    for i, part in enumerate(sorted(folder.glob("*.parquet"))):
        packed = "" if not ending.endswith(".gz") else ", COMPRESSION gzip"
        mark = "\t" if "tsv" in ending else ","
        duckdb.sql(f"COPY (SELECT * FROM read_parquet('{part}')) TO '{place}/{i}{ending}' (FORMAT csv, HEADER, DELIMITER '{mark}'{packed})".replace("[1]", "[[]1]", 1))  # fmt: skip
    return place


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".csv.gz"])
def test_folders_and_patterns_of_texts_are_one_table(folder, tmp_path, ending):
    place = parts_as(folder, tmp_path, ending)
    expected = tm.evaluate(SCORES, **ASKED).to_json()
    assert tm.evaluate(place, **ASKED).to_json() == expected
    assert tm.evaluate(f"{place}/*{ending}", **ASKED).to_json() == expected


def test_partitions_of_hive_are_columns_of_texts_too(tmp_path):
    rows = f"SELECT * FROM read_csv('{SCORES}')"
    duckdb.sql(f"COPY ({rows}) TO '{tmp_path}/scores' (FORMAT csv, HEADER, PARTITION_BY (prompt))")
    found, expected = tm.evaluate(tmp_path / "scores", **ASKED), tm.evaluate(SCORES, **ASKED)
    assert found.to_json() == expected.to_json()
    some = tm.evaluate(tmp_path / "scores", where="prompt = travel", **ASKED)
    assert some.estimates == tm.evaluate(SCORES, where="prompt = travel", **ASKED).estimates


def test_a_bad_row_of_a_part_is_named_with_the_part(folder, tmp_path):
    place = parts_as(folder, tmp_path, ".csv")
    with (place / "1.csv").open("a") as stream:
        stream.write("a,b\n")
    with pytest.raises(
        DataError, match=r"1\.csv cannot be read: row 401 .* has 2 fields.*of texts"
    ):
        tm.evaluate(place, **ASKED)


def test_parts_of_texts_with_other_headers_are_named(folder, tmp_path):
    place = parts_as(folder, tmp_path, ".csv")
    text = (place / "1.csv").read_text("utf-8")
    (place / "1.csv").write_text(text.replace("chatbot,", "bot,", 1), "utf-8")
    with pytest.raises(DataError, match=r"1.csv of texts lacks 'chatbot', unlike 0.csv"):
        tm.evaluate(place, **ASKED)
    (place / "1.csv").write_bytes(text.replace("\n", "\r\n").encode())
    with pytest.raises(
        DataError, match=r"the lines of 1.csv of texts end, or are divided, otherwise"
    ):
        tm.evaluate(place, **ASKED)
    (place / "1.parquet").touch()
    with pytest.raises(DataError, match="files of several kinds, csv and parquet"):
        tm.evaluate(place, **ASKED)


def test_a_part_that_is_damaged_inside_is_named(folder):
    part = folder / "part 2.parquet"
    content = bytearray(part.read_bytes())
    content[200:4000] = bytes(3800)
    part.write_bytes(content)
    with pytest.raises(
        DataError, match=r"part 2.parquet of scores \[1\] is not a Parquet file, or"
    ):
        tm.evaluate(folder, **ASKED)
