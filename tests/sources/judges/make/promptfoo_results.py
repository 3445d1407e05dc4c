"""Make promptfoo results without a model, rate some as a person does, and keep what is needed.

    npm install --ignore-scripts promptfoo
    export PROMPTFOO_DISABLE_TELEMETRY=1 PROMPTFOO_DISABLE_UPDATE=1 PROMPTFOO_CONFIG_DIR=$PWD/config
    npx promptfoo eval -c promptfooconfig.yaml -o judged.json -o promptfoo.csv
    npx promptfoo view -n --port 15511 &
    python promptfoo_results.py rate judged.json
    npx promptfoo export eval ID -o rated.json
    python promptfoo_results.py keep rated.json promptfoo.json

The provider ``echo`` repeats the prompt; assertions in JavaScript return recorded scores. ``promptfoo_sets.yaml``
makes ``promptfoo_sets.json`` likewise, with a set of assertions and a judge and a provider that fail on some answers.
"""

import json
import sys
import urllib.request
from pathlib import Path

RATED = {0: 1, 1: 0, 2: 1, 3: 1, 5: 0, 6: 1, 8: 0, 9: 1, 11: 1, 12: 0}
KEPT = (
    "id",
    "testIdx",
    "promptIdx",
    "success",
    "score",
    "namedScores",
    "failureReason",
    "gradingResult",
)


def rate(path):
    """Post a person's rating of some results, as the page of the local server does."""
    content = json.loads(Path(path).read_text("utf-8"))
    results, name = content["results"]["results"], content["evalId"]
    for i, passed in RATED.items():
        if results[i]["gradingResult"] is None:
            continue
        verdict = {"pass": bool(passed), "score": passed, "reason": "Manual result"}
        graded = {**results[i]["gradingResult"], **verdict}
        graded["componentResults"] = [
            *graded["componentResults"],
            {**verdict, "assertion": {"type": "human"}},
        ]
        request = urllib.request.Request(
            f"http://localhost:15511/api/eval/{name}/results/{results[i]['id']}/rating",
            data=json.dumps(graded).encode(),
            headers={"Content-Type": "application/json"},
        )
        urllib.request.urlopen(request).close()


def keep(path, out):
    """Keep of each result what a reader of scores may look at."""
    content = json.loads(Path(path).read_text("utf-8"))
    results = content["results"]["results"]
    kept = [
        {
            **{key: result[key] for key in KEPT},
            "provider": result["provider"],
            "prompt": result["prompt"],
        }
        for result in results
    ]
    for result in kept:
        for component in (result["gradingResult"] or {}).get("componentResults", []):
            component.pop("tokensUsed", None)
            component.get("metadata", {}).pop("renderedGradingPrompt", None)
        (result["gradingResult"] or {}).pop("tokensUsed", None)
    whole = {
        "evalId": content["evalId"],
        "results": {"version": content["results"]["version"], "results": kept},
    }
    Path(out).write_text(json.dumps(whole, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    {"rate": rate, "keep": keep}[sys.argv[1]](*sys.argv[2:])
