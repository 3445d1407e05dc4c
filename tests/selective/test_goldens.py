"""Goldens of selective scoring, at their own tolerance."""

from collections.abc import Callable
from typing import Any

import numpy as np

from tallymark.metrics import quadratic_weighted_kappa
from tallymark.selective.alt_test import alt_test
from tallymark.selective.bounds import (
    binomial_cdf,
    future_errors,
    future_errors_certified,
    n_min,
    upper,
)
from tallymark.selective.certify import certify, dev_zero, part_of
from tallymark.selective.confidence import brier, ece, of_boundary, of_probabilities, of_runs, rps
from tallymark.selective.conformal import allowed_errors, select
from tallymark.selective.cost import Prices, Workload, cost, errors_per_1000
from tallymark.selective.curve import (
    augrc,
    aurc,
    aurc_oracle,
    auroc,
    coverage_at,
    critical_errors,
    e_aurc,
    most_confident,
    risk_coverage,
)
from tallymark.selective.few_labels import ppi_mean
from tallymark.selective.ltt import fixed_candidates, loosest
from tallymark.selective.trust import trust_score
from tests.goldens import Golden, check, claimed

HERE = "tests/selective/test_goldens.py"


def agree(found: Any, golden: Golden):
    """Goldens of this file are lists and single numbers as well."""
    check(found, golden)


@claimed(f"{HERE}::test_critical_errors")
def test_critical_errors(golden: Golden):
    given = golden.input
    flags = critical_errors(given["human"], given["machine"], given["lam"], given["score_range"])
    check({"flags": flags, "count": flags.sum(), "csrate_all": flags.mean()}, golden)


@claimed(f"{HERE}::test_curves")
def test_curves(golden: Golden):
    wrong = np.array(golden.input["error"])
    curve = risk_coverage(golden.input["confidence"], wrong)
    perfect = risk_coverage(1 - wrong, wrong)  # every error last
    check(
        {
            "threshold": curve.threshold,
            "n_accepted": curve.n,
            "n_cse": curve.k,
            "coverage": curve.coverage,
            "csrate": curve.rate,
            "aurc": aurc(curve),
            "aurc_oracle": aurc_oracle(curve),
            "e_aurc": e_aurc(curve),
            "augrc": augrc(curve),
            "augrc_oracle": augrc(perfect),
        },
        golden,
    )


@claimed(f"{HERE}::test_coverage_at_a_rate")
def test_coverage_at_a_rate(golden: Golden):
    curve = risk_coverage(golden.input["confidence"], golden.input["error"])
    rates = golden.input["rates"]
    agree([{"r": r} | coverage_at(curve, r)._asdict() for r in rates], golden)


@claimed(f"{HERE}::test_the_most_confident")
def test_the_most_confident(golden: Golden):
    given = golden.input
    human, machine = np.array(given["human"]), np.array(given["machine"])
    found = []
    for share in given["proportions"]:
        top = most_confident(given["confidence"], share)
        qwk = quadratic_weighted_kappa(human[top.chosen], machine[top.chosen])
        found.append(
            {"q": share, "tau": top.threshold, "n": top.n, "coverage": top.coverage, "qwk": qwk}
        )
    agree(found, golden)


@claimed(f"{HERE}::test_bounds")
def test_bounds(golden: Golden):
    bounds: dict[str, Callable[..., Any]] = {
        "cp_upper": upper,
        "n_min": n_min,
        "future_upper": future_errors,
        "future_upper_certified": future_errors_certified,
    }
    of = bounds[golden.case["kind"]]
    cases: Any = golden.input
    agree([of(**case) for case in cases], golden)


@claimed(f"{HERE}::test_fixed_sequence")
def test_fixed_sequence(golden: Golden):
    given = golden.input
    curve = risk_coverage(given["confidence"], given["error"])
    found = fixed_candidates([curve], np.array(given["grid"]))
    each = given["delta"] / len(given["starts"])
    ends = [loosest(found, [start], [each], given["alpha"]).last for start in given["starts"]]
    last = max(ends)
    n, k = found.n[0], found.k[0]
    certified = np.zeros(n.size, bool)
    for start, end in zip(given["starts"], ends, strict=True):
        certified[start : end + 1] = True
    seen: dict[str, Any] = {"tau": None, "coverage": None, "cp_upper": None}
    if last >= 0:
        seen["tau"] = found.tau[last]
        seen["coverage"] = n[last] / n[-1]
        seen["cp_upper"] = upper(k[last], n[last], each)
    p = binomial_cdf(k, n, given["alpha"])
    check({"grid": found.tau, "n": n, "k": k, "p": p, "certified": certified} | seen, golden)


