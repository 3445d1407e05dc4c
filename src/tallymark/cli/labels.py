"""``tallymark labels``: which of the judged responses people are to label."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tallymark.cli.options import OUTPUT, PATH, Command, asked, debug_option, force_option, option

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tallymark.analyses.labels import LabelSheet
    from tallymark.render.model import Block

EXAMPLES = """\b
Examples:
  tallymark labels draw judge.csv -n 200 --by judge_score --show answer --out sheet.csv
  tallymark evaluate judge.csv --human-file sheet.csv --id id --system judge_score
  tallymark labels draw logs/task.eval -n 200 --raters 2 --out sheet.csv
"""


@click.group(epilog=EXAMPLES, invoke_without_command=True)
@click.pass_context
def labels(ctx: click.Context) -> None:
    """Draw the responses that people are to label, so that their labels count for all of them."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@labels.command(cls=Command, epilog=EXAMPLES, short_help="Draw a blind sheet for annotators.")
@click.argument("file", metavar="FILE", type=PATH)
@asked("labels draw")
@option(OUTPUT, "--out", "FILE", "Write the sheet there, as CSV.", type=PATH, required=True)
@force_option
@debug_option
def draw(file: Path, out: Path, **given: Any) -> None:
    """Draw a sheet for annotators from FILE: blind, in random order, stratum by stratum.

    Annotators see the id and what --show names, and fill in drawn_label; draw_code stays as it is:
    `tallymark evaluate FILE --human-file SHEET` reads from it what each label stands for.
    """
    from inspect import unwrap

    from tallymark.analyses import labels as sheets
    from tallymark.cli.opening import is_forced
    from tallymark.cli.running import check_targets
    from tallymark.cli.streams import line_width, print_lines, put
    from tallymark.render.model import Section
    from tallymark.render.terminal import section_lines

    sheets.check_sheet(out, force=is_forced())
    check_targets({"--out": out})
    sheet = unwrap(sheets.draw)(file, **given)
    sheets.write(sheet, out, force=is_forced())
    blocks = tuple(_blocks(sheet, out, given))
    section = Section(id="labels", title="Responses to be labelled", question="", blocks=blocks)
    print_lines(section_lines([section], line_width())[:-1])
    put(f"  {_command(sheet, file, out, given)}")


def _blocks(sheet: "LabelSheet", out: Path, given: dict[str, Any]) -> "Iterator[Block]":
    from tallymark.render.model import Column, Rank, Says, Table, Text
    from tallymark.render.sentences import Sentence

    said = Sentence(
        "{drawn} of {size:responses} drawn, written to {out}.",
        drawn=len(sheet.rows), size=sum(each.size for each in sheet.strata), out=str(out),
    )  # fmt: skip
    yield Text(said, rank=Rank.FIRST)
    if len(sheet.strata) > 1:
        yield Table(
            id="strata",
            caption="",
            columns=tuple(
                Column(title, numeric=i > 0)
                for i, title in enumerate(("stratum", "responses", "drawn", "each stands for"))
            ),
            rows=tuple((h.name, h.size, h.drawn, h.size / h.drawn) for h in sheet.strata),
            rank=Rank.FIRST,
        )
    notes = [Sentence("{n} left out: {why}.", n=n, why=why) for why, n in sheet.left_out.items()]
    if not given["show"]:
        notes.append(Sentence("Annotators see ids only; name what they are to read with --show."))
    notes.append(Sentence("How many to draw: `tallymark plan width --half-width .05 --value .8`."))
    notes.append(Sentence("When they are labelled:"))
    yield Says(tuple(notes), rank=Rank.FIRST)


def _command(sheet: "LabelSheet", file: Path, out: Path, given: dict[str, Any]) -> str:
    """The command that takes the labels back, to be copied whole."""
    words = ["tallymark", "evaluate", str(file), "--human-file", str(out), "--id", sheet.id]
    more = {"--system": sheet.score} | {f"--{key}": given[key] for key in ("records", "sheet")}
    return shlex.join([*words, *(word for pair in more.items() if pair[1] for word in pair)])
