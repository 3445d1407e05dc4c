"""Analysis: RSMTool's tables of agreement between system scores and human scores, and of fairness."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.accuracy.error import r2, rmse
from tallymark.accuracy.standardized import Kind, smd
from tallymark.accuracy.true_score import error_variance, mse_true, true_score_variance
from tallymark.agreement.correlation import disattenuated, lin_ccc, pearson
from tallymark.agreement.kappa import cohen_kappa
from tallymark.arrays import Floats, Whole
from tallymark.fairness.regression import (
    RegressionFit,
    adjusted_r2,
    classic_covariance,
    f_test,
    least_squares,
    t_test,
    treatment,
)
from tallymark.inference.distributions import t_quantile
from tallymark.rsmtool.configuration import Experiment
from tallymark.rsmtool.processing import Processed
from tallymark.rsmtool.tables import Sheet, labelled
from tallymark.tally import PairCounts, PairMoments, RatedSums

NO_SPREAD = 1e-7
"""A standard deviation as small as this is none."""


class Standard(NamedTuple):
    """Mean and standard deviation that a score is standardized with."""

    mean: float
    sd: float

    @classmethod
    def of(cls, scores: Floats) -> "Standard":
        """Take them from scores; missing ones do not count."""
        numbers = scores[~np.isnan(scores)]
        return cls(_mean(numbers), _sd(numbers))

    @property
    def usable(self) -> bool:
        """Whether the scores vary."""
        return abs(self.sd) > NO_SPREAD


def measures(human: Floats, system: Floats, *, kind: Kind = "unpooled") -> dict[str, float]:
    """RSMTool's statistics of one system score, SMD among them."""
    if not human.size:
        return {"N": 0}
    numbers: dict[str, float] = {"N": human.size}
    for prefix, scores in (("h", human), ("sys", system)):
        numbers |= {f"{prefix}_mean": _mean(scores), f"{prefix}_sd": _sd(scores)}
        numbers |= {f"{prefix}_min": float(scores.min()), f"{prefix}_max": float(scores.max())}
    moments = PairMoments.of_scores(human, system, numbers["h_mean"])
    varied = numbers["h_min"] < numbers["h_max"] and numbers["sys_min"] < numbers["sys_max"]
    distance = np.abs(system - human)
    return numbers | {
        "corr": float(pearson(moments)) if varied else math.nan,
        "wtkappa": float(lin_ccc(moments)),
        "R2": _r2(moments),
        "kappa": _kappa(human, system),
        "exact_agr": 100 * float(np.mean(distance == 0)),
        "adj_agr": 100 * float(np.mean(distance <= 1)),
        "SMD": float(smd(moments, kind=kind)),
        "RMSE": float(rmse(moments)),
    }


def difference_of_means(
    human: Floats, system: Floats, by_human: Standard, by_system: Standard
) -> float:
    """DSM; human and system scores may be standardized with different responses."""
    if not (human.size and by_human.usable and by_system.usable):
        return math.nan
    return (_mean(system) - by_system.mean) / by_system.sd - (
        _mean(human) - by_human.mean
    ) / by_human.sd


def whole(scores: Floats) -> Whole:
    """Round to whole numbers, halves to the even one."""
    return np.rint(scores).astype(np.int64)


def counts(human: Floats, system: Floats) -> tuple[Whole, list[int]]:
    """Confusion matrix of rounded scores, rows human, and the scores that occur."""
    first, second = whole(human), whole(system)
    labels = np.unique(np.concatenate([first, second]))
    place = np.searchsorted(labels, first) * labels.size + np.searchsorted(labels, second)
    table = np.bincount(place, minlength=labels.size**2)
    return table.reshape(labels.size, labels.size), labels.tolist()


def _kappa(human: Floats, system: Floats) -> float:
    """Unweighted kappa of rounded scores; 1 when a single score occurs."""
    table, labels = counts(human, system)
    if len(labels) == 1:
        return 1.0
    return float(cohen_kappa(PairCounts(table, np.array(labels, dtype=np.float64))))


def _r2(moments: PairMoments) -> float:
    """R2; of human scores that do not vary it is 1 when all are met and else 0."""
    if moments.n < 2:
        return math.nan
    if moments.variances[0] == 0:
        return float(moments.mean_squared_difference == 0)
    return float(r2(moments))


