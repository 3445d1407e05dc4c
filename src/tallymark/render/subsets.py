"""Which subsets of an evaluation are shown where, and the estimates of each."""

from collections.abc import Iterator, Sequence

from tallymark.render.literal import literal
from tallymark.results import (
    AMONG_PEOPLE,
    GOLD,
    OTHERS,
    PEOPLE,
    Comparison,
    Evaluation,
    Kind,
    Subset,
)


def systems_of(evaluation: Evaluation) -> Sequence[str]:
    """Return the names of the systems; none where people were looked at alone."""
    return tuple(evaluation.options.get("systems", ()))


def series_of(evaluation: Evaluation, system: str) -> int:
    """Return the colour of a system: 0 is people."""
    systems = systems_of(evaluation)
    return systems.index(system) + 1 if system in systems else 0


def headline_subsets(evaluation: Evaluation) -> tuple[str, list[Subset]]:
    """Return the subsets of the headline, one per system, and over what they are averaged.

    The headline is the plain mean over traits, else over prompts, where there are several.
    """
    for column in ("trait", "prompt"):
        averaged = [s for s in against_gold(evaluation) if s.average == column and not s.fisher_z]
        if averaged:
            return column, averaged
    return "", whole_subsets(evaluation)


def whole_subsets(evaluation: Evaluation) -> list[Subset]:
    """Return the subsets that hold all responses of a system."""
    return [s for s in against_gold(evaluation) if s.average is None and not place(s)]


def against_gold(evaluation: Evaluation) -> list[Subset]:
    """Return the subsets in which a system is compared with the gold."""
    return [s for s in evaluation.subsets if s.against == GOLD and s.subject.is_system]


def system_against(evaluation: Evaluation, whom: Comparison) -> list[Subset]:
    """Return the subsets of all responses in which systems are compared with others than gold."""
    subsets = [s for s in evaluation.subsets if s.against == whom and s.subject.is_system]
    return [subset for subset in subsets if whole(subset)]


def beside_people(evaluation: Evaluation) -> list[Subset]:
    """Return systems beside people: on all responses, else the mean over prompts."""
    subsets = [s for s in evaluation.subsets if s.against == AMONG_PEOPLE and s.subject.is_system]
    return [s for s in subsets if whole(s)] or [s for s in subsets if s.average is not None]


def panels(evaluation: Evaluation) -> list[Subset]:
    """Return the subsets of the raters as a panel: of all responses first, then of each part."""
    return [s for s in evaluation.subsets if (s.subject, s.against) == (PEOPLE, AMONG_PEOPLE)]


def rater_pairs(evaluation: Evaluation) -> list[Subset]:
    """Return the subsets of every two raters; the second rater is the subject."""
    return [s for s in evaluation.subsets if s.subject.kind is s.against.kind is Kind.RATER]


def single_raters(evaluation: Evaluation) -> list[Subset]:
    """Return the subsets of each rater beside the others."""
    subsets = [s for s in evaluation.subsets if s.against == OTHERS and not s.subject.is_system]
    return [subset for subset in subsets if whole(subset)]


def whole(subset: Subset) -> bool:
    """Whether a subset holds all responses, and is no average."""
    return subset.whole


def place(subset: Subset) -> dict[str, str]:
    """Which prompt, trait, fold and group a subset is, by the title of its table."""
    named = {"prompt": subset.prompt, "trait": subset.trait, "fold": subset.fold}
    if subset.group_column is not None:
        named[literal(subset.group_column)] = subset.group
    return {key: literal(value) for key, value in named.items() if value is not None}


def by_kind_of_part(subsets: Sequence[Subset]) -> Iterator[tuple[str, list[Subset]]]:
    """Yield the parts of the data by their kind: prompts, traits, folds, groups, crossings."""
    kinds: dict[tuple[str, ...], list[Subset]] = {}
    for subset in subsets:
        where = place(subset)
        if where and subset.average is None:
            kinds.setdefault(tuple(where), []).append(subset)
    for kind, parts in kinds.items():
        yield f"By {' and '.join(kind)}", parts
