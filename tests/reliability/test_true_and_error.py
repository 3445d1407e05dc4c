"""True and error variance of ratings: what simulated raters show is what the models say."""

import numpy as np
import pytest

from tallymark.reliability.generalizability import Components
from tallymark.reliability.severity import Severities, severities
from tallymark.reliability.true_and_error import of_components, of_severities
from tests.reliability.data import rasch_ratings

SEVERITY = (0.9, 0.0, -0.9)


def test_the_rasch_model_gives_the_moments_of_the_ratings_it_makes():
    ratings = rasch_ratings(40_000, SEVERITY, each=3, seed=1)
    found = severities(ratings, np.arange(5.0), names="abc")
    assert isinstance(found, Severities)
    model = of_severities(found)
    between = np.cov(ratings.T)
    implied = model.true * np.outer(model.slope, model.slope) + np.diag(model.error)
    assert implied == pytest.approx(between, abs=0.03)
    assert model.slope.mean() == pytest.approx(1, abs=1e-9)


def test_severity_is_error_only_where_raters_vary():
    parts = Components(np.array(2.0), np.array(0.5), np.array(1.0))
    assert of_components(parts).error == 1.5
    assert of_components(parts, absolute=False).error == 1.0


def test_components_below_0_count_as_0_and_nested_severity_once():
    parts = Components(np.array(-0.1), np.array(-0.2), np.array(1.0))
    assert [float(part) for part in of_components(parts)] == [0.0, 1.0, 1.0]
    nested = Components(np.array(2.0), np.array(np.nan), np.array(1.0))
    assert of_components(nested).error == 1.0
