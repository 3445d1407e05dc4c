"""Yannakoudakis & Cummins (2015): what moves coefficients although the scores are as good."""

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from tallymark.arrays import Floats, Whole
from tallymark.diagnosis.binning import merged
from tallymark.diagnosis.sweep import TWO, always_majority, prevalence, similarity
from tallymark.lab.experiment import (
    LabExperiment,
    LabFigure,
    Place,
    Ruling,
    Statement,
    Sweep,
    Traces,
)
from tallymark.lab.learned import LabTexts, out_of_fold, synthetic
from tallymark.lab.rulings import (
    AC,
    AC_L,
    AC_Q,
    BP,
    BP_L,
    BP_Q,
    EXACT,
    EXACTLY,
    KAPPA,
    KAPPA_L,
    KAPPA_Q,
    LINEAR,
    MAE,
    QUADRATIC,
    UNWEIGHTED,
    constant,
    each,
    ends,
    falls,
    for_some,
    in_part,
    label,
    moves,
    rises,
    ruled,
    span,
)
from tallymark.lab.samples import Rng, counted
from tallymark.render.sentences import Sentence
from tallymark.tally import PairCounts

LEVELS, RESPONSES, CORRELATION = 40, 1238, 0.78
SPREAD = 5.5
"""Standard deviation on the long scale."""


def normal_points(
    k: int, sd: float, size: tuple[int, int], rng: Rng, mean: float | None = None
) -> Whole:
    """Rounded normal scores on 0 to k - 1, drawn again where they fall off the scale."""
    middle = (k - 1) / 2 if mean is None else mean
    edges = (np.arange(k + 1) - 0.5 - middle) / sd
    below = np.array([math.erfc(-edge / math.sqrt(2)) / 2 for edge in edges])
    # on the upper side tails keep more digits, which scores far from the scale need
    above = np.array([math.erfc(edge / math.sqrt(2)) / 2 for edge in edges])
    chances = np.where(edges[:-1] > 0, above[:-1] - above[1:], below[1:] - below[:-1])
    return np.searchsorted(np.cumsum(chances / chances.sum())[:-1], rng.random(size), side="right")


def moved(gold: Whole, share: float, by: int, k: int, rng: Rng) -> Whole:
    """Move exactly a share of each replicate's scores by so many points, where the scale allows.

    An error goes upwards as often as downwards; where the scale forbids it, another response is
    chosen.
    """
    draws = rng.random((2, *gold.shape))
    draws[0][gold + by > k - 1] = np.inf
    draws[1][gold - by < 0] = np.inf
    order = draws.min(axis=0)
    wanted = round(share * gold.shape[1])
    chosen = np.argpartition(order, wanted - 1, axis=1)[:, :wanted]
    away = np.zeros(gold.shape, dtype=np.int64)
    step = np.where(draws[0] < draws[1], by, -by)
    np.put_along_axis(away, chosen, np.take_along_axis(step, chosen, axis=1), axis=1)
    return gold + away


def replaced(gold: Whole, scores: Whole, total: int) -> Whole:
    """Replace gold by scores, response after response, until the errors sum to the total.

    A response whose error would exceed what is left is passed over, so that the sum is met exactly.
    """
    errors = np.abs(scores - gold)
    chosen = np.cumsum(errors, axis=1) <= total
    while True:
        left = total - (errors * chosen).sum(axis=1)
        fits = ~chosen & (errors > 0) & (errors <= left[:, None])
        rows = np.flatnonzero((left > 0) & fits.any(axis=1))
        if not rows.size:
            return np.where(chosen, scores, gold)
        chosen[rows, fits[rows].argmax(axis=1)] = True


