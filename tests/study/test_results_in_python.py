"""Results as Python sees them: a short repr, numbers and tables by name, one tidy frame."""

import re
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest

import tallymark as tm
from tallymark.errors import DataError, OptionError
from tallymark.render.tables import tables
from tallymark.results import frames

OPTION = re.compile(r"(?<![\w'-])--[a-z]")
MOST_LINES = 16


def scores():
    """Two raters, two systems, one with a confidence, and two topics."""
    rng = np.random.default_rng(1)
    truth = rng.normal(2.5, 0.9, 240)

    def scored(sd):
        return np.clip(np.rint(truth + rng.normal(0, sd, truth.size)), 1, 4).astype(int).tolist()

    columns = {"h1": scored(0.4), "h2": scored(0.4), "engine": scored(0.3), "other": scored(0.8)}
    sure = (1 - np.abs(np.array(columns["engine"]) - truth) / 3).round(3).tolist()
    return columns | {"sure": sure, "topic": ["a", "b"] * 120}


@pytest.fixture(scope="module")
def every():
    """One result of each kind."""
    table = scores()
    alone = {name: table[name] for name in ("h1", "engine")}
    people: dict[str, Any] = {"humans": ["h1", "h2"], "scale": "1:4"}
    systems: dict[str, Any] = {**people, "systems": ["engine", "other"], "replicates": 100}
    terms: dict[str, Any] = {"confidence": "sure", "alpha": 0.4, "lambda_": 0.4}
    certified = tm.route.certify(table, system="engine", **terms, **people)
    return {
        "evaluate": tm.evaluate(table, **systems, prompt="topic", policy="llm-judge"),
        "alone": tm.evaluate(alone, humans="h1", systems="engine", scale="1:4"),
        "compare": tm.compare(table, **systems),
        "raters": tm.raters(table, **people),
        "ceiling": tm.ceiling(table, **people),
        "plan": tm.plan.width(half_width=0.05, value=0.7),
        "route": certified.evaluation,
        "certified": certified,
        "routing": certified.routing,
        "decisions": tm.route.apply(certified.routing, table),
        "watched": tm.route.monitor(certified.routing, table),
    }


KINDS = [
    "evaluate", "alone", "compare", "raters", "ceiling", "plan", "route", "certified", "routing",
    "decisions", "watched",
]  # fmt: skip
EVALUATIONS = KINDS[:7]


@pytest.mark.parametrize("kind", KINDS)
def test_the_repr_of_a_result_is_a_few_lines(every, kind):
    text = repr(every[kind])
    assert 0 < len(text.splitlines()) <= MOST_LINES
    assert max(map(len, text.splitlines())) < 160
    assert "Estimate(" not in text
    assert not OPTION.search(text)


def test_it_says_what_was_read_the_numbers_and_the_verdict(every):
    first, *rest = repr(every["evaluate"]).splitlines()
    assert first == "evaluate: 240 responses read, 240 used; scale 1:4"
    assert re.search(r"engine +\.\d+ \[\.\d+, \.\d+\]", "\n".join(rest))
    states = ("met:", "not met:", "undecided:")
    assert sum(line.startswith(states) for line in rest) == 2


def test_an_estimate_is_one_line_and_a_reason_stands_beside_it():
    assert repr(tm.estimate("exact", [1, 2, 3, 4], [1, 2, 3, 3])).startswith(
        "Estimate(percent_agreement .75 ["
    )
    undefined = tm.estimate("pearson", [1, 1, 1], [1, 2, 3])
    assert "undefined, n=3: " in repr(undefined)


@pytest.mark.parametrize("kind", EVALUATIONS)
def test_every_table_is_had_by_its_name(every, kind):
    for name, text in tables(every[kind]).items():
        table = every[kind].table(name.removesuffix(".csv"))
        assert len(table.records()) == len(table.rows) <= text.count("\n")
        assert len(repr(table).splitlines()) < 12
        assert list(table.to_frame().columns) == list(table.columns)


