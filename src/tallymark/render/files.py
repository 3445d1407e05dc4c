"""Files and folders of results: checked before any work, each written whole or not at all."""

import os
from collections.abc import Iterable
from pathlib import Path

from tallymark.errors import OptionError
from tallymark.render.folder import MANIFEST, check_names, read_manifest

ALWAYS = ("evaluation.json", "report.html", "exclusions.csv", MANIFEST)
"""What every folder of results holds."""


def check_folder(
    folder: Path, reads: Iterable[Path] = (), *, option: str = "--out", force: bool = False
) -> None:
    """Refuse a folder that cannot be written, before any work is done; ``reads`` must survive."""
    nearest = next(place for place in (folder, *folder.absolute().parents) if place.exists())
    if not nearest.is_dir():
        raise OptionError(f"{option} must name a folder, but {nearest} is a file; name another")
    if not os.access(nearest, os.W_OK | os.X_OK):
        raise OptionError(f"cannot write to {option} {folder}: no permission; name another folder")
    check_names(folder, ALWAYS, force=force)
    known = read_manifest(folder)
    for name in ALWAYS if known is None else (*ALWAYS, *known.files):
        _check_apart(folder / name, reads, f"{option} {folder}")


def check_file(path: Path, reads: Iterable[Path] = (), *, option: str = "--summary") -> None:
    """Refuse a file that cannot be written, before any work is done; ``reads`` must survive."""
    if path.is_dir():
        raise OptionError(f"{option} must name a file, but {path} is a folder; name another")
    nearest = next(place for place in path.absolute().parents if place.exists())
    if not nearest.is_dir() or not os.access(nearest, os.W_OK | os.X_OK):
        raise OptionError(f"cannot write {option} {path}: no permission; name another file")
    _check_apart(path, reads, f"{option} {path}")


def _check_apart(written: Path, reads: Iterable[Path], given: str) -> None:
    """Refuse to write over a file that is read, or into a folder of files that are."""
    if not written.is_file():
        return
    for read in reads:
        inside = read.is_dir() and written.resolve().is_relative_to(read.resolve())
        if inside or (read.is_file() and written.samefile(read)):
            raise OptionError(f"{given} would write over {read}, which is read; name another")


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file under a temporary name, then rename it, so that no reader sees half of it.

    A device such as /dev/null, a pipe or a link is written to, not replaced.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_symlink() or (path.exists() and not path.is_file()):
        with path.open("wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
        return
    unfinished = path.with_name(f".{path.name[:200]}.{os.getpid()}.part")
    unfinished.unlink(missing_ok=True)
    with unfinished.open("xb") as file:  # never through a link that somebody put there
        try:
            file.write(content.encode() if isinstance(content, str) else content)
            file.close()
            unfinished.replace(path)
        except OSError as problem:  # of a full disk nobody else says which file it was
            problem.filename = problem.filename or str(path)
            raise
        finally:
            unfinished.unlink(missing_ok=True)