def correlated(
    replicates: int, rng: Rng, *, lift: float = 0.0, shrink: float = 1.0
) -> tuple[Whole, Whole]:
    """Gold and system scores from 0 to 39 that correlate by .78.

    ``lift`` raises the system's scores, ``shrink`` draws them towards the middle.
    """
    common = rng.standard_normal((replicates, RESPONSES))
    independent = rng.standard_normal((replicates, RESPONSES))
    middle = (LEVELS - 1) / 2
    gold = middle + SPREAD * common
    mixed = CORRELATION * common + math.sqrt(1 - CORRELATION**2) * independent
    system = middle + lift + shrink * SPREAD * mixed
    on_scale = [np.rint(scores).clip(0, LEVELS - 1).astype(np.int64) for scores in (gold, system)]
    return on_scale[0], on_scale[1]


TRAIT_N, TRAIT_K, SHARE, BY = 5000, 5, 0.25, 2
SPREADS = (0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0)
CLIPPED = "clipped"


def draw_trait(rng: Rng, replicates: int) -> Sequence[Sweep]:
    """Gold scores of growing spread, of which a quarter is moved by two points."""

    def sweep(name: str, title: str, gold: Callable[[float], Whole]) -> Sweep:
        places = []
        for sd in SPREADS:
            scores = gold(sd)
            system = moved(scores, SHARE, BY, TRAIT_K, rng)
            places.append(Place(x=sd, tables=counted(scores, system, np.arange(float(TRAIT_K)))))
        return Sweep(name=name, title=title, x_title="SD of the gold", settings=places)

    def clipped(sd: float) -> Whole:
        return np.rint(rng.normal(2, sd, size)).clip(0, TRAIT_K - 1).astype(np.int64)

    size = (replicates, TRAIT_N)
    return (
        sweep("redrawn", "", lambda sd: normal_points(TRAIT_K, sd, size, rng)),
        sweep(CLIPPED, "clipped", clipped),
    )


TRAIT_PREVALENCE = LabExperiment(
    name="trait-prevalence",
    title="One score dominates, the errors stay",
    source="Yannakoudakis & Cummins (2015), Figure 1",
    question="Does a coefficient move because one score dominates, although the errors are the same?",
    how="5,000 responses on 0 to 4. Gold: a rounded normal score, drawn again where it falls off the "
    "scale. System: exactly a quarter of the gold scores moved by two points, up or down. Always 75 % "
    "exact agreement and a mean error of half a point. The source does not say what becomes of "
    "scores off the scale; `clipped` moves them to its ends instead.",
    draw=draw_trait,
    figures=(
        LabFigure("Quadratic weights", QUADRATIC),
        LabFigure("Linear weights", LINEAR),
        LabFigure.of("Quadratic weights, scores clipped to the scale", [CLIPPED], QUADRATIC),
        LabFigure("What stays", (EXACT, MAE)),
    ),
    replicates=50,
    statements=(
        Statement("BP does not move with prevalence", each((BP_Q, BP_L), constant)),
        Statement("Kappa falls as one score comes to dominate", each((KAPPA_Q, KAPPA_L), rises)),
        Statement("AC rises as one score comes to dominate", each((AC_Q, AC_L), falls)),
        Statement(
            "AC is nearly robust to prevalence (moves by less than .02)",
            each((AC_Q, AC_L), lambda trace: moves(trace) < 0.02, show=span),
            ours=True,
        ),
        Statement(
            "Clipping instead of drawing again makes no difference to BP",
            each((BP_Q,), constant, sweep=CLIPPED),
            ours=True,
        ),
    ),
)


MARGINS_N, MARGINS_K = 5000, 10
MEANS = (0.0, 1.0, 2.0, 3.0, 4.0, 4.5, 5.0, 6.0, 7.0, 8.0, 9.0)
DIFFERENCES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
"""Gold share passing less system share."""
SET = "set"


def draw_margins(rng: Rng, replicates: int) -> Sequence[Sweep]:
    """Wrong scores from elsewhere until the errors sum to n; tables with set margins."""
    size, points = (replicates, MARGINS_N), np.arange(float(MARGINS_K))
    places = []
    for mean in MEANS:
        gold = normal_points(MARGINS_K, 1.0, size, rng)
        system = replaced(gold, normal_points(MARGINS_K, 1.0, size, rng, mean), MARGINS_N)
        places.append(Place(x=mean, tables=counted(gold, system, points)))
    return (
        Sweep(name="wrong", x_title="mean of the wrong scores", settings=places),
        Sweep(
            name=SET,
            title="set margins",
            x_title="gold share passing - system share",
            settings=[Place(x=by, tables=with_margins(by, replicates)) for by in DIFFERENCES],
        ),
    )


