"""A folder of results: written beside it, swapped in as one, and listed in a manifest.

Whoever looks into the folder, also after the program was killed, finds the whole of one run. The
manifest says which files are ours: those of an earlier run go, all others stay.
"""

import hashlib
import json
import os
import shutil
import signal
import threading
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import Any

from msgspec import Struct

from tallymark.errors import OptionError

MANIFEST = "manifest.json"
FORMAT, VERSION = "tallymark output", 1
_STAGE = ".tallymark-"
_LONGEST = 255
"""Bytes that file systems allow for a name."""


class Manifest(Struct, frozen=True):
    """The files of a run by name, with the SHA-256 of what was written."""

    kind: str
    files: Mapping[str, str]
    complete: bool = True

    def to_json(self) -> bytes:
        """Write it; the same files give the same bytes."""
        raw = {
            "format": FORMAT,
            "version": VERSION,
            "kind": self.kind,
            "complete": self.complete,
            "files": dict(sorted(self.files.items())),
        }
        return (json.dumps(raw, indent=1, ensure_ascii=False) + "\n").encode()


def read_manifest(folder: Path) -> Manifest | None:
    """Return what an earlier run left in a folder; None where nothing says so."""
    path = folder / MANIFEST
    try:
        raw = None if path.is_symlink() else json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(raw, dict) or (raw.get("format"), raw.get("version")) != (FORMAT, VERSION):
        return None
    files = raw.get("files")
    if not isinstance(files, dict) or not all(isinstance(digest, str) for digest in files.values()):
        return None
    if not all(is_plain(name) for name in files):
        return None
    return Manifest(str(raw.get("kind")), files, raw.get("complete") is True)


def is_plain(name: str) -> bool:
    """Whether a name, with slashes between folders, stays inside the folder it is put in."""
    parts = name.split("/")
    return (
        name.isprintable()
        and "\\" not in name
        and all(part.strip(". ") and len(part.encode()) <= _LONGEST for part in parts)
        and not PurePosixPath(name).is_absolute()
    )


def check_names(folder: Path, names: Iterable[str], *, force: bool = False) -> None:
    """Refuse names that would leave the folder, or replace what no run of ours wrote there."""
    known = read_manifest(folder)
    ours: Collection[str] = () if known is None else (*known.files, MANIFEST)
    for name in names:
        if not is_plain(name):
            raise OptionError(f"{name!r} cannot be the name of a file in {folder}")
        for part in PurePosixPath(name).parents:
            place = folder / part
            if place != folder and (place.is_symlink() or _is_no_folder(place)):
                raise OptionError(f"{place} is not a folder; move it or name another folder")
        place = folder / name
        if place.is_dir() and not place.is_symlink():
            raise OptionError(f"{place} is a folder; move it or name another folder")
        if os.path.lexists(place) and name not in ours and not force:
            raise OptionError(
                f"{folder} holds {name}, which no run of Tallymark wrote; move it, name another "
                "folder, or replace it with --force"
            )


def check_apart(files: Iterable[Path], reads: Iterable[Path], given: str) -> None:
    """Refuse to write over a file that is read, or into a folder of files that are."""
    reads = [*reads]
    for written in filter(Path.is_file, files):
        for read in reads:
            inside = read.is_dir() and written.resolve().is_relative_to(read.resolve())
            if inside or (read.is_file() and written.samefile(read)):
                raise OptionError(f"{given} would write over {read}, which is read; name another")


def _is_no_folder(place: Path) -> bool:
    return place.exists() and not place.is_dir()


def write_run(
    folder: Path,
    contents: Mapping[str, str | bytes],
    kind: str,
    *,
    reads: Iterable[Path] = (),
    force: bool = False,
) -> list[Path]:
    """Make a folder hold these files and nothing else of ours; ``force`` replaces others' too.

    What the run ``reads`` is never replaced.
    """
    place = folder.resolve()  # a link that the user names is followed, none inside it is
    check_names(place, (*contents, MANIFEST), force=force)
    check_apart([place / name for name in (*contents, MANIFEST)], reads, str(folder))
    files = {
        name: text.encode() if isinstance(text, str) else text for name, text in contents.items()
    }
    listed = {name: hashlib.sha256(text).hexdigest() for name, text in files.items()}
    files[MANIFEST] = Manifest(kind, listed).to_json()
    if not _swap_folder(place, files):
        _swap_files(place, files, kind)
    for left in (*place.parent.glob(f".{_pattern(place)}{_STAGE}*"), *place.glob(f"{_STAGE}*")):
        if _abandoned(left):
            shutil.rmtree(left, ignore_errors=True)
    return [folder / name for name in files]


def _swap_folder(place: Path, files: Mapping[str, bytes]) -> bool:
    """Put a whole new folder in the place of the old one in a single step, where that is safe."""
    place.parent.mkdir(parents=True, exist_ok=True)
    exists = place.is_dir()
    if not os.access(place.parent, os.W_OK | os.X_OK) or (exists and not _ours_alone(place)):
        return False
    with _stage(place.with_name(f".{place.name}{_STAGE}{os.getpid()}")) as stage:
        _write_all(stage, files)
        if exists:
            shutil.copymode(place, stage)
            return _owner(stage) == _owner(place) and _ours_alone(place) and _exchange(stage, place)
        stage.rename(place)
    return True


