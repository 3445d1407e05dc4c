"""``tallymark lab``: experiments on metrics, and whether what their sources say holds."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tallymark.cli.options import (
    OUTPUT,
    PATH,
    Command,
    debug_option,
    force_option,
    json_option,
    open_option,
    option,
    together,
)

if TYPE_CHECKING:
    from tallymark.render.layout import Line

EXAMPLES = """\b
Examples:
  tallymark lab list
  tallymark lab run trait-prevalence
  tallymark lab run error-magnitude --statistic alpha --statistic mypackage:metric --out lab/
  tallymark lab run doewes-resolution essays.csv --text essay --human h1 --human h2
  tallymark lab properties --statistic qwk --statistic mypackage:metric
"""
EXPERIMENT = "Experiment"
COLUMNS = "Columns of FILE"
STATISTIC = (
    "A statistic that joins the experiment, by any of its names, or a function of two arrays "
    "(gold, system) as module:function. Repeat for more."
)
ALONE = "Only these: names, or functions of two arrays (gold, system) as module:function."
OUT = "Write report.html, experiment.json, curves.csv, claims.csv and summary.md there."
CARDS = "Write metrics.md, properties.csv, properties.json and tables/properties.tex there."
REPLICATES = "Samples at each place of the axis; by default as many as the experiment says."
output = together(
    [
        option(OUTPUT, "--out", "DIR", OUT, type=PATH),
        force_option,
        open_option,
        json_option,
        debug_option,
    ]
)


@click.group(epilog=EXAMPLES, invoke_without_command=True)
@click.pass_context
def lab(ctx: click.Context) -> None:
    """Repeat the experiments by which metrics are judged, with any metric in them.

    Each has a source, whose claims are checked one by one: holds, holds in part, does not hold.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@lab.command(cls=Command, name="list")
@debug_option
def names() -> None:
    """List the experiments with their sources and questions."""
    from tallymark.cli.streams import line_width, print_lines
    from tallymark.lab.runs import experiments_by_name
    from tallymark.render.layout import Line, paragraph

    lines = []
    for name, experiment in experiments_by_name().items():
        lines.append(Line(name, "heading"))
        lines += paragraph(f"{experiment.source}. {experiment.question}", line_width(), indent="  ")
    print_lines(lines)


@lab.command(cls=Command, epilog=EXAMPLES)
@click.argument("name")
@click.argument("file", required=False, type=PATH)
@option(COLUMNS, "--text", "COL", "The text of a response.")
@option(COLUMNS, "--human humans", "COL", "The ratings of a person; name two.", multiple=True)
@option(COLUMNS, "--prompt", "COL", "The question that a response answers.")
@option(COLUMNS, "--cluster", "COL", "The candidate, who stays in one fold.")
@option(COLUMNS, "--scale", "SCALE", "The score points of the raters, such as 1:6.")
@option(EXPERIMENT, "--statistic statistics", "NAME|MODULE:FUNCTION", STATISTIC, multiple=True)
@option(
    EXPERIMENT,
    "--seed",
    "N",
    "Where chance starts.",
    type=click.IntRange(0),
    default=0,
    show_default=True,
)
@option(EXPERIMENT, "--replicates", "N", REPLICATES, type=int)
@output
def run(
    name: str,
    file: Path | None,
    out: Path | None,
    *,
    as_json: bool,
    **given: Any,
) -> None:
    """Run the experiment NAME and check its claims.

    Prints which claims hold, with the numbers that decide them, then the means along the axis;
    --out adds figures with Monte Carlo bands. Experiments that train models run on synthetic texts,
    or on those of FILE; they need scikit-learn: pip install 'tallymark[text]'.
    """
    from tallymark.cli.opening import check_asked, open_page
    from tallymark.cli.running import check_targets
    from tallymark.cli.streams import line_width, print_lines, put
    from tallymark.lab.runs import run as ran
    from tallymark.lab.view import section
    from tallymark.render.terminal import section_lines

    check_asked(out)
    check_targets({}, out)
    done = ran(name, file, **given)
    lines = section_lines([section(done)], line_width())[:-1]
    if out is not None:
        from tallymark.lab.view import files_of

        lines.append(_written(files_of(done), out))
        open_page(out / "report.html")
    if as_json:
        put(done.to_json().encode())
        return
    print_lines(lines)


@lab.command(cls=Command)
@option(EXPERIMENT, "--statistic statistics", "NAME|MODULE:FUNCTION", ALONE, multiple=True)
@option(
    EXPERIMENT,
    "--seed",
    "N",
    "Where chance starts.",
    type=click.IntRange(0),
    default=0,
    show_default=True,
)
@option(OUTPUT, "--out", "DIR", CARDS, type=PATH)
@force_option
@json_option
@debug_option
def properties(statistics: tuple[str, ...], seed: int, out: Path | None, *, as_json: bool) -> None:
    """Grade each statistic by nine properties.

    Its card says where it stays, moves and refuses as a good metric should, with the numbers that
    say so. Without --statistic, cards are made of the whole catalogue.
    """
    from tallymark.cli.running import check_targets
    from tallymark.cli.streams import line_width, print_lines, put
    from tallymark.lab.cards import properties as carded
    from tallymark.render.terminal import section_lines

    check_targets({}, out)
    made = carded(statistics, seed=seed)
    lines = section_lines([made.section()], line_width())[:-1]
    if out is not None:
        lines.append(_written(made.files(), out))
    if as_json:
        put(made.to_json().encode())
        return
    print_lines(lines)


def _written(files: Mapping[str, str], out: Path) -> "Line":
    """Write files to a folder, and say so."""
    from tallymark.cli.opening import is_forced
    from tallymark.cli.running import read_files
    from tallymark.lab.view import write_files
    from tallymark.render.layout import Line
    from tallymark.render.literal import literal

    written = write_files(files, out, reads=read_files(), force=is_forced())
    return Line(f"{len(written)} files written to {literal(str(out))}")
