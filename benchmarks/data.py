"""Make the scores that all programs are given: ``data.py FOLDER``, or those of panels alone."""

import sys
from pathlib import Path

import duckdb
import numpy as np

from tallymark.simulation import Rater, System, simulate

SIZES = (200, 1_000, 100_000, 1_000_000)


def main(folder: Path) -> None:
    for n in SIZES:
        made = simulate(
            n,
            scale="1:6",
            raters=[Rater("h1", noise=0.5), Rater("h2", noise=0.5)],
            systems=[
                System("engine", noise=0.4),
                System("continuous", noise=0.4, rounded=False),
            ],
            seed=1,
        ).columns()
        np.save(folder / f"gold-{n}.npy", made["h1"].astype(np.int64))
        np.save(folder / f"engine-{n}.npy", made["engine"].astype(np.int64))
        whole = {name: made[name].astype(np.int64) for name in ("h1", "h2", "engine")}
        _write(folder / f"whole-{n}.csv", whole)
        _write(folder / f"continuous-{n}.csv", whole | {"engine": made["continuous"]})
    _panels(folder)


def _panels(folder: Path) -> None:
    """Ten raters of 100,000 responses with 30 % missing, and two of 60,000 without gaps."""
    names = [f"r{i}" for i in range(10)]
    raters = [Rater(name, noise=0.5) for name in names]
    made = simulate(100_000, scale="1:6", raters=raters, seed=1).columns()
    ratings = np.stack([made[name] for name in names], axis=1).astype(np.float64)
    np.save(folder / "two.npy", ratings[:60_000, :2])
    ratings[np.random.default_rng(1).random(ratings.shape) < 0.3] = np.nan
    np.save(folder / "panel.npy", ratings)


def _write(path: Path, columns: dict[str, np.ndarray]) -> None:
    with duckdb.connect() as connection:
        connection.register("scores", columns)
        connection.execute(f"COPY scores TO '{path}' (HEADER)")


if __name__ == "__main__":
    if sys.argv[2:] == ["panels"]:
        _panels(Path(sys.argv[1]))
    else:
        main(Path(sys.argv[1]))
