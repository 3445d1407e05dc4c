"""Doewes, Kurdhi & Saxena (2023): prevalence, and the rule that makes one gold of two ratings."""

from collections.abc import Mapping, Sequence

import numpy as np

from tallymark.agreement.kappa import cohen_kappa
from tallymark.agreement.paradox import prevalence_doewes
from tallymark.arrays import Floats
from tallymark.lab.experiment import (
    LabExperiment,
    LabFigure,
    Place,
    Ruling,
    Statement,
    Sweep,
    Traces,
)
from tallymark.lab.learned import LabTexts, out_of_fold, stacked, synthetic, table_of
from tallymark.lab.rulings import (
    AC_Q,
    BP_Q,
    EXACT,
    KAPPA,
    KAPPA_L,
    KAPPA_Q,
    QUADRATIC,
    constant,
    each,
    ends,
    falls,
    for_some,
    in_part,
    label,
    rises,
    ruled,
)
from tallymark.lab.samples import Rng, counted, rated
from tallymark.render.sentences import Sentence
from tallymark.tally import PairCounts

FIRST, SECOND, FILL, LOWEST, POINTS = (5, 7, 7, 9, 8), (8, 6, 9, 6, 8), 9, 5, 5
SIZES = (50, 100, 200, 500, 1000, 2000, 5000)
PARADOX_PRINTED = (0.998, 0.488)
"""Agreement and QWK as the source prints them, for 1,000 responses."""


def draw_paradox(rng: Rng, replicates: int) -> Sequence[Sweep]:  # noqa: ARG001 - nothing is drawn
    """Five pairs as listed, and all others in full agreement."""
    points = np.arange(float(LOWEST), LOWEST + POINTS)
    places = []
    for size in SIZES:
        columns = [np.array([*head, *[FILL] * (size - len(head))]) for head in (FIRST, SECOND)]
        gold, system = (np.stack([column - LOWEST] * replicates) for column in columns)
        places.append(Place(x=size, tables=counted(gold, system, points)))
    return (Sweep(name="size", x_title="responses", settings=places),)


def _printed_at(size: int, traces: Traces) -> Ruling:
    exact, qwk = (float(traces.of(name).mean[SIZES.index(size)]) for name in (EXACT, KAPPA_Q))
    words = Sentence(
        "{exact:tenths} and QWK {qwk:share} of {n:responses}", exact=exact, qwk=qwk, n=size
    )
    holds = abs(exact - PARADOX_PRINTED[0]) < 5e-4 and abs(qwk - PARADOX_PRINTED[1]) < 5e-4
    return ruled(holds, words)


PARADOX = LabExperiment(
    name="paradox",
    title="Almost all scores are the same",
    source="Doewes, Kurdhi & Saxena (2023), the kappa paradox",
    question="What becomes of coefficients where nearly every response gets the same score?",
    how="Five pairs of scores as the source lists them (5, 7, 7, 9, 8 and 8, 6, 9, 6, 8), and all "
    "other responses scored 9 by both; on 5 to 9.",
    draw=draw_paradox,
    figures=(
        LabFigure("Kappa by its weights", (KAPPA_Q, KAPPA_L, KAPPA)),
        LabFigure("Agreement, AC and BP", (EXACT, AC_Q, BP_Q)),
    ),
    statements=(
        Statement(
            "1,000 responses have 99.8 % agreement and QWK .488",
            lambda traces: _printed_at(1000, traces),
        ),
        Statement(
            "These numbers belong to 2,000 responses",
            lambda traces: _printed_at(2000, traces),
            ours=True,
        ),
        Statement(
            "QWK stays below .50 although agreement tends to 100 %",
            each((KAPPA_Q,), lambda trace: bool(trace.mean.max() < 0.5), show=ends),
            ours=True,
        ),
    ),
    replicates=1,
)


FOUR_POINTS = np.arange(4.0)
OFF = np.array([[0, 51, 5, 0], [166, 0, 92, 0], [14, 98, 0, 102], [0, 4, 70, 0]])
"""Disagreements of two raters of ASAP prompt 4, common to all tables; one of several solutions."""
TABLE_1, TABLE_6, TABLE_7 = (139, 476, 404, 149), (151, 900, 82, 35), (151, 1000, 12, 5)
"""Agreements at 0, 1, 2, 3."""
REBUILT = (
    "Tables are rebuilt from printed figures, which they all meet; they are not the authors' data and "
    "not the only solution."
)


