"""Verdicts are those that the sources' printed numbers and other goldens ask for."""

from functools import cache

import numpy as np
import pytest

from tallymark.lab import LabRun, run
from tallymark.lab.experiment import Trace, Traces
from tallymark.lab.rulings import (
    AC_Q,
    BP_Q,
    KAPPA,
    KAPPA_L,
    KAPPA_Q,
    change,
    constant,
    each,
    falls,
    rises,
)
from tests.goldens import goldens


@cache
def ran(name: str) -> LabRun:
    return run(name)


def at(done, name, x, sweep=""):
    """The mean of a number at a place of the axis."""
    trace = done.traces.of(name, sweep)
    (place,) = np.flatnonzero(np.isclose(trace.x, x))
    return float(trace.mean[place])


@pytest.mark.parametrize(
    ("experiment", "claim", "verdict"),
    [
        ("trait-prevalence", "BP does not move", "holds exactly"),
        ("trait-prevalence", "Kappa falls", "holds"),
        ("marginal-homogeneity", "Kappa is lowest where", "holds"),
        ("error-magnitude", "Linear-weighted metrics rise", "holds for kappa linear only"),
        ("error-magnitude", "BP with linear weights is constant", "holds exactly"),
        ("scale-binning", "On fewer points QWK falls most", "holds"),
        ("pass-fail-sweep", "The scorer that always", "holds for kappa only"),
        ("qwk-ceiling", "Rounding the true score before", "does not hold"),
        ("coarse-scale", "Whole points come within", "does not hold"),
        ("shared-bias", "Independent errors are assumed", "holds"),
        ("paradox", "1,000 responses", "does not hold"),
        ("paradox", "These numbers belong", "holds"),
        ("diagonal-swap", "Exchanging agreements", "holds"),
        ("resolution", "The sum has the highest", "holds"),
    ],
)
def test_a_claim_has_the_verdict_that_its_numbers_give(experiment, claim, verdict):
    (found,) = [c for c in ran(experiment).claims if c["claim"].startswith(claim)]
    assert found["verdict"] == verdict


def test_the_rule_of_development_data_breaks_its_limit_and_a_certificate_does_not():
    by_claim = {
        c["claim"][:11]: c["state"] for c in run("dev-rule-versus-certified", replicates=30).claims
    }
    assert by_claim["A threshold"] == "does not hold"
    assert by_claim["A certified"] == "holds"


@pytest.mark.parametrize("scale", [4, 6, 11])
def test_coarse_scales_meet_the_goldens_of_uto(scale):
    golden = goldens()[f"papers:uto.coarse.K{scale}"]
    done = ran("coarse-scale")
    assert at(done, "theoretical ceiling", scale) == pytest.approx(
        golden.expected["theoretical"], abs=0.005
    )
    assert at(done, "rounded true score, QWK", scale) == pytest.approx(
        golden.expected["qwk_rounded"], abs=0.006
    )


def test_ceilings_meet_the_expectations_of_table_1():
    golden = goldens()["papers:uto.table1"]
    done = ran("qwk-ceiling")
    names = (
        "perfect scorer, r",
        "perfect scorer, QWK",
        "theoretical ceiling",
        "human-like ceiling",
        "two raters, QWK",
    )
    expected = golden.expected["expectation_1500_trials"]
    for sigma, row in zip(golden.input["sigma"], expected, strict=True):
        found = [at(done, name, sigma) for name in names]
        assert found == pytest.approx(row, abs=golden.case["tol"]["vs_expectation_100_trials"])


@pytest.mark.parametrize("table", [6, 7])
def test_swaps_begin_at_the_tables_of_doewes(table):
    golden = goldens()[f"papers:do.fig35.table{table}"]
    done, sweep = ran("diagonal-swap"), f"table {table}"
    assert at(done, KAPPA_Q, 0, sweep) == pytest.approx(golden.expected["qwk"], abs=1e-9)
    if table == 7:
        assert at(done, AC_Q, 0, sweep) == pytest.approx(golden.expected["ac_quadratic"], abs=1e-9)
        assert at(done, BP_Q, 0, sweep) == pytest.approx(golden.expected["bp_quadratic"], abs=1e-9)


def test_the_paradox_is_that_of_doewes():
    golden = goldens()["papers:do.paradox_1000"].expected
    done = ran("paradox")
    for name, field in (
        (KAPPA_Q, "qwk"),
        (KAPPA_L, "lwk"),
        (KAPPA, "kappa"),
        (AC_Q, "ac_quadratic"),
    ):
        assert at(done, name, 1000) == pytest.approx(golden[field], abs=1e-9)


def trace(name, *means, noise=0.0):
    """A trace with these means, and replicates so far from them."""
    values = np.array(means)[:, None] + noise * np.array([-1.0, 1.0])
    return Trace("s", name, np.arange(len(means), dtype=float), values)


def test_a_change_that_is_noise_or_little_is_none():
    assert change(trace(KAPPA, 0.5, 0.505)) == 0
    assert change(trace(KAPPA, 0.5, 0.6)) == pytest.approx(0.1)
    assert change(trace(KAPPA, 0.5, 0.6, noise=0.2)) == 0
    assert rises(trace(KAPPA, 0.1, 0.3))
    assert falls(trace(KAPPA, 0.3, 0.1))


def test_a_statement_may_hold_for_some_only():
    traces = Traces({("s", t.name): t for t in (trace(KAPPA, 0.1, 0.4), trace(BP_Q, 0.2, 0.2))})
    part = each((KAPPA, BP_Q), rises)(traces)
    assert (part.state, part.verdict) == ("holds in part", "holds for kappa only")
    assert each((BP_Q,), constant)(traces).verdict == "holds exactly"
    assert each((BP_Q,), rises)(traces).verdict == "does not hold"
    assert str(part.words) == "kappa .100 at 0, .400 at 1; BP quadratic .200 at 0, .200 at 1"
