"""Prompts or traits that differ in their means do not make raters look reliable."""

from typing import Any

import numpy as np
import pytest

import tallymark as tm
from tallymark.analyses.pages import report
from tallymark.analyses.summary import summary
from tallymark.results import GSTUDY

SEVERITY = np.array([0.3, 0.0, -0.3])


def ratings(n=250, apart=3.0):
    """Four prompts; within each responses vary by 1, raters by .09, errors by 1 and rounding."""
    rng = np.random.default_rng(1)
    prompt = np.repeat(np.arange(4), n)
    truth = apart * prompt + rng.normal(size=prompt.size)
    scores = np.round(truth[:, None] + SEVERITY + rng.normal(size=(prompt.size, 3)))
    columns = {f"h{i + 1}": column for i, column in enumerate(scores.T)}
    return columns | {"essay": np.array([f"p{i}" for i in prompt])}


def text_of(found):
    return " ".join(line.text.strip() for line in summary(found, width=200, full=True))


@pytest.fixture(scope="module", params=["prompt", "trait"])
def facet(request):
    return request.param


@pytest.fixture(scope="module")
def studied(facet):
    keys: dict[str, Any] = {facet: "essay"}
    return tm.raters(ratings(), humans=["h1", "h2", "h3"], replicates=200, scale="-9:20", **keys)


def numbers(found, subset):
    return {e.text: e for e in found.estimates if found.subsets[e.subset] == subset}


def test_components_are_the_mean_of_those_within_each(studied, facet):
    (mean,) = [s for s in studied.subsets if s.against == GSTUDY and s.average == facet]
    own = numbers(studied, mean)
    each = [
        numbers(studied, s) for s in studied.subsets if s.against == GSTUDY and s.column == facet
    ]
    assert len(each) == 4
    for text in ("variance_component[crossed,response]", "dependability[crossed,1]"):
        assert own[text].value == pytest.approx(np.mean([one[text].value for one in each]))
    truth = {"response": 1.0, "rater": SEVERITY.var(ddof=1), "residual": 1 + 1 / 12}
    for name, value in truth.items():
        found = own[f"variance_component[crossed,{name}]"]
        assert found.low < value < found.high
    phi = truth["response"] / sum(truth.values())
    needed = own["raters_needed[crossed,dependability,0.8]"]
    assert needed.low < 0.8 / 0.2 * (1 - phi) / phi < needed.high


def test_raters_needed_are_never_pooled(studied):
    told = {studied.subsets[e.subset] for e in studied.estimates if e.name == "raters_needed"}
    assert told
    assert all(s.average or s.column for s in told)
    assert "Raters needed for a Phi, mean over" in text_of(studied)
    assert "Raters needed for a Phi:" not in text_of(studied)
    assert "Raters needed for a Phi:" not in report(studied)


def test_ceilings_tell_reliability_within_each(facet):
    keys: dict[str, Any] = {facet: "essay"}
    found = tm.ceiling(ratings(), humans=["h1", "h2", "h3"], replicates=200, scale="-9:20", **keys)
    needs = [e for e in found.estimates if e.name == "raters_needed"]
    of = [found.subsets[e.subset] for e in needs]
    assert {subset.column or subset.average for subset in of} == {facet}
    within = [i for i, subset in enumerate(found.subsets) if subset.column == facet]
    ones = [
        e for e in found.estimates if e.text == "dependability[crossed,1]" and e.subset in within
    ]
    noises = [(1 - e.value) / e.value for e in ones]
    assert len(noises) == 4
    enough = next(k for k in range(1, 99) if np.mean([k / (k + one) for one in noises]) >= 0.8)
    assert f"Raters needed for a Phi, mean over {facet}s: {enough} [" in text_of(found)
    assert "Reliability of one rating" not in text_of(found)
    assert "Reliability of one rating" not in report(found)
