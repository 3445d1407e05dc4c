"""Limits on every prompt and trait, and what each says of a limit on their mean."""

import math

import numpy as np
import pytest
from msgspec.structs import replace
from scipy.stats import norm

import tallymark as tm
from tallymark.questions.verdict.headline import answer, reasons
from tallymark.verdict.judged import FEWEST, judged
from tests.verdict.made import QWK, criterion, evaluation, limit, number, policy, said, told

LEAST = 0.70
HALF = limit(at_least=LEAST)
COLUMNS = ("prompt", "trait")


def drawn(column, seed):
    """A system on a mean over some prompts or traits, whose values and sizes differ."""
    rng = np.random.default_rng(seed)
    k = int(rng.integers(2, 12))
    values, errors = rng.uniform(0.55, 0.85, k), rng.uniform(0.01, 0.06, k)
    sizes = rng.integers(60, 900, k)
    parts = [
        (
            {column: f"p{i}"},
            [number(QWK, v, v - 1.96 * se, v + 1.96 * se, se=se, n=int(n), level=0.95)],
        )
        for i, (v, se, n) in enumerate(zip(values, errors, sizes, strict=True))
    ]
    mean = float(values.mean())
    whole = number(QWK, mean, mean - 0.02, mean + 0.02, n=int(sizes.sum()))
    over = {"average": column, "parts": len(parts)}
    return evaluation((over, [whole]), *parts), values, errors, sizes


def expected(values, errors, sizes):
    """States by the rule of docs/verdict.md: own interval, and Holm's step-down by hand."""
    large = [i for i, n in enumerate(sizes) if n >= FEWEST]
    p = {i: norm.cdf((values[i] - LEAST) / errors[i]) for i in large}
    broken, alone = set(), {i for i in large if p[i] <= 0.025}
    for step, i in enumerate(sorted(large, key=lambda i: p[i])):
        if p[i] * (len(large) - step) > 0.025:
            break
        broken.add(i)
    met = {i for i in large if values[i] - 1.96 * errors[i] >= LEAST}
    states = [
        "not met" if i in broken else "met" if i in met else "undecided" for i in range(len(values))
    ]
    return states, alone - broken


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("seed", range(12))
def test_every_part_has_the_state_that_holms_rule_gives_it(column, seed):
    # sizes of 200 and more: below, t stands for the normal distribution
    made, values, errors, sizes = drawn(column, seed)
    sizes = np.where(sizes < 200, 60, sizes)
    made = replace(made, estimates=tuple(
        replace(e, n=int(sizes[i - 1])) if i else e for i, e in enumerate(made.estimates)
    ))  # fmt: skip
    states, held_back = expected(values, errors, sizes)
    every = replace(HALF, where=f"every {column}")
    for limit_ in (every, HALF):
        parts = criterion(made, limit_).parts
        assert [part.state for part in parts] == states
        assert {i for i, part in enumerate(parts) if part.adjusted} == held_back
        assert [(part.column, part.name, part.row) for part in parts] == [
            (column, f"p{i}", i + 1) for i in range(len(values))
        ]
    held = criterion(made, every)
    worst = "not met" if "not met" in states else "met" if set(states) == {"met"} else "undecided"
    assert held.state == worst


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("seed", range(12))
def test_all_parts_that_break_a_limit_are_named_with_their_numbers(column, seed):
    made, *_ = drawn(column, seed)
    for limit_ in (HALF, replace(HALF, where=f"every {column}")):
        parts = criterion(made, limit_).parts
        words = said(made, limit_)
        broken = [part.name for part in parts if part.state == "not met"]
        for name in broken:
            assert f"{column} {name} " in words or f"({column} {name}) " in words
        if len(broken) > 1:
            assert f"{len(broken)} of {len(parts)} {column}s " in words
        if not broken:
            assert "break it, also" not in words


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize(
    ("broken", "words"), [(1, "1 of 8 {}s breaks it"), (2, "2 of 8 {}s break it")]
)
def test_the_verb_agrees_with_how_many_parts_break_a_limit(column, broken, words):
    values = [0.4] * broken + [0.9] * (8 - broken)
    parts = [
        ({column: f"p{i}"}, [number(QWK, v, v - 0.04, v + 0.04, n=500)])
        for i, v in enumerate(values)
    ]
    whole = ({"average": column, "parts": 8}, [number(QWK, 0.85, 0.83, 0.87, n=4000)])
    assert f"Alone, {words.format(column)}, " in said(evaluation(whole, *parts), HALF)


