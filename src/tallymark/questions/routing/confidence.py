"""The confidence that a routing rests on: a column, probabilities, runs, unrounded scores, trust."""

import base64
from collections.abc import Mapping, Sequence
from itertools import compress
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.arrays import Floats
from tallymark.errors import DataError, OptionError, did_you_mean
from tallymark.scale import Scale
from tallymark.selective.confidence import (
    FROM_PROBABILITIES,
    FROM_RUNS,
    from_probabilities,
    from_runs,
    of_boundary,
)
from tallymark.selective.trust import trust_score
from tallymark.sources import Roles, read_scores
from tallymark.sources.confidence import read_columns
from tallymark.sources.places import place_of, read_already
from tallymark.sources.roles import listed
from tallymark.sources.scoring import map_system
from tallymark.sources.sql import DATA, as_text
from tallymark.sources.tables import check_one_sheet, open_table
from tallymark.sources.vectors import read_vectors
from tallymark.study.exclusive import ONE_CONFIDENCE
from tallymark.study.judged import on_scale

if TYPE_CHECKING:
    from tallymark.questions.routing.routing_file import Routing

Columns = dict[str, list[Any]]
Kind = Literal["column", "probabilities", "runs", "scores"]
ROLES = {
    "column": "--confidence",
    "probabilities": "--probabilities",
    "runs": "--repeat",
    "scores": "--system",
}
BOUNDARY = "boundary"
"""How far an unrounded score is from where it would be rounded to another."""
TRUST = "trust_score"
"""The column of trust scores that a table gets."""
STAND_IN = "system that is not needed"


class Source(Struct, frozen=True, kw_only=True):
    """Columns of the confidence, what they are, and how they become one number."""

    kind: Kind
    columns: tuple[str, ...]
    how: str = ""

    @property
    def asked_as(self) -> dict[str, str]:
        """The columns by the option that names them, for messages."""
        return dict.fromkeys(self.columns, f"asked for as {ROLES[self.kind]}")

    @property
    def options(self) -> dict[str, str | None]:
        """The columns under the options that name them."""
        if self.kind == "column":
            return {"confidence": self.columns[0]}
        options: dict[str, str | None] = {"confidence": None}
        if self.kind != "scores":
            options[self.kind] = ",".join(self.columns)
        if self.how:
            options["confidence_from"] = self.how
        return options

    def scored(self, system: str) -> set[str]:
        """The columns that hold scores."""
        return {system, *(self.columns if self.kind == "runs" else ())}

    def worded(self, system: str, scale: Scale) -> dict[str, dict[str, float]]:
        """The points of words, by the columns that hold scores."""
        return dict.fromkeys(self.scored(system), scale.words) if scale.labels else {}

    @property
    def words(self) -> str:
        """How the confidence came about, in words."""
        if self.kind == "column":
            return f"column {self.columns[0]}"
        return f"{self.how} of {', '.join(self.columns)}"

    def on_gold_scale(
        self, values: Mapping[str, Floats], system: str, system_scale: Scale | None, scale: Scale
    ) -> dict[str, Floats]:
        """The columns, those of scores mapped from the system's scale onto the gold's."""
        columns = dict(values)
        if system_scale is not None:
            for name in self.scored(system):
                columns[name] = map_system(values[name], system_scale, scale)
        return columns

    def confidence(
        self, values: Mapping[str, Floats], scores: Floats, scale: Scale, lambda_: float
    ) -> Floats:
        """Confidence of every row; NaN where a number that it needs is missing."""
        columns = np.stack([values[name] for name in self.columns], axis=1)
        if self.kind == "column":
            return np.asarray(columns[:, 0])
        if self.kind == "scores":
            return of_boundary(scores, scale.points).distance
        points, width = len(scale.points), scale.high - scale.low
        if self.kind == "probabilities":
            if columns.shape[1] < points or not np.isnan(columns[:, points:]).all():
                raise DataError(
                    f"--probabilities names {columns.shape[1]} columns; the scale {scale} has {points} "
                    "points: name one for each, the lowest first, and leave those of points that a prompt "
                    "does not have empty"
                )
            columns = columns[:, :points]
        confidences = np.full(len(columns), np.nan)
        complete = ~np.isnan(columns).any(axis=1)
        if self.kind == "runs":
            runs = _trimmed(columns[complete], scale)
            confidences[complete] = from_runs(self.how, runs, lambda_, width)  # type: ignore[arg-type]
            return confidences
        complete &= ~np.isnan(scores)
        released = _trimmed(scores[complete], scale)
        confidences[complete] = from_probabilities(
            self.how, columns[complete], scale.points, lambda_, width, released  # type: ignore[arg-type]
        )  # fmt: skip
        return confidences


