"""Several runs of one system, thresholds tried on test data, and the surest scores by prompt.

The protocol of Funayama et al. (2020): each run has its own scores and confidences; its threshold
is the lowest without a critical error on the development responses of a prompt, and is then tried
on the test responses; results are averaged over the runs. The surest scores are a share of the
responses of each prompt, on the test responses alone where a fold is called test.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.arrays import Floats
from tallymark.results import Curve, Key, ResultTable
from tallymark.selective.curve import most_confident, risk_coverage
from tallymark.sources import Scores
from tallymark.study.formulas import formulas_for
from tallymark.study.judged import Judged, confidence_of, judged
from tallymark.study.measured import home, units_by_tally
from tallymark.study.parts import Part

Row = tuple[str | int | float | None, ...]
GRID = np.arange(1, 101) / 100
ALL, AVERAGE = "all", "Avg."
RISK, RMSE = "critical errors among the accepted", "RMSE of the accepted, in score points"
QWK = Key("cohen_kappa", weights="quadratic")
TIES = "Equal confidences are taken together, so a share may be larger."
DEV, TEST = ("dev", "development", "validation"), ("test",)


def judged_runs(scores: Scores, system: str, lambda_: float) -> dict[str, Judged]:
    """The runs of a system by name, each with a confidence of its own; itself if it has none."""
    names, confidences = [system], scores.roles.confidences
    if system in confidences:
        names += [run for run in scores.roles.repeats.get(system, ()) if run in confidences]
    runs: dict[str, Judged] = {}
    for run in dict.fromkeys(names):
        confidence = confidence_of(scores, run, lambda_)
        cases = None if confidence is None else judged(scores, run, confidence, lambda_)
        if cases is not None:
            runs[run] = cases
    return runs


def run_curves(
    runs: Sequence[Judged], part: NDArray[np.bool_], test: NDArray[np.bool_] | None, *, points: bool
) -> tuple[Curve, ...]:
    """Mean critical error rate of the runs at each coverage, with the lowest and the highest.

    Likewise the RMSE in score ``points``, where all responses of the part are on the same. On the
    test responses of a part, where there are some; of a single run only there.
    """
    on_part = [run.where(part if test is None else part & test) for run in runs]
    if (test is None and len(runs) < 2) or not all(run.n for run in on_part):
        return ()
    where = "" if test is None else ", test responses"
    errors = [_means(run, run.wrong) for run in on_part]
    curves = [_over_runs("risk_coverage_runs", RISK, where, errors)]
    if points:
        roots = [np.sqrt(_means(run, run.gaps**2)) for run in on_part]
        curves.append(_over_runs("rmse_coverage_runs", RMSE, where, roots))
    return tuple(curves)


def _means(run: Judged, losses: NDArray[Any]) -> Floats:
    """Mean loss of the accepted responses at each coverage; equal confidences enter together."""
    curve = risk_coverage(run.confidence, run.wrong, run.counts)
    place = np.minimum(np.searchsorted(curve.coverage, GRID - 1e-12), curve.n.size - 1)
    order = np.argsort(-run.confidence, kind="stable")
    running, accepted = (np.cumsum(sums[order]) for sums in (run.counts * losses, run.counts))
    return np.asarray(running[np.searchsorted(accepted, curve.n[place])] / curve.n[place])


def _over_runs(name: str, title: str, where: str, runs: Sequence[Floats]) -> Curve:
    """The mean of the runs; of several also the least and the most."""
    by_run = np.stack(runs)
    curve = Curve(
        name=name,
        subset=-1,
        x_title="share of responses accepted",
        y_title=f"{title}{where}",
        x=tuple(GRID.tolist()),
        y=tuple(by_run.mean(axis=0).tolist()),
    )
    if len(runs) < 2:
        return curve
    return replace(
        curve,
        y_title=f"{title}, mean of {len(runs)} runs (least to most){where}",
        low=tuple(by_run.min(axis=0).tolist()),
        high=tuple(by_run.max(axis=0).tolist()),
    )


def dev_test(scores: Scores, runs: Sequence[Judged]) -> tuple[ResultTable, ...]:
    """Thresholds from the fold "dev" tried on the fold "test", by prompt, averaged over runs."""
    dev, test = fold_of(scores, DEV), fold_of(scores, TEST)
    if not runs or dev is None or test is None:
        return ()
    patterns = scores.patterns
    prompts = {
        name: patterns.keys["prompt"] == code
        for code, name in enumerate(patterns.labels.get("prompt", ()))
    }
    tried = [
        _tried(name, runs, dev & rows, test & rows)
        for name, rows in prompts.items()
        if (dev & rows).any() and (test & rows).any()
    ]
    rows = list(tried)
    if len(prompts) != 1:  # all together
        rows.append(_tried(ALL, runs, dev, test))
    note = (
        "Lowest threshold without a critical error on the development responses, mean over the runs. "
        "Not a guarantee: what it lets pass on test responses is shown beside it."
    )
    if len(tried) > 1:
        rows.append(_mean(tried))
        note += f" {ALL}: one threshold for all prompts; {AVERAGE}: plain mean of the prompts."
    return (
        ResultTable(
            name="dev_test",
            title="Thresholds of the development responses, tried on the test responses",
            columns=(
                "prompt", "runs", "dev responses", "test responses", "threshold", "accepted",
                "critical errors", "CSRate",
            ),
            rows=tuple(rows),
            note=note,
        ),
    )  # fmt: skip


def fold_of(scores: Scores, names: Sequence[str]) -> NDArray[np.bool_] | None:
    """The responses of the fold with one of these names; None where no response is in it."""
    patterns = scores.patterns
    if "fold" not in patterns.keys:
        return None
    labels = [label.lower() in names for label in patterns.labels["fold"]]
    rows = np.asarray(np.append(labels, False)[patterns.keys["fold"]], dtype=bool)
    return rows if rows.any() else None


def _mean(prompts: Sequence[Row]) -> Row:
    """The plain mean of the prompts; none of a number that some prompt does not have."""
    means = [
        None if None in column else float(np.mean(np.asarray(column, dtype=np.float64)))
        for column in list(zip(*prompts, strict=True))[4:]
    ]
    return (AVERAGE, prompts[0][1], None, None, *means)


def _tried(
    name: str, runs: Sequence[Judged], dev: NDArray[np.bool_], test: NDArray[np.bool_]
) -> Row:
    """Mean over the runs of threshold, share accepted, critical errors and their rate."""
    from tallymark.selective.certify import dev_zero

    tried = []
    for run in runs:
        learnt, new = run.where(dev), run.where(test)
        if not (learnt.n and new.n):
            continue
        tau = dev_zero(learnt.confidence, learnt.wrong, counts=learnt.counts).tau
        accepted = new.confidence >= tau  # none where there is no threshold
        n, k = int(new.counts[accepted].sum()), int(new.counts[accepted & new.wrong].sum())
        tried.append((learnt.n, new.n, tau, n / new.n, k, k / n if n else np.nan))
    if not tried:
        return (name, 0, 0, 0, None, None, None, None)
    means = []
    for column in np.array(tried, dtype=np.float64).T[2:]:
        defined = column[~np.isnan(column)]
        means.append(float(defined.mean()) if defined.size else None)
    return (name, len(tried), *tried[0][:2], *means)


def surest_by_prompt(
    scores: Scores, runs: Mapping[str, Judged], parts: Sequence[Part], shares: Sequence[float]
) -> tuple[ResultTable, ...]:
    """QWK, and the critical errors, of the surest scores of each prompt; the mean of the prompts last.

    Nothing where neither prompts nor runs are several: the numbers of all responses say it then.
    """
    prompts = [part for part in parts if set(part.where) == {"prompt"}]
    parts = prompts or [part for part in parts if not part.where]
    if len(prompts) + len(runs) < 2 or any(part.many or part.scales is None for part in parts):
        return ()
    test = fold_of(scores, TEST)
    if test is not None:
        parts = [replace(part, rows=part.rows & test) for part in parts]
    sizes = [max(cases.where(part.rows).n for cases in runs.values()) for part in parts]
    rows = [(part, n) for part, n in zip(parts, sizes, strict=True) if n]
    if not rows:
        return ()
    numbers = np.array(
        [
            [_at_shares(run, part, cases.where(part.rows), shares) for part, _ in rows]
            for run, cases in runs.items()
        ]
    )
    where = (" by prompt" if prompts else "") + ("" if test is None else ", test responses")
    names = {part.where.get("prompt", "all"): n for part, n in rows}
    titles = {
        "surest_qwk_by_prompt": f"QWK of the surest scores{where}",
        "surest_csrate_by_prompt": f"CSRate of the surest scores{where}",
    }
    return tuple(
        _surest_table(name, title, names, shares, numbers[..., i])
        for i, (name, title) in enumerate(titles.items())
        if not np.isnan(numbers[..., i]).all()
    )


def _surest_table(
    name: str, title: str, sizes: Mapping[str, int], shares: Sequence[float], numbers: Floats
) -> ResultTable:
    """One table of ``numbers[run, prompt, share]``; where a run has none, there is no mean."""
    several, rows, notes = numbers.shape[0] > 1, dict[str, int | None](sizes), [TIES]
    if len(rows) > 1:
        numbers = np.concatenate([numbers, numbers.mean(axis=1, keepdims=True)], axis=1)
        rows[AVERAGE] = None
        notes.append(f"{AVERAGE}: plain mean of the prompts.")
    headings = [f"{100 * share:g} %" if share < 1 else "all" for share in (*shares, 1.0)]
    over_runs = [numbers.mean(axis=0)]
    if several:
        notes.insert(0, f"Mean of {len(numbers)} runs, with the least and the most of them.")
        headings = [f"{heading}{end}" for heading in headings for end in ("", " low", " high")]
        over_runs += [numbers.min(axis=0), numbers.max(axis=0)]
    cells = np.stack(over_runs, axis=-1).reshape(len(rows), -1)
    return ResultTable(
        name=name,
        title=title,
        columns=("prompt", "responses", *headings),
        rows=tuple(
            (prompt, n, *(None if np.isnan(cell) else float(cell) for cell in row))
            for (prompt, n), row in zip(rows.items(), cells, strict=True)
        ),
        note=" ".join(notes),
    )


def _at_shares(
    run: str, part: Part, cases: Judged, shares: Sequence[float]
) -> list[tuple[float, float]]:
    """QWK and CSRate among each share of a part's responses, and among all of them."""
    scales = part.scales
    if not cases.n or scales is None:
        return [(np.nan, np.nan)] * (len(shares) + 1)
    formulas = formulas_for(scales[1], [str(QWK)])  # none on a continuous scale
    numbers = []
    for share in (*shares, 1.0):
        chosen = most_confident(cases.confidence, share, cases.counts).chosen
        rows = cases.rows.copy()
        rows[cases.rows] = chosen
        pairs = replace(part, rows=rows).columns(["gold", f"system:{run}"], scales[1])
        units = units_by_tally(formulas, pairs)
        qwk = next((float(f.value(units[home(f)].tally)) for f in formulas), np.nan)
        critical = np.average(cases.wrong[chosen], weights=cases.counts[chosen])
        numbers.append((qwk, float(critical)))
    return numbers
