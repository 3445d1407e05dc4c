"""The statistics that are shown first, what they are called in a table, and how to read them."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter

from msgspec.structs import replace

from tallymark.catalogue import BY_NAME, member, members, texts
from tallymark.render.model import (
    Block,
    Column,
    Entry,
    Grid,
    Heading,
    Measure,
    Rank,
    Responses,
    Table,
)
from tallymark.render.sentences import Words
from tallymark.render.subsets import by_kind_of_part, place
from tallymark.results import (
    AMONG_PEOPLE,
    GOLD,
    Comparison,
    Evaluation,
    Numbers,
    Subset,
    split_key,
)
from tallymark.scale import View


def shown_of(name: str, view: View = "ordinal") -> tuple[Measure, ...]:
    """The numbers of a set, as they are shown of scores of this kind."""
    return tuple(map(Measure.headed, members(name, view)))


LEADING = shown_of("leading")
(CONTINUOUS,) = shown_of("leading_continuous")
"""Takes the place of QWK where scores are continuous."""


def leading(evaluation: Evaluation) -> tuple[Measure, ...]:
    """Return the statistics to show: those that were asked for, else the leading ones."""
    known = _computed(evaluation, GOLD)
    if evaluation.options.get("statistics"):
        return tuple(_asked(evaluation, known))
    shown = [entry for entry in shown_of("leading", evaluation.data.view) if entry.key in known]
    if texts("preferred", evaluation.data.view)[0] not in known and CONTINUOUS.key in known:
        shown.insert(0, CONTINUOUS)
    options = evaluation.options
    return tuple(
        _with_lambda(entry, options.get("lambda"), options.get("critical")) for entry in shown
    )


def _with_lambda(shown: Measure, share: float | None, points: float | None) -> Measure:
    """Say from which size on an error is critical."""
    if share is None or "lambda_" not in BY_NAME[split_key(shown.key)[0]].params:
        return shown
    if points is not None:
        return replace(shown, words=f"share off by {points:g} points or more")
    return replace(shown, words=f"share off by {100 * share:g} % of the range or more")


def brief(evaluation: Evaluation) -> tuple[Measure, ...]:
    """Return the few statistics to show of each part of the data."""
    shown = leading(evaluation)
    few = [
        entry
        for text in texts("brief", evaluation.data.view)
        for entry in shown
        if entry.key == text
    ]
    return tuple(few[:3]) if few else shown[:3]


def panel(evaluation: Evaluation) -> tuple[Measure, ...]:
    """Return the statistics to show of the raters as a panel."""
    known = _computed(evaluation, AMONG_PEOPLE)
    return tuple(
        Measure(member.heading, member.panel_gloss, member.text)
        for member in members("panel_shown", evaluation.data.view)
        if member.text in known
    )


def panel_brief(evaluation: Evaluation) -> tuple[Measure, ...]:
    """Return the few statistics to show of the panel in each part of the data."""
    shown = {entry.key: entry for entry in panel(evaluation)}
    few = tuple(shown[text] for text in texts("panel_brief", evaluation.data.view) if text in shown)
    return few if len(few) > 1 else tuple(shown.values())


def grid(
    id: str,  # noqa: A002 - as the block calls it
    caption: Words,
    names: tuple[str, ...],
    rows: Iterable[tuple[tuple[Words, ...], int, Numbers]],
    shown: Sequence[Measure],
    *,
    rank: Rank = Rank.FULL,
) -> Grid:
    """Some statistics of some subsets, each with its names and how many responses it has."""
    return Grid(
        id=id,
        caption=caption,
        names=names,
        measures=tuple(shown),
        entries=tuple(
            Entry(called, tuple(entry.of(numbers) for entry in shown), n)
            for called, n, numbers in rows
        ),
        rank=rank,
    )


def of_systems(
    evaluation: Evaluation, subsets: Iterable[Subset]
) -> list[tuple[tuple[Words, ...], int, Numbers]]:
    """The rows of a grid: each subset under the name of its system."""
    return [((subset.system,), subset.n, evaluation.of(subset)) for subset in subsets]


def by_part(
    evaluation: Evaluation,
    subsets: Sequence[Subset],
    title: str,
    shown: Sequence[Measure],
    names: Mapping[str, Callable[[Subset], str]] | None = None,
) -> Iterator[Block]:
    """A table of each kind of part, under a heading; systems are named where there are several."""
    kinds = [*by_kind_of_part(subsets)]
    if kinds:
        yield Heading("In each part of the data", rank=Rank.PAGE, folded=True)
    for kind, parts in kinds:
        several = len({part.system for part in parts}) > 1
        usual = {"system": attrgetter("system")} if several else {}
        called = usual if names is None else names
        yield Table(
            id=f"{title.lower()} by part",
            caption=f"{title} {kind[0].lower()}{kind[1:]}",
            columns=(
                *map(Column, ("part", *called)),
                Column("n", numeric=True),
                *(Column(each.title, each.words, each.key, numeric=True) for each in shown),
            ),
            rows=tuple(
                (
                    ", ".join(place(part).values()),
                    *(name(part) for name in called.values()),
                    Responses(part.n),
                    *(each.of(evaluation.of(part)) for each in shown),
                )
                for part in parts
            ),
            names=1 + len(called),
            rank=Rank.PAGE,
        )


def unglossed(shown: Iterable[Measure]) -> list[Measure]:
    """The same measures without their glosses, which stand above."""
    return [replace(entry, words="") for entry in shown]


def _computed(evaluation: Evaluation, against: Comparison) -> set[str]:
    """Names, with and without parameters, of what was computed against the gold or others."""
    estimates = [e for e in evaluation.estimates if evaluation.subsets[e.subset].against == against]
    return {text for estimate in estimates for text in (estimate.text, estimate.name)}


def _asked(evaluation: Evaluation, known: Iterable[str]) -> Iterable[Measure]:
    """Every statistic that was computed, with the heading it would have among the leading ones."""
    usual = {entry.key: entry for entry in (*LEADING, CONTINUOUS)}
    for text, definition in evaluation.definitions.items():
        if text not in known:
            continue
        entry = usual.get(text) or usual.get(definition.name)
        if entry is None:
            # one clause is enough beside a number
            entry = Measure(
                member(text).heading, re.split(r"[.;] ", definition.reading)[0].rstrip("."), text
            )
        yield replace(entry, key=text)
