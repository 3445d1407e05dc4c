"""Guards of the house: what only one room may do."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1] / "src" / "tallymark"
FILES = sorted(ROOT.rglob("*.py"))
APART = re.compile(
    r"""partition\(\s*["']\[|split\(\s*["']\[|startswith\(\s*["']\w+\[|(index|find)\(\s*["']\[["']"""
)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_only_keys_take_bracket_texts_apart(path):
    if path != ROOT / "results" / "keys.py":
        assert not APART.findall(path.read_text("utf-8"))