@claimed(f"{HERE}::test_ranks")
def test_ranks(golden: Golden):
    given = golden.input
    found = certify(
        given["confidence"],
        given["error"],
        alpha=given["alpha"],
        delta=given["delta"],
        starts=given["start_k"],
    )
    assert not found.inclusive
    check(
        {
            "tau_exclusive": found.tau,
            "accept_all": found.accepts_all,
            "n_accepted": found.n,
            "k": found.k,
            "p": found.p,
            "certified_any": found.certified,
        },
        golden,
    )


@claimed(f"{HERE}::test_risk_control")
def test_risk_control(golden: Golden):
    given = golden.input
    found = []
    for alpha in given["alphas"]:
        own = certify(given["confidence"], given["error"], alpha=alpha, method="crc")
        allowed = allowed_errors(alpha, own.total)
        assert not own.inclusive
        found.append(
            {
                "alpha": alpha,
                "allowed_cse": None if allowed < 0 else allowed,
                "tau_exclusive": "-inf" if own.accepts_all else own.tau,
                "coverage": own.coverage,
            }
        )
    agree(found, golden)


@claimed(f"{HERE}::test_conformal_selection")
def test_conformal_selection(golden: Golden):
    given = golden.input
    found = select(
        given["cal_confidence"], given["cal_error"], given["test_confidence"], given["alpha"]
    )
    check(
        {"p_values": found.p, "accepted": found.accepted, "n_accepted": found.accepted.sum()},
        golden,
    )


@claimed(f"{HERE}::test_prompts")
def test_prompts(golden: Golden):
    given = golden.input
    names = list(given["prompts"])
    curves = [risk_coverage(*given["prompts"][name].values()) for name in names]
    grid, alpha = np.array(given["grid"]), given["alpha"]
    found: dict[str, Any] = {}
    for family in ("bonferroni", "sidak"):
        each = part_of(given["delta"], len(names), family)
        found[family] = {"delta_each": each, "per_prompt": {}}
        for name, curve in zip(names, curves, strict=True):
            own = fixed_candidates([curve], grid)
            last = loosest(own, given["starts"], [each], alpha).last
            n, k = own.n[0, last], own.k[0, last]
            found[family]["per_prompt"][name] = {
                "tau": own.tau[last],
                "coverage": n / curve.total,
                "cp_upper": upper(k, n, each),
            }
    both = fixed_candidates(curves, grid)
    found["common_tau_iut"] = {
        "p_max": binomial_cdf(both.k, both.n, alpha).max(axis=0),
        "tau": both.tau[loosest(both, given["starts"], [given["delta"]], alpha).last],
    }
    check(found, golden)


@claimed(f"{HERE}::test_auroc")
def test_auroc(golden: Golden):
    curve = risk_coverage(golden.input["confidence"], golden.input["error"])
    agree(auroc(curve), golden)


@claimed(f"{HERE}::test_share_of_people")
def test_share_of_people(golden: Golden):
    n = golden.input["n"]
    rates = []
    for k in golden.input["n_cse"]:
        errors = critical_errors(np.zeros(n), np.arange(n) < k, 0.5, 1)
        rates.append(100 * errors.mean())
    check({"csrate_pct": rates}, golden)


@claimed(f"{HERE}::test_the_paper_s_rule")
def test_the_paper_s_rule(golden: Golden):
    given = golden.input
    gap = np.array(given["abs_error"])
    errors = critical_errors(np.zeros(gap.size), gap, given["lambda"], given["N"])
    rule = dev_zero(given["confidence"], errors)
    assert not rule.certified
    assert "Not a guarantee" in rule.statement
    place = np.arange(1, gap.size + 1)
    check(
        {
            "cse": errors,
            "csrate_at_k": np.cumsum(errors) / place,
            "zero_cse_tau": rule.tau,
            "zero_cse_coverage": rule.coverage,
            "upper95_csrate_zero_of_4": rule.upper,
        },
        golden,
    )


