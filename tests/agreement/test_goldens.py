"""Every golden of the agreement coefficients, at its own tolerance."""

import numpy as np
import pytest

import tallymark as tm
from tallymark.reliability.icc import mean_squares
from tallymark.tally import PanelMoments
from tests.goldens import Golden, check, claimed

HERE = "tests/agreement/test_goldens.py"
PARAMETERS = {"level": "metric", "custom_disagreement_weights": "weights"}
COEFFICIENTS = {
    "cohen": "cohen_kappa",
    "pi": "scott_pi",
    "bp": "brennan_prediger",
    "ac": "gwet_ac",
    "alpha": "krippendorff_alpha",
}
WORDS = {
    "exact_agreement": "percent_agreement",
    "accuracy": "percent_agreement",
    "po": "percent_agreement",
    "kappa": "cohen_kappa[identity]",
    "bp_quadratic": "brennan_prediger[quadratic]",
    "bp_linear": "brennan_prediger[linear]",
    "ac_identity": "gwet_ac[identity]",
    "ac_quadratic": "gwet_ac[quadratic]",
    "prevalence": "prevalence_doewes",
    "pa_identity": "percent_agreement",
}


def analytic(name, *args, **kwargs):
    return tm.estimate(name, *args, interval="analytic", **kwargs)


def of_dataset(golden: Golden, **kwargs):
    """Estimate what an agreement case asks for, on its data set and full scale."""
    dataset = golden.dataset
    params = {PARAMETERS.get(key, key): value for key, value in golden.params.items()}
    params.pop("method", None)
    if golden.case["coefficient"] == "percent_agreement":
        assert params.pop("weights") == "identity"
    data = {dataset["kind"]: dataset[dataset["kind"]], "scale": dataset.get("categories")}
    return tm.estimate(golden.case["coefficient"], **data, **params, **kwargs)


def check_dataset(golden: Golden):
    found = of_dataset(golden, interval="analytic")
    check(
        {
            **found.parts,
            "value": found.value,
            "se": found.se_analytic,
            "ci_low": found.low,
            "ci_high": found.high,
        },
        golden,
    )
    assert bool(found.why) >= bool(np.isnan(found.value))


@claimed(f"{HERE}::test_two_raters")
def test_two_raters(golden: Golden):
    check_dataset(golden)


@claimed(f"{HERE}::test_panels")
def test_panels(golden: Golden):
    check_dataset(golden)


@claimed(f"{HERE}::test_bootstrap")
def test_bootstrap(golden: Golden):
    found = of_dataset(golden, interval="percentile", replicates=20_000)
    check(
        {
            "boot_se": found.se,
            "boot_ci_low": found.low,
            "boot_ci_high": found.high,
            "boot_undefined_fraction": found.parts.get("undefined_share", 0.0),
        },
        golden,
    )


@claimed(f"{HERE}::test_published_tables")
def test_published_tables(golden: Golden):
    (table,) = golden.input.values()
    found = {}
    for key in golden.expected:
        name, weights = key.split(".")
        estimate = analytic(COEFFICIENTS[name], table=table, weights=weights)
        found[key] = {**estimate.parts, "coef": estimate.value}
    check(found, golden)


@claimed(f"{HERE}::test_panels_of_the_papers")
def test_panels_of_the_papers(golden: Golden):
    low, high = golden.input["scale"]
    found = {}
    for key in golden.expected:
        name = "fleiss_kappa" if key == "pi" else COEFFICIENTS[key]
        data = {"scale": f"{low}:{high}", "weights": golden.input["weights"]}
        estimate = analytic(name, golden.input["ratings"], **data)
        found[key] = {**estimate.parts, "coef": estimate.value, "se": estimate.se_analytic}
    check(found, golden)


@claimed(f"{HERE}::test_chance_agreement_of_brennan_prediger")
def test_chance_agreement_of_brennan_prediger(golden: Golden):
    table = np.eye(golden.input["K"], dtype=int)
    found = {
        f"pe_{weights}": analytic("brennan_prediger", table=table, weights=weights).parts["pe"]
        for weights in ("identity", "linear", "quadratic")
    }
    check(found, golden)


