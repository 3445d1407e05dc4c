"""route certify: the routing file and its guarantees."""

import json
from typing import Any

import numpy as np
import pytest

import tallymark as tm
from tallymark.errors import OptionError
from tallymark.questions.routing.routing_file import _digest
from tallymark.selective.bounds import binomial_cdf, n_min
from tallymark.selective.certify import certify
from tests.routing.conftest import ASKED
from tests.routing.data import PLAIN, by, responses, terms, write, wrong_of
from tests.said import notes


def test_the_threshold_is_that_of_the_formulas():
    columns = responses(600, 1)
    found = tm.route.certify(columns, **terms(), **PLAIN).routing
    expected = certify(columns["sure"], wrong_of(columns), alpha=0.05)
    one = found.thresholds[0]
    assert found.certified
    assert (one.tau, one.n, one.k) == (expected.tau, expected.n, expected.k)
    assert one.delta_each is not None
    assert one.upper is not None
    assert binomial_cdf(one.k, one.n, 0.05) <= one.delta_each
    assert one.upper <= 0.05
    assert found.statement == expected.statement
    assert "probability 95 %" in found.statement


def test_the_file_is_read_back_and_the_order_of_rows_does_not_matter():
    columns = responses(400, 2)
    first = tm.route.certify(columns, **terms(), **PLAIN)
    order = np.random.default_rng(0).permutation(400)
    shuffled = {name: [values[i] for i in order] for name, values in columns.items()}
    second = tm.route.certify(shuffled, **terms(), **PLAIN)
    assert first.routing.to_json() == second.routing.to_json()
    assert first.evaluation.to_json() == second.evaluation.to_json()
    assert tm.route.Routing.from_json(first.routing.to_json()) == first.routing
    assert tm.Evaluation.from_json(first.evaluation.to_json()).kind == "route"


@pytest.mark.parametrize(("least", "code"), [(0.02, 0), (0.999, 1)])
def test_certified_coverage_can_be_limited(run, calibration, tmp_path, least, code):
    limits = tmp_path / "own.toml"
    limits.write_text(
        f'name = "own"\nversion = "1"\n[[criteria]]\nstatistic = "certified coverage"\n'
        f"at_least = {least}\n",
        "utf-8",
    )
    ended, text = run("route", "certify", calibration, *ASKED, "--policy", limits, "--gate")
    assert ended == code
    found = tm.route.certify(responses(600, 1), **terms(), **PLAIN, policy=limits).evaluation
    assert found.verdict is not None
    (held,) = found.verdict.systems[0].criteria
    assert held.value == found.numbers[0]["accepted"].value
    assert ("Verdict: met" in text) == (code == 0)
    with pytest.raises(OptionError, match="certifies nothing that a policy"):
        tm.route.certify(responses(50, 1), **{**terms(), "dev_zero": True}, **PLAIN, policy=limits)


def test_the_command_writes_the_file_and_says_the_guarantee(run, calibration, tmp_path):
    out = tmp_path / "routing.json"
    code, text = run("route", "certify", calibration, *ASKED, "--out", out, "--volume", 2000)
    assert code == 0
    assert "With probability 95 % or more" in text
    assert "Among the next 2,000 responses" in text
    assert "Critical errors that would have been accepted" in text
    raw = json.loads(out.read_text("utf-8"))
    assert raw["format"] == "tallymark routing"
    assert raw["lambda"] == 0.4
    assert "C12" not in out.read_text("utf-8")  # ids are hashed
    assert raw["thresholds"][0]["rule"] == ">"


def test_too_few_labels_are_a_result_of_their_own(run, tmp_path):
    columns = responses(60, 3)
    columns["engine"] = columns["h1"]
    few = write(tmp_path / "few.csv", columns)
    code, text = run("route", "certify", few, *ASKED[:-1], ".02", "--out", tmp_path / "r.json")
    assert code == 3
    assert f"Cannot certify: at least {n_min(0.02, 0.05) - 60} more accepted" in text
    code, text = run("route", "apply", tmp_path / "r.json", few, "--out", tmp_path / "d.csv")
    assert code == 2  # the same responses
    other = write(tmp_path / "new.csv", responses(30, 4, ids="N"))
    code, text = run("route", "apply", tmp_path / "r.json", other, "--out", tmp_path / "d.csv")
    assert code == 0
    assert "0 accepted" in text
    assert "nothing is certified" in text


