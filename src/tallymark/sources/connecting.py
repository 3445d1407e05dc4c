"""Connecting: a database in memory, whose overflow goes to a folder that is gone afterwards."""

import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from tallymark.errors import OptionError

if TYPE_CHECKING:
    import duckdb

_SIZE = re.compile(r"(\d+(?:\.\d+)?) ?([kmgt]i?b)", re.IGNORECASE)
_LEAST = 16
"""Megabytes below which the database cannot read a file."""
_MEGABYTES = {"k": 1e-3, "m": 1.0, "g": 1e3, "t": 1e6}
OFFLINE: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
}
"""Nothing is fetched, and nothing loaded that was not asked for."""


@contextmanager
def connected(memory_limit: str | None = None) -> Iterator["duckdb.DuckDBPyConnection"]:
    """A connection that takes at most so much memory; what is above it goes to the disk meanwhile."""
    import _duckdb as duckdb  # the core: the package around it takes five times as long to import

    limit = None if memory_limit is None else checked_size(memory_limit)
    spilled = Path(tempfile.gettempdir()) / f"tallymark-{uuid4().hex}"
    with duckdb.connect(config={**OFFLINE, "temp_directory": str(spilled)}) as connection:
        connection.execute("SET enable_progress_bar = false")  # else a session of Python shows it
        if limit is not None:
            connection.execute(f"SET memory_limit = '{limit}'")
        try:
            yield connection
        finally:
            if spilled.exists():
                connection.close()
                shutil.rmtree(spilled, ignore_errors=True)


def checked_size(text: str) -> str:
    """Refuse what is no size, or too small to read anything.

    >>> checked_size("500MB")
    '500MB'
    """
    size = _SIZE.fullmatch(text.strip())
    if size is None:
        raise OptionError(f"--memory-limit must be a size such as 500MB or 4GB, got {text!r}")
    if float(size[1]) * _MEGABYTES[size[2][0].lower()] < _LEAST:
        raise OptionError(f"--memory-limit must be {_LEAST}MB or more, got {text}")
    return f"{size[1]}{size[2]}"


def lack_of_room(name: str, problem: str) -> str | None:
    """Say which room was too small for a table, memory or disk; None where that was not the matter."""
    if "failed to offload" in problem or "No space left" in problem:
        return (
            f"{name} needs more room on the disk than {tempfile.gettempdir()} has; free some, or name "
            "another folder in TMPDIR"
        )
    if "Out of Memory" not in problem:
        return None
    limit = re.search(r"/([\d.]+ [KMGT]iB) used", problem)
    most = f"{limit[1]}, the most it may take" if limit else "there is"
    return f"{name} needs more memory than {most}; name fewer columns, or raise --memory-limit"