def with_diagonal(diagonal: Floats, replicates: int) -> PairCounts:
    """The table with these agreements, rounded so that their sum stays."""
    counts = np.floor(diagonal + 1e-9).astype(np.int64)
    left = round(float(diagonal.sum())) - int(counts.sum())
    counts[np.argsort(counts - diagonal, kind="stable")[:left]] += 1
    table = OFF + np.diag(counts)
    return PairCounts(np.stack([table] * replicates), FOUR_POINTS)


def between(start: tuple[int, ...], end: tuple[int, ...], share: float) -> Floats:
    """Agreements a share of the way from one table to another."""
    first, last = np.array(start, dtype=np.float64), np.array(end, dtype=np.float64)
    return np.asarray(first + share * (last - first))


SERIES_STEPS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
SERIES_PRINTED = ((0.1192, 0.7653), (0.2942, 0.5993))
"""Prevalence and QWK of the tables at both ends, 1 and 7."""


def draw_series(rng: Rng, replicates: int) -> Sequence[Sweep]:  # noqa: ARG001 - nothing is drawn
    """From table 1 to table 6, and on to table 7."""
    diagonals = [between(TABLE_1, TABLE_6, step) for step in SERIES_STEPS]
    diagonals += [between(TABLE_6, TABLE_7, step) for step in (0.5, 1.0)]
    tables = [with_diagonal(diagonal, replicates) for diagonal in diagonals]
    places = [Place(x=float(prevalence_doewes(table)[0]), tables=table) for table in tables]
    places.sort(key=lambda place: place.x)
    return (Sweep(name="prevalence", x_title="prevalence", settings=places),)


def _printed(traces: Traces) -> Ruling:
    trace = traces.of(KAPPA_Q)
    ends = [(float(trace.x[i]), float(trace.mean[i])) for i in (0, -1)]
    words = Sentence(
        "prevalence {x0:share} with QWK {y0:share}, {x1:share} with {y1:share}",
        x0=ends[0][0],
        y0=ends[0][1],
        x1=ends[1][0],
        y1=ends[1][1],
    )
    return ruled((np.abs(np.array(ends) - SERIES_PRINTED) < 5e-5).all(), words)


def _ac_and_bp(traces: Traces) -> Ruling:
    ac, bp = traces.of(AC_Q), traces.of(BP_Q)
    words = Sentence(
        "AC quadratic {a:share} to {b:share}; BP quadratic {c:share} throughout",
        a=float(ac.mean[0]),
        b=float(ac.mean[-1]),
        c=float(np.mean(bp.mean)),
    )
    return ruled(rises(ac) and constant(bp), words)


PREVALENCE_SERIES = LabExperiment(
    name="prevalence-series",
    title="Agreement moves to one score",
    source="Doewes, Kurdhi & Saxena (2023), Figure 4",
    question="What does the prevalence of one score do to coefficients at the same accuracy?",
    how=f"1,770 responses on 0 to 3 with the same disagreements and always 66.0 % exact agreement; the "
    f"agreements move from all scores to score 1, step by step. {REBUILT}",
    draw=draw_series,
    figures=(
        LabFigure("Quadratic weights", QUADRATIC),
        LabFigure("Kappa by its weights", (KAPPA_Q, KAPPA_L, KAPPA)),
        LabFigure("What stays", (EXACT, "mae")),
    ),
    statements=(
        Statement("QWK falls as one score prevails", each((KAPPA_Q, KAPPA_L, KAPPA), falls)),
        Statement("Accuracy does not move", each((EXACT,), constant)),
        Statement("AC rises, BP stays", _ac_and_bp, ours=True),
        Statement("Tables 1 and 7 have prevalence .1192 and .2942, QWK .7653 and .5993", _printed),
    ),
    replicates=1,
    y_title="coefficient",
)


SWAP_STEPS = (0.0, 0.25, 0.5, 0.75, 1.0)
SIX, SEVEN, TWO_BY_TWO = "table 6", "table 7", "pass or fail"
SWAP_PRINTED = {SIX: (0.6646, 0.8530), SEVEN: (0.5993, 0.8548)}


