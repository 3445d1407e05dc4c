"""Raters who were given better or worse responses than others are neither severe nor lenient."""

from itertools import combinations

import numpy as np
import pytest
from msgspec.structs import replace
from scipy.optimize import minimize

import tallymark as tm
from tallymark.analyses.summary import summary
from tallymark.inference import Units
from tallymark.inference.influence import influence
from tallymark.reliability.absorbed import absorb, absorbed
from tallymark.reliability.assignment import PRECISE, REJECTED
from tallymark.reliability.rasch import RaschFit
from tallymark.reliability.rasch_conditional import fit_conditional
from tallymark.reliability.rater_effects import random_effects
from tallymark.reliability.severity import NO_WAY_BACK, Severities, severities
from tallymark.render.layout import plain_text
from tests.reliability.data import rasch_ratings
from tests.reliability.designs import (
    APART,
    PILES,
    POINTS,
    Design,
    component_hits,
    severity_hits,
)
from tests.said import notes

NAN = float("nan")
WEAK = tuple(0.2 * pile for pile in PILES)
NAMES = ["r1", "r2", "r3", "r4"]


def ones(ratings):
    return np.ones(len(ratings), dtype=np.int64)


def parts_of(ratings):
    found = absorb(ratings, ones(ratings))
    return np.array(absorbed(found.tally(found.rows.sum(axis=0))))


def of(evaluation, subset):
    return evaluation.of(next(s for s in evaluation.subsets if s.id == subset))


def rated(ratings, **options):
    table = dict(zip(NAMES, np.asarray(ratings, float).T.tolist(), strict=True))
    return tm.raters(table, humans=NAMES, scale="0:4", replicates=200, **options)


def test_equal_raters_with_unequal_piles_are_called_equal_and_the_reader_is_told_why():
    ratings = Design(piles=PILES).draw(np.random.default_rng(6))
    found, twice = rated(ratings), ((~np.isnan(ratings)).sum(axis=1) > 1).sum()
    for name in NAMES:
        severity = of(found, f"{name} against the other raters")["severity"]
        assert severity.low < 0 < severity.high
        assert severity.method.startswith("conditional likelihood, ")
    parts = of(found, "people against generalizability")
    rater, residual = (parts[f"variance_component[crossed,{of}]"] for of in ("rater", "residual"))
    assert rater.parts["these_raters_low"] < 0 < rater.parts["these_raters_high"] < 0.15
    assert rater.low < 0 < rater.high
    assert 0.44 < residual.low < 0.77 < residual.high  # 0.44 if taken as dealt at random
    assert parts["random_assignment"].parts["p"] < 0.001
    assert of(found, "people against severity")["random_assignment"].parts["random"] == 0
    text = " ".join(plain_text(summary(found, width=100)).split())
    told = "Responses not dealt at random (p < .001): severity"
    assert f"{told} from the {twice} rated twice or more." in text
    assert f"{told} and error from the {twice} rated twice or more." in text
    assert "responses as dealt 0." in text


def test_responses_dealt_at_random_all_count_and_the_reader_is_told():
    found = rated(Design(double=1).draw(np.random.default_rng(1)))
    method = of(found, "r1 against the other raters")["severity"].method
    assert method.startswith("marginal maximum likelihood, ")
    text = " ".join(plain_text(summary(found, width=100)).split())
    assert text.count("Responses look dealt at random (p .965): severity from all of them.") == 2
    assert "as dealt" not in text


def test_too_few_shared_responses_show_nothing():
    found = rated(Design(n=300).draw(np.random.default_rng(1)))
    own = of(found, "people against generalizability")["random_assignment"]
    assert own.parts["p"] > REJECTED
    assert own.parts["share"] > PRECISE
    text = " ".join(plain_text(summary(found, width=100)).split())
    told = "Responses not shown to be dealt at random (p .769): severity from the 30 rated twice"
    assert told in text


def test_what_was_asked_for_is_told_as_such():
    piles = Design(piles=PILES).draw(np.random.default_rng(6))
    text = " ".join(plain_text(summary(rated(piles, severity="mml"), width=100)).split())
    assert "not dealt at random (p < .001), yet severity from all of them." in text
    dealt = rated(Design(double=1).draw(np.random.default_rng(1)), severity="conditional")
    text = " ".join(plain_text(summary(dealt, width=100)).split())
    assert "Responses look dealt at random (p .965): severity from within them." in text


