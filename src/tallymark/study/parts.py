"""Parts of the data: everything, then each prompt, trait, fold and group, with what is known of each."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.defaults import LAMBDA, MANY
from tallymark.reliability.connected import adjudicators
from tallymark.results import Estimate
from tallymark.scale import Scale
from tallymark.sources import Scores
from tallymark.study.gold import GoldInUse, gold_of
from tallymark.study.rows import Rows

AVERAGED = ("trait", "prompt", "fold")
"""Macro-averages are taken over these, the headline over the first that has several values."""
FACETS = ("trait", "prompt")


class People(NamedTuple):
    """The raters by name, and their ratings: responses by raters."""

    names: tuple[str, ...]
    rows: Rows
    scale: Scale

    def distinct(self) -> "People":
        """Equal rows of ratings once, with how often they occur."""
        return self._replace(rows=self.rows.distinct())

    @property
    def adjudicators(self) -> list[int]:
        """The raters who were asked only because the others disagreed."""
        return adjudicators(self.rows.scores, self.rows.counts)

    def without_adjudicators(self) -> "People":
        """The raters who rated more than what others differed on."""
        return self.without([self.names[rater] for rater in self.adjudicators])

    def without_silent(self) -> "People":
        """The raters who gave a rating; all of them where nobody did."""
        heard = np.asarray(~np.isnan(self.rows.scores).all(axis=0))
        silent = [name for name, given in zip(self.names, heard, strict=True) if not given]
        return self.without(silent) if heard.any() else self

    def without(self, names: Collection[str]) -> "People":
        """The other raters."""
        kept = [rater for rater, name in enumerate(self.names) if name not in names]
        rows = replace(self.rows, scores=self.rows.scores[:, kept])
        return People(tuple(self.names[rater] for rater in kept), rows, self.scale)


class Part(Struct, frozen=True, eq=False, dict=True):
    """A part of the data: its patterns, and its place among prompts, traits, folds and groups.

    ``many`` tells that it is one of many such parts, for which less is computed; ``lambda_`` is
    the share of the range from which an error is critical here, ``critical`` the points if asked so. What several questions need is
    worked out once.
    """

    scores: Scores
    rows: NDArray[np.bool_]
    where: Mapping[str, str] = field(default_factory=dict)
    many: bool = False
    lambda_: float = LAMBDA
    critical: float | None = None

    @classmethod
    def whole(cls, scores: Scores) -> "Part":
        """All of the data."""
        return cls(scores, np.ones(scores.patterns.counts.size, dtype=bool))

    @property
    def label(self) -> str:
        """A text that is unique to the part; random streams are keyed by it."""
        return "|".join(f"{key}={value}" for key, value in self.where.items())

    @property
    def grouped(self) -> bool:
        """Whether it holds one group."""
        return any(key.startswith("group:") for key in self.where)

    @cached_property
    def scales(self) -> tuple[Scale, Scale] | None:
        """The raters' and the gold's scale; None where different ones are mixed."""
        scores = self.scores
        usual = scores.rater_scale, scores.gold_scale
        if not scores.scales:
            return usual
        patterns = scores.patterns
        codes = np.unique(patterns.keys["prompt"][self.rows])
        names = {patterns.labels["prompt"][code] if code >= 0 else "" for code in codes}
        scales = {scores.scales.get(name, usual) for name in names}
        return scales.pop() if len(scales) == 1 else None

    @cached_property
    def clusters(self) -> NDArray[np.int64] | None:
        """Codes of the clusters; a response without one stands for itself."""
        codes = self.scores.patterns.keys.get("cluster")
        if codes is None:
            return None
        alone = codes.max(initial=-1) + 1 + np.arange(codes.size)
        return np.asarray(np.where(codes < 0, alone, codes)[self.rows])

    @cached_property
    def people(self) -> People | None:
        """The human ratings; None with fewer than two raters or on mixed scales."""
        humans = self.scores.humans
        if self.scales is None or len(humans) < 2:
            return None
        rows = self.columns([f"human:{name}" for name in humans], self.scales[0])
        names = tuple(humans)
        return People(names, rows, self.scales[0])

    @cached_property
    def gold(self) -> GoldInUse:
        """How the gold was made."""
        return gold_of(self)

    def columns(self, names: Sequence[str], scale: Scale) -> Rows:
        """Some columns of scores; a missing score is NaN."""
        patterns = self.scores.patterns
        values = np.stack([patterns.scores[name][self.rows] for name in names], axis=1)
        weights = None if patterns.weights is None else patterns.weights[self.rows]
        points, strata = np.asarray(scale.points), self.scores.strata
        strata = None if strata is None else strata.where(self.rows)
        return Rows(values, patterns.counts[self.rows], points, self.clusters, weights, strata)

    def unlabelled(self, names: Sequence[str], scale: Scale) -> Rows:
        """Some columns that need no human score, of all responses.

        Weights of labels say nothing about responses without a label: where some have no weight,
        each response counts once.
        """
        rows, weights = self.columns(names, scale), self.scores.patterns.weights
        if weights is None:
            return rows
        if np.isnan(weights).any():
            return replace(rows, weights=None, strata=None)
        strata = self.scores.strata_of(np.ones(weights.size, dtype=bool))
        return replace(rows, strata=None if strata is None else strata.where(self.rows))

    def pairs(self, system: str) -> Rows | None:
        """Gold and system where both are given; None on mixed scales."""
        if self.scales is None:
            return None
        return self.columns(["gold", f"system:{system}"], self.scales[1]).complete()


def parts_of(scores: Scores, *, cross: bool, lambda_: float = LAMBDA) -> Iterator[Part]:
    """Yield everything, then each prompt, trait, fold and group; crossed with prompts if asked.

    ``lambda_`` is that of prompts without one of their own.
    """
    lambdas, critical = lambdas_of(scores), scores.options.get("critical")
    for part in _parts(scores, cross=cross):
        share = lambdas.get(part.where.get("prompt", ""), lambda_)
        yield replace(part, lambda_=share, critical=critical)


def lambdas_of(scores: Scores) -> dict[str, float]:
    """The share of the range from which an error is critical, of prompts that have their own."""
    points = scores.options.get("critical")
    if points is not None:
        golds = {prompt: gold for prompt, (_, gold) in scores.scales.items()}
        return {prompt: points / (gold.high - gold.low) for prompt, gold in golds.items()}
    given = scores.options.get("prompts", {})
    return {
        name: float(setting["lambda"]) for name, setting in given.items() if "lambda" in setting
    }


def _parts(scores: Scores, *, cross: bool) -> Iterator[Part]:
    yield Part.whole(scores)
    prompts = list(_by_label(scores, "prompt"))
    for key in ("prompt", "trait", "fold"):
        yield from _by_label(scores, key)
    for key in scores.patterns.keys:
        if not key.startswith("group:"):
            continue
        groups = list(_by_label(scores, key))
        yield from groups
        if cross:
            for prompt in prompts:
                for group in groups:
                    both = {**prompt.where, **group.where}
                    many = len(prompts) * len(groups) > MANY
                    yield Part(scores, prompt.rows & group.rows, both, many)


def _by_label(scores: Scores, key: str) -> Iterator[Part]:
    """Yield the part of each label of a key; nothing when there is only one."""
    patterns = scores.patterns
    if key not in patterns.keys:
        return
    codes, labels = patterns.keys[key], patterns.labels[key]
    used = [code for code in range(len(labels)) if (codes == code).any()]
    for code in used if len(used) > 1 or key.startswith("group:") else []:
        yield Part(scores, codes == code, {key: labels[code]}, len(used) > MANY)


def within(parts: Sequence[Part]) -> list[Part]:
    """Each trait, else each prompt, where there are several and not many; else all responses.

    How far they lie apart raises a coefficient of all responses together.
    """
    for key in FACETS:
        over = [part for part in parts if set(part.where) == {key}]
        if over:
            return [part for part in over if not part.many]
    return [part for part in parts if not part.where]


def pooled(scores: Scores, part: Part) -> bool:
    """Whether the responses of a part answer several prompts or are scores of several traits."""
    keys = scores.patterns.keys
    return any(np.unique(keys[key][part.rows]).size > 1 for key in FACETS if key in keys)


def without_needs(estimates: Sequence[Estimate]) -> list[Estimate]:
    """Leave out how many raters are needed: prompts that differ make two look enough."""
    return [estimate for estimate in estimates if estimate.name != "raters_needed"]
