"""Writing SVG: short numbers, escaped text, one title and description for each figure."""

from collections.abc import Iterable, Sequence
from html import escape

from tallymark.render.figures.records import Drawn, Frame
from tallymark.render.figures.text import SIZE, SMALL, clean, shorten

Point = tuple[float, float]


def number(value: float) -> str:
    """Write a coordinate.

    >>> number(12.04), number(-0.01), number(7.25)
    ('12', '0', '7.2')
    """
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def path(strokes: Iterable[Sequence[Point]]) -> str:
    """Write open lines as the data of one path, each point relative to the one before.

    >>> path([[(10, 5), (12.5, 5), (13, 4.2)], [(0, 0), (0, 20)]])
    'M10 5h2.5l.5-.8M0 0v20'
    """
    return "".join(
        _stroke([(round(10 * x), round(10 * y)) for x, y in stroke]) for stroke in strokes
    )


def _stroke(points: Sequence[tuple[int, int]]) -> str:
    """One line through places in tenths, so that rounding does not add up."""
    if not points:
        return ""
    x, y = points[0]
    parts = [f"M{_tenths(x)}{_next(y)}"]
    for across, down in points[1:]:
        dx, dy = across - x, down - y
        if dx and dy:
            parts.append(f"l{_tenths(dx)}{_next(dy)}")
        elif dx or dy:
            parts.append(f"h{_tenths(dx)}" if dx else f"v{_tenths(dy)}")
        x, y = across, down
    return "".join(parts)


def _tenths(value: int) -> str:
    whole, rest = divmod(abs(value), 10)
    digits = f"{whole or ''}.{rest}" if rest else str(whole)
    return f"-{digits}" if value < 0 else digits


def _next(value: int) -> str:
    """A second number needs a space before it unless it has a sign."""
    return _tenths(value) if value < 0 else f" {_tenths(value)}"


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

    def figure(self, height: float, *, width: float = 0, style: str = "", data: str = "") -> Drawn:
        """Return the whole; ``data`` are further attributes of the root.

        A figure that needs less than the width of its frame says how much.
        """
        frame = self.frame
        across = number(width or frame.width)
        data += f' style="--w:{across}px"'  # as large as the style sheet lets it grow
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
        return Drawn(svg, title=title)
