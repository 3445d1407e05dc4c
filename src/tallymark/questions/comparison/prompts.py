"""Prompts: how a system's agreement varies from prompt to prompt, and what a new one may bring."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec.structs import replace

from tallymark.catalogue import BY_NAME
from tallymark.inference.heterogeneity import FEWEST, for_new_prompts, heterogeneity
from tallymark.inference.interval import ROUNDING
from tallymark.questions.comparison.differences import SystemValues
from tallymark.questions.comparison.pairs import BETWEEN, NEW_PROMPT
from tallymark.results import Estimate, Key, Scorer, Subset, split_key
from tallymark.study.measured import SubsetResults

FEW = f"fewer than {FEWEST} prompts say too little about the others"
UNDEFINED = "the statistic or its standard error is undefined in {lost} of {prompts} prompts"
ALIKE = "prompts differ even less than the sampling error of each would make them"
EQUAL = "every prompt has the same value, which does not show how far a new one may lie"
SMD = "smd[unpooled]"


def between_prompts(
    prompts: Sequence[SubsetResults], texts: Sequence[str], level: float
) -> list[Estimate]:
    """Estimate the spread between prompts and the value on a new one, for some statistics."""
    estimates: list[Estimate] = []
    for text in dict.fromkeys(texts):
        by_prompt = [e for prompt in prompts for e in prompt.estimates if e.text == text]
        if len(by_prompt) == len(prompts):
            estimates += _of_statistic(by_prompt, level)
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


def new_prompts(values: SystemValues, a: int, b: int, level: float) -> dict[str, float]:
    """The difference of two systems on new prompts like these: interval and p, from three on."""
    differences = values.by_part[a] - values.by_part[b]
    if values.over != "prompt" or differences.size < FEWEST or np.isnan(differences).any():
        return {}
    se = values.se(a, b)
    (low, high), p = for_new_prompts(differences, level, 0.0 if np.isnan(se) else se)
    if np.isnan(p):
        return {}
    return {"prompts": float(differences.size), "new_low": low, "new_high": high, "new_p": p}


def _of_statistic(by_prompt: Sequence[Estimate], level: float) -> list[Estimate]:
    """The spread of one statistic between prompts, and its value on a new one, in its range."""
    statistic, prompts = by_prompt[0].key, len(by_prompt)
    base: dict[str, Any] = {
        "level": level,
        "n": sum(e.n for e in by_prompt),
        "score": by_prompt[0].score,
    }
    spread_key, new_key = Key(BETWEEN, of=statistic), Key(NEW_PROMPT, of=statistic)
    values = np.array([e.value for e in by_prompt])
    errors = np.array([e.se if e.se > 0 else e.se_analytic for e in by_prompt])
    lost = np.isnan(values + errors).sum()
    if prompts < FEWEST or lost:
        why = FEW if prompts < FEWEST else UNDEFINED.format(lost=lost, prompts=prompts)
        keys = (spread_key, new_key)
        return [Estimate(key=key, value=math.nan, why=why, **base) for key in keys]
    base["parts"] = {"prompts": float(prompts)}
    lowest, highest = _range(spread_key)
    fit = heterogeneity(values, errors, level)
    spread = Estimate(
        key=spread_key, value=fit.sd, method="Paule-Mandel, Q-profile interval", **base
    )
    if fit.sd_ends.high == 0:
        spread = replace(spread, why=ALIKE)
    else:  # no wider than half the range of the statistic
        high = min(fit.sd_ends.high, (highest - lowest) / 2)
        spread = replace(spread, low=fit.sd_ends.low, high=high)
    predicted = Estimate(key=new_key, value=fit.mean, **base)
    if fit.new_prompt.high - fit.new_prompt.low <= ROUNDING * max(1.0, abs(fit.mean)):
        return [spread, replace(predicted, why=EQUAL)]
    predicted = replace(
        predicted,
        low=max(fit.new_prompt.low, lowest),
        high=min(fit.new_prompt.high, highest),
        method=f"t prediction interval, {prompts - 1} df",
    )
    return [spread, predicted]


def _range(key: Key) -> tuple[float, float]:
    """The range of the statistic that varies between prompts."""
    name, inside = split_key(str(key.params["of"]))
    return BY_NAME[name].bounds(inside)
