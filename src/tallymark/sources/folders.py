"""Folders: a table in several files, Parquet or CSV, named by their folder or a pattern."""

from collections.abc import Callable, Mapping, Sequence
from glob import glob
from os.path import commonpath
from pathlib import Path

from tallymark.errors import DataError

_KINDS = {".parquet": "parquet", ".pq": "parquet", ".csv": "csv", ".tsv": "tsv", ".tab": "tsv"}
Columns = Sequence[str]


def parts_of(path: Path) -> list[Path]:
    """The files of a folder or a pattern, in order; none where the path is a file.

    What begins with a dot or an underscore is no part, as writers of such folders have it.
    """
    if path.is_dir():
        return sorted(_inside(path))
    if not is_pattern(path):
        return []
    shown = map(Path, glob(str(path), recursive=True))  # noqa: PTH207 - ** anywhere
    return sorted({part for place in shown for part in _inside(place)})


def is_pattern(path: Path) -> bool:
    """Whether a path names files by a pattern."""
    return bool({*str(path)} & {*"*?["}) and not path.exists()


def _inside(place: Path) -> list[Path]:
    """The files of a folder and the folders in it; a file is itself. A link to nothing stays one."""
    if not place.is_dir():
        return [place] if kind_of(place) else []
    parts = [(part, part.relative_to(place).parts) for part in place.rglob("*") if kind_of(part)]
    return [
        part
        for part, names in parts
        if not (any(name.startswith((".", "_")) for name in names) or part.is_dir())
    ]


def named_parts(parts: Sequence[Path]) -> dict[Path, str]:
    """What parts are called: by their names, and the folders that tell them apart."""
    root = commonpath([part.parent for part in parts])
    return {part: part.relative_to(root).as_posix() for part in parts}


def kind_of(part: Path) -> str:
    """What a part is, by its name: parquet, csv or tsv, the texts also packed; empty if none of them."""
    name = part.name.lower()
    packed = name.endswith(".gz")
    kind = _KINDS.get(Path(name.removesuffix(".gz")).suffix, "")
    return "" if packed and kind == "parquet" else kind


def check_alike(name: str, parts: Sequence[Path]) -> None:
    """Refuse files of several kinds: they are hardly one table."""
    kinds = [*dict.fromkeys(kind_of(part) for part in parts)]
    if len(kinds) > 1:
        raise DataError(
            f"{name} holds files of several kinds, {' and '.join(kinds)}; name those of one kind with a "
            f"pattern in quotes, such as '{name}/*.{kinds[0]}'"
        )


def is_partitioned(name: str, parts: Mapping[Path, str]) -> bool:
    """Whether folders such as year=2024 are columns; then all parts are in such folders."""
    if not any("=" in part.parent.name for part in parts):
        return False
    keys = {part: [n.partition("=")[0] for n in part.parent.parts if "=" in n] for part in parts}
    first, *others = parts
    for part in others:
        if keys[part] != keys[first]:
            raise DataError(
                f"{parts[part]} of {name} is not in folders such as those of {parts[first]}; the parts of "
                "a table need the same columns"
            )
    return True


def check_own(name: str, part: Path, columns: Columns) -> None:
    """Refuse a folder named like a column of the files in it: nothing says which of the two counts."""
    folders = {n.partition("=")[0].lower(): n for n in part.resolve().parent.parts if "=" in n}
    for column in columns:
        if column.lower() in folders:
            raise DataError(
                f"{part.name} of {name} has a column {column!r} and stands in a folder "
                f"{folders[column.lower()]!r}, and only one of them can count; rename the other"
            )


def check_columns(name: str, columns: Mapping[str, Columns]) -> None:
    """Refuse parts whose columns are not those of the first, and name one."""
    (first, expected), *others = columns.items()
    for part, names_here in others:
        lacking = [column for column in expected if column not in names_here]
        more = [column for column in names_here if column not in expected]
        if lacking or more:
            what = f"lacks {lacking[0]!r}" if lacking else f"also has {more[0]!r}"
            raise DataError(
                f"{part} of {name} {what}, unlike {first}; the parts of a table need the same columns"
            )
        if [*names_here] != [*expected]:
            raise DataError(
                f"{part} of {name} has its columns in another order than {first}; write them in one order"
            )


def damaged(
    name: str, parts: Mapping[Path, str], whole: Callable[[Path], bool], why: Callable[[Path], str]
) -> str:
    """Say which part of a table cannot be read: the first that is not ``whole``, and ``why``."""
    for part, called in parts.items():
        try:
            part.open("rb").close()
        except FileNotFoundError:
            return f"{called} of {name} is gone, or a link to nothing; write it again, or remove it"
        except OSError:
            return f"{called} of {name} may not be read: no permission. Change its access rights"
        if not whole(part):
            return why(part)
    return f"the {len(parts)} files of {name} cannot be read as one table"
