"""RSMTool's own experiments: every cell of every file it ships."""

import json

import pytest

from tallymark.rsmtool.rsmeval import read_ours, run_rsmeval
from tests.rsmtool.tables import differences

EXPERIMENTS = {
    "lr-eval-with-h2": 31,
    "lr-eval-with-scaling": 9,
    "lr-eval-with-missing-scores": 22,
    "lr-eval-exclude-flags": 10,
}


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_cell_of_every_file_is_the_same(shared, name):
    folder = shared("conformance", "rsmtool", "experiments", name)
    found = run_rsmeval(next(folder.glob("*.json"))).files()
    expected = sorted((folder / "output").glob("*.csv"))
    assert len(expected) == EXPERIMENTS[name]
    wrong = {
        file.name: differences(found[file.name].decode(), file.read_text("utf-8"))
        for file in expected
    }
    assert {file: cells for file, cells in wrong.items() if cells} == {}
    assert {file for file in found if file.endswith(".csv")} == {file.name for file in expected}


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_our_own_reading_uses_the_same_responses(shared, name):
    folder = shared("conformance", "rsmtool", "experiments", name)
    found = run_rsmeval(next(folder.glob("*.json")))
    facts = read_ours(found.experiment, found.processed).facts
    assert facts.used == found.processed.used.size
    assert facts.read == facts.used + sum(count for _, count in facts.exclusions)


def test_the_configuration_is_written_with_every_default(shared):
    folder = shared("conformance", "rsmtool", "experiments", "lr-eval-with-h2")
    found = run_rsmeval(next(folder.glob("*.json"))).files()
    fields = json.loads(found["lr_eval_with_h2_rsmeval.json"])
    assert fields["subgroups"] == ["QUESTION", "L1"]
    assert (fields["trim_tolerance"], fields["exclude_zero_scores"]) == (0.4998, True)
