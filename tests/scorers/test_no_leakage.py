"""Nothing of the held-out fold reaches what is fitted; candidates stay in one fold."""

from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from scipy.stats import binom

import tallymark as tm
from tallymark.metrics import cohen_kappa
from tallymark.scorers.encoding import Encoder, Material, TextVectors
from tallymark.scorers.fitting import FoldTask, deal, fit_models, generator
from tallymark.scorers.models import MODELS
from tallymark.scorers.out_of_fold import Sample, predict_out_of_fold
from tallymark.simulation import corpus
from tests.scorers.made import table

POINTS = np.array([1.0, 2.0, 3.0, 4.0])
COLUMNS = table(n=60, prompts=["p"])
TRAIN, TEST = np.arange(48), np.arange(48, 60)


def task(texts, gold, models=tuple(MODELS)):
    return FoldTask(
        Material.of(texts), np.asarray(gold, float), np.arange(60), POINTS, TRAIN, TEST, models, 7
    )


def learned(texts, gold, **more):
    """What the models of a fold give for its training responses."""
    asked = task(texts, gold, **more)
    fitted = fit_models(asked)
    return {name: fitted.score(name, asked.material, TRAIN).scores for name in fitted.scorers}


def altered():
    """The same training responses; those held out have other texts and scores."""
    texts, gold = [*COLUMNS["essay"]], [*COLUMNS["h1"]]
    for i in TEST:
        texts[i], gold[i] = f"therefore evidence unheard{i} " * 30, 4
    return texts, gold


def test_what_is_held_out_changes_nothing_that_is_learned():
    before = learned(COLUMNS["essay"], COLUMNS["h1"])
    after = learned(*altered())
    assert {*before} == {*MODELS}
    for name, scores in before.items():
        assert (scores == after[name]).all(), name


def test_an_encoder_that_sees_the_held_out_texts_is_caught(monkeypatch):
    fit = Encoder.fit

    def leaky(material, rows, seed):
        return fit(material, np.arange(material.size), seed)

    monkeypatch.setattr(Encoder, "fit", leaky)
    before = learned(COLUMNS["essay"], COLUMNS["h1"], models=("ridge",))
    assert (before["ridge"] != learned(*altered(), models=("ridge",))["ridge"]).any()


