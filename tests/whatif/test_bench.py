"""The table that a reader moves in a browser gives what Python gives."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tallymark as tm
from tallymark.demo import SCORES
from tallymark.diagnosis.moving import (
    agreement_moved,
    errors_scaled,
    point_raised,
    points_merged,
)
from tallymark.questions.whatif.compute import on_table
from tallymark.tally import PairCounts

pytestmark = pytest.mark.browser
BOXES = (Path(__file__).parents[1] / "report" / "boxes.js").read_text("utf-8")
TABLE = np.array([[9, 2, 1, 0], [3, 28, 2, 1], [0, 4, 17, 2], [1, 0, 2, 6]])
KEYS = (
    "cohen_kappa[quadratic]", "cohen_kappa[linear]", "gwet_ac[quadratic]",
    "krippendorff_alpha[interval]", "percent_agreement",
)  # fmt: skip
MOVES: dict[str, dict[str, Any]] = {
    "nothing": {},
    "prevalence": {"point": 2, "share": 0.6},
    "fewer errors": {"errors": 0.35},
    "more errors than there are responses": {"errors": 3},
    "agreement": {"source": 1, "target": 3, "moved": 0.4},
    "points": {"points": 3},
    "all of it": {
        "point": 0, "share": 0.45, "errors": 1.25, "source": 2, "target": 0, "moved": 0.9, "points": 2,
    },
}  # fmt: skip
SET = """(wanted) => {
  const form = document.querySelector(".bench form");
  form.reset();
  return new Promise((done) => setTimeout(() => {
    for (const [key, value] of Object.entries(wanted)) {
      form.elements[key].value = value;
      form.elements[key].dispatchEvent(new Event("change", { bubbles: true }));
    }
    form.dispatchEvent(new Event("input"));
    done(Object.fromEntries([...document.querySelectorAll(".bench [data-out]")].map((out) => [out.dataset.out, out.dataset.value])));
  }, 20));
}"""


def moved(asked: dict[str, Any]) -> PairCounts:
    table = PairCounts(TABLE * 1.0, np.array([0.0, 1.0, 2.0, 3.0]))
    if "share" in asked:
        table = point_raised(table, asked["point"], asked["share"])
    table = errors_scaled(table, asked.get("errors", 1.0))
    if "moved" in asked:
        table = agreement_moved(table, asked["source"], asked["target"], asked["moved"])
    return points_merged(table, asked.get("points", 4))


@pytest.fixture(scope="module")
def page(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    path = Path(tmp_path_factory.mktemp("whatif")) / "report.html"
    tm.whatif(TABLE, table=True, scale="0:3").to_html(path)
    page = browser.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text))
    page.goto(path.as_uri())
    yield page
    assert complaints == []
    page.close()


@pytest.mark.parametrize("asked", MOVES.values(), ids=MOVES)
def test_a_moved_table_has_the_numbers_that_python_gives(page, asked):
    shown = page.evaluate(SET, asked)
    for key in KEYS:
        value = on_table(key)
        assert value is not None
        assert float(shown[key]) == pytest.approx(float(value(moved(asked))), abs=1e-9), key


def test_the_ceiling_on_the_page_is_that_of_the_scenarios(browser, tmp_path):
    evaluation = tm.whatif(SCORES, systems=["engine"])
    path = tmp_path / "report.html"
    evaluation.to_html(path)
    page = browser.new_page()
    page.goto(path.as_uri())
    rows = {row["scenario"]: row for row in evaluation.table("scenarios").records()}
    ways: dict[str, dict[str, float]] = {
        "as it is": {},
        "gold 4 at 50 %": {"point": 3, "share": 0.5},
        "3 score points": {"points": 3},
    }
    for name, asked in ways.items():
        shown = page.evaluate(SET, asked)
        assert float(shown["ceiling"]) == pytest.approx(rows[name]["ceiling"], abs=1e-9), name
        assert float(shown[KEYS[0]]) == pytest.approx(rows[name]["QWK"], abs=1e-9), name
    page.close()


def test_the_page_holds_the_counts_and_no_text_that_ends_a_script():
    text = tm.whatif(TABLE, table=True, scale="0:3", systems=["</script><b>"]).to_html()
    embedded = text.split('id="numbers">')[1].split("</script>")[0]
    assert json.loads(embedded)["benches"]["bench"]["counts"] == TABLE.tolist()
    assert "</script><b>" not in text


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_barrier_is_found_and_no_text_is_cut_off(page, scheme):
    from axe_playwright_python.sync_playwright import Axe

    page.emulate_media(color_scheme=scheme)
    assert Axe().run(page).response["violations"] == []
    for width in (320, 800, 1600):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate(BOXES, False) == [], width
