"""Pages that are written from the code: ``python -m tests.docs.pages`` writes them anew."""

from collections.abc import Iterator
from pathlib import Path

import click
from click.testing import CliRunner

from tallymark.cli.main import COMMANDS, tallymark
from tallymark.evaluation.catalogue import CATALOGUE
from tallymark.evaluation.ceilings.words import CEILINGS
from tallymark.evaluation.derived import DERIVED
from tallymark.evaluation.names import ALIASES
from tallymark.evaluation.selective.words import SELECTIVE_WORDS
from tallymark.evaluation.severity_words import RATER_WORDS
from tallymark.results import Definition, Key

DOCS = Path(__file__).parents[2] / "docs"


def statistics_page() -> str:
    """Every statistic: what it says, its formula and where it comes from."""
    lines = [
        "# Statistics",
        "",
        "Every number Tallymark reports, in the order of the report. The name is that of JSON, CSV and `--statistic`;",
        "parameters go into brackets: `cohen_kappa[quadratic]`. This page is written from the code.",
        "",
        "| name | also called | reads | formula | reference |",
        "|---|---|---|---|---|",
    ]
    for row in CATALOGUE:
        choices = [f"`{value}`" for values in row.choices.values() for value in values]
        names = f"`{row.name}`" + (f" [{', '.join(choices)}]" if choices else "")
        lines.append(_line(names, _aliases(row.name), row.reading, row.formula, row.reference))
    lines += [
        "",
        "## Of people, groups, true scores, repeated runs and ceilings",
        "",
        "| name | title | reads | formula | reference |",
        "|---|---|---|---|---|",
    ]
    derived = {**DERIVED, **CEILINGS, **RATER_WORDS, **SELECTIVE_WORDS}
    lines += [_derived(entry) for entry in derived.values()]
    return "\n".join(lines) + "\n"


def _aliases(name: str) -> str:
    found = [(a, params) for a, (target, params) in ALIASES.items() if target == name]
    return ", ".join(
        f"`{alias}`" + (f" = `{Key(name, **params)}`" if params else "") for alias, params in found
    )


def _derived(entry: Definition) -> str:
    return _line(f"`{entry.name}`", entry.title, entry.reading, entry.formula, entry.reference)


def _line(*cells: str) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


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


PAGES = {"statistics.md": statistics_page, "commands.md": commands_page}

if __name__ == "__main__":
    for file, page in PAGES.items():
        (DOCS / file).write_text(page(), "utf-8")
        click.echo(f"docs/{file}")
