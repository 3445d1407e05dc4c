"""Which rule made the gold of a part: as asked for, or as found out from a gold column."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tallymark.defaults import RELIABLY
from tallymark.inference.interval import wilson
from tallymark.reliability.gold_rule import Reproduced, gold_rules
from tallymark.results import Estimate, Key
from tallymark.results.gold import resolved_rule
from tallymark.sources.given import closed_up

if TYPE_CHECKING:
    from tallymark.study.parts import Part

MOST_RULES = 3
"""How many rules are shown, those that reproduce the gold most often first."""


class GoldInUse(NamedTuple):
    """The rule, if it is known, how near ratings need no third, and the rules that were tried."""

    rule: str | None
    adjacency: float | None = None
    tried: tuple[Reproduced, ...] = ()

    def estimates(self, level: float) -> list[Estimate]:
        """The share of the responses whose gold each of the best rules gives."""
        return [_estimate(rule, level) for rule in self.tried[:MOST_RULES] if rule.of]


def gold_of(part: "Part") -> GoldInUse:
    """Return how the gold of a part of the data was made."""
    scores = part.scores
    if scores.roles.gold is None:
        asked = {"resolve": scores.resolve, **scores.options}
        rule = resolved_rule(asked, part.where.get("prompt"))
        adjudicated = rule in ("parity", "third_mean")
        return GoldInUse(rule, scores.options.get("adjacency", 1.0) if adjudicated else None)
    tried = _tried(part)
    known = bool(tried) and tried[0].share >= RELIABLY
    return GoldInUse(tried[0].rule if known else None, tried=tuple(tried))


def in_order(part: "Part") -> bool:
    """Whether the gold is always the first rating present in the order of the raters.

    Slots may be filled in another order, so that who comes first differs between responses.
    """
    gold, people = part.scores.patterns.scores.get("gold"), part.people
    if gold is None or people is None:
        return True
    here, ratings = gold[part.rows], people.rows.scores
    first = ratings[np.arange(len(ratings)), (~np.isnan(ratings)).argmax(axis=1)]
    known = ~np.isnan(here) & ~np.isnan(first)
    return bool((here[known] == first[known]).all())


def _tried(part: "Part") -> list[Reproduced]:
    scores, scales = part.scores, part.scales
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


def _estimate(rule: Reproduced, level: float) -> Estimate:
    low, high = wilson(rule.share, rule.of, level)
    disputed = {"disputed": float(rule.disputed), "same_disputed": float(rule.same_disputed)}
    return Estimate(
        key=Key("gold_rule", rule=rule.rule),
        value=rule.share,
        low=low,
        high=high,
        level=level,
        n=rule.of,
        method="Wilson score interval",
        score="human",
        parts=disputed,
    )
