"""Confidence from class probabilities, repeated runs or unrounded predictions, and its calibration.

Higher is safer throughout. No confidence is trusted for its name: judge it by its curve and by its
AUROC for critical errors. Calibration asks whether a confidence of 0.9 means right nine times in
ten; guarantees do not need it, for they use the order of the confidences only.
"""

from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike

from tallymark.arrays import Floats, Whole
from tallymark.defaults import LEVEL
from tallymark.errors import DataError, OptionError
from tallymark.selective.bounds import interval
from tallymark.selective.curve import margin
from tallymark.tally import nearest

Bins = Literal["width", "mass"]
FromProbabilities = Literal["p_no_cse", "max", "margin", "entropy", "variance"]
FROM_PROBABILITIES = get_args(FromProbabilities)
FromRuns = Literal["pairwise_no_cse", "mode_share", "sd"]
FROM_RUNS = get_args(FromRuns)


class ClassConfidence(NamedTuple):
    """What class probabilities say of each response.

    ``predicted`` is the most probable score, the lowest of equals; ``entropy`` counts in nats,
    ``certainty`` is 1 - entropy / ln K.
    """

    predicted: Floats
    max: Floats
    margin: Floats
    entropy: Floats
    certainty: Floats
    mean: Floats
    variance: Floats
    p_no_cse: Floats


def of_probabilities(
    probs: ArrayLike,
    scores: ArrayLike,
    lam: ArrayLike,
    score_range: ArrayLike,
    predicted: ArrayLike | None = None,
) -> ClassConfidence:
    r"""Every confidence that class probabilities (responses x scores) give.

    ``p_no_cse`` is the probability that the released score is no critical error,

    .. math:: \sum_{|s - m| < \lambda N} p(s)

    and the one to use. ``predicted`` is the released score where it is not the most probable one.

    Examples
    --------
    >>> each = of_probabilities([[0.7, 0.2, 0.1, 0], [0.4, 0.1, 0.1, 0.4]], range(4), 0.6, 3)
    >>> each.p_no_cse.round(2).tolist(), each.max.tolist()
    ([0.9, 0.5], [0.7, 0.4])
    """
    p, values = _probabilities(probs, scores)
    chosen = (
        values[np.argmax(p, axis=1)] if predicted is None else np.asarray(predicted, np.float64)
    )
    first, second = -np.partition(-p, 1, axis=1)[:, :2].T
    with np.errstate(divide="ignore", invalid="ignore"):  # 0 ln 0 is 0
        entropy = -np.where(p > 0, p * np.log(p), 0.0).sum(axis=1)
    mean = p @ values
    gaps = np.abs(values - chosen[:, None])
    cut = np.broadcast_to(margin(lam, score_range), chosen.shape)
    return ClassConfidence(
        predicted=chosen,
        max=first,
        margin=first - second,
        entropy=entropy,
        certainty=1 - entropy / np.log(values.size),
        mean=mean,
        variance=(p * (values - mean[:, None]) ** 2).sum(axis=1),
        p_no_cse=np.where(gaps < cut[:, None], p, 0.0).sum(axis=1),
    )


def from_probabilities(
    kind: FromProbabilities,
    probs: ArrayLike,
    scores: ArrayLike,
    lam: ArrayLike,
    score_range: ArrayLike,
    predicted: ArrayLike | None = None,
) -> Floats:
    """One confidence of class probabilities, by name; entropy and variance with a minus sign.

    >>> from_probabilities("variance", [[0, 1, 0], [0.5, 0, 0.5]], range(3), 0.5, 2).tolist()
    [-0.0, -1.0]
    """
    if kind not in FROM_PROBABILITIES:
        raise OptionError(
            f"confidence must be one of {', '.join(FROM_PROBABILITIES)}, got {kind!r}"
        )
    confidences = of_probabilities(probs, scores, lam, score_range, predicted)
    values: Floats = getattr(confidences, kind)
    return -values if kind in ("entropy", "variance") else values


class RunConsistency(NamedTuple):
    """How the runs (or members) agree on each response. They may agree and be wrong together."""

    mode: Floats
    mode_share: Floats
    mean: Floats
    median: Floats
    sd: Floats
    pairwise_agree: Floats
    pairwise_no_cse: Floats


