"""Analysis: RSMTool's tables of how well system scores and human scores agree."""

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from tallymark.accuracy.true_score import error_variance, mse_true, true_score_variance
from tallymark.agreement.correlation import disattenuated
from tallymark.rsmtool.experiment import Experiment
from tallymark.rsmtool.measures import Standard, counts, difference_of_means, measures, whole
from tallymark.rsmtool.processing import Processed
from tallymark.rsmtool.sheets import Sheet, labelled
from tallymark.tally import RatedSums

Floats = NDArray[np.float64]
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
    shown = {name: by_type[trimmed][name] for name in ("N", "h_mean", "h_sd")}
    for kind, names in ((trimmed, _CONTINUOUS), (rounded, _ROUNDED)):
        for name in names:
            called = difference if name == "SMD" else name
            shown[f"{called}.{kind}"] = by_type[kind][called]
    return shown


def _second_rater(
    processed: Processed, second: Floats, by_type: Mapping[str, Measured]
) -> dict[str, Sheet]:
    """Agreement of the two raters, and how far the system stays behind it."""
    both = ~np.isnan(second)
    people = measures(processed.human[both], second[both], kind="pooled")
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
    if both.any():
        sheets["confMatrix_h1h2"] = _matrix(processed.human[both], second[both])
    return sheets


def _of_people(people: Measured, difference: str) -> dict[str, float]:
    """Rename the statistics of two raters."""
    names = [name for name in EVAL if name not in ("R2", "RMSE")]
    renamed = {}
    for name in names:
        called = difference if name == "SMD" else name
        shown = called.replace("sys_", "h2_") if called.startswith("sys_") else called
        shown = f"h1_{called[2:]}" if called.startswith("h_") else shown
        renamed[shown] = people.get(called, math.nan)
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
    at = points.astype(np.float64)
    return {
        "": at,
        "score": at,
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
    both = ~np.isnan(second)
    by_second = Standard.of(processed.second) if processed.second is not None else by_first
    pair = first[both], second[both]
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
