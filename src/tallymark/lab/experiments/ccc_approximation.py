"""QWK in closed form: how far concordance of unrounded scores is from QWK of rounded ones."""

from collections.abc import Sequence

import numpy as np

from tallymark.lab.experiment import (
    Holds,
    LabExperiment,
    Place,
    Ruling,
    Shown,
    Statement,
    Sweep,
    Trace,
    Traces,
)
from tallymark.lab.rulings import KAPPA_Q, for_some, ruled
from tallymark.lab.samples import RatedTwice, Rng, rated
from tallymark.render.sentences import Sentence, joined

N, TOP, SPREAD = 1000, 10, 10 / 3
NOISES = (0.25, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0)
MEANS = (-2.0, 0.0, 2.0, 5.0, 8.0, 10.0, 12.0)
SKEWS = (0.0, 0.5, 1.0, 1.5, 2.0)
TRUE_ROUNDED, GOLD_ROUNDED, NEITHER = (
    "true score rounded",
    "gold rounded",
    "neither rounded",
)
PAIRS = (TRUE_ROUNDED, GOLD_ROUNDED, NEITHER)
CCC = "CCC, neither rounded"
PRINTED = 0.005


def draw(rng: Rng, replicates: int) -> Sequence[Sweep]:
    """Raters of growing noise; true scores at the floor, in the middle, at the ceiling; skewed."""
    size = (replicates, N)
    noise = [_place(rated(size, TOP, SPREAD, sd, rng), sd) for sd in NOISES]
    ends = [_place(rated(size, TOP, SPREAD, 1.0, rng, mean=mean), mean) for mean in MEANS]
    return (
        Sweep(name="noise", x_title="rater error (SD)", settings=tuple(noise)),
        Sweep(
            name="ends",
            title="floor and ceiling",
            x_title="mean before the cut-off",
            settings=tuple(ends),
        ),
        Sweep(
            name="skew",
            title="skewed true scores",
            x_title="skewness",
            settings=tuple(_skewed(size, skew, rng) for skew in SKEWS),
        ),
    )


def _place(made: RatedTwice, x: float) -> Place:
    truth, mean = made.truth, made.mean
    rounded = made.agreement(np.rint(truth), np.rint(mean))
    pairs = {
        TRUE_ROUNDED: (np.rint(truth), mean),
        GOLD_ROUNDED: (truth, np.rint(mean)),
        NEITHER: (truth, mean),
    }
    beside = {name: np.abs(made.agreement(*pair) - rounded) for name, pair in pairs.items()}
    beside[CCC] = made.agreement(truth, mean)
    tables = made.tables(np.rint(truth), np.rint(mean))
    return Place(x=x, tables=tables, beside=beside)


def _skewed(size: tuple[int, int], skew: float, rng: Rng) -> Place:
    """True scores of a gamma distribution with this skewness, mean 5 and SD 10/3, cut off."""
    shape = 4 / skew**2 if skew else 1e6
    truth = TOP / 2 + SPREAD * (rng.gamma(shape, 1.0, size) - shape) / np.sqrt(shape)
    truth = truth.clip(0, TOP)
    ratings = np.rint(truth + rng.standard_normal((2, *size))).clip(0, TOP)
    return _place(RatedTwice(truth, ratings, TOP, 1.0), skew)


def _over_noise(trace: Trace) -> float:
    """The mean where every noise between the lowest and the highest is as likely."""
    steps = np.diff(trace.x)
    middle = (trace.mean[1:] + trace.mean[:-1]) / 2
    return float(steps @ middle / steps.sum())


def _mean_gap(traces: Traces) -> Ruling:
    gaps = {name: _over_noise(traces.of(name)) for name in PAIRS}
    held = [abs(gap - PRINTED) < 5e-4 for gap in gaps.values()]
    said = [Sentence("{name} {gap:share}", name=name, gap=gap) for name, gap in gaps.items()]
    between = min(gaps.values()) <= PRINTED <= max(gaps.values())
    state: Holds = "holds" if any(held) else "holds in part" if between else "does not hold"
    scope = (
        "in size only (which scores are rounded is not stated)" if state == "holds in part" else ""
    )
    return Ruling(state, joined(said, "; "), scope)


def _below(sweep: str, most: float) -> Statement:
    def check(traces: Traces) -> Ruling:
        every = [traces.of(name, sweep) for name in PAIRS]
        held = {trace.name: bool(trace.mean.max() <= most) for trace in every}
        said = [
            Sentence(
                "{name} up to {gap:share}, at {x:g}",
                name=trace.name,
                gap=float(trace.mean.max()),
                x=float(trace.x[trace.mean.argmax()]),
            )
            for trace in every
        ]
        return for_some(held, said)

    where = {"ends": "floor and ceiling effects", "skew": "skew"}[sweep]
    return Statement(
        f"CCC stays within .01 of QWK also with {where} (the source leaves it open)",
        check,
        ours=True,
    )


def _equal(traces: Traces) -> Ruling:
    exact = np.abs(traces.of(KAPPA_Q).values - traces.of("lin_ccc").values).max()
    words = Sentence("at most {gap:share} apart", gap=float(exact))
    return ruled(exact < 1e-9, words, "exactly")


EXPERIMENT = LabExperiment(
    name="ccc-approximation",
    title="Concordance of unrounded scores in place of QWK",
    source="Uto (2026), section 5.2",
    question="How far is the concordance of unrounded scores from QWK of rounded ones?",
    how="1,000 responses: a normal true score (mean 5, SD 10/3) cut off at 0 and 10, two raters with "
    "noise, rounded. Differences of QWK of the rounded true score and the rounded mean rating from the "
    "concordance (CCC) of the pairs named. Floor and ceiling: the mean moves, noise 1. Skew: gamma "
    "true scores with mean 5 and SD 10/3, noise 1. The source does not say which of the scores it rounds.",
    draw=draw,
    figures=(
        Shown("Distance of CCC from QWK", PAIRS),
        Shown("At the floor and the ceiling", tuple(("ends", name) for name in PAIRS)),
        Shown("With skewed true scores", tuple(("skew", name) for name in PAIRS)),
        Shown("The coefficients", (KAPPA_Q, "lin_ccc", CCC)),
    ),
    statements=(
        Statement("On the same scores CCC and QWK are equal", _equal, ours=True),
        Statement("On other scores they differ by .005 on average over noise", _mean_gap),
        _below("ends", 0.01),
        _below("skew", 0.01),
    ),
    y_title="difference",
    replicates=60,
)
