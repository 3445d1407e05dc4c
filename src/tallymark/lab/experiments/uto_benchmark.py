"""Trained models beside the ceilings of the very ratings they learn from, prompt by prompt."""

from collections.abc import Sequence

import numpy as np

from tallymark.agreement.kappa import cohen_kappa
from tallymark.lab.experiment import LabExperiment, Place, Ruling, Shown, Statement, Sweep, Traces
from tallymark.lab.learned import LabTexts, out_of_fold, stacked, synthetic, table_of
from tallymark.lab.rulings import KAPPA_Q, state_of
from tallymark.lab.samples import Floats, RatedTwice, Rng
from tallymark.render.sentences import Sentence, joined
from tallymark.tally import PairCounts

MODELS = {
    "length": "length only",
    "ridge": "ridge",
    "forest": "random forest",
    "boosting": "gradient boosting",
}
THEORY, HUMAN, PEOPLE = "theoretical ceiling", "human-like ceiling", "two raters, QWK"


def draw(rng: Rng, replicates: int) -> Sequence[Sweep]:
    """Train on as many synthetic corpora."""
    every = [synthetic(480, prompts=4, words=60, noise=0.6, rng=rng) for _ in range(replicates)]
    return learned(every, rng)


def learned(every: Sequence[LabTexts], rng: Rng) -> Sequence[Sweep]:
    """Predict the mean of two ratings out of fold, in each prompt."""
    seeds = [int(rng.integers(2**31)) for _ in every]
    places = []
    for prompt, _ in enumerate(every[0].prompts):
        made = [_of_prompt(t.of_prompt(prompt), s) for t, s in zip(every, seeds, strict=True)]
        names = made[0][1]
        beside = {name: np.array([numbers[name] for _, numbers in made]) for name in names}
        places.append(
            Place(x=prompt + 1, tables=stacked([table for table, _ in made]), beside=beside)
        )
    prompts = every[0].prompts if any(every[0].prompts) else ()
    return [Sweep(name="prompts", x_title="prompt", names=prompts, settings=tuple(places))]


def _of_prompt(given: LabTexts, seed: int) -> tuple[PairCounts, dict[str, float]]:
    """The table of ridge, and QWK of every model beside the ceilings."""
    gold = given.gold("mean")
    scores = out_of_fold(given, {"mean": gold}, [*MODELS], seed)
    tables = {model: table_of(gold.scores, scores["mean", model], gold.points) for model in MODELS}
    numbers = {called: _qwk(tables[model]) for model, called in MODELS.items()}
    low, high = float(given.points[0]), float(given.points[-1])
    rated = RatedTwice(
        np.zeros((1, len(given.texts))), given.ratings.T[:, None] - low, int(high - low), 0
    )
    ceilings = rated.ceilings()
    numbers |= {
        THEORY: float(ceilings.theoretical[0]),
        HUMAN: float(ceilings.human_like[0]),
        PEOPLE: float(rated.agreement(rated.ratings[0], rated.ratings[1])[0]),
    }
    return tables["ridge"], numbers


def _qwk(table: PairCounts) -> float:
    return float(cohen_kappa(table, weights="quadratic")[0])


def _below(traces: Traces) -> Ruling:
    ceiling = traces.of(THEORY).mean
    models = {called: traces.of(called).mean for called in MODELS.values()}
    held = [bool((mean <= ceiling).all()) for mean in models.values()]
    said = [_range(called, mean - ceiling) for called, mean in models.items()]
    words = Sentence("less the theoretical ceiling: {said}", said=joined(said, "; "))
    return Ruling(state_of(held), words)


def _range(called: str, values: Floats) -> Sentence:
    return Sentence(
        "{called} {low:share}" if values.size == 1 else "{called} {low:share} to {high:share}",
        called=called,
        low=float(values.min()),
        high=float(values.max()),
    )


def _ordered(traces: Traces) -> Ruling:
    people, human, theory = (traces.of(name).mean for name in (PEOPLE, HUMAN, THEORY))
    held = [bool(a <= b <= c) for a, b, c in zip(people, human, theory, strict=True)]
    said = [
        _range(name, values)
        for name, values in ((PEOPLE, people), (HUMAN, human), (THEORY, theory))
    ]
    return Ruling(state_of(held), joined(said, "; "), "" if all(held) else "in some prompts only")


def _above_people(traces: Traces) -> Ruling:
    people = traces.of(PEOPLE).mean
    best = np.max([traces.of(called).mean for called in MODELS.values()], axis=0)
    held = [bool(b > p) for b, p in zip(best, people, strict=True)]
    words = _range("best model less two raters:", best - people)
    count = sum(held)
    return Ruling(state_of(held), words, "" if count in (0, len(held)) else "in some prompts only")


EXPERIMENT = LabExperiment(
    name="uto-benchmark",
    title="Trained models beside the ceilings",
    source="Uto (2026), Tables 2 and 3",
    question="How much of what these ratings allow do trained models reach, prompt by prompt?",
    corpus="480 synthetic essays of some 60 words to four prompts, two raters on 1 to 6: the source's essays "
    "are not redistributed. Run it on yours with FILE, --text and --human.",
    how="The gold is the mean of two raters, with half points. Models read a dozen features and TF-IDF vectors, the first of them the length "
    "alone, and are scored out of fold within each prompt (3 folds). Ceilings come from the same "
    "ratings. The source has a BERT regressor: tallymark baseline --vectors takes vectors of your own.",
    draw=draw,
    learned=learned,
    figures=(
        Shown("QWK of models beside the ceilings", (*MODELS.values(), PEOPLE, HUMAN, THEORY)),
        Shown("QWK of ridge regression", (KAPPA_Q,)),
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
