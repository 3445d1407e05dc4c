"""Hold the files that ``documented.py`` writes against the classes of the tools' own packages.

    pip install langfuse opik weave ragas
    python models.py FOLDER [TOOL ...]

Checked with langfuse 5.0.4, opik 2.2.122, weave 0.54.0, ragas 0.4.3.
"""

import json
import sys
from pathlib import Path

from pydantic import TypeAdapter


def langfuse(content):
    from langfuse.api.commons.types.score import Score
    from langfuse.api.core.pydantic_utilities import parse_obj_as

    for score in content:
        parse_obj_as(Score, score)


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


TOOLS = (langfuse, opik, weave, ragas)

if __name__ == "__main__":
    folder, *named = sys.argv[1:]
    for check in TOOLS:
        if not named or check.__name__ in named:
            check(json.loads((Path(folder) / f"{check.__name__}.json").read_text("utf-8")))
            sys.stdout.write(f"{check.__name__} holds\n")
