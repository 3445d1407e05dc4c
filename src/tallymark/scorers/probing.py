"""Probing: the table of probes, what scorers gave them, and how the comparison reads it."""

from collections.abc import Mapping, Sequence

from tallymark.scorers.predictions import Predictions, cell
from tallymark.scorers.probes import probes_of
from tallymark.scorers.reading import Lesson, TextTable
from tallymark.sources.joining import Columns
from tallymark.sources.probes import PROBE, ROW, TEXT, probe_of

Probed = Mapping[str, Mapping[str, Sequence[str | None]]]
"""Scores by probe and system, one cell for each row of the table."""


def probe_texts(table: TextTable, lesson: Lesson, seed: int) -> Columns:
    """The probes as a table: whose they are, which, and their texts; to be scored by any system."""
    at = lesson.rows.tolist()
    made = lesson.sample.probes or probes_of(lesson.sample, seed)
    every = sorted(
        (at[i], order, probe, text)
        for order, (probe, texts) in enumerate(made.items())
        for i, text in texts.items()
    )
    listed = [(row, probe) for row, _, probe, _ in every]
    return {**_whose(table, lesson, listed), TEXT: [text for *_, text in every]}


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
    made: dict[str, dict[str, Sequence[str | None]]] = {}
    for system, names in probed.items():
        for name in names:
            made.setdefault(probe_of(system, name), {})[system] = columns[name]
    return made


def scored(*every: Probed) -> Columns:
    """The scores of probes as a table that a comparison reads: row, probe, a column a system."""
    probes = list(dict.fromkeys(probe for given in every for probe in given))
    merged = {
        probe: {k: v for given in every for k, v in given.get(probe, {}).items()}
        for probe in probes
    }
    systems = list(dict.fromkeys(name for by_system in merged.values() for name in by_system))
    columns: Columns = {name: [] for name in (ROW, PROBE, *systems)}
    for probe, by_system in merged.items():
        for row, cells in enumerate(zip(*by_system.values(), strict=True), 1):
            if any(given is not None for given in cells):
                here = dict(zip(by_system, cells, strict=True))
                columns[ROW].append(str(row))
                columns[PROBE].append(probe)
                for name in systems:
                    columns[name].append(here.get(name))
    return columns


def beside(table: TextTable, lesson: Lesson, texts: Columns, scores: Columns) -> Columns:
    """The scores of probes as a table of responses reads them, with texts where we made them."""
    known = dict(zip(zip(texts[ROW], texts[PROBE], strict=True), texts[TEXT], strict=True))
    pairs = [*zip(scores[ROW], scores[PROBE], strict=True)]
    systems = {name: cells for name, cells in scores.items() if name not in (ROW, PROBE)}
    whose = _whose(table, lesson, [(int(row) - 1, probe) for row, probe in pairs])
    return {**whose, TEXT: [known.get(pair) for pair in pairs], **systems}
