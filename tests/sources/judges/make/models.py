"""Hold the files that ``documented.py`` writes against the classes of the tools' own packages.

    pip install label-studio-sdk langfuse arize-phoenix-client opik weave ragas
    python models.py FOLDER [TOOL ...]

Checked with label-studio-sdk 2.1.2, langfuse 5.0.4, arize-phoenix-client 3.5.0, opik 2.2.122,
weave 0.54.0, ragas 0.4.3.
"""

import json
import sys
import typing
from pathlib import Path

from pydantic import TypeAdapter
from typing_extensions import TypedDict


def label_studio(content):
    from label_studio_sdk.types import Annotation, Prediction

    for task in content:
        for given in task["annotations"]:
            Annotation.model_validate(given)
        for given in task["predictions"]:
            Prediction.model_validate({"task": task["id"], **given})


def langfuse(content):
    from langfuse.api.commons.types.score import Score
    from langfuse.api.core.pydantic_utilities import parse_obj_as

    for score in content:
        parse_obj_as(Score, score)


def phoenix(content):
    typing.TypedDict = TypedDict  # before Python 3.12 pydantic takes no other
    from phoenix.client.__generated__.v1 import SpanAnnotationsResponseBody

    TypeAdapter(SpanAnnotationsResponseBody).validate_python(content)


def opik(content):
    from opik.rest_api.types import ExperimentItemPublic, FeedbackScorePublic

    for item in content["items"]:
        ExperimentItemPublic.model_validate(item)
        for score in item["feedback_scores"]:
            FeedbackScorePublic.model_validate(score)


def weave(content):
    from weave.vendor.weave_server_sdk.types import FeedbackCreateParams, FeedbackQueryResponse

    for row in FeedbackQueryResponse.model_validate(content).result:
        TypeAdapter(FeedbackCreateParams).validate_python(row)


def ragas(content):
    from ragas.dataset_schema import MetricAnnotation

    MetricAnnotation.model_validate({"root": content})


TOOLS = (label_studio, langfuse, phoenix, opik, weave, ragas)

if __name__ == "__main__":
    folder, *named = sys.argv[1:]
    for check in TOOLS:
        if not named or check.__name__ in named:
            check(json.loads((Path(folder) / f"{check.__name__}.json").read_text("utf-8")))
            sys.stdout.write(f"{check.__name__} holds\n")
