"""Make the samples that lm-eval logs: a task on local data, and a model that gives recorded answers.

pip install --no-deps lm-eval    # and what `import lm_eval.evaluator` asks for; torch is not needed
HF_DATASETS_OFFLINE=1 python lm_eval_samples.py FOLDER
"""

import json
import sys
import tempfile
from pathlib import Path

from documented import answers
from lm_eval import simple_evaluate
from lm_eval.api.model import LM
from lm_eval.loggers import EvaluationTracker


class Recorded(LM):
    """Gives the judge's score of the answer that a prompt names."""

    def generate_until(self, requests, **_):
        given = {i: judge for i, _, _, judge in answers()}
        return [str(given[int(request.args[0].rpartition(" ")[2])]) for request in requests]

    def loglikelihood(self, requests, **_):
        raise NotImplementedError

    def loglikelihood_rolling(self, requests, **_):
        raise NotImplementedError


def main(folder):
    with tempfile.TemporaryDirectory() as place:
        rows = [{"question": f"Answer {i}", "human": str(human)} for i, human, _, _ in answers()]
        data = Path(place) / "data.jsonl"
        data.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
        task = {
            "task": "judged",
            "dataset_path": "json",
            "dataset_kwargs": {"data_files": {"test": str(data)}},
            "test_split": "test",
            "output_type": "generate_until",
            "doc_to_text": "{{question}}",
            "doc_to_target": "{{human}}",
            "metric_list": [{"metric": "exact_match"}],
        }
        found = simple_evaluate(
            model=Recorded(), tasks=[task], log_samples=True, bootstrap_iters=0, verbosity="ERROR"
        )
        tracker = EvaluationTracker(output_path=place)
        tracker.save_results_aggregated(results=found, samples=found["samples"])
        tracker.save_results_samples("judged", found["samples"]["judged"])
        (made,) = Path(place).rglob("samples_judged_*.jsonl")
        (folder / "lm_eval.jsonl").write_bytes(made.read_bytes().replace(place.encode(), b"."))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
