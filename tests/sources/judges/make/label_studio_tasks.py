"""Make an export of a Label Studio server that runs here: tasks with predictions, annotated by two people.

    pip install label-studio
    export LABEL_STUDIO_BASE_DATA_DIR=$PWD/data COLLECT_ANALYTICS=False LABEL_STUDIO_ENABLE_LEGACY_API_TOKEN=true
    label-studio start --no-browser --port 18080 --username a@example.com --password secret --user-token TOKEN
    python label_studio_tasks.py http://localhost:18080 TOKEN FOLDER

Label Studio 1.23.2 made ``label_studio.json``. Ten answers, each with a rating and a choice, by two people and a model:
one annotation is skipped, one holds two choices, three are ground truth. The page's own export, of which
``label_studio_page.json`` is the start, holds only the ids of predictions.
"""

import json
import sys
import urllib.request
from pathlib import Path

from documented import answers

CONFIG = """<View>
<Text name="text" value="$text"/>
<Rating name="quality" toName="text" maxRating="5"/>
<Choices name="verdict" toName="text" choice="multiple"><Choice value="poor"/><Choice value="good"/></Choices>
</View>"""
WHOLE = {"predictions": {"only_id": False}}


def caller(server, token):
    def call(method, path, body=None):
        request = urllib.request.Request(
            f"{server}/api/{path}",
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Token {token}", "Content-Type": "application/json"},
            method=method,
        )
        with urllib.request.urlopen(request) as answer:
            return json.loads(answer.read() or b"null")

    return call


def result(score, several=False):
    shared = {"to_name": "text", "origin": "manual"}
    words = ["poor", "good"] if several else ["good" if score > 2 else "poor"]
    return [
        {**shared, "from_name": "quality", "type": "rating", "value": {"rating": score}},
        {**shared, "from_name": "verdict", "type": "choices", "value": {"choices": words}},
    ]


def main(server, token, folder):
    call = caller(server, token)
    other = call("POST", "users/", {"email": "b@example.com", "username": "b"})["id"]
    project = call("POST", "projects", {"title": "judged", "label_config": CONFIG})["id"]
    for i, first, second, judge in answers():
        task = call("POST", "tasks", {"project": project, "data": {"text": f"Answer {i}"}})["id"]
        if i != 8:
            guess = {"task": task, "model_version": "judge-2", "score": 0.5}
            call("POST", "predictions", {**guess, "result": result(judge)})
        skipped = {"result": [], "was_cancelled": True}
        given = {"result": result(first, several=i == 2), "ground_truth": i < 3}
        call("POST", f"tasks/{task}/annotations", skipped if i == 4 else given)
        if i % 2:
            given = {"result": result(second), "completed_by": other}
            call("POST", f"tasks/{task}/annotations", given)
    export = f"projects/{project}/exports/"
    made = call("POST", export, {"title": "whole", "serialization_options": WHOLE})
    whole = call("GET", f"{export}{made['id']}/download?exportType=JSON")
    page = call("GET", f"projects/{project}/export?exportType=JSON")
    for name, tasks in (("label_studio", whole), ("label_studio_page", page[:3])):
        Path(folder, f"{name}.json").write_text(json.dumps(tasks, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
