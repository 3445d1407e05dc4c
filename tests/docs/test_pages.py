"""Pages written from the code are as the code is now; what the docs name exists."""

import re
from importlib.metadata import version
from pathlib import Path

import click
import pytest

from tallymark.cli.main import tallymark
from tests.docs.pages import DOCS, PAGES, RECORDED, coverage_table

ROOT = DOCS.parent
TRAINED = ("doewes-resolution", "funayama-filtering", "replicated-scorer", "uto-benchmark")
WRITTEN = [*ROOT.glob("*.md"), *DOCS.rglob("*.md")]


@pytest.mark.parametrize("file", PAGES)
def test_the_page_is_fresh(file):
    if file == "commands.md" and tuple(map(int, version("click").split(".")[:2])) < (8, 2):
        pytest.skip("an older click lays help pages out otherwise")
    written, fresh = (DOCS / file).read_text("utf-8"), PAGES[file]()
    if file == "sources.md":  # numbers of trained models are those of a version of scikit-learn
        written, fresh = map(_without_models, (written, fresh))
    assert written == fresh, "run `make fix`"


def _without_models(page):
    """The page with no digits in rows of experiments that train models; their rulings stay."""
    return "\n".join(
        re.sub(r"-?\d*\.?\d+", "0", line) if any(name in line for name in TRAINED) else line
        for line in page.splitlines()
    )


def test_the_recorded_coverage_is_that_of_the_page():
    assert RECORDED.read_text("utf-8") == coverage_table(), "run `make fix`"


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_files_that_exist(page: Path):
    targets = re.findall(r"\]\(([^)#:\s]+)\)", page.read_text("utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_in_the_docs_exist_and_so_do_their_options(page: Path):
    text = page.read_text("utf-8").replace("\\\n", " ")
    calls = re.findall(r"(?:^|`|\$ |run: )tallymark ([a-z][^`\n|>#]*)", text, re.MULTILINE)
    unknown = [call for call in calls if not {*_options(call)} <= _known(call)]
    assert unknown == []


def _options(call: str) -> list[str]:
    return re.findall(r"(?<!\S)--?[a-z][a-z-]*(?=[\s=]|$)", call)


def _known(call: str) -> set[str]:
    """The options of the command that a call names."""
    command: click.Command | None = tallymark
    for word in call.split():
        if not isinstance(command, click.Group) or word.startswith("-"):
            break
        command = command.get_command(click.Context(command), word)
    assert command is not None, call
    return {name for one in command.params for name in one.opts} | {"-h", "--help"}
