"""The statistics that are shown first, what they are called in a table, and how to read them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from tallymark.catalogue import BY_NAME, members, texts
from tallymark.render.model import Entry, Grid, Measure, Rank
from tallymark.render.sentences import Words
from tallymark.results import (
    AMONG_PEOPLE,
    GOLD,
    Comparison,
    Estimate,
    Evaluation,
    Numbers,
    split_key,
)


@dataclass(frozen=True, slots=True)
class Shown:
    """A statistic in a table: its text, its heading, and a few words on what it says."""

    text: str
    heading: str
    words: str

    def of(self, estimates: Mapping[str, Estimate]) -> Estimate | None:
        """Return the estimate of this statistic; a parameter that was left open may be any."""
        if self.text in estimates:
            return estimates[self.text]
        return next((found for found in estimates.values() if found.name == self.text), None)


def _shown(name: str) -> tuple[Shown, ...]:
    """The numbers of a set, as they are shown."""
    return tuple(Shown(one.text, one.heading, one.gloss) for one in members(name))


LEADING = _shown("leading")
(CONTINUOUS,) = _shown("leading_continuous")
"""Takes the place of QWK where scores are continuous."""


def leading(evaluation: Evaluation) -> tuple[Shown, ...]:
    """Return the statistics to show: those that were asked for, else the leading ones."""
    known = _computed(evaluation, GOLD)
    if evaluation.options.get("statistics"):
        return tuple(_asked(evaluation, known))
    shown = [one for one in LEADING if one.text in known]
    if texts("preferred")[0] not in known and CONTINUOUS.text in known:
        shown.insert(0, CONTINUOUS)
    return tuple(_with_lambda(one, evaluation.options.get("lambda")) for one in shown)


def _with_lambda(shown: Shown, share: float | None) -> Shown:
    """Say from which size on an error is critical."""
    if share is None or "lambda_" not in BY_NAME[split_key(shown.text)[0]].params:
        return shown
    return replace(shown, words=f"{shown.words}: {100 * share:g} % of the range off")


def brief(evaluation: Evaluation) -> tuple[Shown, ...]:
    """Return the few statistics to show of each part of the data."""
    shown = leading(evaluation)
    few = [one for text in texts("brief") for one in shown if one.text == text]
    return tuple(few[:3]) if few else shown[:3]


def panel(evaluation: Evaluation) -> tuple[Shown, ...]:
    """Return the statistics to show of the raters as a panel."""
    known = _computed(evaluation, AMONG_PEOPLE)
    return tuple(
        Shown(one.text, one.heading, one.panel_gloss)
        for one in members("panel_shown")
        if one.text in known
    )


def panel_brief(evaluation: Evaluation) -> tuple[Shown, ...]:
    """Return the few statistics to show of the panel in each part of the data."""
    shown = {one.text: one for one in panel(evaluation)}
    few = tuple(shown[text] for text in texts("panel_brief") if text in shown)
    return few if len(few) > 1 else tuple(shown.values())


def grid(
    id: str,  # noqa: A002 - as the block calls it
    caption: Words,
    names: tuple[str, ...],
    rows: Iterable[tuple[tuple[Words, ...], int, Numbers]],
    shown: Sequence[Shown],
    *,
    rank: Rank = Rank.FULL,
) -> Grid:
    """Some statistics of some subsets, each with its names and how many responses it has."""
    return Grid(
        id=id,
        caption=caption,
        names=names,
        measures=tuple(Measure(one.heading, one.words, one.text) for one in shown),
        entries=tuple(
            Entry(called, tuple(one.of(own) for one in shown), n) for called, n, own in rows
        ),
        rank=rank,
    )


def unglossed(shown: Sequence[Shown]) -> list[Shown]:
    """The same without what they say, where that stands above."""
    return [replace(one, words="") for one in shown]


def _computed(evaluation: Evaluation, against: Comparison) -> set[str]:
    """Names, with and without parameters, of what was computed against the gold or others."""
    found = [e for e in evaluation.estimates if evaluation.subsets[e.subset].against == against]
    return {text for estimate in found for text in (estimate.text, estimate.name)}


def _asked(evaluation: Evaluation, known: Iterable[str]) -> Iterable[Shown]:
    """Every statistic that was computed, with the heading it would have among the leading ones."""
    usual = {one.text: one for one in (*LEADING, CONTINUOUS)}
    for text, definition in evaluation.definitions.items():
        if text not in known:
            continue
        found = usual.get(text) or usual.get(definition.name)
        if found is None:
            # one sentence is enough beside a number
            found = Shown(text, text, definition.reading.partition(";")[0].rstrip("."))
        yield Shown(text, found.heading, found.words)
