"""Findings are names and numbers; each question has the words of its own."""

import contextlib
import json

import pytest

import tallymark as tm
from tallymark.analyses.findings import FINDINGS, QUESTIONS, notes, remarks, words_of
from tallymark.render.sentences import written
from tests.report import cases


def evaluations():
    yield cases.demo()
    yield cases.one_category()
    yield tm.plan.width(half_width=0.05, value=0.7, statistic="QWK", scale="1:6")


@pytest.fixture(scope="module", params=range(3))
def evaluation(request):
    return [*evaluations()][request.param]


def test_no_finding_holds_words(evaluation):
    for finding in json.loads(evaluation.to_json())["findings"]:
        for name, text in finding["texts"].items():
            assert name == "why" or len(text.split()) < 5, finding


def test_every_finding_is_said(evaluation):
    assert evaluation.findings
    for finding in evaluation.findings:
        words = written(words_of(finding, evaluation).words)
        assert words.endswith((".", "?"))
        assert "nan" not in words.split()


def test_a_finding_that_was_read_again_says_the_same(evaluation):
    again = tm.Evaluation.from_json(evaluation.to_json())
    assert notes(again) == notes(evaluation)
    assert [*map(_words, remarks(again))] == [*map(_words, remarks(evaluation))]


def _words(remark):
    return written(remark.words), written(remark.advice)


def test_no_two_questions_use_one_name():
    assert len(FINDINGS) == sum(map(len, QUESTIONS))


@pytest.mark.parametrize(
    "change", [{"name": "nothing"}, {"numbers": {}, "texts": {}}, {"subset": -1}]
)
def test_an_edited_finding_is_refused_or_said(change):
    raw = json.loads(cases.demo().to_json())
    raw["findings"] = [finding | change for finding in raw["findings"]]
    edited = tm.Evaluation.from_json(json.dumps(raw))
    for finding in edited.findings:
        with contextlib.suppress(tm.DataError):
            assert written(words_of(finding, edited).words)
