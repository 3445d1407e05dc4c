"""A softmax classifier leaves what it is unsure of to people: by probability, and by trust score."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.lab.experiment import LabExperiment, Place, Ruling, Shown, Statement, Sweep, Traces
from tallymark.lab.learned import GoldScores, LabTexts, held_out, stacked, synthetic, table_of
from tallymark.lab.rulings import KAPPA_Q, for_some
from tallymark.lab.samples import Floats, Rng
from tallymark.render.sentences import Sentence
from tallymark.selective.certify import dev_zero
from tallymark.selective.trust import trust_score

SHARES = (0.2, 0.4, 0.6, 0.8, 1.0)
TRAIN, DEV = 0.8, 0.1
KINDS = ("maximum probability", "trust score")
ERRORS, RMSE, ACCEPTED = "critical errors", "RMSE", "share accepted"
SAFE = "before the first critical error"
DEV_RULE = "threshold from development data"
LAMBDA, STEPS = 0.2, 2
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
        far = max(LAMBDA * (self.points[-1] - self.points[0]), steps)
        return np.asarray(np.abs(self.system - self.gold) >= far - 1e-9)


def draw(rng: Rng, replicates: int) -> Sequence[Sweep]:
    """Train on one synthetic corpus with as many seeds."""
    made = synthetic(2000, prompts=1, words=40, noise=0.4, rng=rng)
    return learned([made] * replicates, rng)


def learned(every: Sequence[LabTexts], rng: Rng) -> Sequence[Sweep]:
    """Train, keep the surest of the test responses, and those above a threshold of development."""
    tested = [_tested(texts, rng) for texts in every]
    return [
        *(
            Sweep(
                name=kind,
                title=kind,
                x_title="share of test responses scored by the machine",
                settings=tuple(_surest(tested, i, share) for share in SHARES),
            )
            for i, kind in enumerate(KINDS)
        ),
        Sweep(
            name=DEV_RULE,
            title=DEV_RULE,
            x_title="confidence",
            names=KINDS,
            settings=tuple(_by_development(tested, i) for i, _ in enumerate(KINDS)),
        ),
    ]


def _tested(texts: LabTexts, rng: Rng) -> Tested:
    parts = [_of_prompt(given, given.gold("first"), rng) for given in texts.each_prompt()]
    joint = [np.concatenate(columns) for columns in zip(*(part[:4] for part in parts), strict=True)]
    return Tested(joint[0], joint[1], joint[2], joint[3], parts[0].points)


def _of_prompt(given: LabTexts, gold: GoldScores, rng: Rng) -> Tested:
    place = rng.random(int(given.unit.max()) + 1)[given.unit]  # a candidate is in one part
    train, others = np.flatnonzero(place < TRAIN), np.flatnonzero(place >= TRAIN)
    old, new = held_out(given, gold, train, others, "neural", int(rng.integers(2**31)))
    trust = trust_score(
        np.asarray(old.vectors), gold.scores[train], np.asarray(new.vectors), new.scores
    ).share
    sure = np.stack([np.asarray(new.probabilities).max(axis=1), trust], axis=1)
    return Tested(place[others] >= TRAIN + DEV, gold.scores[others], new.scores, sure, gold.points)


def _surest(every: Sequence[Tested], kind: int, share: float) -> Place:
    chosen = []
    for made in every:
        test = np.flatnonzero(made.test)
        order = np.argsort(-made.confidence[test, kind], kind="stable")
        chosen.append(test[order[: math.ceil(share * test.size)]])
    return _place(share, every, chosen)


def _by_development(every: Sequence[Tested], kind: int) -> Place:
    chosen, safe = [], []
    for made in every:
        sure, test = made.confidence[:, kind], made.test
        tau = float(dev_zero(sure[~test], made.critical[~test]).tau)
        chosen.append(np.flatnonzero(test & (sure >= tau)))
        best = float(dev_zero(sure[test], made.critical[test]).tau)
        safe.append(float((sure[test] >= best).mean()))
    place = _place(kind + 1, every, chosen)
    return replace(place, beside={**place.beside, SAFE: np.array(safe)})


def _place(x: float, every: Sequence[Tested], chosen: Sequence[NDArray[np.int64]]) -> Place:
    tables, errors, rmse, shares = [], [], [], []
    for made, rows in zip(every, chosen, strict=True):
        gap = made.system[rows] - made.gold[rows]
        tables.append(table_of(made.gold[rows], made.system[rows], made.points))
        errors.append(float(made.critical[rows].mean()) if rows.size else math.nan)
        rmse.append(float(np.sqrt((gap**2).mean())) if rows.size else math.nan)
        shares.append(rows.size / max(int(made.test.sum()), 1))
    numbers = {ERRORS: np.array(errors), RMSE: np.array(rmse), ACCEPTED: np.array(shares)}
    return Place(x=x, tables=stacked(tables), beside=numbers)


def _falls(traces: Traces) -> Ruling:
    held, said = [], []
    for kind in KINDS:
        errors, rmse = (traces.of(name, kind).mean for name in (ERRORS, RMSE))
        held.append(bool(errors[1] < errors[-1] and rmse[1] < rmse[-1]))
        said.append(
            Sentence(
                "{kind}: {few:tenths} of the surest 40 % and {all:tenths} of all, RMSE {r0:share} and {r1:share}",
                kind=kind,
                few=float(errors[1]),
                all=float(errors[-1]),
                r0=float(rmse[1]),
                r1=float(rmse[-1]),
            )
        )
    return for_some({f"the {kind}": holds for kind, holds in zip(KINDS, held, strict=True)}, said)


def _rises(traces: Traces) -> Ruling:
    held, said = [], []
    for kind in KINDS:
        qwk = traces.of(KAPPA_Q, kind).mean
        held.append(bool(qwk[1] > qwk[-1]))
        said.append(
            Sentence(
                "{kind}: {few:share} among the surest 40 %, {all:share} of all",
                kind=kind,
                few=float(qwk[1]),
                all=float(qwk[-1]),
            )
        )
    return for_some({f"the {kind}": holds for kind, holds in zip(KINDS, held, strict=True)}, said)


def _without_errors(traces: Traces) -> Ruling:
    safe = traces.of(SAFE, DEV_RULE).values
    accepted, errors = (traces.of(name, DEV_RULE).mean for name in (ACCEPTED, ERRORS))
    held = [bool(values.max() >= ABOUT_HALF) for values in safe]
    said = [
        Sentence(
            "{kind}: {most:percent} in the best run, {mean:percent} on average; a threshold from "
            "development data accepts {share:percent}, {rate:percent} of them with a critical error",
            kind=kind,
            most=float(values.max()),
            mean=float(values.mean()),
            share=float(share),
            rate=float(rate),
        )
        for kind, values, share, rate in zip(KINDS, safe, accepted, errors, strict=True)
    ]
    return for_some({f"the {kind}": holds for kind, holds in zip(KINDS, held, strict=True)}, said)


EXPERIMENT = LabExperiment(
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
    draw=draw,
    learned=learned,
    figures=(
        Shown("Critical errors among the surest", tuple((kind, ERRORS) for kind in KINDS)),
        Shown("RMSE among the surest", tuple((kind, RMSE) for kind in KINDS)),
        Shown("QWK among the surest", tuple((kind, KAPPA_Q) for kind in KINDS)),
        Shown(
            "Test responses above the threshold from development data, and before the first critical error",
            ((DEV_RULE, ACCEPTED), (DEV_RULE, ERRORS), (DEV_RULE, SAFE)),
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
