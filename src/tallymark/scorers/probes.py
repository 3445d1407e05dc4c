"""Probes: texts in the place of responses, to see what a scorer rewards, and their table."""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from tallymark.arrays import Whole
from tallymark.scorers.documents import UNSPACED, parted, plain, words
from tallymark.scorers.fitting import generator
from tallymark.scorers.out_of_fold import Sample, canonical
from tallymark.scorers.predictions import Predictions, cell
from tallymark.scorers.reading import Lesson, TextTable
from tallymark.sources.joining import Columns
from tallymark.sources.probes import PROBE, ROW, TEXT, probe_of

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
        rows = order[sample.parts[order] == part]
        random = generator(seed, "probed", part)
        drawn += rows[np.sort(random.permutation(rows.size)[:MOST])].tolist()
    texts = sample.texts
    shuffles = {i: shuffled(texts[i], generator(seed, "shuffled", texts[i])) for i in drawn}
    probes = {
        REPEATED: {i: f"{texts[i]}{_PARAGRAPH}{texts[i]}" for i in drawn},
        SHUFFLED: {i: text for i, text in shuffles.items() if text is not None},
        OFF_TOPIC: _off_topic(sample, order, drawn, seed),
        EMPTY: dict.fromkeys(drawn, ""),
    }
    return {name: texts for name, texts in probes.items() if texts}


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


def _off_topic(sample: Sample, order: Whole, drawn: Sequence[int], seed: int) -> dict[int, str]:
    """For each response one to another prompt that stands about where it does by its gold."""
    if sample.prompts is None:
        return {}
    prompts = {name: order[sample.prompts[order] == name] for name in sorted({*sample.prompts})}
    standing = np.zeros(sample.gold.size)
    for rows in prompts.values():
        gold = sample.gold[rows]
        below, to = (np.searchsorted(np.sort(gold), gold, side=side) for side in ("left", "right"))
        standing[rows] = (below + to) / (2 * rows.size)
    texts = {}
    for i in drawn:
        random = generator(seed, "off-topic", str(sample.parts[i]), sample.texts[i])
        other_prompts = [
            name for name in prompts if name != sample.prompts[i] and prompts[name].size
        ]
        if other_prompts:
            rows = prompts[other_prompts[int(random.integers(len(other_prompts)))]]
            distance = np.abs(standing[rows] - standing[i])
            nearest = rows[distance == distance.min()]
            texts[i] = sample.texts[int(nearest[random.integers(nearest.size)])]
    return texts


Probed = Mapping[str, Mapping[str, Sequence[str | None]]]
"""Scores by probe and system, one cell for each row of the table."""


def probe_texts(table: TextTable, lesson: Lesson, seed: int) -> Columns:
    """The probes as a table: whose they are, which, and their texts; to be scored by any system."""
    row_of = lesson.rows.tolist()
    probes = lesson.sample.probes or probes_of(lesson.sample, seed)
    rows = sorted(
        (row_of[i], order, probe, text)
        for order, (probe, texts) in enumerate(probes.items())
        for i, text in texts.items()
    )
    listed = [(row, probe) for row, _, probe, _ in rows]
    return {**_whose(table, lesson, listed), TEXT: [text for *_, text in rows]}


def _whose(table: TextTable, lesson: Lesson, listed: Sequence[tuple[int, str]]) -> Columns:
    """The responses of probes by row, id, prompt and trait, and the name of the probe."""
    roles = lesson.scores.roles
    names = [name for name in (roles.id, roles.prompt, roles.trait) if name in table.columns]
    keys: Columns = {
        name: [table.columns[name][row] for row, _ in listed] for name in dict.fromkeys(names)
    }
    return {
        ROW: [str(row + 1) for row, _ in listed],
        **keys,
        PROBE: [probe for _, probe in listed],
    }


def of_scorers(predictions: Predictions) -> dict[str, dict[str, list[str | None]]]:
    """What reference scorers gave the probes."""
    return {
        probe: {name: [cell(x) for x in scores] for name, scores in by_model.items()}
        for probe, by_model in predictions.probed.items()
    }


def of_systems(
    columns: Columns, probed: Mapping[str, Sequence[str]]
) -> dict[str, dict[str, Sequence[str | None]]]:
    """What the user's systems gave the probes, from joined columns."""
    scores: dict[str, dict[str, Sequence[str | None]]] = {}
    for system, names in probed.items():
        for name in names:
            scores.setdefault(probe_of(system, name), {})[system] = columns[name]
    return scores


def scored(*sources: Probed) -> Columns:
    """The scores of probes as a table that a comparison reads: row, probe, a column a system."""
    probes = list(dict.fromkeys(probe for scores in sources for probe in scores))
    merged = {
        probe: {k: v for scores in sources for k, v in scores.get(probe, {}).items()}
        for probe in probes
    }
    systems = list(dict.fromkeys(name for by_system in merged.values() for name in by_system))
    columns: Columns = {name: [] for name in (ROW, PROBE, *systems)}
    for probe, by_system in merged.items():
        for row, cells in enumerate(zip(*by_system.values(), strict=True), 1):
            if any(scores is not None for scores in cells):
                by_name = dict(zip(by_system, cells, strict=True))
                columns[ROW].append(str(row))
                columns[PROBE].append(probe)
                for name in systems:
                    columns[name].append(by_name.get(name))
    return columns


def beside(table: TextTable, lesson: Lesson, texts: Columns, scores: Columns) -> Columns:
    """The scores of probes as a table of responses reads them, with texts where we made them."""
    text_of = dict(zip(zip(texts[ROW], texts[PROBE], strict=True), texts[TEXT], strict=True))
    pairs = [*zip(scores[ROW], scores[PROBE], strict=True)]
    systems = {name: cells for name, cells in scores.items() if name not in (ROW, PROBE)}
    keys = _whose(table, lesson, [(int(row) - 1, probe) for row, probe in pairs])
    return {**keys, TEXT: [text_of.get(pair) for pair in pairs], **systems}
