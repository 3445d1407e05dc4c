"""Every pair of systems on the same responses: differences, tests and the ranking."""

import math
from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise
from string import ascii_lowercase
from typing import Any

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.catalogue import BY_NAME, find, texts
from tallymark.inference import Formula, Settings
from tallymark.inference.ranking import bars, joint_draws, rank_bounds, ranks, share_first
from tallymark.questions.comparison.contest import Contest
from tallymark.questions.comparison.differences import SystemValues, difference, spreads
from tallymark.questions.comparison.prompts import new_prompts
from tallymark.questions.comparison.shared import Arena, arena_of
from tallymark.questions.comparison.testing import (
    Pair,
    Tests,
    merits,
    needed,
    settled,
    tests_of,
)
from tallymark.results import (
    Comparison,
    Estimate,
    Key,
    Kind,
    ResultTable,
    Subset,
    split_key,
    system_called,
)
from tallymark.sources.roles import natural
from tallymark.study.average import average_subset
from tallymark.study.formulas import formulas_for
from tallymark.study.measured import SubsetResults, stream_of, subset_of
from tallymark.study.parts import FACETS, Part

FEW_SYSTEMS = 5
"""Beyond this many systems, only the statistic that ranks them is tested."""
FEWEST = 3
"""Of fewer systems each has a sentence of its own."""
RANKING = (
    "system", "value", "low", "high", "rank", "rank_low", "rank_high", "share_first", "groups",
    "apart_from_best",
)  # fmt: skip
RANKING_NOTE = (
    "rank_low and rank_high: the ranks a system may have, from all pairs together, adjusted by Holm. "
    "share_first: share of draws from the joint normal distribution of all systems' values in which "
    "it is best. Systems that share a letter in groups are not told apart."
)
PAIRS = (
    "statistic", "system", "against", "difference", "low", "high", "p", "p_holm", "better",
    "responses_needed", "test", "prompts", "new_low", "new_high", "new_p",
)  # fmt: skip
PAIRS_NOTE = (
    "difference: system less against, on the same responses. The null hypothesis of the permutation "
    "test is that the two scores of a response are exchangeable; p_holm is adjusted over all pairs "
    "for the statistic. responses_needed: with this many a true difference of this size would be "
    "settled 4 times of 5. All of this is about these prompts; new_low, new_high and new_p take "
    "them as a sample and are about new prompts like these."
)


def compared_pairs(
    contest: Contest, results: Sequence[SubsetResults], settings: Settings
) -> tuple[list[SubsetResults], tuple[ResultTable, ...]]:
    """Differences of all pairs on the main arena, tested; of one statistic on each part."""
    facet = {contest.over} if contest.over else set()
    parts = [part for part in contest.parts if set(part.where) == facet]
    arena = arena_of(contest.systems, parts, over=contest.over)
    if arena is None:  # one scale for all is lacking, and there are no prompts to average over
        return [], ()
    statistics = spreads(arena, _formulas(contest, arena), settings)
    leading = next(values for values in statistics if values.text == contest.by)
    tested = [values for values in statistics if _is_tested(contest, values)]
    tests = tests_of(arena, tested, settings, test=contest.test)
    pairs = list(combinations(range(len(contest.systems)), 2))
    differences = {
        values.text: _differences(values, pairs, tests, settings) for values in statistics
    }
    pair_results = _pair_results(contest, arena, differences, tests, _listed(contest, leading))
    if not contest.many:
        pair_results += _on_parts(contest, settings)
    estimates = _estimates(contest, results)
    tables = (
        _ranking_table(contest, estimates, leading, tests[contest.by], settings),
        _pairs_table(contest.systems, differences, tests, settings.level),
    )
    return pair_results, tables


def _formulas(contest: Contest, arena: Arena) -> list[Formula]:
    """The statistics whose differences are of interest, on every part of an arena."""
    one_part = not arena.over and arena.parts[0].where
    names = (contest.by,) if contest.many or one_part else contest.request.statistics
    by_part = [
        formulas_for(scale, names, lambda_=part.lambda_)
        for part, scale in zip(arena.parts, arena.scales, strict=True)
    ]
    shared = set.intersection(*({f.key for f in formulas} for formulas in by_part))
    common = [f for f in by_part[0] if f.key in shared]
    if not any(f.key == contest.by for f in common):
        common.append(find(contest.by))
    return [f for f in common if BY_NAME[f.name].better != "neither"]


def _is_tested(contest: Contest, values: SystemValues) -> bool:
    """The leading statistic always, others where there are not too many pairs to wait for."""
    if values.text == contest.by:
        return True
    tested = texts("tested", contest.scores.gold_scale.view)
    few = len(contest.systems) <= FEW_SYSTEMS
    return few and (values.text in tested or values.formula.name in tested)


