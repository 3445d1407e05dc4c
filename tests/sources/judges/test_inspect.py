"""Logs of Inspect as they come: ids with slashes, samples that fail in one epoch alone."""

import json
import zipfile
from pathlib import Path

import pytest

from tallymark.sources import Roles, read_scores

FILES = Path(__file__).parent / "files"


def log():
    return json.loads((FILES / "same.json").read_text("utf-8"))


def saved(whole, form, folder):
    """The log as one JSON object, or as an archive with a member for each sample."""
    path = folder / f"log.{form}"
    if form == "json":
        path.write_text(json.dumps(whole), "utf-8")
        return path
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("header.json", "{}")
        for sample in whole["samples"]:
            name = f"samples/{sample['id']}_epoch_{sample['epoch']}.json"
            archive.writestr(name, json.dumps(sample))
    return path


@pytest.mark.parametrize("form", ["json", "eval"])
def test_a_sample_whose_id_holds_slashes_is_read(form, tmp_path):
    whole = log()
    for sample in whole["samples"]:
        sample["id"] = f"set/{sample['id']}/é"
    facts = read_scores(saved(whole, form, tmp_path), roles=Roles()).facts
    before = read_scores(FILES / "same.json", roles=Roles()).facts
    assert (facts.read, facts.used) == (before.read, before.used)


@pytest.mark.parametrize("form", ["json", "eval"])
def test_a_sample_that_fails_in_one_epoch_leaves_the_others_repeats(form, tmp_path):
    whole = log()
    failed = next(s for s in whole["samples"] if (s["id"], s["epoch"]) == ("q02", 3))
    failed["error"] = {"message": "no answer", "traceback": "", "traceback_ansi": ""}
    failed["output"], failed["scores"] = {"model": "", "choices": []}, None
    scores = read_scores(saved(whole, form, tmp_path), roles=Roles())
    assert "3 epochs of the same answers, as repeats" in scores.facts.guesses[0]
    assert scores.facts.used == read_scores(FILES / "same.json", roles=Roles()).facts.used
