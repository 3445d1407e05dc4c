"""route certify beside people: critical errors of a second rater, and how much of the work is theirs."""

import json
from typing import Any

import numpy as np
import pytest

import tallymark as tm
from tallymark.selective.humans import no_worse
from tallymark.sources import PromptOptions
from tests.routing.conftest import ASKED
from tests.routing.data import PLAIN, responses, terms, write, wrong_of
from tests.said import notes


def test_alpha_below_the_rate_between_people_is_flagged():
    columns = responses(600, 12, people=2)
    given = {**PLAIN, "humans": ("h1", "h2")}
    found = tm.route.certify(columns, **terms(), **given)
    apart = np.abs(np.array(columns["h1"]) - columns["h2"]) >= 2
    assert found.routing.human_rate == pytest.approx(apart.mean())
    assert any("two people differ" in one for one in notes(found.evaluation))


def test_the_system_stands_beside_a_second_rater_on_what_is_accepted():
    columns = responses(600, 12, people=2)
    given = {**PLAIN, "humans": ("h1", "h2")}
    found = tm.route.certify(columns, **terms(), **given)
    accepted = np.array(columns["sure"]) > found.routing.thresholds[0].tau
    theirs = np.abs(np.array(columns["h1"]) - columns["h2"]) >= 2
    expected = no_worse(wrong_of(columns)[accepted], theirs[accepted], margin=0.01)
    excess = next(e for e in found.evaluation.estimates if e.name == "excess_csrate")
    assert excess.value == pytest.approx(expected.difference)
    assert excess.high == pytest.approx(expected.upper)
    assert excess.low < excess.value


MARGINS = [*ASKED, "--human", "h2"]


@pytest.mark.parametrize(("alpha", "shown"), [(".05", True), (".3", False)])
def test_no_worse_than_a_second_rater_is_shown_or_not(run, tmp_path, alpha, shown):
    columns = responses(600, 12, people=2)
    file, out = write(tmp_path / "two.csv", columns), tmp_path / "r.json"
    asked = [*MARGINS, "--alpha", alpha]
    code, text = run("route", "certify", file, *asked, "--margin", ".02", "--out", out)
    assert code == 0
    one = json.loads(out.read_text("utf-8"))["thresholds"][0]
    accepted = np.array(columns["sure"]) > (-1 if one["tau"] is None else one["tau"])
    ours, theirs = wrong_of(columns)[accepted], wrong_of(columns, "h2")[accepted]
    expected = no_worse(ours, theirs, margin=0.02, method="exact")
    assert expected.shown == shown
    claim = "to be no worse than rater h2 where scores are accepted: the rate of critical errors, "
    claim += f"less the rater's, is at most {100 * expected.upper:.1f} %"
    claim += (
        f" on {accepted.sum()} responses (exact one-sided bound, level 95 %); the margin is 2 %."
    )
    assert f"{'Shown' if shown else 'Not shown'} {claim}" in text
    without = tmp_path / "without.json"
    run("route", "certify", file, *asked, "--out", without)
    assert without.read_text("utf-8") == out.read_text("utf-8")


def test_no_worse_takes_one_response_of_each_cluster():
    columns = responses(600, 12, people=2)
    columns["candidate"] = [f"K{i // 2}" for i in range(600)]
    roles: dict[str, Any] = {"humans": ("h1", "h2"), "cluster": "candidate"}
    asked = terms(one_per_cluster=True, margin=0.02)
    found = tm.route.certify(columns, **asked, **PLAIN, **roles)
    table = next(one for one in found.evaluation.tables if one.name == "no_worse")
    row = dict(zip(table.columns, table.rows[0], strict=True))
    assert row["responses"] == found.routing.thresholds[0].n
    assert row["CSRate of the system"] == found.routing.thresholds[0].k / row["responses"]


