"""Certify: labelled responses in, a threshold with its guarantee out, or how many labels lack."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark._version import __version__
from tallymark.errors import DataError, OptionError
from tallymark.questions.routing.artifact import (
    Routing,
    ScoreShape,
    Threshold,
    hashed,
    packed,
    threshold_of,
)
from tallymark.questions.routing.calibration import (
    Calibration,
    RoutingTerms,
    accepted_by,
    row_confidence,
)
from tallymark.questions.routing.source import Source, check_confidences
from tallymark.scale import Scale
from tallymark.selective.certificate import OF_CLUSTERS
from tallymark.selective.certify import certify_each, dev_zero
from tallymark.selective.methods import METHODS, Labelled
from tallymark.selective.monitor import bin_edges, binned
from tallymark.sources import Scores
from tallymark.sources.confidence import read_columns
from tallymark.sources.roles import natural
from tallymark.study.parts import lambdas_of

Floats = NDArray[np.float64]
BINS = 20


def routing_of(
    calibration: Calibration,
    terms: RoutingTerms,
    reading: Mapping[str, Any],
    *,
    pool: object = None,
    human_rate: float | None = None,
) -> Routing:
    """Find the thresholds with their guarantee; ``human_rate`` is that between two people."""
    values = None if pool is None else _pooled(pool, calibration, terms, reading)
    thresholds = tuple(
        _worded(threshold, calibration, terms)
        for threshold in _thresholds(calibration, terms, values)
    )
    return _routing(calibration, terms, thresholds, reading, human_rate)


def _pooled(
    pool: object, calibration: Calibration, terms: RoutingTerms, reading: Mapping[str, Any]
) -> Floats:
    spec = calibration.source
    numbers = {**spec.asked_as, calibration.system: "asked for as --system"}
    named = calibration.scores.roles.id
    values, texts = read_columns(
        pool, numbers=numbers, texts={named: "the id of the calibration"} if named else {},
        missing=reading.get("missing", ()),
        points=spec.worded(calibration.system, calibration.scores.rater_scale),
    )  # fmt: skip
    if named and calibration.ids is not None:
        both = int(np.isin(hashed(texts[named].tolist()), hashed(calibration.ids.tolist())).sum())
        if both:
            raise DataError(
                f"{both} responses of the pool are in the calibration: thresholds that its own "
                "responses set were not fixed beforehand. Give other responses as --pool"
            )
    scale = calibration.scores.gold_scale
    if calibration.scores.scales and spec.kind != "column":
        raise OptionError("prompts with scales of their own and a --pool need --confidence")
    confidence = row_confidence(values, spec, calibration.system, scale, terms, reading)
    check_confidences(confidence, np.ones(confidence.size, dtype=bool), spec)
    return confidence


def _worded(threshold: Threshold, calibration: Calibration, terms: RoutingTerms) -> Threshold:
    """Say what the promise covers where clusters count alike."""
    if (
        terms.weigh != "clusters"
        or not calibration.clustered
        or threshold.statement.startswith("Cannot")
    ):
        return threshold
    said = threshold.statement[0].lower() + threshold.statement[1:]
    return replace(threshold, statement=OF_CLUSTERS + said)


def _thresholds(
    calibration: Calibration, terms: RoutingTerms, pool: Floats | None
) -> tuple[Threshold, ...]:
    """One threshold for all, or one for each prompt."""
    confidence, wrong = (
        calibration.judged.confidence[calibration.used],
        calibration.judged.wrong[calibration.used],
    )
    prompts, grid = calibration.prompts[calibration.used], _possible(calibration.source)
    if not terms.by_prompt:
        given = Labelled(confidence, wrong, terms.alpha, terms.delta, grid, pool)
        return (threshold_of(METHODS[terms.method].find(given), None),)
    if (prompts == "").any():
        raise DataError(
            "a threshold for each prompt needs the prompt of every response; name it with --prompt"
        )
    if terms.method == "dev_zero":
        names = sorted(set(prompts.tolist()), key=natural)
        sides = {p: (confidence[prompts == p], wrong[prompts == p]) for p in names}
        by_prompt = {p: dev_zero(*side, delta=terms.delta) for p, side in sides.items()}
    else:
        by_prompt = certify_each(
            confidence, wrong, prompts.astype(str), alpha=terms.alpha, delta=terms.delta,
            family=terms.family, grid=None if pool is not None else grid, pool=pool,
        )  # fmt: skip
    names = sorted(by_prompt, key=natural)
    return tuple(threshold_of(by_prompt[prompt], prompt) for prompt in names)


def _possible(source: Source) -> Floats | None:
    """The values a confidence of repeated runs can take, known without looking at any label."""
    runs = len(source.columns)
    if source.how == "pairwise_no_cse":
        pairs = runs * (runs - 1) // 2
        return np.arange(pairs + 1) / pairs
    return np.arange(1, runs + 1) / runs if source.how == "mode_share" else None


def _routing(
    calibration: Calibration,
    terms: RoutingTerms,
    thresholds: tuple[Threshold, ...],
    reading: Mapping[str, Any],
    human_rate: float | None,
) -> Routing:
    scores, roles = calibration.scores, calibration.scores.roles
    judged, used = calibration.judged, calibration.used
    critical = judged.confidence[used & judged.wrong]
    system_scale = reading.get("system_scale")
    mapped = None if system_scale is None else Scale.of(system_scale)
    return Routing(
        program=__version__,
        statement=_said(thresholds),
        certified=any(threshold.certified for threshold in thresholds),
        system=calibration.system,
        confidence=calibration.source,
        lambda_=terms.lambda_,
        alpha=terms.alpha,
        delta=terms.delta,
        method=terms.method,
        family=terms.family if terms.by_prompt else "",
        thresholds=thresholds,
        scale=str(scores.gold_scale),
        scale_points=scores.gold_scale.points,
        scale_labels=scores.gold_scale.labels,
        continuous=scores.gold_scale.continuous,
        system_scale=None if mapped is None else (mapped.low, mapped.high),
        ranges={p: (gold.low, gold.high, gold.step) for p, (_, gold) in scores.scales.items()},
        by_prompt=terms.by_prompt,
        prompt=roles.prompt,
        prompts=tuple(sorted({*calibration.prompts.tolist()} - {""}, key=natural)),
        id=roles.id,
        humans=scores.humans,
        gold=roles.gold,
        reading=_kept(reading, scores),
        labels=int(calibration.used.sum()),
        human_rate=human_rate,
        shapes=shapes_of(calibration, thresholds),
        errors_at=tuple(sorted(critical.tolist())) if terms.method == "batch" else (),
        ids="" if calibration.ids is None else packed(calibration.ids.tolist()),
        data=scores.facts.hash,
        seed=terms.seed,
    )  # fmt: skip


def _said(thresholds: Sequence[Threshold]) -> str:
    """The statement, once; by prompt where prompts differ."""
    whom: dict[str, list[str]] = {}
    for threshold in thresholds:
        whom.setdefault(threshold.statement, []).append(str(threshold.prompt))
    if len(whom) == 1:
        return thresholds[0].statement
    return " ".join(f"{', '.join(prompts)}: {words}" for words, prompts in whom.items())


def _kept(reading: Mapping[str, Any], scores: Scores) -> dict[str, Any]:
    """What is needed to read audited responses in the same way."""
    kept = {"resolve", "adjudication", "adjacency", "missing", "trim"}
    plain = {key: reading[key] for key in sorted(kept) if reading.get(key)}
    plain = {key: list(v) if isinstance(v, tuple) else v for key, v in plain.items()}
    by_prompt = {name: {"lambda": value} for name, value in lambdas_of(scores).items()}
    for prompt, (rater, _) in scores.scales.items():
        by_prompt.setdefault(prompt, {})["scale"] = list(rater.points)  # type: ignore[assignment]
    rater = scores.rater_scale
    points = [] if rater.continuous else list(rater.labels or rater.points)
    return {**plain, "scale": points, **({"prompts": by_prompt} if by_prompt else {})}


def shapes_of(calibration: Calibration, thresholds: Sequence[Threshold]) -> dict[str, ScoreShape]:
    """Distributions of confidence and score, of all calibration responses and of the accepted."""
    given = calibration.scores.patterns.scores[f"system:{calibration.system}"][
        calibration.judged.rows
    ]
    chosen = accepted_by(thresholds, calibration.judged.confidence, calibration.prompts)
    shapes = {}
    for name, values in (("confidence", calibration.judged.confidence), ("score", given)):
        edges = bin_edges(values, BINS)
        for whose, keep in (("all", np.ones_like(chosen)), ("accepted", chosen)):
            counts = binned(values[keep], edges) if keep.any() else np.zeros(edges.size + 1)
            shapes[f"{name}, {whose}"] = ScoreShape(
                edges=tuple(edges.tolist()), counts=tuple(int(n) for n in counts)
            )
    return shapes


def chosen_by(calibration: Calibration, routing: Routing) -> NDArray[np.bool_]:
    """Which calibration responses are accepted; in a batch, by the calibration taken as one."""
    if routing.method == "batch":
        from tallymark.selective.conformal import select

        judged = calibration.judged
        return select(judged.confidence, judged.wrong, judged.confidence, routing.alpha).accepted
    return accepted_by(routing.thresholds, calibration.judged.confidence, calibration.prompts)
