"""Funayama et al. (2020): scores that an unsure scorer leaves to people."""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.arrays import Floats, Whole
from tallymark.lab.experiment import (
    LabExperiment,
    LabFigure,
    Place,
    Ruling,
    Statement,
    Sweep,
    Traces,
)
from tallymark.lab.learned import GoldScores, LabTexts, held_out, stacked, synthetic, table_of
from tallymark.lab.rulings import KAPPA_Q, for_some, ruled
from tallymark.lab.samples import Rng, counted
from tallymark.render.sentences import Sentence, joined
from tallymark.selective.certify import certify, dev_zero
from tallymark.selective.trust import trust_score

Bools = NDArray[np.bool_]
SIZES = (100, 200, 500, 1000)
LEAST, STEEP = 0.002, 0.3
TESTED, TOP, ALPHA, DELTA, LAMBDA = 1000, 10, 0.02, 0.05, 0.2
"""``LAMBDA``: an error of this share of the range is critical."""
RULES = UNCERTIFIED, CERTIFIED = "from development data", "certified"
BROKEN, ACCEPTED, CRITICAL = "limit broken", "share accepted", "critical errors accepted"


def risk(confidence: Floats) -> Floats:
    """The chance of a critical error: low where the system is sure, but never 0."""
    return np.asarray(LEAST + STEEP * (1 - confidence) ** 3)


def true_rate(tau: Floats) -> Floats:
    """The true rate of critical errors among responses at or above a threshold."""
    return np.asarray(LEAST + STEEP * (1 - tau) ** 3 / 4)


def draw_threshold(rng: Rng, replicates: int) -> Sequence[Sweep]:
    """Calibrate each rule on the same responses, then accept new ones."""
    places: dict[str, list[Place]] = {UNCERTIFIED: [], CERTIFIED: []}
    for size in SIZES:
        confidence = rng.random((replicates, size))
        errs = rng.random(confidence.shape) < risk(confidence)
        fresh = rng.random((replicates, TESTED))
        missed = rng.random(fresh.shape) < risk(fresh)
        scores = _scores(missed, rng)
        for rule, choose in ((UNCERTIFIED, _uncertified), (CERTIFIED, _certified)):
            tau = np.array([choose(c, e) for c, e in zip(confidence, errs, strict=True)])
            places[rule].append(_accepted(size, tau, fresh, missed, scores))
    return [
        Sweep(name=rule, title=rule, x_title="labelled responses", settings=settings)
        for rule, settings in places.items()
    ]


def _uncertified(confidence: Floats, errs: Bools) -> float:
    return float(dev_zero(confidence, errs).tau)


def _certified(confidence: Floats, errs: Bools) -> float:
    certificate = certify(confidence, errs, alpha=ALPHA, delta=DELTA)
    return float(certificate.tau) if certificate.certified else np.nan