def test_no_worse_is_not_shown_where_no_accepted_response_has_two_scores(run, tmp_path):
    columns = responses(600, 12, people=2)
    columns["h2"] = [
        score if sure < 0.1 else None
        for score, sure in zip(columns["h2"], columns["sure"], strict=True)
    ]
    columns["sure"][0], columns["h2"][0] = 0.01, 3
    file = write(tmp_path / "two.csv", columns)
    code, text = run("route", "certify", file, *MARGINS, "--margin", ".02")
    assert code == 0
    assert "Not shown to be no worse than rater h2" in text
    assert "no accepted response has that rater's score" in text


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ([], "name two raters with --human"),
        (["--human", "h2", "--resolve", "mean"], "2 --human and gold by mean"),
        (["--human", "h2", "--gold", "h1"], "gold by column"),
        (["--human", "h2", "--dev-zero"], "--margin needs a --method"),
        (["--human", "h2", "--margin", "0"], "--margin must lie above 0"),
        (["--human", "h2", "--margin", "nan"], "--margin must lie above 0"),
    ],
)
def test_a_margin_without_a_second_rater_is_refused(run, tmp_path, options, words):
    file, out = write(tmp_path / "two.csv", responses(600, 12, people=2)), tmp_path / "r.json"
    asked = [*ASKED, "--margin", ".02", *options, "--out", out]
    code, text = run("route", "certify", file, *asked)
    assert code == 2
    assert words in text
    assert not out.exists()


@pytest.mark.slow
def test_the_bound_beside_a_second_rater_holds_though_the_threshold_was_chosen():
    rng, rater, bounds, truths = np.random.default_rng(0), 0.03, [], []
    many = rng.beta(4, 2, 200_000)
    for seed in range(200):
        columns = responses(300, 2000 + seed)
        gold = np.array(columns["h1"])
        slips = rng.random(300) < rater
        columns["h2"] = np.where(slips, gold + np.where(gold > 3, -3, 3), gold).tolist()
        found = tm.route.certify(columns, **terms(margin=0.02), humans=("h1", "h2"), **PLAIN)
        if found.routing.certified:
            table = next(one for one in found.evaluation.tables if one.name == "no_worse")
            bounds.append(dict(zip(table.columns, table.rows[0], strict=True))["upper bound"])
            accepted = found.routing.thresholds[0].accepts(many)
            truths.append(0.5 * ((1 - many[accepted]) ** 2).mean() - rater)
    assert len(bounds) > 100
    assert np.mean(np.array(bounds) < truths) <= 0.05


def test_people_are_judged_by_the_lambda_of_the_prompt():
    columns = responses(600, 1, people=2)
    prompts = {"essay": PromptOptions(lambda_=0.2)}
    found = tm.route.certify(columns, **terms(), humans=("h1", "h2"), prompts=prompts, **PLAIN)
    essay = np.array(columns["prompt"]) == "essay"
    gap = np.abs(np.array(columns["h1"]) - np.array(columns["h2"]))
    assert found.routing.human_rate == pytest.approx(np.mean(gap >= np.where(essay, 1, 2)))


@pytest.mark.parametrize("step", [1.0, 0.1])
def test_a_third_reads_where_two_differ_by_more_than_a_step(step):
    columns = responses(600, 1, people=2)
    gap = np.abs(np.array(columns["h1"]) - np.array(columns["h2"]))
    near = np.abs(np.array(columns["h1"]) - np.floor(np.array(columns["engine"]) + 0.5))
    for name in ("h1", "h2", "engine"):
        columns[name] = [round(score * step, 6) for score in columns[name]]
    scale = ",".join(f"{place * step:g}" for place in range(1, 7))
    found = tm.route.certify(
        columns, **terms(double=True), system="engine", confidence="sure", scale=scale,
        humans=("h1", "h2"),
    )  # fmt: skip
    cost = next(one for one in found.evaluation.tables if one.name == "cost")
    rows = {row[0]: row for row in cost.rows}
    assert rows["readings per response"][1] == pytest.approx(2 + np.mean(gap > 1))
    assert rows["readings per response"][2] == pytest.approx(1 + np.mean(near > 1))