def with_margins(difference: float, replicates: int) -> PairCounts:
    """Pass or fail with 40 % agreement, a mean passing share of .5 and this difference of shares."""
    table = np.array([[200, 300 - 500 * difference], [300 + 500 * difference, 200]])
    return PairCounts(np.rint(np.stack([table] * replicates)).astype(np.int64), TWO)


def _lowest_where_alike(traces: Traces) -> Ruling:
    curves = [traces.of(name) for name in (KAPPA_Q, KAPPA_L)]
    lowest = [float(trace.x[trace.mean.argmin()]) for trace in curves]
    evidence = [
        Sentence(
            "{label} lowest at {x:g} ({value:share})",
            label=label(trace.name),
            x=x,
            value=float(trace.mean.min()),
        )
        for trace, x in zip(curves, lowest, strict=True)
    ]
    return in_part([abs(x - (MARGINS_K - 1) / 2) <= 0.5 for x in lowest], *evidence)


def _less(traces: Traces) -> Ruling:
    pairs = [(traces.of(ac), traces.of(kappa)) for ac, kappa in ((AC_Q, KAPPA_Q), (AC_L, KAPPA_L))]
    holds = [moves(ac) < moves(kappa) for ac, kappa in pairs]
    return in_part(holds, *(span(trace) for pair in pairs for trace in pair))


MARGINAL_HOMOGENEITY = LabExperiment(
    name="marginal-homogeneity",
    title="Margins drift apart, the errors stay",
    source="Yannakoudakis & Cummins (2015), Figure 2",
    question="Does a coefficient move because gold and system use the scale differently, although the "
    "errors are the same?",
    how="5,000 responses on 0 to 9, gold normal about 4.5 with SD 1. System: response after response "
    "gets a wrong score from a normal distribution with SD 1 and the mean on the axis, until the "
    "errors sum to 5,000 points (MAE 1); the margins match where that mean is 4.5. Set margins: pass "
    "or fail of 1,000 responses, always 40 % agreement and a mean passing share of .5, while the "
    "shares of gold and system move apart, so that margins alone change (the source's Table 2 is "
    "the end of that line).",
    draw=draw_margins,
    figures=(
        LabFigure("Quadratic weights", QUADRATIC),
        LabFigure("Linear weights", LINEAR),
        LabFigure.of("Set margins, 40 % agreement", [SET], UNWEIGHTED),
        LabFigure("What stays, and what does not", (EXACT, MAE)),
    ),
    statements=(
        Statement("BP with linear weights does not move", each((BP_L,), constant)),
        Statement("Kappa is lowest where the margins match", _lowest_where_alike),
        Statement(
            "With set margins and set agreement, kappa rises as margins differ",
            each((KAPPA,), rises, sweep=SET),
        ),
        Statement(
            "AC and BP do not move with set agreement and mean share",
            each((AC, BP), constant, sweep=SET),
            ours=True,
        ),
        Statement("AC moves less than kappa as margins drift apart", _less, ours=True),
    ),
    replicates=30,
)


MAGNITUDE_N, MAGNITUDE_K, ERROR = 6000, 10, 0.5
SIZES = (1, 2, 3, 4, 5)


def draw_magnitude(rng: Rng, replicates: int) -> Sequence[Sweep]:
    """Errors of one size, as many as give the mean error."""
    places = []
    for by in SIZES:
        gold = normal_points(MAGNITUDE_K, 1.0, (replicates, MAGNITUDE_N), rng)
        system = moved(gold, ERROR / by, by, MAGNITUDE_K, rng)
        places.append(Place(x=by, tables=counted(gold, system, np.arange(float(MAGNITUDE_K)))))
    return (Sweep(name="size", x_title="size of the errors", settings=places),)


