"""Verification bias: labels drawn by the judge's verdict show a sensitivity that is not there."""

import numpy as np

import tallymark as tm

SIZE, RUNS = 20_000, 12
FAILED, SENSITIVITY, FALSE_ALARM = 0.10, 0.80, 0.02 / 0.90


def judged(rng):
    """A judge that fails a tenth of the responses, and four in five of those that are wrong."""
    wrong = rng.random(SIZE) < FAILED
    caught = rng.random(SIZE) < np.where(wrong, SENSITIVITY, FALSE_ALARM)
    return wrong, {
        "id": np.arange(SIZE),
        "judge": np.where(caught, 0, 1),
        "truth": np.where(wrong, "wrong", "right"),
    }


def test_a_sensitivity_of_80_reads_97_unweighted_and_80_weighted():
    rng = np.random.default_rng(7)
    naive, weighted, held = [], [], 0
    for seed in range(RUNS):
        wrong, columns = judged(rng)
        sheet = tm.labels.draw(columns, n=200, id="id", by="judge", seed=seed)
        ids = np.array([int(row[0]) for row in sheet.rows])
        labels = {name: [row[i] for row in sheet.rows] for i, name in enumerate(sheet.columns)}
        labels["drawn_label"] = np.where(wrong[ids], "0", "1").tolist()
        naive.append((columns["judge"][ids][wrong[ids]] == 0).mean())
        found = tm.evaluate(
            columns,
            systems=["judge"],
            scale="0,1",
            human_file=labels,
            groups=["truth"],
            statistics=["exact"],
        ).number("exact", group="wrong")  # the share of wrong responses that the judge failed
        weighted.append(found.value)
        held += found.low <= SENSITIVITY <= found.high
    assert np.mean(naive) > 0.95
    assert abs(np.mean(weighted) - SENSITIVITY) < 4 * np.std(weighted) / np.sqrt(RUNS) + 0.03
    assert held >= RUNS - 2