def _mean(scores: Floats) -> float:
    return float(scores.mean()) if scores.size else math.nan


def _sd(scores: Floats) -> float:
    return float(scores.std(ddof=1)) if scores.size > 1 else math.nan


Measured = Mapping[str, float]
ALL = "All data"
EVAL = (
    "N", "h_mean", "h_sd", "h_min", "h_max", "sys_mean", "sys_sd", "sys_min", "sys_max",
    "corr", "wtkappa", "R2", "kappa", "exact_agr", "adj_agr", "SMD", "RMSE",
)  # fmt: skip
_CONTINUOUS = ("sys_mean", "sys_sd", "wtkappa", "corr", "SMD", "RMSE", "R2")
_ROUNDED = ("sys_mean", "sys_sd", "kappa", "exact_agr", "adj_agr", "SMD")
_DEGRADES = ("corr", "kappa", "wtkappa", "exact_agr", "adj_agr", "SMD")


def analysis_sheets(experiment: Experiment, processed: Processed) -> dict[str, Sheet]:
    """Every table of statistics but those of fairness."""
    by_type = {kind: measures(processed.human, scores) for kind, scores in processed.scores.items()}
    rows = [{name: row[name] for name in EVAL} for row in by_type.values()]
    sheets: dict[str, Sheet] = {
        "eval": labelled(by_type, rows),
        "eval_short": labelled([0], [_short(by_type, experiment.main)]),
        "confMatrix": _matrix(processed.human, processed.scores[f"{experiment.main}_trim_round"]),
        "score_dist": _distribution(processed, experiment.main),
    }
    if processed.second is not None:
        sheets |= _second_rater(processed, processed.second, by_type)
    if processed.second is not None or experiment.error_variance is not None:
        sheets["true_score_eval"] = _true_scores(experiment, processed)
    for group in experiment.subgroups:
        sheets |= _by_group(experiment, processed, group)
    return sheets


def _short(by_type: Mapping[str, Measured], main: str, difference: str = "SMD") -> dict[str, float]:
    """The statistics that suit trimmed scores, then those that suit rounded ones."""
    trimmed, rounded = f"{main}_trim", f"{main}_trim_round"
    columns = {name: by_type[trimmed][name] for name in ("N", "h_mean", "h_sd")}
    for kind, names in ((trimmed, _CONTINUOUS), (rounded, _ROUNDED)):
        for name in names:
            called = difference if name == "SMD" else name
            columns[f"{called}.{kind}"] = by_type[kind][called]
    return columns


def _second_rater(
    processed: Processed, second: Floats, by_type: Mapping[str, Measured]
) -> dict[str, Sheet]:
    """Agreement of the two raters, and how far the system stays behind it."""
    rated_twice = ~np.isnan(second)
    people = measures(processed.human[rated_twice], second[rated_twice], kind="pooled")
    degraded = [
        {name: row[name] - people.get(name, math.nan) for name in _DEGRADES}
        for row in by_type.values()
    ]
    attenuated = [
        _disattenuated(row["corr"], people.get("corr", math.nan)) for row in by_type.values()
    ]
    sheets: dict[str, Sheet] = {
        "consistency": labelled([""], [_of_people(people, "SMD")]),
        "degradation": labelled(by_type, degraded),
        "disattenuated_correlations": labelled(by_type, attenuated),
    }
    if rated_twice.any():
        sheets["confMatrix_h1h2"] = _matrix(processed.human[rated_twice], second[rated_twice])
    return sheets


def _of_people(people: Measured, difference: str) -> dict[str, float]:
    """Rename the statistics of two raters."""
    names = [name for name in EVAL if name not in ("R2", "RMSE")]
    renamed = {}
    for name in names:
        called = difference if name == "SMD" else name
        heading = called.replace("sys_", "h2_") if called.startswith("sys_") else called
        heading = f"h1_{called[2:]}" if called.startswith("h_") else heading
        renamed[heading] = people.get(called, math.nan)
    return renamed


def _disattenuated(with_system: float, with_people: float) -> dict[str, float]:
    return {
        "corr_HM": with_system,
        "corr_HH": with_people,
        "sqrt_HH": math.sqrt(with_people) if with_people >= 0 else math.nan,
        "corr_disattenuated": float(
            disattenuated(np.asarray(with_system), np.asarray(with_people))
        ),
    }


