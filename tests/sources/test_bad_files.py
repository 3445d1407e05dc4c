"""A file that cannot be used says which one, where and what to do, in our words."""

import gzip
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tallymark.errors import DataError
from tallymark.sources import Roles, read_scores

ROLES = Roles(humans=("h1",), systems=("engine",))


def error_of(path: Any, roles: Roles = ROLES) -> str:
    with pytest.raises(DataError) as caught:
        read_scores(path, roles=roles)
    text = str(caught.value)
    assert "duckdb" not in text.lower()
    assert "Error:" not in text
    return text


def test_a_missing_file_suggests_the_nearest_name(write):
    path = write("h1,engine\n1,1\n", "essays.csv")
    assert error_of(path.with_name("esays.csv")).endswith("Did you mean 'essays.csv'?")


def test_a_missing_folder_is_said(tmp_path):
    assert "no readable folder" in error_of(tmp_path / "nowhere" / "scores.csv")


def test_a_folder_is_not_a_file(tmp_path):
    assert "is a folder" in error_of(tmp_path)


def test_no_permission_is_named(write, monkeypatch):
    path = write("h1,engine\n1,1\n")

    def refuse(*args: object, **kwargs: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    assert "no permission" in error_of(path)


@pytest.mark.parametrize("content", ["", "\n\n", "\ufeff", "  \n"])
def test_an_empty_file_is_said_to_be_empty(write, content):
    assert "scores.csv is empty" in error_of(write(content))


@pytest.mark.parametrize("content", ["h1,engine\n", "h1,engine", "h1,engine\n\n\n"])
def test_a_header_alone_is_not_enough(write, content):
    assert "no rows" in error_of(write(content))


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("scores.tsv", "h1;engine\n1;2\n", "semicolons"),
        ("scores.csv", "h1\tengine\n1\t2\n", "name it .tsv"),
        ("scores.csv", "h1|engine\n1|2\n", "bars"),
        ("scores.tsv", "h1,engine\n1,2\n", "name it .csv"),
    ],
)
def test_a_wrong_delimiter_is_recognised(write, name, content, said):
    assert said in error_of(write(content, name))


def test_a_wrong_encoding_names_the_line_and_utf8(write):
    text = error_of(write("h1,engine,name\n1,2,a\n1,2,Zoë\n".encode("latin-1")))
    assert "line 3 is not UTF-8" in text
    assert "Save it as UTF-8" in text


def test_a_header_in_a_wrong_encoding_is_caught_too(write):
    assert "line 1 is not UTF-8" in error_of(write("h1,engine,prénom\n1,2,a\n".encode("latin-1")))


def test_utf16_is_recognised(write):
    assert "UTF-16" in error_of(write("h1,engine\n1,2\n".encode("utf-16")))


def test_binary_content_is_not_text(write):
    assert "not a text file" in error_of(write(bytes(range(256)) * 4))


@pytest.mark.parametrize(("row", "fields"), [("3", 1), ("3,4,5", 3)], ids=["too short", "too long"])
def test_a_ragged_row_is_named_with_its_line(write, row, fields):
    text = error_of(write(f"h1,engine\n1,2\n{row}\n"))
    assert f"row 2 (line 3) has {fields} field" in text


def test_an_open_quotation_mark_is_named(write):
    assert "quotation mark" in error_of(write('h1,engine\n"1,2\n3,4\n'))


def test_mixed_line_endings_are_named(write):
    assert "line endings differ" in error_of(write("h1,engine\n1,2\r\n3,4\n"))


def test_a_line_beyond_all_measure_is_named(write):
    text = error_of(write(f"h1,engine,text\n1,2,a\n1,2,{'x' * 2_100_000}\n"))
    assert "line 3 is longer than 2 MB" in text


def test_long_texts_beside_the_scores_do_not_matter(write):
    path = write(f'h1,engine,text\n1,2,"{"long, " * 200_000}"\n')
    assert read_scores(path, roles=ROLES).facts.used == 1


def test_a_blank_first_line_is_named(write):
    assert "must name the columns" in error_of(write("\nh1,engine\n1,2\n"))


def test_numbers_in_the_first_line_are_not_names(write):
    assert "holds only numbers" in error_of(write("1,2\n3,4\n"))


def test_two_columns_of_one_name_are_refused(write):
    assert "more than one column 'h1'" in error_of(write("h1,h1,engine\n1,2,3\n"))


@pytest.mark.parametrize("name", ["scores", "scores.docx", "scores.parquet.gz"])
def test_an_unknown_ending_lists_the_known_ones(write, name):
    assert ".csv, .tsv, .parquet, .jsonl or .xlsx" in error_of(write("h1,engine\n1,2\n", name))


def test_json_without_scores_says_what_it_holds(write):
    text = error_of(write('{"run": {"rows": [{"a": 1}, {"a": "x"}]}}', "scores.json"))
    assert "2 records at run.rows with a (text)" in text
    assert "--records run.rows" in text


@pytest.mark.parametrize("ending", ["csv", "jsonl", "frame"])
def test_columns_beyond_all_measure_are_refused_before_they_are_read(write, ending):
    names = ["h1", "engine", *(f"k{i}" for i in range(30_000))]
    if ending == "jsonl":  # two rows that share no key have all keys together
        rows = [dict.fromkeys(names[:16_000], 1), dict.fromkeys(names[16_000:], 1)]
        source = write("".join(f"{json.dumps(row)}\n" for row in rows), "wide.jsonl")
    elif ending == "csv":
        source = write(f"{','.join(names)}\n{','.join('1' for _ in names)}\n", "wide.csv")
    else:
        source = {key: [1] for key in names}
    assert "has 30,002 columns, and at most 20,000 are read" in error_of(source)


@pytest.mark.parametrize("ending", ["parquet", "xlsx"])
def test_a_damaged_binary_file_is_said_to_be_damaged(write, ending):
    assert "damaged" in error_of(write("this is no such file", f"scores.{ending}"))


def test_a_damaged_gzip_is_said_to_be_damaged(write):
    packed = gzip.compress(b"h1,engine\n1,2\n" * 50)
    assert "cannot be opened" in error_of(write(packed[:20], "scores.csv.gz"))


@pytest.mark.parametrize("line", ['{"h1": 1, "engine"', "[1, 2]", "7"])
def test_a_bad_json_line_is_named(write, line):
    text = error_of(write(f'{{"h1": 1, "engine": 2}}\n{line}\n', "scores.jsonl"))
    assert "line 2" in text


def test_something_else_than_a_table_is_refused():
    with pytest.raises(DataError, match="cannot read scores from an int"):
        read_scores(7, roles=Roles())


def test_importing_sources_does_not_import_duckdb():
    code = "import sys, tallymark.sources; sys.exit('_duckdb' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
