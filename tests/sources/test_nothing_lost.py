"""What stands in a file is what is read: nothing of the path, nothing renamed, nothing lost."""

import gzip
import json
import os

import polars as pl
import pytest

from tallymark.errors import DataError
from tallymark.sources import Roles, read_scores
from tallymark.sources import tables as tables_module

ROLES = Roles(humans=("h1",), systems=("engine",))
COLUMNS = {"h1": [1, 2, 3, 4], "engine": [1, 2, 3, 3]}


def error_of(path, roles: Roles = ROLES, **options) -> str:
    with pytest.raises(DataError) as caught:
        read_scores(path, roles=roles, **options)
    return str(caught.value)


def written(folder, kind: str):
    folder.mkdir(exist_ok=True)
    path, frame = folder / f"scores.{kind}", pl.DataFrame(COLUMNS)
    if kind == "csv":
        frame.write_csv(path)
    elif kind == "jsonl":
        frame.write_ndjson(path)
    else:
        frame.write_parquet(path)
    return path


@pytest.mark.parametrize("kind", ["csv", "parquet", "jsonl"])
@pytest.mark.parametrize("folder", ["engine=3", "run=2", "h1=x"])
def test_a_folder_is_no_column(tmp_path, kind, folder):
    plain = read_scores(written(tmp_path, kind), roles=ROLES)
    inside = read_scores(written(tmp_path / folder, kind), roles=ROLES)
    assert inside.facts.hash == plain.facts.hash


def test_keys_that_differ_only_in_capitals_are_refused(write):
    path = write('{"h1": 1, "engine": 2, "H1": 3}\n{"h1": 1, "engine": 2}\n', "s.jsonl")
    assert error_of(path) == (
        "s.jsonl has keys that differ only in capitals: h1, H1; rename all but one"
    )


def test_columns_that_differ_only_in_capitals_are_two_in_a_csv(write):
    path = write("h1,H1,engine\n1,4,1\n2,4,2\n")
    assert read_scores(path, roles=ROLES).patterns.scores["human:h1"].tolist() == [1, 2]


def test_a_key_that_stands_twice_is_refused(write):
    path = write('{"h1": 1, "engine": 2}\n{"h1": 1, "h1": 2, "engine": 2}\n', "s.jsonl")
    assert "more than one column 'h1'" in error_of(path)


def test_a_byte_order_mark_before_json_is_named(write):
    assert "byte order mark" in error_of(write(b'\xef\xbb\xbf{"h1": 1, "engine": 2}\n', "s.jsonl"))


def test_json_lines_may_lack_keys_and_have_deep_ones(write):
    deep = "[" * 3000 + "]" * 3000
    lines = [f'{{"h1": 1, "engine": 1, "x": {deep}}}', '{"engine": 2, "h1": 2}', '{"h1": 3}']
    facts = read_scores(write("\n".join(lines), "s.jsonl"), roles=ROLES).facts
    assert (facts.read, facts.used) == (3, 2)


@pytest.mark.parametrize("end", ["\n", ""])
def test_a_last_row_longer_than_the_memory_of_the_reader_is_refused(write, end):
    path = write(f"h1,engine,text\n1,1,a\n2,2,{'x' * 33_000_000}{end}")
    assert "line 3 is longer than 2 MB" in error_of(path)


