"""A comparison in words: which system is better, by how much, and is that settled?"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tallymark.render.leading import CONTINUOUS, LEADING
from tallymark.render.literal import literal
from tallymark.render.numbers import count, decimals, is_coefficient, rounded
from tallymark.results import Evaluation, split_key

Record = Mapping[str, Any]
FEW_PAIRS = 3
"""So many pairs are told in words; more stand in a table."""
MOST_NEEDED = 1_000_000


def records(evaluation: Evaluation, name: str) -> list[Record]:
    """The rows of a table by column."""
    return [
        dict(zip(found.columns, row, strict=True))
        for found in evaluation.tables
        if found.name == name
        for row in found.rows
    ]


def leading_pairs(evaluation: Evaluation) -> list[Record]:
    """The pairs in the statistic that systems are ranked by."""
    by = evaluation.options["by"]
    return [pair for pair in records(evaluation, "pairs") if pair["statistic"] == by]


def heading(text: str) -> str:
    """What a statistic is called in a table."""
    usual = {one.text: one.heading for one in (*LEADING, CONTINUOUS)}
    return usual.get(text) or usual.get(split_key(text)[0]) or text


def signed(pair: Record, text: str, *, turned: bool = False) -> str:
    """Write a difference with its sign and interval.

    >>> signed({"difference": 0.09, "low": 0.03, "high": 0.151}, "cohen_kappa[quadratic]")
    '+.09 [+.03, +.15]'
    """
    value, low, high = (pair[key] for key in ("difference", "low", "high"))
    if value is None:
        return "undefined"
    if turned:
        value, low, high = -value, *(None if e is None else -e for e in (high, low))
    coefficient = is_coefficient(text)
    ends = (math.nan, math.nan) if low is None or high is None else (low, high)
    places = decimals(value, *ends, coefficient=coefficient)

    def write(number: float) -> str:
        written = rounded(number, places, coefficient=coefficient)
        return written if number <= 0 or written.startswith("-") else f"+{written}"

    if math.isnan(ends[0]):
        return f"{write(value)} (no interval)"
    return f"{write(value)} [{write(ends[0])}, {write(ends[1])}]"


def p_text(p: float | None) -> str:
    """Write a p-value.

    >>> p_text(0.0123), p_text(0.0004), p_text(1.0)
    ('.012', '< .001', '1')
    """
    if p is None:
        return "undefined"
    if p < 0.001:
        return "< .001"
    return "1" if p >= 0.9995 else rounded(p, 3, coefficient=True)


def answers(evaluation: Evaluation) -> Iterator[str]:
    """Say in the first lines which system is better, or that these data do not tell."""
    pairs, ranked = leading_pairs(evaluation), records(evaluation, "ranking")
    if not ranked:
        yield "The systems cannot be compared on all responses together: prompts differ in scale."
        return
    if len(pairs) <= FEW_PAIRS:
        yield from (_told(evaluation, pair) for pair in pairs)
    else:
        yield _best(evaluation, ranked)


def _told(evaluation: Evaluation, pair: Record) -> str:
    """One pair in a sentence, the better system first."""
    text = str(pair["statistic"])
    lower = evaluation.definitions[text].better == "lower"
    value = pair["difference"]
    turned = value is not None and (value > 0) == lower and value != 0
    first, second = (
        (pair["against"], pair["system"]) if turned else (pair["system"], pair["against"])
    )
    first, second = literal(str(first)), literal(str(second))
    number = f"{heading(text)} {signed(pair, text, turned=turned)}"
    test = f"adjusted p {_equals(p_text(pair['p_holm']))}"
    if value is None:
        return f"{first} and {second} cannot be compared: {heading(text)} is undefined"
    if pair["better"]:
        return f"{first} is better than {second}{_here(pair)}: {number}, {test}{_elsewhere(pair, turned)}"
    if value == 0 and pair["p"] == 1:
        return f"{first} and {second} have the same {heading(text)}; these data show no difference"
    told = f"These data do not tell {first} and {second} apart{_here(pair)}: {number}, {test}"
    return f"{told}{_more(pair)}{_elsewhere(pair, turned)}"


def _here(pair: Record) -> str:
    """Say that a result is about the prompts at hand."""
    return "" if pair["prompts"] is None else f" on these {pair['prompts']} prompts"


def _elsewhere(pair: Record, turned: bool) -> str:
    """What the prompts say of new ones, as a sample of them."""
    if pair["new_p"] is None:
        return ""
    new = {"difference": pair["difference"], "low": pair["new_low"], "high": pair["new_high"]}
    text, settled = str(pair["statistic"]), pair["new_low"] > 0 or pair["new_high"] < 0
    said = "settles it too" if settled else "does not settle it"
    return (
        f". For new prompts like these: {signed(new, text, turned=turned)}, "
        f"p {_equals(p_text(pair['new_p']))}, which {said}"
    )


def _equals(p: str) -> str:
    return p if p.startswith("<") else f"= {p}"


def _more(pair: Record) -> str:
    needed = pair["responses_needed"]
    if needed is None:
        return ""
    if needed > MOST_NEEDED:
        return f"; more than {count(MOST_NEEDED)} responses would"
    return f"; about {count(int(float(f'{needed:.2g}')))} responses would"


def _best(evaluation: Evaluation, ranked: Sequence[Record]) -> str:
    """Of many systems, the best, or those that may be."""
    best, text = ranked[0], str(evaluation.options["by"])
    name, number = literal(str(best["system"])), heading(text)
    if best["rank_low"] == best["rank_high"] == 1:
        return f"{name} is best of {len(ranked)} systems by {number}, ahead of every other"
    alike = [literal(str(one["system"])) for one in ranked[1:] if one["apart_from_best"] == "no"]
    if len(alike) == len(ranked) - 1:
        return f"{name} leads {len(ranked)} systems by {number}, but not settled from any other"
    names = ", ".join(alike[:5]) + (f" and {len(alike) - 5} more" if len(alike) > 5 else "")
    return f"{name} leads {len(ranked)} systems by {number}; not told apart from it: {names}"
