"""``tallymark tally``: distinct rows and how often each occurs, here or as a statement for a warehouse."""

from pathlib import Path
from typing import Any

import click

from tallymark.cli.config import config_option
from tallymark.cli.options import OUTPUT, PATH, Command, asked, debug_option, force_option, option

EXAMPLES = """\b
Examples:
  tallymark tally scores.parquet --human h1 --human h2 --system engine --out tally.parquet
  tallymark evaluate tally.parquet --human h1 --human h2 --system engine --count-column n
  tallymark tally scores.csv --human h1 --system engine --suppress 10 --out tally.csv
  tallymark tally exam.scores --sql snowflake --human H1 --system ENGINE --prompt PROMPT
"""


@click.command(cls=Command, epilog=EXAMPLES)
@click.argument("file", metavar="FILE|TABLE")
@asked("tally")
@config_option("tally")
@option(OUTPUT, "--out", "FILE", "Write the tally there, as .parquet or .csv.", type=PATH)
@force_option
@debug_option
def tally(file: str, out: Path | None, **given: Any) -> None:
    """Count the distinct rows of FILE: all that `evaluate --count-column` needs, and no response.

    With --sql nothing is read: the statement is printed that counts them in a warehouse, where
    TABLE lives. Save what it returns as .parquet or .csv.
    """
    from tallymark.cli.streams import put
    from tallymark.errors import OptionError
    from tallymark.sources.handoff import statement, unseen, wanted_columns
    from tallymark.study.reading import roles_of
    from tallymark.study.request import Request

    given.pop("prompts", None)
    request = Request.of("tally", given)
    if request.sql is None:
        if out is None:
            raise OptionError("say where the tally goes with --out, or print SQL with --sql")
        _write(file, request, out)
        return
    if out is not None:
        raise OptionError("--sql prints a statement and reads nothing; leave out --out")
    wanted = wanted_columns(
        unseen(roles_of(request)),
        keep=request.keep,
        count=request.as_,
        suppress=request.suppress,
        where=request.where,
    )
    put(statement(wanted, file, request.sql))


def _write(file: str, request: Any, out: Path) -> None:
    from tallymark.cli.progress import progress
    from tallymark.cli.running import check_targets
    from tallymark.cli.streams import put
    from tallymark.render.files import write_whole
    from tallymark.render.numbers import count
    from tallymark.sources.handoff import write_tally
    from tallymark.sources.places import place_of
    from tallymark.study.reading import roles_of

    check_targets({"--out": out})
    with progress("counting"):
        tally, contents = write_tally(
            Path(file), out, roles_of(request), keep=request.keep, count=request.as_,
            suppress=request.suppress, where=request.where, place=place_of(request.reading),
        )  # fmt: skip
    write_whole(out, contents)
    lines = [f"{count(tally.cells)} cells of {count(tally.responses)} responses written to {out}."]
    if tally.wanted.suppress:
        least = count(tally.wanted.suppress)
        lines.append(
            f"{count(tally.suppressed)} responses are in cells below {least}: only their number was "
            "written."
        )
    lines += [f"{note}." for note in tally.notes]
    put("\n".join(lines))