def test_raters_who_all_read_the_same_need_no_test():
    found = rated(rasch_ratings(60, APART, each=4, seed=1))
    assert "random_assignment" not in of(found, "people against generalizability")
    assert "at random" not in plain_text(summary(found, width=100))


def test_groups_of_raters_who_share_all_or_nothing_are_not_tested():
    pair = rasch_ratings(40, (0.5, -0.5), each=2, seed=9)
    none = np.full_like(pair, NAN)
    apart = np.block([[pair, none], [none, pair[::-1]]])
    assert absorb(apart, ones(apart)).assignment.state == "same panel"
    parts = np.array([parts_of(part) for part in (pair, pair[::-1])]).mean(axis=0)
    assert parts_of(apart)[1:] == pytest.approx(parts[1:])
    some = apart.copy()
    some[:10, 0] = NAN
    assert absorb(some, ones(some)).assignment.state != "random"


def test_responses_read_once_say_nothing_of_raters_unless_dealt_at_random():
    ratings = Design(piles=PILES, severity=APART).draw(np.random.default_rng(2))
    once = (~np.isnan(ratings)).sum(axis=1) == 1
    other = ratings.copy()
    other[once] = np.where(np.isnan(ratings[once]), NAN, 4 - ratings[once])
    one, two = (fit_conditional(x, ones(x)) for x in (ratings, other))
    assert one is not None
    assert two is not None
    assert one.severity == pytest.approx(two.severity)
    assert one.covariance == pytest.approx(two.covariance)
    assert parts_of(ratings)[1:] == pytest.approx(parts_of(other)[1:])


def conditional_loss(row, free):
    """Minus the conditional log-likelihood of the ratings of one response, by pairs."""
    severity, total = np.append(free, -free.sum()), 0.0
    who = np.flatnonzero(~np.isnan(row))
    for a, b in combinations(who, 2):
        given = -severity[a] * row[a] - severity[b] * row[b]
        swapped = -severity[a] * row[b] - severity[b] * row[a]
        total += 2 / who.size * np.log1p(np.exp(swapped - given))
    return total


def test_conditional_severities_equal_direct_maximisation():
    ratings = rasch_ratings(80, APART, each=3, seed=3)

    def loss(free):
        return sum(conditional_loss(row, free) for row in ratings)

    direct = minimize(loss, np.zeros(3), options={"gtol": 1e-7}).x
    found = fit_conditional(ratings, ones(ratings))
    assert found is not None
    assert found.severity[:3] == pytest.approx(direct, abs=1e-5)


@pytest.mark.parametrize("size", [1, 2])
def test_errors_of_conditional_severities_are_those_of_a_sandwich(size):
    """By finite differences of the likelihood, times m / (m - R + 1) for few responses."""
    ratings = rasch_ratings(30, APART, each=3, seed=3)
    clusters = np.arange(30) // size
    found = fit_conditional(ratings, ones(ratings), clusters if size > 1 else None)
    assert found is not None
    at, step = found.severity[:3], 1e-4 * np.eye(3)
    scores = np.array(
        [
            [(conditional_loss(r, at + h) - conditional_loss(r, at - h)) / 2e-4 for h in step]
            for r in ratings
        ]
    )
    informative = np.abs(scores).max(axis=1) > 1e-12

    def slope(free):
        return np.array(
            [
                sum(conditional_loss(r, free + h) - conditional_loss(r, free - h) for r in ratings)
                for h in step
            ]
        ) / 2e-4  # fmt: skip

    bread = np.linalg.inv([(slope(at + h) - slope(at - h)) / 2e-4 for h in step])
    summed = np.array([scores[clusters == c].sum(axis=0) for c in np.unique(clusters)])
    m = np.unique(clusters[informative]).size
    expected = bread @ summed.T @ summed @ bread * m / (m - 4 + 1)
    assert found.units == m
    assert found.covariance[:3, :3] == pytest.approx(expected, rel=1e-4)


def test_the_error_of_a_severity_of_two_raters_is_that_of_a_log_odds():
    # 6 times one gave more, twice the other: 1/6 + 1/2, times 8 / (8 - 1)
    rows = np.array([[0.0, 1]] * 6 + [[1, 0]] * 2 + [[1, 1]] * 5)
    found = fit_conditional(rows, ones(rows))
    assert found is not None
    apart = np.array([1, -1])
    assert apart @ found.covariance @ apart == pytest.approx((1 / 6 + 1 / 2) * 8 / 7)


