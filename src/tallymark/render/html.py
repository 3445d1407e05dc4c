"""HTML: one file that needs nothing else, from sections of blocks."""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from re import sub
from typing import Any

from tallymark.render.embed import benches_of
from tallymark.render.grids import SIGNS
from tallymark.render.model import First, Meanings, Section
from tallymark.results import split_key
from tallymark.results.cells import harmless

TEMPLATES = Path(__file__).parent / "templates"


def page(
    first: First, sections: Sequence[Section], anchors: Mapping[str, str], embedded: str, foot: str
) -> str:
    """Write the page; ``embedded`` is the JSON for its script, ``foot`` what stands below all."""
    from tallymark.render.figures.style import DARK, STYLE

    scripts = dict.fromkeys(bench.script for bench in benches_of(sections))
    script = "".join([_beside_this("report.js"), *map(_flush, scripts)])
    text: str = (
        environment()
        .get_template("report.html")
        .render(
            first=first,
            sections=sections,
            anchors=anchors,
            embedded=embedded,
            style=_tight(_beside_this("report.css")).replace("/* DARK */", DARK),
            figure_style=STYLE,
            script=script,
            allowed=_allowed(script),
            foot=foot,
        )
    )
    return text


def anchors_of(sections: Sequence[Section]) -> dict[str, str]:
    """Where the definition of each statistic stands, by its text and by its name alone."""
    anchors: dict[str, str] = {}
    for section in sections:
        for block in section.blocks:
            for entry in block.entries if isinstance(block, Meanings) else ():
                for name in entry.names:
                    anchors[name] = entry.id
                    anchors.setdefault(split_key(name)[0], entry.id)
    return anchors


def _allowed(script: str) -> str:
    """The page's security policy: its own script, by its digest, and nothing from anywhere."""
    digest = b64encode(sha256(f"\n{script}".encode()).digest()).decode()
    rules = ("default-src 'none'", f"script-src 'sha256-{digest}'", "style-src 'unsafe-inline'",
             "img-src data:", "base-uri 'none'", "form-action 'none'")  # fmt: skip
    return "; ".join(rules)


@cache
def _beside_this(name: str) -> str:
    """A file of the page, without what only people read."""
    return _flush((TEMPLATES / name).read_text("utf-8"))


def _flush(text: str) -> str:
    """A text without the spaces at the start of its lines, and without lines that are comments."""
    lines = (line.lstrip() for line in text.splitlines())
    return "".join(f"{line}\n" for line in lines if not line.startswith("//"))


def _tight(style: str) -> str:
    """A style sheet without the spaces that only people read."""
    return sub(r"\s*([{};])\s*", r"\1", style)


def _harmless(value: Any) -> Any:
    """What a template writes; markup is ours."""
    return harmless(value) if type(value) is str else value


@cache
def environment() -> Any:
    """The templates: what is not marked as markup is escaped, what is misspelt is an error."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_harmless,
    )
    made.globals["signs"] = SIGNS
    made.filters["short"] = lambda number: f"{number:.5g}"
    return made
