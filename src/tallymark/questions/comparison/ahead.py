"""Ahead: the system that agrees best with the gold, and whether each other is settled behind it."""

from collections.abc import Sequence

from msgspec.structs import replace

from tallymark.catalogue import BY_NAME, find, texts
from tallymark.inference import Settings
from tallymark.questions.comparison.differences import difference, spreads
from tallymark.questions.comparison.ranked import best_first
from tallymark.questions.comparison.shared import Arena, arena_of
from tallymark.questions.comparison.testing import merits, tests_of
from tallymark.results import Comparison, Kind, Subset, system_called
from tallymark.study.average import average_subset
from tallymark.study.measured import SubsetResults, subset_id
from tallymark.study.parts import FACETS, Part

FEWEST = 3
"""Of fewer systems each has a sentence of its own."""


def best_beside_others(
    systems: Sequence[str], parts: Sequence[Part], settings: Settings
) -> list[SubsetResults]:
    """The best system less each other, on the responses that all scored; p is adjusted by Holm.

    By QWK, or CCC where the gold is continuous: its mean over traits, else prompts, else of all.
    """
    over = next((key for key in FACETS if _of(parts, key)[1:]), "")
    arena = arena_of(systems, _of(parts, over), over=over) if len(systems) >= FEWEST else None
    if arena is None:
        return []
    weighted, ccc = texts("preferred")[:2]
    plain = all(scale.view != "ordinal" for scale in arena.scales)
    kappa = texts("preferred", "nominal")[0] if plain else weighted
    formula = find(ccc if any(scale.continuous for scale in arena.scales) else kappa)
    by_influence = replace(settings, interval="analytic")
    (values,) = spreads(arena, [formula], by_influence)
    tests = tests_of(arena, [values], by_influence, test="t")[values.text]
    merit = merits(values.values, BY_NAME[formula.name].better)
    best, *others = best_first(merit, systems).tolist()
    results = []
    for other in others:
        apart = difference(values, best, other, by_influence)
        pair = min(best, other), max(best, other)
        adjusted = {"p": tests.p[pair], "p_holm": tests.adjusted[pair]}
        apart = replace(apart, parts={**apart.parts, **adjusted})
        results.append(SubsetResults(_subset(arena, systems[best], systems[other]), [apart], []))
    return results


def _of(parts: Sequence[Part], key: str) -> list[Part]:
    """The prompts, or the traits; without a key all responses."""
    if not key:
        return [part for part in parts if not part.where]
    return [part for part in parts if set(part.where) == {key} and not part.many]


def _subset(arena: Arena, best: str, other: str) -> Subset:
    first, second = system_called(best), Comparison(Kind.SYSTEM, other)
    if arena.over:
        return average_subset(first, second, arena.over, arena.sizes)
    return Subset(
        id=subset_id(first, second, arena.label), subject=first, against=second, n=arena.n
    )
