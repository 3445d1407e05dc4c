"""The report in a real browser: it asks for nothing, is usable by everyone, and nothing overlaps."""

import csv
import io
import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.browser
BOXES = Path(__file__).with_name("boxes.js").read_text("utf-8")
CASES = (
    "demo", "judged", "verdict", "one_row", "one_category", "many_groups", "hostile", "panel", "many",
)  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_nothing_is_asked_for_and_nothing_goes_wrong(seen, case):
    page = seen(case)
    page.mouse.move(600, 500)
    page.keyboard.press("End")
    assert page.requests == [page.own]
    assert page.complaints == []


@pytest.mark.parametrize(
    ("case", "scheme"),
    [("demo", "light"), ("verdict", "dark"), ("hostile", "light"), ("panel", "dark")],
)
def test_no_barrier_is_found(seen, case, scheme):
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(seen(case, scheme=scheme).page)
    assert found.response["violations"] == [], found.generate_report()


@pytest.mark.parametrize("case", CASES)
def test_no_text_is_cut_off_or_on_another(seen, case):
    page = seen(case)
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    for width in (320, 800, 1600):
        assert seen(case, width=width).evaluate(BOXES, False) == [], width


HIGHEST, MOST_WORDS = 15_000, 5_000
FOLD = "document.querySelectorAll('details').forEach((box) => { box.open = false; })"


def test_five_systems_on_eight_prompts_are_read_in_one_sitting(seen):
    page = seen("many", width=1280)
    page.evaluate(FOLD)  # other tests open what is folded
    assert page.evaluate("document.documentElement.scrollHeight") < HIGHEST
    assert page.evaluate("document.body.innerText.split(/\\s+/).length") < MOST_WORDS


@pytest.mark.parametrize("case", ["many", "judged"])
def test_at_a_usual_width_no_column_is_cut_off(seen, case):
    cut = """[...document.querySelectorAll(".wide")].filter(
        (box) => !box.closest("details:not([open])") && box.scrollWidth > box.clientWidth + 1
    ).map((box) => box.textContent.trim().slice(0, 60))"""
    page = seen(case, width=1280)
    page.evaluate(FOLD)
    assert page.evaluate(cut) == []


def test_a_link_leads_into_what_is_folded(opened):
    page = opened("many")
    place = page.locator("#agreement thead a").first.get_attribute("href").removeprefix("#")
    assert not page.locator(f"#{place}").is_visible()
    page.locator("#agreement thead a").first.click()
    page.locator(f"[id='{place}']").wait_for()


@pytest.mark.parametrize(
    ("case", "paper", "width"), [("demo", "A4", 680), ("judged", "Letter", 703)]
)
def test_it_prints_without_cutting_anything(seen, case, paper, width):
    page = seen(case, width=width, media="print", scheme="dark")
    assert page.evaluate(BOXES, True) == []
    printed = page.pdf(format=paper)
    assert printed.startswith(b"%PDF")
    assert 8 < len(re.findall(rb"/Type\s*/Page\b", printed)) < 40


def test_it_is_read_without_javascript(opened):
    page = opened("judged", java_script_enabled=False)
    assert page.locator("table").count() > 10
    assert page.locator(".control:visible, .prices:visible, .tool").count() == 0
    assert "engine meets all 6 limits of williamson2012" in page.inner_text(".first")


def test_a_number_tells_what_it_is_to_mouse_and_keys(seen):
    page = seen("demo")
    number = page.locator("#agreement td[data-e]").first
    number.hover()
    told = page.inner_text("#tip")
    assert "Exact agreement" in told
    assert "95 % interval" in told
    assert "n = 1,200" in told
    assert "Share of responses with the same score" in told
    page.mouse.move(0, 0)
    number.focus()
    assert number.get_attribute("aria-describedby") == "tip"
    page.keyboard.press("ArrowDown")
    assert "Adjacent agreement" in page.inner_text("#tip")
    page.keyboard.press("ArrowRight")
    assert "chatbot" in page.inner_text("#tip")
    page.keyboard.press("Escape")
    assert not page.is_visible("#tip")


def test_a_table_is_one_stop_of_the_tab_key(seen):
    page = seen("demo")
    table = page.locator("#agreement table").first
    assert table.locator("td[tabindex='0']").count() == 1


def column_values(page, table):
    """The values of the fifth column from the top down; what is undefined is None."""
    places = table.locator("tbody tr td:nth-child(5)").evaluate_all(
        "(cells) => cells.map((cell) => cell.dataset.e ?? null)"
    )
    rows = page.evaluate("JSON.parse(document.getElementById('numbers').textContent).rows")
    return [None if place is None else rows[int(place)][2] for place in places]


def test_tables_sort_by_value_and_undefined_comes_last(opened):
    page = opened("demo")
    table = page.locator("#fairness table").first
    heading = table.locator("th[scope=col]").nth(4)
    heading.locator("button").click()
    assert heading.get_attribute("aria-sort") == "ascending"
    *values, last = column_values(page, table)
    assert len(values) > 1
    assert values == sorted(values)
    assert last is None
    heading.locator("button").click()
    assert heading.get_attribute("aria-sort") == "descending"
    assert column_values(page, table) == [*reversed(values), None]