def test_the_checksum_of_a_packed_file_is_read_to_its_end(write):
    rows = "".join(f"{i % 4},{i % 3}\n" for i in range(60_000))
    packed = bytearray(gzip.compress(f"h1,engine\n{rows}".encode()))
    assert read_scores(write(bytes(packed), "s.csv.gz"), roles=ROLES).facts.read == 60_000
    packed[-6] ^= 255
    assert "damaged or cut off" in error_of(write(bytes(packed), "s.csv.gz"))
    assert "damaged or cut off" in error_of(write(bytes(packed[: len(packed) // 2]), "s.csv.gz"))


def test_an_endless_line_in_a_packed_file_is_refused_before_it_is_unpacked(write):
    path = write(gzip.compress(b"h1,engine\n1,1\n" + b"1" * 30_000_000), "s.csv.gz")
    assert "line 3 is longer than 2 MB" in error_of(path)


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_a_file_that_changes_while_it_is_read_is_refused(tmp_path, kind, monkeypatch):
    path = written(tmp_path, kind)
    seen = tables_module.SqlTable.rows

    def swapped(self, query):
        found = seen(self, query)
        written(tmp_path / "other", kind).replace(path)
        return found

    monkeypatch.setattr(tables_module.SqlTable, "rows", swapped)
    assert error_of(path) == f"scores.{kind} changed while it was read; run the command again"


@pytest.mark.parametrize("text", ["1_0", "1_000.5", "1e1_0"])
def test_an_underscore_makes_no_number(write, text):
    assert f"first {text!r} in row 2" in error_of(write(f"h1,engine\n1,1\n2,{text}\n3,3\n"))
    frame = {"h1": [1, 2, 3], "engine": ["1", text, "3"]}
    assert f"first {text!r} in row 2" in error_of(frame)


def test_advice_about_commas_fits_the_number(write):
    decimals, thousands = (
        error_of(write(f'h1,engine\n1,1\n2,"{text}"\n3,3\n')) for text in ("3,5", "1,000")
    )
    assert decimals.endswith("Write decimals with a point, not a comma.")
    assert thousands.endswith("Write thousands without a comma.")


@pytest.mark.parametrize("inside", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_a_line_break_inside_a_header_cell_is_part_of_the_name(write, inside, newline):
    text = newline.join(['h1,engine,"first', "1,1,a", "2,2,b", ""]).replace(
        "first", f'first{inside}line"'
    )
    assert read_scores(write(text), roles=ROLES).facts.read == 2


def test_a_named_pipe_is_refused_rather_than_waited_for(tmp_path):
    path = tmp_path / "scores.csv"
    os.mkfifo(path)
    assert "is a pipe or a device" in error_of(path)


def test_a_name_that_is_not_utf8_is_refused(tmp_path):
    path = tmp_path / os.fsdecode(b"sc\xf6res.csv")
    try:
        path.write_text("h1,engine\n1,1\n", "utf-8")
    except OSError:
        pytest.skip("the file system takes UTF-8 names only")
    assert "is not UTF-8; rename the file" in error_of(path)


def test_a_name_beyond_all_measure_is_shortened(write):
    text = error_of(write(f"h1,engine,{'x' * 70_000}\n1,1,1\n"))
    assert "the name of column 3 of scores.csv has 70000 characters" in text
    assert len(text) < 200


def test_a_cell_beyond_all_measure_is_shortened(write):
    assert len(error_of(write(f"h1,engine\n1,1\n2,{'x' * 70_000}\n3,3\n"))) < 400


def test_an_open_quotation_mark_is_reported_where_it_opens(write):
    rows = "1,1\n" * 5 + '2,"2\n' + "3,3\n" * 50
    assert "begins in line 7" in error_of(write(f"h1,engine\n{rows}"))


def test_unused_columns_are_not_looked_at(write, monkeypatch):
    asked = []
    seen = tables_module.SqlTable.rows

    def noted(self, query):
        asked.append(query)
        return seen(self, query)

    monkeypatch.setattr(tables_module.SqlTable, "rows", noted)
    names = [f"feature{i}" for i in range(300)]
    row = ",".join("7" for _ in names)
    path = write(f"h1,engine,{','.join(names)}\n1,1,{row}\n2,2,{row}\n")
    read_scores(path, roles=Roles())
    assert not any('"c5"' in query for query in asked)


def test_a_json_number_of_any_length_is_read(write):
    line = json.dumps({"h1": 1, "engine": 2, "account": int("9" * 50)})
    assert read_scores(write(f"{line}\n{line}\n", "s.jsonl"), roles=ROLES).facts.read == 2