def test_components_are_those_of_least_squares_with_every_response_and_rater():
    rng = np.random.default_rng(4)
    ratings = Design(n=40, double=0.6, each=3, severity=APART, piles=PILES).normal(rng)
    row, rater = np.nonzero(~np.isnan(ratings))
    x = ratings[row, rater]
    by_row, by_rater = np.eye(40)[row], np.eye(4)[rater]

    def left(*design):
        columns = np.concatenate(design, axis=1)
        return x - columns @ np.linalg.lstsq(columns, x, rcond=None)[0]

    full = left(by_row, by_rater)
    within = by_rater - by_row @ np.linalg.lstsq(by_row, by_rater, rcond=None)[0]
    reduced = left(by_row) @ left(by_row) - full @ full
    residual = full @ full / (x.size - 40 - 3)
    severity = (reduced - 3 * residual) / np.trace(within.T @ within)
    assert parts_of(ratings)[1:] == pytest.approx([severity, residual])


def moved_by(value, ratings):
    """How much one more of each response moves a value, by fitting again."""
    counts = ones(ratings).astype(float)
    return np.array(
        [(value(counts + 1e-5 * one) - value(counts)) / 1e-5 for one in np.eye(len(ratings))]
    )


@pytest.mark.parametrize("name", ["response", "rater", "residual"])
def test_influences_of_components_are_those_of_a_new_fit(name):
    ratings = Design(n=120, double=0.3, severity=APART).normal(np.random.default_rng(5))
    found = absorb(ratings, ones(ratings))
    assert not found.assignment.random

    def again(counts):
        own = absorb(ratings, counts)
        return getattr(absorbed(own.tally(counts @ own.rows)), name)

    units = Units(ones(ratings), found.tally, 120, rows=found.rows)
    linear = influence(lambda tally: getattr(absorbed(tally), name), units) / 120
    moved = moved_by(again, ratings)
    moved -= moved.mean()  # at a fixed number of responses
    assert linear == pytest.approx(moved, abs=1e-3 * np.abs(moved).max())


@pytest.mark.parametrize("name", ["reduced", "trace"])
def test_what_a_response_adds_with_random_responses_is_that_of_a_new_fit(name):
    ratings = Design(n=80, double=0.7, severity=APART).normal(np.random.default_rng(5))

    def effects(counts):
        return random_effects(ratings, counts, response=0.64, residual=0.5)

    linear = getattr(effects(ones(ratings)), name)
    moved = moved_by(lambda counts: counts @ getattr(effects(counts), name), ratings)
    assert linear == pytest.approx(moved, abs=1e-3 * np.abs(moved).max())


def test_the_spread_of_severities_is_free_of_their_errors():
    rng = np.random.default_rng(6)
    truth = np.array(APART) - np.mean(APART)
    error = rng.normal(0, 0.3, (20_000, 4)) * [0.5, 1.0, 1.5, 2.0]
    error -= error.mean(axis=1, keepdims=True)
    covariance = np.cov(error.T)
    fit = RaschFit(truth, covariance, truth, 0.0, 1.0, truth, 4, "", error)
    squared = [replace(fit, severity=truth + e).severity @ (truth + e) for e in error]
    less = np.trace(covariance)  # R mean(se^2)
    assert np.mean(squared) - less == pytest.approx(truth @ truth, rel=0.01)
    own = fit.severity @ fit.severity - less
    assert fit.spread == pytest.approx((own / 3) ** 0.5)


def test_where_shared_responses_give_no_finite_severity_all_ratings_count_and_it_is_said():
    ratings = Design(n=300, double=0.0).draw(np.random.default_rng(7))
    ratings[:3] = [[0, 1, NAN, NAN], [NAN, 1, 2, NAN], [NAN, NAN, 2, 3]]
    found = rated(ratings)
    method = of(found, "r1 against the other raters")["severity"].method
    assert method.startswith("marginal maximum likelihood, ")
    assert any(finding.startswith(NO_WAY_BACK) for finding in notes(found))
    asked = rated(ratings, severity="conditional")
    severity = of(asked, "r1 against the other raters")["severity"]
    assert np.isnan(severity.value)
    assert severity.why == NO_WAY_BACK


