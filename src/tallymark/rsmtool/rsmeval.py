"""rsmeval: RSMTool's evaluation of scores, as files under its names."""

import json
from collections.abc import Collection
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tallymark.rsmtool.analysis import analysis_sheets
from tallymark.rsmtool.columns import numbers
from tallymark.rsmtool.experiment import Experiment, read_experiment
from tallymark.rsmtool.fairness import fairness_sheets
from tallymark.rsmtool.processing import Processed, process
from tallymark.rsmtool.sheets import Sheet, file_of

_UNSAFE = frozenset('/\\:*?"<>|')
_LONGEST = 240


class RsmEvaluated(Struct, frozen=True):
    """An experiment, its processed scores, and the tables that RSMTool writes of them."""

    experiment: Experiment
    processed: Processed
    sheets: dict[str, Sheet]

    def files(self) -> dict[str, bytes]:
        """Every file that RSMTool writes to its output folder, by name."""
        experiment = self.experiment
        resolved = json.dumps(dict(experiment.fields), indent=4, ensure_ascii=False)
        files = {f"{experiment.id}_rsmeval.json": f"{resolved}\n".encode()}
        for name, sheet in self.sheets.items():
            called = _file_name(f"{experiment.id}_{name}", experiment.format, files)
            files[called] = file_of(sheet, experiment.format)
        return files


def _file_name(stem: str, form: str, taken: Collection[str]) -> str:
    """Return RSMTool's name of a file, without what would lead out of its folder or end it early.

    The names of subgroups are part of it: only slashes, control characters and what Windows does
    not allow are replaced, so that a plain name stays RSMTool's.
    """
    safe = "".join("_" if char in _UNSAFE or not char.isprintable() else char for char in stem)
    safe = safe.encode()[:_LONGEST].decode(errors="ignore")
    name, number = f"{safe}.{form}", 2
    while name in taken:
        name, number = f"{safe}_{number}.{form}", number + 1
    return name


def run_rsmeval(configuration: Path) -> RsmEvaluated:
    """Evaluate scores as a configuration of rsmeval asks for."""
    experiment = read_experiment(configuration)
    processed = process(experiment)
    sheets = {
        **response_sheets(experiment, processed),
        **composition_sheets(experiment, processed),
        **analysis_sheets(experiment, processed),
    }
    if experiment.fairness:
        sheets |= fairness_sheets(experiment, processed)
    return RsmEvaluated(experiment, processed, sheets)


KINDS = ("numeric non-zero human score", "zero human score", "non-numeric human score")


def response_sheets(experiment: Experiment, processed: Processed) -> dict[str, Sheet]:
    """Scores, metadata and other columns of used responses, and the responses left out."""
    ids = processed.column("spkitemid")
    rounded = {
        kind: scores.astype(np.int64) if kind.endswith("_round") else scores
        for kind, scores in processed.scores.items()
    }
    metadata = [*experiment.subgroups, *(["candidate"] if experiment.candidate else [])]
    known = {"sc1", *processed.scores, *metadata, *(["sc2"] if experiment.second else [])}
    sheets: dict[str, Sheet] = {
        "pred_processed": {"spkitemid": ids, "sc1": processed.human, **rounded},
        "test_metadata": {"spkitemid": ids, **{name: processed.column(name) for name in metadata}},
        "test_other_columns": {
            name: processed.column(name) for name in processed.all if name not in known
        },
    }
    if "raw" in sheets["test_other_columns"]:
        raw = numbers(processed.all["raw"])[processed.used]
        sheets["test_other_columns"] = {**sheets["test_other_columns"], "raw": raw}
    if processed.second is not None:
        sheets["test_human_scores"] = {
            "spkitemid": ids,
            "sc1": processed.human,
            "sc2": processed.second,
        }
    if processed.excluded.size:
        sheets["test_excluded_responses"] = _excluded(processed)
    if processed.flagged.size:
        sheets["test_responses_with_excluded_flags"] = {
            name: column[processed.flagged] for name, column in processed.all.items()
        }
    return sheets


def composition_sheets(experiment: Experiment, processed: Processed) -> dict[str, Sheet]:
    """How many responses, candidates and groups were used, and how many responses were not."""
    used: dict[str, list[Any]] = {"partition": ["Evaluation"], "responses": [processed.used.size]}
    if experiment.candidate:
        used["candidates"] = [np.unique(processed.column("candidate").astype(str)).size]
    sheets: dict[str, Sheet] = {}
    for group in experiment.subgroups:
        labels, times = np.unique(processed.column(group).astype(str), return_counts=True)
        used[group] = [labels.size]
        sheets[f"data_composition_by_{group}"] = {group: labels, "N responses": times}
    composition = _excluded_composition(experiment, processed)
    return {"data_composition": used, "test_excluded_composition": composition, **sheets}


def _excluded(processed: Processed) -> Sheet:
    """The responses left out, the id first, then by name; scores are numbers or missing."""
    names = ["spkitemid", *sorted(name for name in processed.all if name != "spkitemid")]
    read = {name: numbers(processed.all[name]) for name in ("sc1", "raw")}
    return {name: read.get(name, processed.all[name])[processed.excluded] for name in names}


def _excluded_composition(experiment: Experiment, processed: Processed) -> Sheet:
    """Counts by human and system score; RSMTool names the rows only if something was excluded."""
    human, system = (numbers(processed.all[name])[processed.excluded] for name in ("sc1", "raw"))
    kinds = (np.isfinite(human) & (human != 0), human == 0, np.isnan(human))
    numeric = np.array([_count(kind & ~np.isnan(system)) for kind in kinds])
    other = np.array([_count(kind & np.isnan(system)) for kind in kinds])
    sheet: dict[str, Any] = {"Human/System": list(KINDS)} if processed.excluded.size else {}
    if experiment.min_items is None:
        # what cannot happen is left empty
        numeric = numeric.astype(np.float64)
        numeric[: 1 if experiment.exclude_zeros else 2] = np.nan
    return {**sheet, "numeric system score": numeric, "non-numeric system score": other}


def _count(rows: NDArray[np.bool_]) -> int:
    return int(rows.sum())
