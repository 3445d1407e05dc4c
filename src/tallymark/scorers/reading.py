"""Reading: a table of texts and human scores becomes responses to learn from."""

from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.arrays import Floats, Whole
from tallymark.errors import DataError, did_you_mean
from tallymark.scorers.fitting import DIGITS
from tallymark.scorers.out_of_fold import Hashes, Sample, hashes
from tallymark.sources import Scores, read_scores
from tallymark.sources.frames import NamedColumns
from tallymark.sources.joining import Columns, columns_of
from tallymark.sources.places import place_of, read_already
from tallymark.sources.roles import listed, named_roles
from tallymark.sources.vectors import read_vectors
from tallymark.study.reading import reading_of, roles_of
from tallymark.study.request import Request

STAND_IN = "reference scorer"
"""A system that is not there yet: responses are read as if each had its score."""
MOST_POINTS = 30
"""Classifiers are left out where the scale has more points."""
_JOIN = "\x1f"


class TextTable(Struct, frozen=True):
    """The columns of a table as texts, without those that hold responses and questions.

    ``texts``, ``prompt_texts`` and ``references`` are these, one for each row; ``whole`` is a hash of
    all that a row holds; ``blank`` counts responses without any character.
    """

    name: str
    columns: Columns
    texts: list[str]
    prompt_texts: list[str] | None
    references: list[str] | None
    vectors: Floats | None
    whole: Hashes
    blank: int


class Lesson(Struct, frozen=True):
    """What is learned under one rule of resolution: the scores, and the sample with its rows.

    ``gold`` is that of every row of the table, NaN where there is none.
    """

    rule: str
    scores: Scores
    sample: Sample
    rows: Whole

    @property
    def continuous(self) -> bool:
        """Whether the gold of some part has no points."""
        scales = [self.scores.gold_scale, *(gold for _, gold in self.scores.scales.values())]
        return any(scale.continuous for scale in scales)


def read_texts(source: object, request: Request) -> TextTable:
    """Read a table with its texts and vectors, and refuse what cannot be texts."""
    name, columns = columns_of(source, place_of(reading_of(request)))
    cells = {
        flag: _taken(columns, column, flag, name)
        for flag, column in (
            ("--text", request.text),
            ("--prompt-text", request.prompt_text),
            ("--reference-text", request.reference_text),
        )
        if column is not None
    }
    texts = cells["--text"]
    _check_texts(texts, request.text, name)
    role_columns = {role.column for role in roles_of(request).named(columns)}
    left = {request.text, request.prompt_text, request.reference_text} - role_columns
    vectors = None
    if request.vectors is not None:
        ids = None
        if request.id is not None:
            ids = [text.strip() for text in _taken(columns, request.id, "--id", name)]
        vectors = read_vectors(request.vectors, rows=len(texts), key=request.id, ids=ids)
    return TextTable(
        name,
        {key: values for key, values in columns.items() if key not in left},
        texts,
        cells.get("--prompt-text"),
        cells.get("--reference-text"),
        vectors,
        _hashed([columns[key] for key in sorted(columns)]),
        sum(not text.strip() for text in texts),
    )


def _hashed(columns: Sequence[Sequence[str | None]]) -> Hashes:
    """A hash of the cells of each row."""
    rows = zip(*columns, strict=True)
    return hashes(repr(cells).encode("utf-8", "surrogatepass") for cells in rows)


def _taken(columns: Columns, column: str, flag: str, name: str) -> list[str]:
    if column not in columns:
        names = [*columns]
        raise DataError(
            f"{name} has no column {column!r} (asked for as {flag}); it has {listed(names)}."
            f"{did_you_mean(column, names)}"
        )
    return [text or "" for text in columns[column]]


def _check_texts(texts: Sequence[str], column: str, name: str) -> None:
    """Refuse a column without texts: empty, or of numbers."""
    if not texts:
        raise DataError(f"{name} has columns but no rows; it needs one row per response")
    written = [text for text in texts if text.strip()]
    if not written:
        raise DataError(
            f"column {column!r} of {name} (asked for as --text) is empty in all {len(texts):,} rows; "
            "name the column that holds the responses"
        )
    if all(_is_number(text) for text in written):
        raise DataError(
            f"column {column!r} of {name} (asked for as --text) holds numbers, such as "
            f"{written[0].strip()!r}, not texts; name the column that holds the responses"
        )


