"""rsmeval: RSMTool's evaluation of scores, as files under its names."""

import json
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from tallymark.rsmtool.analysis import analysis_sheets
from tallymark.rsmtool.composition import composition_sheets, response_sheets
from tallymark.rsmtool.experiment import Experiment, read_experiment
from tallymark.rsmtool.fairness import fairness_sheets
from tallymark.rsmtool.processing import Processed, process
from tallymark.rsmtool.sheets import Sheet, file_of

_UNSAFE = frozenset('/\\:*?"<>|')
_LONGEST = 240


@dataclass(frozen=True, slots=True)
class RsmEvaluated:
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
