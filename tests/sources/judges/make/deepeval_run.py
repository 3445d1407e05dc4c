"""Make a test run of DeepEval with a metric that needs no model.

python deepeval_run.py FOLDER        needs deepeval; 4.3.1 made the file that is kept
"""

import json
import os
import random
import sys
import tempfile
from pathlib import Path

os.environ |= {"DEEPEVAL_TELEMETRY_OPT_OUT": "YES", "DEEPEVAL_DISABLE_DOTENV": "1"}

from deepeval import evaluate
from deepeval.evaluate import AsyncConfig, CacheConfig, DisplayConfig, ErrorConfig
from deepeval.metrics import BaseMetric
from deepeval.test_case import LLMTestCase


class Recorded(BaseMetric):
    """A metric that returns what was recorded."""

    def __init__(self, name):
        self.name, self.threshold, self.async_mode, self.evaluation_model = (
            name,
            0.5,
            False,
            "recorded",
        )

    def measure(self, case, *_, **__):
        self.score = case.metadata[self.name]
        if self.score is None:
            raise ValueError("no answer")
        self.success, self.reason = self.score >= self.threshold, "recorded"
        return self.score

    async def a_measure(self, case, *_, **__):
        return self.measure(case)

    def is_successful(self):
        return bool(self.success)

    @property
    def __name__(self):
        return self.name


def main(folder):
    draw, cases = random.Random(3), []
    for i in range(10):
        good = draw.random()
        human = int(good > 0.4)
        scores = {
            name: round(min(1, max(0, good + draw.gauss(0, 0.25))), 2)
            for name in ("Correctness", "Tone")
        }
        if i == 6:
            scores["Tone"] = None
        cases.append(
            LLMTestCase(
                input=f"Question {i}",
                actual_output=f"Answer {i}",
                name=f"case_{i}",
                metadata={"human": human, **scores},
            )
        )
    os.chdir(tempfile.mkdtemp())
    evaluate(
        cases,
        [Recorded("Correctness"), Recorded("Tone")],
        display_config=DisplayConfig(show_indicator=False, print_results=False),
        async_config=AsyncConfig(run_async=False),
        cache_config=CacheConfig(write_cache=False),
        error_config=ErrorConfig(ignore_errors=True),
    )
    run = json.loads(Path(".deepeval/.latest_run_full.json").read_text())
    (folder / "deepeval.json").write_text(json.dumps(run, indent=1) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
