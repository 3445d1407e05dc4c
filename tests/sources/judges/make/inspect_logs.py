"""Make Inspect logs without a model: scorers return recorded values, a person edits some of them.

    python inspect_logs.py FOLDER        needs inspect_ai; 0.3.285 made the files that are kept

``same.eval`` (members packed by Zstandard) and ``same.json`` have the same answer in each of three
epochs, two scorers, scores that are missing and scores that people edited. ``apart.eval`` (packed by deflate) has
another answer in each of two epochs, and a sample that fails.
"""

import math
import random
import sys
import tempfile
import zipfile
from pathlib import Path

from inspect_ai import Task
from inspect_ai import eval as run
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import ProvenanceData, edit_score, read_eval_log, write_eval_log
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import Score, ScoreEdit, accuracy, mean, scorer
from inspect_ai.solver import solver


@solver
def answering(*, apart):
    async def solve(state, generate):
        if state.sample_id == "q07" and apart:
            raise ValueError("no answer")
        said = f"Answer {state.sample_id} {state.epoch if apart else ''}".strip()
        state.output = ModelOutput.from_content("recorded", said)
        return state

    return solve


def recorded(name):
    async def score(state, target):
        value = state.metadata[name][state.epoch - 1]
        if value is None:
            return Score(value=math.nan, explanation="no score could be read")
        return Score(value=value, answer="text", explanation="recorded")

    return score


@scorer(metrics=[accuracy()])
def strict():
    return recorded("strict")


@scorer(metrics=[mean()])
def quality():
    return recorded("quality")


def samples(number):
    draw = random.Random(7)
    for i in range(number):
        good = draw.random()
        letters = [draw.choices("CPI", [good, 0.2, 1 - good])[0] for _ in range(3)]
        points = [min(5, max(1, round(1 + 4 * good + draw.gauss(0, 0.6)))) for _ in range(3)]
        if i == 5:
            points[1] = None
        if i == 6:
            letters = [None, None, None]
        recorded = {"strict": letters, "quality": points}
        yield Sample(input=f"Question {i}", target="text", id=f"q{i:02}", metadata=recorded)


def made(number, scorers, edits, *, epochs, apart):
    data = MemoryDataset([*samples(number)], name="recorded")
    task = Task(
        dataset=data, solver=answering(apart=apart), scorer=scorers, epochs=epochs, name="recorded"
    )
    with tempfile.TemporaryDirectory() as folder:
        (log,) = run(task, model=None, log_dir=folder, display="none", fail_on_error=False)
        log = read_eval_log(log.location)
    for sample, epoch, name, author, value in edits:
        by = ProvenanceData(author=author, reason="read again")
        edit_score(log, sample, name, ScoreEdit(value=value, provenance=by), epoch=epoch)
    for sample in log.samples:
        sample.events, sample.messages, sample.store = [], [], {}
        if sample.error:
            sample.error.traceback = sample.error.traceback_ansi = ""
    log.error = None
    return log


def deflated(path):
    """Pack the members anew, as logs before 0.3.206 were."""
    log = read_eval_log(str(path))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", log.model_copy(update={"samples": None}).model_dump_json())
        for sample in log.samples:
            archive.writestr(
                f"samples/{sample.id}_epoch_{sample.epoch}.json", sample.model_dump_json()
            )


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    words = ["C", "I", "C", "C", "P", "I", "C", "I"]
    edits = [(f"q{i:02}", 1, "strict", "ana", word) for i, word in enumerate(words)]
    edits += [(f"q{i:02}", 1, "strict", "ben", "CI"[i % 2]) for i in range(0, 8, 3)]
    edits += [(f"q{i:02}", 2, "quality", "ana", 1 + i % 5) for i in range(6)]
    log = made(8, [strict(), quality()], edits, epochs=3, apart=False)
    for form in ("eval", "json"):
        write_eval_log(log, str(folder / f"same.{form}"), format=form)
    edits = [
        (f"q{i:02}", epoch, "strict", "ana", "CPI"[(i + epoch) % 3])
        for i in range(5)
        for epoch in (1, 2)
    ]
    log = made(8, [strict()], edits, epochs=2, apart=True)
    write_eval_log(log, str(folder / "apart.eval"), format="eval")
    deflated(folder / "apart.eval")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