@claimed(f"{HERE}::test_closed_forms_of_the_figures")
def test_closed_forms_of_the_figures(golden: Golden):
    # wrong scores of one magnitude, at any gold score that allows them
    given, scale = golden.input, f"1:{golden.input['K']}"
    magnitude, wrong = given.get("magnitude", 2), given.get("fraction_wrong", 0.5)
    gold = np.tile([1, 2, 3], 40)
    system = np.where(np.arange(gold.size) < wrong * gold.size, gold + magnitude, gold)
    found = {
        key: analytic(WORDS.get(key, key), gold, system, scale=scale).value
        for key in golden.expected
    }
    assert analytic("mae", gold, system, scale=scale).value == given.get("mae", 0.5)
    check(found, golden)


@claimed(f"{HERE}::test_paradoxes")
def test_paradoxes(golden: Golden):
    data = doewes(golden.input)
    quadratic = analytic("qwk", **data)
    found = {
        "n": quadratic.n,
        "po_quadratic": quadratic.parts["pa"],
        "pe_quadratic": quadratic.parts["pe"],
        "pe": analytic("kappa", **data).parts["pe"],
    }
    for key in golden.expected.keys() - found.keys():
        found[key] = analytic(WORDS.get(key, key), **data).value
    check(found, golden)


def doewes(given):
    """The data of a case: a table, its diagonal, two sequences, or the head of two."""
    if "table" in given:
        return {"table": given["table"]}
    if "diag" in given:
        table = np.diag(given["diag"])
        table[0, 1] = given["n"] - sum(given["diag"])
        return {"table": table}
    low, high = given["scale"]
    rest = [given.get("fill")] * (given.get("N", 0) - len(given.get("a_head", [])))
    first, second = (given.get(key) or given[f"{key}_head"] + rest for key in "ab")
    return {"ratings": first, "second": second, "scale": f"{low}:{high}"}


@claimed(f"{HERE}::test_standard_errors")
def test_standard_errors(golden: Golden):
    table = golden.input["table"]
    forms = {"se.fce": fleiss_cohen_everitt, "se.gwet2": gwet, "se.corr": correlations}
    form = forms.get(golden.case["id"], abstractors)
    check(form(table, golden.expected), golden)


def fleiss_cohen_everitt(table, expected):
    found = {w: analytic("cohen_kappa", table=table, weights=w) for w in expected}
    return {
        w: {"kappa": e.value, "se": e.se_analytic, "se0": e.parts["se_null"]}
        for w, e in found.items()
    }


def gwet(table, expected):
    found = {}
    for key in expected:
        name, weights = key.split(".")
        found[key] = analytic(COEFFICIENTS[name], table=table, weights=weights).se_analytic
    return found


def correlations(table, expected):
    pearson, spearman, tau = (
        analytic(name, table=table) for name in ("pearson", "spearman", "kendall_tau_b")
    )
    return {
        "pearson": pearson.value,
        "pearson_ci": [pearson.low, pearson.high],
        "spearman": spearman.value,
        "spearman_z_se": spearman.parts["se_z"],
        "tau_b": tau.value,
        "tau_b_ase1": tau.se_analytic,
    }


def abstractors(table, expected):
    cohen, pi = (analytic(name, table=table) for name in ("cohen_kappa", "scott_pi"))
    n = np.sum(table)
    published = {
        "cohen": cohen.value,
        "cohen_se": cohen.se_analytic,
        "pi": pi.value,
        "pi_se": pi.se_analytic * np.sqrt((n - 1) / n),
    }
    return {
        "cohen": cohen.value,
        "cohen_se_fce": cohen.se_analytic,
        "pi": pi.value,
        "pi_se": pi.se_analytic,
        "published": published,
    }


@claimed(f"{HERE}::test_intraclass_correlations")
def test_intraclass_correlations(golden: Golden):
    ratings = np.array(golden.input["ratings"])
    squares = mean_squares(PanelMoments(PanelMoments.rows(ratings).sum(axis=0)))
    found: dict[str, object] = dict(zip(("MSB", "MSW", "MSC", "MSE"), squares, strict=True))
    for letter, number in (("1", "1"), ("A", "2"), ("C", "3")):
        for one in "1k":
            estimate = analytic("icc", ratings, type=f"{number},{one}")
            found[f"{letter},{one}"] = estimate.value
            found[f"{letter},{one}_ci"] = [estimate.low, estimate.high]
    check(found, golden)


def test_a_published_value_is_what_the_print_shows():
    # Cohen (1960), table 2: kappa .492 from po .70 and pe .41
    found = tm.estimate("cohen_kappa", table=[[88, 14, 18], [10, 40, 10], [2, 6, 12]])
    assert found.value == pytest.approx(0.492, abs=5e-4)
    assert found.parts["pa"] == pytest.approx(0.70)
    assert found.parts["pe"] == pytest.approx(0.41)
