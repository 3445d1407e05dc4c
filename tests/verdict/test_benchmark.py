"""The benchmark table: one row a prompt, the plain mean below, published systems beside."""

import csv
import io
from typing import Any

import pytest

import tallymark as tm
from tallymark.analyses.files import write_folder
from tallymark.demo import SCORES
from tallymark.errors import DataError, OptionError
from tallymark.questions.verdict.benchmark import benchmark, benchmark_rows

PROMPTS = ("city life", "school uniform", "travel")
BERT = {"city life": 0.73, "school uniform": 0.75, "travel": 0.71}
ASKED: dict[str, Any] = {"systems": ["engine", "chatbot"], "interval": "analytic"}


def published(rows):
    names = ("system", "part", "statistic", "value")
    return {name: [row[i] for row in rows] for i, name in enumerate(names)}


def records(evaluation):
    table = benchmark(evaluation)
    assert table is not None
    columns, rows = benchmark_rows(table)
    return {row[0]: dict(zip(columns, row, strict=True)) for row in rows}


@pytest.fixture(scope="module")
def evaluation():
    rows = [("BERT", part, "QWK", value) for part, value in BERT.items()]
    rows += [("another", "", "qwk", 0.805)]
    return tm.evaluate(SCORES, **ASKED, reference=published(rows))


def test_the_average_row_is_the_plain_mean_of_the_rows(evaluation):
    made = records(evaluation)
    assert [*made] == [*PROMPTS, "Avg."]
    for name in ("theoretical", "human-like", "human-human", "engine QWK", "chatbot r", "BERT QWK"):
        mean = sum(made[part][name] for part in PROMPTS) / len(PROMPTS)
        assert made["Avg."][name] == pytest.approx(mean, abs=1e-12), name


def test_each_number_is_that_of_the_evaluation(evaluation):
    made = records(evaluation)
    for part in PROMPTS:
        for name in ("engine", "chatbot"):
            number = evaluation.number("qwk", of=name, prompt=part)
            ends = [made[part][f"{name} QWK{end}"] for end in ("", " low", " high")]
            assert ends == [number.value, number.low, number.high]
        share = made[part]["engine QWK"] / made[part]["theoretical"]
        assert made[part]["engine share"] == pytest.approx(share, abs=1e-9)


def test_published_numbers_stand_at_their_parts(evaluation):
    made = records(evaluation)
    assert {part: made[part]["BERT QWK"] for part in PROMPTS} == BERT
    assert [made[part]["another QWK"] for part in (*PROMPTS, "Avg.")] == [None] * 3 + [0.805]


def test_a_published_system_that_lacks_a_part_has_no_average():
    rows = [("BERT", "travel", "qwk", 0.7)]
    made = records(tm.evaluate(SCORES, **ASKED, reference=published(rows)))
    assert made["Avg."]["BERT QWK"] is None


def test_each_prompt_has_its_scale_and_the_rule_of_its_gold():
    prompts = {"travel": {"scale": "1:6", "resolve": "higher"}}
    made = records(tm.evaluate(SCORES, **ASKED, scale="1:6", prompts=prompts))
    assert [made[part]["gold"] for part in PROMPTS] == ["first", "first", "higher"]
    assert {made[part]["scale"] for part in PROMPTS} == {"1:6"}


def test_it_is_written_as_csv_and_latex(evaluation, tmp_path):
    write_folder(evaluation, [], tmp_path / "out")
    text = (tmp_path / "out" / "tables" / "benchmark.csv").read_text("utf-8")
    rows = [*csv.reader(io.StringIO(text))]
    assert [row[0] for row in rows] == ["prompt", *PROMPTS, "Avg."]
    latex = (tmp_path / "out" / "tables" / "benchmark.tex").read_text("utf-8")
    assert latex.count(r"\midrule") == 2
    assert "Avg." in latex


def test_without_several_prompts_there_is_none():
    assert benchmark(tm.evaluate(SCORES, **ASKED, flags={"prompt": ["travel"]})) is None


WRONG: dict[str, tuple[dict[str, list[Any]], type[Exception], str]] = {
    "no such part": (
        published([("a", "travl", "qwk", 0.7)]),
        OptionError,
        "no part 'travl'.*travel",
    ),
    "no such statistic": (
        published([("a", "", "qkw", 0.7)]),
        OptionError,
        "unknown statistic 'qkw'",
    ),
    "no number": (
        published([("a", "", "qwk", "high")]),
        DataError,
        "row 1 of .*got 'a', 'qwk', 'high'",
    ),
    "no system": (published([("", "", "qwk", 0.7)]), DataError, "must have a system"),
    "twice": (published([("a", "", "qwk", 0.7)] * 2), DataError, "more than once"),
    "no column": ({"system": ["a"], "value": [1]}, DataError, "has no column 'part'"),
}


@pytest.mark.parametrize(("table", "error", "said"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_with_published_numbers_is_named(table, error, said):
    with pytest.raises(error, match=said):
        tm.evaluate(SCORES, **ASKED, reference=table)
