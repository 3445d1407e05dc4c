"""Hostile files by seed, and an independent reader of ten lines that says what is in them."""

import csv
import gzip
import io
import json
import math
import random
import re
from pathlib import Path

import polars as pl

from tests.sources.workbooks import write_workbook

Pairs = list[tuple[float, float]]
FORMATS = ("csv", "csv", "tsv", "csv.gz", "jsonl", "jsonl.gz", "parquet", "xlsx")
ODD_CELLS = (
    "3,5", "3/5", "1_0", " 3 ", "+3", "-1", "1e1", "1e308", "9" * 50, "NaN", "nan", "inf", "-inf",
    "", "  ", "n/a", "#N/A", "=A1+1", "'3", "３", "3\u00a0", "\u200b3", "0x3", "1.", ".5", "1e",
    "TRUE", "1;2", "é", "💥", 'a"b', "a,b", "a\nb", "a\tb", "3\r", "a\r\nb", "\\", "null", "{}", "--",
)  # fmt: skip
ODD_NAMES = (
    "", "H1", "h1", "Engine", "a b", "é", 'q"q', "a,b", "a\nb", "a\r\nb", "x" * 400, "1", "conf",
    "h2", "gender", "prompt", "v0", "c0", "row", "select", "'; DROP TABLE x; --", "tallymark row",
)  # fmt: skip
_NUMBER = re.compile(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?")


class Refused(Exception):  # noqa: N818 - what the reader expects of us
    """The file must not be accepted."""


def table(rng: random.Random) -> list[list[str]]:
    """A header and rows: scores of a person and a system among others, now and then odd."""
    names = ["h1", "engine", *rng.sample(ODD_NAMES, rng.choice([0, 0, 1, 2, 4]))]
    rng.shuffle(names)
    odd = rng.choice([0, 0, 0.02, 0.3])
    rows = [
        [rng.choice(ODD_CELLS) if rng.random() < odd else str(rng.randint(1, 4)) for _ in names]
        for _ in range(rng.choice([0, 1, 5, 12, 30]))
    ]
    return [names, *rows]


def as_bytes(rng: random.Random, kind: str, rows: list[list[str]], folder: Path) -> bytes:
    """Write the table in a format, in one of the ways in which programs write it."""
    if kind.endswith(".gz"):
        return gzip.compress(as_bytes(rng, kind.removesuffix(".gz"), rows, folder))
    names, *data = rows
    if kind == "jsonl":
        records = [dict(zip(names, row, strict=True)) for row in data]
        return "\n".join(json.dumps(record) for record in records).encode()
    if kind == "xlsx":
        strange = re.compile(r"[&<>\x00-\x1f]")
        clean = [[strange.sub(" ", cell) or None for cell in row] for row in rows]
        return write_workbook(folder / "w.xlsx", {"scores": clean}).read_bytes()
    if kind == "parquet":
        named = {
            f"{name or 'x'}{i if names.count(name) > 1 else ''}": i for i, name in enumerate(names)
        }
        columns = {name: [row[i] for row in data] for name, i in named.items()}
        pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String)).write_parquet(folder / "p")
        return (folder / "p").read_bytes()
    out = io.StringIO(newline="")
    end = rng.choice(["\n", "\r\n", "\n", "\r"])
    delimiter = "\t" if kind == "tsv" else ","
    csv.writer(
        out, delimiter=delimiter, quoting=1 if rng.random() < 0.5 else 0, lineterminator=end
    ).writerows(rows)
    text = out.getvalue()
    if rng.random() < 0.2:
        text = text.rstrip("\r\n")
    encoding = rng.choice(["utf-8"] * 8 + ["utf-8-sig", "latin-1", "utf-16"])
    return text.encode(encoding, "replace")


def damaged(rng: random.Random, content: bytes) -> bytes:
    """Flip bits, cut off, or put bytes where none belong."""
    changed = bytearray(content)
    how = rng.choice(["flip", "flip", "many", "cut", "insert", "repeat"])
    place = rng.randrange(len(changed))
    if how in ("flip", "many"):
        for _ in range(1 if how == "flip" else 20):
            changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    elif how == "cut":
        del changed[place:]
    elif how == "insert":
        changed[place:place] = rng.choice([b"\0", b'"', b"\r", b"\n", b",", b"\xff\xfe", b"\xf6"])
    else:
        changed += changed[place:]
    return bytes(changed)


def hostile(seed: int, folder: Path) -> tuple[Path, list[list[str]], bool]:
    """The file of a seed, what was to be written, and whether it was damaged."""
    rng = random.Random(seed)
    kind = rng.choice(FORMATS)
    rows = table(rng)
    content = as_bytes(rng, kind, rows, folder)
    harmed = bool(content) and rng.random() < 0.6
    path = folder / f"scores.{kind}"
    path.write_bytes(damaged(rng, content) if harmed else content)
    return path, rows, harmed


def read_again(path: Path, rows: list[list[str]]) -> Pairs:
    """Read the pairs of scores that are there; refuse what is no table of numbers."""
    kind = path.name.removeprefix("scores.").removesuffix(".gz")
    if kind in ("csv", "tsv", "jsonl"):
        content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        text = content.decode("utf-8-sig")
        if kind == "jsonl":
            records = [json.loads(line) for line in text.split("\n") if line.strip()]
            return pairs([[record.get("h1"), record.get("engine")] for record in records])
        delimiter = "\t" if kind == "tsv" else ","
        rows = [
            row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if row
        ]
        # empty fields beyond the header's say nothing
        if any(len(row) < len(rows[0]) or any(row[len(rows[0]) :]) for row in rows):
            raise Refused
    names = [name.strip() for name in rows[0]]
    return pairs([[row[names.index(name)] for name in ("h1", "engine")] for row in rows[1:]])


def pairs(cells: list[list[object]]) -> Pairs:
    """Scores of both, of the responses that have both."""
    read = [[number(cell) for cell in row] for row in cells]
    return sorted((a, b) for a, b in read if not math.isnan(a + b))


def number(cell: object) -> float:
    """A number as people write it; NaN for none."""
    text = "" if cell is None else str(cell).strip()
    if text.casefold() in ("", "nan", "-nan", "+nan"):
        return math.nan
    if not _NUMBER.fullmatch(text) or abs(float(text)) > 1e12:
        raise Refused
    return float(text)
