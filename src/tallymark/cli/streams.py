"""Standard output: styled on a terminal, plain elsewhere, to the last byte whoever reads it."""

import errno
import os
import sys
from collections.abc import Sequence
from io import UnsupportedOperation
from shutil import get_terminal_size
from typing import IO, Any

from tallymark.render.layout import Line, plain_text
from tallymark.results.cells import harmless

NARROWEST, WIDEST = 60, 160
_STYLES = {"heading": "bold", "lesser": "dim"}
_COLOURS = {"met": "green", "not met": "red", "undecided": "yellow"}


def put(text: str | bytes) -> None:
    """Print a text and a line break, all of it; that its reader has left is no failure.

    The command goes on, so that ``| head`` changes no exit code. Characters that the output cannot
    show are written as escapes; bytes go out as they are. What steers a terminal is left out.
    """
    _put(harmless(text) if isinstance(text, str) else text)


def _put(text: str | bytes) -> None:
    stream: Any = sys.stdout
    try:
        if not hasattr(stream, "buffer"):
            stream.write((text.decode() if isinstance(text, bytes) else text) + "\n")
        else:
            if isinstance(text, str):
                text = text.encode(stream.encoding or "utf-8", "backslashreplace")
            stream.flush()
            _write(stream.buffer, text + b"\n")
        stream.flush()
    except BrokenPipeError:
        silenced(stream)


def _write(stream: Any, content: bytes) -> None:
    """Write in turns: unbuffered output may take a part and say so only by its number."""
    rest = memoryview(content)
    while rest:
        taken = stream.write(rest)
        if not taken:
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        rest = rest[taken:]


def silenced(stream: IO[str]) -> None:
    """Let a stream that cannot be written swallow what is left, or it would fail again at exit."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    except (OSError, UnsupportedOperation, ValueError):
        return


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
            text = Text(line.text, style=_STYLES.get(line.weight, ""))
            for start, end, state in line.states:
                text.stylize(_COLOURS.get(state, ""), start, end)
            console.print(text)
    _put(captured.get().removesuffix("\n"))