def test_terms_are_those_of_the_training_texts():
    """Against scikit-learn's own vectoriser, which sees the training texts alone."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    texts = [text.rstrip(".") for text in COLUMNS["essay"]]
    material = Material.of(texts)
    ours = TextVectors.fit(material.documents, TRAIN, 0)
    theirs = TfidfVectorizer(min_df=2, sublinear_tf=True, token_pattern=r"\w+")
    theirs.fit([texts[i] for i in TRAIN])
    expected = np.asarray(theirs.transform([texts[i] for i in TEST]).todense())
    only = replace(ours, terms={"words": ours.terms["words"]}, weights=ours.weights)
    weighted = only._weighted(material.documents, TEST).toarray()
    assert np.sort(weighted, axis=1) == pytest.approx(np.sort(expected, axis=1))


def test_candidates_stay_in_one_fold_and_scores_are_spread():
    random = np.random.default_rng(1)
    strata, units = random.integers(0, 4, 500), random.integers(0, 200, 500)
    parts = random.integers(0, 2, 500)
    folds = deal(strata + 4 * parts, parts, units, 5, generator(1))
    assert all(np.unique(folds[units == unit]).size == 1 for unit in np.unique(units))
    each = np.array([np.bincount(strata[folds == fold], minlength=4) for fold in range(5)])
    assert (each.max(axis=0) - each.min(axis=0)).max() <= 10
    candidates = [f"c{i % 30}" for i in range(80)]
    asked: Any = {"text": "essay", "humans": ["h1"], "prompt": "prompt", "cluster": "candidate"}
    made = tm.baseline({**table(), "candidate": candidates}, **asked, models=["length", "ridge"])
    where: dict[str, set] = {}
    for candidate, fold, half in zip(
        candidates, made.columns["fold"], made.columns["dev_test"], strict=True
    ):
        where.setdefault(candidate, set()).add((fold, half))
    assert {len(places) for places in where.values()} == {1}


def test_shuffled_scores_are_not_learned():
    columns = table(n=100, prompts=["p"])
    scores = [1] * 10 + [2] * 20 + [3] * 50 + [4] * 20
    columns["h1"] = np.random.default_rng(5).permutation(scores).tolist()
    made = tm.baseline(columns, text="essay", humans=["h1"], scale="1:4", level=0.99)
    estimates = {
        subset.system: qwk
        for subset in made.evaluation.subsets
        if subset.system in MODELS and subset.whole
        if (qwk := made.evaluation.of(subset).get("cohen_kappa[quadratic]")) is not None
    }
    assert {*estimates} == {*MODELS} - {"majority"}
    for name, qwk in estimates.items():
        assert qwk.low <= 0 <= qwk.high or qwk.value == 0, (name, qwk)


@pytest.mark.parametrize("even", [True, False], ids=["balanced", "skewed"])
def test_shuffled_scores_reach_a_qwk_of_0_on_average(even):
    """Over many shuffles, whose intervals leave 0 out in one of six at most.

    A pair of responses teaches each other, so that the variance of QWK is up to twice that of given
    predictions: P(|z| > 1.96 / sqrt 2) = .166.
    """
    texts, models = table(n=60, prompts=["p"])["essay"], ("length", "ridge", "multinomial")
    scores = np.repeat([1.0, 2.0, 3.0, 4.0], [15] * 4 if even else [6, 12, 30, 12])
    reached: dict[str, list[Any]] = {name: [] for name in models}
    for seed in range(40):
        gold = np.random.default_rng(seed).permutation(scores)
        sample = Sample(
            texts=texts, gold=gold, parts=np.full(60, "", object), points={"": np.arange(1.0, 5.0)},
            units=np.arange(60),
        )  # fmt: skip
        made = predict_out_of_fold(sample, models, seed=seed)
        for name in models:
            given = np.clip(np.round(made.scores[name][:, 0]), 1, 4)
            reached[name].append(tm.estimate("qwk", gold, given, scale="1:4"))
    for name, estimates in reached.items():
        values = np.array([estimate.value for estimate in estimates])
        assert abs(values.mean()) < 3 * values.std(ddof=1) / np.sqrt(values.size), name
        apart = sum(estimate.low > 0 or estimate.high < 0 for estimate in estimates)
        assert apart <= binom.ppf(0.999, 40, 0.166), name


def test_what_texts_carry_is_learned():
    columns = table(n=100, prompts=["p"])
    made = tm.baseline(columns, text="essay", humans=["h1"], scale="1:4")
    for name in {*MODELS} - {"majority"}:
        scores = np.array([float(x) for x in made.columns[name]])
        assert cohen_kappa(columns["h1"], np.round(scores), weights="quadratic") > 0.4, name


@pytest.mark.parametrize(("signal", "length"), [(0.0, 0.0), (0.0, 0.7), (1.0, 0.0)])
def test_the_corpus_gives_back_what_was_put_in(signal, length):
    """Length only reaches what length carries, ridge also what words do, and neither what is not there."""
    made = corpus(240, prompts=1, words=80, signal=signal, length=length, seed=3)
    asked: Any = {"text": "text", "humans": ["h1", "h2"], "models": ["length", "ridge"]}
    columns = tm.baseline(made.columns(), **asked, resolve=["mean"]).columns
    by_length, ridge = (
        np.corrcoef([float(x) for x in columns[name]], made.truth)[0, 1]
        for name in ("length", "ridge")
    )
    assert by_length == pytest.approx(length, abs=0.13)  # 2 / sqrt 240
    assert ridge > 0.9 if signal else abs(ridge - length) < 0.13
