"""Scores of a few systems on the same responses, for tests."""

import numpy as np


def made(n=120, seed=0, *, noises=(0.5, 0.9), prompts=0, clusters=0):
    """Columns of a table: two people and systems s0, s1 and so on, the less noisy first."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(3.5, 1.2, n)

    def scored(noise):
        return np.clip(np.rint(truth + rng.normal(0, noise, n)), 1, 6).astype(int).tolist()

    columns = {"id": [f"r{i}" for i in range(n)], "h1": scored(0.5), "h2": scored(0.5)}
    columns |= {f"s{i}": scored(noise) for i, noise in enumerate(noises)}
    if prompts:
        columns["prompt"] = [f"p{i % prompts}" for i in range(n)]
    if clusters:
        columns["cluster"] = [f"c{i % clusters}" for i in range(n)]
    return columns


def written(path, columns):
    """Write columns as CSV."""
    lines = [
        ",".join(columns),
        *(",".join(map(str, row)) for row in zip(*columns.values(), strict=True)),
    ]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def table(found, name):
    """The rows of a table by column."""
    (one,) = [table for table in found.tables if table.name == name]
    return [dict(zip(one.columns, row, strict=True)) for row in one.rows]


def estimates(found, name):
    """The estimates of the first subset of this id."""
    ids = [subset.id for subset in found.subsets]
    return found.numbers[ids.index(name)]
