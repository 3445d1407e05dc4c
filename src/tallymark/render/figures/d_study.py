"""How reliable a score would be with more raters: the curve of a decision study."""

from collections.abc import Sequence

from tallymark.render.figures.lines import lines
from tallymark.render.figures.records import WIDE, Drawn, Mark, Series
from tallymark.render.figures.scales import drawable
from tallymark.render.numbers import rounded
from tallymark.results import Curve

MOST_RATERS = 10
"""Beyond so many raters a response the curve is flat and nobody pays for them."""
_NAMES = {"generalizability": "G, for ranking", "dependability": "Phi, as it stands"}


def d_study(
    curves: Sequence[Curve],
    *,
    targets: Sequence[float] = (0.8, 0.9),
    title: str = "",
    width: int = WIDE,
    prefix: str,
) -> Drawn:
    """Draw reliability by number of raters, with the levels that are usually asked for."""
    shown = []
    for i, curve in enumerate(curves):
        label = _NAMES.get(curve.name, curve.y_title) if len(curves) > 1 else ""
        shown.append(_first(curve, label, i + 1))
    lowest = [v for line in shown for v in (*line.y, *line.low) if drawable(v)]
    bottom = min([0.5, *lowest])
    return lines(
        shown,
        title=title or "Reliability by number of raters",
        x_title=curves[0].x_title if curves else "raters",
        y_title="reliability" if len(curves) != 1 else curves[0].y_title,
        marks=[Mark(t, rounded(t, 2, coefficient=True), "ceiling") for t in targets],
        y_domain=(max(bottom, 0.0), 1.0),
        coefficient=True,
        width=width,
        prefix=prefix,
    )


def _first(curve: Curve, label: str, series: int) -> Series:
    """Keep the part with few raters."""
    kept = [i for i, x in enumerate(curve.x) if not x > MOST_RATERS]
    x, y, low, high = (
        [column[i] for i in kept] if column else []
        for column in (curve.x, curve.y, curve.low, curve.high)
    )
    return Series(label, x, y, low, high, series)
