"""The surest scores of each prompt: how well they agree, and how many are critically wrong.

As Funayama et al. (2020) print them: a share of the responses of each prompt, those with the highest
confidence, on the test responses alone where a fold is called test; the mean of all runs, and below the
plain mean of the prompts.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.questions.confidence.runs import AVERAGE, TEST, fold_of
from tallymark.results import Key, ResultTable
from tallymark.selective.curve import most_confident
from tallymark.sources import Scores
from tallymark.study.formulas import formulas_for
from tallymark.study.judged import Judged
from tallymark.study.measured import home, units_by_tally
from tallymark.study.parts import Part

QWK = Key("cohen_kappa", weights="quadratic")
TIES = "Equal confidences are taken together, so a share may be larger."


def surest_by_prompt(
    scores: Scores, runs: Mapping[str, Judged], parts: Sequence[Part], shares: Sequence[float]
) -> tuple[ResultTable, ...]:
    """QWK, and the critical errors, of the surest scores of each prompt; the mean of the prompts last.

    Nothing where neither prompts nor runs are several: the numbers of all responses say it then.
    """
    prompts = [part for part in parts if set(part.where) == {"prompt"}]
    over = prompts or [part for part in parts if not part.where]
    if len(prompts) + len(runs) < 2 or any(part.many or part.scales is None for part in over):
        return ()
    test = fold_of(scores, TEST)
    kept = [part if test is None else replace(part, rows=part.rows & test) for part in over]
    kept = [part for part in kept if _most(runs, part)]
    where = (" by prompt" if prompts else "") + ("" if test is None else ", test responses")
    every = np.array(
        [
            [_at_shares(run, part, cases.where(part.rows), shares) for part in kept]
            for run, cases in runs.items()
        ]
    )
    sizes = {part.where.get("prompt", "all"): _most(runs, part) for part in kept}
    titles = {
        "surest_qwk_by_prompt": f"QWK of the surest scores{where}",
        "surest_csrate_by_prompt": f"CSRate of the surest scores{where}",
    }
    return tuple(
        _table(name, title, sizes, shares, every[..., i])
        for i, (name, title) in enumerate(titles.items())
        if kept and not np.isnan(every[..., i]).all()
    )


def _most(runs: Mapping[str, Judged], part: Part) -> int:
    """Responses of a part with the score and confidence of a run, of the run that has most."""
    return max(cases.where(part.rows).n for cases in runs.values())


def _table(
    name: str,
    title: str,
    sizes: Mapping[str, int],
    shares: Sequence[float],
    every: NDArray[np.float64],
) -> ResultTable:
    """One table, given ``every[run, prompt, share]``; where a run has no number, there is no mean."""
    several, by_prompt = every.shape[0] > 1, every.shape[1] > 1
    rows: dict[str, int | None] = {**sizes}
    if by_prompt:
        every = np.concatenate([every, every.mean(axis=1, keepdims=True)], axis=1)
        rows[AVERAGE] = None
    columns = ["prompt", "responses"]
    for share in (*shares, 1.0):
        heading = f"{100 * share:g} %" if share < 1 else "all"
        columns += [heading, f"{heading} low", f"{heading} high"] if several else [heading]
    seen = [every.mean(axis=0), *([every.min(axis=0), every.max(axis=0)] if several else [])]
    cells = np.stack(seen, axis=-1).reshape(len(rows), -1)
    over = f"Mean of {len(every)} runs, with the least and the most of them." if several else ""
    mean = f"{AVERAGE}: plain mean of the prompts." if by_prompt else ""
    return ResultTable(
        name=name,
        title=title,
        columns=tuple(columns),
        rows=tuple(
            (prompt, n, *(None if np.isnan(cell) else float(cell) for cell in row))
            for (prompt, n), row in zip(rows.items(), cells, strict=True)
        ),
        note=" ".join(filter(None, [over, TIES, mean])),
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
