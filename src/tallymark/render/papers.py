"""Tables for a paper, in LaTeX and Markdown: systems by statistics, bold only where settled."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tallymark.render import latex, markdown
from tallymark.render.compare import baseline_subsets
from tallymark.render.comparing import heading, records
from tallymark.render.facts import intervals, responses
from tallymark.render.leading import Shown, leading
from tallymark.render.numbers import UNDEFINED, with_interval
from tallymark.render.subsets import headline_subsets, place
from tallymark.results import Estimate, Evaluation, Numbers, Subset, split_key

NONE = "--"
KINDS = ("evaluate", "compare")
"""Analyses with a table of systems."""
LEFT_OUT = ("adjacent_agreement", "bias")
"""What a page has no room for; the CSV files hold it."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A number as it is printed, its interval, and whether it leads for sure."""

    value: str
    ends: str = ""
    best: bool = False


@dataclass(frozen=True, slots=True)
class Page:
    """A table: what it says below or above, its headings, and blocks of named rows."""

    name: str
    caption: str
    headings: tuple[str, ...]
    blocks: tuple[tuple[tuple[str, tuple[Cell, ...]], ...], ...]


def paper_tables(evaluation: Evaluation) -> dict[str, str]:
    """Return the text of each file by its name; none without systems."""
    if evaluation.kind not in KINDS or not headline_subsets(evaluation)[1]:
        return {}
    page = _page(evaluation)
    return {f"{page.name}.tex": _latex(page), f"{page.name}.md": _markdown(page)}


def _page(evaluation: Evaluation) -> Page:
    column, systems = headline_subsets(evaluation)
    shown = [one for one in leading(evaluation) if one.text not in LEFT_OUT or _asked(evaluation)]
    ranked = [str(one["system"]) for one in records(evaluation, "ranking")]
    if ranked:
        systems = sorted(systems, key=lambda subset: ranked.index(subset.system))
    n = systems[0].n
    sure = {one.text: _settled(evaluation, one) for one in shown}

    def row(subset: Subset) -> tuple[str, tuple[Cell, ...]]:
        name = subset.system if subset.n == n else f"{subset.system} (n = {subset.n:,})"
        own = evaluation.of(subset)
        return name, tuple(_cell(one, own, best=sure[one.text] == subset.system) for one in shown)

    blocks = [tuple(map(row, systems)), tuple(map(row, baseline_subsets(evaluation, column)))]
    return Page(
        "comparison" if evaluation.kind == "compare" else "systems",
        _caption(evaluation, column, shown, n, [evaluation.of(s) for s in systems]),
        ("", *(one.heading for one in shown)),
        tuple(block for block in blocks if block),
    )


def _asked(evaluation: Evaluation) -> bool:
    return bool(evaluation.options.get("statistics"))


def _settled(evaluation: Evaluation, one: Shown) -> str:
    """The system that was told apart from every other one in a statistic, and leads."""
    others = len(evaluation.options["systems"]) - 1
    ahead: dict[str, int] = {}
    for pair in records(evaluation, "pairs"):
        text = str(pair["statistic"])
        if pair["better"] and one.text in (text, split_key(text)[0]):
            ahead[str(pair["better"])] = ahead.get(str(pair["better"]), 0) + 1
    return next((system for system, number in ahead.items() if number == others > 0), "")


def _cell(one: Shown, numbers: Numbers, *, best: bool) -> Cell:
    found: Estimate | None = one.of(numbers)
    text = UNDEFINED if found is None else with_interval(found)
    if text == UNDEFINED:
        return Cell(NONE)
    value, _, ends = text.partition(" ")
    return Cell(value, ends if ends.startswith("[") else "", best)


def _caption(
    evaluation: Evaluation,
    column: str,
    shown: Sequence[Shown],
    n: int,
    numbers: Sequence[Numbers],
) -> str:
    """What was measured, on what, and how: a reader needs no other text."""
    options = evaluation.options
    by = str(options.get("by", "cohen_kappa[quadratic]"))
    values = {place(s).get(column) for s in evaluation.subsets if set(place(s)) == {column}}
    over = f", mean over {len(values)} {column}s" if column else ""
    said = [f"Agreement with the gold ({evaluation.data.gold}) on {responses(n)}{over}"]
    methods = [own[by].method for own in numbers if by in own and own[by].method]
    how = f"; of {heading(by)}: {methods[0]}" if methods else ""
    said.append(f"{intervals(evaluation)} in brackets{how}")
    tests = [str(pair["test"]) for pair in records(evaluation, "pairs") if pair["statistic"] == by]
    if tests:
        limit = f"{1 - float(options['level']):.2g}".removeprefix("0")
        said.append(
            f"Bold: better than every other system ({tests[0]}, Holm-adjusted p at most {limit})"
        )
        tested = {str(pair["statistic"]) for pair in records(evaluation, "pairs")}
        names = {name for text in tested for name in (text, split_key(text)[0])}
        others = [one.heading for one in shown if one.text not in names]
        said += [f"Not tested: {', '.join(others)}"] if others else []
    if options.get("baselines"):
        said.append("Below the line: baselines")
    return ". ".join(said) + "."


def _latex(page: Page) -> str:
    def cell(one: Cell) -> str:
        value = one.value if one.value == NONE else latex.number(one.value)
        value = latex.bold(value) if one.best else value
        return f"{value} {latex.small(latex.number(one.ends))}" if one.ends else value

    rows = _rows(page, latex.escaped, cell)
    headings = [latex.escaped(text) for text in page.headings]
    return latex.table(latex.escaped(page.caption), f"tab:{page.name}", headings, rows)


def _markdown(page: Page) -> str:
    def cell(one: Cell) -> str:
        value = f"**{one.value}**" if one.best else one.value
        return f"{value} {one.ends}".rstrip()

    blocks = _rows(page, markdown.escaped, cell)
    headings = [markdown.escaped(text) for text in page.headings]
    rows = [row for block in blocks for row in block]
    return f"{markdown.table(headings, rows)}\n\n{markdown.escaped(page.caption)}\n"


def _rows(
    page: Page, name: Callable[[str], str], cell: Callable[[Cell], str]
) -> list[list[list[str]]]:
    return [[[name(text), *map(cell, cells)] for text, cells in block] for block in page.blocks]
