"""How severe each rater is, and whether the rater's scores fit."""

from collections.abc import Sequence

from tallymark.reliability.severity_fit import ERRATIC, PREDICTABLE
from tallymark.render.figures import panels
from tallymark.render.figures.intervals import cell, description
from tallymark.render.figures.panels import Panel, PanelCell, PanelEntry
from tallymark.render.figures.records import WIDE, Drawn, Frame, Mark, RaterPoint, Whisker
from tallymark.render.figures.scales import drawable
from tallymark.render.numbers import rounded


def severity(
    raters: Sequence[RaterPoint], *, title: str = "", width: int = WIDE, prefix: str
) -> Drawn:
    """Draw severity in logits, the most severe first, and beside it infit and outfit."""
    shown = sorted(raters, key=_most_severe)
    rows = [rater.row for rater in shown]
    frame = Frame(title or "Severity and fit of raters", prefix, width, _description(shown))
    first = Panel(title="severity in logits, right is severe", marks=[Mark(0.0, "", "zero")])
    if not any(drawable(value) for rater in shown for value in (rater.infit, rater.outfit)):
        alone = [PanelEntry(label=row.label, cells=[cell(row)], tip=_tip(row)) for row in rows]
        return panels.draw(alone, [first], frame)
    second = Panel(
        title="fit: infit dot, outfit ring",
        marks=[Mark(1.0, "", "zero")],
        band=(PREDICTABLE, ERRATIC),
        ticks=[(fit, f"{fit:g}") for fit in (PREDICTABLE, 1.0, ERRATIC)],
        share=0.6,
    )
    entries = [
        PanelEntry(
            label=rater.row.label,
            cells=[cell(rater.row), _fit(rater)],
            tip=f"{_tip(rater.row)}; infit {_two(rater.infit)}, outfit {_two(rater.outfit)}",
        )
        for rater in shown
    ]
    return panels.draw(entries, [first, second], frame)


def _most_severe(rater: RaterPoint) -> float:
    return -rater.row.value if drawable(rater.row.value) else float("inf")


def _fit(rater: RaterPoint) -> PanelCell:
    off = any(not PREDICTABLE <= fit <= ERRATIC for fit in (rater.infit, rater.outfit))
    return PanelCell(
        value=rater.infit,
        other=rater.outfit,
        text=f"{_two(rater.infit)}, {_two(rater.outfit)}",
        state="not met" if off and drawable(rater.infit) else "",
        series=rater.row.series,
    )


def _two(value: float) -> str:
    return rounded(value, 2) if drawable(value) else "-"


def _tip(row: Whisker) -> str:
    return f"{row.label}: {row.detail or row.text}"


def _description(raters: Sequence[RaterPoint]) -> str:
    off = [r.row.label for r in raters if _fit(r).state]
    misfit = f" Outside {PREDICTABLE} to {ERRATIC}: {', '.join(off[:12])}." if off else ""
    return f"Most severe first: {description([rater.row for rater in raters])}{misfit}"
