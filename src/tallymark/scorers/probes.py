"""Probes: texts in the place of responses, to see what a scorer rewards."""

import re
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from tallymark.scorers.folds import generator
from tallymark.scorers.out_of_fold import Sample, canonical
from tallymark.scorers.tokens import UNSPACED, parted, plain, words

Ints = NDArray[np.int64]
REPEATED, SHUFFLED, OFF_TOPIC, EMPTY = "repeated", "shuffled", "off-topic", "empty"
MOST = 200
"""Responses of each prompt that are probed."""
_PARAGRAPH = "\n\n"
_UNSPACED = re.compile(f"[{UNSPACED}]")


def probes_of(sample: Sample, seed: int) -> dict[str, dict[int, str]]:
    """The probes of some responses of every part, by name and by the place of the response.

    Responses are drawn, and texts made, alike whatever the order of the rows. A response without
    words has no probes, one of a single sentence is not shuffled, and without a second prompt nothing is off topic.
    """
    order = canonical(sample)
    written = np.array([bool(words(plain(sample.texts[i]))) for i in order], bool)
    order = order[written]
    drawn: list[int] = []
    for part in sorted({*sample.parts}):
        here = order[sample.parts[order] == part]
        random = generator(seed, "probed", part)
        drawn += here[np.sort(random.permutation(here.size)[:MOST])].tolist()
    texts = sample.texts
    shuffles = {i: shuffled(texts[i], generator(seed, "shuffled", texts[i])) for i in drawn}
    made = {
        REPEATED: {i: f"{texts[i]}{_PARAGRAPH}{texts[i]}" for i in drawn},
        SHUFFLED: {i: text for i, text in shuffles.items() if text is not None},
        OFF_TOPIC: _off_topic(sample, order, drawn, seed),
        EMPTY: dict.fromkeys(drawn, ""),
    }
    return {name: of for name, of in made.items() if of}


def shuffled(text: str, random: np.random.Generator) -> str | None:
    """The sentences of a text in another order; None where it has but one."""
    listed = parted(text)
    if len({*listed}) < 2:
        return None
    order = random.permutation(len(listed))
    while [listed[i] for i in order] == listed:
        order = random.permutation(len(listed))
    return _joined([listed[i] for i in order])


def _joined(listed: Sequence[str]) -> str:
    """Sentences one after the other; after one that has no end a paragraph ends it."""
    text = listed[0]
    for before, sentence in pairwise(listed):
        ended = len(parted(f"{before} {sentence}")) > 1
        dense = bool(_UNSPACED.search(before[-2:]))
        text += ("" if dense and ended else " " if ended else _PARAGRAPH) + sentence
    return text


def _off_topic(sample: Sample, order: Ints, drawn: Sequence[int], seed: int) -> dict[int, str]:
    """For each response one to another prompt that stands about where it does by its gold."""
    if sample.prompts is None:
        return {}
    prompts = {name: order[sample.prompts[order] == name] for name in sorted({*sample.prompts})}
    standing = np.zeros(sample.gold.size)
    for rows in prompts.values():
        gold = sample.gold[rows]
        below, to = (np.searchsorted(np.sort(gold), gold, side=side) for side in ("left", "right"))
        standing[rows] = (below + to) / (2 * rows.size)
    made = {}
    for i in drawn:
        random = generator(seed, "off-topic", str(sample.parts[i]), sample.texts[i])
        others = [name for name in prompts if name != sample.prompts[i] and prompts[name].size]
        if others:
            rows = prompts[others[int(random.integers(len(others)))]]
            apart = np.abs(standing[rows] - standing[i])
            near = rows[apart == apart.min()]
            made[i] = sample.texts[int(near[random.integers(near.size)])]
    return made
