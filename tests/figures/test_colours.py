"""Texts and lines stand out from the paper, light and dark, for every kind of eye."""

import itertools
import re

import pytest

from tallymark.render.figures.style import DARK, DARK_CELL, HEAT, LIGHT, NIGHT, STYLE

MODES = {"light": LIGHT, "dark": NIGHT}
TEXT = (
    "ink",
    "soft",
    "people",
    "limit",
    "met",
    "notmet",
    "undecided",
    *(f"s{i}" for i in range(1, 7)),
)
# Machado, Oliveira & Fernandes (2009), doi:10.1109/TVCG.2009.113, severity 1.
SEEN = {
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
    "all": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
}  # fmt: skip


def linear(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]


def luminance(rgb):
    return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]


def contrast(one, two):
    """WCAG 2.2's ratio."""
    a, b = sorted((luminance(one), luminance(two)))
    return (b + 0.05) / (a + 0.05)


def mixed(top, under, opacity):
    """A colour laid over another as browsers do: in sRGB, not in light."""
    parts = [
        round(opacity * int(top[i : i + 2], 16) + (1 - opacity) * int(under[i : i + 2], 16))
        for i in (1, 3, 5)
    ]
    return linear("#" + "".join(f"{part:02x}" for part in parts))


def lab(rgb):
    x, y, z = (
        sum(w * c for w, c in zip(row, rgb, strict=True))
        for row in ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
    )
    f = [max(v, 1e-9) ** (1 / 3) for v in (x / 0.9505, y, z / 1.089)]
    return 116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])


def apart(one, two, kind):
    seen = [
        lab(
            [
                min(max(sum(w * c for w, c in zip(row, rgb, strict=True)), 0), 1)
                for row in SEEN[kind]
            ]
        )
        for rgb in (linear(one), linear(two))
    ]
    return sum((a - b) ** 2 for a, b in zip(*seen, strict=True)) ** 0.5


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", TEXT)
def test_text_and_lines_stand_out(mode, name):
    colours = MODES[mode]
    assert contrast(linear(colours[name]), linear(colours["paper"])) >= 4.5


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("opacity", HEAT)
def test_counts_are_readable_on_every_cell(mode, opacity):
    colours = MODES[mode]
    cell = mixed(colours["heat"], colours["paper"], opacity)
    text = colours["heat-ink" if opacity > DARK_CELL else "ink"]
    assert contrast(cell, linear(text)) >= 4.5


@pytest.mark.parametrize("kind", SEEN)
@pytest.mark.parametrize("mode", MODES)
def test_the_first_systems_and_people_are_told_apart(mode, kind):
    names = ("people", "s1", "s2")
    colours = [MODES[mode][name] for name in names]
    nearest = min(apart(a, b, kind) for a, b in itertools.combinations(colours, 2))
    assert nearest >= 15


@pytest.mark.parametrize("kind", SEEN)
@pytest.mark.parametrize("mode", MODES)
def test_neighbouring_series_differ(mode, kind):
    colours = [MODES[mode][f"s{i}"] for i in range(1, 7)]
    assert min(apart(a, b, kind) for a, b in itertools.pairwise(colours)) >= 12


def test_every_colour_is_a_variable_with_its_light_value():
    assert set(LIGHT) == set(NIGHT)
    without = re.sub(r"var\(--fig-[a-z0-9-]+,#[0-9a-f]{6}\)", "", STYLE)
    assert not re.search(r"#[0-9a-f]{3,8}\b", without)
    assert all(f"--fig-{name}:" in DARK for name in LIGHT)
