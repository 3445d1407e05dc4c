"""Fitting: everything that is learned, from the training responses of one fold alone."""

from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from tallymark.scorers.documents import Ints
from tallymark.scorers.encoding import Encoder, Inputs, Material
from tallymark.scorers.folds import deal, generator, levels
from tallymark.scorers.models import MODELS, FittedScorer, Model, Predicted, constant
from tallymark.selective.trust import trust_score

Floats = NDArray[np.float64]
ENOUGH = 40
"""Training responses from which on candidates are tried; with fewer the first is taken."""
_INNER = 4
_LEAST = 1e-6


class FoldTask(Struct, frozen=True):
    """What one fold of one part is to learn, and whom it scores.

    ``material`` holds the responses of the part, and behind them the texts of ``probes``: for each
    probe the place of the text that stands for each response of ``test``, or -1. ``points`` are those of
    the scale, empty on a continuous one, where classifiers are left out.
    """

    material: Material
    gold: Floats
    units: Ints
    points: Floats
    train: Ints
    test: Ints
    models: tuple[str, ...]
    seed: int
    label: str = ""
    probes: Mapping[str, Ints] = field(default_factory=dict)

    def run(self) -> dict[str, Floats]:
        """Fit every model and score the held-out responses.

        Keys: the model; ``MODEL:probabilities``, ``MODEL:vectors`` and ``MODEL:trust`` of
        classifiers; ``MODEL@PROBE``.
        """
        import sklearn.ensemble  # noqa: F401  # threads are limited of what is loaded already
        from threadpoolctl import threadpool_limits

        with threadpool_limits(1):  # small matrices are faster so, and sums have one order
            fitted = fit_models(self)
            encoder = fitted.encoder
            new, old = (encoder.of(self.material, rows) for rows in (self.test, self.train))
            probes = {
                probe: encoder.of(self.material, places[places >= 0])
                for probe, places in self.probes.items()
                if (places >= 0).any()
            }
            results: dict[str, Floats] = {}
            for name, scorer in fitted.scorers.items():
                results |= self._of_model(name, scorer, new, old)
                for probe, inputs in probes.items():
                    results[f"{name}@{probe}"] = self._of_probe(scorer, inputs, probe)
        return results

    def _of_probe(self, scorer: FittedScorer, inputs: Inputs, probe: str) -> Floats:
        """Probabilities of classifiers, else scores, of the held-out responses that have a probe."""
        scores, probabilities, _ = scorer(inputs)
        given = self._within(scores) if probabilities is None else probabilities
        every = np.full((self.test.size, *given.shape[1:]), np.nan)
        every[self.probes[probe] >= 0] = given
        return every

    def _of_model(
        self, name: str, scorer: FittedScorer, new: Inputs, old: Inputs
    ) -> dict[str, Floats]:
        given = scorer(new)
        results = {name: self._within(given.scores)}
        if given.probabilities is not None and given.vectors is not None:
            known = np.asarray(scorer(old).vectors)
            trust = trust_score(known, self.gold[self.train], given.vectors, given.scores)
            results[f"{name}:probabilities"] = given.probabilities
            results[f"{name}:trust"] = trust.share
            if name == VECTORS_OF:
                results[f"{name}:vectors"] = given.vectors
        return results

    def _within(self, scores: Floats) -> Floats:
        """Scores within the scale, or within the training scores."""
        ends = self.points if self.points.size else self.gold[self.train]
        return np.clip(scores, ends.min(), ends.max())


VECTORS_OF = "neural"
"""The model whose hidden layer is kept as the vector of a response."""


class FittedModels(Struct, frozen=True):
    """What a fold learned: how to read a response, and how to score it."""

    encoder: Encoder
    scorers: Mapping[str, FittedScorer]

    def score(self, model: str, material: Material, rows: Ints) -> Predicted:
        """Score texts, seen or not."""
        return self.scorers[model](self.encoder.of(material, rows))


def fit_models(task: FoldTask) -> FittedModels:
    """Fit the models of a task on its training responses, each with the candidate chosen there."""
    gold, seed, points = task.gold[task.train], task.seed, task.points
    encoder = Encoder.fit(task.material, task.train, seed)
    inputs = encoder.of(task.material, task.train)
    chosen = _choices(task, points)
    scorers = {
        name: MODELS[name].fit(inputs, gold, points, value, seed)
        if np.ptp(gold) > 0 or not MODELS[name].classifies
        else constant(gold, points)
        for name, value in chosen.items()
    }
    return FittedModels(encoder, scorers)


def _choices(task: FoldTask, points: Floats) -> dict[str, float]:
    """The setting of each model, chosen on one inner split of the training responses."""
    chosen = {
        name: MODELS[name].candidates[0]
        for name in task.models
        if task.points.size or not MODELS[name].classifies
    }
    gold = task.gold[task.train]
    open_ = [name for name in chosen if len(MODELS[name].candidates) > 1]
    if gold.size < ENOUGH or not open_:
        return chosen
    strata, one_part = levels(gold), np.zeros(gold.size, np.int64)
    random = generator(task.seed, task.label, "inner")
    valid = deal(strata, one_part, task.units[task.train], _INNER, random) == 0
    if np.ptp(gold[~valid]) == 0 or not valid.any():
        return chosen
    inside, outside = task.train[~valid], task.train[valid]
    encoder = Encoder.fit(task.material, inside, task.seed)
    old, new = (encoder.of(task.material, rows) for rows in (inside, outside))
    for name in open_:
        model = MODELS[name]
        chosen[name] = _best(model, old, gold[~valid], new, gold[valid], points, task.seed)
    return chosen


def _best(
    model: Model,
    old: Inputs,
    old_gold: Floats,
    new: Inputs,
    new_gold: Floats,
    points: Floats,
    seed: int,
) -> float:
    losses = []
    for value in model.candidates:
        given = model.fit(old, old_gold, points, value, seed)(new)
        if given.probabilities is None:
            losses.append(float(((given.scores - new_gold) ** 2).mean()))
        else:
            true = given.probabilities[np.arange(new_gold.size), np.searchsorted(points, new_gold)]
            losses.append(float(-np.log(np.maximum(true, _LEAST)).mean()))
    return model.candidates[int(np.argmin(losses))]


def random_models(models: Sequence[str]) -> tuple[str, ...]:
    """Those that seeds make a difference to."""
    return tuple(name for name in models if MODELS[name].drawn)
