"""One rating split by variance components: what is error, what is severity, and what is true."""

import numpy as np

from tallymark.reliability.ceiling import single_rating_of
from tallymark.reliability.generalizability import Components


def test_components_below_0_count_as_0_and_nested_severity_once():
    parts = Components(np.array(-0.1), np.array(-0.2), np.array(1.0))
    assert [float(part) for part in single_rating_of(parts)] == [0.0, 1.0, 0.0]
    nested = Components(np.array(2.0), np.array(np.nan), np.array(1.0))
    assert single_rating_of(nested).severity == 0.0
