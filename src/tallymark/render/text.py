"""The summary for a terminal: what was read, the leading numbers, then each part of the data."""

import math
from collections.abc import Iterator, Mapping, Sequence

from tallymark.render.layout import Line, paragraph, table
from tallymark.render.leading import Shown, brief, leading
from tallymark.render.literal import literal
from tallymark.render.numbers import count, with_interval
from tallymark.results import Data, Estimate, Evaluation, Subset

MOST_ROWS = 20
FEW_RESPONSES = 30
SIDE_BY_SIDE = 3
"""So many systems stand beside each other; more stand below each other."""
_FROM_NAMES = " (from the column names)"


def summary(evaluation: Evaluation, *, width: int = 80) -> list[Line]:
    """Return the lines of the summary; all text of the user is shown literally."""
    lines = [*data_lines(evaluation.data, width), Line("")]
    lines += _headline(evaluation, width)
    lines += _pooled(evaluation, width)
    for title, subsets in _parts(evaluation):
        lines += _part(evaluation, title, subsets, width)
    while lines and not lines[-1].text:
        lines.pop()
    return lines


def plain_text(lines: Sequence[Line]) -> str:
    """Join lines without any styling."""
    return "\n".join(line.text for line in lines)


def data_lines(data: Data, width: int) -> list[Line]:
    """Say what was read, excluded and guessed, and on which scale."""
    used = f"{_responses(data.read)} read, {count(data.used)} used"
    excluded = "; ".join(f"{literal(reason)} ({count(n)})" for reason, n in data.exclusions)
    if excluded:
        used += f"; {count(data.read - data.used)} excluded: {excluded}"
    scale = f"Scale: {literal(data.scale)}"
    scale += " (read off the human scores)" if data.scale_inferred else ""
    gold = f"Gold: {literal(data.gold)}"
    gold += f", scale {literal(data.gold_scale)}" if data.gold_scale != data.scale else ""
    lines = [*paragraph(f"{used}.", width), *paragraph(f"{scale}. {gold}.", width)]
    if data.guesses:
        guesses = "; ".join(literal(guess.removesuffix(_FROM_NAMES)) for guess in data.guesses)
        lines += paragraph(f"Guessed from the column names: {guesses}.", width, indent="  ")
    for note in data.notes:
        lines += paragraph(f"Note: {literal(note)}.", width, indent="  ")
    return lines


def headline_subsets(evaluation: Evaluation) -> tuple[str, list[Subset]]:
    """Return the subsets of the headline, one per system, and over what they are averaged.

    The headline is the plain mean over traits, else over prompts, where there are several.
    """
    for column in ("trait", "prompt"):
        found = [s for s in _against_gold(evaluation) if s.average == column and not s.fisher_z]
        if found:
            return column, found
    return "", whole_subsets(evaluation)


def whole_subsets(evaluation: Evaluation) -> list[Subset]:
    """Return the subsets that hold all responses of a system."""
    return [s for s in _against_gold(evaluation) if s.average is None and not _place(s)]


def estimates_of(evaluation: Evaluation, subset: Subset) -> dict[str, Estimate]:
    """Return the estimates of a subset by their text."""
    return evaluation.of(evaluation.subsets.index(subset))


def _against_gold(evaluation: Evaluation) -> list[Subset]:
    return [subset for subset in evaluation.subsets if subset.against == "gold"]


def _responses(n: int) -> str:
    return "1 response" if n == 1 else f"{count(n)} responses"


def _place(subset: Subset) -> dict[str, str]:
    """Which prompt, trait, fold and group a subset is, by the title of its table."""
    named = {"prompt": subset.prompt, "trait": subset.trait, "fold": subset.fold}
    if subset.group_column is not None:
        named[literal(subset.group_column)] = subset.group
    return {key: literal(value) for key, value in named.items() if value is not None}


def _intervals(evaluation: Evaluation) -> str:
    return f"{100 * float(evaluation.options.get('level', 0.95)):g} % intervals"


def _headline(evaluation: Evaluation, width: int) -> list[Line]:
    column, subsets = headline_subsets(evaluation)
    if not subsets:
        return [Line("No system could be evaluated on all responses together.")]
    parts = len({_place(s).get(column) for s in evaluation.subsets if set(_place(s)) == {column}})
    over = f"mean of {parts} {column}s, " if column else ""
    shown = leading(evaluation)
    numbers = [estimates_of(evaluation, subset) for subset in subsets]
    if len(subsets) == 1:
        title = f"{literal(subsets[0].system)} against the gold: {over}"
        title += f"{_responses(subsets[0].n)}, {_intervals(evaluation)}"
        lines = [*paragraph(title, width, weight="heading"), *_worded(shown, numbers[0], width)]
    else:
        title = f"{len(subsets)} systems against the gold: {over}{_intervals(evaluation)}"
        lines = [*paragraph(title, width, weight="heading")]
        lines += _compared(shown, subsets, numbers, width)
        words = "; ".join(f"{one.heading}: {one.words}" for one in shown)
        lines += [Line(""), *paragraph(words, width, weight="lesser")]
    return [*lines, *_reasons(shown, numbers, width), Line("")]


