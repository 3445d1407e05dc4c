"""Folders: a table in several Parquet files, named by their folder or a pattern."""

import re
from collections.abc import Sequence
from glob import glob
from pathlib import Path

from tallymark.errors import DataError

_PARQUET = (".parquet", ".pq")
_NETWORK = re.compile(r"(s3|s3a|gs|gcs|https?|hf|az|abfss?|hdfs|r2|ftp)://?", re.IGNORECASE)


def parts_of(path: Path) -> list[Path]:
    """The Parquet files of a folder or a pattern, in order; none where the path is a file.

    What begins with a dot or an underscore is no part, as writers of such folders have it.
    """
    if path.is_dir():
        places = [(place, place.relative_to(path).parts) for place in path.rglob("*")]
        shown = [
            place for place, names in places if not any(n.startswith((".", "_")) for n in names)
        ]
    elif {*str(path)} & {*"*?["} and not path.exists():
        shown = [Path(place) for place in glob(str(path), recursive=True)]  # noqa: PTH207 - ** anywhere
    else:
        return []
    return sorted(part for part in shown if part.suffix.lower() in _PARQUET and part.is_file())


def check_near(path: Path) -> None:
    """Refuse an address: nothing is read from the network."""
    if _NETWORK.match(str(path)) and not path.exists():
        raise DataError(
            f"{path} is on the network, and only files of this machine are read. Copy it here, tally it "
            "there with `tallymark tally --sql`, or have it read with --engine spark"
        )


def damaged(name: str, parts: Sequence[Path]) -> str:
    """Say which part of a table cannot be read."""
    for part in parts:
        try:
            content = part.open("rb")
        except OSError:
            return f"{part.name} of {name} may not be read: no permission. Change its access rights"
        with content:
            start = content.read(4)
            content.seek(0, 2)
            size = content.tell()
            content.seek(max(size - 4, 0))
            if (start, content.read(4)) != (b"PAR1", b"PAR1"):
                return (
                    f"{part.name} of {name} is not a Parquet file, or it is cut off; write it again"
                )
    return (
        f"the {len(parts)} files of {name} cannot be read as one table: their columns differ, or one "
        "of them is damaged"
    )