def _matrix(first: Floats, second: Floats) -> Sheet:
    table, labels = counts(first, second)
    return {"": labels, **{str(label): table[:, i] for i, label in enumerate(labels)}}


def _distribution(processed: Processed, main: str) -> Sheet:
    """Percent of responses at each rounded score."""
    human, system = whole(processed.human), whole(processed.scores[f"{main}_trim_round"])
    points = np.unique(np.concatenate([human, system]))
    share = [
        100 * np.bincount(np.searchsorted(points, scores), minlength=points.size) / scores.size
        for scores in (human, system)
    ]
    labels = points.astype(np.float64)
    return {
        "": labels,
        "score": labels,
        "human": share[0],
        f"sys_{main}": share[1],
        "difference": share[1] - share[0],
    }


def _true_scores(experiment: Experiment, processed: Processed) -> Sheet:
    columns = [processed.human] if processed.second is None else [processed.human, processed.second]
    ratings = np.stack(columns, axis=1)
    number = (~np.isnan(ratings)).sum(axis=1)
    # about their mean, squares of scores do not cancel
    center = float(processed.human.mean())
    error = experiment.error_variance
    rows = []
    for scores in processed.scores.values():
        sums = RatedSums(RatedSums.rows(ratings - center, scores - center).sum(axis=0))
        variance = float(error_variance(sums)) if error is None else float(error)
        true = float(true_score_variance(sums, error=variance))
        mse = float(mse_true(sums, error=variance))
        rows.append(
            {
                "N": number.size,
                "N raters": int(number.max()),
                "N single": int((number == 1).sum()),
                "N multiple": int((number > 1).sum()),
                "Variance of errors": variance,
                "True score var": true,
                "MSE true": mse,
                "PRMSE true": 1 - mse / true if true else math.nan,
            }
        )
    return labelled(processed.scores, rows)


def _by_group(experiment: Experiment, processed: Processed, group: str) -> dict[str, Sheet]:
    """The same statistics for each group, with DSM for SMD."""
    main = experiment.main
    standards = {kind: Standard.of(scores) for kind, scores in processed.scores.items()}
    human = Standard.of(processed.human)
    kinds = [f"{main}_trim", f"{main}_trim_round"]
    labels, short, people = [], [], []
    for label, rows in groups_of(processed.column(group)):
        mine = {}
        for kind in kinds:
            pair = processed.human[rows], processed.scores[kind][rows]
            difference = difference_of_means(*pair, human, standards[kind])
            mine[kind] = {**measures(*pair), "DSM": difference}
        labels.append(label)
        short.append(_short(mine, main, "DSM"))
        if processed.second is not None:
            people.append(
                _people_of_group(processed.human[rows], processed.second[rows], processed, human)
            )
    for row in short:
        row["N"] = float(row["N"])
    sheets: dict[str, Sheet] = {f"eval_by_{group}": labelled(labels, short)}
    if people:
        sheets[f"consistency_by_{group}"] = labelled(labels, people)
        attenuated = [
            _disattenuated(row[f"corr.{main}_trim"], pair["corr"])
            for row, pair in zip(short, people, strict=True)
        ]
        sheets[f"disattenuated_correlations_by_{group}"] = labelled(labels, attenuated)
    return sheets


def _people_of_group(
    first: Floats, second: Floats, processed: Processed, by_first: Standard
) -> dict[str, float]:
    """Two raters on a group; the second is standardized over the responses rated twice only."""
    rated_twice = ~np.isnan(second)
    by_second = Standard.of(processed.second) if processed.second is not None else by_first
    pair = first[rated_twice], second[rated_twice]
    difference = difference_of_means(*pair, by_first, by_second)
    return _of_people({**measures(*pair, kind="pooled"), "DSM": difference}, "DSM")


def groups_of(column: NDArray[np.object_]) -> Iterator[tuple[str, NDArray[np.intp]]]:
    """Yield the rows of each group and of all, in the order of their names."""
    labels, codes = np.unique(column.astype(str), return_inverse=True)
    order = np.argsort(codes, kind="stable")
    ends = np.cumsum(np.bincount(codes, minlength=labels.size))
    rows_of: dict[str, Sequence[int] | NDArray[np.intp]] = dict(
        zip(labels.tolist(), np.split(order, ends[:-1]), strict=True)
    )
    rows_of[ALL] = np.arange(column.size)
    for label in sorted(rows_of):
        yield label, np.asarray(rows_of[label])


