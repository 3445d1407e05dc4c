"""What a few human scores and many machine scores say together. Labelled ones: a random sample."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tallymark.defaults import LEVEL, SEED
from tallymark.errors import DataError
from tallymark.inference.interval import normal, percentile

Floats = NDArray[np.float64]


class Mean(NamedTuple):
    """A mean human score, its interval, and the weight ``lam`` given to the machine scores."""

    lam: float
    estimate: float
    se: float
    low: float
    high: float


def ppi_mean(
    y: ArrayLike,
    labelled: ArrayLike,
    unlabelled: ArrayLike,
    *,
    lam: float | None = None,
    level: float = LEVEL,
) -> Mean:
    r"""Mean human score of all responses, from the scored few and the machine scores of the rest.

    .. math:: \bar y + \lambda (\bar f_{unl} - \bar f_{lab}), \quad
        se^2 = var(y - \lambda f) / n + \lambda^2 var(f_{unl}) / N

    ``lam`` 0 uses the human scores alone, 1 trusts the machine's fully; without it the weight is
    the one of the smallest error, cov(y, f) / (var f (1 + n / N)).

    References
    ----------
    Angelopoulos et al. (2023), doi:10.1126/science.adi6000; Angelopoulos, Duchi & Zrnic (2023),
    https://arxiv.org/abs/2311.01453.

    Examples
    --------
    >>> found = ppi_mean([3, 4, 2, 5], [3, 4, 3, 5], [3, 3, 4, 2, 4, 5], lam=1)
    >>> round(found.estimate, 3)
    3.25
    """
    human, own, rest = _scores(y, labelled, unlabelled)
    n, many = human.size, rest.size
    if lam is None:
        spread = np.var(np.append(own, rest), ddof=1)
        shared = float(np.cov(human, own)[0, 1])
        lam = float(shared / (spread * (1 + n / many))) if spread > 0 else 0.0
    estimate = float(human.mean() + lam * (rest.mean() - own.mean()))
    variance = np.var(human - lam * own, ddof=1) / n + lam**2 * np.var(rest, ddof=1) / many
    se = float(np.sqrt(variance))
    low, high = normal(estimate, se, level)
    return Mean(lam, estimate, se, low, high)


class FewLabelQwk(NamedTuple):
    """QWK of human and machine scores over all responses, beside that of the labelled alone."""

    estimate: float
    low: float
    high: float
    labelled_only: float
    undefined: float


def qwk_few_labels(
    y: ArrayLike,
    labelled: ArrayLike,
    unlabelled: ArrayLike,
    *,
    level: float = LEVEL,
    replicates: int = 1000,
    seed: int = SEED,
) -> FewLabelQwk:
    r"""QWK with few labels; experimental, and the gain is modest.

    The regressions of y, y² and yf on (1, f, f²), fitted on the labelled, are averaged over all
    responses and put into

    .. math:: QWK = \frac{2 (E yf - Ey\,Ef)}{var\,y + var\,f + (Ey - Ef)^2}

    The interval is a percentile bootstrap of both parts; ``undefined`` is the share of replicates
    without a value.
    """
    human, own, rest = _scores(y, labelled, unlabelled)
    centre = own.mean()  # of no effect on QWK, of much on the rounding of high powers
    rows = _rows(human - centre, own - centre)
    moments = np.stack([rest - centre, (rest - centre) ** 2], axis=-1)
    rng = np.random.default_rng(seed)
    order = np.lexsort((own, human))
    weights = rng.multinomial(human.size, np.full(human.size, 1 / human.size), replicates)
    drawn = rng.multivariate_normal(
        moments.mean(axis=0), np.cov(moments.T) / rest.size, replicates, method="eigh"
    )
    values = _plugged(weights @ rows[order], drawn, human.size, rest.size)
    known = values[np.isfinite(values)]
    low, high = percentile(known, level) if known.size else (np.nan, np.nan)
    all_rows = rows.sum(axis=0)
    return FewLabelQwk(
        estimate=float(_plugged(all_rows, moments.mean(axis=0), human.size, rest.size)),
        low=low,
        high=high,
        labelled_only=float(_qwk(*(all_rows[[4, 6, 5, 0, 1]] / human.size))),
        undefined=1 - known.size / replicates,
    )


def _rows(y: Floats, f: Floats) -> Floats:
    """What each labelled response adds: powers of f, and y, yf, y² times 1, f, f²."""
    return np.stack(
        [f, f**2, f**3, f**4, y, y * f, y**2, y * f**2, y**2 * f, y**2 * f**2, y * f**3], axis=-1
    )


def _plugged(sums: Floats, rest: Floats, n: int, many: int) -> Floats:
    """QWK from the sums of the labelled and the mean f and f² of the others."""
    f1, f2, f3, f4, y, yf, yy, yff, yyf, yyff, yfff = np.moveaxis(sums / n, -1, 0)
    one = np.ones_like(f1)
    design = np.stack([one, f1, f2, f1, f2, f3, f2, f3, f4], axis=-1)
    design = design.reshape(*f1.shape, 3, 3)
    target = np.stack([y, yy, yf, yf, yyf, yff, yff, yyff, yfff], axis=-1)
    target = target.reshape(*f1.shape, 3, 3)
    fitted = np.linalg.pinv(design, rcond=1e-10, hermitian=True) @ target
    mean_f = (n * f1 + many * rest[..., 0]) / (n + many)
    mean_ff = (n * f2 + many * rest[..., 1]) / (n + many)
    at = np.stack([one, mean_f, mean_ff], axis=-1)[..., None, :]
    mean_y, mean_yy, mean_yf = np.moveaxis((at @ fitted)[..., 0, :], -1, 0)
    return _qwk(mean_y, mean_yy, mean_yf, mean_f, mean_ff)


def _qwk(y: Floats, yy: Floats, yf: Floats, f: Floats, ff: Floats) -> Floats:
    apart = (yy - y**2) + (ff - f**2) + (y - f) ** 2
    with np.errstate(invalid="ignore", divide="ignore"):  # scores that do not vary: NaN
        return np.asarray(np.where(apart > 0, 2 * (yf - y * f) / apart, np.nan))


def _scores(
    y: ArrayLike, labelled: ArrayLike, unlabelled: ArrayLike
) -> tuple[Floats, Floats, Floats]:
    human, own, rest = (np.asarray(side, np.float64).ravel() for side in (y, labelled, unlabelled))
    if human.shape != own.shape or human.size < 2 or rest.size < 2:
        raise DataError(
            "two labelled responses with both scores and two unlabelled ones are needed at least, "
            f"got {human.size} human and {own.size} machine scores of them, {rest.size} unlabelled"
        )
    if any(np.isnan(side).any() for side in (human, own, rest)):
        raise DataError("scores must not be missing; leave those responses out")
    return human, own, rest
