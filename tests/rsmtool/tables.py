"""Comparing tables that two programs wrote."""

import csv
import math

TOLERANCE = 1e-6


def differences(ours: str, theirs: str, delimiter: str = ",") -> list[str]:
    """Every cell that differs, whatever the order of rows and columns."""
    heading, *rows = csv.reader(ours.splitlines(), delimiter=delimiter)
    expected, *lines = csv.reader(theirs.splitlines(), delimiter=delimiter)
    if sorted(heading) != sorted(expected) or len(rows) != len(lines):
        return [f"{len(rows)} rows of {heading}, expected {len(lines)} of {expected}"]
    rows, lines = sorted(rows, key=lambda row: row[0]), sorted(lines, key=lambda row: row[0])
    return [
        f"{line[0]}, {name}: {row[heading.index(name)]}, expected {cell}"
        for row, line in zip(rows, lines, strict=True)
        for name, cell in zip(expected, line, strict=True)
        if not same(row[heading.index(name)], cell)
    ]


def same(ours: str, theirs: str) -> bool:
    """Whether two cells hold the same text or nearly the same number."""
    if ours == theirs:
        return True
    try:
        first, second = (float(cell or "nan") for cell in (ours, theirs))
    except ValueError:
        return False
    return abs(first - second) <= TOLERANCE or (math.isnan(first) and math.isnan(second))