@contextmanager
def _stage(folder: Path) -> Iterator[Path]:
    """A folder of our own, gone at the end; one that is there already, or a link, is not taken."""
    folder.mkdir()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _owner(folder: Path) -> tuple[int, int]:
    status = folder.stat()
    return status.st_uid, status.st_gid


def _ours_alone(place: Path) -> bool:
    """Whether a folder holds unchanged files of a run and nothing else, and nobody stands in it."""
    if Path.cwd().is_relative_to(place):
        return False
    known = read_manifest(place)
    files = {} if known is None else known.files
    folders = {str(part) for name in files for part in PurePosixPath(name).parents}
    for path in place.rglob("*"):
        name = path.relative_to(place).as_posix()
        if path.is_symlink():
            return False
        if path.is_dir():
            if name not in folders:
                return False
        elif not (known is not None and name == MANIFEST) and not _unchanged(path, files.get(name)):
            return False
    return True


def _exchange(left: Path, right: Path) -> bool:
    """Let two folders change places at once; False where the system cannot."""
    import ctypes

    call: Any = getattr(ctypes.CDLL(None), "renameat2", None) if os.name == "posix" else None
    here, both_swap = -100, 2  # AT_FDCWD, RENAME_EXCHANGE
    return call is not None and not call(
        here, os.fsencode(left), here, os.fsencode(right), both_swap
    )


def _swap_files(place: Path, files: Mapping[str, bytes], kind: str) -> None:
    """Put files into a folder that holds others too: renamed one after the other, or none."""
    place.mkdir(parents=True, exist_ok=True)
    known = read_manifest(place)
    earlier = {} if known is None else known.files
    with _stage(place / f"{_STAGE}{os.getpid()}") as stage:
        _write_all(stage / "new", files)
        both = Manifest(kind, {**earlier, **dict.fromkeys(files, "")}, complete=False)
        _write_all(stage, {"unfinished": both.to_json()})
        if known is not None:
            shutil.copy2(place / MANIFEST, stage / MANIFEST)
        with _undisturbed():
            _move_in(place, stage, [*files], earlier)


def _move_in(place: Path, stage: Path, names: list[str], earlier: Mapping[str, str]) -> None:
    """Move old files out and new ones in; when one cannot be moved, all go back."""
    gone = [
        name
        for name, digest in earlier.items()
        if name in names or _unchanged(place / name, digest)
    ]
    out = [name for name in dict.fromkeys([*gone, *names]) if name != MANIFEST]
    # until everything else is there, the manifest says that the run is unfinished
    moves = [(stage / "unfinished", place / MANIFEST)]
    moves += [(place / name, stage / "old" / name) for name in out]
    moves += [(stage / "new" / name, place / name) for name in names]
    done: list[tuple[Path, Path]] = []
    try:
        for source, target in moves:
            if os.path.lexists(source):
                target.parent.mkdir(parents=True, exist_ok=True)
                source.replace(target)
                done.append((source, target))
    except OSError:
        for source, target in reversed(done):
            target.replace(source)
        if (stage / MANIFEST).exists():
            (stage / MANIFEST).replace(place / MANIFEST)
        raise
    for name in gone:
        with suppress(OSError):  # a folder that is not empty stays
            for part in PurePosixPath(name).parents[:-1]:
                (place / part).rmdir()


def _write_all(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files under names that nothing has yet, so that no link is followed."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as file:
            file.write(content)


def _unchanged(path: Path, digest: str | None) -> bool:
    """Whether a file is as it was written; one that was edited since is the user's."""
    if digest is None or path.is_symlink() or not path.is_file():
        return False
    return not digest or hashlib.sha256(path.read_bytes()).hexdigest() == digest


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Let Ctrl-C and the like wait for the moment it takes to rename files."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    waiting: list[int] = []
    numbers = [getattr(signal, name, None) for name in ("SIGINT", "SIGTERM", "SIGHUP")]
    before = {
        number: signal.signal(number, lambda number, _: waiting.append(number))
        for number in numbers
        if number is not None and signal.getsignal(number) not in (signal.SIG_IGN, None)
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for number in waiting:
            signal.raise_signal(number)


def _pattern(place: Path) -> str:
    return "".join(f"[{char}]" if char in "*?[" else char for char in place.name)


def _abandoned(stage: Path) -> bool:
    """Whether the run that made this folder was killed."""
    number = stage.name.rpartition("-")[2]
    if os.name != "posix" or not number.isdigit() or stage.is_symlink() or not stage.is_dir():
        return False
    try:
        os.kill(int(number), 0)
    except (ProcessLookupError, OverflowError):
        return True
    except OSError:
        return False
    return False
