"""Markdown: text that is shown as it is, tables, and blocks, as a code host displays them."""

import re
from collections.abc import Sequence

from tallymark.render.literal import literal

_ENTITIES = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    "://": "&#58;//",
    "www.": "www&#46;",
}
_UNSEEN = "&#8203;"
_REFERENCE = re.compile(r"[@#!](?=\w)|\bGH-(?=\d)", re.IGNORECASE)
"""What a code host turns into a link that notifies someone: @name, #12, owner/repo#3, !7, GH-12.

The host looks at the text after Markdown is done with it, so an entity alone stops nothing; a
space of no width behind the sign does.
"""
_MARKUP = "\\`*_[]|~$"


def escaped(text: str) -> str:
    r"""Return a text that Markdown shows as it is, on one line and without links or mentions.

    >>> escaped("a|b `<script>` *x*")
    'a\\|b \\`&lt;script&gt;\\` \\*x\\*'
    """
    text = _REFERENCE.sub(lambda found: f"{found[0]}\0", literal(text))
    for plain_text, entity in _ENTITIES.items():
        text = text.replace(plain_text, entity)
    text = "".join(f"\\{char}" if char in _MARKUP else char for char in text)
    text = text.replace("\0", _UNSEEN).replace("@", "&#64;")
    if text[:1] in ("#", "+", "-", "="):
        return f"\\{text}"
    number = text[: len(text) - len(text.lstrip("0123456789"))]
    rest = text[len(number) :]
    return f"{number}\\{rest}" if number and rest[:1] in (".", ")") else text


def table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Lay out a table whose cells are escaped already."""
    lines = [headings, ["---"] * len(headings), *rows]
    return "\n".join(f"| {' | '.join(cell or ' ' for cell in line)} |" for line in lines)
