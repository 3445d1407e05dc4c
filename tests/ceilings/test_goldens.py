"""Goldens of the QWK ceilings of Uto (2026), at their own tolerance."""

import numpy as np

from tallymark.agreement.correlation import lin_ccc, pearson
from tallymark.questions.ceilings.ladder import ladder_units, pool, qwk_of_people
from tallymark.reliability.ceiling import (
    components,
    f_limits,
    human_like,
    spearman_brown,
    theoretical,
    uncalibrated,
)
from tallymark.reliability.quantised import label_ceilings, label_of, latent
from tallymark.simulation import Rater, simulate
from tallymark.study.units import Rows
from tallymark.tally import OneWay, PairPatterns
from tests.goldens import Golden, check, claimed

HERE = "tests/ceilings/test_goldens.py"


def one_way(ratings):
    return OneWay(OneWay.rows(ratings - ratings.mean()).sum(axis=0))


def moments(first, second):
    return PairPatterns.of(first, second).moments(5.0)


def two_raters(golden, n, seed, *, k, sigma):
    """SIM-U1 and SIM-U3: normal true scores cut off at the ends, rated with noise and rounded."""
    given = golden.input
    raters = [Rater("h1", noise=sigma), Rater("h2", noise=sigma)]
    made = simulate(
        n, scale=f"0:{k - 1}", mean=given["mean"], sd=given["sd"], raters=raters, seed=seed
    )
    return made.truth, made.ratings


@claimed(f"{HERE}::test_small_panel")
def test_small_panel(golden: Golden):
    ratings = np.array(golden.input["ratings"])
    n, k = ratings.shape
    tally = one_way(ratings)
    own = components(tally)
    low, high = f_limits(own, n, level=0.95)
    points = np.arange(ratings.min(), ratings.max() + 1)
    ladder = ladder_units(Rows(ratings, np.ones(n, np.int64), points), pool(k)).tally
    check(
        {
            "n": float(tally.n),
            "N": float(tally.ratings),
            "k0": float(k),
            "kH": float(own.ratings),
            "MSB": float(own.f * own.error),
            "MSW": float(own.error),
            "sigma2_T": float(own.true),
            "sigma2_E": float(own.error),
            "rho_X": float(own.single),
            "rho_Y": float(own.mean),
            "theoretical": float(theoretical(own.mean)),
            "human_like": float(human_like(own.single, own.mean)),
            "true_score_uncalibrated": float(uncalibrated(np.array(1.0), own.mean)),
            "human_like_uncalibrated": float(uncalibrated(own.single, own.mean)),
            "icc_1_1": float(own.single),
            "icc_1_k": float(own.mean),
            "icc_1_1_ci": [float(low.single), float(high.single)],
            "icc_1_k_ci": [float(low.mean), float(high.mean)],
            "qwk_hh": float(qwk_of_people(ladder)),
        },
        golden,
    )


@claimed(f"{HERE}::test_identities_of_two_raters")
def test_identities_of_two_raters(golden: Golden):
    mean = np.array(golden.input["theoretical"]) ** 2
    one = mean / (2 - mean)
    found = {"human_like": float(human_like(one, mean)), "rho_X": float(one)}
    expected, tol = golden.expected, golden.case["tol"]
    for name, value in found.items():
        assert abs(value - expected[name]) < 1e-12
    assert abs(found["human_like"] - expected["printed_human_like"]) <= tol["human_like_vs_printed"]
    assert abs(found["rho_X"] - expected["printed_qwk_hh"]) <= tol["rho_X_vs_printed_qwk_hh"]
    assert abs(spearman_brown(one, 2) - mean) < 1e-12


@claimed(f"{HERE}::test_simulated_table")
def test_simulated_table(golden: Golden):
    given, trials = golden.input, 100
    expected = golden.expected["expectation_1500_trials"]
    for sigma, row in zip(given["sigma"], expected, strict=True):
        found = []
        for trial in range(trials):
            truth, ratings = two_raters(golden, given["n"], trial, k=11, sigma=sigma)
            own, mean = components(one_way(ratings)), ratings.mean(axis=1)
            found.append(
                (
                    pearson(moments(np.rint(truth), mean)),
                    lin_ccc(moments(np.rint(truth), np.rint(mean))),
                    theoretical(own.mean),
                    human_like(own.single, own.mean),
                    lin_ccc(moments(ratings[:, 0], ratings[:, 1])),
                )
            )
        apart = np.abs(np.mean(found, axis=0) - row)
        assert apart.max() <= golden.case["tol"]["vs_expectation_100_trials"], (sigma, apart)


@claimed(f"{HERE}::test_coarse_scales")
def test_coarse_scales(golden: Golden):
    given, found = golden.input, []
    for trial in range(given["reps"]):
        truth, ratings = two_raters(golden, given["n"], trial, k=given["K"], sigma=given["sigma"])
        own, mean = components(one_way(ratings)), ratings.mean(axis=1)
        found.append(
            (
                theoretical(own.mean),
                pearson(moments(truth, mean)),
                lin_ccc(moments(np.rint(truth), np.floor(mean + 0.5))),
                lin_ccc(moments(np.rint(truth), mean)),
                lin_ccc(moments(ratings[:, 0], ratings[:, 1])),
            )
        )
    names = ("theoretical", "corr_T_Y", "qwk_rounded", "ccc_roundT_Y", "qwk_hh")
    fields = {key: given[key] for key in ("K", "mean", "sd", "sigma")}
    check({**fields, **dict(zip(names, np.mean(found, axis=0), strict=True))}, golden)
    # the same without drawing anything
    points = np.arange(float(given["K"]))
    made = latent(points, given["mean"], given["sd"], given["sigma"])
    gold = label_of(made, "mean_up", {2: 1.0})
    assert gold is not None
    exact = label_ceilings(made, gold, points, times=1)
    assert abs(exact.uncalibrated - golden.expected["qwk_rounded"]) < golden.case["tol"]["abs"]
    assert exact.uncalibrated <= exact.quantised <= exact.theoretical
