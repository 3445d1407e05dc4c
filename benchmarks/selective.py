"""Selective scoring in memory: ``python benchmarks/selective.py`` writes selective.md."""

import os
import resource
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

for library in ("OPENBLAS", "OMP", "MKL"):
    os.environ[f"{library}_NUM_THREADS"] = "1"

import numpy as np  # noqa: E402  (threads are set before)
from clock import side_by_side  # noqa: E402

from tallymark.selective.bounds import largest_k  # noqa: E402
from tallymark.selective.certify import certify, certify_each  # noqa: E402
from tallymark.selective.curve import augrc, aurc, auroc, coverage_at, risk_coverage  # noqa: E402
from tallymark.selective.trust import trust_score  # noqa: E402

HERE = Path(__file__).parent
SIZES = (1_000, 100_000, 1_000_000)
TRUST = (20_000, 20_000, 384)


def main() -> None:
    found = {n: side_by_side(_calls(n), enough=1.0) for n in SIZES}
    lines = [
        "# Selective scoring",
        "",
        "CPU seconds of one thread, best of three or more. Written by `python benchmarks/selective.py`.",
        "",
        "| | " + " | ".join(f"{n:,} responses" for n in SIZES) + " |",
        "|---|" + "--:|" * len(SIZES),
    ]
    for name in found[SIZES[0]]:
        cells = [f"{found[n][name]:.4f}" for n in SIZES]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    lines += ["", _trust()]
    page = "\n".join(lines) + "\n"
    (HERE / "selective.md").write_text(page, "utf-8")
    print(page)


def _calls(n: int) -> dict[str, Callable[[], Any]]:
    rng = np.random.default_rng(0)
    c = rng.random(n)
    e = rng.random(n) < 0.4 * (1 - c) ** 3
    prompts, pool = rng.integers(0, 6, n), rng.random(n)
    curve = risk_coverage(c, e)
    return {
        "curve": lambda: risk_coverage(c, e),
        "AURC, AUGRC, AUROC, coverage at .02": lambda: (
            aurc(curve),
            augrc(curve),
            auroc(curve),
            coverage_at(curve, 0.02),
        ),
        "certify, ranks": lambda: certify(c, e, alpha=0.02),
        "certify, pool": lambda: certify(c, e, alpha=0.02, pool=pool),
        "certify, six prompts": lambda: certify_each(c, e, prompts, alpha=0.02),
        "certify, six prompts, common": lambda: certify_each(
            c, e, prompts, alpha=0.02, family="common"
        ),
        "certify, batch": lambda: certify(c, e, alpha=0.02, method="batch", batch=pool),
        "certify, crc": lambda: certify(c, e, alpha=0.02, method="crc"),
        "most errors allowed, for every n": lambda: largest_k(0.02, 0.05, np.arange(n)),
    }


def _trust() -> str:
    rng = np.random.default_rng(0)
    known, new, width = TRUST
    train, x = rng.standard_normal((known, width)), rng.standard_normal((new, width))
    labels, predicted = rng.integers(0, 6, known), rng.integers(0, 6, new)
    start = process_time()
    trust_score(train, labels, x, predicted)
    took = process_time() - start
    unit = 2**20 if sys.platform == "darwin" else 2**10
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
    return (
        f"Trust scores of {new:,} responses beside {known:,} in {width} dimensions: {took:.1f} CPU s; the "
        f"whole program, with the tables above, stays below {megabytes:.0f} MB."
    )


if __name__ == "__main__":
    main()