Codes = NDArray[np.intp]


class Factor(NamedTuple):
    """A column of categories: their names, the largest first, and the category of each response."""

    names: tuple[str, ...]
    codes: Codes

    @classmethod
    def of(cls, column: NDArray[np.generic]) -> "Factor":
        """Order the categories by size, equal ones by name."""
        labels, codes, sizes = np.unique(column, return_inverse=True, return_counts=True)
        order = np.lexsort([np.arange(labels.size), -sizes])
        place = np.empty_like(order)
        place[order] = np.arange(order.size)
        return cls(tuple(map(str, labels[order].tolist())), place[codes])


def fairness_sheets(experiment: Experiment, processed: Processed) -> dict[str, Sheet]:
    """OSA, OSD and CSD of every subgroup: coefficients, adjusted R2 and significance."""
    error = processed.scores[f"{experiment.main}_trim"] - processed.human
    score = Factor.of(processed.human)
    sheets: dict[str, Sheet] = {}
    for column in experiment.subgroups:
        group = Factor.of(processed.column(column).astype(str))
        nothing = _fit(error)
        fits = {
            "osa": (_fit(error**2, group), _fit(error**2), _fit(error**2)),
            "osd": (_fit(error, group), nothing, nothing),
            "csd": (_fit(error, group, score), _fit(error, score), nothing),
        }
        for name, (fit, _, _) in fits.items():
            sheets[f"estimates_{name}_by_{column}"] = _estimates(fit, group.names)
        sheets[f"fairness_metrics_by_{column}"] = {
            "": ["R2", "sig"],
            "Overall score accuracy": _summary(*fits["osa"]),
            "Overall score difference": _summary(*fits["osd"]),
            "Conditional score difference": _summary(*fits["csd"]),
            "base_category": [group.names[0]] * 2,
        }
    return sheets


def _fit(y: Floats, *factors: Factor) -> RegressionFit:
    """Least squares on categories; where they cannot be told apart, the smallest coefficients."""
    sizes = [len(factor.names) for factor in factors]
    cell = np.zeros(y.size, dtype=np.intp)
    for factor, size in zip(factors, sizes, strict=True):
        cell = cell * size + factor.codes
    used, place, times = np.unique(cell, return_inverse=True, return_counts=True)
    design = np.ones((used.size, 1))
    for i, size in enumerate(sizes):
        level = used // math.prod(sizes[i + 1 :]) % size
        design = np.concatenate([design, treatment(size)[level]], axis=1)
    sums, squares = (np.bincount(place, weights=v).astype(np.float64) for v in (y, y * y))
    return least_squares(design, times.astype(np.float64), sums, squares)


def _estimates(fit: RegressionFit, groups: tuple[str, ...]) -> Sheet:
    """Coefficients of the intercept and of every group but the reference, with 95 % intervals."""
    free, covariance = float(fit.n - fit.rank), classic_covariance(fit)
    width = t_quantile(0.95, free)
    rows = []
    for i in range(len(groups)):
        value, se = float(fit.coefficients[i]), math.sqrt(max(float(covariance[i, i]), 0.0))
        rows.append(
            {
                "estimate": value,
                "P>[t]": t_test(value, se, free),
                "[0.025": value - width * se,
                "0.975]": value + width * se,
            }
        )
    # RSMTool cuts the name of a group at its first point
    names = [group.partition(".")[0].strip("]") for group in groups[1:]]
    return labelled([f"Intercept ({groups[0]})", *names], rows)


def _summary(fit: RegressionFit, simpler: RegressionFit, nothing: RegressionFit) -> list[float]:
    """Adjusted R2, less that of the simpler model, and the p of what the group adds."""
    gained = float(adjusted_r2(fit, nothing.residual))
    if simpler.rank > nothing.rank:
        gained -= float(adjusted_r2(simpler, nothing.residual))
    return [gained if math.isfinite(gained) else math.nan, f_test(fit, simpler)[1]]
