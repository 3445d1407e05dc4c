"""Advising: what scores suggest about scales that nobody declared, and how to declare them.

An advice is given only where following it helps, as far as the data can tell.
"""

import json
from collections.abc import Sequence

import numpy as np

from tallymark.arrays import Floats, Whole
from tallymark.scale import Scale
from tallymark.sources.roles import listed, natural
from tallymark.sources.scoring import SettingPart, infer_scale, map_system

FEWEST_BEYOND = 20
"""So many ratings of a prompt would lie beyond its own if it were rated as the others are."""
LEAST_SHARE = 0.05
"""And at least this share of the others' ratings lies there."""
PROMPTS_APART = "prompts may be on scales of their own"
MOST_TABLES = 12
"""So many prompts are written out with their scales; of more, the first few show how."""


def ends(scale: Scale) -> str:
    """The ends of a scale as options take them."""
    return f"{scale.low:g}:{scale.high:g}"


def on_raters_scale(
    system: str,
    given: Floats,
    gold: Floats,
    counts: Whole,
    parts: Sequence[SettingPart],
) -> list[str]:
    """Advise to declare the raters' scale for a system, where its scores then fit the gold better.

    That may be where the gold, such as a sum, goes beyond the raters' scale and the system does not.
    """
    fitting = [part for part in parts if _fits_better(given, gold, counts, part)]
    if not fitting:
        return []
    if len({part.rater.ends for part in fitting}) == 1 and len(fitting) == len(parts):
        remedy = f"--system-scale {ends(fitting[0].rater)}"
    else:
        tables = [
            f'[prompts.{_quoted(part.prompt)}] system_scale = "{ends(part.rater)}"'
            for part in fitting
            if part.prompt is not None
        ]
        if not tables:
            return []
        remedy = f"{'; '.join(tables)} in --config"
    return [
        (
            f"{system} seems to score on the raters' scale, on which the gold is not: its scores lie "
            f"nearer to the gold with {remedy}"
        )
    ]


def _fits_better(given: Floats, gold: Floats, counts: Whole, part: SettingPart) -> bool:
    if part.setting.system_scale is not None or not part.gold.high > part.rater.high:
        return False
    here = part.rows & (counts > 0) & ~np.isnan(given) & ~np.isnan(gold)
    scores, target, times = given[here], gold[here], counts[here]
    if scores.size < 2 or part.rater.high <= part.rater.low:
        return False
    if scores.max() > part.rater.high + part.rater.step / 2:  # unrounded scores go a little beyond
        return False
    mapped = map_system(scores, part.rater, part.gold)
    before, after = (_fit(values, target, times) for values in (scores, mapped))
    return after[0] < before[0] and after[1] > before[1]


def _fit(scores: Floats, gold: Floats, counts: Whole) -> tuple[float, float]:
    """Mean distance from the gold, and the concordance with it."""
    weights = counts / counts.sum()
    means = float(weights @ scores), float(weights @ gold)
    away = scores - means[0], gold - means[1]
    spread = float(weights @ (away[0] ** 2 + away[1] ** 2)) + (means[0] - means[1]) ** 2
    concordance = 2 * float(weights @ (away[0] * away[1])) / spread if spread > 0 else 0.0
    return float(weights @ np.abs(scores - gold)), concordance


def traits_apart(
    people: Sequence[Floats],
    counts: Whole,
    traits: Whole,
    labels: Sequence[str],
) -> list[str]:
    """The same of traits, which have no scales of their own but where they are named as prompts."""
    ratings, codes = np.concatenate(list(people)), np.tile(traits, len(people))
    given = ~np.isnan(ratings) & (codes >= 0)
    times = np.tile(counts, len(people))[given]
    gap = _gap(ratings[given], codes[given], times, labels, "trait")
    if gap is None:
        return []
    return [
        (
            f"traits may be on scales of their own: {gap}. If they are, evaluate each trait alone, or "
            "name their column as the prompt and declare each scale in --config; if not, declare the "
            "one scale with --scale"
        )
    ]


def prompts_apart(
    people: Sequence[Floats],
    counts: Whole,
    prompts: Whole,
    labels: Sequence[str],
) -> list[str]:
    """Say that prompts may be on scales of their own, where none was declared, and how to say so."""
    ratings, codes = np.concatenate(list(people)), np.tile(prompts, len(people))
    given = ~np.isnan(ratings) & (codes >= 0)
    ratings, codes = ratings[given], codes[given]
    gap = _gap(ratings, codes, np.tile(counts, len(people))[given], labels)
    if gap is None:
        return []
    scales = {code: _written(ratings[codes == code]) for code in np.unique(codes).tolist()}
    tables = [
        f'[prompts.{_quoted(labels[code])}] scale = "{scales[code]}"'
        for code in sorted(scales, key=lambda code: natural(labels[code]))
        if scales[code]
    ]
    shown = MOST_TABLES if len(tables) <= MOST_TABLES else 3
    return [
        (
            f"{PROMPTS_APART}: {gap}. If they are, declare each in --config "
            f"({listed(tables, shown)}); if not, declare the one scale with --scale"
        )
    ]


def _gap(
    ratings: Floats,
    codes: Whole,
    times: Whole,
    labels: Sequence[str],
    what: str = "prompt",
) -> str | None:
    """Where a prompt lacks scores that the others have: of which, at which end, and their share.

    One whose best score is that of all others is easy, not on another scale.
    """
    order = np.argsort(ratings)
    below = np.concatenate([[0], np.cumsum(times[order])])
    ordered, total = ratings[order], int(times.sum())
    for code in sorted({*codes.tolist()}, key=lambda code: natural(labels[code])):
        here = codes == code
        number = int(times[here].sum())
        low, high = ratings[here].min(), ratings[here].max()
        beyond = {"above": (high, total - below[np.searchsorted(ordered, high, "right")])}
        if high < ordered[-1]:
            beyond["below"] = low, below[np.searchsorted(ordered, low)]
        for side, (end, others) in beyond.items():
            share = others / max(total - number, 1)
            if share >= LEAST_SHARE and share * number >= FEWEST_BEYOND:
                return (
                    f"no human score of {what} {labels[code]} is {side} {end:g}, but "
                    f"{round(100 * share)} % of those of the other {what}s are"
                )
    return None


def _written(ratings: Floats) -> str:
    """The scale that ratings show, as an option takes it; empty where they show no points."""
    scale = infer_scale([ratings])
    return "" if scale.continuous or len(scale.points) < 2 else str(scale)


def _quoted(prompt: str | None) -> str:
    return json.dumps(prompt, ensure_ascii=False)
