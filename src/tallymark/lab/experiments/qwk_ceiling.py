"""How high QWK can be with imperfect raters: ceilings beside what a perfect scorer reaches."""

from collections.abc import Sequence

import numpy as np

from tallymark.lab.experiment import LabExperiment, Place, Ruling, Shown, Statement, Sweep, Traces
from tallymark.lab.rulings import KAPPA_Q, ruled
from tallymark.lab.samples import RatedTwice, Rng, rated
from tallymark.render.sentences import Sentence, joined

N, TOP, SPREAD = 1000, 10, 3.3
NOISES = (0.25, 0.5, 1.0, 2.0, 3.0)
CORR, QWK, THEORY, HUMAN, PEOPLE = (
    "perfect scorer, r",
    "perfect scorer, QWK",
    "theoretical ceiling",
    "human-like ceiling",
    "two raters, QWK",
)
COLUMNS = (CORR, QWK, THEORY, HUMAN, PEOPLE)
PRINTED = np.array(
    [
        [0.993, 0.990, 0.996, 0.989, 0.985],
        [0.987, 0.982, 0.991, 0.974, 0.965],
        [0.967, 0.961, 0.972, 0.919, 0.895],
        [0.897, 0.890, 0.901, 0.749, 0.683],
        [0.802, 0.797, 0.806, 0.563, 0.482],
    ]
)
"""Table 1 of the source, in the order of the columns above."""
CLOSE = 0.003
ROUNDED = "rounded"


def draw(rng: Rng, replicates: int) -> Sequence[Sweep]:
    """True scores rated by two people with noise; once rounded only after, once also before."""
    size = (replicates, N)

    def sweep(name: str, title: str, *, first: bool) -> Sweep:
        places = [
            _place(rated(size, TOP, SPREAD, noise, rng, round_first=first)) for noise in NOISES
        ]
        return Sweep(name=name, title=title, x_title="rater error (SD)", settings=tuple(places))

    return (
        sweep("noise", "noise on the true score", first=False),
        sweep(ROUNDED, "true score rounded first", first=True),
    )


def _place(made: RatedTwice) -> Place:
    ceilings = made.ceilings()
    beside = {
        CORR: made.correlation(np.rint(made.truth), made.mean),
        QWK: made.agreement(np.rint(made.truth), np.rint(made.mean)),
        THEORY: ceilings.theoretical,
        HUMAN: ceilings.human_like,
        PEOPLE: made.agreement(made.ratings[0], made.ratings[1]),
    }
    return Place(
        x=made.noise, tables=made.tables(np.rint(made.truth), np.rint(made.mean)), beside=beside
    )


def _reproduced(traces: Traces) -> Ruling:
    means = np.stack([traces.of(name).mean for name in COLUMNS], axis=1)
    off = np.abs(means - PRINTED)
    close = int((off <= CLOSE).sum())
    row, column = np.unravel_index(off.argmax(), off.shape)
    words = Sentence(
        '{close} of {all} numbers within .003 of those printed; furthest off is "{name}" at {noise:g}: '
        "{ours:share} for {printed:share}",
        close=close,
        all=off.size,
        name=COLUMNS[int(column)],
        noise=NOISES[int(row)],
        ours=float(means[row, column]),
        printed=float(PRINTED[row, column]),
    )
    whole = close == off.size
    scope = "" if whole else f"for {close} of {off.size} numbers only"
    return Ruling("holds" if whole else "holds in part", words, scope)


def _rounded_first(traces: Traces) -> Ruling:
    ours = float(traces.of(PEOPLE, ROUNDED).mean[0])
    held = abs(ours - PRINTED[0, -1]) <= CLOSE
    words = Sentence(
        "QWK of two raters at {noise:g}: {ours:share}, printed {printed:share}",
        noise=NOISES[0],
        ours=ours,
        printed=float(PRINTED[0, -1]),
    )
    return ruled(held, words)


def _in_order(traces: Traces) -> Ruling:
    people, human, theory = (traces.of(name).mean for name in (PEOPLE, HUMAN, THEORY))
    held = bool((people <= human).all() and (human <= theory).all())
    said = [
        Sentence(
            "at {noise:g}: {people:share}, {human:share}, {theory:share}",
            noise=noise,
            people=float(a),
            human=float(b),
            theory=float(c),
        )
        for noise, a, b, c in zip(NOISES, people, human, theory, strict=True)
    ]
    return ruled(held, joined(said, "; "))


def _reached(traces: Traces) -> Ruling:
    apart = traces.of(CORR).mean - traces.of(THEORY).mean
    held = float(np.abs(apart).max()) <= 0.01
    words = Sentence("at most {most:share} apart", most=float(np.abs(apart).max()))
    return ruled(held, words)


EXPERIMENT = LabExperiment(
    name="qwk-ceiling",
    title="How high QWK can be with imperfect raters",
    source="Uto (2026), Table 1 and Figure 1",
    question="Do the ceilings tell what a perfect scorer reaches against the mean of two raters?",
    how="1,000 responses: a normal true score (mean 5, SD 3.3) cut off at 0 and 10, two raters who add "
    "normal noise and round. The perfect scorer gives the rounded true score. The settings are "
    "inferred: the source's ceilings are not known, and of some 2,400 tried these fit best.",
    draw=draw,
    figures=(
        Shown("Ceilings and what a perfect scorer reaches", COLUMNS[:3]),
        Shown("Human-like ceiling and two raters", (HUMAN, PEOPLE)),
        Shown(
            "QWK of the perfect scorer, by when the true score is rounded",
            (KAPPA_Q, (ROUNDED, KAPPA_Q)),
        ),
        Shown("Two raters where the true score is rounded first", ((ROUNDED, PEOPLE),)),
    ),
    statements=(
        Statement("QWK of two raters <= human-like ceiling <= theoretical ceiling", _in_order),
        Statement(
            "The true score correlates with the mean rating as the theoretical ceiling says",
            _reached,
        ),
        Statement("Table 1 is met (within .003)", _reproduced),
        Statement(
            "Rounding the true score before noise is added, as the text says, gives Table 1",
            _rounded_first,
        ),
    ),
    y_title="coefficient",
)
