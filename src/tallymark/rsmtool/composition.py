"""Composition: RSMTool's tables of which responses were used and which were not."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tallymark.rsmtool.columns import numbers
from tallymark.rsmtool.experiment import Experiment
from tallymark.rsmtool.processing import Processed
from tallymark.rsmtool.sheets import Sheet

KINDS = ("numeric non-zero human score", "zero human score", "non-numeric human score")


def response_sheets(experiment: Experiment, found: Processed) -> dict[str, Sheet]:
    """Scores, metadata and other columns of used responses, and the responses left out."""
    ids = found.column("spkitemid")
    rounded = {
        kind: scores.astype(np.int64) if kind.endswith("_round") else scores
        for kind, scores in found.scores.items()
    }
    metadata = [*experiment.subgroups, *(["candidate"] if experiment.candidate else [])]
    known = {"sc1", *found.scores, *metadata, *(["sc2"] if experiment.second else [])}
    sheets: dict[str, Sheet] = {
        "pred_processed": {"spkitemid": ids, "sc1": found.human, **rounded},
        "test_metadata": {"spkitemid": ids, **{name: found.column(name) for name in metadata}},
        "test_other_columns": {name: found.column(name) for name in found.all if name not in known},
    }
    if "raw" in sheets["test_other_columns"]:
        raw = numbers(found.all["raw"])[found.used]
        sheets["test_other_columns"] = {**sheets["test_other_columns"], "raw": raw}
    if found.second is not None:
        sheets["test_human_scores"] = {"spkitemid": ids, "sc1": found.human, "sc2": found.second}
    if found.excluded.size:
        sheets["test_excluded_responses"] = _excluded(found)
    if found.flagged.size:
        sheets["test_responses_with_excluded_flags"] = {
            name: column[found.flagged] for name, column in found.all.items()
        }
    return sheets


def composition_sheets(experiment: Experiment, found: Processed) -> dict[str, Sheet]:
    """How many responses, candidates and groups were used, and how many responses were not."""
    used: dict[str, list[Any]] = {"partition": ["Evaluation"], "responses": [found.used.size]}
    if experiment.candidate:
        used["candidates"] = [np.unique(found.column("candidate").astype(str)).size]
    sheets: dict[str, Sheet] = {}
    for group in experiment.subgroups:
        labels, times = np.unique(found.column(group).astype(str), return_counts=True)
        used[group] = [labels.size]
        sheets[f"data_composition_by_{group}"] = {group: labels, "N responses": times}
    composition = _excluded_composition(experiment, found)
    return {"data_composition": used, "test_excluded_composition": composition, **sheets}


def _excluded(found: Processed) -> Sheet:
    """The responses left out, the id first, then by name; scores are numbers or missing."""
    names = ["spkitemid", *sorted(name for name in found.all if name != "spkitemid")]
    read = {name: numbers(found.all[name]) for name in ("sc1", "raw")}
    return {name: read.get(name, found.all[name])[found.excluded] for name in names}


def _excluded_composition(experiment: Experiment, found: Processed) -> Sheet:
    """Counts by human and system score; RSMTool names the rows only if something was excluded."""
    human, system = (numbers(found.all[name])[found.excluded] for name in ("sc1", "raw"))
    kinds = (np.isfinite(human) & (human != 0), human == 0, np.isnan(human))
    numeric = np.array([_count(kind & ~np.isnan(system)) for kind in kinds])
    other = np.array([_count(kind & np.isnan(system)) for kind in kinds])
    sheet: dict[str, Any] = {"Human/System": list(KINDS)} if found.excluded.size else {}
    if experiment.min_items is None:
        # what cannot happen is left empty
        numeric = numeric.astype(np.float64)
        numeric[: 1 if experiment.exclude_zeros else 2] = np.nan
    return {**sheet, "numeric system score": numeric, "non-numeric system score": other}


def _count(rows: NDArray[np.bool_]) -> int:
    return int(rows.sum())
