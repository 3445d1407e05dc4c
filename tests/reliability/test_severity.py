"""Rater severity: recovered, equal to other programs, and silent where it cannot be known."""

import numpy as np
import pytest
from scipy.optimize import minimize

from tallymark.reliability.rasch import NotFitted, answers, probabilities, sum_to_zero
from tallymark.reliability.rasch_marginal import MarginalFit, fit_marginal
from tallymark.reliability.rater_effects import beside_others, rater_effects
from tallymark.reliability.severity import fair_average, predictions, severities
from tests.reliability.data import rasch_ratings
from tests.reliability.joint import fit_joint

NAN = float("nan")
SIX = (0.8, 0.4, 0.0, -0.1, -0.4, -0.7)
NAMES = [f"rater {letter}" for letter in "abcdefgh"]


def fitted(ratings, points=5, **options):
    return severities(np.asarray(ratings, float), np.arange(float(points)), names=NAMES, **options)


def fit_of(found):
    """Infit, outfit and spread by rater."""
    a, (mean, variance) = found.answers, predictions(found)
    n = np.bincount(a.rater)
    squared = (a.score - mean) ** 2

    def spread(x):
        return np.bincount(a.rater, x * x) / n - (np.bincount(a.rater, x) / n) ** 2

    expected = spread(mean) + np.bincount(a.rater, variance) / n
    infit = np.bincount(a.rater, squared) / np.bincount(a.rater, variance)
    outfit = np.bincount(a.rater, squared / variance) / n
    return infit, outfit, np.sqrt(spread(a.score * 1.0) / expected)


def missed(sets, *, n=300):
    """How many standard errors each severity lies from the truth."""
    truth = np.asarray(SIX) - np.mean(SIX)
    found = [fitted(rasch_ratings(n, SIX, each=2, seed=seed)).fit for seed in range(sets)]
    return np.array([(fit.severity - truth) / fit.se for fit in found])


def test_marginal_estimation_recovers_severities():
    z = missed(20)
    assert np.abs(z).max() < 4
    assert np.abs(z.mean(axis=0)).max() < 1
    assert 0.7 < z.std() < 1.3


@pytest.mark.slow
def test_marginal_estimation_recovers_severities_in_200_sets():
    z = missed(200)
    assert np.mean(np.abs(z) < 3) > 0.99
    assert np.abs(z.mean(axis=0)).max() < 0.3
    assert 0.93 < z.std() < 1.07


def test_marginal_estimation_recovers_the_spread_of_quality():
    fit = fitted(rasch_ratings(4000, SIX, each=2, seed=1, mean=0.3, sd=1.2)).fit
    assert fit.mean == pytest.approx(0.3, abs=0.08)
    assert fit.sd == pytest.approx(1.2, abs=0.08)
    assert fit.thresholds == pytest.approx(np.linspace(-1.5, 1.5, 4), abs=0.12)


def test_erm_gives_the_same_severities_by_conditional_likelihood():
    # R 4.2, eRm 1.0-2: RSM(X, etaStart = rep(.1, 6)) on this very table
    rng = np.random.default_rng(11)
    severity = rng.normal(0, 0.5, 5)
    severity -= severity.mean()
    quality = rng.normal(0.3, 1.5, 800)
    chance = probabilities(quality[:, None] - severity, np.linspace(-1.5, 1.5, 3))
    ratings = (chance.cumsum(-1) < rng.random((800, 5, 1))).sum(-1)
    erm = np.array([-0.1193, 0.5216, 0.4926, -0.5614, -0.3335])
    fit = fitted(ratings, points=4).fit
    assert fit.severity == pytest.approx(erm, abs=1e-3)
    model = fit_marginal(answers(ratings * 1.0, np.arange(4.0), np.ones(800, dtype=np.int64)))
    assert isinstance(model, MarginalFit)
    errors = sum_to_zero(5) @ np.linalg.inv(model.information)[:4, :4] @ sum_to_zero(5).T
    assert np.sqrt(np.diag(errors))[1:] == pytest.approx([0.0479, 0.0477, 0.0492, 0.0475], abs=1e-4)
    # the model holds here, so robust errors are about as large; who gave which score tells as much
    assert fit.se == pytest.approx(np.sqrt(np.diag(errors)), rel=0.1)
    conditional = fitted(ratings, points=4, method="conditional").fit
    assert conditional.severity == pytest.approx(erm, abs=0.02)
    assert conditional.se == pytest.approx(fit.se, rel=0.1)


def joint_likelihood(free, ratings):
    n, raters = ratings.shape
    severity = np.append(free[n : n + raters - 1], -free[n : n + raters - 1].sum())
    thresholds = np.append(free[n + raters - 1 :], -free[n + raters - 1 :].sum())
    chance = probabilities(free[:n, None] - severity, thresholds)
    return -np.log(np.take_along_axis(chance, ratings.astype(int)[..., None], -1)).sum()


def joint_fit(ratings):
    points = np.arange(np.nanmax(ratings) + 1)
    return fit_joint(answers(np.asarray(ratings, float), points, np.ones(len(ratings), np.int64)))


def test_joint_estimation_equals_direct_maximisation():
    ratings = rasch_ratings(40, SIX[:4], each=4, points=3, seed=3)
    ratings = ratings[(ratings.sum(axis=1) > 0) & (ratings.sum(axis=1) < 8)]
    found = joint_fit(ratings)
    start = np.zeros(len(ratings) + 3 + 1)
    direct = minimize(joint_likelihood, start, args=(ratings,), options={"gtol": 1e-6}).x
    severity = direct[len(ratings) : len(ratings) + 3]
    assert found.severity[:3] == pytest.approx(severity, abs=1e-4)


