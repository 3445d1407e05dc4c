"""What happens to certificates in use: clusters, few labels, a second rater, shifts, watches."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.selective.bounds import n_min
from tallymark.selective.certify import certify, one_per_cluster
from tallymark.selective.humans import no_worse
from tallymark.selective.monitor import bin_edges, binned, e_detector, e_process, psi
from tallymark.selective.plan import search_power
from tests.selective.violations import DELTA, Truth, scenario

Floats = NDArray[np.float64]


def sized_clusters(candidates: int, alpha: float, runs: int) -> dict[str, float]:
    """Unsafe thresholds where candidates with many responses err more often.

    Nine in ten have one response and never err, the tenth has nine and errs: 1.1 alpha of the
    responses are critical errors, but .22 alpha of one response of each candidate.
    """
    rng = np.random.default_rng(11)
    rate = 2.2 * alpha  # half of the responses come from large clusters
    unsafe = {"clusters alike": 0, "responses alike": 0}
    for seed in range(runs):
        sizes = np.where(rng.random(candidates) < 0.1, 9, 1)
        clusters = np.repeat(np.arange(candidates), sizes)
        odd = rng.random(candidates) < rate / 0.9
        e = (sizes > 1)[clusters] & odd[clusters] & (rng.random(clusters.size) < 0.9)
        c = rng.random(clusters.size)
        for rule, weigh in (("clusters alike", "clusters"), ("responses alike", "responses")):
            own = one_per_cluster(clusters, c, e, seed, weigh)  # type: ignore[arg-type]
            unsafe[rule] += certify(c[own], e[own], alpha=alpha, delta=DELTA).certified
    return {rule: count / runs for rule, count in unsafe.items()}


class Few(NamedTuple):
    """Share of samples that certify anything, and the unsafe ones among these."""

    certified: float
    unsafe: float


def few_labels(name: str, n: int, alpha: float, runs: int) -> Few:
    """What a certificate is worth, given that there is one."""
    eta, rng = scenario(name, alpha), np.random.default_rng([12, n, ord(name)])
    truth, seen, bad = Truth.of(eta), 0, 0
    for _ in range(runs):
        c = rng.random(n)
        found = certify(c, rng.random(n) < eta(c), alpha=alpha, delta=DELTA)
        seen += found.certified
        bad += found.certified and truth.rate(found.tau) > alpha * (1 + 1e-9)
    return Few(seen / runs, bad / seen if seen else float("nan"))


def power_by_labels(
    alpha: float, rate: float, coverage: float, labels: range
) -> dict[int, tuple[float, float]]:
    """The exact power of the search to accept so many, and to accept any, by the labels."""
    return {
        n: tuple(search_power(int(coverage * n + 1e-9), n, alpha, DELTA, rate))  # type: ignore[misc]
        for n in labels
    }


def largest_fall(powers: list[float]) -> float:
    """How far the power lies below what fewer labels had, at most."""
    return float((np.maximum.accumulate(powers) - powers).max())


def second_rater(
    n: int, rater: float, shared: float, runs: int, alpha: float = 0.05
) -> dict[str, float]:
    """How often "no worse than a second rater" is bounded too low, among what was certified.

    The confidence tells the errors of the system, a ``shared`` part of the rater's errors are its.
    """
    eta, rng = scenario("A", alpha), np.random.default_rng([13, n, round(100 * shared)])
    truth, low, seen = Truth.of(eta), {"exact": 0, "score": 0}, 0
    for _ in range(runs):
        c = rng.random(n)
        e = rng.random(n) < eta(c)
        other = np.where(rng.random(n) < shared, e, rng.random(n) < rater)
        found = certify(c, e, alpha=alpha, delta=DELTA)
        if not found.certified:
            continue
        seen += 1
        kept = c > found.tau
        rate = truth.rate(found.tau)
        excess = rate - (shared * rate + (1 - shared) * rater)
        for method in low:
            bound = no_worse(e[kept], other[kept], margin=0.5, delta=DELTA, method=method).upper  # type: ignore[arg-type]
            low[method] += bound < excess
    return {method: count / max(seen, 1) for method, count in low.items()}


class Shifted(NamedTuple):
    """True rate among the accepted in use, share of files noticed without labels, audits to alarm."""

    rate: float
    noticed: float
    audits: float


def shifts(runs: int, alpha: float = 0.05, n: int = 1000, new: int = 500) -> dict[str, Shifted]:
    """A certificate of scenario B in use on other responses; means over calibrations.

    Noticed: PSI of the confidences of those accepted of ``new`` responses, against the accepted of
    the calibration, is .25 or more at p < .01, as ``apply`` asks.
    Audits: the median to an alarm of the detector, infinite where more than half gave none in 2,000.
    """
    eta, rng = scenario("B", alpha), np.random.default_rng(14)
    ways = {
        "as calibrated": (lambda u: u, eta),
        "harder responses (confidences lower)": (lambda u: u**1.7, eta),
        "errors doubled, confidences the same": (lambda u: u, lambda c: 2 * eta(c)),
        "errors trebled, confidences the same": (lambda u: u, lambda c: 3 * eta(c)),
        "over-confident (all confidences .2 higher)": (
            lambda u: np.minimum(u + 0.2, 1),
            lambda c: eta(np.maximum(c - 0.2, 0)),
        ),
    }
    seen: dict[str, list[tuple[float, float, float]]] = {way: [] for way in ways}
    for _ in range(runs):
        c = rng.random(n)
        found = certify(c, rng.random(n) < eta(c), alpha=alpha, delta=DELTA)
        if not found.certified:
            continue
        edges = bin_edges(c, 20)
        for way, (of, rates) in ways.items():
            many = of(rng.random(20_000))
            kept = many > found.tau
            old, seen_now = c[c > found.tau], many[:new][kept[:new]]
            moved = psi(binned(old, edges), binned(seen_now, edges))
            wrong = rng.random(20_000) < rates(many)
            alarm = e_detector(wrong[kept][:2000], alpha).alarm or np.inf
            noticed = float(moved.value >= 0.25 and moved.p < 0.01)
            seen[way].append((float(rates(many[kept]).mean()), noticed, alarm))
    out = {}
    for way, rows in seen.items():
        rate, noticed, alarm = np.array(rows).T
        out[way] = Shifted(float(rate.mean()), float(noticed.mean()), float(np.median(alarm)))
    return out


class Watching(NamedTuple):
    """Share of streams with an alarm within so many audits, and the median audit of it."""

    since_start: float
    lately: float
    median: float


def watches(runs: int, alpha: float = 0.05, length: int = 1000) -> dict[str, Watching]:
    """Both watches on steady, jumping and creeping rates, of 1,000 audits each."""
    rng, steps = np.random.default_rng(15), np.arange(length)
    drifts = {
        "half of alpha": np.full(length, alpha / 2),
        "alpha": np.full(length, alpha),
        "1.5 alpha from the start": np.full(length, 1.5 * alpha),
        "2 alpha from the start": np.full(length, 2 * alpha),
        "half of alpha, 2 alpha after 300": np.where(steps < 300, alpha / 2, 2 * alpha),
        "half of alpha, 3 alpha after 300": np.where(steps < 300, alpha / 2, 3 * alpha),
        "creeping from half of alpha to 3 alpha": np.linspace(alpha / 2, 3 * alpha, length),
    }
    out = {}
    for name, rates in drifts.items():
        streams = rng.random((runs, length)) < rates
        start = np.array([e_process(one, alpha, delta=DELTA).alarm for one in streams])
        late = np.array([e_detector(one, alpha).alarm or np.inf for one in streams])
        out[name] = Watching(
            float((start > 0).mean()), float(np.isfinite(late).mean()), float(np.median(late))
        )
    return out


def shifts_without_one(runs: int) -> dict[tuple[int, int], float]:
    """False alarms of PSI: calibrations of so many against so many of the same kind."""
    rng, out = np.random.default_rng(16), {}
    for n in (200, 500, 1000):
        for new in (50, 100, 200, 500):
            hits = 0
            for _ in range(runs):
                old = rng.random(n)
                edges = bin_edges(old, 20)
                moved = psi(binned(old, edges), binned(rng.random(new), edges))
                hits += moved.value >= 0.25 and moved.p < 0.01
            out[n, new] = hits / runs
    return out


def planned(alpha: float, rate: float, coverage: float, runs: int) -> tuple[int, float, float]:
    """Labels for a search of power .8, the power said of them, and how often it was reached."""
    from tallymark.selective.plan import search_labels

    labels = int(search_labels(alpha, DELTA, rate, coverage, 0.8))
    n = int(coverage * labels + 1e-9)
    assert n >= int(n_min(alpha, DELTA))
    rng, c, reached = np.random.default_rng(17), np.arange(labels)[::-1] / labels, 0
    for _ in range(runs):
        e = (rng.random(labels) < rate) | (np.arange(labels) >= n)
        reached += certify(c, e, alpha=alpha, delta=DELTA).n >= n
    return labels, search_power(n, labels, alpha, DELTA, rate).whole, reached / runs
