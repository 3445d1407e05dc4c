"""Ceilings of the gold as it was really made: by rule of resolution, on its points."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.questions.ceilings.fits import (
    Crew,
    Latents,
    Rated,
    ToModel,
    chances_of,
    latents_of,
    thirds_of,
)
from tallymark.questions.ceilings.ladder import CeilingCurve, Ladder
from tallymark.reliability.gold_rule import ADJUDICATED, POSITIONS, label_scale
from tallymark.reliability.quantised import (
    Label,
    LabelCeilings,
    Latent,
    label_ceilings,
    label_of,
    stacked,
)
from tallymark.reliability.unequal import fit_third, human_like_of_raters, label_of_raters
from tallymark.scale import Scale
from tallymark.study.units import Rows

Floats = NDArray[np.float64]
FEW_POINTS = 6
"""On this many points or fewer the quantised ceiling is reported."""
FEW_AT_ONCE = 10
"""On more points sets of ratings are many: fits take turns, to stay within memory."""
UNEVEN = "the points of the scale are not evenly spaced: rounding to them is not modelled"
MANY_SETS = "the ratings of a response can combine in too many ways on this scale"


class LabelCurve(NamedTuple):
    """The curve of the ceilings against one kind of gold; ``why`` if there is none."""

    rule: str
    curve: CeilingCurve | None = None
    why: str = ""


def summary(ladder: Ladder, rule: str) -> tuple[Floats, ...]:
    """Reliability, mean and variance of the one rating that stands for those behind a gold.

    The mean is about the middle of the scale. Of a gold that adds up, the rating has the noise of
    the gold; of another, the mean of the raters' variances. Where a third rater decides, mean and
    mean square of that rating less the mean of the first two follow, and how much more the first
    errs than the second.
    """
    if rule not in ladder.summaries:
        ladder.summaries[rule] = _summary(ladder, rule)
        if rule in ADJUDICATED and ladder.design.third is not None:
            asked, *sums = np.moveaxis(ladder.third, -1, 0)
            some = np.where(np.real(asked) > 0, asked, np.nan)
            ladder.summaries[rule] += tuple(part / some for part in sums)
            if ladder.design.model != "pool":
                error = ladder.raters.error
                ladder.summaries[rule] += (error[..., 0] - error[..., 1],)
    return ladder.summaries[rule]


def _summary(ladder: Ladder, rule: str) -> tuple[Floats, Floats, Floats]:
    variances, sums = ladder.variances, ladder.ratings.sums
    with np.errstate(invalid="ignore", divide="ignore"):  # the only cluster was left out
        mean = np.asarray(sums[..., 5] / sums[..., 1])
        if ladder.design.model == "pool":
            return variances.single, mean, variances.true + variances.error
        if rule in ladder.golds:
            gold, several = ladder.golds[rule], rule not in POSITIONS
            size = variances.ratings if rule == "sum" else 1.0
            true = ladder.reliability(rule) * gold.variance / size**2
            error = gold.variance / size**2 - true
            total = true + error * (variances.ratings if several else 1.0)
            return true / total, gold.sums[..., 1] / gold.n / size, total
        raters = ladder.raters
        share = raters.ratings / raters.ratings.sum(axis=-1, keepdims=True)
        error = (share * raters.error).sum(axis=-1)
        total = error + (share * raters.loading**2).sum(axis=-1)
        return 1 - error / total, (share * ladder.means).sum(axis=-1), total


def simple(rule: str) -> bool:
    """Whether a rule's ceilings follow from the reliability alone."""
    return rule in (*POSITIONS, "mean", "sum")


def coarse(rows: Rows, scale: Scale) -> bool:
    """Whether points are so few, or one of them so common, that they lower the ceiling."""
    if scale.continuous:
        return False
    given = ~np.isnan(rows.scores)
    times = np.repeat(rows.heavy[:, None], rows.scores.shape[1], axis=1)[given]
    used = np.unique(rows.scores[given], return_inverse=True)[1]
    shares = np.bincount(used, weights=times) / times.sum()
    return len(scale.points) <= FEW_POINTS or bool(shares.max(initial=0.0) > 0.5)


def label_points(rule: str, scale: Scale, ratings: int) -> Floats:
    """The points on which a gold lies that a rule makes of this many ratings.

    >>> label_points("mean", Scale.parse("1:3"), 2).tolist()
    [1.0, 1.5, 2.0, 2.5, 3.0]
    """
    times, parts = label_scale(rule, ratings)
    points = np.asarray(scale.points)
    if parts == 1:
        return points
    between = np.linspace(points[:-1], points[1:], parts, endpoint=False, axis=1).ravel()
    return np.append(between, points[-1]) * times