def draw_swap(rng: Rng, replicates: int) -> Sequence[Sweep]:  # noqa: ARG001 - nothing is drawn
    """Exchange the agreements at 1 and 3; move agreements of pass or fail to one side."""

    def exchanged(name: str, start: tuple[int, ...]) -> Sweep:
        swapped = (start[0], start[3], start[2], start[1])
        places = [
            Place(x=step, tables=with_diagonal(between(start, swapped, step), replicates))
            for step in SWAP_STEPS
        ]
        title = "share of agreements exchanged"
        return Sweep(name=name, title=name, x_title=title, settings=places)

    decisions = []
    for by in (0, 20, 40, 60, 80):
        counts = np.stack([[[90 + by, 10], [10, 90 - by]]] * replicates)
        decisions.append(Place(x=by, tables=PairCounts(counts, np.array([0.0, 1.0]))))
    return (
        exchanged(SIX, TABLE_6),
        exchanged(SEVEN, TABLE_7),
        Sweep(
            name=TWO_BY_TWO,
            title=TWO_BY_TWO,
            x_title="agreements moved to one side",
            settings=decisions,
        ),
    )


def _swapped(traces: Traces) -> Ruling:
    holds, evidence = [], []
    for name, printed in SWAP_PRINTED.items():
        before, after = _at_ends(traces, name)
        holds += [abs(before - printed[0]) < 5e-5, abs(after - printed[1]) < 5e-5]
        template = "{name}: {a:share} before, {b:share} after"
        evidence.append(Sentence(template, name=name, a=before, b=after))
    return in_part(holds, *evidence)


def _at_ends(traces: Traces, sweep: str) -> tuple[float, float]:
    """QWK at the start and at the end of a sweep."""
    means = traces.of(KAPPA_Q, sweep).mean
    return float(means[0]), float(means[-1])


def _figure_2(traces: Traces) -> Ruling:
    start, end = _at_ends(traces, TWO_BY_TWO)
    words = Sentence("{a:share} and {b:share} at 90 % agreement", a=start, b=end)
    return ruled(abs(start - 0.8) < 5e-4 and abs(end - 0.444) < 5e-4, words)


def _table_2(traces: Traces) -> Ruling:  # noqa: ARG001 - three responses, no curve
    three, four = _of_three_responses(3), _of_three_responses(4)
    words = Sentence(
        "{a:share} on three points, {b:share} on four: .78 is cut off, not rounded", a=three, b=four
    )
    holds = [abs(three - 0.5) < 5e-3, abs(four - 0.78) < 5e-3]
    return in_part(holds, words, scope="" if all(holds) else "for the first of two only")


def _of_three_responses(last: int) -> float:
    """QWK of 1, 2 and the last point against 2, 1 and the last."""
    table = np.zeros((last, last))
    table[0, 1] = table[1, 0] = table[last - 1, last - 1] = 1
    return float(cohen_kappa(PairCounts(table, np.arange(1.0, last + 1)), weights="quadratic"))


DIAGONAL_SWAP = LabExperiment(
    name="diagonal-swap",
    title="The same agreements at other scores",
    source="Doewes, Kurdhi & Saxena (2023), Figures 2, 3 and 5, Tables 2 and 3",
    question="Does QWK move although not one response is scored better or worse?",
    how=f"1,770 responses on 0 to 3: agreements at scores 1 and 3 are exchanged, bit by bit; all "
    f"disagreements stay. Pass or fail: 200 responses, 90 % agreement, moved to one side. {REBUILT}",
    draw=draw_swap,
    figures=(
        LabFigure.of("QWK as agreements change places", [SIX, SEVEN], [KAPPA_Q]),
        LabFigure.of("Table 7, quadratic weights", [SEVEN], QUADRATIC),
        LabFigure.of("Pass or fail", [TWO_BY_TWO], QUADRATIC),
        LabFigure.of("What stays", [SIX, SEVEN], [EXACT]),
    ),
    statements=(
        Statement(
            "Exchanging agreements moves QWK from .6646 to .8530 and from .5993 to .8548", _swapped
        ),
        Statement("Accuracy stays", each((EXACT,), constant, sweep=SEVEN)),
        Statement(
            "BP does not depend on where agreements lie",
            each((BP_Q,), constant, sweep=SEVEN),
            ours=True,
        ),
        Statement("Kappa is .80 and .444 at the same 90 % agreement (Figure 2)", _figure_2),
        Statement(
            "The same disagreement gives .50 on three points and .78 on four (Table 2)", _table_2
        ),
    ),
    replicates=1,
    y_title="coefficient",
)


N, TOP, SPREAD, ENGINE = 1000, 5, 1.3, 0.7
NOISES = (0.2, 0.4, 0.6, 0.8, 1.0)
RESOLUTIONS = ("higher", "lower", "mean", "sum")
KAPPAS = (KAPPA_Q, KAPPA_L, KAPPA)
MIDDLE = 2
"""The noise at which rules are compared."""