def of_runs(runs: ArrayLike, lam: ArrayLike, score_range: ArrayLike) -> RunConsistency:
    """Consistency of repeated runs or the members of an ensemble (responses x runs, no gaps).

    ``mode`` is the lowest of the most frequent scores; ``pairwise_no_cse`` the share of pairs of
    runs less than lambda times the range apart. K runs give few distinct values: certify with the
    possible values as a fixed grid.

    Examples
    --------
    >>> each = of_runs([[3, 3, 2, 3, 4], [0, 5, 0, 5, 0]], 0.4, 5)
    >>> each.mode_share.tolist(), each.pairwise_no_cse.round(2).tolist()
    ([0.6, 0.6], [0.9, 0.4])
    """
    scores = np.asarray(runs, np.float64)
    if scores.ndim != 2 or scores.shape[1] < 2:
        raise DataError(f"runs must be responses x runs, two runs or more, got {scores.shape}")
    if np.isnan(scores).any():
        raise DataError("runs must have no missing scores; leave out the responses that lack one")
    size = scores.shape[1]
    ranked = np.sort(scores, axis=1)
    cut = np.broadcast_to(margin(lam, score_range), scores.shape[:1])
    equal, close = np.zeros(len(scores)), np.zeros(len(scores))
    best, mode, run = np.ones(len(scores)), ranked[:, 0], np.ones(len(scores))
    for i in range(1, size):
        run = np.where(ranked[:, i] == ranked[:, i - 1], run + 1, 1)
        best, mode = np.where(run > best, run, best), np.where(run > best, ranked[:, i], mode)
        gaps = ranked[:, i:] - ranked[:, : size - i]
        equal += (gaps == 0).sum(axis=1)
        close += (gaps < cut[:, None]).sum(axis=1)
    pairs = size * (size - 1) / 2
    return RunConsistency(
        mode=mode,
        mode_share=best / size,
        mean=scores.mean(axis=1),
        median=np.median(scores, axis=1),
        sd=scores.std(axis=1, ddof=1),
        pairwise_agree=equal / pairs,
        pairwise_no_cse=close / pairs,
    )


def from_runs(kind: FromRuns, runs: ArrayLike, lam: ArrayLike, score_range: ArrayLike) -> Floats:
    """One confidence of repeated runs, by name; sd with a minus sign.

    >>> from_runs("mode_share", [[1, 1, 2]], 0.5, 2).round(3).tolist()
    [0.667]
    """
    if kind not in FROM_RUNS:
        raise OptionError(f"confidence must be one of {', '.join(FROM_RUNS)}, got {kind!r}")
    values: Floats = getattr(of_runs(runs, lam, score_range), kind)
    return -values if kind == "sd" else values


class Boundary(NamedTuple):
    """The rounded score, and how far the prediction is from the nearest other score."""

    rounded: Floats
    distance: Floats


def of_boundary(prediction: ArrayLike, points: ArrayLike) -> Boundary:
    """Distance of an unrounded prediction to the boundary at which its score would change.

    Rounds half up; beyond the end points only the inner boundary counts. NaN where the prediction
    is. It tells exact agreement apart better than critical errors.

    >>> of_boundary([2.49, 5.9, -0.3], range(7)).distance.round(2).tolist()
    [0.01, 0.4, 0.8]
    """
    x, grid = np.asarray(prediction, np.float64), np.asarray(points, np.float64)
    places = nearest(x, grid)
    boundaries = np.concatenate([[-np.inf], (grid[1:] + grid[:-1]) / 2, [np.inf]])
    distance = np.minimum(x - boundaries[places], boundaries[places + 1] - x)
    return Boundary(np.where(np.isnan(x), np.nan, grid[places]), distance)


def _probabilities(probs: ArrayLike, scores: ArrayLike) -> tuple[Floats, Floats]:
    p, values = np.asarray(probs, np.float64), np.asarray(scores, np.float64)
    if p.ndim != 2 or values.size != p.shape[1] or values.size < 2:
        raise DataError(
            f"probabilities must be responses x scores, got {p.shape} for {values.size} scores"
        )
    off = np.flatnonzero(~(np.isclose(p.sum(axis=1), 1, atol=1e-3) & (p >= 0).all(axis=1)))
    if off.size:
        raise DataError(
            f"{off.size} of {len(p)} rows of probabilities are negative, missing or do not sum to "
            f"1 (first: row {off[0] + 1}); divide each row by its sum if they are scores"
        )
    return p, values


class Reliability(NamedTuple):
    """Mean confidence and share right in each bin (low, high], with an exact interval."""

    low: Floats
    high: Floats
    n: Whole
    confidence: Floats
    right: Floats
    right_low: Floats
    right_high: Floats