def label_curves(many: Sequence[ToModel]) -> list[LabelCurve]:
    """Ceilings against each gold, along the reliability of one rating; all are on one scale.

    True scores and raters of all of them are fitted side by side.
    """
    fitted = zip(latents_of(many), many, strict=True)
    latents = [each.with_third(asked) for each, asked in fitted]
    whys = [each.why or _uneven(asked) for each, asked in zip(latents, many, strict=True)]
    fits = [[] if why else each.every for each, why in zip(latents, whys, strict=True)]
    told_apart = chances_of([asked.rated for asked in many], fits)
    curves = []
    for asked, known, why, chances in zip(many, latents, whys, told_apart, strict=True):
        if why:
            curves.append(LabelCurve(asked.rule, why=why))
        else:
            thirds = thirds_of(asked.rated, len(known.every))
            curves.append(_curve(asked, known, _ceilings(asked, known.every, chances, thirds)))
    return curves


def _uneven(asked: ToModel) -> str:
    """Why there is no curve of a mean that is rounded."""
    uneven = np.ptp(np.diff(asked.rated.scale.points)) > 1e-9
    return UNEVEN if uneven and asked.rule.startswith("mean_") else ""


def _curve(asked: ToModel, latents: Latents, every: Floats) -> LabelCurve:
    """The curve through the ceilings at all the true scores that were fitted."""
    rule, rated, *_ = asked
    ceilings, others = np.split(every, [len(latents.at)])
    if np.isnan(ceilings[:, 0]).any():
        return LabelCurve(rule, why=MANY_SETS)
    slopes = np.zeros((len(latents.moved), 4))
    known = [i for i, moved in enumerate(latents.moved) if moved is not None]
    by = [moved[0] for moved in latents.moved if moved is not None]
    slopes[known] = (others[1::2] - others[::2]) / np.reshape(by, (-1, 1))
    middle = (rated.scale.low + rated.scale.high) / 2
    usual = np.array([rated.mean - middle, rated.variance, *rated.third])
    return LabelCurve(rule, CeilingCurve(np.array(list(latents.at)), ceilings, slopes, usual))


def _ceilings(
    asked: ToModel,
    fits: Sequence[Latent],
    told_apart: Sequence[list[Floats] | None],
    thirds: Floats,
) -> Floats:
    """Ceilings ``[fit, kind]`` against the gold of a rule; NaN if it cannot be listed.

    ``thirds`` tell of the third rater, where there is one.
    """
    rule, rated, *_ = asked
    if len(fits) > 1 and len(rated.scale.points) > FEW_AT_ONCE:
        each = zip(fits, told_apart, thirds[:, None], strict=True)
        return np.concatenate([_ceilings(asked, [fit], [c], third) for fit, c, third in each])
    number = max(rated.ratings)
    points, times = label_points(rule, rated.scale, number), label_scale(rule, number)[0]
    ceilings = np.full((len(fits), len(LabelCeilings._fields)), np.nan)
    apart = {i: chances for i, chances in enumerate(told_apart) if rated.crew and chances}
    if rated.crew and apart:
        made = stacked([fits[i] for i in apart])
        each_rater = [np.stack(chances) for chances in zip(*apart.values(), strict=True)]
        of_crew = _of_crew(rule, rated, rated.crew, made, each_rater, thirds[[*apart]])
        if of_crew is None:
            apart = {}
        else:
            gold, like = of_crew
            known = label_ceilings(made, gold, points, times=times)._replace(human_like=like)
            ceilings[[*apart]] = np.stack(known, axis=-1)
    rest = [i for i in range(len(fits)) if i not in apart]
    if rest:
        made = stacked([fits[i] for i in rest])
        if rated.third:
            pooled = _with_third(rule, rated, made, [made.chances] * 2, thirds[rest])
        else:
            pooled = label_of(made, rule, rated.ratings, adjacency=rated.adjacency)
        if pooled is not None:
            known = label_ceilings(made, pooled, points, times=times)
            ceilings[rest] = np.stack(known, axis=-1)
    return ceilings


def _of_crew(
    rule: str,
    rated: Rated,
    crew: Crew,
    made: Latent,
    chances: list[Floats],
    thirds: Floats,
) -> tuple[Label, Floats] | None:
    """The gold of raters who are told apart, and one more rater's correlation with it."""
    if rated.third:
        gold = _with_third(rule, rated, made, chances, thirds)
    else:  # a third rater of whom no rating tells is as the others are on average
        average = np.tensordot(crew.share / crew.share.sum(), np.array(chances), axes=1)
        every = [*chances, average]
        gold = label_of_raters(made, every, rule, crew.sets, adjacency=rated.adjacency)
    return None if gold is None else (gold, human_like_of_raters(made, chances, crew.share, gold))


def _with_third(
    rule: str, rated: Rated, made: Latent, chances: Sequence[Floats], thirds: Floats
) -> Label | None:
    """The gold of two raters and of a third who is asked where they are apart, and errs alone."""
    (first, second), near = chances[:2], rated.adjacency
    third = fit_third(made, first, second, thirds[:, :2], adjacency=near)
    return label_of_raters(made, [first, second, third], rule, {(0, 1, 2): 1.0}, adjacency=near)
