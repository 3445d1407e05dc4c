"""The report as text: made of the evaluation alone, the same bytes each time, nothing unexplained."""

import itertools
import json
import re
import shlex
import tomllib
from html.parser import HTMLParser

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

import tallymark as tm
from tallymark.cli.main import tallymark
from tallymark.results import (
    Comparison,
    Curve,
    Definition,
    Estimate,
    Evaluation,
    Finding,
    Key,
    Kind,
    ResultTable,
    Subset,
    system_called,
)
from tests.report import cases

KINDS = ("demo", "judged", "one_row", "one_category", "hostile", "panel", "verdict")
LARGEST = 300_000
VOID = {"meta", "link", "input", "br", "img"}


class Page(HTMLParser):
    """The elements of a page, its ids and links, and whether every element is closed."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.open, self.text = [], [], ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data

    def of(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]


@pytest.fixture(scope="module", params=KINDS)
def evaluation(request):
    return getattr(cases, request.param)()


@pytest.fixture(scope="module")
def page(evaluation):
    return Page(evaluation.to_html())


def test_the_json_gives_the_same_bytes(evaluation):
    again = Evaluation.from_json(evaluation.to_json())
    assert again.to_html() == evaluation.to_html()


def test_every_element_is_closed_and_every_id_unique(page):
    assert page.open == []
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))


def test_links_stay_on_the_page_and_lead_somewhere(page):
    ids = {attributes["id"] for _, attributes in page.elements if "id" in attributes}
    links = [attributes["href"] for attributes in page.of("a")]
    assert links
    assert {link[1:] for link in links} <= ids
    sources = [a[k] for _, a in page.elements for k in ("src", "srcset", "data") if k in a]
    assert sources == []


@pytest.mark.parametrize("kind", ["evaluate", "raters", "compare"])
def test_more_findings_than_fit_lead_to_their_section(kind, monkeypatch):
    monkeypatch.setattr("tallymark.analyses.findings.MOST_ALARMS", 0)
    found = cases.demo()
    loud = tuple(replace(f, weight="loud") for f in found.findings if f.weight == "quiet")
    text = replace(found, kind=kind, findings=loud).to_html()
    place = re.search(r'href="#(\w+)">\d+ more</a> that may turn a decision', text)
    assert place, "more than fit"
    assert f'<section id="{place[1]}"' in text


def test_every_table_has_a_caption_and_headings(page):
    tags = [tag for tag, _ in page.elements]
    assert tags.count("table") == tags.count("caption") == tags.count("thead")
    assert all(attributes.get("scope") in ("row", "col") for attributes in page.of("th"))


def test_every_number_has_a_definition(page, evaluation):
    (text,) = re.findall(r'id="numbers">(.*?)</script>', evaluation.to_html())
    numbers = json.loads(text)
    ids = {attributes["id"] for _, attributes in page.elements if "id" in attributes}
    assert {place for _, place in numbers["statistics"]} <= ids
    places = {int(a["data-e"]) for _, a in page.elements if "data-e" in a}
    assert places == set(range(len(numbers["rows"])))


def test_headings_go_down_by_one(page):
    levels = [int(tag[1]) for tag, _ in page.elements if re.fullmatch(r"h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in itertools.pairwise(levels))


def test_the_page_that_the_demo_writes_is_small(tmp_path):
    assert CliRunner().invoke(tallymark, ["demo", "--out", str(tmp_path)]).exit_code == 0
    assert (tmp_path / "report.html").stat().st_size < LARGEST


def test_names_are_text_everywhere():
    text = cases.hostile().to_html()
    assert "<script>alert" not in text
    assert "<img" not in text
    assert "\u202e" not in text
    assert len(Page(text).of("script")) == 2


def test_sections_without_data_say_what_they_need():
    text = Page(cases.one_row().to_html()).text
    assert "a column of groups, such as --group gender." in text
    assert "a second system, and tallymark compare." in text


def test_without_a_policy_the_page_says_so_and_answers():
    text = Page(cases.demo().to_html()).text
    assert "no policy was named" in text
    assert "does not clearly agree with a person more or less than two people agree" in text
    assert "agrees with a person less than two people agree with each other." in text


def test_an_undefined_difference_is_no_agreement():
    text = Page(cases.one_row().to_html()).text
    assert "It cannot be compared with people" in text


def test_a_verdict_comes_first_with_its_limits_and_what_is_missing():
    text = re.sub(r"\s+", " ", Page(cases.verdict().to_html()).text)
    first = text[: text.index("Data and exclusions What")]
    for said in ("undecided", "limit: at least .70", "these data leave it open",
                 "Missing: no response was rated by two people",
                 "Missing evidence Degradation <r>: no response was rated by two people",
                 "The resolution rule decides.", "report both with QWK",
                 "Limits are conventions."):  # fmt: skip
        assert said in first, said


def test_people_alone_have_no_sections_on_systems():
    ids = {a.get("id") for a in Page(cases.panel().to_html()).of("section")}
    assert "people" in ids
    assert not ids & {"agreement", "fairness", "comparison"}


def test_exclusions_are_counted_by_reason():
    data = {"h1": [1, 2, None, 4, 3], "engine": [1, 2, 3, None, 3]}
    text = Page(tm.evaluate(data, scale="1:4", replicates=100).to_html()).text
    assert "5 responses read, " in text
    assert re.search(r"excluded: .*\(1\)", text)


def test_the_command_and_the_options_ask_for_the_same():
    text = Page(cases.hostile().to_html()).text
    command = text[text.index("tallymark evaluate FILE") : text.index("The same options as a file")]
    words = shlex.split(command.replace("\\\n", " "))
    assert words[words.index("--system") + 1] == cases.SCRIPT
    assert words[words.index("--scale") + 1] == "1:4"
    start = text.index("The same options as a file for --config")
    options = text[text.index("\n", start) : text.index("Definitions", start)]
    found = tomllib.loads(options)
    assert found["human"] == ["h<b>1", 'h"2']
    assert found["confidence"] == {cases.SCRIPT: "sure"}


def made_by_hand(**more):
    """A small evaluation of another kind."""
    base = cases.one_row()
    subset = Subset(
        id="a against b", subject=system_called("a"), against=Comparison(Kind.SYSTEM, "b"), n=10
    )
    estimate = Estimate(
        key=Key("paired_difference", of="pearson"), value=0.1, low=0.02, high=0.2, n=10,
        subset=0, parts={"p": 0.01, "p_holm": 0.02},
    )  # fmt: skip
    definition = Definition(
        name="paired_difference", params={"of": "pearson"}, title="Paired difference",
        reading="Above 0 the first is better.", formula="s(a) - s(b)",
    )  # fmt: skip
    return replace(
        base, kind="compare", options={**base.options, "systems": ["a", "b"]}, subsets=(subset,),
        estimates=(estimate,), definitions={estimate.text: definition}, matrices=(), curves=(),
        tables=(), findings=(), **more,
    )  # fmt: skip


def test_differences_between_systems_are_told():
    text = Page(made_by_hand().to_html()).text
    assert "The first system less the second" in text
    assert "0.10[0.02, 0.20]" in text.replace(" ", "") or ".10" in text
    assert ".020" in text


def test_tables_and_curves_of_a_question_are_shown():
    table = ResultTable(
        name="pass_fail", title="What it <costs>", columns=("item", "value", "low", "high", "share"),
        rows=(("paper", 2.0, 1.5, 2.5, None), ("ink", 1.0, None, None, 0.25)), note="As of now",
    )  # fmt: skip
    curve = Curve(
        name="pass_fail[x]", subset=0, x_title="time", y_title="height", x=(0, 1, 2), y=(1, 3, 2)
    )
    found = made_by_hand()
    html = replace(found, kind="evaluate", tables=(table,), curves=(curve,)).to_html()
    text = Page(html).text
    assert "What it <costs>" in text
    assert "2.0 [1.5, 2.5]" in text
    assert "As of now." in text
    assert "agreement on pass and fail by pass mark" in text
    assert 'data-i="1.5 2.5"' in html


def test_many_rows_are_cut_and_counted():
    rows = tuple((f"r{i}", i) for i in range(250))
    table = ResultTable(name="pass_fail", title="Long", columns=("name", "number"), rows=rows)
    text = Page(replace(made_by_hand(), kind="evaluate", tables=(table,)).to_html()).text
    assert "50 more rows are in the folder of tables." in text
    assert "r199" in text
    assert "r200" not in text


class Open(HTMLParser):
    """The words of a page that nothing folds."""

    def __init__(self, text):
        super().__init__()
        self.inside, self.words = [], 0
        self.feed(text)

    def handle_starttag(self, tag, _):
        if tag in {"details", "script", "style", "summary", "svg"}:
            self.inside.append(tag)

    def handle_endtag(self, tag):
        if tag in self.inside:
            self.inside.remove(tag)

    def handle_data(self, data):
        self.words += 0 if self.inside else len(data.split())


def test_many_systems_on_many_prompts_take_few_words():
    assert Open(cases.many().to_html()).words < 5_000


def test_a_first_screen_has_at_most_three_alarms_each_finding_once():
    evaluation = cases.many()
    names = ("gpt-4o-mini-0", "gpt-4o-mini-1", "gpt-4o-mini-2")
    kinds = ("resolution_decides", "scale_decides")
    numbers = {"accepted": 0.8, "rejected": 0.6, "settled": 2.0}
    numbers |= {"accepted_points": 5.0, "rejected_points": 3.0}
    findings = tuple(
        Finding(name=kind, system=name, numbers=numbers) for kind in kinds for name in names
    )
    first = replace(evaluation, findings=findings).to_html().partition('<section id="data"')[0]
    assert first.count('class="finding loud"') == len(kinds)
    assert "Found also for gpt-4o-mini-1, gpt-4o-mini-2." in first


def test_a_notebook_shows_the_verdict_first():
    html = cases.verdict()._repr_html_()
    text = re.sub(r"\s+", " ", Page(html).text)
    said = text.index("undecided: <script>alert(1)</script> meets ")
    assert said < text.index("Systems against the gold")
    assert "Missing evidence: Degradation <r>: no response was rated by two people" in text


def test_an_open_verdict_names_its_system_once():
    truth = [1, 2, 3, 4, 5, 6] * 20
    columns = {"h1": truth, "engine": [min(6, x + (i % 7 == 0)) for i, x in enumerate(truth)]}
    found = tm.evaluate(
        columns, humans=["h1"], systems=["engine"], policy="williamson2012", replicates=100
    )
    assert (
        found.to_html().count("<b>engine</b> meets 3 of 5 limits of williamson2012; 2 are open: ")
        == 1
    )
