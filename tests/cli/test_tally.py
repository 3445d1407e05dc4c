"""A tally made here or in a warehouse gives what its rows give; no response is in it."""

import json
import re
import shlex
from pathlib import Path

import duckdb
import pytest
import sqlglot

import tallymark as tm
from tallymark.demo import SCORES
from tallymark.errors import OptionError
from tallymark.sources.handoff import DIALECTS, Wanted, statement, wanted_columns
from tallymark.sources.roles import Roles

ROLES = [
    "--human",
    "h1",
    "--human",
    "h2",
    "--system",
    "chatbot",
    "--prompt",
    "prompt",
    "--group",
    "gender",
]
COLUMNS = (
    *("h1", "h2", "engine", "chatbot", "prompt", "gender", "candidate"),
    *("gaps", "again", "r1", "r2", "s", "w", "f", "c"),
)
ODD = ('a "b" c', "it's", "back`tick", "größe", "select", "x.y", "semi;colon", "h1")


@pytest.fixture(scope="module")
def scores(tmp_path_factory) -> Path:
    """The demo without its ids and candidates, which no tally has."""
    path = tmp_path_factory.mktemp("scores") / "scores.csv"
    chosen = "h1, h2, chatbot, prompt, gender"
    duckdb.sql(f"COPY (SELECT {chosen} FROM read_csv('{SCORES}')) TO '{path}'")
    return path


def without_count(text: str) -> str:
    made = json.loads(text)
    assert made["options"].pop("count") == "n"
    return json.dumps(made)


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_a_tally_evaluates_to_the_json_of_its_rows(run, scores, tmp_path, ending):
    tally = tmp_path / f"tally.{ending}"
    made = run("tally", str(scores), *ROLES, "--out", str(tally))
    assert (made.code, made.err) == (0, "")
    rows = run("evaluate", str(scores), *ROLES, "--json")
    cells = run("evaluate", str(tally), *ROLES, "--count-column", "n", "--json")
    assert without_count(cells.out) == json.dumps(json.loads(rows.out))


COMMANDS = {
    "compare": "compare --human h1 --system chatbot --system second --json",
    "raters": "raters --human h1 --human h2 --json",
    "ceiling": "ceiling --human h1 --human h2 --json",
    "whatif": "whatif --human h1 --system chatbot --json",
    "plan width": "plan width --human h1 --system chatbot --half-width .03 --json",
    "plan raters": "plan raters --human h1 --human h2 --reliability .9 --json",
    "confidence": "evaluate --human h1 --system chatbot --confidence chatbot=c --json",
}


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_every_command_gives_the_same_from_a_tally(run, tmp_path, command):
    chosen = "h1, h2, chatbot, least(chatbot + 1, 6) AS second, round(chatbot_confidence, 1) AS c"
    rows = f"SELECT {chosen} FROM read_csv('{SCORES}')"
    duckdb.sql(f"COPY ({rows}) TO '{tmp_path}/rows.csv'")
    cells = f"SELECT *, count(*) AS n FROM ({rows}) GROUP BY ALL ORDER BY ALL"
    duckdb.sql(f"COPY ({cells}) TO '{tmp_path}/tally.csv'")
    words = command.split()
    at = 2 if words[0] in ("plan", "route") else 1
    ends = []
    for name, more in (("rows", []), ("tally", ["--count-column", "n"])):
        ended = run(*words[:at], str(tmp_path / f"{name}.csv"), *words[at:], *more)
        assert ended.code in (0, 3), ended.err
        made = json.loads(ended.out)
        made.get("options", {}).pop("count", None)
        ends.append(made)
    assert ends[1] == ends[0]


@pytest.mark.parametrize("command", ["apply r.json {} --out x.csv", "monitor r.json {}"])
def test_what_needs_single_responses_says_so(run, scores, command):
    ended = run("route", *command.format(scores).split(), "--count-column", "n")
    assert ended.code == 2
    assert "a tally has none" in ended.err


def test_small_cells_are_counted_and_not_given(run, scores, tmp_path):
    tally = tmp_path / "tally.csv"
    said = run("tally", str(scores), *ROLES, "--suppress", "10", "--out", str(tally))
    rows = duckdb.read_csv(str(tally))
    assert rows.filter("n < 10").fetchall() == []
    [(hidden,)] = rows.filter("tallymark_suppressed = 1").project("n").fetchall()
    assert f"{hidden:,} responses are in cells below 10" in said.out
    made = tm.evaluate(
        str(tally), humans=["h1", "h2"], systems=["chatbot"], prompt="prompt", count="n"
    )
    assert made.data.read == 1200
    assert ("in a cell below the least count of the tally", hidden) in made.data.exclusions


