"""Folders: a table in several files, Parquet or CSV, named by their folder or a pattern."""

from collections.abc import Callable, Mapping, Sequence
from glob import glob
from pathlib import Path

from tallymark.errors import DataError

_KINDS = {".parquet": "parquet", ".pq": "parquet", ".csv": "csv", ".tsv": "tsv", ".tab": "tsv"}
Columns = Sequence[str]


def parts_of(path: Path) -> list[Path]:
    """The files of a folder or a pattern, in order; none where the path is a file.

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
    return sorted(part for part in shown if kind_of(part) and part.is_file())


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


def is_partitioned(parts: Sequence[Path]) -> bool:
    """Whether folders such as year=2024 are columns."""
    return any("=" in part.parent.name for part in parts)


def check_columns(name: str, columns: Mapping[Path, Columns]) -> None:
    """Refuse parts whose columns are not those of the first, and name one."""
    (first, expected), *others = columns.items()
    for part, names_here in others:
        lacking = [column for column in expected if column not in names_here]
        more = [column for column in names_here if column not in expected]
        if lacking or more:
            what = f"lacks {lacking[0]!r}" if lacking else f"also has {more[0]!r}"
            raise DataError(
                f"{part.name} of {name} {what}, unlike {first.name}; the parts of a table need the "
                "same columns"
            )
        if [*names_here] != [*expected]:
            raise DataError(
                f"{part.name} of {name} has its columns in another order than {first.name}; write "
                "them in one order"
            )


def damaged(
    name: str, parts: Sequence[Path], whole: Callable[[Path], bool], why: Callable[[Path], str]
) -> str:
    """Say which part of a table cannot be read: the first that is not ``whole``, and ``why``."""
    for part in parts:
        try:
            part.open("rb").close()
        except OSError:
            return f"{part.name} of {name} may not be read: no permission. Change its access rights"
        if not whole(part):
            return why(part)
    return f"the {len(parts)} files of {name} cannot be read as one table"
