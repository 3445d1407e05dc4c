"""Where the texts of a figure are, by the reckoned widths."""

import re
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from tallymark.render.figures.text import SIZE, SMALL, width

TEXT = "{http://www.w3.org/2000/svg}text"
TITLE = "{http://www.w3.org/2000/svg}title"


@dataclass(frozen=True)
class Box:
    text: str
    left: float
    top: float
    right: float
    bottom: float

    def touches(self, other: "Box", slack: float = 0.5) -> bool:
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        return across > slack and down > slack


def parsed(svg: str) -> ET.Element:
    return ET.fromstring(svg)


def boxes(svg: str) -> list[Box]:
    return [box(element) for element in parsed(svg).iter(TEXT)]


def box(element: ET.Element) -> Box:
    styles = element.get("class", "").split()
    size = SMALL if "k" in styles else SIZE
    text = element.text or ""
    x, y = float(element.get("x", "nan")), float(element.get("y", "nan"))
    wide = width(text, size)
    left = x - wide if "e" in styles else x - wide / 2 if "m" in styles else x
    up, down = 0.93 * size, 0.24 * size  # the line box of DejaVu Sans
    if "transform" in element.attrib:  # turned upright about its own place
        return Box(text, x - up, y - (left + wide - x), x + down, y + (x - left))
    return Box(text, left, y - up, left + wide, y + down)


def complaints(svg: str) -> list[str]:
    """Texts that leave the figure or cover each other, and numbers that are none."""
    root = parsed(svg)
    _, _, right, bottom = map(float, root.get("viewBox", "").split())
    found = boxes(svg)
    bad = [
        f"outside: {b.text!r} {b}"
        for b in found
        if b.left < -0.6 or b.top < -0.6 or b.right > right + 0.6 or b.bottom > bottom + 0.6
    ]
    bad += [
        f"overlap: {a.text!r} {b.text!r}"
        for i, a in enumerate(found)
        for b in found[i + 1 :]
        if a.touches(b)
    ]
    for element in root.iter():
        for name, value in element.attrib.items():
            if name in GEOMETRY and re.search(r"nan|inf|e[+-]?\d", value, re.IGNORECASE):
                bad.append(f"{name}={value}")
    return bad


GEOMETRY = {"x", "y", "cx", "cy", "r", "d", "width", "height", "x1", "x2", "y1", "y2", "viewBox"}
