"""The panel averaged over prompts or traits, names that mean something else, one run."""

import numpy as np
import pytest

import tallymark as tm
from tallymark.results import Comparison, Kind, rater_called, system_called


def panel(n=240, seed=7, **names):
    rng = np.random.default_rng(seed)
    truth = rng.integers(1, 6, n)
    columns = {
        names.get(name, name): np.clip(truth + rng.integers(-1, 2, n), 1, 5)
        for name in ("h1", "h2", "h3")
    }
    return {**columns, "trait": np.repeat(["a", "b"], n // 2)}


def subsets(evaluation):
    return {subset.id: evaluation.numbers[i] for i, subset in enumerate(evaluation.subsets)}


def test_the_average_of_the_panel_is_the_mean_over_traits():
    found = subsets(tm.raters(panel(), scale="1:5", replicates=200))
    for text in ("krippendorff_alpha[interval]", "icc[1,1]", "mean_pairwise_kappa[quadratic]"):
        each = [found[f"people against people|trait={name}"][text].value for name in "ab"]
        average = found["people against people|average:trait"][text]
        assert average.value == pytest.approx(np.mean(each), abs=1e-12)
        assert average.low < average.value < average.high


def test_one_trait_is_no_average():
    columns = panel()
    columns["trait"] = ["a"] * 240
    assert not any(s.average for s in tm.raters(columns, scale="1:5", replicates=200).subsets)


def test_a_rater_called_gold_or_people_is_told_apart():
    columns = {**panel(h2="gold", h3="people"), "engine": panel(seed=8)["h1"]}
    humans = ["h1", "gold", "people"]
    found = tm.evaluate(columns, humans=humans, systems=["engine"], scale="1:5", replicates=200)
    ids = [subset.id for subset in found.subsets]
    assert len(ids) == len(set(ids))
    pairs = [(s.subject, s.against) for s in found.subsets]
    assert (system_called("engine"), Comparison(Kind.RATER, "gold")) in pairs
    assert (rater_called("people"), Comparison(Kind.RATER, "gold")) in pairs


def test_one_run_is_no_repeat():
    columns = {**panel(), "engine": panel()["h1"], "again": panel()["h2"]}
    with pytest.raises(tm.OptionError, match="names one run, again; consistency needs two or more"):
        tm.evaluate(columns, humans=["h1"], systems=["engine"], repeats={"engine": ["again"]})
