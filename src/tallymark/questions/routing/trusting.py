"""Trust scores of vectors made elsewhere: a column of confidences beside the scores."""

import base64
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.errors import DataError, OptionError, did_you_mean
from tallymark.scale import Scale
from tallymark.selective.trust import trust_score
from tallymark.sources import Roles, read_scores
from tallymark.sources.confidence import read_columns
from tallymark.sources.places import place_of, read_already
from tallymark.sources.roles import listed
from tallymark.sources.sql import DATA, as_text
from tallymark.sources.tables import check_one_sheet, open_table
from tallymark.sources.vectors import read_vectors
from tallymark.study.judged import on_scale

Floats = NDArray[np.float64]
Columns = dict[str, list[Any]]
TRUST = "trust_score"
"""The column that a table gets."""
STAND_IN = "system that is not needed"


class TrainedVectors(Struct, frozen=True, kw_only=True):
    """Vectors of the responses that trained a system, with their gold and prompt.

    ``packed`` holds single-precision numbers, row by row, in base64.
    """

    packed: str
    dimensions: int
    scores: tuple[float, ...]
    prompts: tuple[str, ...]

    @classmethod
    def of(cls, vectors: Floats, scores: Floats, prompts: Sequence[str]) -> "TrainedVectors":
        """Pack vectors."""
        text = base64.b64encode(vectors.astype("<f4").tobytes()).decode()
        return cls(
            packed=text,
            dimensions=vectors.shape[1],
            scores=tuple(scores.tolist()),
            prompts=tuple(prompts),
        )

    @property
    def vectors(self) -> Floats:
        """The vectors, unpacked."""
        raw = base64.b64decode(self.packed, validate=True)
        return np.frombuffer(raw, "<f4").astype(np.float64).reshape(-1, self.dimensions)

    @property
    def sound(self) -> bool:
        """Whether there is a score and a prompt for each vector."""
        return len(self.scores) == len(self.prompts) == len(self.vectors) > 0

    def trust(self, new: Floats, predicted: Floats, prompts: Sequence[str]) -> Floats:
        """How much nearer each response is to training responses of its score than to others.

        Within its prompt; 0 where the prompt, or the score in it, was not in the training; NaN
        without a score.
        """
        if new.shape[1] != self.dimensions:
            raise DataError(
                f"the new vectors have {new.shape[1]} dimensions, those of the training responses "
                f"{self.dimensions}; take vectors of the same model"
            )
        known, scores = self.vectors, np.array(self.scores)
        confidence = np.where(np.isnan(predicted), np.nan, 0.0)
        of_training, of_new = np.array(self.prompts, object), np.array(prompts, object)
        single = new.astype("<f4").astype(np.float64)  # as the training vectors are kept
        for prompt in dict.fromkeys(prompts):
            here = (of_new == prompt) & ~np.isnan(predicted)
            there = of_training == prompt
            if here.any() and there.any():
                made = trust_score(known[there], scores[there], single[here], predicted[here])
                confidence[here] = made.share
        return confidence


def certified_by_trust(
    source: object,
    vectors: object,
    train: str | None,
    roles: Roles,
    system: str,
    reading: Mapping[str, Any],
) -> tuple[Columns, TrainedVectors]:
    """The responses that did not train the system, with their trust scores; and those that did."""
    column, equals, value = (train or "").partition("=")
    if not (equals and column and value):
        raise OptionError(
            "with --vectors, name the rows that trained the system: --train COL=VALUE, such as "
            f"--train fold=train; distances are measured to them. Got {train or 'none'}"
        )
    scale = reading.get("scale")
    if scale is None or reading.get("system_scale") is not None:
        raise OptionError(
            "with --vectors, declare the points with --scale; the system's scores must lie on it too, without --system-scale"
        )
    columns = _columns(source, place_of(reading))
    rows = len(next(iter(columns.values()), []))
    for name, option in ((column, "--train"), (system, "--system")):
        _check_known(columns, name, option)
    ids = None if roles.id is None else _texts(columns, roles.id, "--id")
    every = read_vectors(vectors, rows=rows, key=roles.id, ids=ids)
    trained = np.array([text == value for text in _texts(columns, column, "--train")])
    if not trained.any() or trained.all():
        many = "no row has" if not trained.any() else "every row has"
        raise DataError(
            f"--train {train}: {many} {value!r} in {column!r}; some rows must have trained the system, "
            "and others calibrate it"
        )
    training, points = _trained(_where(columns, trained), every[trained], roles, reading)
    left = _where(columns, ~trained)
    return with_trust(left, every[~trained], training, system, roles.prompt, points), training