def _worded(shown: Sequence[Shown], numbers: Mapping[str, Estimate], width: int) -> list[Line]:
    """One statistic a line, with a few words on what it says."""
    found = [(one, one.of(numbers)) for one in shown]
    cells = [(one, with_interval(value)) for one, value in found if value is not None]
    first = max((len(one.heading) for one, _ in cells), default=0)
    second = max((len(text) for _, text in cells), default=0)
    lines = []
    for one, text in cells:
        line = f"{one.heading:<{first}}  {text:<{second}}"
        fits = len(line) + 2 + len(one.words) <= width
        lines.append(Line(f"{line}  {one.words}" if fits else line.rstrip()))
    return lines


def _compared(
    shown: Sequence[Shown],
    subsets: Sequence[Subset],
    numbers: Sequence[Mapping[str, Estimate]],
    width: int,
) -> list[Line]:
    """A table of systems by statistics, turned when the systems are few."""
    headings = ["", "n", *(one.heading for one in shown)]
    rows = [
        [literal(subset.system), count(subset.n), *(_cell(one, found) for one in shown)]
        for subset, found in zip(subsets, numbers, strict=True)
    ]
    if len(rows) > SIDE_BY_SIDE:
        return [*table(headings, rows[:MOST_ROWS], width), *_more(len(rows) - MOST_ROWS)]
    turned = [list(column) for column in zip(headings, *rows, strict=True)]
    return table(turned[0], turned[1:], width)


def _cell(one: Shown, numbers: Mapping[str, Estimate]) -> str:
    found = one.of(numbers)
    return "-" if found is None else with_interval(found)


def _more(left: int) -> list[Line]:
    return [Line(f"... and {count(left)} more (see --out)", "lesser")] if left > 0 else []


def _pooled(evaluation: Evaluation, width: int) -> list[Line]:
    """The value over all responses, where the headline is an average."""
    column, _ = headline_subsets(evaluation)
    subsets = whole_subsets(evaluation)
    if not column or not subsets:
        return []
    title = f"Pooled over {column}s: inflated by differences between {column}s"
    rows = [(literal(subset.system), subset) for subset in subsets]
    lines = [Line(title, "heading"), *_rows(evaluation, "", rows[:MOST_ROWS], width)]
    return [*lines, *_more(len(rows) - MOST_ROWS), Line("")]


def _parts(evaluation: Evaluation) -> Iterator[tuple[str, list[Subset]]]:
    """Yield the parts of the data by their kind: prompts, traits, folds, groups, crossings."""
    kinds: dict[tuple[str, ...], list[Subset]] = {}
    for subset in _against_gold(evaluation):
        place = _place(subset)
        if place and subset.average is None:
            kinds.setdefault(tuple(place), []).append(subset)
    for kind, subsets in kinds.items():
        yield f"By {' and '.join(kind)}", subsets


def _part(evaluation: Evaluation, title: str, subsets: Sequence[Subset], width: int) -> list[Line]:
    """One table per system, together at most so many rows."""
    lines, left = [Line(title, "heading")], MOST_ROWS
    for system in dict.fromkeys(subset.system for subset in subsets):
        own = [s for s in subsets if s.system == system][:left]
        if not own:
            break
        left -= len(own)
        lines += [Line("")] if len(lines) > 1 else []
        rows = [(", ".join(_place(subset).values()), subset) for subset in own]
        lines += _rows(evaluation, literal(system), rows, width)
    if any(subset.n < FEW_RESPONSES for subset in subsets[:MOST_ROWS]):
        lines.append(Line(f"* fewer than {FEW_RESPONSES} responses", "lesser"))
    return [*lines, *_more(len(subsets) - MOST_ROWS), Line("")]


def _rows(
    evaluation: Evaluation, heading: str, named: Sequence[tuple[str, Subset]], width: int
) -> list[Line]:
    """The few statistics of some subsets, and why some are undefined."""
    shown = brief(evaluation)
    numbers = [estimates_of(evaluation, subset) for _, subset in named]
    rows = [
        [name, count(subset.n) + "*" * (subset.n < FEW_RESPONSES), *(_cell(s, own) for s in shown)]
        for (name, subset), own in zip(named, numbers, strict=True)
    ]
    headings = [heading, "n", *(one.heading for one in shown)]
    return [*table(headings, rows, width), *_reasons(shown, numbers, width)]


def _reasons(
    shown: Sequence[Shown], numbers: Sequence[Mapping[str, Estimate]], width: int
) -> list[Line]:
    """Say why a shown statistic, or its interval, is undefined."""
    reasons: dict[str, list[str]] = {}
    for one in shown:
        for found in (one.of(own) for own in numbers):
            if found is None or not found.why:
                continue
            what = "undefined" if math.isnan(found.value) else "no interval"
            headings = reasons.setdefault(f"{what}, because {literal(found.why)}", [])
            headings += [one.heading] if one.heading not in headings else []
    return [
        line
        for reason, headings in reasons.items()
        for line in paragraph(f"{', '.join(headings)}: {reason}", width, indent="  ")
    ]
