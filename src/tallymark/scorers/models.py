"""Models: how a reference scorer learns scores from inputs, and what it gives for a response."""

import warnings
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct

from tallymark.arrays import Floats
from tallymark.diagnosis.trivial import most_frequent
from tallymark.scorers.encoding import Inputs

TREES = 100
HIDDEN = 32


class Predicted(NamedTuple):
    """Scores of responses; of classifiers also the probability of each point and a vector."""

    scores: Floats
    probabilities: Floats | None = None
    vectors: Floats | None = None


FittedScorer = Callable[[Inputs], Predicted]
"""A fitted model: it scores responses that it never saw."""


class Model(Struct, frozen=True):
    """A kind of scorer: how it is fitted to inputs and gold, and the candidates of its one setting.

    ``title`` is what sentences call it; ``drawn`` tells that seeds make a difference. The first
    candidate is that of small parts. A fit takes about ``seconds``: some, and some per response.
    """

    title: str
    fit: Callable[[Inputs, Floats, Floats, float, int], FittedScorer]
    candidates: tuple[float, ...] = (0.0,)
    drawn: bool = False
    classifies: bool = False
    seconds: tuple[float, float] = (0.001, 1e-6)


def constant(gold: Floats, points: Floats) -> FittedScorer:
    """Give every response the most frequent score of the training responses, the lowest of equals."""
    most_common = most_frequent(gold)
    certain = (points == most_common).astype(np.float64)

    def score(inputs: Inputs) -> Predicted:
        n = len(inputs.length)
        return Predicted(np.full(n, most_common), np.tile(certain, (n, 1)), np.zeros((n, 1)))

    return score


def _majority(_: Inputs, gold: Floats, points: Floats, __: float, ___: int) -> FittedScorer:
    most_common = most_frequent(gold) if points.size else float(gold.mean())
    return lambda inputs: Predicted(np.full(len(inputs.length), most_common))


def _length(inputs: Inputs, gold: Floats, _: Floats, __: float, ___: int) -> FittedScorer:
    from sklearn.linear_model import LinearRegression

    model = LinearRegression().fit(inputs.length, gold)
    return lambda new: Predicted(model.predict(new.length))


def _ridge(inputs: Inputs, gold: Floats, _: Floats, alpha: float, __: int) -> FittedScorer:
    from sklearn.linear_model import Ridge

    model = Ridge(alpha).fit(inputs.full, gold)
    return lambda new: Predicted(model.predict(new.full))


def _forest(inputs: Inputs, gold: Floats, _: Floats, leaf: float, seed: int) -> FittedScorer:
    from sklearn.ensemble import RandomForestRegressor

    model = RandomForestRegressor(
        TREES, min_samples_leaf=int(leaf), max_features=0.2, random_state=seed
    ).fit(inputs.full.astype(np.float32), gold)
    return lambda new: Predicted(model.predict(new.full.astype(np.float32)))


def _boosting(inputs: Inputs, gold: Floats, _: Floats, leaves: float, seed: int) -> FittedScorer:
    from sklearn.ensemble import HistGradientBoostingRegressor

    model = HistGradientBoostingRegressor(
        max_iter=TREES,
        max_leaf_nodes=int(leaves),
        min_samples_leaf=max(2, min(20, gold.size // 10)),
        max_features=0.2,
        max_bins=63,
        early_stopping=False,
        random_state=seed,
    ).fit(inputs.full, gold)
    return lambda new: Predicted(model.predict(new.full))


def _multinomial(inputs: Inputs, gold: Floats, points: Floats, c: float, _: int) -> FittedScorer:
    from sklearn.linear_model import LogisticRegression

    model = _quietly(LogisticRegression(C=c, max_iter=200), inputs.full, gold)

    def score(new: Inputs) -> Predicted:
        probabilities = _on_points(model, new.full, points)
        best = points[probabilities.argmax(axis=1)]
        return Predicted(best, probabilities, new.full)

    return score


def _neural(inputs: Inputs, gold: Floats, points: Floats, alpha: float, seed: int) -> FittedScorer:
    from sklearn.neural_network import MLPClassifier

    model = _quietly(
        MLPClassifier(
            (HIDDEN,),
            alpha=alpha,
            batch_size=min(64, gold.size),
            learning_rate_init=0.003,
            max_iter=60,
            random_state=seed,
        ),
        inputs.full,
        gold,
    )

    def score(new: Inputs) -> Predicted:
        probabilities = _on_points(model, new.full, points)
        hidden = np.maximum(new.full @ model.coefs_[0] + model.intercepts_[0], 0)
        return Predicted(points[probabilities.argmax(axis=1)], probabilities, hidden)

    return score


def _quietly(model: Any, inputs: Floats, gold: Floats) -> Any:
    """Fit a classifier; that its steps ran out is no news, for their number is set."""
    classes = np.unique(gold, return_inverse=True)[1]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fitted = model.fit(inputs, classes)
    fitted.known_scores = np.unique(gold)
    return fitted


def _on_points(model: Any, inputs: Floats, points: Floats) -> Floats:
    """Probabilities on all points; those that no training response had have none."""
    probabilities = np.zeros((len(inputs), points.size))
    probabilities[:, np.searchsorted(points, model.known_scores)] = model.predict_proba(inputs)
    return probabilities


MODELS: Mapping[str, Model] = MappingProxyType(
    {
        "majority": Model("the majority score", _majority),
        "length": Model("length only", _length),
        "ridge": Model("ridge", _ridge, (30.0, 100.0, 300.0)),
        "forest": Model("the random forest", _forest, (3.0, 8.0), drawn=True, seconds=(0.04, 5e-4)),
        "boosting": Model("boosting", _boosting, (4.0, 8.0), drawn=True, seconds=(0.02, 3e-5)),
        "multinomial": Model(
            "the multinomial classifier",
            _multinomial,
            (0.03, 0.01, 0.003),
            classifies=True,
            seconds=(0.003, 2e-5),
        ),
        "neural": Model(
            "the neural classifier",
            _neural,
            (1.0, 10.0),
            drawn=True,
            classifies=True,
            seconds=(0.01, 1.7e-4),
        ),
    }
)
"""Every reference scorer by the name of its column."""
