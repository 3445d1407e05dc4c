"""Units of several parts, whose rows are never put into one matrix."""

import numpy as np
import pytest

from tallymark.inference.units import Blocks, Units


def units(rows):
    return Units(np.arange(1, len(rows) + 1), lambda sums: sums, len(rows), rows=rows)


PARTS = [np.arange(6.0).reshape(3, 2), np.ones((2, 3)), np.array([[7.0, 8.0]])]


@pytest.fixture
def matrix():
    whole = np.zeros((6, 7))
    whole[:3, :2], whole[3:5, 2:5], whole[5:, 5:] = PARTS
    return whole


def test_blocks_do_what_their_matrix_does(matrix):
    blocks = Blocks([units(rows) for rows in PARTS])
    weights = np.arange(12.0).reshape(2, 6)
    assert blocks.shape == matrix.shape
    np.testing.assert_array_equal(blocks.sums(weights), weights @ matrix)
    np.testing.assert_array_equal(blocks @ np.arange(7.0), matrix @ np.arange(7.0))
    np.testing.assert_array_equal(blocks.toarray(), matrix)


@pytest.mark.parametrize(("start", "stop"), [(0, 2), (2, 4), (1, 6), (4, 4)])
def test_rows_between_may_be_of_several_parts(matrix, start, stop):
    blocks = Blocks([units(rows) for rows in PARTS])
    np.testing.assert_array_equal(blocks[start:stop], matrix[start:stop])