def _trimmed(scores: Floats, scale: Scale) -> Floats:
    """Scores at their nearest points, those beyond the ends of the scale at its ends."""
    return on_scale(np.clip(scores, scale.low, scale.high), scale)


def source_of(
    system: str,
    confidence: str | None,
    probabilities: Sequence[str],
    runs: Sequence[str],
    how: str | None,
    reading: Mapping[str, Any],
) -> Source:
    """Check that a confidence comes from exactly one place."""
    if [bool(confidence), bool(probabilities), bool(runs), how == BOUNDARY].count(True) != 1:
        raise OptionError(ONE_CONFIDENCE)
    if how == BOUNDARY:
        return Source(kind="scores", columns=(system,), how=how)
    if confidence:
        return Source(kind="column", columns=(confidence,))
    kinds: tuple[str, ...] = FROM_PROBABILITIES if probabilities else FROM_RUNS
    if how is not None and how not in kinds:
        raise OptionError(f"--confidence-from must be one of {', '.join(kinds)}, got {how!r}")
    columns = tuple(probabilities or runs)
    if len(set(columns)) < max(len(columns), 2):
        raise OptionError(f"two or more different columns are needed, got {', '.join(columns)}")
    if runs:
        return Source(kind="runs", columns=columns, how=how or kinds[0])
    points = () if reading.get("scale") is None else Scale.of(reading["scale"]).points
    if len(points) != len(columns) and not reading.get("prompts"):
        raise OptionError(
            f"{len(columns)} columns of probabilities need a --scale of as many points, in the same "
            f"order, got {len(points) or 'none'}"
        )
    return Source(kind="probabilities", columns=columns, how=how or kinds[0])


def check_unrounded(scores: Floats, scale: Scale, source: Source) -> None:
    """Refuse distances to a boundary of scores that were rounded already."""
    scores = scores[~np.isnan(scores)]
    if source.kind == "scores" and (scale.continuous or (on_scale(scores, scale) == scores).all()):
        raise DataError(
            f"--confidence-from {BOUNDARY} needs unrounded scores and a scale of points; "
            f"{source.columns[0]} has none between the points of {scale}"
        )


def check_confidences(confidence: Floats, needed: NDArray[np.bool_], source: Source) -> None:
    """Refuse responses without a confidence: what they mean is for the user to say."""
    lacking = np.flatnonzero(np.isnan(confidence) & needed)
    if lacking.size:
        raise DataError(
            f"{lacking.size} of {int(needed.sum())} responses have no confidence ({source.words}), "
            f"first in row {lacking[0] + 1}; leave these responses to people, or give them a "
            "confidence"
        )


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
        vectors, scores = self.vectors, np.array(self.scores)
        confidence = np.where(np.isnan(predicted), np.nan, 0.0)
        of_training, of_new = np.array(self.prompts, object), np.array(prompts, object)
        single = new.astype("<f4").astype(np.float64)  # as the training vectors are kept
        for prompt in dict.fromkeys(prompts):
            rows = (of_new == prompt) & ~np.isnan(predicted)
            train = of_training == prompt
            if rows.any() and train.any():
                trust = trust_score(vectors[train], scores[train], single[rows], predicted[rows])
                confidence[rows] = trust.share
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
    column, equals, label = (train or "").partition("=")
    if not (equals and column and label):
        raise OptionError(
            "with --vectors, name the rows that trained the system: --train COL=VALUE, such as "
            f"--train fold=train; distances are measured to them. Got {train or 'none'}"
        )
    if reading.get("scale") is None or reading.get("system_scale") is not None:
        raise OptionError(
            "with --vectors, declare the points with --scale; the system's scores must lie on it too, without --system-scale"
        )
    columns = _columns(source, place_of(reading))
    for name, option in ((column, "--train"), (system, "--system")):
        _check_column(columns, name, option)
    every_vector = _vectors(vectors, columns, roles.id, "--id")
    trained = np.array([text == label for text in _texts(columns, column, "--train")])
    if not trained.any() or trained.all():
        rows = "every row has" if trained.any() else "no row has"
        raise DataError(
            f"--train {train}: {rows} {label!r} in {column!r}; some rows must have trained the system, "
            "and others calibrate it"
        )
    training, points = _training(_where(columns, trained), every_vector[trained], roles, reading)
    rest = _where(columns, ~trained)
    return _with_trust(
        rest, every_vector[~trained], training, system, roles.prompt, points
    ), training


