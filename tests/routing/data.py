"""Simulated responses whose confidence tells critical errors."""

import csv
from typing import Any

import numpy as np

SCALE = "1:6"
OPTIONS = {"scale": SCALE}


def responses(n, seed, *, ids="C", worse=0.0, lower=0.0, people=1):
    """Columns: on a scale of six points a slip of three is a critical error at lambda .4."""
    rng = np.random.default_rng(seed)
    gold = rng.integers(1, 7, n)
    confidence = np.clip(rng.beta(4, 2, n) - lower, 0, 1).round(4)
    slip = rng.random(n) < np.clip(0.5 * (1 - confidence) ** 2 + worse, 0, 1)
    system = np.where(slip, gold + np.where(gold > 3, -3, 3), gold)
    columns = {
        "id": [f"{ids}{i}" for i in range(n)],
        "prompt": rng.choice(["essay", "letter"], n).tolist(),
        "sex": rng.choice(["x", "y"], n).tolist(),
        "h1": gold.tolist(),
        "engine": (system + rng.choice([-0.3, 0, 0.3], n)).clip(1, 6).round(2).tolist(),
        "sure": confidence.tolist(),
    }
    if people > 1:
        near = np.clip(gold + rng.choice([-3, -1, 0, 1], n, p=[0.1, 0.2, 0.5, 0.2]), 1, 6)
        columns["h2"] = near.tolist()
    return columns


def write(path, columns):
    """Write columns as CSV; None is an empty cell."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        rows = zip(*columns.values(), strict=True)
        writer.writerows(["" if cell is None else cell for cell in row] for row in rows)
    return path


PLAIN: dict[str, Any] = {"system": "engine", "confidence": "sure", "scale": "1:6"}


def terms(**given) -> dict[str, Any]:
    return {"alpha": 0.05, "lambda_": 0.4, **given}


def by(method) -> dict[str, Any]:
    """The keyword of a method."""
    return {"dev_zero": True} if method == "dev_zero" else {"method": method}


def wrong_of(columns, score="engine"):
    return np.abs(np.array(columns["h1"]) - np.round(columns[score])) >= 2
