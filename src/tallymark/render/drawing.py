"""Figures of the page: drawn for it, and two by two where they are small."""

from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any

from tallymark.render.model import Block, Figure, Pair, Text
from tallymark.render.view import View

SMALL = 330
"""Width of figures that stand beside each other."""
NAMESPACE = ' xmlns="http://www.w3.org/2000/svg"'


def drawn(
    view: View,
    kind: str,
    *args: Any,
    caption: str,
    small: bool = False,
    full: bool = False,
    **options: Any,
) -> list[Block]:
    """A figure, or in its place why there is none; a ``small`` one has one size for all screens."""
    from tallymark.render.figures.records import FULL, WIDE, both

    draw = figure_of(kind)
    name = view.free_id(f"figure {draw.__name__}")
    if small:
        figure = draw(*args, prefix=name, width=SMALL, title=caption, **options)
    else:
        wide = FULL if full else WIDE
        figure = both(draw, *args, prefix=name, title=caption, wide=wide, **options)
    if figure:
        svg = figure.svg.replace(NAMESPACE, "")  # needed in a file alone, where the script adds it
        return [Figure(id=name, caption=caption, svg=svg, full=full)]
    return [Text(f"{caption}: not drawn, because {figure.why}.", "lesser")] if figure.why else []


def figure_of(kind: str) -> Any:
    """The function that draws ``file`` or ``file.function`` of ``render.figures``."""
    file, _, function = kind.partition(".")
    return getattr(import_module(f"tallymark.render.figures.{file}"), function or file)


def paired(blocks: Sequence[Block]) -> Iterator[Block]:
    """Put figures beside each other, two by two, where the page has room."""
    drawings = [b for b in blocks if isinstance(b, Figure) and b.svg.startswith("<svg")]
    yield from (block for block in blocks if block not in drawings)
    for i in range(0, len(drawings), 2):
        yield Pair(tuple(drawings[i : i + 2]))
