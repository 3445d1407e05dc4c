"""No golden is forgotten: each has a test that runs it, or belongs to a capability to come."""

import importlib
import math
from collections import defaultdict
from fnmatch import fnmatchcase

import pytest

from tests.goldens import Golden, check, claimed, goldens
from tests.goldens.claims import CLAIMS, DONE, claim_of

FINISHED = sorted({claim.test for claim in CLAIMS if claim.milestone in DONE} - {""})


def golden(expected, tol):
    return Golden("papers:made.up", {"expected": expected}, {}, tol)


def claimed_ids():
    ids = defaultdict(set)
    for golden_id in goldens():
        ids[claim_of(golden_id).test].add(golden_id)
    return ids


def test_every_golden_is_claimed_or_belongs_to_a_milestone_to_come():
    unclaimed = [
        golden_id
        for golden_id in goldens()
        if claim_of(golden_id).milestone in DONE and not claim_of(golden_id).test
    ]
    assert unclaimed == []


def test_every_pattern_decides_at_least_one_golden():
    for claim in CLAIMS:
        own = [golden_id for golden_id in goldens() if claim_of(golden_id) is claim]
        for pattern in claim.patterns:
            assert any(fnmatchcase(golden_id, pattern) for golden_id in own), pattern


def test_the_finished_milestones_are_in_the_table():
    assert {claim.milestone for claim in CLAIMS} >= DONE


def test_a_claimed_test_runs_exactly_its_goldens():
    for test in FINISHED:
        path, _, name = test.partition("::")
        module = importlib.import_module(path.removesuffix(".py").replace("/", "."))
        marks = getattr(module, name).pytestmark
        cases = [case for mark in marks if mark.name == "parametrize" for case in mark.args[1]]
        assert {case.id for case in cases if isinstance(case, Golden)} == claimed_ids()[test], test
        assert not {"skip", "skipif", "xfail", "slow"} & {mark.name for mark in marks}, test


def test_an_id_that_nobody_claims_is_named():
    with pytest.raises(LookupError, match=r"nobody claims the golden papers:new\.one"):
        claim_of("papers:new.one")


def test_a_test_without_goldens_is_told_so():
    with pytest.raises(ValueError, match=r"no golden is claimed by tests/nowhere\.py::test_it"):
        claimed("tests/nowhere.py::test_it")


@pytest.mark.parametrize(
    ("expected", "found", "tol"),
    [
        ({"value": 0.5}, {"value": 0.5 + 9e-10, "more": 1}, 1e-9),
        ({"value": None}, {"value": math.nan}, {"value": 1e-12}),
        (
            {"a": {"coef": 0.5, "se": 0.1}},
            {"a": {"coef": 0.5, "se": 0.1001}},
            {"coef": 0, "se": 1e-3},
        ),
        ({"boot_se": 0.2}, {"boot_se": 0.209}, {"boot_se_relative": 0.05}),
        ({"boot_ci_low": 0.3}, {"boot_ci_low": 0.31}, {"boot_ci_absolute": 0.02}),
        (
            {"bands": ["fair", "poor"], "n": [3, None]},
            {"bands": ["fair", "poor"], "n": [3, None]},
            0,
        ),
    ],
)
def test_what_is_within_its_tolerance_passes(expected, found, tol):
    check(found, golden(expected, tol))


@pytest.mark.parametrize(
    ("expected", "found", "tol", "miss"),
    [
        ({"value": 0.5}, {"value": 0.5 + 2e-9}, 1e-9, "value is 0.500000002, expected 0.5"),
        ({"value": 0.5}, {}, 1e-9, "value was not computed"),
        ({"value": 0.5}, {"value": math.nan}, 1e-9, "value is nan"),
        ({"value": None}, {"value": 0.0}, 1e-9, "value is 0.0, expected None"),
        ({"a": {"pa": 0.5}}, {"a": {"pa": 0.501}}, {"coef": 1e-9, "se": 0.1}, "a.pa is 0.501"),
        ({"n": [1, 2]}, {"n": [1]}, 0, "n has 1 values, expected 2"),
        ({"flag": True}, {"flag": False}, 0, "flag is False"),
    ],
)
def test_what_is_outside_its_tolerance_is_named(expected, found, tol, miss):
    with pytest.raises(AssertionError, match=f"papers:made.up: {miss}"):
        check(found, golden(expected, tol))
