"""The mappings that the documentation gives for other tools read their files as a few lines do."""

import json
import re
import shlex
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

FILES = Path(__file__).parent / "files"
PAGE = (Path(__file__).parents[3] / "docs" / "judges.md").read_text("utf-8")
NAMES = {"lm-eval": "lm_eval.jsonl"}


def mapped(tool):
    options = re.search(rf"^\| {tool} \| `(--[^`]+)`", PAGE, re.MULTILINE)
    assert options
    return FILES / NAMES.get(tool, f"{tool.lower()}.json"), shlex.split(options[1])


def pairs(tool):
    """Scores of a person and of the judge, of the answers that have both."""
    path = FILES / NAMES.get(tool, f"{tool.lower()}.json")
    text = path.read_text("utf-8")
    rows: Any = (
        [json.loads(line) for line in text.splitlines()]
        if path.suffix == ".jsonl"
        else json.loads(text)
    )
    if tool == "Ragas":
        return [(r["target"], r["metric_output"]) for r in rows["quality"] if r["target"]]
    if tool == "lm-eval":
        return [(int(r["target"]), int(r["filtered_resps"][0])) for r in rows]
    if tool == "Argilla":
        return [(r["quality.responses"][0], r["quality.suggestion"]) for r in rows]
    if tool == "Opik":
        given = [r["feedback_scores"][0]["value_by_author"] for r in rows["items"]]
        return [(b["ana"]["value"], b["admin"]["value"]) for b in given if "ana" in b]
    by: dict = {}
    if tool == "Phoenix":
        for r in rows["data"]:
            if r["result"]["score"] is not None:
                by.setdefault((r["span_id"], r["name"]), []).append(r["result"]["score"])
    else:
        for r in rows["result"]:
            by.setdefault(r["weave_ref"], []).append(next(iter(r["payload"].values())))
    return [tuple(scores) for scores in by.values() if len(scores) > 1]


@pytest.mark.parametrize("tool", ["Phoenix", "Opik", "Weave", "Ragas", "lm-eval", "Argilla"])
def test_a_mapping_gives_the_same_agreement(run, tool):
    path, options = mapped(tool)
    ended = run("evaluate", path, *options, "--json", "--scale", "1:5")
    assert ended.code == 0, ended.err
    both = pairs(tool)
    matrix = json.loads(ended.out)["matrices"][0]
    assert sum(map(sum, matrix["values"])) == len(both)
    assert sum(matrix["values"][i][i] for i in range(5)) == Counter(a == b for a, b in both)[True]


def test_deepeval_maps_each_metric_to_a_system(run):
    path, options = mapped("DeepEval")
    ended = run("evaluate", path, *options, "--json")
    assert ended.code == 0, ended.err
    assert json.loads(ended.out)["options"]["systems"] == [
        "metricsData.Correctness.score",
        "metricsData.Tone.score",
    ]


def test_a_mapping_in_a_file_of_options_reads_the_same(run, tmp_path):
    path, options = mapped("Opik")
    typed = run("evaluate", path, *options, "--json")
    pairs_of = zip(options[::2], options[1::2], strict=True)
    lines = [f"{option.removeprefix('--')} = {json.dumps(value)}" for option, value in pairs_of]
    (tmp_path / "opik.toml").write_text("\n".join(lines), "utf-8")
    from_file = run("evaluate", path, "--config", tmp_path / "opik.toml", "--json")
    assert from_file.code == 0, from_file.err
    assert from_file.out == typed.out


def test_the_options_offered_for_an_unknown_json_read_it(run):
    for name in ("deepeval.json", "phoenix.json", "opik.json", "ragas.json", "weave.json"):
        refused = run("evaluate", FILES / name)
        assert refused.code == 2
        offered = shlex.split(refused.err.partition("To map it, add ")[2])
        assert run("evaluate", FILES / name, *offered).code == 0
