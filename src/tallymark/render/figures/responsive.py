"""A figure in both layouts, of which a page shows the one that fits."""

from collections.abc import Callable
from typing import Any

from tallymark.render.figures.records import NARROW, WIDE, Drawn

_CLASS = 'class="fig-svg'


def both(draw: Callable[..., Drawn], *data: Any, prefix: str, **keywords: Any) -> Drawn:
    """Draw a figure narrow and wide; the style sheet shows one of them."""
    narrow = draw(*data, width=NARROW, prefix=f"{prefix}-n", **keywords)
    wide = draw(*data, width=WIDE, prefix=f"{prefix}-w", **keywords)
    if not (narrow and wide):
        return wide if narrow else narrow
    pair = (
        figure.svg.replace(_CLASS, f"{_CLASS} {kind}", 1)
        for figure, kind in ((narrow, "fig-narrow"), (wide, "fig-wide"))
    )
    return Drawn(f'<div class="fig">{"".join(pair)}</div>', title=wide.title)
