"""Which rule made the gold: as asked for, or as found out from a gold column."""

from typing import NamedTuple

import numpy as np

from tallymark.inference.interval import wilson
from tallymark.reliability.gold_rule import RELIABLY, Reproduced, gold_rules
from tallymark.results import Estimate, Key
from tallymark.sources import Scores
from tallymark.sources.given import closed_up
from tallymark.study.parts import Part, People

TOLD = 3
"""So many rules are told, those that reproduce the gold most often first."""


class MadeGold(NamedTuple):
    """The rule, if it is known, how near ratings need no third, and the rules that were tried."""

    rule: str | None
    adjacency: float | None
    estimates: list[Estimate]


def gold_of(scores: Scores, part: Part, level: float) -> MadeGold:
    """Return how the gold of a part of the data was made."""
    if scores.roles.gold is None:
        return _resolved(scores, part)
    tried = _tried(scores, part)
    estimates = [_estimate(one, level) for one in tried[:TOLD] if one.of]
    known = bool(tried) and tried[0].share >= RELIABLY
    return MadeGold(tried[0].rule if known else None, None, estimates)


def in_order(scores: Scores, part: Part, people: People) -> bool:
    """Whether the gold is always the first rating present in the order of the raters.

    Slots may be filled in another order, so that who comes first differs between responses.
    """
    gold = scores.patterns.scores.get("gold")
    if gold is None:
        return True
    here, ratings = gold[part.rows], people.rows.scores
    first = ratings[np.arange(len(ratings)), (~np.isnan(ratings)).argmax(axis=1)]
    known = ~np.isnan(here) & ~np.isnan(first)
    return bool((here[known] == first[known]).all())


def _resolved(scores: Scores, part: Part) -> MadeGold:
    """The rule that was asked for; none where prompts with different rules are taken together."""
    own = scores.options.get("prompts", {})
    rules = {prompt: asked.get("resolve", scores.resolve) for prompt, asked in own.items()}
    rule = rules.get(part.where.get("prompt", ""), scores.resolve)
    mixed = "prompt" not in part.where and set(rules.values()) - {scores.resolve}
    if rule == "none" or mixed:
        return MadeGold(None, None, [])
    if rule == "adjudicated":
        parity = scores.options.get("adjudication") == "parity"
        near = scores.options.get("adjacency", 1.0)
        return MadeGold("parity" if parity else "third_mean", near, [])
    return MadeGold(rule, None, [])


def _tried(scores: Scores, part: Part) -> list[Reproduced]:
    scales = part.scales
    if scales is None or len(scores.humans) < 2:
        return []
    names = [*(f"human:{name}" for name in scores.humans), "gold"]
    rows = part.columns(names, scales[0])
    by_rater = rows.scores[:, :-1]
    ends = {"low": scales[0].low, "step": scales[0].step or 1.0}
    tried = gold_rules(by_rater, rows.scores[:, -1], rows.counts, **ends)
    if not np.isnan(by_rater).any():
        return tried
    in_order = closed_up(scores)[part.rows]  # the first of a pool may be anyone
    again = gold_rules(in_order, rows.scores[:, -1], rows.counts, **ends)
    return again if again[0].same > tried[0].same else tried


def _estimate(found: Reproduced, level: float) -> Estimate:
    low, high = wilson(found.share, found.of, level)
    disputed = {"disputed": float(found.disputed), "same_disputed": float(found.same_disputed)}
    return Estimate(
        key=Key("gold_rule", rule=found.rule),
        value=found.share,
        low=low,
        high=high,
        level=level,
        n=found.of,
        method="Wilson score interval",
        score="human",
        parts=disputed,
    )
