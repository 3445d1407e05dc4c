"""A prompt has the same ceilings and the same standing alone as beside others."""

import numpy as np
import pytest

import tallymark as tm


def columns(prompts=5, each=60):
    rng = np.random.default_rng(4)
    truth = rng.normal(3.5, 1.2, prompts * each)

    def scored(noise):
        return np.clip(np.round(truth + rng.normal(0, noise, truth.size)), 1, 6)

    people = {"h1": scored(0.7), "h2": scored(0.8)}
    return {**people, "engine": scored(0.6), "prompt": np.repeat(np.arange(prompts), each)}


def numbers(evaluation, prompt):
    """Ceilings, and what systems reach of them, by whose they are and their text."""
    made = {}
    for estimate in evaluation.estimates:
        subset = evaluation.subsets[estimate.subset]
        if (subset.prompt, subset.average) == (prompt, None) and "ceiling" in estimate.name:
            ends = (estimate.value, estimate.low, estimate.high)
            made[str(subset.subject), str(subset.against), estimate.text] = ends
    return made


@pytest.mark.parametrize("resolve", ["first", "mean", "higher"])
def test_a_prompt_is_estimated_alike_alone_and_beside_others(resolve):
    scores, roles = columns(), {"humans": ["h1", "h2"], "systems": ["engine"], "resolve": resolve}
    together = tm.evaluate(scores, prompt="prompt", scale="1:6", **roles)
    alone = {name: values[scores["prompt"] == 2] for name, values in scores.items()}
    del alone["prompt"]
    by_itself = numbers(tm.evaluate(alone, scale="1:6", **roles), None)
    beside = numbers(together, "2")
    assert len(beside) >= 30
    for key, value in beside.items():
        assert by_itself[key] == pytest.approx(value, rel=1e-9, abs=1e-9, nan_ok=True), key
