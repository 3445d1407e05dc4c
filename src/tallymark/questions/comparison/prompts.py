"""Prompts: how a system's agreement varies from prompt to prompt, and what a new one may bring."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tallymark.catalogue import BY_NAME
from tallymark.inference.between import FEWEST, Between, between, for_new_prompts
from tallymark.inference.interval import ROUNDING
from tallymark.questions.comparison.differences import SystemValues
from tallymark.questions.comparison.pairs import BETWEEN, NEW_PROMPT
from tallymark.results import Estimate, Key, Scorer, Subset, split_key
from tallymark.study.measured import SubsetResults

FEW = f"fewer than {FEWEST} prompts say too little about the others"
UNDEFINED = "the statistic or its standard error is undefined in {lost} of {every} prompts"
ALIKE = "prompts differ even less than the sampling error of each would make them"
EQUAL = "every prompt has the same value, which does not show how far a new one may lie"
SMD = "smd[unpooled]"


def between_prompts(
    prompts: Sequence[SubsetResults], texts: Sequence[str], level: float
) -> list[Estimate]:
    """Estimate the spread between prompts and the value on a new one, for some statistics."""
    estimates: list[Estimate] = []
    for text in dict.fromkeys(texts):
        every = [e for prompt in prompts for e in prompt.estimates if e.text == text]
        if len(every) == len(prompts):
            estimates += _of_statistic(every, level)
    return estimates


def beside_average(
    results: Sequence[SubsetResults], system: Scorer, spread: list[Estimate], n: int
) -> list[SubsetResults]:
    """Put the spread between prompts beside the mean over them, if that is the headline."""
    for of_subset in results:
        if of_subset.subset.average == "prompt" and not of_subset.subset.fisher_z:
            of_subset.estimates.extend(spread)
            return []
    name = f"{system.name}|between prompts"
    return [SubsetResults(Subset(id=name, subject=system, average="prompt", n=n), spread, [])]


def new_prompts(spread: SystemValues, a: int, b: int, level: float) -> dict[str, float]:
    """The difference of two systems on new prompts like these: interval and p, from three on."""
    each = spread.by_part[a] - spread.by_part[b]
    if spread.over != "prompt" or each.size < FEWEST or np.isnan(each).any():
        return {}
    se = spread.se(a, b)
    (low, high), p = for_new_prompts(each, level, 0.0 if np.isnan(se) else se)
    if np.isnan(p):
        return {}
    return {"prompts": float(each.size), "new_low": low, "new_high": high, "new_p": p}


def _of_statistic(every: Sequence[Estimate], level: float) -> list[Estimate]:
    values = np.array([e.value for e in every])
    errors = np.array([e.se if e.se > 0 else e.se_analytic for e in every])
    of = every[0].key
    base: dict[str, Any] = {
        "level": level,
        "n": sum(e.n for e in every),
        "score": every[0].score,
    }
    nan = float("nan")
    lost = np.isnan(values + errors).sum()
    if len(every) < FEWEST or lost:
        why = UNDEFINED.format(lost=lost, every=len(every)) if len(every) >= FEWEST else FEW
        return [
            Estimate(key=Key(name, of=of), value=nan, why=why, **base)
            for name in (BETWEEN, NEW_PROMPT)
        ]
    made = between(values, errors, level)
    base["parts"] = {"prompts": float(len(every))}
    return [
        _spread(Key(BETWEEN, of=of), made, base),
        _predicted(Key(NEW_PROMPT, of=of), made, base),
    ]


def _spread(key: Key, made: Between, base: Mapping[str, Any]) -> Estimate:
    """The spread between prompts, no wider than half the range of the statistic."""
    lowest, highest = _range(key)
    method = "Paule-Mandel, Q-profile interval"
    if made.sd_ends.high == 0:
        return Estimate(key=key, value=made.sd, method=method, why=ALIKE, **base)
    high = min(made.sd_ends.high, (highest - lowest) / 2)
    return Estimate(key=key, value=made.sd, low=made.sd_ends.low, high=high, method=method, **base)


def _predicted(key: Key, made: Between, base: Mapping[str, Any]) -> Estimate:
    """What a new prompt may bring, within the range of the statistic."""
    lowest, highest = _range(key)
    if made.new.high - made.new.low <= ROUNDING * max(1.0, abs(made.mean)):
        return Estimate(key=key, value=made.mean, why=EQUAL, **base)
    return Estimate(
        key=key,
        value=made.mean,
        low=max(made.new.low, lowest),
        high=min(made.new.high, highest),
        method=f"t prediction interval, {base['parts']['prompts'] - 1:.0f} df",
        **base,
    )


def _range(key: Key) -> tuple[float, float]:
    """The range of the statistic that varies between prompts."""
    name, inside = split_key(str(key.params["of"]))
    return BY_NAME[name].bounds(inside)