def _straight(traces: Traces) -> Ruling:
    steps = np.diff(traces.of(BP_Q).values, axis=0)
    words = Sentence("BP quadratic falls by {step:share} a point", step=float(-steps.mean()))
    return ruled(np.ptp(steps) < EXACTLY, words)


ERROR_MAGNITUDE = LabExperiment(
    name="error-magnitude",
    title="Fewer and larger errors with the same sum",
    source="Yannakoudakis & Cummins (2015), Figure 4",
    question="Is a coefficient lower where errors are larger but fewer?",
    how="6,000 responses on 0 to 9, gold normal with SD 1. Exactly so many scores are moved by the "
    "size on the axis, up or down, that the mean error is half a point. The source states neither "
    "the SD nor the mean error: both are our choice.",
    draw=draw_magnitude,
    figures=(
        LabFigure("Quadratic weights", QUADRATIC),
        LabFigure("Linear weights", LINEAR),
        LabFigure("Agreement and mean error", (EXACT, MAE)),
    ),
    statements=(
        Statement("Quadratic weights punish large errors: all fall", each(QUADRATIC, falls)),
        Statement("BP with quadratic weights falls in a straight line", _straight, ours=True),
        Statement("Linear-weighted metrics rise slightly", each(LINEAR, rises)),
        Statement("BP with linear weights is constant", each((BP_L,), constant)),
    ),
    replicates=50,
)


BINS = (40, 20, 10, 8, 5, 4, 3)


def draw_binning(rng: Rng, replicates: int) -> Sequence[Sweep]:
    """The same scores on scales of fewer points."""
    gold, system = correlated(replicates, rng)
    places = []
    for bins in BINS:
        bin_of = merged(LEVELS, bins)
        tables = counted(bin_of[gold], bin_of[system], np.arange(float(bins)))
        places.append(Place(x=bins, tables=tables))
    return (Sweep(name="bins", x_title="points of the scale", settings=places),)


def _order(traces: Traces) -> Ruling:
    kappa, ac, bp = (traces.of(name) for name in (KAPPA_Q, AC_Q, BP_Q))
    return ruled(moves(kappa) > moves(bp) > moves(ac), ends(kappa), ends(bp), ends(ac))


SCALE_BINNING = LabExperiment(
    name="scale-binning",
    title="The same scores on a coarser scale",
    source="Yannakoudakis & Cummins (2015), scale effects",
    question="Does a coefficient change because the scale has fewer points?",
    how="1,238 responses on 40 levels whose two scores correlate by .78, then told on fewer points of "
    "equal width. Weights are those of the points. The source uses the FCE corpus, whose data "
    "are not redistributed; these scores are synthetic.",
    draw=draw_binning,
    figures=(
        LabFigure("Quadratic weights", QUADRATIC),
        LabFigure("Linear weights", LINEAR),
        LabFigure("Exact agreement and rank correlation", (EXACT, "pearson", "kendall_tau_b")),
    ),
    statements=(
        Statement(
            "On fewer points QWK falls most, and AC less than BP (quadratic weights)", _order
        ),
        Statement(
            "Coefficients with quadratic weights fall on fewer points",
            each(QUADRATIC, falls),
        ),
        Statement(
            "Coefficients with linear weights move less (by at most .05)",
            each(LINEAR, lambda trace: moves(trace) <= 0.05),
            ours=True,
        ),
    ),
)


CUTS = range(8, LEVELS - 6, 2)
LIFT, SHRINK = 1.5, 0.8
LIFTS, MIDDLE = (0.0, 1.0, 2.0, 4.0, 6.0, 8.0, 10.0), LEVELS // 2
SIMILAR, MAJORITY, LENIENT = "similarity", "majority", "lenient"
LIKENESS = "1 - |gold share - system share|"
OVERALL = "share passing, mean of gold and system"


