"""System scores are trimmed, then go to the nearest point, half up."""

import numpy as np
import pytest

from tallymark.tally import nearest, trim


def test_trimming_leaves_just_less_than_half_a_step():
    assert trim([0.0, 6.4, 9.0], 1, 6) == pytest.approx([0.5002, 6.4, 6.4998])
    assert trim([-9.0, 9.0], 0, 3, step=0.5) == pytest.approx([-0.2499, 3.2499])
    assert np.isnan(trim([np.nan], 1, 6)).all()


def test_a_trimmed_score_is_nearest_to_the_end_point():
    points = np.arange(1.0, 7)
    assert nearest(trim([-5.0, 50.0], 1, 6), points).tolist() == [0, 5]


def test_halves_go_up_also_where_binary_numbers_fall_short():
    points = np.round(np.arange(0, 1.1, 0.1), 12)
    halves = [0.05, 0.15, 0.25, 0.35, 0.45, 0.55]
    assert nearest(halves, points).tolist() == [1, 2, 3, 4, 5, 6]
    assert nearest([0.5, 1.5, 2.5], [0, 1, 2, 3]).tolist() == [1, 2, 3]


def test_uneven_points_have_their_own_halfway():
    assert nearest([2.9, 3.0, np.nan], [1, 2, 4]).tolist() == [1, 2, -1]
    assert nearest([-3.0, 8.0], [5]).tolist() == [0, 0]
