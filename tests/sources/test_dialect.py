"""The words that only an engine understands stand in its files, so that another one replaces these."""

import ast
import re
from pathlib import Path
from typing import Any

import duckdb
import pytest

import tallymark as tm
from tallymark import sources
from tallymark.demo import SCORES
from tallymark.sources.sql import DATA
from tallymark.sources.tables import described

FILES = sorted(Path(sources.__file__).parent.glob("*.py"))
ENGINE = (
    *("sql.py", "tables.py", "readers.py", "spark.py", "exports.py", "beside.py"),
    *("connecting.py", "network.py", "parts.py"),
)
WORDS = re.compile(
    r"VARCHAR|::[A-Z]|\brow_number\(|MATERIALIZED|\blist_position\(|\bapprox_|\bisfinite\(|\bisinf\("
    r"|\bhash\(|\bread_(csv|json|parquet)|DESCRIBE|PRAGMA|\bTEMP\b|EXCLUDE \(|TRY_CAST|\bcontains\("
)


@pytest.mark.parametrize(
    "path", [one for one in FILES if one.name not in ENGINE], ids=lambda p: p.name
)
def test_only_the_files_of_the_engine_hold_words_of_duckdb(path):
    tree = ast.parse(path.read_text("utf-8"))
    texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    assert [text for text in texts if isinstance(text, str) and WORDS.search(text)] == []
    modules = {
        name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names
    }
    assert not modules & {"duckdb", "_duckdb"}


def test_an_engine_is_whatever_makes_a_table_that_answers_sql():
    connection = duckdb.connect()
    connection.execute(f"CREATE TEMP TABLE {DATA} AS SELECT * FROM read_csv('{SCORES}')")
    asked: list[str] = []

    def run(query):
        asked.append(query)
        return connection.execute(query)

    roles: dict[str, Any] = {"humans": ["h1", "h2"], "systems": ["engine"], "statistics": ["qwk"]}
    there = tm.evaluate(described("warehouse", run), **roles)
    here = tm.evaluate(SCORES, **roles)
    assert asked
    assert [e.value for e in there.estimates] == [e.value for e in here.estimates]