def draw_rule(rng: Rng, replicates: int) -> Sequence[Sweep]:
    """Two raters and a machine; the gold by each rule, the machine's score on its scale."""
    places: dict[str, list[Place]] = {rule: [] for rule in RESOLUTIONS}
    for noise in NOISES:
        sample = rated((replicates, N), TOP, SPREAD, noise, rng)
        raw = sample.truth + ENGINE * rng.standard_normal(sample.truth.shape)
        first, second = (ratings.astype(np.int64) for ratings in sample.ratings)
        golds = {
            "higher": np.maximum(first, second),
            "lower": np.minimum(first, second),
            "mean": (first + second + 1) // 2,
            "sum": first + second,
        }
        for rule, gold in golds.items():
            times = 2 if rule == "sum" else 1
            top = TOP * times
            system = np.floor(times * raw + 0.5).clip(0, top).astype(np.int64)
            tables = counted(gold, system, np.arange(top + 1.0))
            places[rule].append(Place(x=noise, tables=tables))
    return [
        Sweep(name=rule, title=rule, x_title="rater error (SD)", settings=settings)
        for rule, settings in places.items()
    ]


def _by_rule(
    traces: Traces, name: str, rules: Sequence[str] = RESOLUTIONS, place: int = MIDDLE
) -> dict[str, float]:
    return {rule: float(traces.of(name, rule).mean[place]) for rule in rules}


def _range(means: Mapping[str, float]) -> float:
    return max(means.values()) - min(means.values())


def _figures(rules: Sequence[str]) -> tuple[LabFigure, ...]:
    return (
        LabFigure.of("QWK by rule", rules, [KAPPA_Q]),
        LabFigure.of("Kappa with linear weights by rule", rules, [KAPPA_L]),
        LabFigure.of("Unweighted kappa by rule", rules, [KAPPA]),
        LabFigure.of("Exact agreement by rule", rules, [EXACT]),
    )


def _matters(traces: Traces) -> Ruling:
    means = _by_rule(traces, KAPPA_Q)
    evidence = [Sentence("{rule} {qwk:share}", rule=rule, qwk=qwk) for rule, qwk in means.items()]
    return ruled(_range(means) > 0.02, *evidence)


def _sum(traces: Traces) -> Ruling:
    qwk, kappa = _by_rule(traces, KAPPA_Q), _by_rule(traces, KAPPA)
    highest, lowest = qwk.pop("sum"), kappa.pop("sum")
    holds = [highest > max(qwk.values()), lowest < min(kappa.values())]
    words = Sentence(
        "of the sum QWK {q:share} and kappa {k:share}; of the other rules QWK up to {q2:share} and kappa "
        "down to {k2:share}",
        q=highest,
        k=lowest,
        q2=max(qwk.values()),
        k2=min(kappa.values()),
    )
    scope = "for one of the two only" if holds[0] != holds[1] else ""
    return in_part(holds, words, scope=scope)


def _flattest(traces: Traces) -> Ruling:
    ranges = {name: _range(_by_rule(traces, name)) for name in KAPPAS}
    evidence = [
        Sentence("{name} moves by {by:share}", name=label(name), by=by)
        for name, by in ranges.items()
    ]
    return ruled(min(ranges, key=ranges.__getitem__) == KAPPA_L, *evidence)


RESOLUTION = LabExperiment(
    name="resolution",
    title="The rule that makes the gold",
    source="Doewes, Kurdhi & Saxena (2023), score resolution",
    question="How much of a coefficient is the rule by which two ratings become one gold?",
    how="1,000 responses on 0 to 5: two raters with noise, a machine with an error of .7. The gold is the "
    "higher or the lower rating, their mean rounded half up, or their sum on 0 to 10; the machine's "
    "unrounded score is doubled for the sum. Numbers in the claims are at a noise of .6. For models "
    "that are trained (Tables 4 and 5), see doewes-resolution.",
    draw=draw_rule,
    figures=_figures(RESOLUTIONS),
    statements=(
        Statement("The resolution rule changes QWK by more than .02", _matters),
        Statement("The sum has the highest QWK and the lowest unweighted kappa", _sum),
        Statement("Linear weights are the flattest over rules", _flattest),
    ),
    replicates=60,
)


RULES = ("higher", "rounded mean", "mean", "sum")
MODELS = {"boosting": "gradient boosting", "forest": "random forest", "ridge": "ridge"}


def draw_trained(rng: Rng, replicates: int) -> Sequence[Sweep]:
    """Train on as many synthetic corpora."""
    corpora = [synthetic(300, prompts=1, words=60, noise=0.7, rng=rng) for _ in range(replicates)]
    return learned(corpora, rng)


