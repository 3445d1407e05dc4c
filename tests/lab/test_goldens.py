"""Goldens of the experiments of Yannakoudakis & Cummins (2015), at their own tolerance."""

from functools import cache

from tallymark.lab import LabRun, run
from tallymark.lab.rulings import AC_L, AC_Q, BP_L, BP_Q, EXACT, KAPPA_L, KAPPA_Q, MAE
from tests.goldens import Golden, check, claimed

HERE = "tests/lab/test_goldens.py"
FIELDS = {
    "cohen_l": KAPPA_L,
    "bp_l": BP_L,
    "ac_l": AC_L,
    "cohen_q": KAPPA_Q,
    "bp_q": BP_Q,
    "ac_q": AC_Q,
    "PA": EXACT,
    "MAE": MAE,
}
EXPERIMENTS = {
    "SIM-Y1": ("trait-prevalence", "sd"),
    "SIM-Y2": ("marginal-homogeneity", "wrong_mean"),
    "SIM-Y4": ("error-magnitude", "magnitude"),
}


@cache
def ran(name: str) -> LabRun:
    return run(name, seed=11)


@claimed(f"{HERE}::test_curves_of_yannakoudakis_and_cummins")
def test_curves_of_yannakoudakis_and_cummins(golden: Golden):
    name, axis = EXPERIMENTS[golden.input["procedure"]]
    done = ran(name)
    found = {}
    for field, statistic in FIELDS.items():
        trace = done.traces.of(statistic)
        (place,) = [i for i, x in enumerate(trace.x) if x == golden.input[axis]]
        found[field] = float(trace.mean[place])
    check(found, golden)
    exact = (
        ("bp_l", "MAE") if golden.input["procedure"] == "SIM-Y2" else ("bp_l", "bp_q", "PA", "MAE")
    )
    assert all(abs(found[field] - golden.expected[field]) < 1e-9 for field in exact)
