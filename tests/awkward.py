"""Awkward data sets with a known make-up, quick to make: what is said must hold on every one of them.

A set is columns and how they are to be read, as the keywords of ``tm.evaluate``.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class AwkwardSet(NamedTuple):
    """Columns and the keywords that name them."""

    columns: dict[str, Any]
    roles: dict[str, Any]


def _scored(truth: Floats, sd: float, top: int, rng: np.random.Generator, low: int = 0) -> Floats:
    """Scores of a reader with errors of ``sd``, on the points from ``low`` to ``top``."""
    return np.clip(np.rint(truth + rng.normal(0, sd, truth.shape)), low, top)


def _plain(n: int, top: int, rng: np.random.Generator, sd: float = 0.6) -> dict[str, Any]:
    truth = rng.normal(top / 2, top / 4, n)
    return {
        "h1": _scored(truth, sd, top, rng),
        "h2": _scored(truth, sd, top, rng),
        "engine": _scored(truth, 1.2 * sd, top, rng),
    }


TWO: dict[str, Any] = {"humans": ["h1", "h2"], "systems": ["engine"]}


def own_scales(rng: np.random.Generator) -> AwkwardSet:
    """Prompts on scales of their own, every response rated twice."""
    tops = {"p1": 3, "p2": 5, "p10": 10}
    parts = [_plain(60, top, rng, sd=top / 8) for top in tops.values()]
    columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    columns["essay"] = np.repeat(list(tops), 60)
    prompts = {prompt: {"scale": f"0:{top}"} for prompt, top in tops.items()}
    return AwkwardSet(columns, {**TWO, "prompt": "essay", "prompts": prompts})


def wide_panel(rng: np.random.Generator) -> AwkwardSet:
    """Ten raters, one column each."""
    truth = rng.normal(3, 1.2, 80)
    columns: dict[str, Any] = {f"r{i:02}": _scored(truth, 0.8, 6, rng) for i in range(1, 11)}
    columns["engine"] = _scored(truth, 0.9, 6, rng)
    return AwkwardSet(
        columns, {"humans": [f"r{i:02}" for i in range(1, 11)], "systems": ["engine"]}
    )


def wide_panel_of_prompts(rng: np.random.Generator) -> AwkwardSet:
    """Ten raters and two prompts on scales of their own."""
    truth = rng.normal(3, 1.2, 80)
    second = np.arange(80) >= 40
    raters = [f"r{i:02}" for i in range(1, 11)]
    columns: dict[str, Any] = {
        name: np.where(second, 2, 1) * _scored(truth, 0.8, 6, rng) for name in [*raters, "engine"]
    }
    columns["task"] = np.where(second, "long", "short")
    prompts = {"short": {"scale": "0:6"}, "long": {"scale": "0:12"}}
    return AwkwardSet(
        columns, {"humans": raters, "systems": ["engine"], "prompt": "task", "prompts": prompts}
    )


def repeated(rng: np.random.Generator) -> AwkwardSet:
    """Twenty runs of the system."""
    columns = _plain(80, 5, rng)
    runs = {f"run{i:02}": _scored(columns["engine"], 0.4, 5, rng) for i in range(1, 21)}
    return AwkwardSet({**columns, **runs}, {**TWO, "repeats": {"engine": list(runs)}})


def repeated_on_own_scales(rng: np.random.Generator) -> AwkwardSet:
    """Four runs of the system on prompts with scales of their own."""
    columns, roles = own_scales(rng)
    noise = rng.integers(-1, 2, (4, columns["engine"].size))
    low = np.clip(columns["engine"] + noise, 0, 3)
    runs = {f"run{i}": row for i, row in enumerate(low, start=1)}
    return AwkwardSet({**columns, **runs}, {**roles, "repeats": {"engine": list(runs)}})


def long_traits(rng: np.random.Generator) -> AwkwardSet:
    """Three traits in rows whose levels lie far apart, each with poor raters."""
    n, shifts = 60, {"ideas": 1.5, "style": 5.0, "spelling": 8.5}
    truth = [rng.normal(shift, 0.8, n) for shift in shifts.values()]
    every = np.concatenate(truth)
    columns: dict[str, Any] = {
        name: _scored(every, sd, 10, rng)
        for name, sd in {"h1": 0.9, "h2": 0.9, "h3": 0.9, "engine": 0.8}.items()
    }
    columns["aspect"] = np.repeat(list(shifts), n)
    columns["text"] = np.tile(np.arange(n), len(shifts))
    roles = {"humans": ["h1", "h2", "h3"], "systems": ["engine"], "scale": "0:10"}
    return AwkwardSet(columns, {**roles, "trait": "aspect", "cluster": "text"})


def prompts_far_apart(rng: np.random.Generator) -> AwkwardSet:
    """One scale, prompts whose levels lie far apart, poor raters within each."""
    columns, roles = long_traits(rng)
    columns["task"] = columns.pop("aspect")
    return AwkwardSet(
        {name: column for name, column in columns.items() if name != "text"},
        {"humans": roles["humans"], "systems": ["engine"], "scale": "0:10", "prompt": "task"},
    )


def broken_rater(rng: np.random.Generator) -> AwkwardSet:
    """Six raters, the last of whom scores at random."""
    columns, roles = wide_panel(rng)
    kept = {name: columns[name] for name in [*roles["humans"][:6], "engine"]}
    kept["r06"] = rng.integers(0, 7, 80).astype(float)
    return AwkwardSet(kept, {"humans": roles["humans"][:6], "systems": ["engine"]})


def odd_prompt(rng: np.random.Generator) -> AwkwardSet:
    """Three prompts, in one of which the system scores the other way round."""
    parts = [_plain(60, 5, rng) for _ in range(3)]
    parts[2]["engine"] = 5 - parts[2]["engine"]
    columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    columns["essay"] = np.repeat(["p1", "p2", "p3"], 60)
    return AwkwardSet(columns, {**TWO, "prompt": "essay", "scale": "0:5"})


def sparse(rng: np.random.Generator) -> AwkwardSet:
    """Eight raters, two of whom read any one response."""
    columns, _ = wide_panel(rng)
    raters = [f"r{i:02}" for i in range(1, 9)]
    held = np.array([rng.permutation(8) < 2 for _ in range(80)])
    kept = {name: np.where(held[:, i], columns[name], np.nan) for i, name in enumerate(raters)}
    kept["engine"] = columns["engine"]
    return AwkwardSet(kept, {"humans": raters, "systems": ["engine"], "scale": "0:6"})


def rated_twice_in_one_prompt(rng: np.random.Generator) -> AwkwardSet:
    """Three prompts, in one of which alone responses were rated twice."""
    columns, roles = odd_prompt(rng)
    columns["h2"] = np.where(columns["essay"] == "p1", columns["h2"], np.nan)
    return AwkwardSet(columns, roles)


def rated_once(rng: np.random.Generator) -> AwkwardSet:
    """One rater."""
    columns = _plain(80, 5, rng)
    columns.pop("h2")
    return AwkwardSet(columns, {"humans": ["h1"], "systems": ["engine"], "scale": "0:5"})


def one_category(_: np.random.Generator) -> AwkwardSet:
    """Everyone gives the same score to everything."""
    return AwkwardSet(
        {name: np.full(40, 2.0) for name in ("h1", "h2", "engine")}, {**TWO, "scale": "0:4"}
    )


def constant_system(rng: np.random.Generator) -> AwkwardSet:
    """The system gives every response the same score."""
    columns = {**_plain(60, 5, rng), "engine": np.full(60, 3.0)}
    return AwkwardSet(columns, {**TWO, "scale": "0:5"})


def two_systems(rng: np.random.Generator) -> AwkwardSet:
    """A good system and one that scores two points too low, with confidences and prompts."""
    columns = _plain(120, 6, rng)
    columns["lenient"] = np.clip(columns["engine"] - 2, 0, 6)
    columns["sure"] = rng.uniform(0, 1, 120)
    columns["essay"] = np.tile(["p1", "p2", "p10"], 40)
    roles = {**TWO, "systems": ["engine", "lenient"], "prompt": "essay", "scale": "0:6"}
    return AwkwardSet(columns, {**roles, "confidences": {"engine": "sure"}})


def tiny_groups(rng: np.random.Generator) -> AwkwardSet:
    """A group of three and one of two."""
    columns = _plain(80, 5, rng)
    columns["language"] = np.array(["en"] * 75 + ["fr"] * 3 + ["eo"] * 2)
    return AwkwardSet(columns, {**TWO, "groups": ["language"], "scale": "0:5"})


def continuous(rng: np.random.Generator) -> AwkwardSet:
    """A system with scores between the points."""
    columns = _plain(80, 5, rng)
    columns["engine"] = columns["engine"] + rng.normal(0, 0.3, 80)
    return AwkwardSet(columns, {**TWO, "scale": "0:5"})


def wide_scale(rng: np.random.Generator) -> AwkwardSet:
    """Marks out of a hundred."""
    return AwkwardSet(_plain(80, 100, rng, sd=12), {**TWO, "scale": "0:100"})


def gold_apart(rng: np.random.Generator) -> AwkwardSet:
    """A gold column on a scale that the raters' is not."""
    columns = _plain(80, 5, rng)
    columns["final"] = columns["h1"] + columns["h2"]
    columns["engine"] = np.clip(columns["final"] + rng.integers(-2, 3, 80), 0, 10)
    return AwkwardSet(columns, {**TWO, "gold": "final"})


