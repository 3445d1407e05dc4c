"""Write small files as the documentation of their tools describes them, for tools that need a server.

    python documented.py FOLDER

Langfuse (scores as JSON, JSON lines and CSV), Label Studio, Phoenix, Opik, Weave, Ragas. Ten answers each: a person, a judge that is right four times in five, gaps and oddities.
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
        trace = {"traceId": f"trace-{i}", "observationId": None, "comment": None}
        time = f"2026-05-0{1 + i % 9}T10:00:0"
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
        judged = None if i == 6 else judge
        yield {
            **trace,
            "id": f"e{i}",
            "timestamp": f"{time}2Z",
            "name": "quality",
            "source": "EVAL",
            "dataType": "NUMERIC",
            "value": judged,
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


def label_studio():
    def result(score):
        rated = {
            "id": "r1",
            "from_name": "quality",
            "to_name": "text",
            "type": "rating",
            "value": {"rating": score},
        }
        word = "good" if score > 2 else "poor"
        chosen = {
            "id": "r2",
            "from_name": "verdict",
            "to_name": "text",
            "type": "choices",
            "value": {"choices": [word]},
        }
        return [rated, chosen]

    for i, first, second, judge in answers():
        people = [
            {
                "id": 100 + i,
                "completed_by": 1,
                "was_cancelled": i == 4,
                "ground_truth": i < 3,
                "result": [] if i == 4 else result(first),
            }
        ]
        if i % 2:
            people.append(
                {
                    "id": 200 + i,
                    "completed_by": 2,
                    "was_cancelled": False,
                    "ground_truth": False,
                    "result": result(second),
                }
            )
        guessed = [
            {"id": 300 + i, "model_version": "judge-2", "score": 0.5, "result": result(judge)}
        ]
        yield {
            "id": i + 1,
            "data": {"text": f"Answer {i}"},
            "annotations": people,
            "predictions": guessed if i != 8 else [],
        }


def phoenix():
    for i, first, _, judge in answers():
        for kind, score in (("HUMAN", first), ("LLM", judge)):
            if (i, kind) != (3, "HUMAN"):
                yield {
                    "id": f"{kind}{i}",
                    "span_id": f"span-{i}",
                    "annotation_name": "quality",
                    "annotator_kind": kind,
                    "result": {"label": None, "score": score, "explanation": None},
                    "user_id": None,
                }


def opik():
    for i, first, _, judge in answers():
        scores = [
            {"name": "quality", "value": first, "source": "ui", "created_by": "ana"},
            {"name": "quality", "value": judge, "source": "online_scoring", "created_by": "admin"},
        ]
        yield {"id": f"trace-{i}", "feedback_scores": scores[i == 3 :]}


def weave():
    for i, first, _, judge in answers():
        of = {"weave_ref": f"weave:///team/project/call/{i}"}
        if i != 3:
            yield {
                **of,
                "creator": "ana",
                "feedback_type": "wandb.annotation.quality",
                "payload": {"value": first},
            }
        yield {
            **of,
            "creator": "service",
            "feedback_type": "wandb.runnable.quality",
            "payload": {"output": judge},
        }


def ragas():
    return [
        {"metric_output": judge, "is_accepted": judge == first, "target": None if i == 3 else first}
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
    whole("label_studio.json", [*label_studio()])
    whole("phoenix.json", {"data": [*phoenix()], "next_cursor": None})
    whole("opik.json", {"items": [*opik()]})
    whole("weave.json", [*weave()])
    whole("ragas.json", {"quality": ragas()})


if __name__ == "__main__":
    main(Path(sys.argv[1]))
