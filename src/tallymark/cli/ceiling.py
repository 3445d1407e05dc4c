"""``tallymark ceiling``: what agreement with these people is attainable, before a system exists?"""

from pathlib import Path
from typing import Any

import click

from tallymark.cli.config import config_option
from tallymark.cli.options import PATH, Command, asked, output_options

EXAMPLES = """\b
Examples:
  tallymark ceiling scores.csv --human h1 --human h2 --scale 1:6
  tallymark ceiling scores.csv --human h1 --human h2 --gold final
  tallymark ceiling scores.csv --human 'rater_*' --reference "best published=.856"
"""


@click.command(cls=Command, epilog=EXAMPLES)
@click.argument("file", metavar="FILE", type=PATH)
@asked("ceiling")
@config_option("ceiling")
@output_options
def ceiling(file: Path, out: Path | None, *, as_json: bool, **given: Any) -> None:
    """Say what agreement with the people in FILE is attainable, and how many raters are needed.

    Two ratings of some responses are needed, and no system. Scores contain rater error, so that
    even a perfect scorer stays below 1.
    """
    from tallymark.analyses.ceiling import ceiling_asked
    from tallymark.cli.running import show_asked
    from tallymark.study.request import Request

    request = Request.of("ceiling", given)
    show_asked(ceiling_asked, file, request, out, as_json=as_json)
