"""Standard output to the last byte, whoever reads it and however it is buffered."""

import errno
import os
import sys
from io import UnsupportedOperation
from typing import IO, Any


def put(text: str | bytes) -> None:
    """Print a text and a line break, all of it; that its reader has left is no failure.

    The command goes on, so that ``| head`` changes no exit code. Characters that the output cannot
    show are written as escapes; bytes go out as they are.
    """
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
