"""Colours and lines of the figures: one style sheet, every colour a variable.

The hues keep apart for people who do not see all colours, which tests measure, and never carry
a meaning alone: shapes, places and labels say the same.
"""

LIGHT = {
    "ink": "#1a1d21",
    "soft": "#565d66",
    "line": "#9aa1ab",
    "grid": "#e3e6ea",
    "paper": "#ffffff",
    "people": "#4b5058",
    "s1": "#0b61a4",
    "s2": "#b84a00",
    "s3": "#00735c",
    "s4": "#8a3f8f",
    "s5": "#7a6000",
    "s6": "#c0305a",
    "limit": "#1a1d21",
    "met": "#00735c",
    "notmet": "#b3261e",
    "undecided": "#7a5c00",
    "heat": "#08457e",
    "heat-ink": "#ffffff",
}
NIGHT = {
    "ink": "#e9ebee",
    "soft": "#a9b0ba",
    "line": "#6b727c",
    "grid": "#30353c",
    "paper": "#16191d",
    "people": "#b9bfc8",
    "s1": "#6cb4f0",
    "s2": "#f2964e",
    "s3": "#3fc9a5",
    "s4": "#d896dc",
    "s5": "#d8bb4a",
    "s6": "#ff8aa5",
    "limit": "#e9ebee",
    "met": "#3fc9a5",
    "notmet": "#ff8f80",
    "undecided": "#e3bd4f",
    "heat": "#8cc8ff",
    "heat-ink": "#000000",
}
DARK = "".join(f"--fig-{name}:{colour};" for name, colour in NIGHT.items())
"""The variables of dark mode, for a page to set."""
HEAT = (0.05, 0.1, 0.16, 0.23, 0.31, 0.4, 0.72, 0.79, 0.86, 0.93, 1.0)
"""Opacities of cells; between .4 and .72 neither dark nor light text would be easy to read."""
DARK_CELL = 0.5
"""Cells more opaque than this bear the text colour of dark cells."""


def var(name: str) -> str:
    """Write a colour as a variable with its light value.

    >>> var("paper")
    'var(--fig-paper,#ffffff)'
    """
    return f"var(--fig-{name},{LIGHT[name]})"


_FONT = 'system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif'
_SERIES = {"c0": "people", **{f"c{i}": f"s{i}" for i in range(1, 7)}}
_STATES = {"cm": "met", "cn": "notmet", "cu": "undecided", "cl": "limit", "cg": "soft"}
_COLOURS = "".join(
    f".fig-svg .{short}{{color:{var(name)}}}" for short, name in {**_SERIES, **_STATES}.items()
)
STYLE = f"""\
.fig{{container-type:inline-size}}
.fig-svg{{display:block;width:100%;max-width:calc(1.15*var(--w));height:auto;fill:{var("ink")};\
font:400 13px/1.2 var(--fig-font,{_FONT});font-variant-numeric:tabular-nums;letter-spacing:0}}
.fig-svg.fig-narrow{{max-width:calc(1.48*var(--w))}}
.fig>.fig-wide{{display:none}}
@container (min-width:480px){{.fig>.fig-wide{{display:block}}.fig>.fig-narrow{{display:none}}}}
.fig-svg .k{{font-size:12px}}
.fig-svg .e{{text-anchor:end}}
.fig-svg .m{{text-anchor:middle}}
.fig-svg .q{{fill:{var("soft")}}}
.fig-svg .t{{fill:currentColor}}
.fig-svg .h{{paint-order:stroke;stroke:{var("paper")};stroke-width:3px;stroke-linejoin:round}}
.fig-svg .axis{{fill:none;stroke:{var("line")}}}
.fig-svg .grid{{fill:none;stroke:{var("grid")}}}
.fig-svg .band{{fill:{var("grid")};fill-opacity:.55}}
.fig-svg .bar{{fill:currentColor}}
.fig-svg .dot{{fill:currentColor;stroke:{var("paper")};stroke-width:1}}
.fig-svg .ring{{fill:{var("paper")};stroke:currentColor;stroke-width:1.75}}
.fig-svg .seg{{fill:none;stroke:currentColor;stroke-width:2}}
.fig-svg .thin{{fill:none;stroke:currentColor;stroke-width:1}}
.fig-svg .curve{{fill:none;stroke:currentColor;stroke-width:2;stroke-linejoin:round}}
.fig-svg .area{{fill:currentColor;fill-opacity:.13}}
.fig-svg .limit{{fill:none;stroke:{var("limit")};stroke-width:1.25}}
.fig-svg .ceiling{{fill:none;stroke:{var("people")};stroke-dasharray:4 3}}
.fig-svg .people{{fill:none;stroke:{var("people")};stroke-dasharray:1.5 2.5;stroke-width:1.5}}
.fig-svg .zero{{fill:none;stroke:{var("line")}}}
.fig-svg .heat{{fill:{var("heat")}}}
.fig-svg .hk{{fill:{var("heat-ink")}}}
.fig-svg .own{{stroke:{var("ink")};stroke-width:1.25}}
.fig-svg .d2{{stroke-dasharray:7 3}}
.fig-svg .d3{{stroke-dasharray:2 2.5}}
.fig-svg .d4{{stroke-dasharray:8 3 2 3}}
.fig-svg .d5{{stroke-dasharray:12 3}}
.fig-svg .d6{{stroke-dasharray:4 2 1 2 1 2}}
.fig-svg .hit,.fig-svg .fig-hit{{fill:transparent;stroke:none}}
.fig-svg .fig-accepted{{fill:{var("s1")};fill-opacity:.08}}
.fig-svg .fig-marker-line{{stroke:{var("ink")};stroke-width:1.25}}
.fig-svg .fig-marker-risk{{fill:{var("s1")};stroke:{var("paper")};stroke-width:1.5}}
.fig-svg .fig-marker-upper{{fill:{var("paper")};stroke:{var("s2")};stroke-width:2}}
{_COLOURS}
"""
"""Put it once into a page that holds figures; the page may set the variables."""
