"""Models trained on the gold of each resolution rule: what the rule alone does to coefficients."""

from collections.abc import Sequence

from tallymark.lab.experiment import LabExperiment, Place, Ruling, Shown, Statement, Sweep, Traces
from tallymark.lab.learned import LabTexts, out_of_fold, stacked, synthetic, table_of
from tallymark.lab.rulings import EXACT, KAPPA, KAPPA_L, KAPPA_Q, for_some
from tallymark.lab.samples import Rng
from tallymark.render.sentences import Sentence
from tallymark.tally import PairCounts

RULES = ("higher", "rounded mean", "mean", "sum")
MODELS = {"boosting": "gradient boosting", "forest": "random forest", "ridge": "ridge"}


def draw(rng: Rng, replicates: int) -> Sequence[Sweep]:
    """Train on as many synthetic corpora."""
    every = [synthetic(300, prompts=1, words=60, noise=0.7, rng=rng) for _ in range(replicates)]
    return learned(every, rng)


def learned(every: Sequence[LabTexts], rng: Rng) -> Sequence[Sweep]:
    """Predict the gold of each rule out of fold, within prompts; all prompts in one table."""
    tables: dict[tuple[str, str], list[PairCounts]] = {}
    for texts in every:
        for key, table in _tables(texts, int(rng.integers(2**31))).items():
            tables.setdefault(key, []).append(table)
    return [
        Sweep(
            name=rule,
            title=rule,
            x_title="model",
            names=tuple(MODELS.values()),
            settings=tuple(
                Place(x=i, tables=stacked(tables[rule, model])) for i, model in enumerate(MODELS, 1)
            ),
        )
        for rule in RULES
    ]


def _tables(texts: LabTexts, seed: int) -> dict[tuple[str, str], PairCounts]:
    counts: dict[tuple[str, str], PairCounts] = {}
    for given in texts.each_prompt():
        golds = {rule: given.gold(rule) for rule in RULES if rule != "sum"}
        for key, scores in out_of_fold(given, golds, [*MODELS], seed).items():
            gold = golds[key[0]]
            table = table_of(gold.scores, scores, gold.points)
            counts[key] = counts[key] + table if key in counts else table
    # the sum is twice the mean: the same model, and the same table on other points
    fine = texts.gold("sum").points
    same = {("sum", model): PairCounts(counts["mean", model].counts, fine) for model in MODELS}
    return counts | same


def _by_rule(traces: Traces, name: str, place: int) -> dict[str, float]:
    return {rule: float(traces.of(name, rule).mean[place]) for rule in RULES}


def _matters(traces: Traces) -> Ruling:
    spreads = []
    for place in range(len(MODELS)):
        means = _by_rule(traces, KAPPA_Q, place)
        spreads.append(max(means.values()) - min(means.values()))
    return _ruling([spread > 0.02 for spread in spreads], "by {by:share}", spreads)


def _sum(traces: Traces) -> Ruling:
    held, said = [], []
    for place, called in enumerate(MODELS.values()):
        qwk, kappa = _by_rule(traces, KAPPA_Q, place), _by_rule(traces, KAPPA, place)
        whole = ("higher", "rounded mean")
        held.append(
            qwk["sum"] > max(qwk[rule] for rule in whole)
            and kappa["sum"] < min(kappa[rule] for rule in whole)
        )
        said.append(
            Sentence(
                "{called}: QWK {q:share} beside {q2:share} at most, kappa {k:share} beside {k2:share} at least",
                called=called,
                q=qwk["sum"],
                q2=max(qwk[rule] for rule in whole),
                k=kappa["sum"],
                k2=min(kappa[rule] for rule in whole),
            )
        )
    return for_some(dict(zip(MODELS.values(), held, strict=True)), said)


def _flattest(traces: Traces) -> Ruling:
    held, said = [], []
    for place, called in enumerate(MODELS.values()):
        moved = {}
        for name in (KAPPA_Q, KAPPA_L, KAPPA):
            means = _by_rule(traces, name, place)
            moved[name] = max(means.values()) - min(means.values())
        held.append(min(moved, key=moved.__getitem__) == KAPPA_L)
        said.append(
            Sentence(
                "{called}: QWK moves by {q:share}, kappa linear by {l:share}, kappa by {k:share}",
                called=called,
                q=moved[KAPPA_Q],
                l=moved[KAPPA_L],
                k=moved[KAPPA],
            )
        )
    return for_some(dict(zip(MODELS.values(), held, strict=True)), said)


def _ruling(held: Sequence[bool], clause: str, numbers: Sequence[float]) -> Ruling:
    said = [
        Sentence(f"{{called}} {clause}", called=called, by=number)
        for called, number in zip(MODELS.values(), numbers, strict=True)
    ]
    return for_some(dict(zip(MODELS.values(), held, strict=True)), said)


EXPERIMENT = LabExperiment(
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
    draw=draw,
    learned=learned,
    figures=(
        Shown("QWK by rule", tuple((rule, KAPPA_Q) for rule in RULES)),
        Shown("Kappa with linear weights by rule", tuple((rule, KAPPA_L) for rule in RULES)),
        Shown("Unweighted kappa by rule", tuple((rule, KAPPA) for rule in RULES)),
        Shown("Exact agreement by rule", tuple((rule, EXACT) for rule in RULES)),
    ),
    statements=(
        Statement("The rule changes QWK of trained models by more than .02", _matters),
        Statement(
            "The sum has a higher QWK and a lower unweighted kappa than rules that keep whole points",
            _sum,
        ),
        Statement("Linear weights are the flattest over rules", _flattest),
    ),
    replicates=2,
)
