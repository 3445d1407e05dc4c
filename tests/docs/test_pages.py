"""Pages written from the code are as the code is now; what the docs name exists."""

import re
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.docs.pages import DOCS, PAGES, RECORDED, coverage_table

ROOT = DOCS.parent
WRITTEN = [*ROOT.glob("*.md"), *DOCS.rglob("*.md")]


@pytest.mark.parametrize("file", PAGES)
def test_the_page_is_fresh(file):
    if file == "commands.md" and tuple(map(int, version("click").split(".")[:2])) < (8, 2):
        pytest.skip("an older click lays help pages out otherwise")
    assert (DOCS / file).read_text("utf-8") == PAGES[file](), "run `make fix`"


def test_the_recorded_coverage_is_that_of_the_page():
    assert RECORDED.read_text("utf-8") == coverage_table(), "run `make fix`"


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_files_that_exist(page: Path):
    targets = re.findall(r"\]\(([^)#:\s]+)\)", page.read_text("utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []
