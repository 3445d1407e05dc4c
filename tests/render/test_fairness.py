"""Fairness and true scores in the summary: unfair groups are named, fair columns take a line."""

import numpy as np
import pytest

import tallymark as tm
from tallymark.analyses.summary import summary
from tallymark.render.layout import plain_text
from tallymark.simulation import Group, Rater, System, simulate


def evaluated(**system):
    made = simulate(
        800,
        scale="1:6",
        raters=[Rater("h1", noise=0.5), Rater("h2", noise=0.5, share=0.4)],
        systems=[System("engine", noise=0.4, **system)],
        groups={"language": [Group("A", share=0.7), Group("<script>[red]", share=0.3)]},
        seed=2,
    )
    return tm.evaluate(
        made.columns(),
        humans=["h1", "h2"],
        systems=["engine"],
        groups=["language"],
        scale="1:6",
        replicates=200,
    )


def shown(evaluation, *, full=True):
    return " ".join(plain_text(summary(evaluation, full=full)).split())


def test_an_unfair_system_names_the_group_and_a_fair_one_takes_a_sentence():
    unfair = shown(evaluated(shift={"language": {"<script>[red]": -0.6}}))
    assert "engine: errors differ by language" in unfair
    assert "<script>[red] (-)" in unfair
    fair = shown(evaluated(), full=False)
    assert "errors do not clearly differ by language" in fair
    assert "true effect" not in fair


def test_true_scores_are_told_with_the_error_of_raters():
    assert "engine predicts true scores with PRMSE ." in shown(evaluated())


def test_few_double_scores_are_cautioned_in_the_summary():
    columns = {"h1": np.tile([1, 2, 3, 4], 20), "h2": [1.0, 2, 3, 3, *[np.nan] * 76]}
    columns["engine"] = np.clip(columns["h1"] + np.tile([0, 1, 0, 0, -1], 16), 1, 4)
    found = tm.evaluate(
        columns, humans=["h1", "h2"], systems=["engine"], scale="1:4", replicates=200
    )
    assert "responses were rated twice" in shown(found)


@pytest.mark.parametrize("width", [60, 80, 120])
def test_every_line_fits_the_width(width):
    found = evaluated(shift={"language": {"<script>[red]": -0.6}})
    assert max(len(line.text) for line in summary(found, width=width)) <= width
