"""RSMTool trims with a tolerance and rounds halves to the even number."""

import numpy as np

from tallymark.rsmtool.analysis import whole
from tallymark.tally import trim
from tests.goldens import Golden, check, claimed


@claimed("tests/rsmtool/test_rounding.py::test_trimming")
def test_trimming(golden: Golden) -> None:
    given = golden.input
    trimmed = trim(given["values"], given["min"], given["max"], tolerance=given["tolerance"])
    check({"trimmed": trimmed.tolist(), "rounded": whole(trimmed).tolist()}, golden)


def test_halves_go_to_the_even_number():
    assert whole(np.array([0.5, 1.5, 2.5, 3.5, -0.5])).tolist() == [0, 2, 2, 4, 0]
