"""Which subsets of an evaluation are shown where, the estimates of each, and what it is called."""

import math
from collections.abc import Iterator, Sequence

from tallymark.defaults import FEW_SYSTEMS
from tallymark.render.literal import literal
from tallymark.render.sentences import Sentence
from tallymark.results import (
    AMONG_PEOPLE,
    CEILING,
    GOLD,
    OTHERS,
    PEOPLE,
    Comparison,
    Evaluation,
    Kind,
    Numbers,
    Subset,
    parts_of,
)

FACETS = ("trait", "prompt")
"""The headline is the mean over the first of these that has several values."""
FEWEST_RATERS = 3
"""From so many raters on, what is of each of them leads."""


def systems_of(evaluation: Evaluation) -> Sequence[str]:
    """Return the names of the systems; none where people were looked at alone."""
    return tuple(evaluation.options.get("systems", ()))


def systems_in_rank(evaluation: Evaluation) -> Sequence[str]:
    """Return the names of the systems, the best first where they are ranked."""
    for table in evaluation.tables:
        if table.name == "ranking":
            at = table.columns.index("system")
            return tuple(str(row[at]) for row in table.rows)
    return systems_of(evaluation)


def series_of(evaluation: Evaluation, system: str) -> int:
    """Return the colour of a system: 0 is people."""
    systems = systems_of(evaluation)
    return systems.index(system) + 1 if system in systems else 0


def headline_subsets(evaluation: Evaluation) -> tuple[str, list[Subset]]:
    """Return the subsets of the headline, one per system, and over what they are averaged.

    The headline is the plain mean over traits, else over prompts, where there are several.
    """
    for column in FACETS:
        averaged = [s for s in against_gold(evaluation) if s.average == column and not s.fisher_z]
        if averaged:
            return column, averaged
    return "", whole_subsets(evaluation)


def many(evaluation: Evaluation) -> bool:
    """Whether there are so many systems, prompts or traits that sentences on each are too many."""
    column, _ = headline_subsets(evaluation)
    parts = [s for s in against_gold(evaluation) if column and [*place(s)] == [column]]
    return max(len(systems_of(evaluation)), len({getattr(s, column) for s in parts})) > FEW_SYSTEMS


def at_a_glance(evaluation: Evaluation) -> bool:
    """Whether a matrix shows all systems, prompts or traits."""
    return evaluation.kind in ("evaluate", "compare", "rsmeval") and many(evaluation)


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


def systems_leading(evaluation: Evaluation, whom: Comparison) -> list[Subset]:
    """Return the subsets that stand for all data, where systems are compared with ``whom``."""
    subsets = [s for s in evaluation.subsets if s.against == whom and s.subject.is_system]
    return standing_for_all(evaluation, subsets)


def standing_for_all(evaluation: Evaluation, subsets: Sequence[Subset]) -> list[Subset]:
    """Return of each scorer the subset that stands for all data.

    The mean over traits, else over prompts, for what differs between them inflates a coefficient of
    all responses together; where but one of several prompts or traits was looked at, that one; else
    all responses.
    """
    return [
        subset
        for pair in dict.fromkeys((s.subject, s.against) for s in subsets)
        for subset in _for_all(evaluation, [s for s in subsets if (s.subject, s.against) == pair])[
            :1
        ]
    ]


def _for_all(evaluation: Evaluation, subsets: Sequence[Subset]) -> list[Subset]:
    plain = [subset for subset in subsets if not subset.fisher_z]
    means = [s for column in FACETS for s in plain if s.average == column]
    alone = [
        parts[0]
        for column in FACETS
        if len(parts := [s for s in plain if s.column == column and known(evaluation.of(s))]) == 1
        and len(labels_of(evaluation, column)) > 1
    ]
    return [*means, *alone, *(s for s in plain if whole(s))]


def asked_alone(evaluation: Evaluation) -> bool:
    """Whether some statistics were asked for alone, so that little else was looked at."""
    return bool(evaluation.options.get("statistics"))


def rated_twice(evaluation: Evaluation) -> bool:
    """Whether two people rated the same response, on whatever part of the data."""
    beside = [s for s in evaluation.subsets if s.system and s.against == AMONG_PEOPLE]
    rated = (*panels(evaluation), *ceilings(evaluation), *beside)
    return any(known(evaluation.of(s)) for s in rated)