def draw_pass_fail(rng: Rng, replicates: int) -> Sequence[Sweep]:
    """Decisions at every cut, by the share that passes and by how alike the two shares are."""
    gold, system = correlated(replicates, rng, lift=LIFT, shrink=SHRINK)
    prevalent, similar, majority = by_cut([decided(gold >= cut, system >= cut) for cut in CUTS])
    lenient = []
    for lift in LIFTS:
        first, second = correlated(replicates, rng, lift=lift, shrink=SHRINK)
        lenient.append(decided(first >= MIDDLE, second >= MIDDLE))
    return (
        prevalent,
        similar,
        sweep_of(LENIENT, "a lenient system", LIKENESS, similarity, lenient),
        majority,
    )


def by_cut(tables: Sequence[PairCounts]) -> tuple[Sweep, Sweep, Sweep]:
    """Decisions by prevalence and by similarity, and those of a scorer that always decides alike."""
    majority = "always the majority's decision"
    return (
        sweep_of("prevalence", "by prevalence", OVERALL, prevalence, tables),
        sweep_of(SIMILAR, "by similarity", LIKENESS, similarity, tables),
        sweep_of(MAJORITY, majority, OVERALL, prevalence, tables, always_majority),
    )


def sweep_of(
    name: str,
    title: str,
    axis: str,
    x_of: Callable[[PairCounts], Floats],
    tables: Sequence[PairCounts],
    scorer: Callable[[PairCounts], PairCounts] = lambda table: table,
) -> Sweep:
    """A sweep of decisions, in the order of its axis."""
    places = [Place(x=float(x_of(table).mean()), tables=scorer(table)) for table in tables]
    ordered = sorted(places, key=lambda place: place.x)
    return Sweep(name=name, title=title, x_title=axis, settings=ordered)


def decided(gold: NDArray[np.bool_], system: NDArray[np.bool_]) -> PairCounts:
    """Count pass and fail of gold and system, ``[replicate, response]``."""
    cells = [(gold == i) & (system == j) for i in (False, True) for j in (False, True)]
    counts = np.stack([cell.sum(axis=1) for cell in cells], axis=-1)
    return PairCounts(counts.reshape(-1, 2, 2), TWO)


def closest(traces: Traces) -> Ruling:
    """Decide which coefficient stays closest to percent agreement, where it is defined."""
    agreement = traces.of(EXACT).values
    distances = {
        name: float(np.nanmean(np.abs(traces.of(name).values - agreement))) for name in UNWEIGHTED
    }
    evidence = [
        Sentence("{name} {far:share} away on average", name=label(name), far=distance)
        for name, distance in distances.items()
    ]
    return ruled(distances[AC] < distances[BP] < distances[KAPPA], *evidence)


def kappa_falls_at_the_ends(traces: Traces) -> Ruling:
    """Decide whether kappa falls at both ends."""
    trace = traces.of(KAPPA)
    middle = int(np.abs(trace.x - 0.5).argmin())
    low, mid, high = (float(trace.mean[place]) for place in (0, middle, -1))
    words = Sentence(
        "kappa {low:share} at a share of {x0:goal}, {mid:share} at {x1:goal}, {high:share} at {x2:goal}",
        low=low,
        mid=mid,
        high=high,
        x0=float(trace.x[0]),
        x1=float(trace.x[middle]),
        x2=float(trace.x[-1]),
    )
    return ruled(mid > max(low, high) + 0.1, words)


def penalised(traces: Traces) -> Ruling:
    """Decide what the scorer that reads nothing is worth."""
    means = {name: float(np.nanmax(traces.of(name, MAJORITY).mean)) for name in UNWEIGHTED}
    return for_some(
        (
            label(name),
            mean <= 0.05,
            Sentence("{name} up to {value:share}", name=label(name), value=mean),
        )
        for name, mean in means.items()
    )


