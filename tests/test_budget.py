"""Files and functions stay small enough to be read in one go."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "src" / "tallymark"
FILES = sorted(PACKAGE.rglob("*.py"))
FILE_LINES = 300
FUNCTION_LINES = 40


def code_lines(function):
    """Lines of code of a function, without its docstring."""
    body = function.body[1:] if ast.get_docstring(function) else function.body
    return body[-1].end_lineno - body[0].lineno + 1 if body else 0


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_files_and_functions_keep_within_the_budget(file):
    text = file.read_text("utf-8")
    assert text.count("\n") <= FILE_LINES
    functions = [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.FunctionDef)]
    long = [f"{f.name}: {code_lines(f)}" for f in functions if code_lines(f) > FUNCTION_LINES]
    assert long == []