@pytest.mark.parametrize("kind", [kind for kind in EVALUATIONS if kind != "plan"])
def test_every_number_is_had_by_its_name(every, kind):
    """Named in full, each number of the headline is the one that the frame has."""
    evaluation = every[kind]
    reached = 0
    for estimate in evaluation.estimates:
        subset = evaluation.subsets[estimate.subset]
        parts = {p: getattr(subset, p) for p in ("prompt", "trait", "fold", "group")}
        where = {part: value for part, value in parts.items() if value is not None}
        if subset.average or subset.fisher_z or (subset.group_column and len(where) > 1):
            continue
        asked = {**where, "against": str(subset.against)}
        try:
            number = evaluation.number(estimate.text, of=subset.system, **asked)
        except OptionError as refused:
            pytest.fail(f"{estimate.text} {subset}: {refused}")
        got = evaluation.subsets[number.subset]
        assert number.key == estimate.key
        assert got.subject.name == subset.subject.name
        reached += number is estimate
    assert reached > len(evaluation.estimates) / 4


def test_a_number_is_that_of_the_headline(every):
    evaluation = every["evaluate"]
    qwk = evaluation["qwk", "engine"]
    assert evaluation.subsets[qwk.subset].average == "prompt"
    assert evaluation["cohen_kappa[quadratic]", "engine"] is qwk
    prompt = evaluation.subsets[2].prompt or "a"
    part = evaluation.number("qwk", of="engine", prompt=prompt)
    assert evaluation.subsets[part.subset].prompt == prompt
    alone = every["alone"]["QWK"]
    assert every["alone"].subsets[alone.subset].whole


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda e: e["qwkk"], "no number is called 'qwkk' here. Did you mean 'QWK'"),
        (lambda e: e["qwk"], r'there is qwk of engine, other: name one, as in \["qwk", "engine"\]'),
        (lambda e: e["qwk", "engin"], "no qwk of 'engin'. Did you mean 'engine'"),
        (lambda e: e["degradation"], r"'degradation' may mean degradation\["),
        (lambda e: e["severity[x]"], "was not computed here"),
        (lambda e: e.number("qwk", of="engine", prompt="zz"), "no qwk of prompt 'zz'. There is"),
        (lambda e: e.number("qwk", of="engine", promt="a"), "unknown keyword 'promt'"),
        (lambda e: e.table("confusio"), "no table is called 'confusio'. Did you mean 'confusion"),
        (lambda e: e.table("confusion"), "may mean confusion_engine, confusion_other"),
        (lambda e: e.to_frame("excel"), "library must be 'pandas' or 'polars', got 'excel'"),
    ],
)
def test_what_is_not_there_is_refused_with_what_is(every, ask, message):
    with pytest.raises(OptionError, match=message):
        ask(every["evaluate"])


def test_a_place_is_no_name(every):
    with pytest.raises(TypeError, match=r'name a number, as in \["qwk"\]'):
        every["alone"][0]


def test_the_frame_is_tidy_and_the_same_in_every_library(every):
    evaluation = every["evaluate"]
    pandas, polars = evaluation.to_frame("pandas"), evaluation.to_frame("polars")
    assert list(pandas.columns) == list(polars.columns) == list(evaluation.records()[0])
    assert len(pandas) == len(polars) == len(evaluation.estimates)
    first = ["system", "prompt", "trait", "group_column", "group", "against", "against_name"]
    assert list(pandas.columns)[:12] == [*first, "statistic", "value", "low", "high", "n"]
    rows = pandas[(pandas.statistic == "cohen_kappa[quadratic]") & (pandas.system == "engine")]
    assert evaluation["qwk", "engine"].value in set(rows.value)
    assert set(pandas.system) >= {"engine", "other", "people"}


def test_without_a_library_the_records_are_offered(every, monkeypatch):
    monkeypatch.setattr(frames, "find_spec", lambda _: None)
    with pytest.raises(OptionError, match=r"pip install pandas. records\(\) gives the same"):
        every["evaluate"].to_frame()
    monkeypatch.setattr(frames, "find_spec", lambda name: name == "polars" or None)
    assert type(every["evaluate"].to_frame()).__module__.startswith("polars")


