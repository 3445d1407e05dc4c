"""Intraclass correlations by pingouin: ``intraclass.py FOLDER`` prints CPU seconds as JSON.

Runs in an environment of its own, without Tallymark.
"""

import json
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pingouin
from clock import side_by_side


def main(folder: Path) -> None:
    two = np.load(folder / "two.npy")
    responses, raters = two.shape
    long = pd.DataFrame(
        {
            "response": np.repeat(np.arange(responses), raters),
            "rater": np.tile(np.arange(raters), responses),
            "score": two.ravel(),
        }
    )
    found = side_by_side(
        {"ICC": lambda: pingouin.intraclass_corr(long, "response", "rater", "score")}
    )
    print(json.dumps(found | {"version": pingouin.__version__}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
