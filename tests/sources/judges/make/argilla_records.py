"""Make a flattened export of Argilla's records; no server is needed.

pip install argilla
python argilla_records.py FOLDER
"""

import json
import sys
from pathlib import Path
from uuid import UUID

import argilla as rg
from argilla.records._io import GenericIO
from documented import answers

USERS = [UUID(int=1), UUID(int=2)]


def records():
    for i, first, second, judge in answers():
        scores = [first, second] if i % 2 else [first]
        yield rg.Record(
            id=f"record-{i}",
            fields={"text": f"Answer {i}"},
            responses=[
                rg.Response("quality", score, user_id=user, status="submitted")
                for score, user in zip(scores, USERS, strict=False)
            ],
            suggestions=[rg.Suggestion("quality", judge, agent="judge-1")],
        )


if __name__ == "__main__":
    flat = GenericIO.to_list([*records()], flatten=True)
    text = json.dumps(flat, indent=1, default=str) + "\n"
    (Path(sys.argv[1]) / "argilla.json").write_text(text, "utf-8")
