"""Agreement by irrCAC: ``irrcac.py FOLDER SIZE ...`` prints CPU seconds as JSON.

Gwet's AC2 of two raters, by number of rows, and the coefficients of a panel, by name.

Runs in an environment of its own, without Tallymark: irrCAC needs an older NumPy.
"""

import json
import sys
from pathlib import Path

import numpy as np
import pandas as pd
from clock import side_by_side
from irrCAC.raw import CAC


def main(folder: Path, sizes: list[str]) -> None:
    frames = {
        n: pd.DataFrame({who: np.load(folder / f"{who}-{n}.npy") for who in ("gold", "engine")})
        for n in sizes
    }
    calls = {
        n: lambda frame=frame: CAC(frame, weights="quadratic", categories=[*range(1, 7)]).gwet()
        for n, frame in frames.items()
    }
    panel = pd.DataFrame(np.load(folder / "panel.npy"))
    methods = {"AC2": "gwet", "Fleiss, quadratic": "fleiss", "alpha, interval": "krippendorff"}
    for what, method in methods.items():
        calls[what] = lambda method=method: getattr(
            CAC(panel.copy(), weights="quadratic", categories=[*range(1, 7)]), method
        )()
    print(json.dumps(side_by_side(calls)))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
