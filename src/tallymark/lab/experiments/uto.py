"""Uto (2026): the agreement that raters' errors leave to any scorer."""

from collections.abc import Sequence
from functools import cache

import numpy as np

from tallymark.agreement.kappa import cohen_kappa
from tallymark.arrays import Floats
from tallymark.lab.experiment import (
    LabExperiment,
    LabFigure,
    Place,
    Ruling,
    Statement,
    Sweep,
    Trace,
    Traces,
)
from tallymark.lab.learned import LabTexts, out_of_fold, stacked, synthetic, table_of
from tallymark.lab.rulings import EXACTLY, KAPPA_Q, each, falls, for_some, in_part, ruled
from tallymark.lab.samples import RatedTwice, Rng, rated
from tallymark.reliability.quantised import label_ceilings, label_of, latent
from tallymark.render.sentences import Sentence, joined
from tallymark.tally import PairCounts

CEILING_N, TOP, CEILING_SPREAD = 1000, 10, 3.3
CEILING_NOISES = (0.25, 0.5, 1.0, 2.0, 3.0)
THEORY, HUMAN, PEOPLE = "theoretical ceiling", "human-like ceiling", "two raters, QWK"
PERFECT_R, PERFECT_QWK = "perfect scorer, r", "perfect scorer, QWK"
COLUMNS = (PERFECT_R, PERFECT_QWK, THEORY, HUMAN, PEOPLE)
TABLE_1 = np.array(
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


def draw_ceiling(rng: Rng, replicates: int) -> Sequence[Sweep]:
    """True scores rated by two people with noise; once rounded only after, once also before."""
    size = (replicates, CEILING_N)

    def sweep(name: str, title: str, *, round_first: bool) -> Sweep:
        places = []
        for noise in CEILING_NOISES:
            sample = rated(size, TOP, CEILING_SPREAD, noise, rng, round_first=round_first)
            places.append(_perfect(sample))
        return Sweep(name=name, title=title, x_title="rater error (SD)", settings=places)

    return (
        sweep("noise", "noise on the true score", round_first=False),
        sweep(ROUNDED, "true score rounded first", round_first=True),
    )


def _perfect(sample: RatedTwice) -> Place:
    ceilings = sample.ceilings()
    score, gold = np.rint(sample.truth), np.rint(sample.mean)
    numbers = {
        PERFECT_R: sample.correlation(score, sample.mean),
        PERFECT_QWK: sample.agreement(score, gold),
        THEORY: ceilings.theoretical,
        HUMAN: ceilings.human_like,
        PEOPLE: sample.agreement(sample.ratings[0], sample.ratings[1]),
    }
    return Place(x=sample.noise, tables=sample.tables(score, gold), beside=numbers)


def _reproduced(traces: Traces) -> Ruling:
    means = np.stack([traces.of(name).mean for name in COLUMNS], axis=1)
    distance = np.abs(means - TABLE_1)
    close = int((distance <= CLOSE).sum())
    row, column = np.unravel_index(distance.argmax(), distance.shape)
    words = Sentence(
        '{close} of {all} numbers within .003 of those printed; furthest off is "{name}" at {noise:g}: '
        "{ours:share} for {printed:share}",
        close=close,
        all=distance.size,
        name=COLUMNS[int(column)],
        noise=CEILING_NOISES[int(row)],
        ours=float(means[row, column]),
        printed=float(TABLE_1[row, column]),
    )
    if close == distance.size:
        return Ruling("holds", words)
    return Ruling("holds in part", words, f"for {close} of {distance.size} numbers only")


def _rounded_first(traces: Traces) -> Ruling:
    ours, printed = float(traces.of(PEOPLE, ROUNDED).mean[0]), float(TABLE_1[0, -1])
    words = Sentence(
        "QWK of two raters at {noise:g}: {ours:share}, printed {printed:share}",
        noise=CEILING_NOISES[0],
        ours=ours,
        printed=printed,
    )
    return ruled(abs(ours - printed) <= CLOSE, words)


def _in_order(traces: Traces) -> Ruling:
    people, human, theory = (traces.of(name).mean for name in (PEOPLE, HUMAN, THEORY))
    evidence = [
        Sentence(
            "at {noise:g}: {people:share}, {human:share}, {theory:share}",
            noise=noise,
            people=float(people[i]),
            human=float(human[i]),
            theory=float(theory[i]),
        )
        for i, noise in enumerate(CEILING_NOISES)
    ]
    return ruled((people <= human).all() and (human <= theory).all(), *evidence)


def _correlates(traces: Traces) -> Ruling:
    return _within(0.01, traces.of(PERFECT_R), traces.of(THEORY), "at most {most:share} apart")


def _within(limit: float, first: Trace, second: Trace, words: str) -> Ruling:
    """Whether the means of two numbers are everywhere as close as this."""
    largest = float(np.abs(first.mean - second.mean).max())
    return ruled(largest < limit, Sentence(words, most=largest))


QWK_CEILING = LabExperiment(
    name="qwk-ceiling",
    title="How high QWK can be with imperfect raters",
    source="Uto (2026), Table 1 and Figure 1",
    question="Do the ceilings tell what a perfect scorer reaches against the mean of two raters?",
    how="1,000 responses: a normal true score (mean 5, SD 3.3) cut off at 0 and 10, two raters who add "
    "normal noise and round. The perfect scorer gives the rounded true score. The settings are "
    "inferred: the source's ceilings are not known, and of some 2,400 tried these fit best.",
    draw=draw_ceiling,
    figures=(
        LabFigure("Ceilings and what a perfect scorer reaches", COLUMNS[:3]),
        LabFigure("Human-like ceiling and two raters", (HUMAN, PEOPLE)),
        LabFigure(
            "QWK of the perfect scorer, by when the true score is rounded",
            (KAPPA_Q, (ROUNDED, KAPPA_Q)),
        ),
        LabFigure("Two raters where the true score is rounded first", ((ROUNDED, PEOPLE),)),
    ),
    statements=(
        Statement("QWK of two raters <= human-like ceiling <= theoretical ceiling", _in_order),
        Statement(
            "The true score correlates with the mean rating as the theoretical ceiling says",
            _correlates,
        ),
        Statement("Table 1 is met (within .003)", _reproduced),
        Statement(
            "Rounding the true score before noise is added, as the text says, gives Table 1",
            _rounded_first,
        ),
    ),
    y_title="coefficient",
)


CONCORDANCE_N, SPREAD = 1000, 10 / 3
NOISES = (0.25, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0)
MEANS = (-2.0, 0.0, 2.0, 5.0, 8.0, 10.0, 12.0)
SKEWS = (0.0, 0.5, 1.0, 1.5, 2.0)
PAIRS = "true score rounded", "gold rounded", "neither rounded"
CCC = "CCC, neither rounded"
PRINTED = 0.005


def draw_concordance(rng: Rng, replicates: int) -> Sequence[Sweep]:
    """Raters of growing noise; true scores at the floor, in the middle, at the ceiling; skewed."""
    size = (replicates, CONCORDANCE_N)
    noise = [_distances(rated(size, TOP, SPREAD, sd, rng), sd) for sd in NOISES]
    ends = [_distances(rated(size, TOP, SPREAD, 1.0, rng, mean=mean), mean) for mean in MEANS]
    skew = [_distances(_skewed(size, skewness, rng), skewness) for skewness in SKEWS]
    floor = "floor and ceiling"
    return (
        Sweep(name="noise", x_title="rater error (SD)", settings=noise),
        Sweep(name="ends", title=floor, x_title="mean before the cut-off", settings=ends),
        Sweep(name="skew", title="skewed true scores", x_title="skewness", settings=skew),
    )


def _distances(sample: RatedTwice, x: float) -> Place:
    """Distance of QWK of rounded scores from concordance where one score, or neither, is rounded."""
    truth, mean = sample.truth, sample.mean
    score, gold = np.rint(truth), np.rint(mean)
    qwk = sample.agreement(score, gold)
    pairs = zip(PAIRS, [(score, mean), (truth, gold), (truth, mean)], strict=True)
    numbers = {name: np.abs(sample.agreement(*pair) - qwk) for name, pair in pairs}
    numbers[CCC] = sample.agreement(truth, mean)
    return Place(x=x, tables=sample.tables(score, gold), beside=numbers)


def _skewed(size: tuple[int, int], skew: float, rng: Rng) -> RatedTwice:
    """True scores of a gamma distribution with this skewness, mean 5 and SD 10/3, cut off."""
    shape = 4 / skew**2 if skew else 1e6
    truth = TOP / 2 + SPREAD * (rng.gamma(shape, 1.0, size) - shape) / np.sqrt(shape)
    truth = truth.clip(0, TOP)
    ratings = np.rint(truth + rng.standard_normal((2, *size))).clip(0, TOP)
    return RatedTwice(truth, ratings, TOP, 1.0)


def _over_noise(trace: Trace) -> float:
    """The mean where every noise between the lowest and the highest is as likely."""
    steps = np.diff(trace.x)
    middle = (trace.mean[1:] + trace.mean[:-1]) / 2
    return float(steps @ middle / steps.sum())


def _mean_gap(traces: Traces) -> Ruling:
    gaps = {name: _over_noise(traces.of(name)) for name in PAIRS}
    evidence = [Sentence("{name} {gap:share}", name=name, gap=gap) for name, gap in gaps.items()]
    exact = any(abs(gap - PRINTED) < 5e-4 for gap in gaps.values())
    if exact or not min(gaps.values()) <= PRINTED <= max(gaps.values()):
        return ruled(exact, *evidence)
    scope = "in size only (which scores are rounded is not stated)"
    return Ruling("holds in part", joined(evidence, "; "), scope)


def _close_also_with(subject: str, sweep: str) -> Statement:
    def check(traces: Traces) -> Ruling:
        clauses = []
        for name in PAIRS:
            trace = traces.of(name, sweep)
            words = Sentence(
                "{name} up to {gap:share}, at {x:g}",
                name=name,
                gap=float(trace.mean.max()),
                x=float(trace.x[trace.mean.argmax()]),
            )
            clauses.append((name, bool(trace.mean.max() <= 0.01), words))
        return for_some(clauses)

    text = f"CCC stays within .01 of QWK also with {subject} (the source leaves it open)"
    return Statement(text, check, ours=True)


def _equal(traces: Traces) -> Ruling:
    gap = float(np.abs(traces.of(KAPPA_Q).values - traces.of("lin_ccc").values).max())
    return ruled(gap < EXACTLY, Sentence("at most {gap:share} apart", gap=gap), scope="exactly")


CCC_APPROXIMATION = LabExperiment(
    name="ccc-approximation",
    title="Concordance of unrounded scores in place of QWK",
    source="Uto (2026), section 5.2",
    question="How far is the concordance of unrounded scores from QWK of rounded ones?",
    how="1,000 responses: a normal true score (mean 5, SD 10/3) cut off at 0 and 10, two raters with "
    "noise, rounded. Differences of QWK of the rounded true score and the rounded mean rating from the "
    "concordance (CCC) of the pairs named. Floor and ceiling: the mean moves, noise 1. Skew: gamma "
    "true scores with mean 5 and SD 10/3, noise 1. The source does not say which of the scores it rounds.",
    draw=draw_concordance,
    figures=(
        LabFigure("Distance of CCC from QWK", PAIRS),
        LabFigure.of("At the floor and the ceiling", ["ends"], PAIRS),
        LabFigure.of("With skewed true scores", ["skew"], PAIRS),
        LabFigure("The coefficients", (KAPPA_Q, "lin_ccc", CCC)),
    ),
    statements=(
        Statement("On the same scores CCC and QWK are equal", _equal, ours=True),
        Statement("On other scores they differ by .005 on average over noise", _mean_gap),
        _close_also_with("floor and ceiling effects", "ends"),
        _close_also_with("skew", "skew"),
    ),
    y_title="difference",
    replicates=60,
)


COARSE_N = 2000
SCALES = (
    (3, 1.0, 0.6, 0.4),
    (4, 1.5, 0.9, 0.5),
    (6, 2.5, 1.2, 0.7),
    (8, 3.5, 2.0, 0.8),
    (11, 5.0, 10 / 3, 1.0),
)
"""Points, mean, SD of true scores, SD of the raters' errors."""
TRUTH_R, SCORE_QWK, BEST = "r of truth and mean", "rounded true score, QWK", "quantised ceiling"


def draw_coarse(rng: Rng, replicates: int) -> Sequence[Sweep]:
    """Scales of more and more points, the gold rounded to them."""
    places = []
    for points, mean, spread, noise in SCALES:
        sample = rated((replicates, COARSE_N), points - 1, spread, noise, rng, mean=mean)
        score, gold = np.rint(sample.truth), np.floor(sample.mean + 0.5)
        numbers = {
            TRUTH_R: sample.correlation(sample.truth, sample.mean),
            THEORY: sample.ceilings().theoretical,
            SCORE_QWK: sample.agreement(score, gold),
            BEST: np.full(replicates, _best(points, mean, spread, noise)),
        }
        places.append(Place(x=points, tables=sample.tables(gold, score), beside=numbers))
    return (Sweep(name="points", x_title="points of the scale", settings=places),)


@cache
def _best(size: int, mean: float, spread: float, noise: float) -> float:
    """The highest QWK that whole points can reach against the rounded gold, without drawing."""
    points = np.arange(float(size))
    raters = latent(points, mean, spread, noise)
    gold = label_of(raters, "mean_up", {2: 1.0})
    if gold is None:
        raise ValueError("the mean of two ratings rounded up is a known rule")
    return float(label_ceilings(raters, gold, points, times=1).quantised)


def _correlation_is_theory(traces: Traces) -> Ruling:
    return _within(0.01, traces.of(TRUTH_R), traces.of(THEORY), "at most {most:share} apart")


def _reached(traces: Traces) -> Ruling:
    gaps = traces.of(THEORY).mean - traces.of(BEST).mean
    evidence = [
        Sentence("{points:g} points: {gap:share} below", points=x, gap=float(gap))
        for x, gap in zip(traces.of(BEST).x.tolist(), gaps, strict=True)
    ]
    return ruled(gaps.max() < 0.02, *evidence)


COARSE_SCALE = LabExperiment(
    name="coarse-scale",
    title="Ceilings on coarse scales",
    source="Uto (2026), the ceiling carried to few points",
    question="Can whole points reach the theoretical ceiling where the gold is rounded too?",
    how="2,000 responses: a normal true score cut off at the ends of the scale, two raters with noise, "
    "rounded; the gold is their mean, rounded half up. The quantised ceiling is the highest QWK of any "
    "monotone map of the true score to the points, worked out without drawing.",
    draw=draw_coarse,
    figures=(
        LabFigure("Ceilings, and what whole points reach", (THEORY, BEST, SCORE_QWK)),
        LabFigure("QWK and the correlation with the mean", (KAPPA_Q, TRUTH_R)),
    ),
    statements=(
        Statement(
            "The theoretical ceiling is the correlation of true score and mean",
            _correlation_is_theory,
        ),
        Statement("Whole points come within .02 of the theoretical ceiling", _reached, ours=True),
    ),
    y_title="coefficient",
    replicates=60,
)


ALIKE_N, ALIKE_TOP, SINGLE, RATERS = 2000, 20, 0.75, 2
SHARED = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
QUOTED = {0.0: 0.926, 0.1: 0.909, 0.3: 0.857, 0.5: 0.756}
"""The true ceiling where two raters correlate by .75 and their errors by the key."""
OBSERVED, TRUE, FORMULA = "ceiling by ratings", "true ceiling", "formula"


def draw_alike(rng: Rng, replicates: int) -> Sequence[Sweep]:
    """Two raters who always correlate by .75, and share more and more of their errors."""
    size, places = (replicates, ALIKE_N), []
    for shared in SHARED:
        error = (1 - SINGLE) / (1 - shared)
        spread, noise = 3.0 * np.sqrt(1 - error), 3.0 * float(np.sqrt(error))
        sample = rated(size, ALIKE_TOP, spread, noise, rng, shared=shared, on_points=False)
        points = [np.rint(scores).clip(0, ALIKE_TOP) for scores in (sample.truth, sample.mean)]
        numbers = {
            OBSERVED: sample.ceilings().theoretical,
            TRUE: sample.correlation(sample.truth, sample.mean),
            FORMULA: np.full(replicates, _ceiling(shared)),
        }
        places.append(Place(x=shared, tables=sample.tables(*points), beside=numbers))
    return (Sweep(name="shared", x_title="correlation of errors", settings=places),)


def _ceiling(shared: float) -> float:
    """sqrt(s_T^2 / (s_T^2 + s_e^2 (1 + (m - 1) shared) / m)) for m raters, variance 1 together."""
    error = (1 - SINGLE) / (1 - shared)
    return float(np.sqrt((1 - error) / (1 - error + error * (1 + (RATERS - 1) * shared) / RATERS)))


def _too_high(traces: Traces) -> Ruling:
    gaps = (traces.of(OBSERVED).mean - traces.of(TRUE).mean)[1:]
    evidence = [
        Sentence("{gap:share} too high at {shared:g}", gap=float(gap), shared=x)
        for x, gap in zip(SHARED[1:], gaps, strict=True)
    ]
    return ruled((gaps > 0.005).all(), *evidence)


def _formula(traces: Traces) -> Ruling:
    words = (
        "simulation at most {most:share} from the formula, which gives .926, .909, .857, .756 at 0, "
        ".1, .3, .5"
    )
    simulated = _within(0.005, traces.of(FORMULA), traces.of(TRUE), words)
    quoted = max(abs(_ceiling(shared) - ceiling) for shared, ceiling in QUOTED.items())
    return ruled(simulated.state == "holds" and quoted < 6e-4, simulated.words)


SHARED_BIAS = LabExperiment(
    name="shared-bias",
    title="Raters who err alike",
    source="Uto (2026), errors assumed independent",
    question="What if the errors of two raters are correlated?",
    how="2,000 responses: normal true scores and two raters whose ratings always correlate by .75; the "
    "share of their errors that both have grows. Ceilings are of unrounded ratings; tables hold the "
    "true score and the mean rating, rounded to 0 to 20.",
    draw=draw_alike,
    figures=(
        LabFigure("Ceilings", (OBSERVED, TRUE, FORMULA)),
        LabFigure("QWK of the true score", (KAPPA_Q,)),
    ),
    statements=(
        Statement(
            "Independent errors are assumed; with shared errors the ceiling is too high",
            _too_high,
            ours=True,
        ),
        Statement("The true ceiling follows the formula for shared errors", _formula, ours=True),
        Statement(
            "The agreement of the true score with the gold falls",
            each((KAPPA_Q, TRUE), falls),
            ours=True,
        ),
    ),
    y_title="coefficient",
    replicates=60,
)


MODELS = {
    "length": "length only",
    "ridge": "ridge",
    "forest": "random forest",
    "boosting": "gradient boosting",
}


def draw_benchmark(rng: Rng, replicates: int) -> Sequence[Sweep]:
    """Train on as many synthetic corpora."""
    corpora = [synthetic(480, prompts=4, words=60, noise=0.6, rng=rng) for _ in range(replicates)]
    return learned(corpora, rng)


def learned(corpora: Sequence[LabTexts], rng: Rng) -> Sequence[Sweep]:
    """Predict the mean of two ratings out of fold, in each prompt."""
    seeds = [int(rng.integers(2**31)) for _ in corpora]
    places = []
    for prompt, _ in enumerate(corpora[0].prompts):
        runs = [_of_prompt(t.of_prompt(prompt), s) for t, s in zip(corpora, seeds, strict=True)]
        tables = stacked([table for table, _ in runs])
        qwk = {name: np.array([numbers[name] for _, numbers in runs]) for name in runs[0][1]}
        places.append(Place(x=prompt + 1, tables=tables, beside=qwk))
    prompts = corpora[0].prompts if any(corpora[0].prompts) else ()
    return [Sweep(name="prompts", x_title="prompt", names=prompts, settings=places)]


def _of_prompt(texts: LabTexts, seed: int) -> tuple[PairCounts, dict[str, float]]:
    """The table of ridge, and QWK of every model beside the ceilings."""
    gold = texts.gold("mean")
    scores = out_of_fold(texts, {"mean": gold}, [*MODELS], seed)
    tables = {model: table_of(gold.scores, scores["mean", model], gold.points) for model in MODELS}
    numbers = {
        name: float(cohen_kappa(tables[model], weights="quadratic")[0])
        for model, name in MODELS.items()
    }
    low, high = float(texts.points[0]), float(texts.points[-1])
    no_truth = np.zeros((1, len(texts.texts)))
    sample = RatedTwice(no_truth, texts.ratings.T[:, None] - low, int(high - low), 0)
    ceilings = sample.ceilings()
    numbers |= {
        THEORY: float(ceilings.theoretical[0]),
        HUMAN: float(ceilings.human_like[0]),
        PEOPLE: float(sample.agreement(sample.ratings[0], sample.ratings[1])[0]),
    }
    return tables["ridge"], numbers


def _below(traces: Traces) -> Ruling:
    ceiling = traces.of(THEORY).mean
    gaps = {model: traces.of(model).mean - ceiling for model in MODELS.values()}
    ranges = joined([_range(model, gap) for model, gap in gaps.items()], "; ")
    words = Sentence("less the theoretical ceiling: {said}", said=ranges)
    return in_part([bool((gap <= 0).all()) for gap in gaps.values()], words)


def _range(name: str, values: Floats) -> Sentence:
    template = (
        "{called} {low:share}" if values.size == 1 else "{called} {low:share} to {high:share}"
    )
    return Sentence(template, called=name, low=float(values.min()), high=float(values.max()))


def _ordered(traces: Traces) -> Ruling:
    means = {name: traces.of(name).mean for name in (PEOPLE, HUMAN, THEORY)}
    holds = (means[PEOPLE] <= means[HUMAN]) & (means[HUMAN] <= means[THEORY])
    scope = "" if holds.all() else "in some prompts only"
    return in_part(holds.tolist(), *(_range(*numbers) for numbers in means.items()), scope=scope)


def _above_people(traces: Traces) -> Ruling:
    people = traces.of(PEOPLE).mean
    best = np.max([traces.of(model).mean for model in MODELS.values()], axis=0)
    above = best > people
    scope = "in some prompts only" if above.any() and not above.all() else ""
    return in_part(
        above.tolist(), _range("best model less two raters:", best - people), scope=scope
    )


UTO_BENCHMARK = LabExperiment(
    name="uto-benchmark",
    title="Trained models beside the ceilings",
    source="Uto (2026), Tables 2 and 3",
    question="How much of what these ratings allow do trained models reach, prompt by prompt?",
    corpus="480 synthetic essays of some 60 words to four prompts, two raters on 1 to 6: the source's essays "
    "are not redistributed. Run it on yours with FILE, --text and --human.",
    how="The gold is the mean of two raters, with half points. Models read a dozen features and TF-IDF vectors, the first of them the length "
    "alone, and are scored out of fold within each prompt (3 folds). Ceilings come from the same "
    "ratings. The source has a BERT regressor: tallymark baseline --vectors takes vectors of your own.",
    draw=draw_benchmark,
    learned=learned,
    figures=(
        LabFigure(
            "QWK of models beside the ceilings",
            (*MODELS.values(), PEOPLE, HUMAN, THEORY),
        ),
        LabFigure("QWK of ridge regression", (KAPPA_Q,)),
    ),
    statements=(
        Statement("QWK of two raters <= human-like ceiling <= theoretical ceiling", _ordered),
        Statement("No model exceeds the theoretical ceiling", _below),
        Statement(
            "Two raters are no ceiling: the best model agrees with their mean more than they do with "
            "each other",
            _above_people,
        ),
    ),
    replicates=2,
    y_title="coefficient",
)


EXPERIMENTS = (QWK_CEILING, CCC_APPROXIMATION, COARSE_SCALE, SHARED_BIAS, UTO_BENCHMARK)
