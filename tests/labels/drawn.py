"""A judged file, sheets drawn from it, and people who fill them in."""

import csv
from pathlib import Path

import numpy as np

import tallymark as tm

SIZE = 3000
COLUMN = 'judge "x"; score'


def judged(seed=4):
    """Ids, a judge's score from 1 to 5, an awkward text, and what people would say of each."""
    rng = np.random.default_rng(seed)
    true = rng.normal(size=SIZE)
    judge = np.clip(np.round(3.6 + 0.9 * true + 0.6 * rng.normal(size=SIZE)), 1, 5).astype(int)
    human = np.clip(np.round(3 + true + 0.3 * rng.normal(size=SIZE)), 1, 5).astype(int)
    columns = {
        "id": [f"r{i:04d}" for i in range(SIZE)],
        COLUMN: judge.tolist(),
        "answer": [f'=1+{i}; "no", <script>\nsecond line' for i in range(SIZE)],
        "lang": np.array(["en", "de"])[rng.integers(0, 2, SIZE)].tolist(),
        "sure": np.round(rng.random(SIZE), 3).tolist(),
    }
    return columns, dict(zip(columns["id"], human.tolist(), strict=True))


def write(path: Path, columns) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([[*columns], *zip(*columns.values(), strict=True)])
    return path


def filled(sheet: "tm.labels.LabelSheet", human, *, share=1.0, seed=1):
    """The columns of a sheet with labels: each rater gives that of people, or a point more."""
    rng = np.random.default_rng(seed)
    columns = {
        name: [*values]
        for name, values in zip(sheet.columns, zip(*sheet.rows, strict=True), strict=True)
    }
    for place, name in enumerate(n for n in columns if n.startswith("drawn_label")):
        columns[name] = [
            str(min(human[key] + (rng.random() < 0.2 * place), 5)) if rng.random() < share else ""
            for key in columns["id"]
        ]
    return columns
