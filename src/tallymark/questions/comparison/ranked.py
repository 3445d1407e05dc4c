"""Ranked: the systems in order, what of the order is settled, and every pair of them."""

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from string import ascii_lowercase

import numpy as np
from numpy.typing import NDArray

from tallymark.inference import Settings
from tallymark.inference.ranking import bars, joint_draws, rank_bounds, ranks, share_first
from tallymark.questions.comparison.differences import SystemValues
from tallymark.questions.comparison.testing import Tests, merits, needed, settled
from tallymark.results import Estimate, ResultTable
from tallymark.sources.roles import natural
from tallymark.study.measured import stream_of

Pair = tuple[int, int]
RANKING = (
    "system", "value", "low", "high", "rank", "rank_low", "rank_high", "share_first", "groups",
    "apart_from_best",
)  # fmt: skip
PAIRS = (
    "statistic", "system", "against", "difference", "low", "high", "p", "p_holm", "better",
    "responses_needed", "test", "prompts", "new_low", "new_high", "new_p",
)  # fmt: skip


NEW = ("new_low", "new_high", "new_p")
"""Parts of a difference that are about new prompts."""


def ranking_table(
    systems: Sequence[str],
    estimates: Sequence[Estimate],
    spread: SystemValues,
    tests: Tests,
    *,
    better: str,
    settings: Settings,
) -> ResultTable:
    """The systems from best to worst by one statistic."""
    merit = merits(spread.values, better)
    beats = settled(tests, spread, better=better, level=settings.level)
    order = best_first(merit, systems)
    place, (low, high) = ranks(merit), rank_bounds(beats)
    drawn = joint_draws(
        spread.values,
        spread.influences,
        spread.units.times,
        draws=settings.replicates,
        seed=(settings.seed, stream_of(f"ranking:{spread.over}")),
    )
    first = share_first(merits(drawn, better))
    letters, known = _letters(beats, order), ~np.isnan(merit)
    rows = [
        (
            systems[i], _known(estimates[i].value), _known(estimates[i].low), _known(estimates[i].high),
            int(place[i]) if known[i] else None, int(low[i]), int(high[i]),
            float(first[i]) if known[i] else None, letters[i],
            "yes" if beats[order[0], i] else "no",
        )
        for i in order
    ]  # fmt: skip
    return ResultTable(
        name="ranking",
        title=f"Systems by {spread.text}",
        columns=RANKING,
        rows=tuple(rows),
        note="rank_low and rank_high: the ranks a system may have, from all pairs together, "
        "adjusted by Holm. share_first: share of draws from the joint normal distribution of all "
        "systems' values in which it is best. Systems that share a letter in groups are not told "
        "apart.",
    )


def pairs_table(
    systems: Sequence[str],
    differences: Mapping[str, Mapping[Pair, Estimate]],
    tests: Mapping[str, Tests],
    better: Mapping[str, str],
    level: float,
) -> ResultTable:
    """Every pair, for each tested statistic."""
    rows: list[tuple[str | int | float | None, ...]] = []
    for text, of_pairs in differences.items():
        if text not in tests:
            continue
        number = len(tests[text].p)
        for (a, b), apart in of_pairs.items():
            p, adjusted = tests[text].p[a, b], tests[text].adjusted[a, b]
            first = a if (apart.value > 0) == (better[text] != "lower") else b
            ends = [_known(apart.value), _known(apart.low), _known(apart.high)]
            winner = systems[first] if adjusted <= 1 - level else ""
            known = not math.isnan(apart.low)  # else these units are too few for any number
            more = needed(apart.value, apart.se_analytic, apart.n, number, level) if known else None
            row = (text, systems[a], systems[b], *ends, _known(p), _known(adjusted))
            prompts = int(apart.parts["prompts"]) if "prompts" in apart.parts else None
            new = [_known(apart.parts.get(key, math.nan)) for key in NEW]
            rows.append((*row, winner, None if winner else more, tests[text].method, prompts, *new))
    return ResultTable(
        name="pairs",
        title="Paired differences",
        columns=PAIRS,
        rows=tuple(rows),
        note="difference: system less against, on the same responses. The null hypothesis of the "
        "permutation test is that the two scores of a response are exchangeable; p_holm is "
        "adjusted over all pairs for the statistic. responses_needed: with this many a true "
        "difference of this size would be settled 4 times of 5. All of this is about these prompts; "
        "new_low, new_high and new_p take them as a sample and are about new prompts like these.",
    )


def best_first(merit: NDArray[np.float64], systems: Sequence[str]) -> NDArray[np.int64]:
    """Order systems by merit, undefined ones last, equal ones by name."""
    known = [(math.isnan(m), -m if not math.isnan(m) else 0.0) for m in merit.tolist()]
    order = sorted(range(len(systems)), key=lambda i: (known[i], natural(systems[i])))
    return np.array(order, dtype=np.int64)


def listed_pairs(merit: NDArray[np.float64], systems: Sequence[str]) -> list[Pair]:
    """With many systems: pairs with the best one, and neighbours in rank."""
    order = best_first(merit, systems).tolist()
    both = [(order[0], other) for other in order[1:]]
    both += list(pairwise(order))
    return list(dict.fromkeys((min(pair), max(pair)) for pair in both))


def _letters(beats: NDArray[np.bool_], order: NDArray[np.int64]) -> dict[int, str]:
    """The groups of each system: a, b and so on, one for each run that is not told apart."""
    letters_of: dict[int, list[str]] = {int(i): [] for i in order}
    for number, (first, last) in enumerate(bars(beats, order)):
        for i in order[first : last + 1]:
            letters_of[int(i)].append(_letter(number))
    return {i: " ".join(letters) for i, letters in letters_of.items()}


def _letter(number: int) -> str:
    many, rest = divmod(number, len(ascii_lowercase))
    return (_letter(many - 1) if many else "") + ascii_lowercase[rest]


def _known(value: float) -> float | None:
    return None if math.isnan(value) else float(value)