def test_joint_estimation_spreads_too_far():
    ratings = rasch_ratings(600, SIX, each=3, seed=4)
    rated = ~np.isnan(ratings)
    total = np.nansum(ratings, axis=1)
    joint = joint_fit(ratings[(total > 0) & (total < 4 * rated.sum(axis=1))])
    assert joint.severity.std() > 1.2 * fitted(ratings).fit.severity.std()


def test_patterns_counted_once_give_what_all_rows_give():
    ratings = rasch_ratings(400, SIX[:3], each=2, points=3, seed=6)
    filled = np.where(np.isnan(ratings), -1, ratings)
    rows, counts = np.unique(filled, axis=0, return_counts=True)
    rows = np.where(rows < 0, NAN, rows)
    tallied = fitted(rows, points=3, counts=counts)
    assert tallied.fit.severity == pytest.approx(fitted(ratings, points=3).fit.severity, abs=1e-6)


def test_well_measured_responses_get_more_nodes():
    ratings = rasch_ratings(300, np.linspace(-1, 1, 8), each=8, sd=3.0, seed=7)
    fit = fitted(ratings).fit
    assert fit.nodes.size > 21
    assert fit.sd == pytest.approx(3.0, abs=0.5)


def test_the_model_fits_raters_who_follow_it_and_flags_those_who_do_not():
    ratings = rasch_ratings(4000, SIX, each=2, seed=8)
    rng = np.random.default_rng(0)
    ratings[:, 0] = np.where(np.isnan(ratings[:, 0]), NAN, rng.integers(0, 5, 4000))
    ratings[:, 1] = np.round(2 + (ratings[:, 1] - 2) / 2)
    infit, outfit, spread = fit_of(fitted(ratings))
    assert infit[0] > 1.5
    assert outfit[0] > 1.5
    assert spread[1] < 0.6
    assert infit[2:] == pytest.approx(1, abs=0.15)
    assert outfit[2:] == pytest.approx(1, abs=0.15)
    assert spread[2:] == pytest.approx(1, abs=0.1)


def test_fit_is_1_where_the_model_holds():
    infit, outfit, spread = fit_of(fitted(rasch_ratings(6000, SIX, each=2, seed=9)))
    for statistic in (infit, outfit, spread):
        assert statistic == pytest.approx(1, abs=0.06)


def test_fair_averages_undo_who_was_drawn():
    ratings = rasch_ratings(3000, SIX, each=2, seed=10)
    found = fitted(ratings)
    full = rasch_ratings(3000, SIX, each=6, seed=10)
    assert fair_average(found, found.fit.severity) == pytest.approx(full.mean(axis=0), abs=0.1)


def test_progress_is_told():
    told: list[int] = []
    fitted(rasch_ratings(100, SIX[:3], each=2, points=3, seed=1), points=3, tell=told.append)
    assert told == list(range(1, len(told) + 1))
    assert len(told) > 3


def test_a_score_that_nobody_gave_is_collapsed():
    ratings = rasch_ratings(300, SIX[:3], each=3, points=4, seed=1)
    gap = np.where(ratings >= 2, ratings + 1, ratings)
    found, plain = fitted(gap, points=5), fitted(ratings, points=4)
    assert list(found.collapsed) == [2.0]
    assert found.fit.severity == pytest.approx(plain.fit.severity)


def test_a_rater_with_only_the_lowest_score_is_left_out():
    ratings = rasch_ratings(200, SIX[:4], each=4, points=3, seed=1)
    ratings[:, 3] = 0
    found = fitted(ratings, points=3)
    assert list(found.one_sided) == [3]
    assert list(found.raters) == [0, 1, 2]


@pytest.mark.parametrize(
    ("ratings", "why"),
    [
        (np.full((9, 2), 1.0), "all ratings are the same"),
        ([[0, NAN], [1, NAN], [2, NAN]], "no response was rated by two raters"),
        (
            [[0, 1, NAN, NAN], [1, 2, NAN, NAN], [NAN, NAN, 0, 1], [NAN, NAN, 1, 2]],
            "share no response (rater a, rater b; rater c, rater d)",
        ),
        (np.arange(50.0).reshape(25, 2), "50 different scores are too many"),
        ([[0, 0], [1, 1], [2, 2], [0, 0], [1, 1], [2, 2]], "did not converge"),
    ],
)
def test_what_cannot_be_estimated_gives_the_reason_and_no_numbers(ratings, why):
    found = fitted(ratings, points=50)
    assert isinstance(found, NotFitted)
    assert why in found.why


def test_joint_estimation_that_runs_away_gives_the_reason_and_no_numbers():
    found = joint_fit([[0, 1, 2]] * 6 + [[1, 2, 2], [0, 0, 1]] * 3)
    assert isinstance(found, NotFitted)
    assert "no finite estimate" in found.why


def test_additive_effects_are_those_of_raters_who_read_everything():
    ratings = np.array([[1.0, 2, 4], [2, 3, 5], [3, 4, 6]])
    effects = rater_effects(ratings, np.ones(3, dtype=np.int64))
    assert effects == pytest.approx([-4 / 3, -1 / 3, 5 / 3])
    assert beside_others(ratings, effects) == pytest.approx(np.tile(effects, (3, 1)))
