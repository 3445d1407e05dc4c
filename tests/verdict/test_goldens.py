"""Goldens of limits: bands of kappa, acceptance after rounding, limits as commonly cited."""

from tallymark.questions.agreement import band
from tallymark.verdict.policy import policy_of
from tallymark.verdict.states import bounds_of, inside
from tests.goldens import Golden, check, claimed

HERE = "tests/verdict/test_goldens.py"


@claimed(f"{HERE}::test_bands_of_kappa")
def test_bands_of_kappa(golden: Golden):
    assert [band(value) for value in golden.input["values"]] == golden.expected["bands"]


@claimed(f"{HERE}::test_acceptance_rounds_normally")
def test_acceptance_rounds_normally(golden: Golden):
    given = golden.input
    bounds = bounds_of(given["threshold"], None, decimals=given["decimals"])
    assert [inside(value, bounds) for value in given["values"]] == golden.expected["accepted"]


@claimed(f"{HERE}::test_limits_as_commonly_cited")
def test_limits_as_commonly_cited(golden: Golden):
    limits = {(one.statistic, one.where): one for one in policy_of("williamson2012").limits}
    assert len(limits) == 6
    of_r = limits["degradation[pearson]", "overall"]
    of_qwk = limits["degradation[cohen_kappa[quadratic]]", "overall"]
    smd, group = (limits["smd[unpooled]", where] for where in ("overall", "every group"))
    assert of_r.at_least == of_qwk.at_least
    assert (smd.bounds.lower, group.bounds.lower) == (-smd.bounds.upper, -group.bounds.upper)
    check(
        {
            "qwk_min": limits["cohen_kappa[quadratic]", "overall"].at_least,
            "r_min": limits["pearson", "overall"].at_least,
            "degradation_max": -of_qwk.bounds.lower,
            "smd_abs_max": smd.bounds.upper,
            "subgroup_abs_max": group.bounds.upper,
        },
        golden,
    )
    assert {one.decide for one in limits.values()} == {"interval"}
    rounded = {text for (text, _), one in limits.items() if one.decimals == 2}
    assert rounded == {"cohen_kappa[quadratic]", "pearson"}
