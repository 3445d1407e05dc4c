"""Pages that are written from the code: ``python -m tests.docs.pages`` writes them anew."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import click
from click.testing import CliRunner

from tallymark.catalogue import BY_NAME, FAMILIES, Row, aliases_of
from tallymark.cli.main import COMMANDS, tallymark
from tallymark.lab import properties
from tallymark.render.tables import csv_text
from tallymark.results import split_key
from tests.docs.api import api_page
from tests.docs.sources import sources_page
from tests.metrics.types import STUB, stub

DOI = re.compile(r"doi:(10\.\S*[^\s,;.])")
DOCS = Path(__file__).parents[2] / "docs"


def statistics_page() -> str:
    """Every number: what it says, how not to read it, its formula and where it comes from."""
    lines = [
        "# Statistics",
        "",
        "Every number Tallymark reports, in the order of the report. The name is that of JSON, CSV and `--statistic`;",
        "parameters go into brackets: `cohen_kappa[quadratic]`. `tallymark explain NAME` says more about one of them.",
        "This page is written from the code.",
    ]
    for family, rows in FAMILIES.items():
        lines += ["", f"## {family}"]
        for row in rows:
            lines += ["", f"### {row.name}", "", *_entry(row)]
    return "\n".join(lines) + "\n"


def _entry(row: Row) -> Iterator[str]:
    yield f"**{row.title}**{_choices(row)}. {row.reading}"
    yield ""
    yield f"- Do not misread: {row.misreading}"
    yield f"- Formula: `{row.formula}`"
    if row.value is not None:
        yield f"- Needs: {_levels(row)} scores"
    if row.reference:
        yield f"- Reference: {DOI.sub(_linked, row.reference)}"
    called = _aliases(row)
    if called:
        yield f"- Also called: {called}"


def _levels(row: Row) -> str:
    """The level of measurement, and where parameters change it, those that do."""
    changed = [f"`{v.inside}` {v.level}" for v in row.variants if v.level not in (None, row.level)]
    return f"{row.level} ({', '.join(changed)})" if changed else row.level


def _linked(doi: re.Match[str]) -> str:
    return f"[{doi[0]}](https://doi.org/{quote(doi[1])})"


def _choices(row: Row) -> str:
    choices = [f"`{value}`" for values in row.choices.values() for value in values]
    return f" [{', '.join(choices)}]" if choices else ""


def _aliases(row: Row) -> str:
    own = ", ".join(f"`{alias}`" for alias, text in aliases_of(row).items() if text == row.name)
    variants = [
        f"`{row.name}[{one.inside}]`: " + ", ".join(f"`{alias}`" for alias in one.aliases)
        for one in row.variants
        if one.aliases
    ]
    return "; ".join(words for words in [own, *variants] if words)


def commands_page() -> str:
    """The help of every command."""
    lines = [
        "# Commands",
        "",
        "What `tallymark COMMAND --help` says, word for word. This page is written from the code.",
    ]
    runner = CliRunner(env={"COLUMNS": "100"})
    for name in ["", *with_their_parts()]:
        arguments = [*name.split(), "--help"]
        shown = runner.invoke(tallymark, arguments, prog_name="tallymark", terminal_width=100)
        lines += ["", f"## tallymark {name}".rstrip(), "", "```", shown.output.rstrip(), "```"]
    return "\n".join(lines) + "\n"


def with_their_parts() -> Iterator[str]:
    """Every command, and those that it holds itself."""
    context = click.Context(tallymark)
    for name in COMMANDS:
        yield name
        command = tallymark.get_command(context, name)
        if isinstance(command, click.Group):
            yield from (f"{name} {part}" for part in command.commands)


def metrics_page() -> str:
    """What each statistic does where a good metric should stay, move or refuse."""
    return properties().to_markdown()


def coverage_table() -> str:
    """The lowest recorded coverage of each statistic with 200 responses, from docs/coverage.md."""
    page = (DOCS / "coverage.md").read_text("utf-8")
    panels = page.partition("## Panels")[2].partition("\n## ")[0]
    lowest: dict[str, float] = {}
    heads: list[str] = []
    for line in [*page.partition("## Beside BCa")[0].splitlines(), *panels.splitlines()]:
        cells = [cell.strip(" *") for cell in line.strip("|").split("|")]
        heads = cells if cells[0] == "statistic" else heads
        text, _, how = cells[0].partition(", no gaps")
        name = split_key(text)[0]
        if line.startswith("| ") and name in BY_NAME and not how:
            text = text if BY_NAME[name].choices else name
            known = [float(c) for h, c in zip(heads, cells, strict=True) if _counts(h, c)]
            lowest[text] = min([lowest.get(text, 1.0), *known])
    return csv_text(["statistic", "lowest"], lowest.items())


def _counts(head: str, cell: str) -> bool:
    return "n=200" in head and "less" not in head and cell != "–"


PAGES = {
    "statistics.md": statistics_page,
    "commands.md": commands_page,
    "api.md": api_page,
    "metrics.md": metrics_page,
    "sources.md": sources_page,
}
RECORDED = DOCS.parent / "src" / "tallymark" / "lab" / "coverage.csv"


if __name__ == "__main__":
    RECORDED.write_text(coverage_table(), "utf-8")
    for file, page in PAGES.items():
        (DOCS / file).write_text(page(), "utf-8")
        click.echo(f"docs/{file}")
    STUB.write_text(stub(), "utf-8")
