"""Whatever an evaluation holds is shown by a question: no list says what is."""

import json
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from msgspec.structs import replace

import tallymark as tm
from tallymark.analyses.explain import empty
from tallymark.analyses.sections import COMMANDS, sections
from tallymark.catalogue import BY_NAME
from tallymark.demo import SCORES
from tallymark.inference import Settings
from tallymark.results import split_key
from tallymark.rsmtool.comparison import Run, compare_runs
from tallymark.rsmtool.rsmeval import evaluate_ours, read_ours, run_rsmeval
from tallymark.simulation import Rater, System
from tests.report import cases
from tests.routing.data import responses


@cache
def with_cuts():
    return tm.evaluate(SCORES, **cases.ROLES, cuts=[4], interval="analytic")


@cache
def compared():
    return tm.compare(SCORES, **cases.ROLES, replicates=100)


@cache
def attainable():
    return tm.ceiling(SCORES, humans=["h1", "h2"], scale="1:6")


@cache
def certified():
    return tm.route.certify(
        responses(300, 1),
        humans=["h1"],
        system="engine",
        confidence="sure",
        scale="1:6",
        lambda_=0.4,
        alpha=0.1,
    ).evaluation


@cache
def rsm_evaluated():
    fields = {
        "experiment_id": "demo",
        "predictions_file": str(SCORES),
        "system_score_column": "engine",
        "human_score_column": "h1",
        "second_human_score_column": "h2",
        "id_column": "response",
        "subgroups": ["first_language"],
        "trim_min": 1,
        "trim_max": 6,
    }
    with TemporaryDirectory() as folder:
        path = Path(folder) / "config.json"
        path.write_text(json.dumps(fields), "utf-8")
        made = run_rsmeval(path)
    scores = read_ours(made.experiment, made.processed)
    return evaluate_ours(made.experiment, made.processed, scores, Settings())


def rsm_runs():
    """Two experiments on the same responses, rated twice."""
    made = tm.simulate(
        300,
        scale="1:6",
        raters=[Rater("h1", noise=0.4), Rater("h2", noise=0.4)],
        systems=[System("old", noise=0.6), System("new", noise=0.4)],
    ).columns()
    human, second = (np.array(made[name], dtype=float) for name in ("h1", "h2"))
    for name in ("old", "new"):
        yield Run(name, np.array(made["response"]), human, second, np.array(made[name]), "raw")


@cache
def rsm_compared():
    return compare_runs([*rsm_runs()], Settings())


@cache
def rsm_summarized():
    return compare_runs([*rsm_runs()], Settings(), differences=False)


@cache
def moved():
    return tm.whatif(SCORES, systems=["engine"])


EVALUATIONS = {
    make.__name__: make
    for make in (
        cases.demo, with_cuts, compared, attainable, cases.panel, certified,
        rsm_evaluated, rsm_compared, rsm_summarized, moved,
    )
}  # fmt: skip


def test_the_evaluations_of_these_tests_are_those_of_every_command():
    assert {make().kind for make in EVALUATIONS.values()} == {*COMMANDS}


def blocks(evaluation):
    try:
        return [section.blocks for section in sections(evaluation)]
    except KeyError:  # a question that cannot do without a record uses it
        return None


@pytest.mark.parametrize("make", EVALUATIONS.values(), ids=EVALUATIONS.keys())
def test_every_record_is_shown_by_a_question(make):
    """Without the tables, curves or matrices of a name, some section is another one."""
    evaluation = make()
    whole = blocks(evaluation)
    for field in ("tables", "curves", "matrices"):
        records = getattr(evaluation, field)
        for name in dict.fromkeys(split_key(record.name)[0] for record in records):
            kept = tuple(record for record in records if split_key(record.name)[0] != name)
            assert blocks(replace(evaluation, **{field: kept})) != whole, f"nothing shows {name}"


@pytest.mark.parametrize("make", EVALUATIONS.values(), ids=EVALUATIONS.keys())
def test_numbers_stand_in_the_section_of_their_question(make):
    """``explain`` says so: a section that a command has is filled where its numbers are there."""
    evaluation = make()
    by = {BY_NAME[estimate.name].by for estimate in evaluation.estimates}
    made = sections(evaluation)
    assert by & {section.id for section in made}
    assert [section.id for section in made if section.id in by and not section.blocks] == []


@pytest.mark.parametrize("command", COMMANDS)
def test_what_a_section_needs_reads_after_the_word_needed(command):
    for section in sections(empty(command)):
        for words in (section.needs, section.takes):
            assert not words or (words[0].islower() and words.endswith(".")), words
