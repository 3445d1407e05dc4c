"""Every figure for a number of groups, points, raters or systems."""

import math
import random

from tallymark.render.figures.records import Mark, RaterPoint, Series, Whisker
from tallymark.results import Curve, Matrix, ResultTable
from tests.figures.every import figures

NAN = math.nan
NAMES = (
    "all",
    "<script>alert('x')</script>",
    "Candidates whose first language is neither English nor Spanish, evening session",
    "日本語を第一言語とする受験者の長い名前のグループ",
    "MMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMM",
    "a",
    '"; DROP TABLE groups; --',
)
LIMITS = (
    Mark(0.7, "limit .70"),
    Mark(0.8, "human-human .80", "people"),
    Mark(0.896, "theoretical .90", "ceiling"),
)


def name(i):
    return NAMES[i] if i < len(NAMES) else f"group {i}"


def rows(groups, *, centre=0.75, spread=0.1):
    drawn = random.Random(groups)
    found = []
    for i in range(groups):
        value = centre + spread * (drawn.random() - 0.5)
        half = 0.02 + 0.1 * drawn.random() ** 3
        text = f"{value:.3f} [{value - half:.3f}, {value + half:.3f}]"
        state = ("", "met", "not met", "undecided")[i % 4]
        found.append(
            Whisker(name(i), value, value - half, value + half, text, 10**i % 99991, state, i % 8)
        )
    return found


def matrix(points):
    drawn = random.Random(points)
    labels = tuple(str(i) for i in range(points))
    values = tuple(
        tuple(round(400 * math.exp(-((i - j) ** 2)) * drawn.random()) for j in range(points))
        for i in range(points)
    )
    return Matrix(
        name="confusion",
        subset=0,
        row_title="gold",
        rows=labels,
        column_title=NAMES[2],
        columns=labels,
        values=values,
    )


def given(points, givers=2):
    counts = [(i * 7 + j * 3) % 11 for i in range(points) for j in range(givers)]
    return Matrix(
        name="distribution",
        subset=0,
        row_title="score",
        rows=tuple(str(i) for i in range(points)),
        column_title="given by",
        columns=tuple(name(j) for j in range(givers)),
        values=tuple(tuple(counts[i * givers : (i + 1) * givers]) for i in range(points)),
    )


def curve(points, kind="risk_coverage", rise=0.05):
    x = tuple((i + 1) / points for i in range(points))
    y = tuple(0.01 + rise * value for value in x)
    low, high = tuple(v * 0.5 for v in y), tuple(v * 1.7 for v in y)
    return Curve(
        name=kind, subset=0, x_title="coverage", y_title="CSRate", x=x, y=y, low=low, high=high
    )


def ranks(systems):
    columns = ("system", "value", "low", "high", "rank", "rank_low", "rank_high", "share_first")
    found = tuple(
        (name(i), 0.9 - i / 100, 0.85 - i / 100, 0.93 - i / 100, i + 1, max(1, i), i + 2, 0.1)
        for i in range(systems)
    )
    return ResultTable(name="ranking", title="QWK", columns=columns, rows=found)


def agreeing(raters):
    names = [name(i) for i in range(raters)]
    values = {(names[i], names[j]): 0.9 - 0.02 * (i + j) for i in range(raters) for j in range(i)}
    return names, values


def sweep(lines):
    x = [i / 20 for i in range(21)]
    return [
        Series(name(i), x, [v * (1 - v) + i / 500 for v in x], series=i + 1) for i in range(lines)
    ]


SAMPLES = {
    "intervals": lambda n, **k: figures.intervals(rows(n), LIMITS, title="QWK", x_title="QWK", **k),
    "forest": lambda n, **k: figures.forest(rows(n, centre=0, spread=0.5), **k),
    "ladder": lambda n, **k: figures.ladder(rows(4, spread=0.2), rows(n), **k),
    "confusion": lambda n, **k: figures.confusion(matrix(n), **k),
    "calibration": lambda n, **k: figures.calibration(matrix(n), **k),
    "distribution": lambda n, **k: figures.distribution(given(n), **k),
    "givers": lambda n, **k: figures.distribution(given(6, n), **k),
    "lines": lambda n, **k: figures.lines(
        sweep(n),
        title="sweep",
        x_title="share of passes",
        y_title="kappa",
        marks=LIMITS[:1],
        **k,
    ),
    "curves": lambda n, **k: figures.curves([curve(30, f"c{i}", i / 50) for i in range(n)], **k),
    "d_study": lambda n, **k: figures.d_study(
        [curve(n, "generalizability", 0.8), curve(n, "dependability", 0.7)], **k
    ),
    "risk_coverage": lambda n, **k: figures.risk_coverage(
        curve(n), curve(n, "risk_upper", 0.09), curve(n, "threshold", 0.9), limit=0.05, **k
    ),
    "severity": lambda n, **k: figures.severity(
        [
            RaterPoint(row, 0.7 + i % 3 / 2, 1.1)
            for i, row in enumerate(rows(n, centre=0, spread=3))
        ],
        **k,
    ),
    "ranking": lambda n, **k: figures.ranking(ranks(n), **k),
    "heatmap": lambda n, **k: figures.heatmap(*agreeing(max(n, 2)), statistic="QWK", **k),
}
MANY = {"givers": 6, "lines": 8, "curves": 8}
"""Figures that decline before there are forty."""