def as_headline(evaluation: Evaluation, subset: Subset) -> bool:
    """Whether a subset is of the same prompts or traits as the headline."""
    column, _ = headline_subsets(evaluation)
    if subset.average is None or subset.average != column:
        return whole(subset) and not column
    parts = [part for part in parts_of(evaluation.subsets, subset) if known(evaluation.of(part))]
    return len(parts) in (0, len(labels_of(evaluation, column)))


def known(numbers: Numbers) -> bool:
    """Whether any number is defined."""
    return any(not math.isnan(estimate.value) for estimate in numbers.values())


def labels_of(evaluation: Evaluation, column: str) -> list[str]:
    """Return the prompts or traits of an evaluation."""
    labels = {getattr(s, column): None for s in evaluation.subsets if s.column == column}
    return [label for label in labels if label is not None]


def panels(evaluation: Evaluation) -> list[Subset]:
    """Return the subsets of the raters as a panel: of all responses first, then of each part."""
    return [s for s in evaluation.subsets if (s.subject, s.against) == (PEOPLE, AMONG_PEOPLE)]


def ceilings(evaluation: Evaluation) -> list[Subset]:
    """Return the subsets of the ceilings: of all responses, of parts, and means over these."""
    return [s for s in evaluation.subsets if (s.subject, s.against) == (PEOPLE, CEILING)]


def rater_pairs(evaluation: Evaluation) -> list[Subset]:
    """Return the subsets of every two raters; the second rater is the subject."""
    return [s for s in evaluation.subsets if s.subject.kind is s.against.kind is Kind.RATER]


def single_raters(evaluation: Evaluation) -> list[Subset]:
    """Return the subsets of each rater beside the others."""
    subsets = [s for s in evaluation.subsets if s.against == OTHERS and not s.subject.is_system]
    return [subset for subset in subsets if whole(subset)]


def rater_numbers(evaluation: Evaluation, rater: Subset) -> tuple[str | None, Numbers]:
    """The numbers of a rater beside the others; within traits or prompts so far as they are known.

    All responses together would lend every rater the differences between traits or prompts. The
    first of both is the column over which means were taken.
    """
    numbers = evaluation.of(rater)
    for column in FACETS:
        for mean in evaluation.subsets:
            if (mean.subject, mean.against, mean.average) == (rater.subject, OTHERS, column):
                return column, {**numbers, **evaluation.of(mean)}
    return None, numbers


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


def scope(evaluation: Evaluation, subset: Subset) -> Sentence | None:
    """Say of which prompts or traits a number is; None where there is but one.

    A mean says of how many, and of how many there are.
    """
    if subset.average is not None:
        every = len(labels_of(evaluation, subset.average))
        of = subset.parts or every
        some = "{of} of {every}" if of < every else "{of}"
        return Sentence(f"mean of {some} {subset.average}s", of=of, every=every)
    if place(subset):
        where = ", ".join(str(part_called(*each)) for each in place(subset).items())
        return Sentence("{where} alone", where=where)
    return next(
        (
            Sentence(f"all {column}s together: differences between {column}s count too")
            for column in FACETS
            if len(labels_of(evaluation, column)) > 1
        ),
        None,
    )


def scale_called(evaluation: Evaluation) -> str:
    """The raters' scale, or that each prompt has its own."""
    prompts = labels_of(evaluation, "prompt")
    settings = (evaluation.options.get("prompts") or {}) if prompts else {}
    scales = {p: setting["scale"] for p, setting in settings.items() if setting.get("scale")}
    apart = len({*scales.values()}) > 1 and all(prompt in scales for prompt in prompts)
    return "each prompt has its own" if apart else evaluation.data.scale


def part_called(column: str, name: str) -> Sentence:
    """Name a part of the data with its column: "prompt 3", but "prompt" once in "prompt A".

    >>> str(part_called("prompt", "3")), str(part_called("prompt", "Prompt A"))
    ('prompt 3', 'Prompt A')
    """
    said = name.casefold().startswith(column.casefold())
    return Sentence("{name}" if said else "{column} {name}", column=column, name=name)
