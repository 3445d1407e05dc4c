"""Results of promptfoo with sets of assertions, failing judges and providers, in one piece or in lines."""

import json
from collections import Counter

import pytest

from tests.sources.judges.test_importers import Pairs, load, read

SETS = "promptfoo_sets.json"


def parts(result):
    """Whether each assertion passed, by its metric or kind, and what a person said."""
    known = {}
    for c in (result["gradingResult"] or {"componentResults": []})["componentResults"]:
        made = c.get("assertion") or c["metadata"]["assertionSet"]
        failed = c.get("metadata", {}).get("graderError")
        known[made.get("metric", made["type"])] = None if failed else c["pass"]
    return known


@pytest.mark.parametrize("form", ["whole", "lines"])
def test_sets_of_assertions_are_judges_and_failures_are_counted(form, tmp_path):
    results = load(SETS)["results"]["results"]
    path = tmp_path / ("results.jsonl" if form == "lines" else "results.json")
    lines = "".join(f"{json.dumps(result)}\n" for result in results)
    path.write_text(lines if form == "lines" else json.dumps(load(SETS)), "utf-8")
    expected: Pairs = Counter()
    for known in map(parts, results):
        for metric in ("llm-rubric", "style", "contains", "no-three", "even"):
            if "human" in known and known[metric] is not None:
                expected["", metric, float(known["human"]), float(known[metric])] += 1
    pairs, scores = read(path)
    assert pairs == expected
    failed = sum(result["gradingResult"] is None for result in results)
    assert dict(scores.facts.exclusions)["provider failed with an error"] == failed == 2
    assert "4 scores left out: no score by the judge (error of the grader)" in scores.facts.notes
