"""rsmeval: RSMTool's evaluation of scores, as files under its names."""

import json
from dataclasses import dataclass
from pathlib import Path

from tallymark.rsmtool.analysis import analysis_sheets
from tallymark.rsmtool.composition import composition_sheets, response_sheets
from tallymark.rsmtool.experiment import Experiment, read_experiment
from tallymark.rsmtool.fairness import fairness_sheets
from tallymark.rsmtool.processing import Processed, process
from tallymark.rsmtool.sheets import Sheet, file_of


@dataclass(frozen=True, slots=True)
class Evaluated:
    """An experiment, its processed scores, and the tables that RSMTool writes of them."""

    experiment: Experiment
    processed: Processed
    sheets: dict[str, Sheet]

    def files(self) -> dict[str, bytes]:
        """Every file that RSMTool writes to its output folder, by name."""
        experiment = self.experiment
        resolved = json.dumps(dict(experiment.fields), indent=4, ensure_ascii=False)
        found = {f"{experiment.id}_rsmeval.json": f"{resolved}\n".encode()}
        for name, sheet in self.sheets.items():
            found[f"{experiment.id}_{name}.{experiment.format}"] = file_of(sheet, experiment.format)
        return found


def run_rsmeval(configuration: Path) -> Evaluated:
    """Evaluate scores as a configuration of rsmeval asks for."""
    experiment = read_experiment(configuration)
    found = process(experiment)
    sheets = {
        **response_sheets(experiment, found),
        **composition_sheets(experiment, found),
        **analysis_sheets(experiment, found),
    }
    if experiment.fairness:
        sheets |= fairness_sheets(experiment, found)
    return Evaluated(experiment, found, sheets)
