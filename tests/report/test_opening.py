"""The first screen of each kind of analysis: its figure comes first, and stands there alone."""

import re

import numpy as np
import pytest

import tallymark as tm
from tallymark.analyses.sections import opening
from tallymark.render.figures.heatmap import heatmap
from tallymark.render.figures.ranking import ranking
from tallymark.render.layout import plain_text, table
from tallymark.render.model import Drawing, Slider
from tallymark.results import ResultTable

COLUMNS = ("system", "value", "low", "high", "rank", "rank_low", "rank_high", "share_first")


def scored(seed=4, n=200):
    rng = np.random.default_rng(seed)
    truth = rng.normal(3.5, 1.2, n)

    def given(sd):
        return np.clip(np.rint(truth + rng.normal(0, sd, n)), 1, 6).astype(int).tolist()

    return rng, given


@pytest.fixture(scope="module")
def compared():
    _, given = scored()
    columns = {"h1": given(0.6), **{f"model/{c}": given(0.5 + i / 5) for i, c in enumerate("abc")}}
    systems = [name for name in columns if name != "h1"]
    return tm.compare(columns, humans=["h1"], systems=systems, scale="1:6")


@pytest.fixture(scope="module")
def people():
    rng, given = scored(n=600)
    columns = {f"r{i}": given(0.6) for i in range(1, 5)}
    columns["r5"] = rng.integers(1, 7, 600).tolist()
    return tm.raters(columns, humans=[*columns], scale="1:6", interval="analytic")


def ranked(values):
    rows = tuple(
        (f"model-{i}", value, value - 0.02, value + 0.02, i + 1, i + 1, i + 1, 0.1)
        for i, value in enumerate(values)
    )
    return ResultTable(name="ranking", title="QWK", columns=COLUMNS, rows=rows)


def test_a_comparison_opens_with_its_ranking_and_shows_it_once(compared):
    blocks = [*opening(compared)]
    assert isinstance(blocks[0], Drawing)
    assert blocks[0].draw == "ranking"
    assert blocks[0].full
    page = compared.to_html()
    assert page.index("Systems from the best to the worst") < page.index('<section id="data"')
    assert page.count('id="figure-ranking-figure"') == 1
    assert "names without model/" in page


def test_raters_open_with_severity_and_a_heatmap_of_pairs(people):
    drawn = [block.draw for block in opening(people) if isinstance(block, Drawing)]
    assert drawn == ["severity", "heatmap"]
    page = people.to_html()
    assert page.count('id="figure-severity-figure"') == 1
    assert re.search(r"<b>r5</b> agrees with nobody: r [−.\d]+ \[", page)
    assert not re.search(r"<b>r[1-4]</b> agrees with nobody", page)


def test_a_routing_file_opens_with_what_is_accepted_and_the_curve():
    rng, given = scored(n=600)
    data = {"h1": given(0.4), "engine": given(0.4), "sure": rng.random(600).tolist()}
    certified = tm.route.certify(
        data, humans=["h1"], system="engine", confidence="sure", scale="1:6", lambda_=0.6, alpha=0.1
    )
    assert [type(block) for block in opening(certified.evaluation)] == [Slider]
    first = certified.evaluation.to_html().partition('<section id="data"')[0]
    assert re.search(
        r"\d+ % can be accepted; at most 10 % of them critically wrong \(95 % sure\)", first
    )
    assert first.count('class="slider"') == 1
    assert certified.evaluation.to_html().count('class="slider"') == 1


def test_a_system_far_off_breaks_the_axis_and_squeezes_no_other():
    near = [0.8, 0.79, 0.78, 0.77, 0.76, 0.75]
    plain = ranking(ranked(near), prefix="a").svg
    broken = ranking(ranked([*near, -0.1]), prefix="a").svg

    def places(svg):
        return [float(x) for x in re.findall(r'<circle class="dot c\d" cx="([\d.]+)"', svg)][::2]

    assert len(places(plain)) == len(near)
    first, last = places(broken)[0], places(broken)[len(near) - 1]
    assert first - last > 0.7 * (places(plain)[0] - places(plain)[-1])
    assert "−.100 [−.120, −.080]" in broken


def test_a_heatmap_has_each_pair_twice_and_puts_who_agrees_least_last():
    names = ["x", "odd", "y"]
    values = {("x", "odd"): 0.05, ("x", "y"): 0.8, ("odd", "y"): -0.1}
    svg = heatmap(names, values, statistic="QWK", prefix="h").svg
    assert svg.count(".80</text>") == 2
    assert svg.count("−.10</text>") == 2
    labels = re.findall(r'class="k e">([^<]+)</text>', svg)
    assert labels[:3] == ["x", "y", "odd"]
    assert not heatmap(names, {}, prefix="h")


def test_names_too_wide_for_a_terminal_lose_what_all_begin_with():
    names = [f"experiments/2024-05/a-rather-long-model-{i}" for i in ("a", "b", "random")]
    lines = plain_text(table(["system", "n"], [[name, "1"] for name in names], 60))
    assert [line.split()[0] for line in lines.splitlines()[1:-1]] == ["...a", "...b", "...random"]
