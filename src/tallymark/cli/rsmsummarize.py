"""``tallymark rsmsummarize``: experiments of RSMTool or Tallymark in one table."""

from pathlib import Path

import click

from tallymark.cli.options import PATH, Command, output_options
from tallymark.cli.rsmcompare import runs_of, show_runs

EXAMPLES = """\b
Examples:
  tallymark rsmsummarize results/*/
  tallymark rsmsummarize summary.json --out summary/
"""


@click.command(cls=Command, epilog=EXAMPLES)
@click.argument("words", metavar="[run] CONFIG | FOLDER...", nargs=-1, type=PATH)
@output_options
def rsmsummarize(words: tuple[Path, ...], out: Path | None, *, as_json: bool) -> None:
    """Show the statistics of experiments beside each other, with intervals.

    Name the folders that rsmeval or rsmtool wrote, or a configuration of RSMTool's rsmsummarize.
    """
    from tallymark.cli.running import check_targets
    from tallymark.rsmtool.comparison import summarized_runs

    check_targets({}, out)
    runs, folder = runs_of(words, summarized_runs)
    show_runs(runs, out or folder, as_json=as_json, differences=False)