def test_without_small_cells_nothing_is_hidden(run, scores, tmp_path):
    tally = tmp_path / "tally.csv"
    run("tally", str(scores), "--human", "h1", "--suppress", "2", "--out", str(tally))
    assert duckdb.read_csv(str(tally)).filter("tallymark_suppressed = 1").fetchall() == []


def test_where_nothing_is_named_roles_are_guessed_and_no_id_is_kept(run, tmp_path):
    said = run("tally", str(SCORES), "--out", str(tmp_path / "t.csv"))
    kept = duckdb.read_csv(str(tmp_path / "t.csv")).columns
    assert {*kept} == {"prompt", "gender", "first_language", "h1", "h2", "engine", "chatbot", "n"}
    assert "engine has the most values" in said.out


def test_a_cluster_that_is_not_kept_is_said(run, tmp_path):
    said = run("tally", str(SCORES), "--out", str(tmp_path / "t.csv"))
    assert "--cluster candidate keeps it" in said.out


def test_a_statement_names_each_column_of_a_list(run):
    lists = ["--human", "h1,h2", "--repeat", "s=s,again", "--probabilities", "s=p1,p2"]
    said = run("tally", "t", "--sql", "postgres", *lists, "--system", "s", "--group", "g1,g2")
    (parsed,) = sqlglot.parse(said.out, read="postgres")
    assert parsed is not None
    grouped = next(parsed.find_all(sqlglot.exp.Group))
    names = {by.name for by in grouped.expressions}
    assert names == {"h1", "h2", "s", "again", "p1", "p2", "g1", "g2"}


def test_tallies_are_tallied_again(run, scores, tmp_path):
    first, second = tmp_path / "first.csv", tmp_path / "second.csv"
    run("tally", str(scores), *ROLES, "--out", str(first))
    run("tally", str(first), "--human", "h1", "--count", "n", "--as", "m", "--out", str(second))
    connection = duckdb.connect()
    connection.execute(f"SELECT sum(m) FROM read_csv('{second}')")
    assert connection.fetchone() == (1200,)


@pytest.mark.parametrize("suppress", [0, 10])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_statements_parse_in_their_dialect_and_mean_the_columns_asked_for(dialect, suppress):
    names = ODD if dialect != "bigquery" else tuple(n for n in ODD if not {*n} & {*".`"})
    text = statement(Wanted(names, "times", "n", suppress), "exam.scores", dialect)
    (parsed,) = sqlglot.parse(text, read=dialect)
    assert parsed is not None
    assert {*names, "times"} <= {column.name for column in parsed.find_all(sqlglot.exp.Column)}
    grouped = next(parsed.find_all(sqlglot.exp.Group))
    assert [by.name for by in grouped.expressions] == [*names]  # names, never ordinals
    assert all(isinstance(by, sqlglot.exp.Column) for by in grouped.expressions)
    tables = {".".join(part.name for part in t.parts) for t in parsed.find_all(sqlglot.exp.Table)}
    assert "exam.scores" in tables


@pytest.mark.parametrize("suppress", [0, 3])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_statements_of_every_dialect_return_the_same_cells(dialect, suppress):
    rows = "SELECT * FROM (VALUES (1, 2), (1, 2), (1, 2), (2, NULL), (3, 3)) AS t(h, s)"
    connection = duckdb.connect()
    connection.execute(f"CREATE SCHEMA exam; CREATE TABLE exam.scores AS {rows}")
    text = statement(Wanted(("h", "s"), None, "n", suppress), "exam.scores", dialect)
    (here,) = sqlglot.transpile(text, read=dialect, write="duckdb")
    found = {row[:3] for row in connection.execute(here).fetchall()}
    whole, small = {(1, 2, 3)}, {(2, None, 1), (3, 3, 1)}
    assert found == whole | ({(None, None, 2)} if suppress else small)


@pytest.mark.parametrize("count", ["", "x", "1.5", "-2", "NaN", "inf"])
@pytest.mark.parametrize("suppress", ["0", "4"])
def test_a_count_that_is_none_is_refused(run, tmp_path, count, suppress):
    (tmp_path / "t.csv").write_text(f"h1,engine,k\n1,1,3\n2,2,{count}\n3,3,4\n", "utf-8")
    words = ["--human", "h1", "--system", "engine", "--count", "k", "--suppress", suppress]
    ended = run("tally", str(tmp_path / "t.csv"), *words, "--out", str(tmp_path / "out.csv"))
    assert ended.code == 2
    found = repr(count) if count else "nothing"
    assert f"missing, negative or not whole: {found} in row 2" in ended.err
    assert not (tmp_path / "out.csv").exists()


