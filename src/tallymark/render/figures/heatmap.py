"""How every two of some agree: a square of shades with the numbers in it."""

import math
from collections.abc import Mapping, Sequence
from itertools import combinations
from statistics import mean

from tallymark.render.figures.confusion import heat
from tallymark.render.figures.records import WIDE, Drawn, Frame
from tallymark.render.figures.scales import drawable
from tallymark.render.figures.style import DARK_CELL
from tallymark.render.figures.svg import Canvas
from tallymark.render.figures.text import SMALL, clean, minus
from tallymark.render.figures.text import width as text_width
from tallymark.render.numbers import rounded

MOST = 40
"""More rows than this are easier to find in a table."""
_LARGEST, _DOWN, _TOP, _LINE = 52.0, 28.0, 6.0, 17.0
Agreements = Mapping[tuple[str, str], float]


def heatmap(
    names: Sequence[str],
    values: Agreements,
    *,
    statistic: str = "",
    title: str = "",
    width: int = WIDE,
    prefix: str,
) -> Drawn:
    """Draw a value of every two, those who agree best first; a stronger shade is more."""
    title = title or "Every two raters"
    known = {pair: value for pair, value in values.items() if drawable(value)}
    if not known:
        return Drawn("", "no value is defined", title)
    if len(names) > MOST:
        return Drawn("", f"{len(names)} rows are too many to draw", title)
    every = known | {(b, a): value for (a, b), value in known.items()}
    order = sorted(names, key=lambda name: -_mean(name, every))
    canvas = Canvas(Frame(title, prefix, width, _description(order, every, statistic)))
    longest = max(text_width(clean(name), SMALL) for name in order)
    left = min(longest, 0.3 * width) + 8
    across = min((width - left - 2) / len(order), _LARGEST)
    turned, down = longest > across - 4, min(across, _DOWN)
    labels = min(longest, 90.0) if turned else SMALL
    top = _TOP + (labels + 4 if across >= _LINE else 0)
    for i, name in enumerate(order):
        x, y = left + (i + 0.5) * across, top + (i + 0.5) * down
        if i % math.ceil(_LINE / down) == 0:
            canvas.text(left - 6, y + 4, name, "k e", room=left - 6)
        if across >= _LINE:  # else there is no room for names above
            style, place = ("k q", x + 4) if turned else ("k q m", x)
            canvas.text(place, top - 4, name, style, room=labels if turned else 0, turn=turned)
    for i, row in enumerate(order):
        for j, column in enumerate(order):
            corner = (left + j * across, top + i * down)
            _cell(canvas, every.get((row, column)), f"{row} and {column}", corner, (across, down))
    bottom = top + len(order) * down
    used = max(left + len(order) * across, min(width, 220.0))
    blank = "; blank: unknown" if 2 * len(known) < len(order) * (len(order) - 1) else ""
    canvas.text(used, bottom + 16, f"stronger shade: more alike{blank}", "k q e", room=used)
    return canvas.figure(bottom + 22, width=used)


def _cell(
    canvas: Canvas,
    value: float | None,
    who: str,
    corner: tuple[float, float],
    size: tuple[float, float],
) -> None:
    """One shade, and the number where it fits."""
    (x, y), (across, down) = corner, size
    if value is None:
        return
    text = minus(rounded(value, 2, coefficient=True))
    opacity = heat(min(max(value, 0.0), 0.999))
    canvas.open(f"{who}: {text}")
    canvas.rect("heat", x + 0.5, y + 0.5, across - 1, down - 1, f' fill-opacity="{opacity:g}"')
    if text_width(text, SMALL) <= across - 1 and down >= SMALL + 2:
        style = "k m hk" if opacity > DARK_CELL else "k m"
        canvas.text(x + across / 2, y + down / 2 + 4, text, style)
    canvas.close()


def _mean(name: str, values: Agreements) -> float:
    shares = [value for (row, _), value in values.items() if row == name]
    return mean(shares) if shares else -math.inf


def _description(order: Sequence[str], values: Agreements, statistic: str) -> str:
    pairs = [pair for pair in combinations(order, 2) if pair in values]
    low, high = (choose(pairs, key=lambda pair: values[pair]) for choose in (min, max))
    return "; ".join(
        f"{word} {statistic}: {' and '.join(pair)}, {minus(rounded(values[pair], 2, coefficient=True))}"
        for word, pair in (("lowest", low), ("highest", high))
    )
