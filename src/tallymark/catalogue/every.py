"""CATALOGUE: every number Tallymark can report, in the order of the report."""

from tallymark.catalogue.row import Row
from tallymark.catalogue.rows import (
    accuracy,
    agreement,
    association,
    ceilings,
    chance,
    classes,
    comparison,
    confidence,
    cuts,
    diagnosis,
    fairness,
    generalizability,
    length,
    paradox,
    people,
    probes,
    scale,
    severity,
    true_scores,
)

FAMILIES: dict[str, tuple[Row, ...]] = {
    "Agreement of two scores": agreement.ROWS,
    "Agreement beyond chance, of any number of raters": chance.ROWS,
    "Correlation and concordance": association.ROWS,
    "Errors in score points": accuracy.ROWS,
    "Labels": classes.ROWS,
    "What explains a kappa": paradox.ROWS,
    "People, raters and repeated runs": people.ROWS,
    "True scores": true_scores.ROWS,
    "Fairness": fairness.ROWS,
    "Length of responses": length.ROWS,
    "Probes": probes.ROWS,
    "Comparison": comparison.ROWS,
    "Ceilings": ceilings.ROWS,
    "Generalizability": generalizability.ROWS,
    "Severity and drift of raters": severity.ROWS,
    "Confidence and selective scoring": confidence.ROWS,
    "Decisions at cuts": cuts.ROWS,
    "Other scales and recalibration": scale.ROWS,
    "Diagnosis": diagnosis.ROWS,
}
CATALOGUE: tuple[Row, ...] = tuple(row for rows in FAMILIES.values() for row in rows)
FORMULAS: tuple[Row, ...] = tuple(row for row in CATALOGUE if row.value is not None)
"""Statistics of scores; all others are numbers of a question."""
BY_NAME: dict[str, Row] = {row.name: row for row in CATALOGUE}
