"""Writing SVG: short numbers, escaped text, one title and description for each figure."""

from collections.abc import Iterable, Sequence
from html import escape

from tallymark.render.figures.records import Figure, Frame
from tallymark.render.figures.text import SIZE, SMALL, clean, shorten

Point = tuple[float, float]


def number(value: float) -> str:
    """Write a coordinate.

    >>> number(12.04), number(-0.01), number(7.25)
    ('12', '0', '7.2')
    """
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def path(points: Iterable[Sequence[Point]]) -> str:
    """Write several open lines as the data of one path."""
    strokes = (stroke for stroke in points if stroke)
    return "".join("M" + "L".join(f"{number(x)} {number(y)}" for x, y in s) for s in strokes)


class Canvas:
    """The elements of a figure in the order in which they are painted."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self._parts: list[str] = []

    def raw(self, markup: str) -> None:
        """Add markup that is known to be safe."""
        self._parts.append(markup)

    def text(
        self, x: float, y: float, text: str, style: str = "", *, room: float = 0, turn: bool = False
    ) -> None:
        """Write a text on its base line; cut to ``room``, with the whole of it when pointed at."""
        whole = clean(text)
        size = SMALL if "k" in style.split() else SIZE
        shown = shorten(whole, room, size) if room else whole
        if not shown:
            return
        tip = f"<title>{escape(whole)}</title>" if shown != whole else ""
        kind = f' class="{style}"' if style else ""
        turned = f' transform="rotate(-90 {number(x)} {number(y)})"' if turn else ""
        at = f'x="{number(x)}" y="{number(y)}"'
        self._parts.append(f"<text {at}{kind}{turned}>{escape(shown)}{tip}</text>")

    def stroke(self, style: str, *points: Sequence[Point]) -> None:
        """Draw open lines in one style."""
        data = path(points)
        if data:
            self._parts.append(f'<path class="{style}" d="{data}"/>')

    def shape(self, style: str, points: Sequence[Point]) -> None:
        """Fill a closed outline."""
        if points:
            self._parts.append(f'<path class="{style}" d="{path([points])}Z"/>')

    def rect(
        self, style: str, x: float, y: float, width: float, height: float, more: str = ""
    ) -> None:
        """Draw a rectangle; ``more`` are further attributes."""
        size = f'width="{number(max(width, 0))}" height="{number(max(height, 0))}"'
        self._parts.append(f'<rect class="{style}" x="{number(x)}" y="{number(y)}" {size}{more}/>')

    def dot(self, style: str, x: float, y: float, radius: float = 4) -> None:
        """Draw a round point."""
        place = f'cx="{number(x)}" cy="{number(y)}" r="{number(radius)}"'
        self._parts.append(f'<circle class="{style}" {place}/>')

    def open(self, tip: str = "", style: str = "") -> None:
        """Begin a group that shows a text when it is pointed at."""
        kind = f' class="{style}"' if style else ""
        self._parts.append(f"<g{kind}>" + (f"<title>{escape(clean(tip))}</title>" if tip else ""))

    def close(self) -> None:
        """End the group."""
        self._parts.append("</g>")

    def figure(self, height: float, *, width: float = 0, style: str = "", data: str = "") -> Figure:
        """Return the whole; ``data`` are further attributes of the root.

        A figure that needs less than the width of its frame says how much.
        """
        frame = self.frame
        across = number(width or frame.width)
        data += f' style="max-width:{1.15 * width:.0f}px"' if width else ""
        title, prefix = clean(frame.title), frame.prefix
        named = f'aria-labelledby="{prefix}-t{f" {prefix}-d" if frame.desc else ""}"'
        described = f'<desc id="{prefix}-d">{escape(clean(frame.desc))}</desc>'
        up = number(height)
        measures = f'width="{across}" height="{up}" viewBox="0 0 {across} {up}"'
        svg = (
            f'<svg xmlns="http://www.w3.org/2000/svg" id="{prefix}" role="img" {named} '
            f'class="fig-svg{" " + style if style else ""}" {measures}{data}>'
            f'<title id="{prefix}-t">{escape(title)}</title>{described if frame.desc else ""}'
            f"{''.join(self._parts)}</svg>"
        )
        return Figure(svg, title=title)
