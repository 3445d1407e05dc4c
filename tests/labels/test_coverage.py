"""How often intervals of drawn labels hold the population's value: two labels and five points."""

from typing import Any

import numpy as np
import pytest

import tallymark as tm

POPULATION, JUDGED, DRAWN, RUNS = 300_000, 4_000, 200, 150


def scored(rng: Any, size: int, *, two: bool) -> dict[str, Any]:
    """Two people and a judge that is lenient, more so to group A."""
    true, in_a = rng.normal(size=size), rng.random(size) < 0.4
    noise = [0.5 * rng.normal(size=size) for _ in range(2)]
    judge = (1 if two else 0.9) * true + 0.6 * rng.normal(size=size) + 0.2 * in_a
    if two:
        people, judge = [true + each > -1 for each in noise], judge > -0.9
    else:
        people = [np.clip(np.round(3 + true + each), 1, 5) for each in noise]
        judge = np.clip(np.round(3.4 + judge), 1, 5)
    return {
        "id": np.arange(size),
        "h1": people[0].astype(int),
        "h2": people[1].astype(int),
        "judge": judge.astype(int),
        "group": np.where(in_a, "A", "B"),
    }


def numbers(found: Any) -> dict[Any, Any]:
    return {(found.subsets[e.subset].id, e.key): e for e in found.estimates}


WANTED = {
    True: [
        ("judge", key)
        for key in (
            "sensitivity", "specificity", "precision", "negative_predictive_value", "f1",
            "balanced_accuracy", "mcc", "cohen_kappa[identity]", "gwet_ac[identity]", "bias",
        )
    ],
    False: [
        ("judge", "cohen_kappa[quadratic]"),
        ("judge", "bias"),
        ("judge", "mse"),
        ("judge against true scores", "prmse"),
        ("judge against people", "degradation[cohen_kappa[quadratic]]"),
        ("judge against other groups|group:group=A", "difference[bias]"),
        ("people against ceiling", "ceiling_theoretical[mean]"),
    ],
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("two", [True, False])
def test_intervals_of_drawn_labels_hold_the_value_of_the_population(two):
    rng = np.random.default_rng(99)
    asked: dict[str, Any] = {
        "systems": ["judge"], "groups": ["group"], "scale": "0,1" if two else "1:5",
    }  # fmt: skip
    whole = scored(rng, POPULATION, two=two)
    truth = numbers(tm.evaluate(whole, humans=["h1", "h2"], interval="analytic", **asked))
    given: dict[Any, list[tuple[float, bool]]] = {key: [] for key in WANTED[two]}
    for seed in range(RUNS):
        judged = scored(rng, JUDGED, two=two)
        people = {name: judged.pop(name) for name in ("h1", "h2")}
        sheet = tm.labels.draw(judged, n=DRAWN, id="id", by="judge", raters=2, seed=seed)
        labels = dict(zip(sheet.columns, map(list, zip(*sheet.rows, strict=True)), strict=True))
        chosen = [int(name) for name in labels["id"]]
        for i, scores in enumerate(people.values(), 1):
            labels[f"drawn_label_{i}"] = [str(scores[row]) for row in chosen]
        found = numbers(tm.evaluate(judged, human_file=labels, **asked))
        for key, values in given.items():
            true, e = truth[key].value, found[key]
            values.append((e.value - true, e.low <= true <= e.high))
    for key, values in given.items():
        apart, held = np.array(values).T
        assert held.mean() >= 0.9, (key, held.mean())
        assert abs(apart.mean()) < 0.35 * apart.std(), key