KINDS = {
    "raters and groups": "--human h1 --human h2 --system chatbot --prompt prompt --group gender",
    "gaps": "--human gaps --human h2 --system chatbot",
    "raters by column": "--human h1@r1 --human h2@r2 --system chatbot",
    "weights": "--human h1 --system chatbot --weight w --stratum s",
    "clusters": "--human h1 --system chatbot --cluster candidate",
    "folds": "--human h1 --system chatbot --fold f",
    "confidence": "--human h1 --system chatbot --confidence chatbot=c",
    "runs": "--human h1 --system chatbot --repeat chatbot=chatbot,again",
    "a gold": "--gold h1 --human h2 --system chatbot --trait prompt",
    "a condition": "--human h1 --human h2 --system chatbot --prompt prompt --where \"prompt in (travel, 'x') and h2 >= 2\"",
    "decimals": "--human h1 --system engine",
}


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_a_warehouse_gives_the_json_of_the_rows(run, tmp_path, kind):
    """DuckDB stands for the warehouse; the table holds only the columns that the roles name."""
    words = shlex.split(kind)
    more = (
        "*, CASE WHEN hash(response) % 9 > 0 THEN h1 END AS gaps, least(chatbot + 1, 6) AS again, "
        "'r' || hash(response) % 5 AS r1, 'q' || hash(response) % 5 AS r2, 's' || hash(response) % 3 AS s, "
        "1 + hash(response) % 3 / 2 AS w, hash(response) % 4 AS f, round(chatbot_confidence, 1) AS c"
    )
    named = [part for word in words for part in re.split(r"[=@, ]", word)]
    kept = ", ".join(name for name in dict.fromkeys(named) if name in COLUMNS)
    here = duckdb.connect()
    here.execute(
        f"CREATE TABLE scores AS SELECT {kept} FROM (SELECT {more} FROM read_csv('{SCORES}'))"
    )
    here.execute(f"COPY scores TO '{tmp_path}/rows.csv'")
    said = run("tally", "scores", "--sql", "duckdb", *words)
    here.execute(f"COPY ({said.out.strip().removesuffix(';')}) TO '{tmp_path}/tally.csv'")
    asked = ["--json", "--statistic", "qwk", "--statistic", "pearson"]
    rows = run("evaluate", str(tmp_path / "rows.csv"), *words, *asked)
    roles = words[: words.index("--where")] if "--where" in words else words
    cells = run("evaluate", str(tmp_path / "tally.csv"), *roles, "--count-column", "n", *asked)
    made, expected = json.loads(without_count(cells.out)), json.loads(rows.out)
    if "--where" in words:
        expected["options"].pop("where")
        assert expected["data"]["notes"].pop(0).startswith("only rows where")
    assert made == expected


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (["t", "--sql", "oracle", "--human", "h"], "--sql takes duckdb"),
        (["t", "--sql", "spark"], "name the columns to tally"),
        (["t", "--sql", "spark", "--system", "*_shot"], "name each column"),
        (["a..b", "--sql", "spark", "--human", "h"], "is no name of a table"),
        (["t", "--sql", "spark", "--human", "n"], "name another with --as"),
        (["t", "--sql", "spark", "--human", "h", "--out", "x.csv"], "leave out --out"),
        (["SCORES"], "say where the tally goes with --out"),
        (["SCORES", "--out", "x.txt"], "must end in .parquet or .csv"),
        (["SCORES", "--human", "h9", "--out", "x.csv"], "has no column 'h9'"),
        (["SCORES", "--human", "h1", "--keep", "gendr", "--out", "x.csv"], "asked for as --keep"),
        (["SCORES", "--human", "h1", "--suppress", "-1", "--out", "x.csv"], "must be 0 or more"),
    ],
)
def test_what_no_tally_can_be_made_of_is_refused(run, tmp_path, monkeypatch, words, answer):
    monkeypatch.chdir(tmp_path)
    ended = run("tally", *[str(SCORES) if word == "SCORES" else word for word in words])
    assert ended.code == 2
    assert answer in ended.err
    assert not [*tmp_path.iterdir()]


def test_a_tally_has_neither_ids_nor_ratings_of_a_long_table():
    with pytest.raises(OptionError, match="no --id"):
        wanted_columns(Roles(id="response"))
    with pytest.raises(OptionError, match="one row per response"):
        wanted_columns(Roles(response="a", rater="b", score="c"))
