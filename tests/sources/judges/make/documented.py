"""Write small files as the documentation of their tools describes them, for tools that need a server.

    python documented.py FOLDER

Langfuse (scores as JSON, JSON lines and CSV), Opik, Weave, Ragas. Ten answers each: a person, a judge that is right four times in five, gaps and oddities.
``models.py`` holds them against the classes of the tools' own packages.
"""

import csv
import json
import random
import sys
from pathlib import Path

NUMBER = 10


def answers():
    """The true score, a person's and a judge's of each answer, 1 to 5."""
    draw = random.Random(20)
    for i in range(NUMBER):
        truth = draw.randint(1, 5)
        off = [draw.choice((0, 0, 0, 0, draw.choice((-1, 1)))) for _ in range(3)]
        yield i, *(min(5, max(1, truth + shift)) for shift in off)


def langfuse():
    for i, first, second, judge in answers():
        time = f"2026-05-0{1 + i % 9}T10:00:0"
        trace = {
            "traceId": f"trace-{i}",
            "observationId": None,
            "comment": None,
            "createdAt": f"{time}0Z",
            "updatedAt": f"{time}0Z",
            "environment": "default",
        }
        people = [("Ana", first)] + ([("Ben", second)] if i % 2 else []) if i != 3 else []
        for name, score in people:
            yield {
                **trace,
                "id": f"a{i}{name}",
                "timestamp": f"{time}1Z",
                "name": "quality",
                "source": "ANNOTATION",
                "dataType": "NUMERIC",
                "value": score,
                "stringValue": None,
                "authorUserName": name,
            }
        if i != 6:
            yield {
                **trace,
                "id": f"e{i}",
                "timestamp": f"{time}2Z",
                "name": "quality",
                "source": "EVAL",
                "dataType": "NUMERIC",
                "value": judge,
                "stringValue": None,
                "authorUserName": None,
            }
        yield {
            **trace,
            "id": f"p{i}",
            "timestamp": f"{time}3Z",
            "name": "latency",
            "source": "API",
            "dataType": "NUMERIC",
            "value": 0.5 + i,
            "stringValue": None,
            "authorUserName": None,
        }
        if i == 0:
            yield {
                **trace,
                "id": "t0",
                "timestamp": f"{time}4Z",
                "name": "remark",
                "source": "ANNOTATION",
                "dataType": "TEXT",
                "value": None,
                "stringValue": "well said",
                "authorUserName": "Ana",
            }


def opik():
    """Items of an experiment, as ``opik export`` writes them: one score a name, its authors below it."""
    for i, first, _, judge in answers():
        by = {
            "ana": {"value": float(first), "source": "ui"},
            "admin": {"value": float(judge), "source": "online_scoring"},
        }
        if i == 3:
            del by["ana"]
        mean = sum(each["value"] for each in by.values()) / len(by)
        quality = {"name": "quality", "value": mean, "source": "ui", "value_by_author": by}
        if i == 3:
            quality["source"] = "online_scoring"
        yield {
            "id": f"item-{i}",
            "experiment_id": "experiment-1",
            "dataset_item_id": f"case-{i}",
            "trace_id": f"trace-{i}",
            "feedback_scores": [quality],
        }


def weave():
    """Feedback as the server's query gives it."""
    for i, first, _, judge in answers():
        of = {
            "project_id": "team/project",
            "weave_ref": f"weave:///team/project/call/{i}",
            "created_at": f"2026-05-01T10:00:{i:02}Z",
        }
        if i != 3:
            yield {
                "id": f"h{i}",
                **of,
                "creator": "ana",
                "feedback_type": "wandb.annotation.quality",
                "annotation_ref": "weave:///team/project/object/quality:1",
                "payload": {"value": first},
            }
        yield {
            "id": f"j{i}",
            **of,
            "creator": "service",
            "feedback_type": "wandb.runnable.quality",
            "runnable_ref": "weave:///team/project/op/quality:1",
            "payload": {"output": judge},
        }


def ragas():
    """Annotations of a metric: whether a person accepted its score, and the score in its place."""
    return [
        {
            "metric_input": {"user_input": f"Question {i}", "response": f"Answer {i}"},
            "metric_output": judge,
            "prompts": {
                "quality_prompt": {
                    "prompt_input": {"response": f"Answer {i}"},
                    "prompt_output": {"reason": "recorded", "verdict": judge},
                    "edited_output": None,
                }
            },
            "is_accepted": judge == first,
            "target": None if i == 3 else first,
        }
        for i, first, _, judge in answers()
    ]


def main(folder):
    def whole(name, content):
        (folder / name).write_text(json.dumps(content, indent=1) + "\n", "utf-8")

    scores = [*langfuse()]
    whole("langfuse.json", scores)
    (folder / "langfuse.jsonl").write_text(
        "".join(json.dumps(row) + "\n" for row in scores), "utf-8"
    )
    with (folder / "langfuse.csv").open("w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, [*scores[0]])
        table.writeheader()
        table.writerows(scores)
    whole("opik.json", {"experiment": {"id": "experiment-1"}, "items": [*opik()]})
    rows = [*weave()]
    whole("weave.json", {"result": rows, "total_count": len(rows)})
    whole("ragas.json", {"quality": ragas()})


if __name__ == "__main__":
    main(Path(sys.argv[1]))
