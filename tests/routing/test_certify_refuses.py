"""route certify: what is refused, and odd calibrations."""

import numpy as np
import pytest

import tallymark as tm
from tallymark.errors import OptionError
from tests.routing.conftest import ASKED
from tests.routing.data import PLAIN, by, responses, terms, write


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--confidence", "nowhere"], "no column 'nowhere'"),
        (["--confidence", "sure", "--repeat", "engine,sure"], "exactly one of"),
        (["--confidence", "sure", "--confidence-from", "max"], "goes with"),
        (["--confidence", "sure", "--alpha", "0"], "zero cannot be certified"),
        (["--confidence", "sure", "--alpha", "2"], "alpha must be below 1"),
        (["--confidence", "sure", "--delta", "0"], "delta must lie between"),
        (["--confidence", "sure", "--lambda", "0"], "lambda must lie"),
        (["--confidence", "sure", "--method", "safe"], "--method must be one of"),
        (["--confidence", "sure", "--method", "crc", "--by", "prompt"], "--method ltt"),
        (["--confidence", "sure", "--family", "sidak"], "goes with --by prompt"),
        (["--confidence", "sure", "--dev-zero", "--method", "crc"], "a method of its own"),
        (["--confidence", "sure", "--price", "coffee=3"], "none of human"),
        (["--confidence", "sure", "--volume", "0"], "--volume"),
        (["--confidence", "sure", "--out", "nowhere/r.json"], "folder that exists"),
        (["--repeat", "engine"], "two or more"),
        (["--probabilities", "sure,engine", "--scale", "1:6"], "--scale of as many points"),
    ],
)
def test_mistakes_are_told_in_one_line(run, calibration, options, words):
    given = ["--human", "h1", "--system", "engine", *options]
    given += [] if "--alpha" in options else ["--alpha", ".05"]
    code, text = run("route", "certify", calibration, *given)
    assert code == 2
    assert words in text


def test_gaps_in_the_confidence_are_refused(run, tmp_path):
    columns = responses(50, 14)
    columns["sure"][7] = None
    code, text = run("route", "certify", write(tmp_path / "gap.csv", columns), *ASKED)
    assert code == 2
    assert "1 of 50 responses have no confidence" in text
    assert "row 8" in text


def test_a_response_without_a_label_needs_no_confidence():
    columns = responses(400, 15)
    columns["h1"][3] = columns["sure"][3] = None
    assert tm.route.certify(columns, **terms(), **PLAIN).routing.labels == 399


@pytest.mark.parametrize("case", ["constant", "no errors", "all errors", "one response"])
def test_odd_calibrations_end_in_words(case):
    columns = responses(300, 16)
    gold = np.array(columns["h1"])
    if case == "constant":
        columns["sure"] = [0.5] * 300
    elif case == "no errors":
        columns["engine"] = columns["h1"]
    elif case == "all errors":
        columns["engine"] = (gold + np.where(gold > 3, -3, 3)).tolist()
    else:
        columns = {name: values[:1] for name, values in columns.items()}
    for method in ("crc", "batch", "ltt") if case == "one response" else ("ltt", "dev_zero"):
        found = tm.route.certify(columns, **terms(**by(method)), **PLAIN)
        assert found.routing.statement
        assert tm.route.Routing.from_json(found.routing.to_json()) == found.routing
        found.evaluation.to_json()
    if case == "no errors":
        assert found.routing.thresholds[0].k == 0


def test_names_of_the_user_stay_text(run, tmp_path):
    columns = responses(300, 17)
    columns["prompt"] = ["<script>alert(1)</script>", "[red]x\x1b[31m"] * 150
    columns["<b>engine"] = columns.pop("engine")
    columns['sure "; DROP'] = columns.pop("sure")
    file = write(tmp_path / "odd.csv", columns)
    out = tmp_path / "r.json"
    given = ["--human", "h1", "--system", "<b>engine", "--confidence", 'sure "; DROP']
    given += ["--scale", "1:6", "--lambda", ".4", "--alpha", ".1", "--by", "prompt", "--out", out]
    given += ["--allow-partial"]
    code, text = run("route", "certify", file, *given)
    assert code == 0
    assert "\x1b" not in text
    assert "<script>alert(1)</script>" in text
    new = write(tmp_path / "new.csv", {**columns, "id": [f"N{i}" for i in range(300)]})
    code, text = run("route", "apply", out, new, "--out", tmp_path / "d.csv")
    assert code == 0


def test_a_scale_of_the_system_in_one_prompt_is_refused_with_what_to_do():
    with pytest.raises(OptionError, match="takes one system_scale= for all prompts") as refused:
        tm.route.certify(
            responses(100, 1),
            humans=["h1"],
            system="engine",
            confidence="sure",
            prompt="prompt",
            scale="1:6",
            alpha=0.1,
            prompts={"essay": {"system-scale": "1:6"}},
        )
    assert "name it once, or run the command for each prompt alone" in str(refused.value)
