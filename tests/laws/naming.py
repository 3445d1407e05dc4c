"""Words of ours, and a table whose rater, system, prompt, group and trait are called by them."""

import csv
import re
from collections import Counter
from typing import Any

import numpy as np

from tallymark.results import Kind

N = 40
ROLES = ("rater", "system", "prompt", "group", "trait")
BASELINES = ("majority score", "random score", "mean score", "second human")
TALLIED = ("all", "average", "count", "row", "second", "weight")
"""Words for parts of the data, and for what a tally holds beside scores."""
WORDS = sorted(
    [*(kind.value for kind in Kind), *BASELINES, *TALLIED, "severity (rater)", "people (system)"]
)
"""Our words for scorers and comparisons, and those that names were once marked with."""
PLAIN = tuple("zz" + role for role in ROLES)


def called(first, step=4):
    """Give each role a word of its own; every ``step`` is a word further on."""
    return tuple(WORDS[(first + step * i) % len(WORDS)] for i in range(len(ROLES)))


def scores_of(words, n=N):
    """A table in which a rater, a system, a prompt, a group and a trait have these names."""
    rng = np.random.default_rng(0)
    truth, at = rng.normal(2.5, 1, n), np.arange(n)
    near = lambda sd: np.clip(np.round(truth + rng.normal(0, sd, n)), 1, 4)  # noqa: E731
    rater, system, prompt, group, trait = words
    columns = {rater: near(0.4), "h2": near(0.4), "h3": near(0.5), system: near(0.5)}
    columns |= {"other": near(0.7), "sure": rng.random(n)}
    columns["essay"] = np.array([prompt, "zzz"])[at % 2]
    columns["gender"] = np.array([group, "zzz"])[at // 2 % 2]
    columns["trait"] = np.array([trait, "zzz"])[at // 4 % 2]
    return columns


def write(path, columns):
    """Write columns as CSV."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
    return str(path)


def digits(text):
    """The numbers of a screen, in any order."""
    return sorted(re.findall(r"\d*\.\d+", text))


def cells(page: str) -> Counter[str]:
    """How often each text stands alone in an element of a page."""
    return Counter(text.strip() for text in re.findall(r">([^<>]+)<", page))


def stands_as_often(word: str, plain: str, ours: Any, usual: Any) -> bool:
    """Whether a word of ours is a name on a page as often as a plain name is on its own."""
    return bool(ours[word] - usual[word] == usual[plain] - ours[plain])