def learned(corpora: Sequence[LabTexts], rng: Rng) -> Sequence[Sweep]:
    """Predict the gold of each rule out of fold, within prompts; all prompts in one table."""
    tables: dict[tuple[str, str], list[PairCounts]] = {}
    for texts in corpora:
        for key, table in _tables(texts, int(rng.integers(2**31))).items():
            tables.setdefault(key, []).append(table)
    return [
        Sweep(
            name=rule,
            title=rule,
            x_title="model",
            names=tuple(MODELS.values()),
            settings=[
                Place(x=i, tables=stacked(tables[rule, model])) for i, model in enumerate(MODELS, 1)
            ],
        )
        for rule in RULES
    ]


def _tables(texts: LabTexts, seed: int) -> dict[tuple[str, str], PairCounts]:
    counts: dict[tuple[str, str], PairCounts] = {}
    for prompt in texts.each_prompt():
        golds = {rule: prompt.gold(rule) for rule in RULES if rule != "sum"}
        for key, scores in out_of_fold(prompt, golds, [*MODELS], seed).items():
            gold = golds[key[0]]
            table = table_of(gold.scores, scores, gold.points)
            counts[key] = counts[key] + table if key in counts else table
    # the sum is twice the mean: the same model, and the same table on other points
    fine = texts.gold("sum").points
    sums = {("sum", model): PairCounts(counts["mean", model].counts, fine) for model in MODELS}
    return counts | sums


def _matters_in_training(traces: Traces) -> Ruling:
    ranges = [_range(_by_rule(traces, KAPPA_Q, RULES, place)) for place, _ in enumerate(MODELS)]
    return for_some(
        (model, by > 0.02, Sentence("{called} by {by:share}", called=model, by=by))
        for model, by in zip(MODELS.values(), ranges, strict=True)
    )


def _sum_in_training(traces: Traces) -> Ruling:
    clauses = []
    for place, model in enumerate(MODELS.values()):
        qwk, kappa = (_by_rule(traces, name, RULES, place) for name in (KAPPA_Q, KAPPA))
        highest = max(qwk["higher"], qwk["rounded mean"])
        lowest = min(kappa["higher"], kappa["rounded mean"])
        words = Sentence(
            "{called}: QWK {q:share} beside {q2:share} at most, kappa {k:share} beside {k2:share} at least",
            called=model,
            q=qwk["sum"],
            q2=highest,
            k=kappa["sum"],
            k2=lowest,
        )
        clauses.append((model, qwk["sum"] > highest and kappa["sum"] < lowest, words))
    return for_some(clauses)


def _flattest_in_training(traces: Traces) -> Ruling:
    clauses = []
    for place, model in enumerate(MODELS.values()):
        ranges = {name: _range(_by_rule(traces, name, RULES, place)) for name in KAPPAS}
        words = Sentence(
            "{called}: QWK moves by {q:share}, kappa linear by {l:share}, kappa by {k:share}",
            called=model,
            q=ranges[KAPPA_Q],
            l=ranges[KAPPA_L],
            k=ranges[KAPPA],
        )
        clauses.append((model, min(ranges, key=ranges.__getitem__) == KAPPA_L, words))
    return for_some(clauses)


DOEWES_RESOLUTION = LabExperiment(
    name="doewes-resolution",
    title="Models trained on the gold of each rule",
    source="Doewes, Kurdhi & Saxena (2023), Tables 4 and 5",
    question="How much of a trained model's coefficient is the rule by which two ratings become one gold?",
    corpus="300 synthetic essays of some 60 words, two raters on 1 to 6: the source's essays are not "
    "redistributed. Run it on yours with FILE, --text and --human.",
    how="Gradient boosting, a random forest and ridge regression read a dozen features and TF-IDF vectors, "
    "where the source has sentence embeddings, and predict the gold of each rule out of fold (3 folds, "
    "candidates in one of them); predictions are rounded to the gold's points. The mean keeps its half "
    "points, so that it is the sum on another scale.",
    draw=draw_trained,
    learned=learned,
    figures=_figures(RULES),
    statements=(
        Statement("The rule changes QWK of trained models by more than .02", _matters_in_training),
        Statement(
            "The sum has a higher QWK and a lower unweighted kappa than rules that keep whole points",
            _sum_in_training,
        ),
        Statement("Linear weights are the flattest over rules", _flattest_in_training),
    ),
    replicates=2,
)


EXPERIMENTS = (PARADOX, PREVALENCE_SERIES, DIAGONAL_SWAP, RESOLUTION, DOEWES_RESOLUTION)
