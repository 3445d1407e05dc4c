"""The words that only DuckDB understands stand in two files, so that another engine replaces these."""

import ast
import re
from pathlib import Path

import pytest

from tallymark import sources

FILES = sorted(Path(sources.__file__).parent.glob("*.py"))
ENGINE = ("sql.py", "tables.py")
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
