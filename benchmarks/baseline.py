"""Reference scorers on 13,000 generated essays of 300 words: CPU seconds and memory.

python -m benchmarks.baseline            one fold of one prompt, and what all 40 of them would take
python -m benchmarks.baseline --whole    all of it, as `tm.baseline` runs it
"""

import resource
import sys
import time

import numpy as np

import tallymark as tm
from tallymark.scorers.encoding import Material
from tallymark.scorers.fitting import FoldTask
from tallymark.scorers.models import MODELS

ESSAYS, WORDS, PROMPTS, FOLDS = 13_000, 300, 8, 5


def main() -> None:
    if "--whole" in sys.argv:
        made = tm.simulation.corpus(ESSAYS, prompts=PROMPTS, words=WORDS)
        start = time.perf_counter()
        tm.baseline(made.columns(), text="text", humans=["h1", "h2"], prompt="prompt")
        print(f"whole run: {time.perf_counter() - start:.0f} s")
    else:
        n = ESSAYS // PROMPTS
        made = tm.simulation.corpus(n, prompts=1, words=WORDS)
        columns = made.columns()
        start = time.process_time()
        material = Material.of([str(text) for text in columns["text"]])
        counted = time.process_time() - start
        rows = np.arange(n)
        gold = np.asarray(columns["h1"], float)
        task = FoldTask(
            material, gold, rows, np.arange(1.0, 7.0), rows[rows % FOLDS > 0],
            rows[rows % FOLDS == 0], tuple(MODELS), 0,
        )  # fmt: skip
        start = time.process_time()
        task.run()
        fitted = time.process_time() - start
        total = PROMPTS * (counted + FOLDS * fitted)
        print(f"counting a prompt: {counted:.1f} s; a fold: {fitted:.1f} s")
        print(
            f"{PROMPTS} prompts, {FOLDS} folds: {total:.0f} CPU s, {total / 2:.0f} s on two cores"
        )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    workers = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"most memory: {peak:.0f} MB, a worker {workers:.0f} MB")


if __name__ == "__main__":
    main()