def test_each_prompt_has_its_threshold_at_its_part_of_delta():
    columns = responses(1500, 5)
    found = tm.route.certify(columns, **terms(by="prompt"), **PLAIN).routing
    assert [one.prompt for one in found.thresholds] == ["essay", "letter"]
    prompts = np.array(columns["prompt"])
    for one in found.thresholds:
        own = prompts == one.prompt
        expected = certify(
            np.array(columns["sure"])[own], wrong_of(columns)[own], alpha=0.05, delta=0.025
        )
        assert one.tau == expected.tau
    common = tm.route.certify(columns, **terms(by="prompt", family="common"), **PLAIN).routing
    assert len({one.tau for one in common.thresholds}) == 1


@pytest.mark.parametrize(
    ("method", "words"),
    [
        ("crc", "of the submitted responses"),
        ("batch", "of a batch"),
        ("dev_zero", "Not a guarantee"),
    ],
)
def test_other_guarantees_are_named_and_not_merged(method, words):
    found = tm.route.certify(responses(600, 6), **terms(**by(method)), **PLAIN)
    assert words in found.routing.statement
    assert "With probability 95 %" not in found.routing.statement
    assert found.routing.certified == (method != "dev_zero")


def test_clusters_are_refused_or_one_response_of_each_is_drawn():
    columns = responses(600, 11)
    columns["candidate"] = [f"K{i // 2}" for i in range(600)]
    given = {**PLAIN, "humans": ("h1",), "cluster": "candidate"}
    with pytest.raises(tm.DataError, match="300 clusters"):
        tm.route.certify(columns, **terms(), **given)
    found = tm.route.certify(columns, **terms(one_per_cluster=True), **given)
    assert found.routing.labels == 300
    assert any("one response of each of 300 clusters" in one for one in notes(found.evaluation))
    plan = {row[0]: row for row in tables_of(found)["plan"].rows}
    assert "on average; errors of a cluster come together" in plan["critical errors at most"][2]
    assert plan["critical errors at most"][1] == pytest.approx(0.05 * plan["accepted"][1])
    assert "for no error at all" not in plan


def tables_of(found):
    return {table.name: table for table in found.evaluation.tables}


def test_what_counts_alike_is_said_where_clusters_differ_in_size():
    columns = responses(900, 11)
    columns["candidate"] = [f"K{i // 4 if i < 300 else i}" for i in range(900)]
    given = {**PLAIN, "humans": ("h1",), "cluster": "candidate"}
    kept = tm.route.certify(columns, **terms(one_per_cluster=True), **given)
    assert kept.routing.labels < 675
    assert any("so that responses count alike" in one for one in notes(kept.evaluation))
    assert not kept.routing.statement.startswith("Of one response")
    alike = tm.route.certify(columns, **terms(one_per_cluster=True, weigh="clusters"), **given)
    assert alike.routing.labels == 675
    assert alike.routing.statement.startswith(
        "Of one response of each cluster, drawn at random: with probability 95 %"
    )
    assert tables_of(alike)["plan"].title.endswith("responses, one of each cluster")
    with pytest.raises(tm.OptionError, match="goes with one_per_cluster=True"):
        tm.route.certify(columns, **terms(weigh="clusters"), **PLAIN)
    with pytest.raises(tm.OptionError, match="weigh= must be one of"):
        tm.route.certify(columns, **terms(one_per_cluster=True, weigh="size"), **PLAIN)


def test_the_rule_of_the_paper_needs_no_alpha(run, calibration, tmp_path):
    asked, out = ASKED[:-2], tmp_path / "r.json"
    code, text = run("route", "certify", calibration, *asked, "--dev-zero", "--out", out)
    assert code == 0
    assert "Not a guarantee" in text
    new = write(tmp_path / "new.csv", responses(300, 4, ids="N"))
    assert run("route", "apply", out, new, "--out", tmp_path / "d.csv")[0] == 0
    assert run("route", "monitor", out, new)[0] in (0, 1)
    code, text = run("route", "certify", calibration, *asked)
    assert code == 2
    assert "name --alpha" in text


