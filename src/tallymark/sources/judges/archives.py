"""Archives: the members of a ZIP file, checked before and while they are unpacked."""

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO

from tallymark.errors import DataError

ZSTANDARD = 93
MOST_BYTES = 4_000_000_000
LARGEST = 500_000_000
SMALL = 10_000_000
MOST_TIMES = 200
"""A member beyond ``SMALL`` may unpack to so many times its size."""
_ENCRYPTED = 1
_REMEDY = "log fewer samples to a file"
_LOCAL = struct.Struct("<26xHH")
_DAMAGED = (
    zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, OSError,
)  # fmt: skip


def member_names(path: Path) -> list[str]:
    """The names of the members; none where the file is no ZIP file."""
    try:
        with zipfile.ZipFile(path) as archive:
            return archive.namelist()
    except _DAMAGED:
        return []


def members(path: Path, folder: str, ending: str) -> Iterator[tuple[str, bytes]]:
    """Yield the members anywhere in a folder whose names end so, unpacked, after a look at all of them."""
    try:
        with zipfile.ZipFile(path) as archive, path.open("rb") as stream:
            every = archive.infolist()
            _check(path.name, every)
            for member in every:
                if member.filename.startswith(folder) and member.filename.endswith(ending):
                    yield member.filename, _unpacked(path.name, archive, stream, member)
    except DataError:
        raise
    except _DAMAGED:
        raise DataError(f"{path.name} is damaged or cut off; write it again") from None


def _check(source: str, every: list[zipfile.ZipInfo]) -> None:
    names = set[str]()
    for member in every:
        name = member.filename
        if name in names:
            raise DataError(
                f"{source} holds two members of one name ({name[:60]!r}), and nothing says which of "
                "them counts; write it again"
            )
        names.add(name)
        if member.flag_bits & _ENCRYPTED:
            raise DataError(f"{source} is encrypted; unpack it with its password, and give JSON")
        if name.startswith(("/", "\\")) or ":" in name[:3] or ".." in PurePosixPath(name).parts:
            raise DataError(
                f"{source} holds a member that points outside of it ({name[:60]!r}); no tool writes "
                "such a log, so it is not read"
            )
    check_sizes(source, every, _REMEDY)


def check_sizes(source: str, every: list[zipfile.ZipInfo], remedy: str) -> None:
    """Refuse an archive that unpacks to more than can be read, as its members declare."""
    for member in every:
        _check_size(source, member, member.file_size, remedy)
    if sum(member.file_size for member in every) > MOST_BYTES:
        raise DataError(f"{source} unpacks to more than {MOST_BYTES // 10**9} GB; {remedy}")


def _check_size(source: str, member: zipfile.ZipInfo, size: int, remedy: str) -> None:
    often = size > SMALL and size > MOST_TIMES * max(member.compress_size, 1)
    if size > LARGEST or often:
        raise DataError(
            f"{source} holds a member that unpacks beyond all measure ({member.filename[:60]!r}, "
            f"{member.compress_size:,} bytes to {size:,} or more), so it is not read; {remedy}"
        )


def _unpacked(
    source: str, archive: zipfile.ZipFile, stream: IO[bytes], member: zipfile.ZipInfo
) -> bytes:
    """Unpack a member, no further than its size as declared."""
    with _opened(source, archive, stream, member) as unpacking:
        content = unpacking.read(member.file_size + 1)
    if len(content) > member.file_size:
        _check_size(source, member, LARGEST + 1, _REMEDY)
    if len(content) < member.file_size or zlib.crc32(content) != member.CRC:
        raise zipfile.BadZipFile
    return content


def _opened(
    source: str, archive: zipfile.ZipFile, stream: IO[bytes], member: zipfile.ZipInfo
) -> IO[bytes]:
    try:
        return archive.open(member)
    except NotImplementedError:  # before Python 3.14 zipfile knows no Zstandard
        if member.compress_type != ZSTANDARD:
            raise
    try:
        import zstandard
    except ImportError:
        raise DataError(
            f"{source} is compressed with Zstandard, which needs a package more: "
            'pip install "tallymark[logs]" (or write the log with log_format="json")'
        ) from None
    stream.seek(member.header_offset)
    name, extra = _LOCAL.unpack(stream.read(_LOCAL.size))
    stream.seek(name + extra, io.SEEK_CUR)
    packed = stream.read(member.compress_size)
    try:
        unpacking = zstandard.ZstdDecompressor(max_window_size=1 << 27)
        reader = unpacking.stream_reader(packed, read_across_frames=True)
        return io.BytesIO(reader.read(member.file_size + 1))
    except zstandard.ZstdError:
        raise zipfile.BadZipFile from None