def test_a_routing_is_taken_in_every_form(every, tmp_path):
    file = tmp_path / "routing.json"
    file.write_text(every["routing"].to_json(), "utf-8")
    for routing in (every["certified"], every["routing"], file, str(file)):
        assert tm.route.apply(routing, scores()).records() == every["decisions"].records()


def test_a_ceiling_is_that_of_the_gold_in_use(every):
    assert every["ceiling"]["ceiling_theoretical"].text == "ceiling_theoretical[mean]"
    assert every["evaluate"]["ceiling_theoretical"].text == "ceiling_theoretical[first]"


def test_a_name_without_parameters_means_the_usual_ones(every):
    evaluation = every["alone"]
    for name in ("smd", "krippendorff_alpha", "gwet_ac", "csrate"):
        rows = [e.text for e in evaluation.estimates if e.name == name]
        assert evaluation[name].text in {tm.estimate(name, [1, 2, 3], [1, 2, 2]).text, rows[0]}


def test_a_verdict_prints_its_states(every):
    verdict = every["evaluate"].verdict
    assert re.fullmatch(r"Verdict\(llm-judge: engine [a-z ]+, other [a-z ]+\)", repr(verdict))
    assert repr(verdict.systems[0]).startswith("Judgement(engine ")
    assert repr(verdict.systems[0].criteria[0]).startswith("Criterion(")


def test_an_estimate_is_formatted_as_its_value_and_names_keywords(every):
    assert f"{every['alone']['qwk']:.2f}" == f"{every['alone']['qwk'].value:.2f}"
    assert "error_variance=" in repr(every["alone"]["prmse"])


def test_an_explanation_prints_as_text():
    assert repr(tm.explain("qwk")).startswith("QWK: Cohen's kappa")
    with pytest.raises(OptionError, match="QWK"):
        tm.explain("qkw")


def test_weights_of_responses_are_not_those_of_a_statistic():
    with pytest.raises(DataError, match="weight must be one number a response"):
        tm.estimate("gwet_ac", [1, 2], [1, 2], weight="quadratic")


def test_decisions_are_rows_too(every):
    records = every["decisions"].records()
    assert len(records) == every["decisions"].accepted.size
    assert [*records[0]] == ["id", "prompt", "score", "confidence", "decision", "reason"]
    assert {record["decision"] for record in records} <= {"accept", "human"}
    assert len(every["decisions"].to_frame()) == len(records)


class Notebook(HTMLParser):
    """What a notebook shows: tags and text."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.text, self.ids = [], "", []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.ids += [value for name, value in attrs if name == "id"]

    def handle_data(self, data):
        self.text += data if self.tags and self.tags[-1] != "style" else ""


@pytest.mark.parametrize("kind", [*EVALUATIONS, "certified"])
def test_a_notebook_shows_the_answer_with_a_figure_in_words_of_python(every, kind):
    page = Notebook(every[kind]._repr_html_())
    assert ("svg" in page.tags) == (kind != "plan")
    assert not OPTION.search(page.text)
    assert len(page.ids) == len(set(page.ids))


def test_figures_of_two_results_do_not_share_ids(every):
    one, other = (Notebook(every[kind]._repr_html_()) for kind in ("compare", "route"))
    assert not {*one.ids} & {*other.ids}


def test_a_table_shows_itself_in_a_notebook(every):
    page = Notebook(every["alone"].table("confusion")._repr_html_())
    assert page.tags.count("th") == len(every["alone"].table("confusion").columns)


def test_a_name_is_in_a_result_or_not_and_a_result_is_not_gone_through(every):
    found = every["evaluate"]
    assert "qwk" in found
    assert "pearson" in found
    assert "nothing" not in found
    assert 0 not in found
    with pytest.raises(TypeError, match="not iterable"):
        list(found)


def test_without_a_name_all_tables_are_listed(every):
    with pytest.raises(OptionError, match="name a table"):
        every["evaluate"].table()
