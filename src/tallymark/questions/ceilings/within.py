"""Within prompts or traits: how reliable ratings are, and how many raters that takes."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from tallymark.render.numbers import rounded, value_text
from tallymark.render.subsets import place
from tallymark.results import CEILING, PEOPLE, Estimate, Evaluation, Key, Numbers, Subset


def within_sentences(evaluation: Evaluation) -> list[str]:
    """Say how reliable ratings are within prompts or traits, whose differences are no reliability."""
    for column in ("trait", "prompt"):
        parts = [s for s in evaluation.subsets if _reliable(s) and [*place(s)] == [column]]
        each = [evaluation.of(s) for s in parts]
        if len(each) < 2:
            continue
        rates = [_spread(each, Key("reliability", of=of), value_text) for of in ("one", "mean")]
        needs = [_spread(each, Key("raters_needed", target=goal), needed) for goal in (0.8, 0.9)]
        text = f"Within {column}s, mean (lowest to highest): reliability of one rating {rates[0]}, "
        found = [f"{text}of a response's mean rating {rates[1]}."]
        if all(needs):
            text = f"Raters per response for a reliability of 0.8 within {column}s: {needs[0]}; "
            found.append(f"{text}of 0.9: {needs[1]}.")
        return found if all(rates) else found[1:]
    return []


def _spread(each: Sequence[Numbers], text: str, write: Callable[[Estimate], str]) -> str:
    """The mean over parts, and the range; empty where no part has the number."""
    found = [own[text] for own in each if text in own and not math.isnan(own[text].value)]
    if not found:
        return ""
    values = [e.value for e in found]
    mean, low, high = (
        write(replace(found[0], value=value, low=math.nan, high=math.nan))
        for value in (sum(values) / len(values), min(values), max(values))
    )
    less = "" if len(found) == len(each) else f", of {len(found)} of {len(each)}"
    return f"{mean} ({low} to {high}{less})"


def _reliable(subset: Subset) -> bool:
    return subset.against == CEILING and subset.subject == PEOPLE


def needed(found: Estimate) -> str:
    """Write how many whole raters are needed, with the interval.

    >>> from tallymark.results import Key
    >>> needed(Estimate(key=Key("raters_needed"), value=1.8, low=1.2, high=2.5, n=200))
    '2 [2, 3]'
    """
    if math.isnan(found.value):
        return "undefined"
    ends = [max(1.0, end) for end in (found.value, found.low, found.high) if not math.isnan(end)]
    whole_ones = [rounded(math.ceil(end - 1e-9), 0) for end in ends]
    return whole_ones[0] + (f" [{', '.join(whole_ones[1:])}]" if len(whole_ones) == 3 else "")
