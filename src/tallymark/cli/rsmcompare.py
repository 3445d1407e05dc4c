"""``tallymark rsmcompare``: experiments of RSMTool or Tallymark side by side, with differences."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tallymark.cli.options import PATH, Command, output_options

if TYPE_CHECKING:
    from tallymark.rsmtool.comparison import Run

EXAMPLES = """\b
Examples:
  tallymark rsmcompare old/ new/
  tallymark rsmcompare comparison.json --out comparison/
"""


@click.command(cls=Command, epilog=EXAMPLES)
@click.argument("words", metavar="[run] CONFIG | FOLDER FOLDER...", nargs=-1, type=PATH)
@output_options
def rsmcompare(words: tuple[Path, ...], out: Path | None, *, as_json: bool) -> None:
    """Compare experiments, each less the first, on the responses that they share.

    Name the folders that rsmeval or rsmtool wrote, or a configuration of RSMTool's rsmcompare.
    """
    from tallymark.cli.running import check_targets
    from tallymark.rsmtool.comparison import compared_runs

    check_targets({}, out)
    runs, folder = runs_of(words, compared_runs)
    show_runs(runs, out or folder, as_json=as_json, differences=True)


def runs_of(
    words: tuple[Path, ...], configured: "Callable[[Path], list[Run]]"
) -> "tuple[list[Run], Path | None]":
    """Read the experiments named on the command line, or in a configuration with a folder."""
    from tallymark.errors import OptionError
    from tallymark.rsmtool.comparison import distinct, read_run

    given = words[1:] if words[:1] == (Path("run"),) else words
    if not given:
        raise OptionError("name the folders of experiments, or a configuration file")
    if given[0].suffix.lower() != ".json":
        return distinct([read_run(folder) for folder in given]), None
    if len(given) > 2:
        raise OptionError(
            f"a configuration takes one folder for results beside it, got {len(given) - 1}"
        )
    return configured(given[0]), given[1] if len(given) == 2 else None


def show_runs(runs: "list[Run]", out: Path | None, *, as_json: bool, differences: bool) -> None:
    """Compare experiments; print the table or JSON, and write files when a folder is named."""
    from tallymark.analyses.files import write_folder
    from tallymark.analyses.summary import summary
    from tallymark.cli.opening import is_forced
    from tallymark.cli.streams import line_width, print_lines, put
    from tallymark.inference import Settings
    from tallymark.render.files import check_folder
    from tallymark.render.layout import Line
    from tallymark.render.literal import literal
    from tallymark.rsmtool.comparison import compare_runs

    reads = [path for run in runs for path in run.reads]
    if out is not None:
        check_folder(out, reads, force=is_forced())
    comparison = compare_runs(runs, Settings(), differences=differences)
    written = (
        [] if out is None else write_folder(comparison, (), out, reads=reads, force=is_forced())
    )
    if as_json:
        put(comparison.to_json().encode())
        return
    lines = summary(comparison, width=line_width())
    if out is not None:
        lines.append(Line(f"{len(written)} files written to {literal(str(out))}"))
    print_lines(lines)
