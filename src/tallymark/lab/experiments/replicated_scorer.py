"""A trained scorer decides pass or fail at every cut: what prevalence does to coefficients."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from tallymark.diagnosis.sweep import always_majority, prevalence, similarity
from tallymark.lab.experiment import LabExperiment, Shown, Statement, Sweep
from tallymark.lab.experiments.pass_fail_sweep import (
    LIKENESS,
    MAJORITY,
    SIMILAR,
    closest,
    decided,
    kappa_goes,
    penalised,
    sweep_of,
)
from tallymark.lab.learned import LabTexts, out_of_fold, synthetic
from tallymark.lab.rulings import EXACT, UNWEIGHTED
from tallymark.lab.samples import Rng

OVERALL = "share passing, mean of gold and system"
LEAST = 0.01
"""A cut that fewer of the gold pass, or fail, is left out."""


def draw(rng: Rng, replicates: int) -> Sequence[Sweep]:
    """Train on as many synthetic corpora."""
    every = [synthetic(400, prompts=1, words=60, noise=0.5, rng=rng) for _ in range(replicates)]
    return learned(every, rng)


def learned(every: Sequence[LabTexts], rng: Rng) -> Sequence[Sweep]:
    """Decisions at every cut of the sum of two ratings, by ridge regression out of fold."""
    golds, systems = [], []
    for texts in every:
        seed = int(rng.integers(2**31))
        parts = [(p, {"sum": p.gold("sum")}) for p in texts.each_prompt()]
        golds.append(np.concatenate([g["sum"].scores for _, g in parts]))
        made = [out_of_fold(p, g, ["ridge"], seed)["sum", "ridge"] for p, g in parts]
        systems.append(np.concatenate(made))
    gold, system = np.stack(golds), np.stack(systems)
    points = every[0].gold("sum").points
    cuts = [(low + high) / 2 for low, high in pairwise(points)]
    kept = [cut for cut in cuts if LEAST <= (gold >= cut).mean() <= 1 - LEAST]
    tables = [decided(gold >= cut, system >= cut) for cut in kept]
    by_share = [(float(prevalence(pairs).mean()), pairs) for pairs in tables]
    by_likeness = [(float(similarity(pairs).mean()), pairs) for pairs in tables]
    majority = [(x, always_majority(pairs)) for x, pairs in by_share]
    return (
        sweep_of("prevalence", "by prevalence", OVERALL, by_share),
        sweep_of(SIMILAR, "by similarity", LIKENESS, by_likeness),
        sweep_of(MAJORITY, "always the majority's decision", OVERALL, majority),
    )


EXPERIMENT = LabExperiment(
    name="replicated-scorer",
    title="A trained scorer at every cut",
    source="Yannakoudakis & Cummins (2015), section 5",
    question="Do coefficients of a trained scorer stay close to the agreement that they correct, wherever the cut is?",
    corpus="400 synthetic essays of some 60 words, two raters on 1 to 6: the source's corpus is not "
    "redistributed. Run it on texts of your own with FILE, --text and --human.",
    how="The gold is the sum of two raters. Ridge regression on a dozen features and TF-IDF vectors, where "
    "the source has a ranker, scores the texts out of fold (3 folds). A score that reaches the cut "
    "passes; cuts that fewer than 1 % pass or fail are left out.",
    draw=draw,
    learned=learned,
    figures=(
        Shown("By prevalence", (*UNWEIGHTED, EXACT)),
        Shown(
            "By similarity of the margins", tuple((SIMILAR, name) for name in (*UNWEIGHTED, EXACT))
        ),
        Shown(
            "A scorer that always decides as the majority",
            tuple((MAJORITY, name) for name in (*UNWEIGHTED, EXACT)),
        ),
    ),
    statements=(
        Statement("Kappa falls as nearly all pass or nearly all fail", kappa_goes),
        Statement("AC stays closest to percent agreement, then BP, then kappa", closest),
        Statement("The scorer that always gives the most common decision gains nothing", penalised),
    ),
    replicates=2,
)