def reliability_table(
    confidence: ArrayLike,
    right: ArrayLike,
    *,
    bins: int = 10,
    kind: Bins = "width",
    counts: ArrayLike | None = None,
    level: float = LEVEL,
) -> Reliability:
    """Tell confidence and share right by bin; empty bins are left out.

    ``width``: bins of equal width from 0 to 1, the first with its lower end. ``mass``: bins of
    about equal numbers of responses; equal confidences share a bin.
    """
    c, hit, times = _checked(confidence, right, counts)
    if kind == "width":
        edges = np.linspace(0, 1, bins + 1)
    else:
        order = np.argsort(c, kind="stable")
        share = np.cumsum(times[order]) / times.sum()
        inner = np.searchsorted(share, np.arange(1, bins) / bins - 1e-12)
        edges = np.unique(np.concatenate([[0.0], c[order][inner], [1.0]]))
    # doubles such as 0.1 + 0.2 must not fall out of the bin they name
    place = np.clip(np.searchsorted(edges, c - 1e-12, side="left") - 1, 0, edges.size - 2)
    n = np.bincount(place, times, edges.size - 1)
    filled = n > 0
    k = np.bincount(place, times * hit, edges.size - 1)[filled]
    total = np.bincount(place, times * c, edges.size - 1)[filled]
    n = n[filled]
    low, high = interval(k, n, level)
    ends = edges[:-1][filled], edges[1:][filled]
    return Reliability(*ends, n.astype(np.int64), total / n, k / n, low, high)


def ece(
    confidence: ArrayLike,
    right: ArrayLike,
    *,
    bins: int = 10,
    kind: Bins = "width",
    counts: ArrayLike | None = None,
) -> float:
    """Expected calibration error: mean distance of confidence and share right over the bins.

    Naeini, Cooper & Hauskrecht (2015), doi:10.1609/aaai.v29i1.9602.

    >>> round(ece([0.95, 0.95, 0.65, 0.65], [1, 1, 1, 0]), 3)
    0.1
    """
    table = reliability_table(confidence, right, bins=bins, kind=kind, counts=counts)
    return float(table.n @ np.abs(table.confidence - table.right) / table.n.sum())


def brier(probs: ArrayLike, label: ArrayLike) -> Floats:
    r"""Brier score of each response, from its class probabilities; their mean is the Brier score.

    .. math:: \sum_j (p_j - o_j)^2, \quad o_j = 1 \text{ at the gold score, else } 0

    0 is best, 2 worst. Every wrong score costs alike, near or far. Brier (1950), Monthly Weather
    Review 78, 1-3.

    >>> brier([[0.7, 0.2, 0.1]], [0]).round(3).tolist()
    [0.14]
    """
    p, hit = _classes(probs, label)
    return np.asarray(((p - hit) ** 2).sum(axis=1))


def rps(probs: ArrayLike, label: ArrayLike) -> Floats:
    r"""Ranked probability score of each response: the same of cumulated probabilities.

    .. math:: \sum_j (F_j - O_j)^2

    For ordered scores: a near miss costs less than a far one. 0 is best, the points less one worst.
    Epstein (1969), doi:10.1175/1520-0450(1969)008<0985:ASSFPF>2.0.CO;2.

    >>> rps([[0.7, 0.2, 0.1]], [0]).round(3).tolist()
    [0.1]
    """
    p, hit = _classes(probs, label)
    gaps = np.cumsum(p - hit, axis=1)[:, :-1]
    return np.asarray((gaps**2).sum(axis=1))


def _checked(
    confidence: ArrayLike, right: ArrayLike, counts: ArrayLike | None
) -> tuple[Floats, Floats, Whole]:
    c, hit = np.asarray(confidence, np.float64), np.asarray(right, np.float64)
    times = np.ones(c.size, np.int64) if counts is None else np.asarray(counts, np.int64)
    if c.shape != hit.shape or c.shape != times.shape or not times.sum():
        raise DataError(f"one right or wrong for each confidence is needed, got {hit.shape}")
    if not ((c >= 0) & (c <= 1)).all():
        raise DataError(
            "calibration needs confidences from 0 to 1 (probabilities of being right), got values "
            f"from {np.min(c):g} to {np.max(c):g}"
        )
    return c, hit, times


def _classes(probs: ArrayLike, label: ArrayLike) -> tuple[Floats, Floats]:
    p, labels = np.asarray(probs, np.float64), np.asarray(label, np.int64)
    if p.ndim != 2 or labels.shape != p.shape[:1] or not len(p):
        raise DataError(f"probabilities are responses x classes with one label each, got {p.shape}")
    if labels.min() < 0 or labels.max() >= p.shape[1]:
        raise DataError(f"labels must be places from 0 to {p.shape[1] - 1}, got {labels.max()}")
    return p, np.eye(p.shape[1])[labels]
