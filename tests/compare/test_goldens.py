"""Goldens of the comparison of systems, at their own tolerance."""

import numpy as np
import pytest

from tallymark.catalogue import find
from tallymark.inference.multiplicity import holm
from tallymark.inference.permutation import Stratum, swap_test
from tallymark.study.rows import Rows
from tallymark.study.units import units_of
from tests.goldens import Golden, check, claimed

HERE = "tests/compare/test_goldens.py"


@claimed(f"{HERE}::test_exact_permutation")
def test_exact_permutation(golden: Golden):
    given = golden.input
    columns = [np.array(given[name], dtype=float) for name in ("gold", "sys1", "sys2")]
    scores, n = np.stack(columns, axis=1), len(columns[0])
    points, single = np.arange(1.0, 5.0), np.ones(n, dtype=np.int64)
    first, second = (
        units_of("cells", Rows(scores[:, [0, j]], single, points, np.arange(n))) for j in (1, 2)
    )
    qwk = find("qwk").value
    stratum = Stratum(first.rows, second.rows, np.arange(n), [lambda s: qwk(first.build(s))])
    found = swap_test([stratum], single, studentised=False)
    assert found.exact
    check(
        {
            "diff": found.differences[0],
            "p_two_sided": found.p_values[0],
            "n_perm": found.permutations,
        },
        golden,
    )


@claimed(f"{HERE}::test_holm")
def test_holm(golden: Golden):
    check({"adjusted": holm(golden.input["p"])}, golden)
    assert holm([]) == []
    assert holm([0.01, float("nan"), 0.04])[0] == pytest.approx(0.02)