COEFFICIENTS = (*UNWEIGHTED, EXACT)
BY_CUT = (
    LabFigure("By prevalence", COEFFICIENTS),
    LabFigure.of("By similarity of the margins", [SIMILAR], COEFFICIENTS),
    LabFigure.of("A scorer that always decides as the majority", [MAJORITY], COEFFICIENTS),
)
CLAIMS_BY_CUT = (
    Statement("Kappa falls as nearly all pass or nearly all fail", kappa_falls_at_the_ends),
    Statement("AC stays closest to percent agreement, then BP, then kappa", closest),
    Statement("The scorer that always gives the most common decision gains nothing", penalised),
)


PASS_FAIL_SWEEP = LabExperiment(
    name="pass-fail-sweep",
    title="Pass or fail at every cut",
    source="Yannakoudakis & Cummins (2015), the pass/fail figures",
    question="Does a coefficient stay close to the agreement that it corrects, wherever the cut is?",
    how="1,238 responses on 40 levels whose scores correlate by .78; the system is 1.5 levels lenient "
    "and spreads its scores less. A score that reaches the cut passes. The source gives no formula "
    "for its axes: here the mean of both passing shares, and 1 less their difference. At the middle cut the system is also made "
    "lenient by 0 to 10 levels. The scorer that decides as most of the gold does reads nothing.",
    draw=draw_pass_fail,
    figures=(
        *BY_CUT[:2],
        LabFigure.of(
            "By similarity, at the middle cut: a system more and more lenient",
            [LENIENT],
            COEFFICIENTS,
        ),
        BY_CUT[2],
    ),
    statements=CLAIMS_BY_CUT,
)


LEAST = 0.01
"""A cut that fewer of the gold pass, or fail, is left out."""


def draw_trained(rng: Rng, replicates: int) -> Sequence[Sweep]:
    """Train on as many synthetic corpora."""
    corpora = [synthetic(400, prompts=1, words=60, noise=0.5, rng=rng) for _ in range(replicates)]
    return learned(corpora, rng)


def learned(corpora: Sequence[LabTexts], rng: Rng) -> Sequence[Sweep]:
    """Decisions at every cut of the sum of two ratings, by ridge regression out of fold."""
    golds, systems = [], []
    for texts in corpora:
        seed = int(rng.integers(2**31))
        parts = [(prompt, {"sum": prompt.gold("sum")}) for prompt in texts.each_prompt()]
        golds.append(np.concatenate([gold["sum"].scores for _, gold in parts]))
        scores = [
            out_of_fold(prompt, gold, ["ridge"], seed)["sum", "ridge"] for prompt, gold in parts
        ]
        systems.append(np.concatenate(scores))
    gold, system = np.stack(golds), np.stack(systems)
    cuts = [(low + high) / 2 for low, high in pairwise(corpora[0].gold("sum").points)]
    return by_cut(
        [
            decided(gold >= cut, system >= cut)
            for cut in cuts
            if LEAST <= (gold >= cut).mean() <= 1 - LEAST
        ]
    )


REPLICATED_SCORER = LabExperiment(
    name="replicated-scorer",
    title="A trained scorer at every cut",
    source="Yannakoudakis & Cummins (2015), section 5",
    question="Do coefficients of a trained scorer stay close to the agreement that they correct, wherever the cut is?",
    corpus="400 synthetic essays of some 60 words, two raters on 1 to 6: the source's corpus is not "
    "redistributed. Run it on texts of your own with FILE, --text and --human.",
    how="The gold is the sum of two raters. Ridge regression on a dozen features and TF-IDF vectors, where "
    "the source has a ranker, scores the texts out of fold (3 folds). A score that reaches the cut "
    "passes; cuts that fewer than 1 % pass or fail are left out.",
    draw=draw_trained,
    learned=learned,
    figures=BY_CUT,
    statements=CLAIMS_BY_CUT,
    replicates=2,
)


EXPERIMENTS = (
    TRAIT_PREVALENCE,
    MARGINAL_HOMOGENEITY,
    ERROR_MAGNITUDE,
    SCALE_BINNING,
    PASS_FAIL_SWEEP,
    REPLICATED_SCORER,
)
