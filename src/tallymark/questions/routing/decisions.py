"""Apply: new responses in, accept or human out, each with the reason."""

import math
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tallymark.arrays import Floats
from tallymark.errors import DataError, OptionError
from tallymark.questions.routing.confidence import check_confidences
from tallymark.questions.routing.routing_file import Routing, Threshold, hashed, unpacked
from tallymark.results.cells import csv_lines, inert
from tallymark.results.frames import Library, frame_of
from tallymark.scale import Scale
from tallymark.selective.conformal import select
from tallymark.selective.monitor import Shift, binned, ks, psi
from tallymark.sources.confidence import read_columns
from tallymark.sources.scoring import map_system

Flags = NDArray[np.bool_]
Texts = NDArray[np.object_]
ELSEWHERE = 0.5
"""From this share of scores outside the certified range on, they are on another scale."""
BEYOND = 0.1
"""A score further outside than this share of the range, or a step, is not trimmed but left."""
_COMPLEMENT = {">": "<=", ">=": "<"}
"""What holds of a confidence that a rule leaves."""


class ConfidenceDrift(NamedTuple):
    """Two measures of how far a distribution has moved."""

    psi: Shift
    ks: Shift

    @property
    def large(self) -> bool:
        """Whether responses are not like those of the calibration, by both size and chance."""
        return self.psi.value >= 0.25 and self.psi.p < 0.01

    @property
    def some(self) -> bool:
        """Whether they differ somewhat."""
        return self.psi.value >= 0.1 and self.psi.p < 0.01


class Decisions(Struct, frozen=True, kw_only=True):
    """What becomes of each response, in the order of the rows.

    ``scores`` are on the gold's scale, also where the system's own is another. ``shifts`` say how
    far confidences and scores of what is accepted are from those accepted in the calibration: of
    these the guarantee speaks.
    """

    ids: Texts | None
    prompts: Texts | None
    scores: Floats
    confidence: Floats
    accepted: Flags
    reasons: Texts
    shifts: Mapping[str, ConfidenceDrift]
    scale: Scale

    def counts(self) -> dict[str, int]:
        """How often each reason was given, the most frequent first."""
        return dict(Counter(self.reasons.tolist()).most_common())

    def records(self) -> list[dict[str, Any]]:
        """Return one dictionary per response: row or id, prompt, score, confidence, decision, reason."""
        columns = columns_of(self)
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]

    def to_frame(self, library: Library | None = None) -> Any:
        """Return the decisions as a frame of pandas or polars, one row per response."""
        return frame_of(self.records(), [*columns_of(self)], library)

    def __repr__(self) -> str:
        """How many are accepted, and why the others are not."""
        from tallymark.questions.routing.view import decision_sentences

        return "\n".join(map(str, decision_sentences(self)))


def columns_of(decisions: Decisions) -> dict[str, Sequence[Any]]:
    """Return the columns of the decisions; the id is the row where there is none."""
    n, called = decisions.confidence.size, decisions.scale.called
    scores = _without_nan(decisions.scores)
    return {
        "id": range(1, n + 1) if decisions.ids is None else decisions.ids.tolist(),
        "prompt": [None] * n if decisions.prompts is None else decisions.prompts.tolist(),
        "score": [None if score is None else called(score) for score in scores],
        "confidence": _without_nan(decisions.confidence),
        "decision": ["accept" if yes else "human" for yes in decisions.accepted.tolist()],
        "reason": decisions.reasons.tolist(),
    }


def _without_nan(numbers: Floats) -> list[float | None]:
    return [None if math.isnan(number) else number for number in numbers.tolist()]


