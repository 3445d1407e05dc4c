"""Every pair of systems on the same responses: differences, tests and the ranking."""

from collections.abc import Mapping, Sequence
from itertools import combinations

from msgspec.structs import replace

from tallymark.catalogue import BY_NAME, find, texts
from tallymark.inference import Formula, Settings
from tallymark.questions.comparison.differences import SystemValues, difference, spreads
from tallymark.questions.comparison.entrants import Contest
from tallymark.questions.comparison.prompts import new_prompts
from tallymark.questions.comparison.ranked import (
    Pair,
    listed_pairs,
    pairs_table,
    ranking_table,
)
from tallymark.questions.comparison.shared import Arena, arena_of
from tallymark.questions.comparison.testing import Tests, merits, tests_of
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
from tallymark.study.average import average_subset
from tallymark.study.formulas import formulas_for
from tallymark.study.measured import SubsetResults, subset_of

FEW_SYSTEMS = 5
"""Beyond this many systems, only the statistic that ranks them is tested."""


def compared_pairs(
    contest: Contest, results: Sequence[SubsetResults], settings: Settings
) -> tuple[list[SubsetResults], tuple[ResultTable, ...]]:
    """Differences of all pairs on the main arena, tested; of one statistic on each part."""
    key = contest.over
    compared_parts = [
        part for part in contest.parts if (set(part.where) == {key} if key else not part.where)
    ]
    main = arena_of(contest.systems, compared_parts, over=key)
    if main is None:  # one scale for all is lacking, and there are no prompts to average over
        return [], ()
    formulas = _formulas(contest, main)
    every = spreads(main, formulas, settings)
    leading = next(values for values in every if values.text == contest.by)
    tested = [values for values in every if _is_tested(contest, values)]
    tests = tests_of(main, tested, settings, test=contest.test)
    pairs = list(combinations(range(len(contest.systems)), 2))
    differences = {values.text: _differences(values, pairs, tests, settings) for values in every}
    more = _pair_results(contest, main, differences, tests, _pairs(contest, leading))
    if not contest.many:
        more += _on_parts(contest, settings)
    better = {text: BY_NAME[split_key(text)[0]].better for text in differences}
    tables = (
        ranking_table(
            contest.systems,
            _leading_of(contest, results),
            leading,
            tests[contest.by],
            better=contest.better,
            settings=settings,
        ),
        pairs_table(contest.systems, differences, tests, better, settings.level),
    )
    return more, tables


def _differences(
    values: SystemValues, pairs: Sequence[Pair], tests: Mapping[str, Tests], settings: Settings
) -> dict[Pair, Estimate]:
    """The difference of each pair; its interval agrees with the test where there is one."""
    far = tests[values.text].critical if values.text in tests else {}
    differences = {}
    for a, b in pairs:
        apart = difference(values, a, b, settings, critical=far.get((a, b), float("nan")))
        differences[a, b] = replace(
            apart, parts={**apart.parts, **new_prompts(values, a, b, settings.level)}
        )
    return differences


def _is_tested(contest: Contest, values: SystemValues) -> bool:
    """The leading statistic always, others where there are not too many pairs to wait for."""
    few = len(contest.systems) <= FEW_SYSTEMS
    return values.text == contest.by or (
        few
        and bool(
            {values.text, values.formula.name}
            & set(texts("tested", contest.scores.gold_scale.view))
        )
    )


def _pairs(contest: Contest, leading: SystemValues) -> list[Pair]:
    if contest.many:
        return listed_pairs(merits(leading.values, contest.better), contest.systems)
    return list(combinations(range(len(contest.systems)), 2))


def _formulas(contest: Contest, arena: Arena) -> list[Formula]:
    """The statistics whose differences are of interest, on every part of a arena."""
    one_part = not arena.over and arena.parts[0].where
    names = (contest.by,) if contest.many or one_part else contest.asked.statistics
    every = [
        formulas_for(scale, names, lambda_=part.lambda_)
        for part, scale in zip(arena.parts, arena.scales, strict=True)
    ]
    texts = [{f.key for f in formulas} for formulas in every]
    shared = set.intersection(*texts)
    kept = [f for f in every[0] if f.key in shared]
    if not any(f.key == contest.by for f in kept):
        kept.append(find(contest.by))
    return [f for f in kept if BY_NAME[f.name].better != "neither"]


def _leading_of(contest: Contest, results: Sequence[SubsetResults]) -> list[Estimate]:
    """The estimate of each system in the statistic that they are ranked by."""
    nothing = Estimate(key=Key(""), value=float("nan"), n=0)
    by_system = dict.fromkeys(contest.systems, nothing)
    for of_subset in results:
        subset = of_subset.subset
        here = subset.average == (contest.over or None) and not subset.fisher_z
        if here and (contest.over or subset.column is None):
            for estimate in of_subset.estimates:
                if estimate.text == contest.by:
                    by_system[subset.system] = estimate
    return list(by_system.values())


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
        for text, of_pairs in differences.items():
            difference = of_pairs[a, b]
            if text in tests:
                p, adjusted = tests[text].p[a, b], tests[text].adjusted[a, b]
                method = "; ".join(filter(None, [difference.method, tests[text].method]))
                parts = {**difference.parts, "p": p, "p_holm": adjusted}
                difference = replace(difference, parts=parts, method=method)
            estimates.append(difference)
        results.append(SubsetResults(_subset(contest, arena, a, b), estimates, []))
    return results


def _subset(contest: Contest, arena: Arena, a: int, b: int) -> Subset:
    first = system_called(contest.systems[a])
    second = Comparison(Kind.SYSTEM, contest.systems[b])
    if not arena.over:
        return subset_of(arena.parts[0], first, n=arena.n, against=second)
    return average_subset(first, second, arena.over, arena.sizes)


def _on_parts(contest: Contest, settings: Settings) -> list[SubsetResults]:
    """Differences of the leading statistic on each part of the data, without tests."""
    results: list[SubsetResults] = []
    for part in contest.parts:
        if part.many or (not part.where and not contest.over):
            continue
        arena = arena_of(contest.systems, [part])
        if arena is None:
            continue
        formula = next(f for f in _formulas(contest, arena) if _named(f) == contest.by)
        (spread,) = spreads(arena, [formula], settings)
        pairs = _pairs(contest, spread)
        differences = {spread.text: _differences(spread, pairs, {}, settings)}
        results += _pair_results(contest, arena, differences, {}, pairs)
    return results


def _named(formula: Formula) -> str:
    return formula.key