@pytest.mark.parametrize("method", ["conditional", "mml"])
def test_a_response_told_four_times_in_one_cluster_adds_no_certainty(method):
    ratings = rasch_ratings(150, APART, each=2, seed=8)
    clusters = np.repeat(np.arange(150), 4)
    found = severities(ratings, POINTS, names=NAMES, method=method)
    again = severities(np.repeat(ratings, 4, axis=0), POINTS, names=NAMES, method=method,
                       clusters=clusters)  # fmt: skip
    assert isinstance(found, Severities)
    assert isinstance(again, Severities)
    alone, four = found.fit, again.fit
    assert four.severity == pytest.approx(alone.severity, abs=1e-6)
    assert four.se == pytest.approx(alone.se, rel=1e-4)


SEVERITY = {
    "dealt at random": (Design(), 1.0, 1.0),
    "dealt at random, all read twice": (Design(double=1), 0.0, 0.4),
    "piles": (Design(piles=PILES), 1.0, 1.0),
    "piles, all read twice": (Design(double=1, piles=PILES), 1.0, 1.0),
    "small piles, all read twice": (Design(double=1, piles=WEAK), 0.3, 0.9),
    "crossed": (Design(n=200, double=1, each=4, severity=APART), 0.0, 0.0),
    "unequal raters and piles": (
        Design(piles=PILES, severity=APART, double=0.3, shares=(0.5, 0.25, 0.15, 0.1)),
        1.0,
        1.0,
    ),
    "an erratic rater": (Design(double=1, noise=(2.0, 0, 0, 0)), 0.0, 0.4),
    "an erratic rater, crossed": (Design(n=200, each=4, double=1, noise=(2.0, 0, 0, 0)), 0.0, 0.0),
    "a rater who keeps to the middle": (Design(double=0.5, stretch=(0.3, 1, 1, 1)), 1.0, 1.0),
    "candidates with four responses": (Design(double=1, alike=4, piles=PILES), 1.0, 1.0),
}
"""Designs, and the least and the largest share of samples that take shared responses alone."""


@pytest.mark.slow
@pytest.mark.parametrize("name", SEVERITY)
def test_intervals_of_severity_hold_their_values(name):
    design, least, most = SEVERITY[name]
    rng = np.random.default_rng(11)
    found = [severity_hits(design, rng) for _ in range(400)]
    held = np.array([one[0] for one in found])
    error = np.array([one[1] for one in found])
    # 1,600 intervals; four standard errors of one rater's 400, and of all, which hang together
    assert (held.mean(axis=0) > 0.906).all(), held.mean(axis=0)
    assert held.mean() > 0.93, held.mean()
    assert np.abs(error.mean(axis=0)).max() < 0.05
    assert least <= np.mean([one[2] for one in found]) <= most


@pytest.mark.slow
def test_small_differences_of_piles_are_not_allowed_to_mislead():
    # what the shared responses of one in ten cannot show must not be taken for random
    for size in (0.1, 0.2, 0.3, 0.5):
        piles = tuple(size * pile for pile in PILES)
        rng = np.random.default_rng(12)
        for double in (0.1, 0.5, 1.0):
            design = Design(double=double, piles=piles)
            held = np.array([severity_hits(design, rng)[0] for _ in range(150)])
            assert held.mean(axis=0).min() > 0.88, (size, double, held.mean(axis=0))


COMPONENTS = {
    "dealt at random": Design(),
    "dealt at random, all read twice": Design(double=1, severity=APART),
    "piles": Design(piles=PILES),
    "piles, all read twice": Design(double=1, piles=PILES),
    "crossed": Design(n=200, double=1, each=4, severity=APART),
    "unequal raters and piles": Design(
        piles=PILES, severity=APART, double=0.3, shares=(0.5, 0.25, 0.15, 0.1)
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", COMPONENTS)
def test_intervals_of_components_hold_their_values(name):
    design, rng = COMPONENTS[name], np.random.default_rng(13)
    found = [component_hits(design, rng) for _ in range(500)]
    for part in found[0].held:
        assert np.mean([one.held[part] for one in found]) > 0.89, part
        errors = np.array([one.values[part] for one in found])
        if part in ("response", "rater", "residual"):
            assert abs(errors.mean()) < 4 * errors.std() / len(found) ** 0.5, part