def decisions_of(
    routing: Routing,
    source: object,
    *,
    missing: Sequence[str] = (),
    place: Mapping[str, Any] = MappingProxyType({}),
) -> Decisions:
    """Decide about every response of a table; refuse a table that the routing is not for."""
    spec, scale = routing.confidence, routing.range_
    numbers = dict.fromkeys(spec.columns, "the confidence of the routing file")
    named = {routing.id: "the id of the routing file", routing.prompt: "its prompt"}
    values, texts = read_columns(
        source,
        numbers={**numbers, routing.system: "the system of the routing file"},
        texts={column: why for column, why in named.items() if column is not None},
        missing=missing or tuple(routing.reading.get("missing", ())),
        place=place,
        points=spec.worded(routing.system, scale),
    )
    prompts = None if routing.prompt is None else texts[routing.prompt]
    ids = None if routing.id is None else texts[routing.id]
    system_scale = None if routing.system_scale is None else Scale(routing.system_scale)
    columns = spec.on_gold_scale(values, routing.system, system_scale, scale)
    scores = columns[routing.system]
    if system_scale is not None:
        for prompt, (low, high, _) in routing.ranges.items():
            rows = prompts == prompt
            scores[rows] = map_system(
                values[routing.system][rows], system_scale, Scale((low, high))
            )
    outside = _outside(routing, scores, prompts)
    confidence = _confidence(routing, columns, scores, prompts)
    check_confidences(confidence, ~np.isnan(scores), spec)
    _check_repeated(routing, ids)
    check_overlap(routing, ids)
    accepted, reasons = _decided(routing, confidence, prompts, np.isnan(scores), outside)
    return Decisions(
        ids=ids,
        prompts=prompts,
        scores=scores,
        confidence=confidence,
        accepted=accepted,
        reasons=reasons,
        shifts=drifts(routing, confidence[accepted], scores[accepted]),
        scale=scale,
    )


def _confidence(
    routing: Routing, values: Mapping[str, Floats], scores: Floats, prompts: Texts | None
) -> Floats:
    """The confidence of every row; of probabilities, by the scale and lambda of its prompt."""
    source, options = routing.confidence, routing.reading.get("prompts", {})
    if source.kind != "probabilities" or prompts is None or not (routing.ranges or options):
        return source.confidence(values, scores, routing.range_, routing.lambda_)
    confidence = np.full(scores.size, np.nan)
    for prompt in dict.fromkeys(prompts.tolist()):
        rows, of_prompt = prompts == prompt, options.get(prompt, {})
        scale = routing.range_
        if prompt in routing.ranges:
            scale = _scale(routing.ranges[prompt], of_prompt.get("scale", ()))
        columns = {name: values[name][rows] for name in source.columns}
        lambda_ = of_prompt.get("lambda", routing.lambda_)
        confidence[rows] = source.confidence(columns, scores[rows], scale, lambda_)
    return confidence


def _scale(range_: tuple[float, float, float], points: Sequence[float]) -> Scale:
    """The gold's points on a prompt: those of the raters where these end alike, else every step."""
    low, high, step = range_
    if points and (min(points), max(points)) == (low, high):
        return Scale(tuple(points))
    return Scale(tuple(np.linspace(low, high, round((high - low) / step) + 1).tolist()))


def _outside(routing: Routing, scores: Floats, prompts: Texts | None) -> Flags:
    """Which scores lie too far outside their scale to be trimmed; a prompt may have its own.

    Refused are scores that are evidently on another scale than the certified one.
    """
    scale = routing.range_
    low, high, step = (np.full(scores.shape, end) for end in (scale.low, scale.high, scale.step))
    for prompt, range_ in routing.ranges.items():
        rows = prompts == prompt
        low[rows], high[rows], step[rows] = range_
    margin = np.maximum(step, BEYOND * (high - low))
    outside = (scores < low - margin) | (scores > high + margin)
    scored = int((~np.isnan(scores)).sum())
    if scored and outside.sum() >= ELSEWHERE * scored:
        raise DataError(
            f"system {routing.system!r} scores from {np.nanmin(scores):g} to {np.nanmax(scores):g}, "
            f"but the routing file is for the scale {routing.scale}; certify again on this scale"
        )
    return np.asarray(outside)


def _check_repeated(routing: Routing, ids: Texts | None) -> None:
    """Refuse a name that stands for two responses: which decision is whose?"""
    times = Counter(ids.tolist() if ids is not None else ())
    times.pop("", None)
    repeated = [name for name, n in times.items() if n > 1]
    if repeated:
        raise DataError(
            f"column {routing.id!r} names {len(repeated)} responses more than once, such as "
            f"{repeated[0]!r}; every response needs a name of its own"
        )


def check_overlap(routing: Routing, ids: Texts | None) -> None:
    """Refuse responses that took part in the calibration: their labels chose the threshold."""
    if ids is None or not routing.ids:
        return
    calibrated = unpacked(routing.ids)
    shared = int(np.isin(hashed(ids.tolist()), calibrated).sum())
    if shared:
        first = next(text for text in ids if np.isin(hashed([text]), calibrated).any())
        raise DataError(
            f"{shared} of {ids.size} responses are in the calibration, such as {first!r}: the threshold "
            "was chosen by their labels. Leave them out; they have human scores already"
        )


