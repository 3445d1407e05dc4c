"""A threshold chosen on development data, and one that is certified."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from tallymark.lab.experiment import LabExperiment, Place, Ruling, Shown, Statement, Sweep, Traces
from tallymark.lab.rulings import KAPPA_Q, ruled
from tallymark.lab.samples import Rng, counted
from tallymark.render.sentences import Sentence, joined
from tallymark.selective.certify import certify, dev_zero

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
SIZES = (100, 200, 500, 1000)
LEAST, STEEP = 0.002, 0.3
TESTED, TOP, ALPHA, DELTA, LAMBDA = 1000, 10, 0.02, 0.05, 0.2
DEV, CERTIFIED = "from development data", "certified"
BROKEN, ACCEPTED, ERRORS = "limit broken", "share accepted", "critical errors accepted"


def risk(confidence: Floats) -> Floats:
    """The chance of a critical error: low where the system is sure, but never 0."""
    return np.asarray(LEAST + STEEP * (1 - confidence) ** 3)


def true_rate(tau: Floats) -> Floats:
    """The true rate of critical errors among responses at or above a threshold."""
    return np.asarray(LEAST + STEEP * (1 - tau) ** 3 / 4)


def draw(rng: Rng, replicates: int) -> Sequence[Sweep]:
    """Calibrate each rule on the same responses, then accept new ones."""
    places: dict[str, list[Place]] = {DEV: [], CERTIFIED: []}
    for size in SIZES:
        confidence = rng.random((replicates, size))
        wrong = rng.random(confidence.shape) < risk(confidence)
        fresh = rng.random((replicates, TESTED))
        missed = rng.random(fresh.shape) < risk(fresh)
        scores = _scores(missed, rng)
        for rule, choose in ((DEV, _dev), (CERTIFIED, _certified)):
            tau = np.array([choose(c, e) for c, e in zip(confidence, wrong, strict=True)])
            places[rule].append(_place(size, tau, fresh, missed, scores))
    return [
        Sweep(name=rule, title=rule, x_title="labelled responses", settings=tuple(along))
        for rule, along in places.items()
    ]


def _dev(confidence: Floats, wrong: Bools) -> float:
    return float(dev_zero(confidence, wrong).tau)


def _certified(confidence: Floats, wrong: Bools) -> float:
    certificate = certify(confidence, wrong, alpha=ALPHA, delta=DELTA)
    return float(certificate.tau) if certificate.certified else np.nan


def _scores(missed: Bools, rng: Rng) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Gold scores, and a system that is off by a fifth of the scale or more where it errs."""
    gold = rng.integers(0, TOP + 1, missed.shape)
    small = rng.integers(-1, 2, missed.shape)
    large = rng.integers(int(LAMBDA * TOP), 5, missed.shape) * np.where(gold > TOP // 2, -1, 1)
    return gold, np.where(missed, gold + large, (gold + small).clip(0, TOP))


def _place(
    size: int, tau: Floats, fresh: Floats, missed: Bools, scores: tuple[NDArray[np.int64], ...]
) -> Place:
    kept = fresh >= np.where(np.isnan(tau), np.inf, tau)[:, None]
    broken = np.where(np.isnan(tau), 0.0, true_rate(np.nan_to_num(tau)) > ALPHA)
    with np.errstate(invalid="ignore"):  # nothing is accepted
        errors = (missed & kept).sum(axis=1) / kept.sum(axis=1)
    beside = {BROKEN: broken, ACCEPTED: kept.mean(axis=1), ERRORS: errors}
    tables = [
        counted(g[k][None], s[k][None], np.arange(TOP + 1.0))
        for g, s, k in zip(*scores, kept, strict=True)
    ]
    counts = np.concatenate([table.counts for table in tables])
    return Place(x=size, tables=type(tables[0])(counts, tables[0].points), beside=beside)


def _breaks(rule: str) -> Callable[[Traces], Ruling]:
    def check(traces: Traces) -> Ruling:
        trace = traces.of(BROKEN, rule)
        said = [
            Sentence("{share:percent} of {n:g}", share=float(share), n=size)
            for size, share in zip(SIZES, trace.mean, strict=True)
        ]
        allowed = DELTA + 3 * np.sqrt(DELTA * (1 - DELTA) / trace.values.shape[1])
        held = bool((trace.mean <= allowed).all())
        words = Sentence("thresholds that break it: {said} labels", said=joined(said, ", "))
        return ruled(held, words)

    return check


def _price(traces: Traces) -> Ruling:
    said = [
        Sentence(
            "{n:g} labels: {dev:percent} and {sure:percent} accepted",
            n=size,
            dev=float(dev),
            sure=float(sure),
        )
        for size, dev, sure in zip(
            SIZES, traces.of(ACCEPTED, DEV).mean, traces.of(ACCEPTED, CERTIFIED).mean, strict=True
        )
    ]
    cheaper = traces.of(ACCEPTED, CERTIFIED).mean < traces.of(ACCEPTED, DEV).mean
    return ruled(cheaper[0], joined(said, "; "))


EXPERIMENT = LabExperiment(
    name="dev-rule-versus-certified",
    title="A threshold chosen on development data, and a certified one",
    source="Funayama et al. (2020), thresholds from development data",
    question="Does a threshold with no critical error on development data keep its promise on new responses?",
    how="Confidences are uniform; the chance of a critical error is .002 + .3 (1 - confidence)^3. The rule of "
    "the source takes the lowest confidence above which the labelled responses hold no critical error; "
    "the certified threshold allows a rate of 2 % and may fail in 5 % of the samples. Both are then "
    "held against the true rate, and accept 1,000 new responses on 0 to 10.",
    draw=draw,
    figures=(
        Shown("Thresholds whose true rate is above 2 %", ((DEV, BROKEN), (CERTIFIED, BROKEN))),
        Shown("Responses accepted", ((DEV, ACCEPTED), (CERTIFIED, ACCEPTED))),
        Shown("Critical errors among the accepted", ((DEV, ERRORS), (CERTIFIED, ERRORS))),
        Shown("QWK of the accepted", ((DEV, KAPPA_Q), (CERTIFIED, KAPPA_Q))),
    ),
    statements=(
        Statement(
            "A threshold chosen on development data keeps the rate at or below 2 %", _breaks(DEV)
        ),
        Statement(
            "A certified threshold keeps it, but for at most 5 % of the samples",
            _breaks(CERTIFIED),
            ours=True,
        ),
        Statement("With few labels the certificate costs coverage", _price, ours=True),
    ),
    replicates=60,
    y_title="share",
)