def _is_number(text: str) -> bool:
    try:
        float(text.replace(",", "."))
    except ValueError:
        return False
    return True


def read_lesson(table: TextTable, request: Request, rule: str) -> Lesson:
    """Read the scores of a table under one rule, and what can be learned from them."""
    scores = _scores(table, request, rule)
    patterns = scores.patterns.where(scores.used)
    rows = patterns.scores["row"].astype(np.int64) - 1
    gold = np.round(patterns.scores["gold"], DIGITS)
    if gold.size > 1 and np.ptp(gold) == 0:
        raise DataError(
            f"all {gold.size:,} responses have the same gold, {gold[0]:g}; there is nothing to learn. "
            "Take responses with different scores"
        )
    parts, points = _parts(scores, rows.size)
    prompt = patterns.keys.get("prompt")
    prompts = np.array([*patterns.labels.get("prompt", ()), ""], dtype=object)
    cluster = patterns.keys.get("cluster")
    units = np.arange(rows.size)
    if cluster is not None:
        units = np.where(cluster < 0, cluster.max() + 1 + units, cluster)
    sample = Sample(
        texts=[table.texts[i] for i in rows],
        gold=gold,
        parts=parts,
        points=points,
        units=units,
        prompt_texts=_at(table.prompt_texts, rows),
        references=_at(table.references, rows),
        vectors=None if table.vectors is None else table.vectors[rows],
        prompts=None if prompt is None else prompts[prompt],
        names=_names(table, scores, rows),
        whole=table.whole[rows],
    )
    return Lesson(rule, scores, sample, rows)


def _scores(table: TextTable, request: Request, rule: str) -> Scores:
    """The scores of a table; the user's systems are checked, but a response need not have one."""
    roles, reading = roles_of(request), {**read_already(reading_of(request)), "resolve": rule}
    named_roles(roles, [*table.columns], table.name)
    if roles.systems:
        read_scores(NamedColumns(table.name, table.columns), roles=roles, **reading)
    columns = NamedColumns(table.name, {**table.columns, STAND_IN: ["0"] * len(table.texts)})
    prompts = {
        prompt: replace(options, system_scale=None)
        for prompt, options in reading["prompts"].items()
    }
    reading |= {"system_scale": "0:1", "prompts": prompts}
    return read_scores(columns, roles=replace(roles, systems=(STAND_IN,)), numbered=True, **reading)


def _names(table: TextTable, scores: Scores, rows: Whole) -> Hashes | None:
    """A hash of the candidate and the id of each response, where there are any."""
    roles = scores.roles
    names = [name for name in (roles.cluster, roles.id) if name in table.columns]
    return _hashed([table.columns[name] for name in names])[rows] if names else None


def _at(texts: Sequence[str] | None, rows: Whole) -> list[str] | None:
    return None if texts is None else [texts[i] for i in rows]


def _parts(scores: Scores, n: int) -> tuple[NDArray[np.object_], Mapping[str, Floats]]:
    """The part of every response, a prompt or a trait of it, and the points of its gold."""
    patterns = scores.patterns.where(scores.used)
    labels = [np.full(n, "", dtype=object)]
    for key in ("prompt", "trait"):
        if key in patterns.keys:
            names = np.array([*patterns.labels[key], ""], dtype=object)
            labels.append(names[patterns.keys[key]])
    parts = labels[-1] if len(labels) < 3 else labels[1] + _JOIN + labels[2]
    points = {}
    for part in {*parts}:
        default = scores.rater_scale, scores.gold_scale
        _, scale = scores.scales.get(part.partition(_JOIN)[0], default)
        few = not scale.continuous and len(scale.points) <= MOST_POINTS
        points[part] = np.array(scale.points if few else (), np.float64).round(DIGITS)
    return np.asarray(parts), points


def part_name(part: str) -> str:
    """What messages call a part."""
    return part.replace(_JOIN, ", ")
