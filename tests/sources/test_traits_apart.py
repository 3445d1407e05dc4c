"""Traits on scales of their own are recognised, as prompts are."""

import numpy as np
import pytest

import tallymark as tm


def notes(tops, seed, **asked):
    rng = np.random.default_rng(seed)
    top = np.repeat(tops, 80)
    truth = rng.uniform(0, 1, top.size) * top
    columns = {
        name: np.clip(np.rint(truth + rng.normal(0, 0.5, top.size)), 0, top).tolist()
        for name in ("h1", "h2", "engine")
    }
    columns["aspect"] = np.repeat([f"t{i}" for i in range(len(tops))], 80).tolist()
    asked = {"humans": ["h1", "h2"], "systems": ["engine"], "trait": "aspect", **asked}
    return " ".join(tm.evaluate(columns, statistics=["qwk"], **asked).data.notes)


@pytest.mark.parametrize("seed", range(4))
def test_traits_on_their_own_scales_are_noted_with_what_to_do(seed):
    said = notes((3, 10), seed)
    assert "traits may be on scales of their own: no human score of trait t0 is above 3" in said
    assert "of the other traits are" in said
    assert "traits may" not in notes((3, 10), seed, scale="0:10")
    assert "traits may" not in notes((10, 10), seed)