@claimed(f"{HERE}::test_trust_scores")
def test_trust_scores(golden: Golden):
    given = golden.input
    data = given["train_x"], given["train_y"], given["x"], given["pred"]
    plain = trust_score(*data, nn=given["nn"])
    own = trust_score(
        *data, nn=given["nn"], drop=given["filter_alpha"], neighbours=given.get("filter_k", 10)
    )
    check({"seed": own.share, "ratio": own.ratio, "seed_unfiltered": plain.share}, golden)


@claimed(f"{HERE}::test_trust_score_of_the_paper")
def test_trust_score_of_the_paper(golden: Golden):
    given = golden.input
    own = trust_score(given["train"], given["labels"], [given["x"]], [given["pred"]])
    found = {"d_p": own.to_predicted[0], "d_c": own.to_other[0], "trust": own.share[0]}
    check(found, golden)


@claimed(f"{HERE}::test_class_probabilities")
def test_class_probabilities(golden: Golden):
    given = golden.input
    own = of_probabilities(given["probs"], given["scores"], given["lam"], given["score_range"])
    more = {"neg_entropy_norm": own.certainty, "var": own.variance, "pred": own.predicted}
    check(own._asdict() | more, golden)


@claimed(f"{HERE}::test_repeated_runs")
def test_repeated_runs(golden: Golden):
    given = golden.input
    own = of_runs(given["samples"], given["lam"], given["score_range"])
    agree([dict(zip(own._fields, row, strict=True)) for row in zip(*own, strict=True)], golden)


@claimed(f"{HERE}::test_rounding_boundaries")
def test_rounding_boundaries(golden: Golden):
    given = golden.input
    points = np.arange(given["low"], given["high"] + 1)
    check(of_boundary(given["prediction"], points)._asdict(), golden)


@claimed(f"{HERE}::test_calibration")
def test_calibration(golden: Golden):
    probs, label = np.array(golden.input["probs"]), np.array(golden.input["label_index"])
    check(
        {
            "brier": brier(probs, label).mean(),
            "rps": rps(probs, label).mean(),
            "rps_normalised": rps(probs, label).mean() / (probs.shape[1] - 1),
            "ece10": ece(probs.max(axis=1), probs.argmax(axis=1) == label),
        },
        golden,
    )


@claimed(f"{HERE}::test_cost")
def test_cost(golden: Golden):
    given = golden.input
    work = Workload(
        given["M"],
        given["coverage"],
        given["audit"],
        base=given["base"],
        p_hh=given["p_hh"],
        labels=given["n_cal"],
    )
    prices = Prices(
        given["c_machine"], given["c_human"], given["c_adj"], given["c_cal"], given["fixed"]
    )
    own = cost(work, prices)
    check(
        {
            "cost_base": own.base,
            "cost_selective": own.selective,
            "saving_per_response": own.saving,
            "readings_base": own.readings_base,
            "readings_selective": own.readings_selective,
            "workload_saved": own.workload_saved,
            "setup": own.setup,
            "break_even_responses": own.break_even,
            "net_saving": own.net_saving,
            "expected_cse_per_1000": errors_per_1000(
                given["coverage"], given["audit"], given["csr_machine"], given["csr_human"]
            ),
        },
        golden,
    )


@claimed(f"{HERE}::test_mean_of_few_labels")
def test_mean_of_few_labels(golden: Golden):
    given = golden.input
    found = {}
    for name, lam in {"lam1": 1.0, "classical": 0.0}.items():
        own = ppi_mean(
            given["y"],
            given["f_labelled"],
            given["f_unlabelled"],
            lam=lam,
            level=1 - given["alpha"],
        )
        found[name] = own._asdict() | {"lo": own.low, "hi": own.high}
    check(found, golden)


@claimed(f"{HERE}::test_alternative_annotator")
def test_alternative_annotator(golden: Golden):
    given = golden.input
    own = alt_test(
        given["llm"],
        np.array(given["humans"]).T,
        epsilon=given["epsilon"],
        score=given["score"],
        q=given["q"],
        least=given["min_instances"],
    )
    check(
        {
            "p_values": own.p,
            "winning_rate": own.winning_rate,
            "advantage_probability": own.advantage,
            "passed": own.passed,
        },
        golden,
    )
