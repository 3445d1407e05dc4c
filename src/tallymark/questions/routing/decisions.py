"""Apply: new responses in, accept or human out, each with the reason."""

from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tallymark.errors import DataError
from tallymark.questions.routing.artifact import Routing, ScoreShape, hashed, unpacked
from tallymark.questions.routing.source import check_confidences
from tallymark.results.frames import Library, frame_of
from tallymark.scale import Scale
from tallymark.selective.conformal import select
from tallymark.selective.monitor import Shift, binned, ks, psi
from tallymark.sources.confidence import read_columns
from tallymark.sources.scoring import map_system

Floats = NDArray[np.float64]
ELSEWHERE = 0.5
"""From this share of scores outside the certified range on, they are on another scale."""
BEYOND = 0.1
"""A score further outside than this share of the range, or a step, is not trimmed but left."""

_OTHERWISE = {">": "<=", ">=": "<"}
"""What holds of a confidence that a rule leaves."""


class Decisions(Struct, frozen=True, kw_only=True):
    """What becomes of each response, in the order of the rows.

    ``scores`` are on the gold's scale, also where the system's own is another. ``shifts`` say how far confidences and scores of what is accepted are from those accepted in the
    calibration: of these the guarantee speaks.
    """

    ids: NDArray[np.object_] | None
    prompts: NDArray[np.object_] | None
    scores: Floats
    confidence: Floats
    accepted: NDArray[np.bool_]
    reasons: NDArray[np.object_]
    shifts: Mapping[str, "ConfidenceDrift"]
    scale: Scale

    def counts(self) -> dict[str, int]:
        """How often each reason was given, the most frequent first."""
        return dict(Counter(self.reasons.tolist()).most_common())

    def records(self) -> list[dict[str, Any]]:
        """Return one dictionary per response: row or id, prompt, score, confidence, decision, reason."""
        from tallymark.questions.routing.rows import columns_of

        columns = columns_of(self)
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]

    def to_frame(self, library: Library | None = None) -> Any:
        """Return the decisions as a frame of pandas or polars, one row per response."""
        from tallymark.questions.routing.rows import columns_of

        return frame_of(self.records(), [*columns_of(self)], library)

    def __repr__(self) -> str:
        """How many are accepted, and why the others are not."""
        from tallymark.questions.routing.say import decided, reasons

        lines = decided(self.accepted.size, int(self.accepted.sum())), *reasons(self.counts())
        return "\n".join(map(str, lines))


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


def decisions_of(
    routing: Routing,
    source: object,
    *,
    missing: Sequence[str] = (),
    place: Mapping[str, Any] = MappingProxyType({}),
) -> Decisions:
    """Decide about every response of a table; refuse a table that the routing is not for."""
    values, texts = read_columns(
        source, numbers=needed_numbers(routing), texts=needed_texts(routing),
        missing=missing or tuple(routing.reading.get("missing", ())), place=place,
        points=routing.confidence.worded(routing.system, routing.range_),
    )  # fmt: skip
    scale = routing.range_
    prompts = texts[routing.prompt] if routing.prompt is not None else None
    given = values[routing.system]
    if routing.system_scale is not None:
        system_scale = Scale(routing.system_scale)
        given = _mapped(routing, given, prompts)
        if routing.confidence.kind == "runs":
            values |= {
                n: map_system(values[n], system_scale, scale) for n in routing.confidence.columns
            }
    scored = ~np.isnan(given)
    outside = scored & _outside(routing, given, prompts)
    check_scale(routing, given, outside)
    confidence = _confidence(routing, values, given, prompts)
    check_confidences(confidence, scored, routing.confidence)
    ids = texts[routing.id] if routing.id is not None else None
    check_repeated(routing, ids)
    check_overlap(routing, ids)
    accepted, reasons = _decided(routing, confidence, prompts, scored, outside)
    return Decisions(
        ids=ids, prompts=prompts, scores=given, confidence=confidence, accepted=accepted,
        reasons=reasons,
        shifts=drifts(routing, "accepted", confidence[accepted], given[accepted]),
        scale=scale,
    )  # fmt: skip


def _confidence(
    routing: Routing,
    values: Mapping[str, Floats],
    given: Floats,
    prompts: NDArray[np.object_] | None,
) -> Floats:
    """The confidence of every row; of probabilities, by the scale and lambda of its prompt."""
    source, ruled = routing.confidence, routing.reading.get("prompts", {})
    if source.kind != "probabilities" or prompts is None or not (routing.ranges or ruled):
        return source.confidence(values, given, routing.range_, routing.lambda_)
    confidence = np.full(given.size, np.nan)
    for prompt in dict.fromkeys(prompts.tolist()):
        here = prompts == prompt
        scale, lambda_ = routing.range_, ruled.get(prompt, {}).get("lambda", routing.lambda_)
        if prompt in routing.ranges:
            scale = _scale(routing.ranges[prompt], ruled.get(prompt, {}).get("scale", ()))
        columns = {name: values[name][here] for name in source.columns}
        confidence[here] = source.confidence(columns, given[here], scale, lambda_)
    return confidence


def _scale(range_: tuple[float, float, float], points: Sequence[float]) -> Scale:
    """The gold's points on a prompt: those of the raters where these end alike, else every step."""
    low, high, step = range_
    if points and (min(points), max(points)) == (low, high):
        return Scale(tuple(points))
    return Scale(tuple(np.linspace(low, high, round((high - low) / step) + 1).tolist()))


def _mapped(routing: Routing, given: Floats, prompts: NDArray[np.object_] | None) -> Floats:
    """Scores from the system's scale onto the gold's; a prompt may have its own."""
    system_scale = Scale(routing.system_scale or ())
    mapped = map_system(given, system_scale, routing.range_)
    for prompt, (low, high, _) in routing.ranges.items():
        here = prompts == prompt
        mapped[here] = map_system(given[here], system_scale, Scale((low, high)))
    return mapped


