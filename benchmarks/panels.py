"""Panels in memory: Tallymark beside the krippendorff package.

``panels.py FOLDER`` prints CPU seconds as JSON, ``panels.py FOLDER intervals`` those of our
intervals; ``panels.py FOLDER alone`` computes them once and nothing else, so that the memory of the
program is ours.
"""

import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from clock import side_by_side

import tallymark as tm

STATISTICS = {
    "AC2": ("gwet_ac", {"weights": "quadratic"}),
    "Fleiss, quadratic": ("fleiss_kappa", {"weights": "quadratic"}),
    "alpha, interval": ("krippendorff_alpha", {"metric": "interval"}),
    "alpha, ordinal": ("krippendorff_alpha", {"metric": "ordinal"}),
}
LEVELS = {"alpha, interval": "interval", "alpha, ordinal": "ordinal"}
POINTS = np.arange(1.0, 7)


def intervals(folder: Path) -> dict[str, Callable[[], Any]]:
    """Our estimates with 1,000 replicates."""
    ratings = np.load(folder / "panel.npy")
    return {
        f"{what} with interval": partial(
            tm.estimate, name, ratings, scale="1:6", replicates=1000, **params
        )
        for what, (name, params) in STATISTICS.items()
    }


def main(folder: Path) -> None:
    import krippendorff

    ratings, two = np.load(folder / "panel.npy"), np.load(folder / "two.npy")
    points: dict[str, Callable[[], Any]] = {
        what: partial(getattr(tm.metrics, name), ratings, scale="1:6", **params)
        for what, (name, params) in STATISTICS.items()
    }
    theirs = {
        f"{what} by krippendorff": partial(
            krippendorff.alpha,
            reliability_data=ratings.T,
            level_of_measurement=level,
            value_domain=POINTS,
        )
        for what, level in LEVELS.items()
    }
    for what in LEVELS:
        ours, peer = points[what](), theirs[f"{what} by krippendorff"]()
        if abs(ours - peer) > 1e-9:
            raise SystemExit(f"different values cannot be compared in time: {ours} and {peer}")
    icc = {
        "ICC": partial(tm.metrics.icc, two),
        "ICC with interval": partial(tm.estimate, "icc", two, interval="analytic"),
    }
    found = side_by_side({**points, **theirs}) | side_by_side(intervals(folder))
    print(json.dumps(found | side_by_side(icc)))


if __name__ == "__main__":
    where = Path(sys.argv[1])
    if sys.argv[2:] == ["intervals"]:
        print(json.dumps(side_by_side(intervals(where))))
    elif sys.argv[2:]:
        for call in intervals(where).values():
            call()
    else:
        main(where)
