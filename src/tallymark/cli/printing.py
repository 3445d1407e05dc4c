"""Printing a summary: styled on a terminal, plain text elsewhere."""

import os
import sys
from collections.abc import Sequence
from shutil import get_terminal_size

from tallymark.cli.streams import put
from tallymark.render.layout import Line, plain_text

NARROWEST, WIDEST = 60, 160
_STYLES = {"heading": "bold", "lesser": "dim"}


def line_width() -> int:
    """Return the width of the terminal, or 80 when there is none."""
    return min(max(get_terminal_size((80, 24)).columns, NARROWEST), WIDEST)


def print_lines(lines: Sequence[Line]) -> None:
    """Print lines; characters that the output cannot show are written as escapes."""
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR"):
        put(plain_text(lines))
        return
    from rich.console import Console
    from rich.text import Text

    # a Text is never read as markup, so a column named [red] stays a column named [red]
    console = Console(highlight=False, soft_wrap=True)
    with console.capture() as captured:
        for line in lines:
            console.print(Text(line.text, style=_STYLES.get(line.weight, "")))
    put(captured.get().removesuffix("\n"))
