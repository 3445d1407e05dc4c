"""The rounded mean of the ratings present is a rule of resolution, in every command."""

from typing import Any

import numpy as np
import pytest

import tallymark as tm
from tallymark.errors import ScaleError
from tallymark.results import CEILING, GOLD, PEOPLE, Evaluation, system_called
from tallymark.sources import Roles, read_scores
from tests.sparse import as_long, as_slots, as_wide, sparse_ratings

QWK = "cohen_kappa[quadratic]"
RULE: dict[str, Any] = {"resolve": "rounded-mean"}


def rounded(ratings: Any, low: float = 0.0, step: float = 1.0) -> Any:
    """Half up, the long way."""
    means = np.nanmean(ratings, axis=0)
    return np.floor((means - low) / step + 0.5 + 1e-9) * step + low


@pytest.mark.parametrize(("low", "step"), [(1.0, 1.0), (0.0, 0.5), (-4.0, 2.0)])
@pytest.mark.parametrize("seed", [1, 2])
def test_the_gold_is_the_nearest_point_to_the_mean_half_up_in_every_shape(low, step, seed):
    sparse = sparse_ratings(90, raters=6, fewest=1, most=4, seed=seed)
    sparse = sparse._replace(ratings=low + (sparse.ratings - 1) * step)
    sparse.columns["engine"] = low + (sparse.columns["engine"] - 1) * step
    gold = np.sort(rounded(sparse.ratings, low, step))
    keys: dict[str, Any] = {"systems": ("engine",)}
    for table, roles in (
        (as_wide(sparse), Roles(humans=sparse.raters, id="text", **keys)),
        (as_long(sparse), Roles(response="text", rater="who", score="given", **keys)),
        (as_slots(sparse), Roles(humans=tuple(sparse.slots), id="text", **keys)),
    ):
        scale = f"{low:g}:{low + 4 * step:g}:{step:g}"
        scores = read_scores(table, roles=roles, scale=scale, **RULE)
        given = np.repeat(scores.patterns.scores["gold"], scores.patterns.counts)
        np.testing.assert_allclose(np.sort(given), gold, rtol=0, atol=1e-9)
        assert scores.gold_scale == scores.rater_scale


def numbers(evaluation: Evaluation, against: Any) -> dict[str, float]:
    subject = PEOPLE if against == CEILING else system_called("engine")
    subset = next(
        s for s in evaluation.subsets if (s.subject, s.against) == (subject, against) and s.whole
    )
    return {key: e.value for key, e in evaluation.of(subset).items()}


def test_it_is_the_gold_column_that_holds_it_and_has_the_ceilings_of_it():
    sparse = sparse_ratings(200, raters=3, fewest=3, most=3, seed=3)
    sparse.columns["settled"] = rounded(sparse.ratings)
    options: dict[str, Any] = {
        "humans": list(sparse.raters),
        "systems": ["engine"],
        "id": "text",
        "scale": "1:5",
    }
    table = as_wide(sparse)
    made, column = (
        tm.evaluate(table, **options, **RULE),
        tm.evaluate(table, gold="settled", **options),
    )
    for against in (GOLD, CEILING):
        ours, theirs = numbers(made, against), numbers(column, against)
        shared = [key for key in ours if key in theirs]
        assert len(shared) > 10
        np.testing.assert_allclose(
            [ours[k] for k in shared], [theirs[k] for k in shared], atol=1e-9
        )
    assert "ceiling_theoretical[mean_up]" in numbers(made, CEILING)


def test_the_same_scores_under_every_rule_foretell_it():
    sparse = sparse_ratings(200, raters=2, fewest=2, most=2, seed=4)
    options: dict[str, Any] = {
        "humans": list(sparse.raters),
        "systems": ["engine"],
        "id": "text",
        "scale": "1:5",
    }
    first = tm.evaluate(as_wide(sparse), **options)
    (foretold,) = [
        e.value for e in first.estimates
        if e.name == "resolved" and e.params == {"of": QWK, "rule": "rounded mean"}
    ]  # fmt: skip
    assert numbers(tm.evaluate(as_wide(sparse), **options, **RULE), GOLD)[QWK] == pytest.approx(
        foretold
    )


def test_every_command_takes_it_and_says_so():
    sparse = sparse_ratings(120, raters=3, fewest=2, most=3, seed=5)
    sparse.columns["other"] = np.clip(sparse.columns["engine"] + 0.4, 1, 5)
    sparse.columns["sure"] = np.random.default_rng(1).random(120)
    table = as_wide(sparse)
    options: dict[str, Any] = {"humans": list(sparse.raters), "id": "text", "scale": "1:5", **RULE}
    both: dict[str, Any] = {"systems": ["engine", "other"]}
    words = "rounded mean of the ratings present, 2 to 3 a response"
    for found in (tm.evaluate(table, **both, **options), tm.compare(table, **both, **options)):
        assert found.data.gold == words
    own = {"prompt": "essay", "prompts": {"a": RULE}, **options, "resolve": "first"}
    assert f"prompt a: {words}" in tm.evaluate(table, **both, **own).data.gold


def test_a_scale_without_points_is_refused():
    rng = np.random.default_rng(6)
    table = {name: rng.normal(size=300) for name in ("h1", "h2", "engine")}
    with pytest.raises(ScaleError, match='take resolve="mean"'):
        tm.evaluate(table, humans=["h1", "h2"], systems=["engine"], **RULE)