def _listed(contest: Contest, leading: SystemValues) -> list[Pair]:
    """All pairs; with many systems those with the best one, and neighbours in rank."""
    if not contest.many:
        return list(combinations(range(len(contest.systems)), 2))
    order = best_first(merits(leading.values, contest.better), contest.systems).tolist()
    pairs = [*((order[0], system) for system in order[1:]), *pairwise(order)]
    return list(dict.fromkeys((min(pair), max(pair)) for pair in pairs))


def _differences(
    values: SystemValues, pairs: Sequence[Pair], tests: Mapping[str, Tests], settings: Settings
) -> dict[Pair, Estimate]:
    """The difference of each pair; its interval agrees with the test where there is one."""
    critical = tests[values.text].critical if values.text in tests else {}
    differences = {}
    for a, b in pairs:
        estimate = difference(values, a, b, settings, critical=critical.get((a, b), math.nan))
        parts = {**estimate.parts, **new_prompts(values, a, b, settings.level)}
        differences[a, b] = replace(estimate, parts=parts)
    return differences


def _pair_results(
    contest: Contest,
    arena: Arena,
    differences: Mapping[str, Mapping[Pair, Estimate]],
    tests: Mapping[str, Tests],
    listed: Sequence[Pair],
) -> list[SubsetResults]:
    """The differences of the pairs that are listed, with their p-values."""
    results = []
    for a, b in listed:
        estimates = []
        for text, by_pair in differences.items():
            estimate = by_pair[a, b]
            if text in tests:
                p, adjusted = tests[text].p[a, b], tests[text].adjusted[a, b]
                method = "; ".join(filter(None, [estimate.method, tests[text].method]))
                parts = {**estimate.parts, "p": p, "p_holm": adjusted}
                estimate = replace(estimate, parts=parts, method=method)
            estimates.append(estimate)
        subset = _subset(arena, contest.systems[a], contest.systems[b])
        results.append(SubsetResults(subset, estimates, []))
    return results


def _subset(arena: Arena, first: str, second: str) -> Subset:
    subject, against = system_called(first), Comparison(Kind.SYSTEM, second)
    if arena.over:
        return average_subset(subject, against, arena.over, arena.sizes)
    return subset_of(arena.parts[0], subject, n=arena.n, against=against)


def _on_parts(contest: Contest, settings: Settings) -> list[SubsetResults]:
    """Differences of the leading statistic on each part of the data, without tests."""
    results: list[SubsetResults] = []
    for part in contest.parts:
        if part.many or (not part.where and not contest.over):
            continue
        arena = arena_of(contest.systems, [part])
        if arena is None:
            continue
        formula = next(f for f in _formulas(contest, arena) if f.key == contest.by)
        (values,) = spreads(arena, [formula], settings)
        pairs = _listed(contest, values)
        differences = {values.text: _differences(values, pairs, {}, settings)}
        results += _pair_results(contest, arena, differences, {}, pairs)
    return results


def _estimates(contest: Contest, results: Sequence[SubsetResults]) -> list[Estimate]:
    """The estimate of each system in the statistic that they are ranked by."""
    by_system = dict.fromkeys(contest.systems, Estimate(key=Key(""), value=math.nan, n=0))
    for of_subset in results:
        subset = of_subset.subset
        headline = subset.average == (contest.over or None) and not subset.fisher_z
        if headline and (contest.over or subset.column is None):
            for estimate in of_subset.estimates:
                if estimate.text == contest.by:
                    by_system[subset.system] = estimate
    return list(by_system.values())


def _ranking_table(
    contest: Contest,
    estimates: Sequence[Estimate],
    leading: SystemValues,
    tests: Tests,
    settings: Settings,
) -> ResultTable:
    """The systems from best to worst by one statistic."""
    systems, better = contest.systems, contest.better
    merit = merits(leading.values, better)
    beats = settled(tests, leading, better=better, level=settings.level)
    order = best_first(merit, systems)
    rank, (low, high) = ranks(merit), rank_bounds(beats)
    draws = joint_draws(
        leading.values,
        leading.influences,
        leading.units.times,
        draws=settings.replicates,
        seed=(settings.seed, stream_of(f"ranking:{leading.over}")),
    )
    first = share_first(merits(draws, better))
    letters, ranked = _letters(beats, order), ~np.isnan(merit)
    rows = [
        (
            systems[i],
            *map(_or_none, (estimates[i].value, estimates[i].low, estimates[i].high)),
            int(rank[i]) if ranked[i] else None,
            int(low[i]),
            int(high[i]),
            float(first[i]) if ranked[i] else None,
            letters[i],
            "yes" if beats[order[0], i] else "no",
        )
        for i in order
    ]
    return ResultTable(
        name="ranking",
        title=f"Systems by {leading.text}",
        columns=RANKING,
        rows=tuple(rows),
        note=RANKING_NOTE,
    )