def _decided(
    routing: Routing,
    confidence: Floats,
    prompts: Texts | None,
    unscored: Flags,
    outside: Flags,
) -> tuple[Flags, Texts]:
    """Accept or not, with the reason; what was not certified goes to people."""
    accepted = np.zeros(confidence.size, dtype=bool)
    reasons = np.full(confidence.size, "no prompt of the calibration", dtype=object)
    calibrated = np.ones(confidence.size, dtype=bool)
    if prompts is not None and routing.prompts:
        calibrated = np.isin(prompts.astype(str), routing.prompts)
    for threshold in routing.thresholds:
        rows = calibrated & ~unscored & ~outside
        if threshold.prompt is not None:
            rows = rows & (prompts == threshold.prompt)
        if threshold.rule == "batch":
            chosen = _batch(routing, confidence, rows)
        else:
            chosen = rows & threshold.accepts(np.nan_to_num(confidence, nan=-np.inf))
        yes, no = _reasons(threshold)
        accepted |= chosen
        reasons[rows] = np.where(chosen[rows], np.array(yes, object), np.array(no, object))
    reasons[unscored] = "no score"
    reasons[outside] = "score outside the certified scale"
    return accepted, reasons


def _reasons(threshold: Threshold) -> tuple[str, str]:
    """Why a response is accepted, and why it is not."""
    rule = threshold.rule
    limit = "" if threshold.tau is None else f" {threshold.tau:.12g}"
    if rule == "batch":
        return "accepted in this batch", "not confident enough in this batch"
    return (
        "every confidence is accepted" if rule == "all" else f"confidence {rule}{limit}",
        "nothing is certified"
        if rule == "none"
        else f"confidence {_COMPLEMENT.get(rule, rule)}{limit}",
    )


def _batch(routing: Routing, confidence: Floats, rows: Flags) -> Flags:
    """Conformal selection among the responses of this table."""
    accepted = np.zeros(confidence.size, dtype=bool)
    if rows.any():
        errors = len(routing.errors_at)
        lowest = min([*routing.errors_at, float(confidence[rows].min())]) - 1
        calibrated = [*routing.errors_at, lowest]  # the others, whose confidence does not matter
        counts = [*([1] * errors), routing.labels - errors]
        critical = [*([1] * errors), 0]
        selection = select(calibrated, critical, confidence[rows], routing.alpha, counts)
        accepted[rows] = selection.accepted
    return accepted


def drifts(routing: Routing, confidence: Floats, scores: Floats) -> dict[str, ConfidenceDrift]:
    """How far accepted confidences and scores are from those accepted in the calibration."""
    by_name = {}
    for name, values in (("confidence", confidence), ("score", scores)):
        shape = routing.shapes.get(f"{name}, accepted")
        if shape is None or not sum(shape.counts) or not values.size:
            continue
        before, now = np.asarray(shape.counts), binned(values, np.asarray(shape.edges))
        bins = np.arange(before.size)
        by_name[name] = ConfidenceDrift(psi(before, now), ks(bins, bins, before, now))
    return by_name


def write_decisions(decisions: Decisions, routing: Routing, path: "str | os.PathLike[str]") -> None:
    """Write one line per response, whole or not at all; a device or link is written to.

    Columns have the names that they had in the calibration.
    """
    columns = columns_of(decisions)
    if decisions.prompts is None or routing.prompt is None:
        del columns["prompt"]
    mapped = "" if routing.system_scale is None else "_on_gold_scale"
    names = {"id": "row" if routing.id is None else routing.id, "prompt": routing.prompt}
    names["score"] = f"{routing.system}{mapped}"
    header = tuple(names.get(name, name) for name in columns)
    lines = chain([header], zip(*columns.values(), strict=True))
    path = Path(path)
    plain = not path.is_symlink() and (path.is_file() or not path.exists())
    written = path.with_name(f".{path.name}.{os.getpid()}.part") if plain else path
    try:
        with written.open("w", encoding="utf-8", newline="") as file:
            file.writelines(csv_lines(map(inert, line) for line in lines))
        if plain:
            written.replace(path)
    except OSError as problem:
        raise OptionError(f"cannot write {path}: {problem.strerror or problem}") from None
    finally:
        if plain:
            written.unlink(missing_ok=True)
