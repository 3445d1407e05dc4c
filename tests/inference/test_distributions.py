"""Tails and quantiles of t and F beside SciPy's."""

import math

import numpy as np
import pytest
import scipy
import scipy.special

from tallymark.inference.distributions import (
    MANY,
    chi_squared_above,
    chi_squared_quantile,
    f_quantile,
    f_tails,
    noncentrality,
    t_quantile,
    t_quantiles,
    t_tail,
    t_tails,
)

OLD = tuple(map(int, scipy.__version__.split(".")[:2])) < (1, 14)
"""SciPy's own t and F were exact to ten digits then, its noncentral F to three."""
DEGREES = [*np.geomspace(1, 1e7, 60).tolist(), *range(1, 40), 99.0, 100.0, 999.0, 1000.0]
LEVELS = [0.01, 0.5, 0.8, 0.9, 0.95, 0.99, 0.999, 0.9999]
PAIRS = [(a, b) for a in (1.0, 2.0, 3.7, 40.0, 2e4) for b in (1.0, 2.5, 10.0, 199.0, 1e5)]


@pytest.mark.parametrize("level", LEVELS)
def test_quantiles_of_t_are_those_of_scipy(level):
    expected = scipy.special.stdtrit(DEGREES, (1 + level) / 2)
    found = [t_quantile(level, df) for df in DEGREES]
    assert found == pytest.approx(expected.tolist(), rel=1e-10 if OLD else 1e-11, abs=1e-12)


@pytest.mark.parametrize("t", [-7.0, -1.5, -0.1, 0.0, 1e-6, 0.3, 1.0, 1.96, 3.0, 12.0])
def test_tails_of_t_are_those_of_scipy(t):
    expected = scipy.special.stdtr(DEGREES, -t)
    found = [t_tail(t, df) for df in DEGREES]
    assert found == pytest.approx(expected.tolist(), rel=1e-9)


@pytest.mark.parametrize("share", [0.001, 0.025, 0.5, 0.95, 0.975, 0.9999])
def test_quantiles_of_f_are_those_of_scipy(share):
    expected = [float(scipy.special.fdtri(*pair, share)) for pair in PAIRS]
    found = [f_quantile(share, *pair) for pair in PAIRS]
    assert found == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("f", [0.01, 0.4, 1.0, 1.3, 4.0, 60.0])
def test_tails_of_f_are_those_of_scipy(f):
    found = [f_tails(f, *pair) for pair in PAIRS]
    above = [float(scipy.special.fdtrc(*pair, f)) for pair in PAIRS]
    below = [float(scipy.special.fdtr(*pair, f)) for pair in PAIRS]
    assert [tails.above for tails in found] == pytest.approx(
        above, rel=1e-9 if OLD else 1e-10, abs=1e-280
    )
    assert [tails.below for tails in found] == pytest.approx(
        below, rel=1e-9 if OLD else 1e-10, abs=1e-280
    )


@pytest.mark.parametrize("df", range(1, 12))
def test_tails_of_chi_squared_are_those_of_scipy(df):
    for x in (0.0, 0.3, 4.2, 17.0, 60.0, 400.0):
        expected = float(scipy.special.chdtrc(df, x))
        assert chi_squared_above(x, df) == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("df", [1, 2, 3, 9, 28, 85, 300])
def test_quantiles_of_chi_squared_are_those_of_scipy(df):
    shares = [0.001, 0.025, 0.05, 0.5, 0.9, 0.975, 0.9999]
    expected = [float(scipy.special.chdtri(df, 1 - share)) for share in shares]
    assert [chi_squared_quantile(share, df) for share in shares] == pytest.approx(
        expected, rel=1e-9
    )


@pytest.mark.parametrize("share", [0.005, 0.025, 0.5, 0.975])
@pytest.mark.parametrize("f", [0.6, 1.5, 8.0, 90.0])
def test_the_noncentral_f_distribution_has_the_asked_share_below(share, f):
    for above, below in ((1.0, 12.0), (2.0, 197.0), (7.0, 3000.0), (30.0, 1e5)):
        at = noncentrality(share, f, above, below)
        chance = float(scipy.special.ncfdtr(above, below, at, f))
        central = float(scipy.special.fdtr(above, below, f))
        assert chance == pytest.approx(min(share, central), abs=2e-3 if OLD else 1e-9)


def test_t_with_one_degree_of_freedom_is_the_tangent():
    # the distribution of Cauchy: P(T > t) = 1/2 - atan(t) / pi
    assert t_tail(1.0, 1) == pytest.approx(0.25, rel=1e-14)
    assert t_quantile(0.9, 1) == pytest.approx(math.tan(0.45 * math.pi), rel=1e-12)


def test_many_numbers_are_those_of_one_at_a_time():
    rng = np.random.default_rng(0)
    t, df = rng.normal(size=MANY + 1), rng.uniform(1, 300, MANY + 1)
    near = 1e-10 if OLD else 1e-12
    assert t_tails(t, df)[:50] == pytest.approx(t_tails(t[:50], df[:50]), rel=near)
    assert t_quantiles(0.9, df)[:50] == pytest.approx(t_quantiles(0.9, df[:50]), rel=near)


def test_the_ends_of_the_range_are_exact():
    assert t_tail(math.inf, 5) == 0.0
    assert t_tail(-math.inf, 5) == 1.0
    assert t_tail(0.0, 3) == 0.5
    assert t_quantile(0.0, 5) == 0.0
    assert t_quantile(0.95, math.inf) == t_quantile(0.95, 1e300)
    assert f_tails(0.0, 2, 3)[:2] == (0.0, 1.0)
    assert f_tails(math.inf, 2, 3)[:2] == (1.0, 0.0)


@pytest.mark.parametrize("df", [0.0, -1.0, math.nan])
def test_without_degrees_of_freedom_there_is_no_number(df):
    found = [
        t_quantile(0.95, df),
        t_tail(1.0, df),
        f_quantile(0.5, df, 3.0),
        f_quantile(0.5, 3, df),
    ]
    assert all(math.isnan(number) for number in found)
    assert math.isnan(f_tails(1.0, 1.0, df).above)
    assert math.isnan(t_tail(math.nan, 5))


@pytest.mark.parametrize("share", [0.025, 0.975])
def test_a_noncentrality_without_end_is_that_of_chi_squared_alone(share, monkeypatch):
    by_series = noncentrality(share, 4e8, 2.0, 5.0)
    monkeypatch.setattr("tallymark.inference.distributions.ENDLESS", 1.0)
    assert noncentrality(share, 4e8, 2.0, 5.0) == pytest.approx(by_series, rel=1e-6)
    assert noncentrality(share, 1e17, 2.0, 5.0) > 1e16
