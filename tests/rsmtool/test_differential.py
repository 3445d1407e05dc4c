"""Beside RSMTool itself, where it is installed: the same files from the same configuration.

TALLYMARK_RSMTOOL names the Python of an environment with RSMTool 12 and pandas below 3.
"""

import json
import os
import random
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tallymark.rsmtool.rsmeval import run_rsmeval
from tests.rsmtool.tables import differences

PYTHON = os.environ.get("TALLYMARK_RSMTOOL", "")
# the report takes most of the time; fairness is computed inside it, so it is called by itself
RUN = """
import sys
import pandas as pd
import rsmtool.rsmeval as tool
from rsmtool.fairness_utils import get_fairness_analyses
from rsmtool.writer import DataWriter

def fairness(self, config, folder, figures, context="rsmeval"):
    name, groups = config["experiment_id"], config["subgroups"]
    texts = {column: str for column in ["spkitemid", *groups]}
    scores = pd.read_csv(f"{folder}/{name}_pred_processed.csv", converters=texts)
    scores = scores.merge(pd.read_csv(f"{folder}/{name}_test_metadata.csv", converters=texts))
    kind = "scale_trim" if config["use_scaled_predictions"] else "raw_trim"
    for group in groups:
        _, found = get_fairness_analyses(scores, group, kind)
        DataWriter(name).write_experiment_output(folder, found, index=True)

tool.Reporter.create_report = fairness
for configuration in sys.argv[1:]:
    tool.run_evaluation(configuration, configuration.removesuffix(".json"), overwrite_output=True)
"""
VARIANTS: dict[str, dict[str, Any]] = {
    "plain": {},
    "people": {"second_human_score_column": "h2", "subgroups": ["country", "sex"]},
    "zeros": {"exclude_zero_scores": False, "trim_min": 0, "second_human_score_column": "h2"},
    "flags": {"flag_column": {"flag": ["0", 1.0], "advisory": ["ok"]}, "subgroups": ["sex"]},
    "candidates": {"candidate_column": "who", "min_items_per_candidate": 3},
    "scaled": {"scale_with": "train.csv", "second_human_score_column": "h2"},
    "identity": {"scale_with": "raw", "trim_tolerance": 0.1, "subgroups": ["country"]},
    "known error": {"scale_with": "asis", "rater_error_variance": 0.3},
}


def make_experiments(folder: Path) -> list[Path]:
    """Scores with gaps, texts, zeros, halves and blanks, and configurations of many kinds."""
    rng = random.Random(11)
    lines = ["sc1,ID,h1,h2,score,country,sex,flag,advisory,who,length"]
    for i in range(250):
        true = rng.gauss(3, 1.2)
        human = [min(max(round(true + rng.gauss(0, 0.5)), 0), 6) for _ in range(2)]
        system = true + rng.gauss(0, 0.6)
        first = rng.choice(["", "NA", "TD"]) if rng.random() < 0.05 else human[0]
        second = human[1] if rng.random() < 0.5 else rng.choice(["", "", "bad"])
        score = rng.choice(["", "error"]) if rng.random() < 0.03 else repr(system)
        if i < 30:
            score = repr(round(system * 2) / 2)
        country = rng.choice(["U.S.", "U.K.", "France", "x[1]"])
        sex = rng.choice(["F", "M", "", " "])
        flags = [rng.choice("00012"), rng.choice(["ok", "ok", "late"])]
        cells = [i % 7, f"R{i}", first, second, score, country, sex, *flags, f"c{i % 90}", 100 + i]
        lines.append(",".join(map(str, cells)))
    (folder / "scores.csv").write_text("\n".join(lines) + "\n", "utf-8")
    train = ["prediction,sc1", *(f"{rng.gauss(3, 0.8)!r},{rng.randint(1, 6)}" for _ in range(200))]
    (folder / "train.csv").write_text("\n".join(train) + "\n", "utf-8")
    common = {
        "predictions_file": "scores.csv",
        "system_score_column": "score",
        "human_score_column": "h1",
        "id_column": "ID",
        "trim_min": 1,
        "trim_max": 6,
    }
    paths = []
    for name, fields in VARIANTS.items():
        path = folder / f"{name.replace(' ', '_')}.json"
        path.write_text(json.dumps({"experiment_id": path.stem, **common, **fields}), "utf-8")
        paths.append(path)
    return paths


@pytest.fixture(scope="module")
def experiments(tmp_path_factory):
    """Configurations that RSMTool has run already."""
    if not PYTHON:
        pytest.skip("RSMTool is not installed: TALLYMARK_RSMTOOL names no Python")
    folder = tmp_path_factory.mktemp("rsmtool")
    paths = make_experiments(folder)
    subprocess.run(
        [PYTHON, "-W", "ignore", "-c", RUN, *map(str, paths)],
        check=True,
        capture_output=True,
        cwd=folder,
    )
    return {path.stem: path for path in paths}


@pytest.mark.parametrize("name", VARIANTS)
def test_rsmtool_writes_the_same_files(experiments, name):
    path = experiments[name.replace(" ", "_")]
    found = run_rsmeval(path).files()
    expected = sorted((path.with_suffix("") / "output").glob("*.csv"))
    assert {file.name for file in expected} == {file for file in found if file.endswith(".csv")}
    wrong = {
        file.name: differences(found[file.name].decode(), file.read_text("utf-8"))
        for file in expected
    }
    assert {file: cells for file, cells in wrong.items() if cells} == {}
