"""Where a confidence comes from: a column, class probabilities, repeated runs, unrounded scores."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tallymark.errors import DataError, OptionError
from tallymark.scale import Scale
from tallymark.selective.confidence import (
    FROM_PROBABILITIES,
    FROM_RUNS,
    from_probabilities,
    from_runs,
    of_boundary,
)
from tallymark.study.exclusive import ONE_CONFIDENCE
from tallymark.study.judged import on_scale

Floats = NDArray[np.float64]
Kind = Literal["column", "probabilities", "runs", "scores"]
ROLES = {
    "column": "--confidence",
    "probabilities": "--probabilities",
    "runs": "--repeat",
    "scores": "--system",
}
BOUNDARY = "boundary"
"""How far an unrounded score is from where it would be rounded to another."""


class Source(Struct, frozen=True, kw_only=True):
    """Columns of the confidence, what they are, and how they become one number."""

    kind: Kind
    columns: tuple[str, ...]
    how: str = ""

    @property
    def asked_as(self) -> dict[str, str]:
        """The columns by the option that names them, for messages."""
        return dict.fromkeys(self.columns, f"asked for as {ROLES[self.kind]}")

    def worded(self, system: str, scale: Scale) -> dict[str, dict[str, float]]:
        """The points of words, by the columns that hold scores."""
        scored = (system, *(self.columns if self.kind == "runs" else ()))
        return dict.fromkeys(scored, scale.words) if scale.labels else {}

    @property
    def words(self) -> str:
        """How the confidence came about, in words."""
        if self.kind == "column":
            return f"column {self.columns[0]}"
        return f"{self.how} of {', '.join(self.columns)}"

    def confidence(
        self, values: Mapping[str, Floats], given: Floats, scale: Scale, lambda_: float
    ) -> Floats:
        """Confidence of every row; NaN where a number that it needs is missing."""
        columns = np.stack([values[name] for name in self.columns], axis=1)
        if self.kind == "column":
            return np.asarray(columns[:, 0])
        if self.kind == "scores":
            return of_boundary(given, scale.points).distance
        if self.kind == "probabilities":
            columns = self._of_points(columns, scale)
        width = scale.high - scale.low
        confidences = np.full(len(columns), np.nan)
        whole = ~np.isnan(columns).any(axis=1)
        if self.kind == "runs":
            runs = np.clip(columns[whole], scale.low, scale.high)
            confidences[whole] = from_runs(self.how, on_scale(runs, scale), lambda_, width)  # type: ignore[arg-type]
            return confidences
        whole &= ~np.isnan(given)
        released = on_scale(np.clip(given[whole], scale.low, scale.high), scale)
        confidences[whole] = from_probabilities(
            self.how, columns[whole], scale.points, lambda_, width, released  # type: ignore[arg-type]
        )  # fmt: skip
        return confidences

    def _of_points(self, columns: Floats, scale: Scale) -> Floats:
        """The probabilities of the points of a scale; columns of points that it lacks are empty."""
        points = len(scale.points)
        beyond = ~np.isnan(columns[:, points:])
        if columns.shape[1] < points or beyond.any():
            raise DataError(
                f"--probabilities names {columns.shape[1]} columns; the scale {scale} has {points} "
                "points: name one for each, the lowest first, and leave those of points that a prompt "
                "does not have empty"
            )
        return columns[:, :points]


def source_of(
    system: str,
    confidence: str | None,
    probabilities: Sequence[str],
    runs: Sequence[str],
    how: str | None,
    reading: Mapping[str, Any],
) -> Source:
    """Check that a confidence comes from exactly one place."""
    given = [bool(confidence), bool(probabilities), bool(runs), how == BOUNDARY]
    if sum(given) != 1:
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


def check_unrounded(given: Floats, scale: Scale, source: Source) -> None:
    """Refuse distances to a boundary of scores that were rounded already."""
    known = given[~np.isnan(given)]
    if source.kind == "scores" and (scale.continuous or (on_scale(known, scale) == known).all()):
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
