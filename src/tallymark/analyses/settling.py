"""Settling a limit, or a policy: what its verdict on a pilot foretells, and how pilots vary."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from tallymark.analyses.evaluate import evaluate_scores
from tallymark.arrays import Floats
from tallymark.catalogue import BY_NAME, called, canonical
from tallymark.errors import DataError, OptionError
from tallymark.inference import Settings
from tallymark.planning.forecast import Forecast, Jointly
from tallymark.questions.planning.pilots import Pilot
from tallymark.questions.verdict.say import why_missing
from tallymark.results import Evaluation, split_key
from tallymark.sources import Scores
from tallymark.study.asked import Asked
from tallymark.study.formulas import Progress, unwatched
from tallymark.tally import Patterns
from tallymark.verdict.judged import Foreseen, forecasts
from tallymark.verdict.policy import OVERALL, Limit, Policy
from tallymark.verdict.statistics import held

SAMPLES = 60
"""Samples of a pilot that show how its numbers rise and fall together."""
NORMAL_DRAWS = 4000


class Piloted(NamedTuple):
    """A limit on a pilot: what it takes to decide it, and what that rests on."""

    pilot: Pilot
    forecast: Forecast
    title: str


def limit_on_pilot(
    scores: Scores,
    system: str,
    statistic: str,
    ends: tuple[float | None, float | None],
    level: float,
) -> Piloted:
    """One limit, held against a pilot as a verdict holds it."""
    name = split_key(canonical(statistic) or statistic)[0]
    formula = name in BY_NAME and BY_NAME[name].value is not None
    asked = Asked(statistics=(statistic,) if formula else ())
    of = None if formula else held(statistic, "--statistic")
    evaluation = evaluate_scores(scores, Settings(level=level), asked)
    text = _only_key(evaluation, statistic) if of is None else of.text
    title = called(text) if of is None else of.title
    limit = Limit(
        statistic=text,
        title=title,
        at_least=ends[0],
        at_most=ends[1],
        where="every group" if of is not None and of.groups_only else OVERALL,
    )
    foreseen = forecasts(
        evaluation, system, Policy(name="plan", version="1", title="", limits=(limit,))
    )
    forecast = _known(foreseen[0], evaluation)
    estimate = forecast.estimate
    if estimate is None:
        raise DataError(f"{statistic} is undefined on the pilot; take another, or assumed values")
    over = evaluation.subsets[estimate.subset].average or ""
    key = foreseen[0].statistic
    pilot = Pilot(key, forecast.value, math.nan, n=estimate.n, systems=(system,), over=over)
    return Piloted(pilot, forecast, title)


def _only_key(evaluation: Evaluation, statistic: str) -> str:
    """The statistic as it was computed; refuse one that has a number for each label."""
    keys = [*dict.fromkeys(str(estimate.key) for estimate in evaluation.estimates)]
    if not keys:
        raise DataError(
            f"{statistic} cannot be computed on these scores; a continuous scale has no statistics "
            "of score points"
        )
    if len(keys) > 1:
        raise OptionError(
            f"{statistic} is a number of each label; plan for one of them: {', '.join(keys)}"
        )
    return keys[0]


def _known(foreseen: Foreseen, evaluation: Evaluation) -> Forecast:
    """The forecast of a limit; refuse where the pilot holds no evidence or shows no spread."""
    title = foreseen.limit.title
    if foreseen.lack is not None:
        why = why_missing(foreseen.lack, foreseen.limit.where)
        raise DataError(f"the pilot cannot show {title}: {why}")
    if foreseen.forecast is None:
        values = [e for e in evaluation.estimates if e.key == foreseen.statistic]
        if all(math.isnan(e.value) for e in values):
            raise DataError(f"{title} is undefined on the pilot; take another, or assumed values")
        raise DataError(
            f"the pilot does not show how far {title} could vary; take another pilot, or assumed values"
        )
    return foreseen.forecast


class PilotedPolicy(NamedTuple):
    """A policy on a pilot: each limit alone, and all together; ``n`` responses of the pilot."""

    titles: tuple[str, ...]
    alone: tuple[Forecast, ...]
    together: Jointly
    n: int


def policy_on_pilot(
    scores: Scores, system: str, policy: Policy, level: float, progress: Progress | None = None
) -> PilotedPolicy:
    """All limits of a policy, which vary together as they do in samples of the pilot."""
    evaluation = evaluate_scores(scores, Settings(level=level))
    n = evaluation.data.used
    every = forecasts(evaluation, system, policy, of=n)
    every.sort(key=lambda foreseen: not foreseen.limit.precondition)
    known = tuple(_known(foreseen, evaluation) for foreseen in every)
    normal = _rising_together(scores, evaluation, known, progress or unwatched)
    first = sum(foreseen.limit.precondition for foreseen in every)
    titles = tuple(foreseen.limit.title for foreseen in every)
    return PilotedPolicy(titles, known, Jointly(known[:first], known[first:], normal), n)


def _rising_together(
    scores: Scores, evaluation: Evaluation, known: Sequence[Forecast], progress: Progress
) -> Floats:
    """Normal draws, correlated as the numbers behind some limits are from sample to sample."""
    places = [
        (evaluation.subsets[part.estimate.subset].id, part.estimate.key)
        for forecast in known
        for part in forecast.parts
        if part.estimate is not None
    ]
    rng = np.random.default_rng(0)
    found = np.full((SAMPLES, len(places)), math.nan)
    for i in range(SAMPLES):
        progress(i, SAMPLES)
        again = evaluate_scores(resampled(scores, rng), Settings(interval="analytic"))
        values = {(again.subsets[e.subset].id, e.key): e.value for e in again.estimates}
        found[i] = [values.get(place, math.nan) for place in places]
    progress(SAMPLES, SAMPLES)
    apart = np.nan_to_num(found - np.nanmean(found, axis=0))
    spread = apart.std(axis=0)
    apart = apart / np.where(spread > 0, spread, 1.0)
    matrix = apart.T @ apart / SAMPLES
    np.fill_diagonal(matrix, 1.0)
    lengths, axes = np.linalg.eigh(matrix)
    draws = rng.normal(size=(NORMAL_DRAWS, len(places)))
    return np.asarray(draws @ (axes * np.sqrt(np.maximum(lengths, 0.0))).T)


def resampled(scores: Scores, rng: np.random.Generator, n: int | None = None) -> Scores:
    """A sample of n responses with replacement, or of as many as there are; clusters as a whole."""
    patterns = scores.patterns
    if "cluster" in patterns.keys:
        return replace(scores, patterns=_clusters(patterns, rng, n))
    counts = rng.multinomial(n or patterns.n, patterns.counts / patterns.n)
    drawn = replace(patterns, counts=counts.astype(np.int64))
    return replace(scores, patterns=drawn.where(counts > 0))


def _clusters(patterns: Patterns, rng: np.random.Generator, n: int | None) -> Patterns:
    codes = patterns.keys["cluster"]
    every = np.unique(codes)
    rows = [np.flatnonzero(codes == code) for code in every]
    drawn = rng.integers(len(every), size=round(len(every) * (n or patterns.n) / patterns.n))
    taken = np.concatenate([rows[i] for i in drawn])
    again = np.repeat(np.arange(drawn.size), [rows[i].size for i in drawn])
    return replace(
        patterns,
        scores={name: values[taken] for name, values in patterns.scores.items()},
        keys={name: values[taken] for name, values in patterns.keys.items()} | {"cluster": again},
        labels={**patterns.labels, "cluster": tuple(f"{i:09d}" for i in range(drawn.size))},
        counts=patterns.counts[taken],
    )