def test_a_table_downloads_with_more_digits_than_it_shows(seen):
    page = seen("demo")
    with page.expect_download() as download:
        page.locator("#agreement caption .tool").first.click()
    text = Path(download.value.path()).read_text("utf-8")
    rows = list(csv.DictReader(io.StringIO(text)))
    exact = next(row for row in rows if row["statistic"] == "exact")
    assert download.value.suggested_filename == "systems.csv"
    assert len(exact["engine"]) > len(".528")
    assert float(exact["engine low"]) < float(exact["engine"]) < float(exact["engine high"])


def test_a_figure_downloads_as_svg_that_stands_alone(seen, browser, tmp_path):
    page = seen("demo")
    with page.expect_download() as download:
        page.locator("#agreement figcaption .tool").first.click()
    path = tmp_path / "figure.svg"
    download.value.save_as(path)
    assert "<style" in path.read_text("utf-8")
    alone = browser.new_page()
    alone.goto(path.as_uri())
    assert alone.locator("svg text:visible").count() > 10
    alone.close()


def test_the_contents_follow_the_reader(opened):
    page = opened("demo")
    assert page.inner_text("nav a[aria-current]") == "The answer"
    page.evaluate("document.getElementById('fairness').scrollIntoView({behavior: 'instant'})")
    page.locator("nav a[aria-current][href='#fairness']").wait_for()


def readings(page):
    return page.locator(".slider").first.locator("dd").all_inner_texts()


def test_the_threshold_moves_by_keys(opened):
    page = opened("demo")
    slider = page.locator(".slider input[type=range]").first
    slider.focus()
    before = readings(page)
    page.keyboard.press("ArrowRight")
    after = readings(page)
    assert all(old != new for old, new in zip(before[:2], after[:2], strict=True))
    assert "coverage" in slider.get_attribute("aria-valuetext")
    page.keyboard.press("End")
    assert "100" in readings(page)[1]


def test_the_threshold_moves_by_mouse_and_prices_count(opened):
    page = opened("demo")
    area = page.locator(".slider .fig-wide .fig-hit").first
    area.scroll_into_view_if_needed()
    box = area.bounding_box()
    marker = page.locator(".slider .fig-wide .fig-marker").first
    page.mouse.move(box["x"] + 0.2 * box["width"], box["y"] + box["height"] / 2)
    page.mouse.down()
    first = marker.get_attribute("transform")
    page.mouse.move(box["x"] + 0.8 * box["width"], box["y"] + box["height"] / 2)
    page.mouse.up()
    assert marker.get_attribute("transform") != first
    assert float(readings(page)[1].removesuffix(" %")) == pytest.approx(80, abs=3)
    before = page.inner_text(".slider [data-out=cost]")
    page.locator(".slider input[name=human]").first.fill("3")
    assert page.inner_text(".slider [data-out=cost]") != before


def test_markup_in_names_stays_text(seen):
    page = seen("hostile")
    assert page.locator("main script, main img").count() == 0
    assert "<script>alert(1)</script>" in page.inner_text("h1")
    assert "{{ 7 * 7 }}" in page.locator("#parts").text_content()  # folded


PLANTED = (
    "<script>document.title = 'run'</script>",
    "<img src='https://example.org/x.png' onerror=\"document.title = 'run'\">",
    "<a id='planted' href=\"javascript:document.title='run'\">x</a>",
    "<link rel='stylesheet' href='https://example.org/x.css'>",
    "<iframe src='https://example.org/'></iframe>",
    "<form id='sent' action='https://example.org/'><input name='x' value='y'></form>",
    "<base href='https://example.org/'>",
)


def test_markup_that_got_in_all_the_same_runs_nothing_and_loads_nothing(browser, written, tmp_path):
    text = written("hostile").read_text("utf-8")
    path = tmp_path / "planted.html"
    path.write_text(text.replace("</main>", "".join(PLANTED) + "</main>"), "utf-8")
    page = browser.new_page()
    answered: list[str] = []
    page.on("response", lambda response: answered.append(response.url))
    page.goto(path.as_uri())
    title = page.title()
    page.evaluate("document.getElementById('planted').click()")
    page.wait_for_timeout(200)
    assert page.title() == title != "run"
    # the page's own script still runs
    assert page.locator("#agreement caption .tool").count() > 0
    page.evaluate("document.getElementById('sent').submit()")
    page.wait_for_timeout(200)
    assert [url for url in answered if not url.startswith("file:")] == []
    page.close()


def test_a_downloaded_table_runs_no_formula(opened, browser, written, tmp_path):
    page = opened("hostile")
    page.evaluate("document.querySelector('#agreement tbody th').textContent = '=1+1'")
    with page.expect_download() as download:
        page.locator("#agreement caption .tool").first.click()
    text = Path(download.value.path()).read_text("utf-8")
    assert "'=1+1" in text
    assert not re.search(r"(^|,)\"?[=@]", text, re.MULTILINE)
