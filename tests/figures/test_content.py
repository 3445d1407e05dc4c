"""What figures say: the right numbers in the right places, in the words of the evaluation."""

import itertools
import re

import pytest
from msgspec.structs import replace

from tallymark.questions.ceilings.view import section as ceilings
from tallymark.questions.severity.view import raters_of
from tallymark.render.drawing import figure_of
from tallymark.render.figures.records import NARROW, WIDE, Mark, RaterPoint, Series, Whisker
from tallymark.render.model import Drawing
from tallymark.results import (
    CEILING,
    GOLD,
    OTHERS,
    PEOPLE,
    SEVERITY,
    Curve,
    Data,
    Estimate,
    Evaluation,
    Key,
    Matrix,
    ResultTable,
    Subset,
    rater_called,
    system_called,
)
from tests.figures.boxes import boxes, parsed
from tests.figures.every import figures
from tests.figures.samples import curve, ranks

NAN = float("nan")


def found(subset, text, value, n=1200):
    name, _, params = text.partition("[")
    keys = {"given": params.removesuffix("]")} if params else {}
    low, high = value - 0.02, value + 0.02
    return Estimate(key=Key(name, **keys), value=value, low=low, high=high, n=n, subset=subset)


@pytest.fixture
def evaluation():
    """Two systems against gold, beside raters and ceilings."""
    engine, chatbot = map(system_called, ("engine", "chatbot"))
    names = [
        (engine, GOLD), (chatbot, GOLD), (PEOPLE, CEILING), (rater_called("h1"), OTHERS),
        (engine, SEVERITY), (chatbot, SEVERITY),
    ]  # fmt: skip
    ceilings = {
        "human_human[cohen_kappa[quadratic]]": 0.80,
        "ceiling_theoretical[first]": 0.896,
        "ceiling_human_like[first]": 0.803,
        "ceiling_quantised[first]": 0.875,
    }
    estimates = [found(0, "cohen_kappa[quadratic]", 0.793), found(1, "cohen_kappa[quadratic]", 0.7)]
    estimates += [found(2, text, value) for text, value in ceilings.items()]
    for i, severity in ((3, 0.4), (4, -0.3), (5, 0.1)):
        estimates += [found(i, "severity", severity), found(i, "infit", 0.9), found(i, "outfit", 2)]
    return Evaluation(
        kind="evaluate",
        options={"systems": ["engine", "chatbot"], "resolve": "first"},
        data=Data(read=1200, used=1200, scale="1:6"),
        definitions={},
        subsets=tuple(Subset(id=f"{a} {b}", subject=a, against=b, n=1200) for a, b in names),
        estimates=tuple(estimates),
    )


def table(rows=("1", "2", "3"), values=((5, 1, 0), (2, 17, 4), (0, 0, 9))):
    return Matrix(
        name="confusion",
        subset=0,
        row_title="gold",
        rows=rows,
        column_title="engine",
        columns=rows,
        values=values,
    )


def texts(figure):
    return [box.text for box in boxes(figure.svg)]


def tips(figure):
    return re.findall(r"<title>(.*?)</title>", figure.svg)


def test_rows_of_a_matrix_are_gold_and_columns_the_system():
    figure = figures.confusion(table(), prefix="f")
    places = {box.text: box for box in reversed(boxes(figure.svg))}  # the first of a text counts
    assert "engine (columns)" in places
    assert "gold (rows)" in places
    assert "gold 2, engine 3: 4, 17 % of the row" in tips(figure)
    # 4 responses of gold 2 got a 3: on the row of the 17, in the column of 3
    assert places["4"].top == places["17"].top
    assert places["4"].left + places["4"].right == places["3"].left + places["3"].right


def test_the_margins_of_a_matrix_are_its_sums():
    figure = figures.confusion(table(), prefix="f")
    shown = texts(figure)
    assert shown.count("all") == 2
    assert {"6", "23", "38"} <= set(shown)
    assert shown.count("18") == 1  # engine gave a 2 so often


