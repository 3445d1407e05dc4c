"""Tutorials: what they show comes out, what they quote is shown, and they end with misreadings."""

import re

import pytest

from tests.docs.blocks import BLOCK, run_page
from tests.docs.pages import DOCS

TUTORIALS = sorted((DOCS / "tutorials").glob("*.md"))
NUMBER = re.compile(r"(?<![\w.])0?(\.\d+)\b")


@pytest.mark.parametrize("page", TUTORIALS, ids=lambda page: page.stem)
def test_what_a_tutorial_shows_comes_out(page, tmp_path):
    text = page.read_text("utf-8")
    now, complaints = run_page(text, tmp_path)
    assert complaints == "", complaints
    assert now == text, "run `make fix`"


@pytest.mark.parametrize("page", TUTORIALS, ids=lambda page: page.stem)
def test_a_tutorial_ends_with_how_to_misread_it(page):
    headings = re.findall(r"^## (.+)$", page.read_text("utf-8"), re.MULTILINE)
    assert headings[-1] == "How to misread these numbers"


@pytest.mark.parametrize("page", TUTORIALS, ids=lambda page: page.stem)
def test_numbers_in_the_text_stand_in_a_block_of_the_page(page):
    text = page.read_text("utf-8")
    shown = " ".join(block[2] for block in BLOCK.finditer(text))
    said = NUMBER.findall(BLOCK.sub("", text))
    assert [number for number in said if number not in shown] == []
