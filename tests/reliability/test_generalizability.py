"""Variance components: unbiased, equal to the analysis of variance, honest where undefined."""

import numpy as np
import pytest

from tallymark.reliability import generalizability as g
from tallymark.reliability.icc import icc
from tallymark.tally import OneWay, PanelMoments
from tallymark.tally.crossed import CrossedSums, FacetSums
from tests.reliability.data import normal_ratings

NAN = float("nan")


def crossed_of(ratings):
    tally = CrossedSums(CrossedSums.rows(np.asarray(ratings, float)).sum(axis=0))
    return np.array(g.crossed(tally))


def components_of(ratings):
    return g.Components(*crossed_of(ratings))


def mean_components(runs, *, each, seed):
    rng = np.random.default_rng(seed)
    return np.array([crossed_of(normal_ratings(40, 6, each=each, rng=rng)) for _ in range(runs)])


@pytest.mark.parametrize("each", [2, 6])
def test_components_of_crossed_raters_are_unbiased(each):
    found = mean_components(300, each=each, seed=4)
    error = found.std(axis=0) / np.sqrt(len(found))
    assert np.all(np.abs(found.mean(axis=0) - [1.0, 0.25, 0.49]) < 4 * error)


@pytest.mark.slow
def test_components_with_missing_cells_are_unbiased_to_the_second_digit():
    found = mean_components(20_000, each=3, seed=5).mean(axis=0)
    assert found == pytest.approx([1.0, 0.25, 0.49], abs=0.01)


def test_coefficients_of_complete_ratings_are_intraclass_correlations():
    ratings = normal_ratings(30, 4, each=4, rng=np.random.default_rng(1))
    parts, panel = components_of(ratings), PanelMoments(PanelMoments.rows(ratings).sum(axis=0))
    assert g.generalizability(parts, raters=4) == pytest.approx(icc(panel, type="3,k"), abs=1e-12)
    assert g.dependability(parts, raters=1) == pytest.approx(icc(panel, type="2,1"), abs=1e-12)


def test_lmer_of_lme4_gives_the_same_components_of_balanced_ratings():
    # R 4.2, lme4 1.1-31: VarCorr(lmer(y ~ 1 + (1 | p) + (1 | r))), REML
    rng = np.random.default_rng(5)
    ratings = rng.normal(0, 1, (200, 1)) + rng.normal(0, 0.5, (1, 6))
    ratings = ratings + rng.normal(0, 0.7, (200, 6))
    assert crossed_of(ratings) == pytest.approx([0.9068168, 0.2764914, 0.4498934], abs=1e-5)


def test_stacked_tallies_give_what_each_gives_alone():
    rng = np.random.default_rng(2)
    two = [CrossedSums.rows(normal_ratings(20, 4, each=3, rng=rng)).sum(axis=0) for _ in range(2)]
    both = np.array(g.crossed(CrossedSums(np.stack(two))))
    alone = np.array([g.crossed(CrossedSums(sums)) for sums in two]).T
    assert both == pytest.approx(alone, abs=1e-12)


def test_tallies_of_disjoint_responses_add():
    ratings = normal_ratings(20, 4, each=3, rng=np.random.default_rng(3))
    first, second = (
        CrossedSums(CrossedSums.rows(x).sum(axis=0)) for x in (ratings[:8], ratings[8:])
    )
    assert np.array(g.crossed(first + second)) == pytest.approx(crossed_of(ratings), abs=1e-12)


def test_the_center_of_scores_does_not_matter():
    ratings = normal_ratings(20, 4, each=3, rng=np.random.default_rng(3))
    assert crossed_of(ratings + 7) == pytest.approx(crossed_of(ratings), abs=1e-9)


def test_a_negative_component_is_kept_and_taken_as_0_in_coefficients():
    parts = components_of([[1, 3], [3, 1], [2, 4], [4, 2]])
    assert parts.response < 0
    assert np.isnan(g.dependability(parts, raters=2))
    assert np.isnan(g.raters_needed(parts, target=0.8))
    equal = g.Components(np.array(1.0), np.array(-0.2), np.array(0.5))
    assert g.dependability(equal, raters=2) == g.generalizability(equal, raters=2) == 0.8


@pytest.mark.parametrize("ratings", [[[1, NAN], [2, NAN]], [[1, NAN], [NAN, 2], [3, NAN]]])
def test_one_rater_or_responses_read_once_leave_components_undefined(ratings):
    assert np.isnan(crossed_of(ratings)).all()


def test_responses_read_once_tell_the_spread_of_severity():
    rng = np.random.default_rng(6)
    found = []
    for _ in range(300):
        ratings = normal_ratings(120, 6, each=1, rng=rng)
        tally = CrossedSums(CrossedSums.rows(ratings).sum(axis=0))
        found.append(g.responses_within_raters(tally))
    response, rater, residual = np.mean(found, axis=0)
    assert np.isnan(response)
    assert rater == pytest.approx(0.25, abs=0.04)
    assert residual == pytest.approx(1.49, abs=0.04)


def test_constant_ratings_have_no_coefficient():
    parts = components_of(np.full((5, 3), 2.0))
    assert np.isnan(g.dependability(parts, raters=2))
    nested = g.raters_within_responses(OneWay(OneWay.rows(np.full((5, 3), 2.0)).sum(axis=0)))
    assert np.isnan(g.dependability(nested, raters=2))


def facets(rng, *, nested):
    n, r, t = 30, 3, 4
    sizes = {"p": (n, 1, 1), "r": (1, r, 1), "t": (1, 1, t), "pr": (n, r, 1), "pt": (n, 1, t)}
    sizes |= {"rt": (1, r, t), "prt": (n, r, t)}
    variances = {"p": 1.0, "r": 0.25, "t": 0.5, "pr": 0.16, "pt": 0.36, "rt": 0.09, "prt": 0.64}
    parts = {k: np.sqrt(variances[k]) * rng.standard_normal(size) for k, size in sizes.items()}
    scores = sum(part for key, part in parts.items() if not (nested and key in ("r", "pr")))
    return FacetSums(FacetSums.rows(scores).sum(axis=0), r, t)


def test_components_of_candidates_raters_and_prompts_are_unbiased():
    rng = np.random.default_rng(7)
    found = np.array([g.candidates_raters_prompts(facets(rng, nested=False)) for _ in range(300)])
    error = found.std(axis=0) / np.sqrt(len(found))
    truth = [1.0, 0.25, 0.5, 0.16, 0.36, 0.09, 0.64]
    assert np.all(np.abs(found.mean(axis=0) - truth) < 4 * error)


def test_components_of_raters_within_prompts_are_unbiased():
    rng = np.random.default_rng(8)
    found = np.array([g.raters_within_prompts(facets(rng, nested=True)) for _ in range(300)])
    error = np.nan_to_num(found.std(axis=0) / np.sqrt(len(found)))
    truth = np.array([1.0, NAN, 0.5, NAN, 0.36, 0.09, 0.64])
    apart = np.abs(found.mean(axis=0) - truth)
    assert np.array_equal(np.isnan(apart), np.isnan(truth))
    assert np.nanmax(apart - 4 * error) < 0


def test_more_raters_do_not_help_where_prompts_are_the_error():
    parts = g.Facets(*(np.array(v) for v in (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0)))
    for raters in (1, 10):
        assert g.of_facets(parts, raters=raters, prompts=4, absolute=True) == 0.8
