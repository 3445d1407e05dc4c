"""Files and folders of results: checked before any work, each written whole or not at all."""

import os
from collections.abc import Iterable
from pathlib import Path

from tallymark.errors import OptionError
from tallymark.render.folder import MANIFEST, check_apart, check_names, read_manifest

ALWAYS = ("evaluation.json", "report.html", "exclusions.csv", MANIFEST)
"""What every folder of results holds."""
SUMMARY_MARK = "[//]: # (Written by Tallymark)"
"""The last line of a summary, which Markdown does not show."""
PAGE_MARK = b'<meta name="generator" content="Tallymark">'
ROUTING_MARK = b'"format": "tallymark routing"'
DECISIONS_MARK = b",confidence,decision,reason"
"""The last columns of a file of decisions."""
_HEAD = 2_000
"""Bytes from the start of a file that say what it is."""


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
    names = ALWAYS if known is None else (*ALWAYS, *known.files)
    check_apart([folder / name for name in names], reads, f"{option} {folder}")


def check_file(
    path: Path, reads: Iterable[Path] = (), *, option: str = "--summary", force: bool = False
) -> None:
    """Refuse a file that cannot be written, before any work is done; ``reads`` must survive.

    So must one that Tallymark did not write, as far as its content tells, unless ``force`` is set.
    """
    if path.is_dir():
        raise OptionError(f"{option} must name a file, but {path} is a folder; name another")
    nearest = next(place for place in path.absolute().parents if place.exists())
    if not nearest.is_dir() or not os.access(nearest, os.W_OK | os.X_OK):
        raise OptionError(f"cannot write {option} {path}: no permission; name another file")
    check_apart([path], reads, f"{option} {path}")
    if not force and path.is_file() and not _is_ours(path):
        raise OptionError(
            f"{option} {path} is there already, and Tallymark cannot tell that it wrote it; name "
            "another file, or replace it with --force"
        )


def _is_ours(path: Path) -> bool:
    """Whether a file is empty or says that Tallymark wrote it: a page, a summary, routing, decisions.

    Other tables cannot say so.
    """
    try:
        content = path.read_bytes()
    except OSError:
        return False
    return (
        not content.strip()
        or PAGE_MARK in content[:_HEAD]
        or ROUTING_MARK in content[:_HEAD]
        or content.partition(b"\n")[0].rstrip().endswith(DECISIONS_MARK)
        or content.rstrip().endswith(SUMMARY_MARK.encode())
    )


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