@pytest.mark.parametrize("seed", range(12))
def test_where_only_the_adjustment_leaves_a_limit_open_it_is_said(seed):
    rng = np.random.default_rng(seed)
    k, se = int(rng.integers(3, 15)), 0.02
    far = LEAST - se * rng.uniform(2.0, 2.2)  # p .014 to .023, above .025 / k for k = 3 or more
    parts = [({"prompt": "x"}, [number(QWK, far, far - 0.0392, far + 0.0392, n=500)])]
    parts += [({"prompt": f"p{i}"}, [number(QWK, 0.8, 0.76, 0.84, n=500)]) for i in range(k - 1)]
    made, every = evaluation(*parts), replace(HALF, where="every prompt")
    assert criterion(made, every).state == "undecided"
    assert f"Taken alone, prompt x breaks it; as 1 of {k} prompts" in said(made, every)
    assert "Holm" not in said(evaluation(*parts[1:]), every)


@pytest.mark.parametrize("column", COLUMNS)
def test_the_headline_says_of_how_many_parts_it_is_the_mean(column):
    for seed in range(6):
        made, values, *_ = drawn(column, seed)
        verdict = told(judged(made, policy(HALF)))
        (system,) = verdict.systems
        mean = f"mean of {len(values)} {column}s"
        assert f"QWK ({mean}) " in said(made, HALF)
        assert mean in str(answer(system, verdict))
        broken = {f"{column} {p.name}" for p in system.criteria[0].parts if p.state == "not met"}
        said_alone = str(reasons(system)).partition("Alone,")[2]
        assert {name for name in broken if f" {name}" in said_alone} == broken
        assert bool(said_alone) == bool(broken)


def test_a_limit_by_points_names_every_part_beyond_it():
    parts = [
        ({"prompt": name}, [number(QWK, value, 0.2, 0.9, n=20)])
        for name, value in (("a", 0.5), ("b", 0.71), ("c", 0.6))
    ]
    made = evaluation(*parts, ({"prompt": "d"}, [number(QWK, math.nan, math.nan, math.nan)]))
    by_point = replace(HALF, where="every prompt", decide="point")
    assert [part.state for part in criterion(made, by_point).parts] == [
        "not met", "met", "not met", "not computable",
    ]  # fmt: skip
    assert "2 of 4 prompts are below .70, the policy decides by values alone: prompt a" in said(
        made, by_point
    )


def test_traits_of_a_table_are_judged_each():
    rng = np.random.default_rng(3)
    true = rng.integers(1, 6, 400)
    noise = np.where(np.arange(400) < 200, 0.3, 2.0)
    table = {
        "trait": ["content"] * 200 + ["style"] * 200,
        "h1": true.tolist(),
        "engine": np.clip(np.rint(true + rng.normal(0, noise)), 1, 5).tolist(),
    }
    every = replace(HALF, where="every trait")
    found = tm.evaluate(
        table, humans=["h1"], systems=["engine"], trait="trait", scale="1:5", replicates=100,
        statistics=["qwk"],
    )  # fmt: skip
    verdict = told(judged(found, policy(every)))
    (held,) = verdict.systems[0].criteria
    assert [(part.name, part.state) for part in held.parts] == [
        ("content", "met"), ("style", "not met"),
    ]  # fmt: skip
    again = tm.Evaluation.from_json(judged(found, policy(every)).to_json())
    assert told(again).systems[0].criteria[0].parts == held.parts