def weighted(rng: np.random.Generator) -> AwkwardSet:
    """Design weights, a confidence and two prompts."""
    columns = _plain(80, 5, rng)
    columns |= {"weight": rng.uniform(0.5, 2, 80), "sure": rng.uniform(0, 1, 80)}
    columns["essay"] = np.tile(["p1", "p2"], 40)
    roles = {**TWO, "prompt": "essay", "weight": "weight", "confidences": {"engine": "sure"}}
    return AwkwardSet(columns, {**roles, "scale": "0:5"})


def never_twice(rng: np.random.Generator) -> AwkwardSet:
    """Two raters who share no response."""
    columns = _plain(80, 5, rng)
    columns["h1"] = np.where(np.arange(80) < 40, columns["h1"], np.nan)
    columns["h2"] = np.where(np.arange(80) < 40, np.nan, columns["h2"])
    return AwkwardSet(columns, {**TWO, "scale": "0:5"})


def one_statistic(rng: np.random.Generator) -> AwkwardSet:
    """Two raters, and one statistic asked for alone."""
    return AwkwardSet(_plain(80, 5, rng), {**TWO, "scale": "0:5", "statistics": ["qwk"]})


def labels_absent(rng: np.random.Generator) -> AwkwardSet:
    """Half of the responses without a gold, some without a system score."""
    columns = _plain(120, 5, rng)
    columns["h1"][:60] = np.nan
    columns["h2"][:80] = np.nan
    columns["engine"][100:] = np.nan
    return AwkwardSet(columns, {**TWO, "scale": "0:5"})


_MAKERS: tuple[Callable[[np.random.Generator], AwkwardSet], ...] = (
    own_scales,
    wide_panel,
    wide_panel_of_prompts,
    repeated,
    repeated_on_own_scales,
    long_traits,
    prompts_far_apart,
    broken_rater,
    odd_prompt,
    sparse,
    rated_twice_in_one_prompt,
    rated_once,
    one_category,
    constant_system,
    two_systems,
    tiny_groups,
    continuous,
    wide_scale,
    gold_apart,
    labels_absent,
    weighted,
    never_twice,
    one_statistic,
)
SETS = {make.__name__: make for make in _MAKERS}


def awkward(name: str, seed: int = 16) -> AwkwardSet:
    """Make a set by its name."""
    return SETS[name](np.random.default_rng(seed))
