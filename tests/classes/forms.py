"""Scores in every form that labels have."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

N = 120


@dataclass(frozen=True)
class Form:
    """The words of each label from the lowest on, and how they are declared."""

    labels: tuple[tuple[Any, ...], ...]
    asked: dict[str, Any] = field(default_factory=dict)


FORMS = {
    "words": Form((("fail",), ("pass",))),
    "declared": Form((("reject", "error"), ("approve",)), {"scale": ["reject|error", "approve"]}),
    "turned": Form((("pass",), ("fail",)), {"positive": "fail"}),
    "booleans": Form(((False,), (True,))),
    "numbers": Form(((0,), (1,))),
    "letters": Form((("I", "N"), ("P",), ("C",))),
    "Likert": Form((("disagree",), ("neutral",), ("agree",))),
    "categories": Form(
        (("refuse",), ("comply",), ("partial",)), {"categories": ["refuse", "comply", "partial"]}
    ),
    "two categories": Form((("cat",), ("dog",)), {"categories": ["cat", "dog"]}),
}


def responses(form: Form) -> Any:
    """Two people, two judges and a confidence."""
    import pandas as pd

    rng = np.random.default_rng(5)
    k = len(form.labels)
    truth = np.concatenate([np.arange(k), rng.integers(0, k, N - k)])

    def given(right: float) -> list[Any]:
        place = np.where(rng.random(N) < right, truth, rng.integers(0, k, N))
        words = [form.labels[i] for i in place]
        return [label[int(rng.integers(0, len(label)))] for label in words]

    columns = {"human1": 0.85, "human2": 0.8, "judge": 0.75, "other": 0.5}
    frame = pd.DataFrame({name: given(right) for name, right in columns.items()})
    frame["sure"] = rng.random(N).round(3)
    return frame