def _pairs_table(
    systems: Sequence[str],
    differences: Mapping[str, Mapping[Pair, Estimate]],
    tests: Mapping[str, Tests],
    level: float,
) -> ResultTable:
    """Every pair, for each tested statistic."""
    rows: list[tuple[str | int | float | None, ...]] = []
    for text, by_pair in differences.items():
        if text not in tests:
            continue
        lower = BY_NAME[split_key(text)[0]].better == "lower"
        for (a, b), estimate in by_pair.items():
            p, adjusted = tests[text].p[a, b], tests[text].adjusted[a, b]
            winner, responses = "", None
            if adjusted <= 1 - level:
                winner = systems[a if (estimate.value > 0) != lower else b]
            elif not math.isnan(estimate.low):  # else these units are too few for any number
                responses = needed(
                    estimate.value, estimate.se_analytic, estimate.n, len(tests[text].p), level
                )
            parts = estimate.parts
            new = (parts.get(name, math.nan) for name in ("new_low", "new_high", "new_p"))
            row = (
                text,
                systems[a],
                systems[b],
                *map(_or_none, (estimate.value, estimate.low, estimate.high, p, adjusted)),
                winner,
                responses,
                tests[text].method,
                int(parts["prompts"]) if "prompts" in parts else None,
                *map(_or_none, new),
            )
            rows.append(row)
    return ResultTable(
        name="pairs", title="Paired differences", columns=PAIRS, rows=tuple(rows), note=PAIRS_NOTE
    )


def best_first(merit: NDArray[np.float64], systems: Sequence[str]) -> NDArray[np.int64]:
    """Order systems by merit, undefined ones last, equal ones by name."""

    def place(i: int) -> tuple[Any, ...]:
        undefined = math.isnan(merit[i])
        return undefined, 0.0 if undefined else -merit[i], natural(systems[i])

    return np.array(sorted(range(len(systems)), key=place), dtype=np.int64)


def _letters(beats: NDArray[np.bool_], order: NDArray[np.int64]) -> dict[int, str]:
    """The groups of each system: a, b and so on, one for each run that is not told apart."""
    letters: dict[int, list[str]] = {int(i): [] for i in order}
    for number, (first, last) in enumerate(bars(beats, order)):
        for i in order[first : last + 1]:
            letters[int(i)].append(_letter(number))
    return {i: " ".join(groups) for i, groups in letters.items()}


def _letter(number: int) -> str:
    prefix, rest = divmod(number, len(ascii_lowercase))
    return (_letter(prefix - 1) if prefix else "") + ascii_lowercase[rest]


def _or_none(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def best_less_others(
    systems: Sequence[str], parts: Sequence[Part], settings: Settings
) -> list[SubsetResults]:
    """The best system less each other, on the responses that all scored; p is adjusted by Holm.

    By QWK, or CCC where the gold is continuous: its mean over traits, else prompts, else of all.
    """
    if len(systems) < FEWEST:
        return []
    over, averaged = "", [part for part in parts if not part.where]
    for key in FACETS:
        facet = [part for part in parts if set(part.where) == {key} and not part.many]
        if len(facet) > 1:
            over, averaged = key, facet
            break
    arena = arena_of(systems, averaged, over=over)
    if arena is None:
        return []
    kappa, ccc = texts("preferred")[:2]
    if all(scale.view != "ordinal" for scale in arena.scales):
        kappa = texts("preferred", "nominal")[0]
    formula = find(ccc if any(scale.continuous for scale in arena.scales) else kappa)
    settings = replace(settings, interval="analytic")
    (values,) = spreads(arena, [formula], settings)
    tests = tests_of(arena, [values], settings, test="t")[values.text]
    merit = merits(values.values, BY_NAME[formula.name].better)
    best, *worse = best_first(merit, systems).tolist()
    results = []
    for second in worse:
        estimate = difference(values, best, second, settings)
        pair = min(best, second), max(best, second)
        parts_of_test = {"p": tests.p[pair], "p_holm": tests.adjusted[pair]}
        estimate = replace(estimate, parts={**estimate.parts, **parts_of_test})
        subset = _subset(arena, systems[best], systems[second])
        results.append(SubsetResults(subset, [estimate], []))
    return results
