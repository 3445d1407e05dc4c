"""Make annotations of spans on a Phoenix server that runs here, and save what its REST API gives.

    pip install arize-phoenix
    PHOENIX_WORKING_DIR=$PWD/data PHOENIX_PORT=16006 PHOENIX_TELEMETRY_ENABLED=false phoenix serve
    python phoenix_annotations.py http://127.0.0.1:16006 FOLDER

Phoenix 20.26.1 made ``phoenix.json``: ten answers, two annotations of each by a judge and by a person, without
the person's of one answer, and with a judge that gave one answer no score.
"""

import json
import sys
import time
import urllib.request
from pathlib import Path

from documented import answers


def main(server, folder):
    def call(path, body=None):
        content = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            f"{server}/v1/{path}", data=content, headers={"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request) as answer:
            return json.loads(answer.read())

    ids = [f"{i + 1:016x}" for i, *_ in answers()]
    spans = [
        {
            "name": f"answer {i}",
            "context": {"trace_id": f"{i + 1:032x}", "span_id": name},
            "span_kind": "LLM",
            "start_time": f"2026-05-01T10:00:{i:02}Z",
            "end_time": f"2026-05-01T10:01:{i:02}Z",
            "status_code": "OK",
        }
        for i, name in enumerate(ids)
    ]
    call("projects/default/spans", {"data": spans})
    time.sleep(5)  # spans are written after the answer
    given = []
    for i, first, second, judge in answers():
        by_kind = {"HUMAN": (first, second), "LLM": (judge, 6 - judge)}
        if i == 3:
            del by_kind["HUMAN"]
        for kind, scores in by_kind.items():
            for name, score in zip(("quality", "tone"), scores, strict=True):
                failed = (i, kind, name) == (6, "LLM", "quality")
                result = {"explanation": "no answer"} if failed else {"score": score}
                by = "px-app" if kind == "HUMAN" else ""  # else one would replace the other
                annotation = {"name": name, "annotator_kind": kind, "identifier": by}
                given.append({**annotation, "span_id": ids[i], "result": result, "metadata": {}})
    call("span_annotations?sync=true", {"data": given})
    asked = "&".join(f"span_ids={name}" for name in ids)
    whole = call(f"projects/default/span_annotations?limit=1000&{asked}")
    Path(folder, "phoenix.json").write_text(json.dumps(whole, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
