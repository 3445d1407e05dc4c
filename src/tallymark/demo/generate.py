"""The call that made scores.csv."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tallymark.simulation import Group, Prompt, Rater, Simulated, System, simulate

FORMATS = {
    "response": "R{:04d}",
    "candidate": "C{:03d}",
    "h1": "{:.0f}",
    "h2": "{:.0f}",
    "engine": "{:.2f}",
    "engine_confidence": "{:.3f}",
    "chatbot": "{:.0f}",
    "chatbot_confidence": "{:.3f}",
}

PROMPTS = [
    Prompt("city life"),
    Prompt("school uniform", difficulty=0.3),
    Prompt("travel", difficulty=-0.2),
]

GROUPS = {
    "gender": [Group("female", share=0.52), Group("male", share=0.48)],
    "first_language": [
        Group("English", share=0.55),
        Group("Spanish", share=0.25, ability=-0.4),
        Group("Mandarin", share=0.20),
    ],
}


def generate() -> Simulated:
    """Simulate the demo: README.md says what is built in and what a good tool should find."""
    return simulate(
        1200,
        scale="1:6",
        mean=3.6,
        sd=1.2,
        prompts=PROMPTS,
        candidates=500,
        groups=GROUPS,
        raters=[
            Rater("h1", noise=0.52),
            Rater("h2", severity=0.1, noise=0.52, share=0.4),
        ],
        systems=[
            System(
                "engine",
                noise=0.3,
                compression=0.1,
                rounded=False,
                slips=0.05,
                slip_size=1.5,
                confidence=0.9,
            ),
            System(
                "chatbot",
                noise=0.85,
                shift={"first_language": {"Mandarin": -0.5}},
                confidence=0.05,
            ),
        ],
        seed=5,
    )


def to_csv(columns: dict[str, NDArray[Any]]) -> str:
    """Write the columns as CSV; a missing score is an empty cell."""
    cells = [
        [_cell(value, FORMATS.get(name, "{}")) for value in values.tolist()]
        for name, values in columns.items()
    ]
    rows = [",".join(row) for row in zip(*cells, strict=True)]
    return "\n".join([",".join(columns), *rows]) + "\n"


def _cell(value: float | str, form: str) -> str:
    return "" if isinstance(value, float) and np.isnan(value) else form.format(value)