def applied_by_trust(
    source: object,
    vectors: object,
    training: TrainedVectors | None,
    *,
    system: str,
    prompt: str | None,
    key: str | None,
    points: Scale,
    place: Mapping[str, Any],
) -> object:
    """The table with its trust scores; as it is where the routing does not rest on vectors."""
    if training is None and vectors is None:
        return source
    if training is None:
        raise OptionError("this routing file does not rest on vectors; leave --vectors out")
    if vectors is None:
        raise OptionError(
            "the confidence of this routing file is a trust score: give the vectors of these "
            "responses with --vectors"
        )
    columns = _columns(source, place)
    _check_known(columns, system, "the system of the routing file")
    ids = None if key is None else _texts(columns, key, "the id of the routing file")
    rows = len(next(iter(columns.values()), []))
    new = read_vectors(vectors, rows=rows, key=key, ids=ids)
    return with_trust(columns, new, training, system, prompt, points)


def with_trust(
    columns: Columns,
    vectors: Floats,
    training: TrainedVectors,
    system: str,
    prompt: str | None,
    points: Scale,
) -> Columns:
    """Add the column of trust scores to a table."""
    numbers, _ = read_columns({system: columns[system]}, numbers={system: "asked for as --system"})
    given = np.clip(numbers[system], points.low, points.high)
    predicted = np.where(
        np.isnan(given), np.nan, on_scale(np.nan_to_num(given, nan=points.low), points)
    )
    prompts = [""] * len(vectors) if prompt is None else _texts(columns, prompt, "--prompt")
    trust = training.trust(vectors, predicted, prompts)
    cells = [None if np.isnan(value) else repr(float(value)) for value in trust]
    return {**columns, TRUST: cells}


def _trained(
    columns: Columns, vectors: Floats, roles: Roles, reading: Mapping[str, Any]
) -> tuple[TrainedVectors, Scale]:
    """The vectors of training rows that have a gold."""
    highest = repr(Scale.of(reading["scale"]).high)  # on the gold's scale, whatever the rule
    stand_in = {STAND_IN: [highest] * len(vectors)}
    asked = replace(roles, systems=(STAND_IN,), confidences={}, cluster=None, groups=())
    scores = read_scores(
        {**columns, **stand_in}, roles=asked, numbered=True, **read_already(reading)
    )
    patterns = scores.patterns
    rows = patterns.scores["row"].astype(np.int64) - 1
    known = ~np.isnan(patterns.scores["gold"])
    rows, gold = rows[known], patterns.scores["gold"][known]
    prompts = [""] * rows.size
    if roles.prompt is not None:
        texts = _texts(columns, roles.prompt, "--prompt")
        prompts = [texts[row] for row in rows]
    order = np.argsort(rows)
    made = TrainedVectors.of(vectors[rows[order]], gold[order], [prompts[i] for i in order])
    return made, scores.gold_scale


def _columns(source: object, place: Mapping[str, Any]) -> Columns:
    with open_table(source, **place) as table:
        check_one_sheet(table)
        chosen = ", ".join(as_text(column.sql) for column in table.columns.values())
        rows = table.rows(f"SELECT {chosen} FROM {DATA}")
        if not rows:
            raise DataError(f"{table.name} has columns but no rows; it needs one row per response")
        return {
            name: list(values)
            for name, values in zip(table.columns, zip(*rows, strict=True), strict=True)
        }


def _where(columns: Columns, keep: NDArray[np.bool_]) -> Columns:
    return {
        name: [value for value, kept in zip(values, keep, strict=True) if kept]
        for name, values in columns.items()
    }


def _texts(columns: Columns, name: str, option: str) -> list[str]:
    _check_known(columns, name, option)
    return [(text or "").strip() for text in columns[name]]


def _check_known(columns: Columns, name: str, option: str) -> None:
    if name not in columns:
        raise DataError(
            f"there is no column {name!r} ({option}); there are {listed([*columns])}."
            f"{did_you_mean(name, columns)}"
        )
    if TRUST in columns:
        raise DataError(f"the table has a column {TRUST!r} already; rename it")
