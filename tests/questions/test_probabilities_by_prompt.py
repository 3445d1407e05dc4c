"""Prompts with different numbers of score points carry probabilities: missing ones are empty."""

from typing import Any

import numpy as np
import pytest

import tallymark as tm
from tallymark.errors import DataError
from tests.evaluation.panels import of

POINTS = {"short": 4, "long": 6}
PROMPTS = {"short": {"scale": "0:3"}, "long": {"scale": "0:5"}}
COLUMNS = [f"p{k}" for k in range(6)]


def responses(seed, n=300):
    """Two prompts of 4 and 6 points; probabilities by prompt, None where there is no point."""
    rng = np.random.default_rng(seed)
    columns: dict[str, list[Any]] = {
        name: [] for name in ("id", "prompt", "human", "engine", *COLUMNS)
    }
    for prompt, k in POINTS.items():
        points = np.arange(k)
        truth = rng.uniform(0, k - 1, n)
        seen = truth + rng.normal(0, 0.3, n)
        near = np.exp(-(((points - seen[:, None]) / 0.7) ** 2) / 2)
        near /= near.sum(axis=1, keepdims=True)
        columns["id"] += [f"{prompt}{seed}-{i}" for i in range(n)]
        columns["prompt"] += [prompt] * n
        columns["human"] += np.clip(np.rint(truth), 0, k - 1).tolist()
        columns["engine"] += points[near.argmax(axis=1)].tolist()
        for j, name in enumerate(COLUMNS):
            columns[name] += near[:, j].tolist() if j < k else [None] * n
    return columns


def evaluated(columns, **more):
    asked: dict[str, Any] = {
        "humans": ["human"], "systems": ["engine"], "prompt": "prompt", "replicates": 100,
        "prompts": PROMPTS, "probabilities": {"engine": COLUMNS},
    }  # fmt: skip
    return tm.evaluate(columns, **{**asked, **more})


def alone(columns, prompt):
    """The rows of one prompt, with the columns of its points."""
    here = [i for i, name in enumerate(columns["prompt"]) if name == prompt]
    kept = [*("id", "human", "engine"), *COLUMNS[: POINTS[prompt]]]
    return {name: [columns[name][i] for i in here] for name in kept}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("prompt", POINTS)
def test_each_prompt_loses_what_it_loses_alone(prompt, seed):
    columns = responses(seed)
    together = evaluated(columns)
    part = next(
        i
        for i, s in enumerate(together.subsets)
        if s.prompt == prompt and "brier" in together.numbers[i]
    )
    own = alone(columns, prompt)
    asked: dict[str, Any] = {
        "humans": ["human"], "systems": ["engine"], "scale": PROMPTS[prompt]["scale"],
        "probabilities": {"engine": COLUMNS[: POINTS[prompt]]}, "replicates": 100,
    }  # fmt: skip
    expected = of(tm.evaluate(own, **asked), "engine against confidence")
    for name in ("brier", "rps", "auroc_cse"):
        assert together.numbers[part][name].value == pytest.approx(expected[name].value)


@pytest.mark.parametrize("seed", range(3))
def test_a_routing_file_is_made_and_applied(seed):
    columns, new = responses(seed), responses(seed + 10)
    asked: dict[str, Any] = {
        "system": "engine", "probabilities": COLUMNS, "prompt": "prompt", "id": "id",
        "prompts": PROMPTS, "alpha": 0.1, "lambda_": 0.4, "by": "prompt",
    }  # fmt: skip
    routing = tm.route.certify(columns, humans=["human"], **asked).routing
    decided = tm.route.apply(routing, {k: v for k, v in new.items() if k != "human"})
    for prompt, k in POINTS.items():
        here = np.array(new["prompt"]) == prompt
        probs = np.array([new[name] for name in COLUMNS[:k]], dtype=float).T[here]
        released = np.array(new["engine"])[here]
        far = np.abs(np.arange(k) - released[:, None]) >= 0.4 * (k - 1) - 1e-9
        assert decided.confidence[here] == pytest.approx(1 - (probs * far).sum(axis=1))


def test_what_is_missing_or_too_much_is_refused():
    columns = responses(1)
    columns["p5"][0] = 0.0  # the short prompt has no such point
    columns["p4"][0] = 0.0
    with pytest.raises(DataError, match="1 response has not one for each of the 4 points"):
        evaluated(columns)
    columns = responses(1)
    columns["p1"][0] = None
    with pytest.raises(DataError, match="negative, incomplete or do not sum to 1"):
        evaluated(columns)
    with pytest.raises(DataError, match="do not sum to 1"):
        evaluated(responses(1), probabilities={"engine": COLUMNS[:4]})
