"""The plan: which statistics are computed, on which parts of the data."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tallymark.catalogue import BY_NAME, find, texts
from tallymark.defaults import LAMBDA
from tallymark.inference import Formula
from tallymark.scale import Scale
from tallymark.tally import Patterns

AVERAGED = ("trait", "prompt", "fold")
"""Macro-averages are taken over these, the headline over the first that has several values."""
Progress = Callable[[int, int], None]
"""Told how many steps are done, and of how many."""
SETTLED = "always the same on this scale, whatever the scores"
MANY = 30
"""More values of a column than this are many."""


def formulas_for(
    scale: Scale,
    asked: Sequence[str] = (),
    *,
    leading: bool = False,
    lambda_: float = LAMBDA,
) -> list[Formula]:
    """Bind the statistics for a scale; those of score points are left out on a continuous one.

    So are those that have one value only on this scale, unless they are asked for by name.

    ``lambda_`` is the share of the range from which an error is critical.
    """
    every = (*texts("default"), *(texts("two_points") if len(scale.points) == 2 else ()))
    names: Iterable[str] = asked or (texts("by_part") if leading else every)
    formulas = []
    for name in names:
        given = {}
        if name in ("adjacent_agreement", "adjacent"):
            given = {"tolerance": max(1.0, scale.step)}
        elif name == "csrate":
            given = {"lambda_": lambda_}
        formula = find(name, given)
        tallies = BY_NAME[formula.name].tallies
        if scale.continuous and "gaps" in tallies:
            formula = replace(formula, tally="gaps")
        if scale.continuous and (formula.tally or tallies[0]) in ("table", "errors"):
            continue
        if BY_NAME[formula.name].settled_on(np.asarray(scale.points), formula.params):
            if not asked:
                continue
            formula = replace(formula, value=_nothing, undefined=SETTLED, parts=None)
        formulas.append(formula)
    return formulas


def _nothing(tally: Any) -> NDArray[np.float64]:
    """No value: there is only one, whatever the scores."""
    return np.full(np.shape(tally.n), np.nan)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the data: its patterns, and its place among prompts, traits, folds and groups.

    ``many`` tells that it is one of many such parts, for which less is computed; ``lambda_`` is
    the share of the range from which an error is critical here.
    """

    rows: NDArray[np.bool_]
    where: Mapping[str, str] = field(default_factory=dict)
    many: bool = False
    lambda_: float = LAMBDA

    @property
    def label(self) -> str:
        """A text that is unique to the part; random streams are keyed by it."""
        return "|".join(f"{key}={value}" for key, value in self.where.items())


def parts_of(
    patterns: Patterns,
    *,
    cross: bool,
    lambda_: float = LAMBDA,
    own: Mapping[str, float] | None = None,
) -> Iterator[Part]:
    """Yield everything, then each prompt, trait, fold and group; crossed with prompts if asked.

    ``own`` holds the lambda of prompts that have one of their own.
    """
    for part in _parts(patterns, cross=cross):
        here = (own or {}).get(part.where.get("prompt", ""), lambda_)
        yield replace(part, lambda_=here)


def _parts(patterns: Patterns, *, cross: bool) -> Iterator[Part]:
    every = np.ones(patterns.counts.size, dtype=bool)
    yield Part(every)
    prompts = list(_by_label(patterns, "prompt"))
    for key in ("prompt", "trait", "fold"):
        yield from _by_label(patterns, key)
    for key in patterns.keys:
        if not key.startswith("group:"):
            continue
        groups = list(_by_label(patterns, key))
        yield from groups
        if cross:
            for prompt in prompts:
                for group in groups:
                    both = {**prompt.where, **group.where}
                    many = len(prompts) * len(groups) > MANY
                    yield Part(prompt.rows & group.rows, both, many)


def _by_label(patterns: Patterns, key: str) -> Iterator[Part]:
    """Yield the part of each label of a key; nothing when there is only one."""
    if key not in patterns.keys:
        return
    codes, labels = patterns.keys[key], patterns.labels[key]
    used = [code for code in range(len(labels)) if (codes == code).any()]
    for code in used if len(used) > 1 or key.startswith("group:") else []:
        yield Part(codes == code, {key: labels[code]}, len(used) > MANY)
