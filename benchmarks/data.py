"""Make the scores that all programs are given: ``data.py FOLDER``."""

import sys
from pathlib import Path

import duckdb
import numpy as np

from tallymark.simulate import Rater, System, simulate

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


def _write(path: Path, columns: dict[str, np.ndarray]) -> None:
    with duckdb.connect() as connection:
        connection.register("scores", columns)
        connection.execute(f"COPY scores TO '{path}' (HEADER)")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
