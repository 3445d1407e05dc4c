"""Goldens of planning: responses for an interval of a given width."""

import numpy as np

import tallymark as tm
from tallymark.planning.sizes import qwk_fisher, qwk_normal
from tests.goldens import Golden, check, claimed

HERE = "tests/planning/test_goldens.py"


@claimed(f"{HERE}::test_responses_for_a_width")
def test_responses_for_a_width(golden: Golden) -> None:
    given = golden.input
    table = np.array(given["pilot_table"])
    first, second = (np.repeat(axis.ravel(), table.ravel()) for axis in np.indices(table.shape))
    plan = tm.plan.width(
        {"gold": first, "engine": second},
        half_width=given["half_width"],
        gold="gold",
        systems=["engine"],
        scale="0:3",
    )
    row = {cells[0]: cells[1] for cells in plan.tables[0].rows}
    found = {
        "n_normal_wald": qwk_normal(given["rho"], given["half_width"]),
        "n_fisher_z": qwk_fisher(given["rho"], given["half_width"]),
        "n_pilot": row[f"{given['half_width']:g}"],
    }
    check(found, golden)
