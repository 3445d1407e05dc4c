"""``--where``: only rows that meet a condition are read, as if the others were not in the file."""

import csv
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tallymark as tm
from tallymark.demo import SCORES
from tallymark.errors import DataError, OptionError
from tallymark.sources.conditions import Compared, compared, parsed

ASKED: dict[str, Any] = {"humans": ["h1", "h2"], "systems": ["chatbot"], "statistics": ["qwk"]}
CONDITIONS = {
    "prompt = travel": lambda row: row["prompt"] == "travel",
    "prompt = 'school uniform' or h1 >= 4": lambda row: (
        row["prompt"] == "school uniform" or (row["h1"] != "" and float(row["h1"]) >= 4)
    ),
    "h1 <> 3 and h2 is not null": lambda row: row["h1"] not in ("", "3") and row["h2"] != "",
    "h2 is null": lambda row: row["h2"] == "",
    "chatbot in (2, 3.0) and (gender = female or gender = male)": lambda row: (
        row["chatbot"] in ("2", "3") and row["gender"] in ("female", "male")
    ),
    "engine not in (3.73, 3.67) and candidate < 'C100'": lambda row: (
        row["engine"] not in ("", "3.73", "3.67") and row["candidate"] < "C100"
    ),
}


def kept(tmp_path, holds, source=SCORES):
    """The rows that Python keeps, in a file of the same name."""
    with Path(source).open(encoding="utf-8", newline="") as stream:
        rows = csv.DictReader(stream)
        chosen = [row for row in rows if holds(row)]
    folder = tmp_path / "kept"
    folder.mkdir(exist_ok=True)
    with (folder / "scores.csv").open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, chosen[0].keys())
        writer.writeheader()
        writer.writerows(chosen)
    return folder / "scores.csv"


def numbers(evaluation):
    """The JSON without the record of the condition."""
    found = json.loads(evaluation.to_json())
    found["options"].pop("where", None)
    notes = found["data"]["notes"]
    found["data"]["notes"] = [note for note in notes if not note.startswith("only rows where")]
    return found


@pytest.mark.parametrize("where", CONDITIONS)
def test_the_answer_is_that_of_a_file_without_the_other_rows(tmp_path, where):
    expected = numbers(tm.evaluate(kept(tmp_path, CONDITIONS[where]), **ASKED))
    parquet = tmp_path / "scores.parquet"
    duckdb.sql(f"COPY (SELECT * FROM read_csv('{SCORES}')) TO '{parquet}'")
    relations = [duckdb.connect().read_csv(str(SCORES)) for _ in range(2)]
    for source in (SCORES, relations[0], relations[1].arrow()):
        found = numbers(tm.evaluate(source, where=where, **ASKED))
        assert found == expected
    assert numbers(tm.evaluate(parquet, where=where, **ASKED))["estimates"] == expected["estimates"]


def test_a_file_of_many_rows_is_read_in_the_same_way(tmp_path):
    many = tmp_path / "many.parquet"
    rows = f"SELECT s.*, i AS year FROM read_csv('{SCORES}') s, range(2000, 2030) t(i)"
    duckdb.sql(f"COPY ({rows}) TO '{many}'")
    found = tm.evaluate(many, where="year = 2004", **ASKED)
    assert found.estimates == tm.evaluate(SCORES, **ASKED).estimates
    assert found.data.read == tm.evaluate(SCORES, **ASKED).data.read


def test_it_is_recorded_and_asked_for_again():
    found = tm.evaluate(SCORES, where=" prompt = travel ", **ASKED)
    assert found.options["where"] == "prompt = travel"
    assert "only rows where prompt = travel were read; others are not counted" in found.data.notes
    assert found.data.read == found.data.used + sum(n for _, n in found.data.exclusions)