@pytest.mark.parametrize(("count", "written"), [(1234, "1,234"), (1_234_567, "1.2M")])
def test_large_counts_are_written_short_where_they_do_not_fit(count, written):
    values = tuple(tuple(count if i == j else 0 for j in range(6)) for i in range(6))
    figure = figures.confusion(table(tuple("123456"), values), width=WIDE, prefix="f")
    assert written in texts(figure)


def test_a_large_matrix_has_shades_and_few_labels():
    values = tuple(tuple(3 if abs(i - j) < 2 else 0 for j in range(30)) for i in range(30))
    figure = figures.confusion(table(tuple(map(str, range(30))), values), width=NARROW, prefix="f")
    assert "3" not in [box.text for box in boxes(figure.svg) if box.left > 60 and box.top > 45]
    assert 'class="heat"' in figure.svg
    assert len(figure.svg) < 20_000


def test_calibration_is_the_mean_at_each_gold_score():
    figure = figures.calibration(table(), prefix="f")
    assert tips(figure)[1].startswith("23 responses with gold 2: engine gives 2.09 on average")
    # (2*1 + 17*2 + 4*3)/23 = 48/23; the sum of squares is 106 - 48*48/23, divided by 22
    assert "standard deviation 0.51" in tips(figure)[1]
    unread = figures.calibration(table(rows=("low", "mid", "high")), prefix="f")
    assert unread.why == "the scores are no numbers"


def test_distributions_are_percentages_of_each_giver():
    matrix = Matrix(
        name="distribution",
        subset=0,
        row_title="score",
        rows=("0", "1"),
        column_title="given by",
        columns=("gold", "engine"),
        values=((30, 1), (10, 3)),
    )
    figure = figures.distribution(matrix, prefix="f")
    assert {"75", "25"} <= set(texts(figure))
    assert "engine: 3 at 1" in tips(figure)


def test_an_estimate_is_written_by_the_one_rule():
    kappa = Estimate(key=Key("cohen_kappa", weights="quadratic"), value=0.7934, n=200)
    row = Whisker.of(kappa, "engine", series=2)
    assert row.text == ".793 (no interval)"
    assert row.detail == "cohen_kappa[quadratic] .793 (no interval), n = 200"
    lost = Whisker.of(Estimate(key=Key("pearson"), value=NAN, n=3, why="scores do not vary"), "x")
    figure = figures.intervals([row, lost], title="t", prefix="f")
    assert "undefined" in texts(figure)
    assert any("because scores do not vary" in tip for tip in tips(figure))


def test_an_undecided_limit_has_an_open_dot():
    for state, kind in (("undecided", "ring cu"), ("met", "dot cm"), ("not met", "dot cn")):
        figure = figures.strip(Whisker("QWK", 0.7, 0.6, 0.8, state=state), prefix="f")
        assert f'class="{kind}"' in figure.svg


def test_an_interval_far_longer_than_the_others_is_cut_with_an_arrow():
    rows = [Whisker(f"g{i}", i / 100, i / 100 - 0.05, i / 100 + 0.05) for i in range(9)]
    wide = Whisker("tiny group", 0.0, -40.0, 40.0)
    drawn = figures.forest([*rows, wide], prefix="f").svg
    plain = figures.forest(rows, prefix="f").svg
    assert drawn.count("seg") == plain.count("seg") + 3  # its line and two arrows


def test_the_forest_names_the_groups_outside_the_limits():
    rows = [
        Whisker("in", 0.0, -0.05, 0.05),
        Whisker("out", -0.3, -0.4, -0.2),
        Whisker("open", 0.12, 0.05, 0.2),
    ]
    root = parsed(figures.forest(rows, prefix="f").svg)
    assert (root[1].text or "").startswith("Surely outside the limits: out.")