def test_few_labels_are_told_where_they_certify():
    clean = responses(62, 7)
    clean["engine"] = clean["h1"]
    few = tm.route.certify(clean, **terms(), **PLAIN)
    assert few.routing.certified
    assert any(
        one.startswith("62 labels are few: they certify 46 %") for one in notes(few.evaluation)
    )
    many = tm.route.certify(responses(600, 1), **terms(), **PLAIN)
    assert not any("labels are few" in one for one in notes(many.evaluation))


def test_the_file_says_which_program_wrote_it(routing):
    raw = json.loads(routing.read_text("utf-8"))
    assert raw["program"] == tm.__version__
    del raw["program"], raw["digest"]
    raw["digest"] = _digest(raw)
    with pytest.raises(tm.DataError, match=r"missing required field `program`; write it again"):
        tm.route.Routing.from_json(json.dumps(raw))


def test_prompts_with_their_own_lambda_are_named(run, calibration, tmp_path):
    config = tmp_path / "options.toml"
    config.write_text("[prompts.essay]\nlambda = 0.2\n", "utf-8")
    _, text = run("route", "certify", calibration, *ASKED, "--config", config)
    assert "from 40 % of the score range on, of essay from 20 % on. Confidence" in text
    _, text = run("route", "certify", calibration, *ASKED)
    assert "from 40 % of the score range on. Confidence" in text


def test_the_evaluation_holds_tables_for_the_report():
    columns = responses(600, 13, people=2)
    given = {**PLAIN, "humans": ("h1", "h2"), "groups": ("sex",)}
    prices: dict[str, Any] = {
        "machine": 0.02,
        "human": 1,
        "adjudication": 1.5,
        "label": 2,
        "fixed": 500,
    }
    found = tm.route.certify(
        columns, **terms(volume=10000, prices=prices, double=True, audit=0.05), **given
    )
    tables = {table.name: table for table in found.evaluation.tables}
    assert {"routing", "cost", "groups", "plan", "accepted_errors"} <= tables.keys()
    groups = {row[1]: row for row in tables["groups"].rows}
    assert {"essay", "letter", "x", "y"} <= groups.keys()
    apart = np.abs(np.array(columns["h1"]) - columns["h2"]) > 1
    price = {row[0]: row[1:] for row in tables["cost"].rows}["price per response"]
    assert price[0] == pytest.approx(2 + apart.mean() * 1.5)
    accepted = np.array(columns["sure"]) > found.routing.thresholds[0].tau
    cover = accepted.mean()
    assert price[2] == pytest.approx(0.02 + (1 - cover) * price[0] + cover * 0.05)
    errors = {row[0] for row in tables["accepted_errors"].rows}
    assert errors == {columns["id"][i] for i in np.flatnonzero(accepted & wrong_of(columns))}


@pytest.mark.slow
def test_the_certified_rate_is_kept_as_often_as_it_says():
    rng, alpha, runs, broken = np.random.default_rng(0), 0.05, 200, 0
    for seed in range(runs):
        columns = responses(300, 1000 + seed)
        one = tm.route.certify(columns, **terms(alpha=alpha), **PLAIN).routing.thresholds[0]
        sure = rng.beta(4, 2, 200_000).round(4)
        accepted = one.accepts(sure)
        if accepted.any():
            broken += float((0.5 * (1 - sure[accepted]) ** 2).mean()) > alpha
    assert broken / runs <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / runs)


def test_the_rule_of_the_paper_takes_delta_for_each_prompt_too():
    asked = terms(dev_zero=True, by="prompt", delta=0.2)
    for one in tm.route.certify(responses(600, 1), **asked, **PLAIN).routing.thresholds:
        assert one.upper == pytest.approx(1 - 0.2 ** (1 / one.n))
