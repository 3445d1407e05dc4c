"""A scale is read from text, from a list, or off the scores."""

import pytest

from tallymark.errors import ScaleError
from tallymark.scale import Scale


@pytest.mark.parametrize(
    ("given", "points", "text"),
    [
        ("1:6", (1, 2, 3, 4, 5, 6), "1:6"),
        ("0:3:0.5", (0, 0.5, 1, 1.5, 2, 2.5, 3), "0:3:0.5"),
        ("0:0.3:0.1", (0, 0.1, 0.2, 0.3), "0:0.3:0.1"),
        ("-2:2:2", (-2, 0, 2), "-2:2:2"),
        ("1,2,4", (1, 2, 4), "1,2,4"),
        ([0, 1], (0, 1), "0,1"),
        ("fail, pass", (0, 1), "fail,pass"),
        (["a", "b", "c"], (1, 2, 3), "a,b,c"),
    ],
)
def test_a_declared_scale_is_read_and_written_back(given, points, text):
    scale = Scale.of(given)
    assert scale.points == points
    assert str(scale) == text
    assert Scale.of(str(scale)) == scale
    assert Scale.of(scale) is scale
    assert not scale.inferred


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("a:b", "cannot read the scale 'a:b'"),
        ("6:1", "must ascend from low to high"),
        ("1:6:0", "positive step"),
        ("1:6:2", "does not reach 6 in steps of 2"),
        ("0:1:0.0000001", "points; is the step right"),
        ("1,1,2", "must ascend without repeats"),
        ([3, 2, 1], "must ascend without repeats"),
        (["a", "b", "a"], "scale labels must differ"),
        ([], "at least one point"),
        ([1, float("inf")], "finite"),
    ],
)
def test_a_scale_that_cannot_be_is_refused(given, said):
    with pytest.raises(ScaleError, match=said):
        Scale.of(given)


@pytest.mark.parametrize(
    ("scores", "text"),
    [
        ([1, 2, 6], "1:6"),
        ([1, 1.5, 3], "1:3:0.5"),
        ([10, 30, 70], "10:70:20"),
        ([0.1, 0.4, 0.2], "0.1:0.4:0.1"),
        ([2, 2, float("nan")], "2"),
        ([1.0, 2.0000001234, 3.3333333], "continuous 1 to 3.33333"),
        (range(102), "continuous 0 to 101"),
        (range(101), "0:100"),
    ],
)
def test_a_scale_is_inferred_by_the_greatest_common_step(scores, text):
    scale = Scale.infer(scores)
    assert str(scale) == text
    assert scale.inferred


def test_without_scores_there_is_nothing_to_infer():
    with pytest.raises(ScaleError, match="declare it with scale="):
        Scale.infer([float("nan")])


def test_the_step_is_the_smallest_distance_of_neighbours():
    assert Scale.of("1,2,4").step == 1
    assert Scale.of("1").step == 0
    assert (Scale.of("1,2,4").low, Scale.of("1,2,4").high) == (1, 4)


@pytest.mark.parametrize(
    "given",
    [
        "1:1e308",
        "1:4:1e-308",
        "1:4:inf",
        "1:4:nan",
        "-1e308:1e308:1e307",
        "1,2,1e308",
        "1:10000000",
    ],
)
def test_a_scale_beyond_all_scores_is_refused_in_a_sentence(given):
    with pytest.raises(ScaleError) as refused:
        Scale.of(given)
    assert len(str(refused.value)) < 120