def test_rows_are_named_by_their_place_in_the_whole_file(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text(
        "id,h1,engine,year\n" + "a,2,2,1\nb,3,3,1\n" * 10 + "c,2,x,2\nd,1,1,2\n", "utf-8"
    )
    with pytest.raises(DataError, match="row 21"):
        tm.evaluate(path, humans=["h1"], systems=["engine"], where="year = 2")
    tm.evaluate(path, humans=["h1"], systems=["engine"], where="year = 1", statistics=["qwk"])


def test_peoples_scores_in_a_file_of_their_own(tmp_path):
    people = tmp_path / "people.csv"
    duckdb.sql(f"COPY (SELECT response, h1 FROM read_csv('{SCORES}')) TO '{people}'")
    machines = tmp_path / "scores.csv"
    duckdb.sql(f"COPY (SELECT * EXCLUDE (h1, h2) FROM read_csv('{SCORES}')) TO '{machines}'")
    asked: dict[str, Any] = {"systems": ["chatbot"], "id": "response", "statistics": ["qwk"]}
    found = tm.evaluate(machines, human_file=people, where="gender = female", **asked)
    fewer = kept(tmp_path, lambda row: row["gender"] == "female", machines)
    expected = tm.evaluate(fewer, human_file=people, **asked)
    assert found.estimates == expected.estimates


def test_predictions_in_files_of_their_own(tmp_path):
    other = tmp_path / "other.csv"
    duckdb.sql(f"COPY (SELECT response, engine AS s FROM read_csv('{SCORES}')) TO '{other}'")
    asked: dict[str, Any] = {"humans": ["h1"], "systems": ["chatbot"], "id": "response"}
    asked |= {"predictions": {"other": other}, "statistics": ["qwk"]}
    found = tm.compare(SCORES, where="gender = female", **asked)
    expected = tm.compare(kept(tmp_path, lambda row: row["gender"] == "female"), **asked)
    assert found.estimates == expected.estimates
    assert found.options["where"] == "gender = female"


@pytest.mark.parametrize("command", [tm.raters, tm.ceiling])
def test_people_alone(tmp_path, command):
    found = command(SCORES, humans=["h1", "h2"], where="gender = female")
    expected = command(kept(tmp_path, lambda row: row["gender"] == "female"), humans=["h1", "h2"])
    assert numbers(found) == numbers(expected)


def test_a_routing_and_its_watch(tmp_path):
    asked: dict[str, Any] = {
        "humans": ["h1"], "system": "engine", "confidence": "engine_confidence", "alpha": 0.3, "lambda_": 0.4,
        "one_per_cluster": True,
    }  # fmt: skip
    fewer = kept(tmp_path, lambda row: row["gender"] == "female")
    found = tm.route.certify(SCORES, where="gender = female", **asked)
    expected = tm.route.certify(fewer, **asked)
    assert found.routing.thresholds == expected.routing.thresholds
    assert numbers(found.evaluation)["estimates"] == numbers(expected.evaluation)["estimates"]
    watched = tm.route.monitor(found, SCORES, where="gender = male")
    males = kept(tmp_path, lambda row: row["gender"] == "male")
    assert watched.audited == tm.route.monitor(found, males).audited


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("h1 > 99", "has no row where h1 > 99"),
        ("nope = 1", "no column 'nope'"),
        ("promt = travel", "Did you mean 'prompt'"),
    ],
)
def test_what_the_table_lacks_is_said(where, said):
    with pytest.raises(DataError, match=said):
        tm.evaluate(SCORES, where=where, **ASKED)


@pytest.mark.parametrize(
    "where",
    ["h1", "h1 =", "h1 = 1 and", "(h1 = 1", "h1 = 1)", "h1 in ()", "h1 in 1", "1 =", "or = 1",
     "h1 = 1; DROP TABLE x", "h1 = (SELECT 1)", "read_csv('x') = 1", "h1 between 1 and 2",
     "h1 < 1e999", "h1 = 'open", "h1 is 1", "(" * 60 + "h1 = 1" + ")" * 60, "h1 = 1 -- x", "=", "''= ''"],
)  # fmt: skip
def test_what_is_no_condition_is_refused(where):
    with pytest.raises(OptionError, match="--where"):
        parsed(where)


@given(st.text(max_size=40))
def test_any_text_is_a_condition_or_refused(text):
    with suppress(OptionError):
        parsed(text)


def test_hostile_names_and_values_stay_what_they_are():
    odd = '"; DROP TABLE tallymark_data; --'
    columns = {
        "h1": [1, 2, 3] * 20,
        "engine": [1, 2, 2] * 20,
        odd: ["it's", "tallymark_data", '"'] * 20,
    }
    quoted = '"' + odd.replace('"', '""') + '"'
    found = tm.evaluate(
        columns, humans=["h1"], systems=["engine"], statistics=["qwk"],
        where=f"{quoted} in ('it''s', 'tallymark_data')",
    )  # fmt: skip
    assert found.data.read == 40


def test_missing_numbers_meet_no_condition():
    nan = float("nan")
    columns = {"h1": [1, 2, 3] * 20, "engine": [1, 2, 2] * 20, "x": [1.0, nan, 3.0] * 20}
    asked: dict[str, Any] = {"humans": ["h1"], "systems": ["engine"], "statistics": ["qwk"]}
    reads = {
        where: tm.evaluate(columns, where=where, **asked).data.read
        for where in ("x > 0", "x != 1", "x is null", "x not in (1)", "x <= 3")
    }
    assert [*reads.values()] == [40, 20, 20, 20, 40]


def test_great_whole_numbers_are_told_apart():
    whole = 2**53
    columns = {"h1": [1, 2, 3] * 20, "engine": [1, 2, 2] * 20, "x": [whole, whole + 1, 3] * 20}
    asked: dict[str, Any] = {"humans": ["h1"], "systems": ["engine"], "statistics": ["qwk"]}
    assert tm.evaluate(columns, where=f"x = {whole + 1}", **asked).data.read == 20
    assert tm.evaluate(columns, where=f"x < {10**45}", **asked).data.read == 60
    found = compared(Compared("x", "=", (whole + 1,)), "x")
    assert found == f"x = {whole + 1}"
