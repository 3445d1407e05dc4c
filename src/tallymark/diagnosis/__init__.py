"""Diagnosis: what a coefficient hides. Formulas: tally in, number out."""
