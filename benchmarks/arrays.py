"""Two sequences of scores in memory: Tallymark beside scikit-learn and SciPy.

``arrays.py FOLDER`` prints CPU seconds as JSON, by number of rows.
"""

import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from clock import side_by_side
from scipy.stats import bootstrap
from sklearn.metrics import cohen_kappa_score

import tallymark as tm
from tallymark.agreement.kappa import cohen_kappa
from tallymark.inference import Formula, estimate_all
from tallymark.study.units import Rows, units_of

REPLICATES = 2000
RUN_BY_SCIPY = {1_000: 200, 100_000: 20, 1_000_000: 3}
"""Replicates that SciPy really makes; the rest is extrapolated."""


def main(folder: Path) -> None:
    found = {str(n): _both(folder, n) for n in RUN_BY_SCIPY}
    tallied = {str(n): _tallied(*_scores(folder, n)) for n in RUN_BY_SCIPY}
    for n, seconds in side_by_side(tallied).items():
        found[n]["bootstrap of QWK, once tallied"] = seconds
    print(json.dumps(found))


def _scores(folder: Path, n: int) -> tuple[np.ndarray, np.ndarray]:
    return np.load(folder / f"gold-{n}.npy"), np.load(folder / f"engine-{n}.npy")


def _both(folder: Path, n: int) -> dict[str, float]:
    gold, engine = _scores(folder, n)
    frame = {"gold": gold, "engine": engine}
    given: dict[str, Any] = {"weights": "quadratic", "scale": "1:6"}
    calls: dict[str, Callable[[], Any]] = {
        "QWK": lambda: tm.metrics.quadratic_weighted_kappa(gold, engine),
        "QWK by scikit-learn": lambda: cohen_kappa_score(gold, engine, weights="quadratic"),
        "AC2": lambda: tm.metrics.gwet_ac(gold, engine, **given),
    }
    intervals: dict[str, Callable[[], Any]] = {
        "QWK with BCa": lambda: tm.estimate("cohen_kappa", gold, engine, **given),
        "AC2 with BCa": lambda: tm.estimate("gwet_ac", gold, engine, **given),
        "all with BCa": lambda: tm.evaluate(frame, gold="gold", systems=["engine"], scale="1:6"),
        "QWK bootstrap by scipy": lambda: _by_scipy(gold, engine, RUN_BY_SCIPY[n]),
    }
    ours, theirs = calls["QWK"](), calls["QWK by scikit-learn"]()
    if abs(ours - theirs) > 1e-9:
        raise SystemExit(f"different values cannot be compared in time: {ours} and {theirs}")
    found = side_by_side(calls) | side_by_side(intervals)
    found["QWK bootstrap by scipy"] *= REPLICATES / RUN_BY_SCIPY[n]
    return found


def _by_scipy(gold: np.ndarray, engine: np.ndarray, replicates: int) -> Any:
    """Percentile only: SciPy's BCa would score all rows once more for every row left out."""
    return bootstrap(
        (gold, engine),
        lambda a, b: cohen_kappa_score(a, b, weights="quadratic"),
        n_resamples=replicates,
        batch=1,
        paired=True,
        vectorized=False,
        method="percentile",
        rng=np.random.default_rng(1),
    )


def _tallied(gold: np.ndarray, engine: np.ndarray) -> Callable[[], Any]:
    """Return the bootstrap of scores that are tallied already."""
    rows = Rows(np.stack([gold, engine], 1) * 1.0, np.ones(gold.size, np.int64), np.arange(1.0, 7))
    units = units_of("table", rows)
    formula = Formula(name="cohen_kappa", value=partial(cohen_kappa, weights="quadratic"))
    return lambda: estimate_all([formula], units)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