def _scores(missed: Bools, rng: Rng) -> tuple[Whole, Whole]:
    """Gold scores, and a system that is off by a fifth of the scale or more where it errs."""
    gold = rng.integers(0, TOP + 1, missed.shape)
    small = rng.integers(-1, 2, missed.shape)
    large = rng.integers(int(LAMBDA * TOP), 5, missed.shape) * np.where(gold > TOP // 2, -1, 1)
    return gold, np.where(missed, gold + large, (gold + small).clip(0, TOP))


def _accepted(
    size: int, tau: Floats, fresh: Floats, missed: Bools, scores: tuple[Whole, Whole]
) -> Place:
    accepted = fresh >= np.where(np.isnan(tau), np.inf, tau)[:, None]
    broken = np.where(np.isnan(tau), 0.0, true_rate(np.nan_to_num(tau)) > ALPHA)
    with np.errstate(invalid="ignore"):  # nothing is accepted
        errors = (missed & accepted).sum(axis=1) / accepted.sum(axis=1)
    tables = [
        counted(gold[rows][None], system[rows][None], np.arange(TOP + 1.0))
        for gold, system, rows in zip(*scores, accepted, strict=True)
    ]
    numbers = {BROKEN: broken, ACCEPTED: accepted.mean(axis=1), CRITICAL: errors}
    return Place(x=size, tables=stacked(tables), beside=numbers)


def _breaks(rule: str) -> Callable[[Traces], Ruling]:
    def check(traces: Traces) -> Ruling:
        trace = traces.of(BROKEN, rule)
        shares = [
            Sentence("{share:percent} of {n:g}", share=float(share), n=size)
            for size, share in zip(SIZES, trace.mean, strict=True)
        ]
        allowed = DELTA + 3 * np.sqrt(DELTA * (1 - DELTA) / trace.values.shape[1])
        words = Sentence("thresholds that break it: {said} labels", said=joined(shares, ", "))
        return ruled((trace.mean <= allowed).all(), words)

    return check


def _price(traces: Traces) -> Ruling:
    uncertified, certified = (traces.of(ACCEPTED, rule).mean for rule in (UNCERTIFIED, CERTIFIED))
    evidence = [
        Sentence(
            "{n:g} labels: {dev:percent} and {sure:percent} accepted",
            n=size,
            dev=float(dev),
            sure=float(sure),
        )
        for size, dev, sure in zip(SIZES, uncertified, certified, strict=True)
    ]
    return ruled(certified[0] < uncertified[0], *evidence)


DEV_RULE = LabExperiment(
    name="dev-rule-versus-certified",
    title="A threshold chosen on development data, and a certified one",
    source="Funayama et al. (2020), thresholds from development data",
    question="Does a threshold with no critical error on development data keep its promise on new responses?",
    how="Confidences are uniform; the chance of a critical error is .002 + .3 (1 - confidence)^3. The rule of "
    "the source takes the lowest confidence above which the labelled responses hold no critical error; "
    "the certified threshold allows a rate of 2 % and may fail in 5 % of the samples. Both are then "
    "held against the true rate, and accept 1,000 new responses on 0 to 10.",
    draw=draw_threshold,
    figures=(
        LabFigure(
            "Thresholds whose true rate is above 2 %",
            ((UNCERTIFIED, BROKEN), (CERTIFIED, BROKEN)),
        ),
        LabFigure(
            "Responses accepted",
            ((UNCERTIFIED, ACCEPTED), (CERTIFIED, ACCEPTED)),
        ),
        LabFigure(
            "Critical errors among the accepted",
            ((UNCERTIFIED, CRITICAL), (CERTIFIED, CRITICAL)),
        ),
        LabFigure.of("QWK of the accepted", RULES, [KAPPA_Q]),
    ),
    statements=(
        Statement(
            "A threshold chosen on development data keeps the rate at or below 2 %",
            _breaks(UNCERTIFIED),
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


SHARES = (0.2, 0.4, 0.6, 0.8, 1.0)
TRAIN, DEVELOPMENT = 0.8, 0.1
KINDS = ("maximum probability", "trust score")
ERRORS, RMSE = "critical errors", "RMSE"
SAFE = "before the first critical error"
FROM_DEVELOPMENT = "threshold from development data"
STEPS = 2
ABOUT_HALF = 0.4


class Tested(NamedTuple):
    """Development and test responses of one seed: gold, score, and both confidences."""

    test: NDArray[np.bool_]
    gold: Floats
    system: Floats
    confidence: Floats
    points: Floats

    @property
    def critical(self) -> NDArray[np.bool_]:
        """Errors of a fifth of the range or more, and of two points at least."""
        steps = STEPS * (self.points[1] - self.points[0])
        least = max(LAMBDA * (self.points[-1] - self.points[0]), steps)
        return np.asarray(np.abs(self.system - self.gold) >= least - 1e-9)


def draw_filtering(rng: Rng, replicates: int) -> Sequence[Sweep]:
    """Train on one synthetic corpus with as many seeds."""
    texts = synthetic(2000, prompts=1, words=40, noise=0.4, rng=rng)
    return learned([texts] * replicates, rng)


def learned(corpora: Sequence[LabTexts], rng: Rng) -> Sequence[Sweep]:
    """Train, keep the surest of the test responses, and those above a threshold of development."""
    runs = [_tested(texts, rng) for texts in corpora]
    surest = [
        Sweep(
            name=kind,
            title=kind,
            x_title="share of test responses scored by the machine",
            settings=[_surest(runs, i, share) for share in SHARES],
        )
        for i, kind in enumerate(KINDS)
    ]
    above = Sweep(
        name=FROM_DEVELOPMENT,
        title=FROM_DEVELOPMENT,
        x_title="confidence",
        names=KINDS,
        settings=[_by_development(runs, i) for i, _ in enumerate(KINDS)],
    )
    return [*surest, above]


def _tested(texts: LabTexts, rng: Rng) -> Tested:
    parts = [_of_prompt(prompt, prompt.gold("first"), rng) for prompt in texts.each_prompt()]
    joint = [np.concatenate(columns) for columns in zip(*(part[:4] for part in parts), strict=True)]
    return Tested(joint[0], joint[1], joint[2], joint[3], parts[0].points)


def _of_prompt(texts: LabTexts, gold: GoldScores, rng: Rng) -> Tested:
    place = rng.random(int(texts.unit.max()) + 1)[texts.unit]  # a candidate is in one part
    train, rest = np.flatnonzero(place < TRAIN), np.flatnonzero(place >= TRAIN)
    old, new = held_out(texts, gold, train, rest, "neural", int(rng.integers(2**31)))
    trust = trust_score(
        np.asarray(old.vectors), gold.scores[train], np.asarray(new.vectors), new.scores
    ).share
    sure = np.stack([np.asarray(new.probabilities).max(axis=1), trust], axis=1)
    test = place[rest] >= TRAIN + DEVELOPMENT
    return Tested(test, gold.scores[rest], new.scores, sure, gold.points)


def _surest(runs: Sequence[Tested], kind: int, share: float) -> Place:
    chosen = []
    for run in runs:
        test = np.flatnonzero(run.test)
        order = np.argsort(-run.confidence[test, kind], kind="stable")
        chosen.append(test[order[: math.ceil(share * test.size)]])
    return _scored(share, runs, chosen)


def _by_development(runs: Sequence[Tested], kind: int) -> Place:
    chosen, safe = [], []
    for run in runs:
        sure, test = run.confidence[:, kind], run.test
        tau = float(dev_zero(sure[~test], run.critical[~test]).tau)
        chosen.append(np.flatnonzero(test & (sure >= tau)))
        best = float(dev_zero(sure[test], run.critical[test]).tau)
        safe.append(float((sure[test] >= best).mean()))
    place = _scored(kind + 1, runs, chosen)
    return replace(place, beside={**place.beside, SAFE: np.array(safe)})


def _scored(x: float, runs: Sequence[Tested], chosen: Sequence[Whole]) -> Place:
    tables, errors, rmse, shares = [], [], [], []
    for run, rows in zip(runs, chosen, strict=True):
        gap = run.system[rows] - run.gold[rows]
        tables.append(table_of(run.gold[rows], run.system[rows], run.points))
        errors.append(float(run.critical[rows].mean()) if rows.size else math.nan)
        rmse.append(float(np.sqrt((gap**2).mean())) if rows.size else math.nan)
        shares.append(rows.size / max(int(run.test.sum()), 1))
    numbers = {ERRORS: np.array(errors), RMSE: np.array(rmse), ACCEPTED: np.array(shares)}
    return Place(x=x, tables=stacked(tables), beside=numbers)


def _falls(traces: Traces) -> Ruling:
    clauses = []
    for kind in KINDS:
        errors, rmse = (traces.of(name, kind).mean for name in (ERRORS, RMSE))
        words = Sentence(
            "{kind}: {few:tenths} of the surest 40 % and {all:tenths} of all, RMSE {r0:share} and {r1:share}",
            kind=kind,
            few=float(errors[1]),
            all=float(errors[-1]),
            r0=float(rmse[1]),
            r1=float(rmse[-1]),
        )
        falls = bool(errors[1] < errors[-1] and rmse[1] < rmse[-1])
        clauses.append((f"the {kind}", falls, words))
    return for_some(clauses)


def _rises(traces: Traces) -> Ruling:
    clauses = []
    for kind in KINDS:
        qwk = traces.of(KAPPA_Q, kind).mean
        template = "{kind}: {few:share} among the surest 40 %, {all:share} of all"
        words = Sentence(template, kind=kind, few=float(qwk[1]), all=float(qwk[-1]))
        clauses.append((f"the {kind}", bool(qwk[1] > qwk[-1]), words))
    return for_some(clauses)


def _without_errors(traces: Traces) -> Ruling:
    safe = traces.of(SAFE, FROM_DEVELOPMENT).values
    accepted, errors = (traces.of(name, FROM_DEVELOPMENT).mean for name in (ACCEPTED, ERRORS))
    clauses = []
    for kind, values, share, rate in zip(KINDS, safe, accepted, errors, strict=True):
        words = Sentence(
            "{kind}: {most:percent} in the best run, {mean:percent} on average; a threshold from "
            "development data accepts {share:percent}, {rate:percent} of them with a critical error",
            kind=kind,
            most=float(values.max()),
            mean=float(values.mean()),
            share=float(share),
            rate=float(rate),
        )
        clauses.append((f"the {kind}", bool(values.max() >= ABOUT_HALF), words))
    return for_some(clauses)


FUNAYAMA_FILTERING = LabExperiment(
    name="funayama-filtering",
    title="What an unsure classifier leaves to people",
    source="Funayama et al. (2020), Figure 2, Tables 3 and 4",
    question="Do probability and trust score find the responses that a trained classifier gets wrong?",
    corpus="2,000 synthetic responses of some 40 words, scored from 1 to 6: the source's answers are not "
    "redistributed. Run it on yours with FILE, --text and --human. Synthetic texts are about equally hard to "
    "score, so that confidence finds less than on real ones.",
    how="80 % train a softmax classifier with one hidden layer on features and TF-IDF vectors, where the "
    "source has a recurrent network; 10 % are development and 10 % test, dealt anew with each "
    "seed. Confidence is the largest class probability, or the trust score in "
    "the hidden layer. A critical error is a fifth of the range or more, and two points at least. The "
    "threshold from development data is the lowest without a critical error there.",
    draw=draw_filtering,
    learned=learned,
    figures=(
        LabFigure("Critical errors among the surest", tuple((kind, ERRORS) for kind in KINDS)),
        LabFigure.of("RMSE among the surest", KINDS, [RMSE]),
        LabFigure.of("QWK among the surest", KINDS, [KAPPA_Q]),
        LabFigure(
            "Test responses above the threshold from development data, and before the first critical error",
            ((FROM_DEVELOPMENT, ACCEPTED), (FROM_DEVELOPMENT, ERRORS), (FROM_DEVELOPMENT, SAFE)),
        ),
    ),
    statements=(
        Statement("Critical errors and RMSE fall as less sure scores are left to people", _falls),
        Statement("QWK rises among the surest shares", _rises),
        Statement(
            "The surest scores, up to about half of the test data at maximum, hold no critical error",
            _without_errors,
        ),
    ),
    replicates=5,
)


EXPERIMENTS = (DEV_RULE, FUNAYAMA_FILTERING)