def _outside(
    routing: Routing, given: Floats, prompts: NDArray[np.object_] | None
) -> NDArray[np.bool_]:
    """Which scores lie too far outside their scale to be trimmed; a prompt may have its own."""
    low, high, step = (
        np.full(given.shape, end)
        for end in (routing.range_.low, routing.range_.high, routing.range_.step)
    )
    for prompt, range_ in routing.ranges.items():
        here = prompts == prompt
        low[here], high[here], step[here] = range_
    near = np.maximum(step, BEYOND * (high - low))
    return np.asarray((given < low - near) | (given > high + near))


def needed_numbers(routing: Routing) -> dict[str, str]:
    """Columns of numbers that a table must have, and why."""
    columns = dict.fromkeys(routing.confidence.columns, "the confidence of the routing file")
    return {**columns, routing.system: "the system of the routing file"}


def needed_texts(routing: Routing) -> dict[str, str]:
    """Columns of text that a table must have, and why."""
    named = ((routing.id, "the id of the routing file"), (routing.prompt, "its prompt"))
    return {column: why for column, why in named if column is not None}


def check_scale(routing: Routing, given: Floats, outside: NDArray[np.bool_]) -> None:
    """Refuse scores that are evidently on another scale than the certified one."""
    scored = int((~np.isnan(given)).sum())
    if scored and outside.sum() >= ELSEWHERE * scored:
        low, high = np.nanmin(given), np.nanmax(given)
        raise DataError(
            f"system {routing.system!r} scores from {low:g} to {high:g}, but the routing file is for "
            f"the scale {routing.scale}; certify again on this scale"
        )


def check_repeated(routing: Routing, ids: NDArray[np.object_] | None) -> None:
    """Refuse a name that stands for two responses: which decision is whose?"""
    times = Counter(ids.tolist() if ids is not None else ())
    times.pop("", None)
    repeated = [name for name, n in times.items() if n > 1]
    if repeated:
        raise DataError(
            f"column {routing.id!r} names {len(repeated)} responses more than once, such as "
            f"{repeated[0]!r}; every response needs a name of its own"
        )


def check_overlap(routing: Routing, ids: NDArray[np.object_] | None) -> None:
    """Refuse responses that took part in the calibration: their labels chose the threshold."""
    if ids is None or not routing.ids:
        return
    known, new = unpacked(routing.ids), hashed(ids.tolist())
    both = int(np.isin(new, known).sum())
    if both:
        first = next(text for text in ids if np.isin(hashed([text]), known).any())
        raise DataError(
            f"{both} of {ids.size} responses are in the calibration, such as {first!r}: the threshold "
            "was chosen by their labels. Leave them out; they have human scores already"
        )


def _decided(
    routing: Routing,
    confidence: Floats,
    prompts: NDArray[np.object_] | None,
    scored: NDArray[np.bool_],
    outside: NDArray[np.bool_],
) -> tuple[NDArray[np.bool_], NDArray[np.object_]]:
    """Accept or not, with the reason; what was not certified goes to people."""
    accepted = np.zeros(confidence.size, dtype=bool)
    reasons = np.full(confidence.size, "no prompt of the calibration", dtype=object)
    known = np.ones(confidence.size, dtype=bool)
    if prompts is not None and routing.prompts:
        known = np.isin(prompts.astype(str), routing.prompts)
    for threshold in routing.thresholds:
        here = known if threshold.prompt is None else known & (prompts == threshold.prompt)
        here = here & scored & ~outside
        if threshold.rule == "batch":
            chosen = _batch(routing, confidence, here)
            words = ("accepted in this batch", "not confident enough in this batch")
        else:
            chosen = here & np.asarray(threshold.accepts(np.nan_to_num(confidence, nan=-np.inf)))
            limit = "" if threshold.tau is None else f" {threshold.tau:.12g}"
            words = (
                f"confidence {threshold.rule}{limit}"
                if threshold.rule != "all"
                else "every confidence is accepted",
                "nothing is certified"
                if threshold.rule == "none"
                else f"confidence {_OTHERWISE.get(threshold.rule, threshold.rule)}{limit}",
            )
        accepted |= chosen
        reasons[here] = np.where(chosen[here], *np.array(words, dtype=object))
    reasons[~scored] = "no score"
    reasons[outside] = "score outside the certified scale"
    return accepted, reasons


def _batch(routing: Routing, confidence: Floats, here: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Conformal selection among the responses of this table."""
    chosen = np.zeros(confidence.size, dtype=bool)
    if here.any():
        bad = np.asarray(routing.errors_at)
        lowest = min([*routing.errors_at, float(confidence[here].min())]) - 1
        at, wrong = np.append(bad, lowest), np.append(np.ones(bad.size), 0)
        counts = np.append(np.ones(bad.size, np.int64), routing.labels - bad.size)
        chosen[here] = select(at, wrong, confidence[here], routing.alpha, counts).accepted
    return chosen


def drifts(
    routing: Routing, whose: str, confidence: Floats, given: Floats
) -> dict[str, ConfidenceDrift]:
    """How far confidences and scores are from those of the calibration."""
    by_name = {}
    for name, values in (("confidence", confidence), ("score", given)):
        shape: ScoreShape | None = routing.shapes.get(f"{name}, {whose}")
        if shape is None or not sum(shape.counts) or not values.size:
            continue
        old, new = np.asarray(shape.counts), binned(values, np.asarray(shape.edges))
        bins = np.arange(old.size)
        by_name[name] = ConfidenceDrift(psi(old, new), ks(bins, bins, old, new))
    return by_name
