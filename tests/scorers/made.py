"""Small tables of texts whose words and length carry the score."""

import numpy as np

GOOD = [
    "therefore",
    "evidence",
    "argument",
    "because",
    "analysis",
    "however",
    "conclusion",
    "detail",
]
BAD = ["thing", "stuff", "good", "bad", "nice", "very", "lot", "big"]


def table(n=40, prompts=("p", "q"), seed=0, **more):
    """Responses of some prompts: the higher the score, the longer and the better the words."""
    random = np.random.default_rng(seed)
    columns: dict[str, list] = {
        "id": [],
        "prompt": [],
        "essay": [],
        "h1": [],
        "h2": [],
        "engine": [],
    }
    for prompt in prompts:
        for i in range(n):
            score = int(random.integers(1, 5))
            size = int(random.poisson(4 + 4 * score)) + 1
            words = [
                str(random.choice(GOOD if random.random() < score / 5 else BAD))
                for _ in range(size)
            ]
            columns["id"].append(f"{prompt}{i}")
            columns["prompt"].append(prompt)
            columns["essay"].append(" ".join(words) + ".")
            columns["h1"].append(score)
            columns["h2"].append(int(np.clip(score + random.integers(-1, 2), 1, 4)))
            columns["engine"].append(int(np.clip(score + random.integers(-1, 2), 1, 4)))
    return {**columns, **more}
