"""Systems in order, with the ranks that the data leave open."""

from collections.abc import Mapping, Sequence
from statistics import quantiles

from tallymark.render.figures import panels
from tallymark.render.figures.panels import Panel, PanelCell, PanelEntry
from tallymark.render.figures.records import NAN, WIDE, Drawn, Frame
from tallymark.render.figures.scales import drawable, extent
from tallymark.render.figures.text import minus
from tallymark.render.literal import shortened
from tallymark.render.numbers import decimals, in_percent, rounded
from tallymark.results import ResultTable

FEWEST, FAR, NARROWEST = 5, 3.0, 0.02
"""From so many systems on the axis is broken for those that lie far off."""
Record = Mapping[str, str | int | float | None]


def ranking(
    table: ResultTable, *, title: str = "", x_title: str = "", width: int = WIDE, prefix: str
) -> Drawn:
    """Draw each system's value and the ranks it may have; in colour those that may be best."""
    title = title or table.title
    records = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    records.sort(key=lambda r: (not drawable(_number(r, "rank")), _number(r, "rank")))
    bounded = all(abs(_number(r, "value")) <= 1 for r in records if drawable(_number(r, "value")))
    names = shortened([str(record.get("system") or "") for record in records])
    entries = [
        _entry(record, name, coefficient=bounded)
        for record, name in zip(records, names, strict=True)
    ]
    first = Panel(
        title=x_title or table.title,
        coefficient=bounded,
        domain=_usual(entries, coefficient=bounded),
        capped=True,
    )
    ranks = Panel(
        title="possible ranks, blue: may be first",
        domain=(0.6, max(len(records), 2) + 0.4),
        ticks=_ticks(len(records)),
        share=0.5,
    )
    desc = "; ".join(f"{entry.label}: rank {entry.cells[1].text}" for entry in entries[:12])
    return panels.draw(entries, [first, ranks], Frame(title, prefix, width, f"{desc}."))


def _ticks(last: int) -> list[tuple[float, str]]:
    """The first rank and round ones."""
    every = 1 if last <= 8 else 5 if last <= 25 else 10
    return [(float(i), str(i)) for i in range(1, last + 1) if i == 1 or i % every == 0]


def _usual(entries: Sequence[PanelEntry], *, coefficient: bool) -> tuple[float, float] | None:
    """The part of the axis that holds most systems, where some lie far off; else none.

    Far off is what lies three times the range of the middle half beyond it.
    """
    cells = [entry.cells[0] for entry in entries if drawable(entry.cells[0].value)]
    if len(cells) < FEWEST:
        return None
    low, _, high = quantiles([cell.value for cell in cells], n=4)
    reach = FAR * max(high - low, NARROWEST)
    usual = [cell for cell in cells if low - reach <= cell.value <= high + reach]
    if len(usual) == len(cells):
        return None
    spans = [(cell.low, cell.high) for cell in usual]
    return extent([cell.value for cell in usual], spans, coefficient=coefficient)


def _entry(record: Record, label: str, *, coefficient: bool) -> PanelEntry:
    value, low, high = (_number(record, key) for key in ("value", "low", "high"))
    rank, best, worst = (_number(record, key) for key in ("rank", "rank_low", "rank_high"))
    series = 1 if (best if drawable(best) else rank) <= 1 else 0
    text = _written(value, low, high, coefficient=coefficient)
    ranks = _ranks(rank, best, worst)
    share = _number(record, "share_first")
    name = str(record.get("system") or "")
    tip = f"{name}: {text}, rank {ranks}"
    if drawable(share):
        tip += f"; first in {in_percent(share)} % of draws"
    return PanelEntry(
        label=label,
        tip=tip,
        cells=[
            PanelCell(value=value, low=low, high=high, text=text, series=series),
            PanelCell(value=rank, low=best, high=worst, text=ranks, series=series),
        ],
    )


def _number(record: Record, key: str) -> float:
    value = record.get(key)
    return float(value) if isinstance(value, int | float) else NAN


def _ranks(rank: float, best: float, worst: float) -> str:
    if drawable(best) and drawable(worst) and best < worst:
        return f"{best:.0f} to {worst:.0f}"
    return f"{rank:.0f}" if drawable(rank) else "undefined"


def _written(value: float, low: float, high: float, *, coefficient: bool) -> str:
    if not drawable(value):
        return "undefined"
    places = decimals(value, low, high, coefficient=coefficient)
    middle, two, three = (
        minus(rounded(number, places, coefficient=coefficient)) if drawable(number) else ""
        for number in (value, low, high)
    )
    return f"{middle} [{two}, {three}]" if two and three else middle
