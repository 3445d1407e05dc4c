"""Make MLflow traces with assessments by people, a judge and code, two of them overridden.

    python mlflow_traces.py FOLDER        needs mlflow-skinny; 3.17.2 made the file that is kept

The spans and what tells of the machine are left out of ``mlflow.jsonl``.
"""

import json
import random
import sys
import tempfile
from pathlib import Path

import mlflow
from mlflow.entities import AssessmentSource

KEPT = ("trace_id", "trace_location", "request_time", "state", "assessments", "request_preview")


def by(kind, name):
    return AssessmentSource(source_type=kind, source_id=name)


def assess(trace, i, draw):
    truth = draw.random() < 0.6
    judged = truth if draw.random() < 0.8 else not truth
    given = {"error": ValueError("no answer")} if i == 4 else {"value": judged}
    first = mlflow.log_feedback(
        trace_id=trace, name="correct", source=by("LLM_JUDGE", "judge-1"), **given
    )
    mlflow.log_feedback(trace_id=trace, name="length", value=8 + i, source=by("CODE", "len"))
    if i % 4 != 3:
        mlflow.log_feedback(trace_id=trace, name="correct", value=truth, source=by("HUMAN", "ana"))
    if i in (2, 7):
        mlflow.override_feedback(
            trace_id=trace,
            assessment_id=first.assessment_id,
            value=not judged,
            source=by("HUMAN", "ben"),
        )


def main(folder):
    draw, ids = random.Random(11), []
    with tempfile.TemporaryDirectory() as place:
        mlflow.set_tracking_uri(f"sqlite:///{place}/mlflow.db")
        mlflow.set_experiment(experiment_id=mlflow.create_experiment("recorded", place))
        for i in range(12):
            with mlflow.start_span(name="answer") as span:
                span.set_inputs({"question": f"Question {i}"})
            ids.append(span.trace_id)
        mlflow.flush_trace_async_logging()
        for i, trace in enumerate(ids):
            assess(trace, i, draw)
        traces = [json.loads(mlflow.get_trace(trace).to_json())["info"] for trace in ids]
    lines = [
        json.dumps({"info": {key: info[key] for key in KEPT}, "data": {"spans": []}})
        for info in traces
    ]
    (folder / "mlflow.jsonl").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
