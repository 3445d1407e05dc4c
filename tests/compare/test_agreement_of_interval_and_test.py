"""The interval of a difference excludes 0 just where its test rejects, sample by sample."""

from itertools import product
from typing import Any

import numpy as np
import pytest

from tallymark.inference import Settings
from tests.compare.populations import nearly_identical

LEVELS = (0.8, 0.95)
DESIGNS: dict[str, dict[str, Any]] = {
    "responses": {"n": 60},
    "eight responses, exact": {"n": 8, "changed": 1.0},
    "clusters": {"n": 80, "clusters": 16},
    "six clusters, exact": {"n": 60, "clusters": 6, "changed": 1.0},
    "prompts": {"n": 90, "prompts": 3},
}


@pytest.mark.parametrize(("name", "level"), list(product(DESIGNS, LEVELS)))
def test_p_and_interval_say_the_same(name, level):
    settings = Settings(level=level, replicates=199)
    design = {"changed": 0.4, **DESIGNS[name]}  # so many that six responses or clusters differ
    made = nearly_identical(worse=1.5, runs=25, settings=settings, **design)
    found = [one for one in made if not np.isnan(one.low)]
    assert len(found) > 10
    for one in found:
        assert (one.p <= 1 - level + 1e-9) == (one.low > 0 or one.high < 0)
