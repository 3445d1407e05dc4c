"""How system scores beyond the scale are treated, from every door."""

import numpy as np
import pytest

import tallymark as tm
from tallymark.study.again import command, toml

RNG = np.random.default_rng(4)
GOLD = np.tile(np.arange(1.0, 5.0), 20)
COLUMNS = {"h1": GOLD, "engine": GOLD + RNG.normal(0, 0.8, GOLD.size)}
ENDS = {"half-step": (0.5002, 4.4998), "range": (1.0, 4.0), "none": (-np.inf, np.inf)}


def evaluated(**options):
    asked = {"humans": ["h1"], "systems": ["engine"], "scale": "1:4", "replicates": 100}
    return tm.evaluate(COLUMNS, **{**asked, **options})


def macro_mae(scores):
    apart = np.abs(scores - GOLD)
    return np.mean([apart[point == GOLD].mean() for point in range(1, 5)])


@pytest.mark.parametrize("rule", ENDS)
def test_errors_are_those_of_the_scores_as_trimmed(rule):
    found = evaluated(trim=rule)
    expected = macro_mae(np.clip(COLUMNS["engine"], *ENDS[rule]))
    assert found.numbers[0]["macro_mae"].value == pytest.approx(expected)
    assert found.numbers[0]["cohen_kappa[quadratic]"].value == pytest.approx(
        evaluated().numbers[0]["cohen_kappa[quadratic]"].value
    )
    alone = tm.estimate("macro_mae", GOLD, COLUMNS["engine"], scale="1:4", trim=rule)
    assert alone.value == pytest.approx(expected)


def test_the_rule_is_an_option_of_the_results_and_of_the_command_to_run_again():
    found = evaluated(trim="range")
    assert found.options["trim"] == "range"
    assert "--trim range" in command(found)
    assert 'trim = "range"' in toml(found)
    assert "trim" not in evaluated().options


def test_a_prompt_may_have_a_rule_of_its_own():
    columns = {**COLUMNS, "essay": np.repeat(["a", "b"], 40)}
    found = tm.evaluate(
        columns, humans=["h1"], systems=["engine"], scale="1:4", prompt="essay",
        prompts={"a": {"trim": "range"}}, replicates=100,
    )  # fmt: skip
    ends = [np.where(np.arange(80) < 40, *pair) for pair in ((1.0, 0.5002), (4.0, 4.4998))]
    expected = macro_mae(np.clip(COLUMNS["engine"], *ends))
    everything = next(i for i, s in enumerate(found.subsets) if s.id == "engine")
    assert found.numbers[everything]["macro_mae"].value == pytest.approx(expected)
    assert 'trim = "range"' in toml(found)


def test_systems_are_compared_as_trimmed():
    columns = {**COLUMNS, "other": np.clip(COLUMNS["engine"], 1, 4)}
    for rule, same in (("range", True), ("half-step", False)):
        found = tm.compare(
            columns, humans=["h1"], systems=["engine", "other"], scale="1:4", trim=rule,
            replicates=100, statistics=["mae"], by="mae",
        )  # fmt: skip
        pair = next(e for e in found.estimates if e.name == "paired_difference")
        assert (pair.value == 0) == same