def test_the_ladder_has_the_ceilings_of_the_gold_that_is_used(evaluation):
    (drawing,) = [b for b in ceilings(evaluation).blocks if isinstance(b, Drawing)]
    figure = figure_of(drawing.draw)(*drawing.args, prefix="f", **drawing.options)
    names = ["theoretical", "quantised", "human-like", "human-human", "engine", "chatbot"]
    values = [".896", ".875", ".803", ".800", ".793", ".700"]
    assert [text for text in texts(figure) if text in names] == names
    assert [text.partition(" ")[0] for text in texts(figure) if "[" in text] == values
    nobody = replace(evaluation, subsets=evaluation.subsets[:2], estimates=evaluation.estimates[:2])
    assert ceilings(nobody).blocks == ()


def test_raters_and_systems_are_found_with_their_fit(evaluation):
    raters = raters_of(evaluation)
    assert [(r.row.label, r.row.series) for r in raters] == [
        ("h1", 0),
        ("engine", 1),
        ("chatbot", 2),
    ]
    assert {(rater.infit, rater.outfit) for rater in raters} == {(0.9, 2)}


def test_a_rater_who_does_not_fit_is_marked():
    raters = [RaterPoint(Whisker("h1", 0.1), 0.9, 1.0), RaterPoint(Whisker("h2", 0.7), 1.8, 2.1)]
    figure = figures.severity(raters, prefix="f")
    assert [text for text in texts(figure) if text in {"h1", "h2"}] == ["h2", "h1"]
    assert "Outside 0.5 to 1.5: h2." in figure.svg
    assert "cn" in figure.svg


def test_the_marker_of_risk_lies_where_the_mapping_says():
    risk, upper = curve(50), curve(50, "risk_upper", 0.08)
    figure = figures.risk_coverage(risk, upper, limit=0.05, prefix="f")
    root = parsed(figure.svg)
    at = {key: float(root.attrib[f"data-{key}"]) for key in ("left", "right", "xmin", "xmax")}
    assert "fig-risk" in root.attrib["class"]
    # upper is .01 + .08 x, so .05 is kept up to x = .5, the 25th of 50 points
    assert 'data-index="24"' in figure.svg
    place = at["left"] + 0.5 * (at["right"] - at["left"])
    moved = re.search(r'class="fig-marker" .*?translate\(([\d.]+),0\)', figure.svg)
    assert moved
    assert float(moved[1]) == pytest.approx(place, abs=0.1)
    for part in ("fig-accepted", "fig-marker-risk", "fig-marker-upper", "fig-hit"):
        assert figure.svg.count(part) == 1


def test_ranks_that_stay_open_are_told():
    figure = figures.ranking(ranks(3), prefix="f")
    assert "1 to 2" in texts(figure)
    assert any(tip.endswith("first in 10 % of draws") for tip in tips(figure))


def test_a_ranking_without_uncertainty_is_drawn_too():
    plain = ResultTable(
        name="ranking", title="MAE", columns=("system", "value", "rank"), rows=(("a", 2.5, 1),)
    )
    assert "2.50" in texts(figures.ranking(plain, prefix="f"))


def test_labels_of_lines_that_end_together_are_moved_apart():
    lines = [Series(f"line {i}", [0, 1], [0.5, 0.5], series=i) for i in range(1, 7)]
    figure = figures.lines(lines, title="t", x_title="x", y_title="y", prefix="f")
    tops = sorted(box.top for box in boxes(figure.svg) if box.text.startswith("line"))
    assert min(b - a for a, b in itertools.pairwise(tops)) >= 15


def test_an_undefined_point_parts_a_line():
    gap = Curve(
        name="c", subset=0, x_title="x", y_title="y", x=(0, 1, 2, 3, 4), y=(1, 2, NAN, 2, 3)
    )
    path = re.search(r'class="curve[^"]*" d="([^"]*)"', figures.curves([gap], prefix="f").svg)
    assert path
    assert path[1].count("M") == 2


def test_a_limit_outside_the_plot_is_not_drawn():
    row = Whisker("x", 0.5, 0.4, 0.6)
    figure = figures.strip(row, [Mark(0.9, "far")], domain=(0.0, 0.7), prefix="f")
    assert "far" not in texts(figure)
