"""Figures in a real browser: the reckoned widths hold, and one of two layouts is shown."""

import pytest

from tallymark.render.figures.records import NARROW, WIDE
from tallymark.render.figures.style import DARK, STYLE
from tests.figures.every import figures
from tests.figures.samples import MANY, SAMPLES

pytestmark = pytest.mark.browser
TEXTS = """() => [...document.querySelectorAll("svg")].map((svg) => {
  const own = svg.getBoundingClientRect();
  return {
    id: svg.id, width: own.width, height: own.height,
    texts: [...svg.querySelectorAll("text")].map((text) => {
      const box = text.getBoundingClientRect();
      const place = [box.left, box.right].map((x) => x - own.left);
      return [text.firstChild.data, ...place, ...[box.top, box.bottom].map((y) => y - own.top)];
    }),
  };
})"""
SLACK = 1.0


def wrong(figure):
    """Texts beyond the edge of a figure, or on each other."""
    found = figure["texts"]
    beyond = [
        text
        for text, left, right, top, bottom in found
        if min(left, top) < -SLACK
        or right > figure["width"] + SLACK
        or bottom > figure["height"] + SLACK
    ]
    covered = [
        (a[0], b[0])
        for i, a in enumerate(found)
        for b in found[i + 1 :]
        if min(a[2], b[2]) - max(a[1], b[1]) > SLACK and min(a[4], b[4]) - max(a[3], b[3]) > SLACK
    ]
    return [*beyond, *covered]


@pytest.fixture
def shown(browser):
    contexts = []

    def show(markup, width=800, **options):
        contexts.append(browser.new_context(viewport={"width": width, "height": 600}, **options))
        page = contexts[-1].new_page()
        page.set_content(
            f"<!doctype html><meta charset=utf-8><style>body{{margin:0}}{STYLE}</style>{markup}"
        )
        return page

    yield show
    for context in contexts:
        context.close()


@pytest.mark.parametrize("width", [NARROW, WIDE])
def test_no_text_is_cut_off_or_on_another(shown, width):
    drawn = [
        draw(min(groups, MANY.get(name, groups)), width=width, prefix=f"{name}-{groups}").svg
        for name, draw in SAMPLES.items()
        for groups in (1, 2, 13, 40)
    ]
    both = "<style>.fig-svg{display:block!important}</style>"
    page = shown(f'{both}<div style="width:{width}px">{"".join(drawn)}</div>')
    found = {figure["id"]: wrong(figure) for figure in page.evaluate(TEXTS)}
    assert len(found) == 4 * len(SAMPLES)
    assert {name: bad for name, bad in found.items() if bad} == {}


@pytest.mark.parametrize(("screen", "kind"), [(320, "n"), (495, "n"), (700, "w"), (1600, "w")])
def test_one_layout_is_shown_and_its_text_is_large_enough(shown, screen, kind):
    drawn = [
        figures.both(draw, 2, prefix=name.replace("_", "-")).svg for name, draw in SAMPLES.items()
    ]
    page = shown(f'<div style="padding:0 16px">{"".join(drawn)}</div>', width=screen)
    sizes = page.evaluate(
        """() => [...document.querySelectorAll("svg")].filter((svg) => svg.checkVisibility()).map(
          (svg) => [svg.id, 12 * svg.getScreenCTM().a])"""
    )
    assert [name[-2:] for name, _ in sizes] == [f"-{kind}"] * len(SAMPLES)
    assert min(size for _, size in sizes) >= 11
    assert max(size for _, size in sizes) <= 20


def test_a_figure_taken_out_of_the_page_is_seen(shown):
    pair = figures.both(SAMPLES["forest"], 2, prefix="f").svg
    wide = pair[pair.rindex("<svg") :].removesuffix("</div>")
    page = shown(wide.replace(">", f"><style>{STYLE}</style>", 1), width=300)
    assert page.evaluate("() => document.querySelector('svg').getBoundingClientRect().width") > 200


def test_dark_mode_and_a_figure_alone_have_their_colours(shown):
    svg = SAMPLES["forest"](2, width=WIDE, prefix="f").svg
    ink = "() => getComputedStyle(document.querySelector('text')).fill"
    assert shown(svg).evaluate(ink) == "rgb(26, 29, 33)"
    assert shown(f"<style>:root{{{DARK}}}</style>{svg}").evaluate(ink) == "rgb(233, 235, 238)"
