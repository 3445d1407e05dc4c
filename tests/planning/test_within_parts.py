"""Plans from a pilot with prompts or traits rest on what holds within them, not on the pool."""

import pytest

import tallymark as tm
from tallymark.analyses.summary import markdown
from tallymark.errors import DataError
from tallymark.results import GOLD
from tests.awkward import awkward

READING = ("humans", "prompt", "trait", "scale", "prompts", "systems")
PARTED = {"own_scales": "prompt", "long_traits": "trait", "prompts_far_apart": "prompt"}


def pilot(name, *, people=False):
    columns, roles = awkward(name)
    reading = {key: roles[key] for key in READING if key in roles}
    if people:
        reading.pop("systems")
    return columns, reading


def numbers_of(plan):
    return next(f.numbers for f in plan.findings if "needed" in f.numbers)


@pytest.mark.parametrize("name", PARTED)
def test_raters_are_planned_by_the_mean_reliability_within_parts(name):
    columns, reading = pilot(name, people=True)
    ceiling = tm.ceiling(columns, **reading)
    plan = tm.plan.raters(columns, reliability=0.8, **reading)
    of_parts = [
        e.value
        for e in ceiling.estimates
        if e.text == "dependability[crossed,1]" and getattr(ceiling.subsets[e.subset], PARTED[name])
    ]
    assert len(of_parts) == 3
    assert numbers_of(plan)["single"] == pytest.approx(sum(of_parts) / 3, abs=1e-9)
    assert any(f.texts.get("over") == PARTED[name] for f in plan.findings)


@pytest.mark.parametrize("name", PARTED)
def test_responses_are_planned_by_the_mean_statistic_and_its_error(name):
    columns, reading = pilot(name)
    evaluation = tm.evaluate(columns, **reading, statistics=["qwk"], interval="analytic")
    mean = next(
        e
        for e in evaluation.estimates
        if e.text == "cohen_kappa[quadratic]"
        and evaluation.subsets[e.subset].average == PARTED[name]
        and not evaluation.subsets[e.subset].fisher_z
        and evaluation.subsets[e.subset].against == GOLD
    )
    half = 1.959964 * mean.se_analytic
    numbers = numbers_of(tm.plan.width(columns, half_width=half, **reading))
    assert numbers["value"] == pytest.approx(mean.value, abs=1e-9)
    assert numbers["needed"] == pytest.approx(mean.n, rel=0.02)


def test_two_systems_are_told_apart_by_the_mean_difference():
    columns, reading = pilot("two_systems")
    apart = []
    for prompt in ("p1", "p2", "p10"):
        here = columns["essay"] == prompt
        scores = {name: columns[name][here] for name in ("h1", "engine", "lenient")}
        gold = scores.pop("h1")
        first, second = (
            tm.metrics.cohen_kappa(gold, given, weights="quadratic") for given in scores.values()
        )
        apart.append(first - second)
    plan = tm.plan.difference(columns, **reading)
    assert numbers_of(plan)["value"] == pytest.approx(sum(apart) / 3, abs=1e-9)


def test_variances_on_scales_of_their_own_can_be_named_instead():
    columns, reading = pilot("own_scales")
    asked = {"half_width": 0.05, "responses": 1000, **reading}
    with pytest.raises(DataError, match="value=, true_variance= and error_variance="):
        tm.plan.double_scores(columns, **asked)
    asked |= {"value": 0.7, "true_variance": 1.0, "error_variance": 0.4}
    assert numbers_of(tm.plan.double_scores(columns, **asked))["needed"] > 0


def test_where_one_prompt_was_rated_twice_its_reliability_counts():
    columns, reading = pilot("rated_twice_in_one_prompt", people=True)
    here = columns["essay"] == "p1"
    alone = {name: columns[name][here] for name in ("h1", "h2")}
    single = [
        numbers_of(tm.plan.raters(given, reliability=0.8, **asked))["single"]
        for given, asked in (
            (columns, reading),
            (alone, {"humans": ["h1", "h2"], "scale": "0:5"}),
        )
    ]
    assert single[0] == pytest.approx(single[1], abs=1e-9)


@pytest.mark.parametrize("name", PARTED)
def test_a_plan_of_raters_names_the_parts_that_need_the_fewest_and_the_most(name):
    columns, reading = pilot(name, people=True)
    plan = tm.plan.raters(columns, reliability=0.8, **reading)
    note = next(f for f in plan.findings if f.name == "plan_raters_by_part")
    column = reading[PARTED[name]]
    needed = {}
    for part in {*columns[column].tolist()}:
        here = {n: values[columns[column] == part] for n, values in columns.items() if n != column}
        alone = {k: v for k, v in reading.items() if k not in ("prompt", "trait", "prompts")}
        alone["scale"] = reading.get("prompts", {}).get(part, reading)["scale"]
        needed[part] = numbers_of(tm.plan.raters(here, reliability=0.8, **alone))["needed"]
    assert note.numbers["fewest"] == needed[note.texts["least"]] == min(needed.values())
    assert note.numbers["most"] == needed[note.texts["last"]] == max(needed.values())
    assert f"single {PARTED[name]}s need {note.numbers['fewest']} (" in markdown(plan)