def applied_by_trust(
    routing: "Routing", source: object, vectors: object, place: Mapping[str, Any]
) -> object:
    """The table with its trust scores; as it is where the routing does not rest on vectors."""
    training = routing.trained
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
    _check_column(columns, routing.system, "the system of the routing file")
    new = _vectors(vectors, columns, routing.id, "the id of the routing file")
    return _with_trust(columns, new, training, routing.system, routing.prompt, routing.range_)


def _with_trust(
    columns: Columns,
    vectors: Floats,
    training: TrainedVectors,
    system: str,
    prompt: str | None,
    scale: Scale,
) -> Columns:
    """Add the column of trust scores to a table."""
    numbers, _ = read_columns({system: columns[system]}, numbers={system: "asked for as --system"})
    predicted = numbers[system].copy()
    scored = ~np.isnan(predicted)
    predicted[scored] = _trimmed(predicted[scored], scale)
    prompts = [""] * len(vectors) if prompt is None else _texts(columns, prompt, "--prompt")
    trust = training.trust(vectors, predicted, prompts)
    return {**columns, TRUST: [None if np.isnan(share) else repr(float(share)) for share in trust]}


def _training(
    columns: Columns, vectors: Floats, roles: Roles, reading: Mapping[str, Any]
) -> tuple[TrainedVectors, Scale]:
    """The vectors of training rows that have a gold, and the gold's scale."""
    highest = repr(Scale.of(reading["scale"]).high)  # on the gold's scale, whatever the rule
    stand_in = {STAND_IN: [highest] * len(vectors)}
    roles_of_gold = replace(roles, systems=(STAND_IN,), confidences={}, cluster=None, groups=())
    scores = read_scores(
        {**columns, **stand_in}, roles=roles_of_gold, numbered=True, **read_already(reading)
    )
    patterns = scores.patterns
    order = np.argsort(patterns.scores["row"])
    order = order[~np.isnan(patterns.scores["gold"][order])]
    rows = patterns.scores["row"][order].astype(np.int64) - 1
    prompts = [""] * rows.size
    if roles.prompt is not None:
        texts = _texts(columns, roles.prompt, "--prompt")
        prompts = [texts[row] for row in rows]
    training = TrainedVectors.of(vectors[rows], patterns.scores["gold"][order], prompts)
    return training, scores.gold_scale


def _vectors(vectors: object, columns: Columns, key: str | None, option: str) -> Floats:
    """The vectors of the rows of a table, joined by the column ``key`` where there is one."""
    ids = None if key is None else _texts(columns, key, option)
    return read_vectors(vectors, rows=len(next(iter(columns.values()), [])), key=key, ids=ids)


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
    return {name: list(compress(cells, keep)) for name, cells in columns.items()}


def _texts(columns: Columns, name: str, option: str) -> list[str]:
    _check_column(columns, name, option)
    return [(text or "").strip() for text in columns[name]]


def _check_column(columns: Columns, name: str, option: str) -> None:
    if name not in columns:
        raise DataError(
            f"there is no column {name!r} ({option}); there are {listed([*columns])}."
            f"{did_you_mean(name, columns)}"
        )
    if TRUST in columns:
        raise DataError(f"the table has a column {TRUST!r} already; rename it")
