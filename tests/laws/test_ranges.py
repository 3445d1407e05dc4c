"""No estimate leaves the range of its row, and no interval ends at an estimate that data can exceed."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tallymark as tm
from tallymark.catalogue import range_of
from tests.laws.cases import PAIRWISE, PANELS, Scores, cases

N = 240
SCALES = (
    np.arange(1.0, 6),
    np.arange(2.0),
    np.array([0, 1, 2, 100.0]),
    np.array([0, 49, 50, 51, 100.0]),
    np.array([0, 49, 49.5, 50, 50.5, 51, 100.0]),
)


def check(found):
    """Whether the value is possible, and an end lies at it only where no other value does."""
    if math.isnan(found.value):
        return
    least, most = range_of(found.key)
    near = 1e-9 * max(1.0, abs(found.value))
    assert least - near <= found.value <= most + near, found
    if math.isnan(found.low) or "percentile" in found.method:
        return  # resamples may all lie to one side of the value
    if "chi-squared limits" in found.method and found.value < 0:
        return  # of a variance that is not below 0, unlike its estimate
    assert found.low < found.value or abs(found.value - least) <= near, found
    assert found.high > found.value or abs(found.value - most) <= near, found


def population(seed, *, raters, gaps):
    """A few patterns of ratings, some of them as far apart as can be, some of them of many responses."""
    rng = np.random.default_rng(seed)
    points = SCALES[seed % len(SCALES)]
    shape = (int(rng.integers(1, 5)), raters)
    ends = np.array([0, points.size - 1])
    patterns = (
        rng.choice(ends, shape) if rng.random() < 0.5 else rng.integers(0, points.size, shape)
    )
    patterns = patterns.astype(float)
    if gaps:
        patterns[rng.random(shape) < 0.4] = np.nan
    counts = rng.choice([1, 1, 2, 30, 300], shape[0])
    return Scores(np.repeat(patterns, counts, axis=0), points)


@pytest.mark.parametrize(("raters", "gaps"), [(2, False), (3, False), (3, True)])
def test_of_statistics_whatever_the_pattern_of_scores(raters, gaps):
    for seed in range(100):
        data = population(seed, raters=raters, gaps=gaps)
        units = data.units()
        for case in cases("", PAIRWISE if raters == 2 else PANELS):
            if gaps and case.tally in ("complete", "equal", "pairwise"):
                continue
            value = float(case.value(units[case.tally].tally))
            low, high = case.row.bind(case.params).range
            assert math.isnan(value) or low - 1e-9 <= value <= high + 1e-9, str(case)
            assert not math.isinf(value), str(case)


def true_and_noise(seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(3.5, 1, N), rng.normal(0, 0.9, (N, 3))


def mean_of_both_raters() -> tuple[dict[str, Any], dict[str, Any]]:
    truth, noise = true_and_noise()
    h1, h2 = (truth + noise[:, i] for i in (0, 1))
    return {"h1": h1, "h2": h2, "e1": (h1 + h2) / 2, "e2": truth + noise[:, 2]}, {}


def copy_of_a_rater():
    columns, _ = mean_of_both_raters()
    return {**columns, "e1": columns["h1"]}, {}


def error_shared_by_all():
    truth, noise = true_and_noise(1)
    truth, noise[:, 0] = 0.3 * truth, 1.5 * noise[:, 0]
    h1, h2 = (truth + noise[:, 0] + 0.1 * noise[:, i] for i in (1, 2))
    return {"h1": h1, "h2": h2, "e1": truth + 3 * noise[:, 0], "e2": h1}, {}


def second_readings_where_system_and_rater_differ():
    truth, noise = true_and_noise(2)
    scores = np.clip(np.rint(truth[:, None] + noise), 1, 6)
    h1, h2, system = scores.T
    second = np.where(np.abs(system - h1) >= 1, 7 - h1, np.nan)
    return {"h1": h1, "h2": second, "e1": system, "e2": h2}, {"scale": "1:6"}


def an_error_variance_that_is_too_large():
    columns, _ = copy_of_a_rater()
    return {**columns, "e1": 0.9 * columns["h1"]}, {"error_variance": 1.7}


def length_and_system_that_make_up_the_ratings():
    truth, noise = true_and_noise(3)
    size, h1 = 100 + 10 * noise[:, 0], truth + noise[:, 0]
    return {"h1": h1, "h2": h1, "e1": truth, "e2": h1, "size": size}, {"error_variance": 0.4}


def rare_pairs_as_far_apart_as_can_be():
    h1 = np.repeat([1.0, 2.0, 1.0, 6.0], N // 4)
    second = np.full(N, np.nan)
    second[:3], second[-3:] = 6.0, 1.0
    return {"h1": h1, "h2": second, "e1": h1, "e2": second}, {"scale": "1:6"}


def raters_who_oppose():
    h1 = np.resize([1.0, 2.0, 5.0, 6.0], N)
    return {"h1": h1, "h2": 7 - h1, "e1": 7 - h1, "e2": h1}, {"scale": "1:6"}


def points_far_from_even():
    rng = np.random.default_rng(5)
    h1 = rng.choice([0.0, 100.0], N)
    h1[:5] = [49, 49.5, 50, 50.5, 51]
    return {"h1": h1, "h2": 100 - h1, "e1": 100 - h1, "e2": h1}, {
        "scale": "0,49,49.5,50,50.5,51,100"
    }


POPULATIONS: tuple[Callable[[], tuple[dict[str, Any], dict[str, Any]]], ...] = (
    mean_of_both_raters,
    copy_of_a_rater,
    error_shared_by_all,
    second_readings_where_system_and_rater_differ,
    an_error_variance_that_is_too_large,
    length_and_system_that_make_up_the_ratings,
    rare_pairs_as_far_apart_as_can_be,
    raters_who_oppose,
    points_far_from_even,
)


def evaluations(columns, roles):
    people: Any = {"humans": ["h1", "h2"], "replicates": 100}
    place = np.arange(N)
    wrong = np.abs(columns["e1"] - columns["h1"]) >= 1
    beside = {
        "g": np.array(["f", "m"])[place % 2],
        "sure": np.where(wrong, 0.9, 0.1) - place / 1e4,
        "size": 100 + 50 * (columns["e1"] - columns["h1"]) + place % 3,
    }
    yield tm.evaluate(
        {**beside, **columns},
        systems=["e1"],
        groups=["g"],
        length="size",
        confidences={"e1": "sure"},
        repeats={"e1": ["e1", "e2"]},
        **people,
        **roles,
    )
    roles = {name: role for name, role in roles.items() if name != "error_variance"}
    yield tm.compare(columns, systems=["e1", "e2"], **people, **roles)
    yield tm.raters({name: columns[name] for name in ("h1", "h2")}, **people, **roles)
    yield tm.ceiling({name: columns[name] for name in ("h1", "h2")}, **people, **roles)


@pytest.mark.parametrize("drawn", POPULATIONS)
def test_of_all_that_is_reported(drawn):
    for found in evaluations(*drawn()):
        for one in found.estimates:
            check(one)
