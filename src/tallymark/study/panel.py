"""Panels: which tally a statistic of many raters needs, and all of them at once."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tallymark.catalogue import BY_NAME, find, texts
from tallymark.inference import Formula, Settings, Units, estimate_all
from tallymark.results import AMONG_PEOPLE, PEOPLE, Estimate
from tallymark.study.measured import SubsetResults, stream_of, subset_of
from tallymark.study.pairings import too_many_pairs
from tallymark.study.parts import Part, People
from tallymark.study.units import Rows, units_of

CONTINUOUS = ("complete", "equal", "oneway", "spread")
"""Kinds of tally for which scores need not lie on points."""
NO_KAPPA = "the responses they share have one score only"
UNRATED = {
    "complete": "no response was rated by every rater",
    "pairwise": "no two raters share a response",
}
"""Why nothing can be said of a panel, where it is not that no response was rated twice."""


def panel_of(part: Part, people: People, settings: Settings) -> SubsetResults:
    """Estimate how the raters of a part agree as a panel."""
    names = texts("panel_by_part") if part.many or part.grouped else texts("panel")
    estimates = panel_estimates(
        names, people.rows, settings, part.label, continuous=people.scale.continuous
    )
    n = int(people.rows.rated().counts.sum())
    return SubsetResults(subset_of(part, PEOPLE, n=n, against=AMONG_PEOPLE), estimates, [])


def panel_home(formula: Formula, rows: Rows, *, continuous: bool = False) -> str:
    """The kind of tally a statistic of many raters is computed from."""
    if formula.name == "icc" and str(formula.params["type"]).startswith("1"):
        given = (~np.isnan(rows.scores)).sum(axis=1)
        return "oneway" if given.size and np.ptp(given) > 0 else "equal"
    if formula.name == "krippendorff_alpha" and continuous:
        return "spread" if formula.params.get("metric") == "interval" else "pairable"
    if formula.tally == "ordinal":
        return formula.tally
    return next(kind for kind in BY_NAME[formula.name].tallies if kind != "table")


def panel_units(kind: str, rows: Rows, formulas: Sequence[Formula]) -> Units[Any]:
    """Return the units of one kind of tally of many raters, with the sums that formulas need."""
    if kind == "equal":  # as many ratings of each response, whoever gave them
        return units_of("complete", rows.unnamed())
    return units_of(kind, rows, formulas)


def fitted(formula: Formula, kind: str, units: Units[Any]) -> Formula:
    """Change the interval where that of two raters does not hold for a panel."""
    if formula.interval == "wilson":  # a mean over pairs of ratings is no proportion
        return replace(formula, interval="abc")
    if formula.closed_form and (
        kind == "oneway" or units.kind != "responses" or units.worth is not None
    ):
        return replace(formula, interval="abc", closed_form=None)
    return formula


def panel_estimates(
    names: Sequence[str], rows: Rows, settings: Settings, label: str, *, continuous: bool
) -> list[Estimate]:
    """Estimate statistics of any number of raters; those of one tally share the resamples."""
    formulas = [find(name) for name in names]
    formulas = [
        f for f in formulas if not BY_NAME[f.name].settled_on(rows.points, f.params) or continuous
    ]
    homes = {id(f): panel_home(f, rows, continuous=continuous) for f in formulas}
    if continuous:
        formulas = [f for f in formulas if homes[id(f)] in CONTINUOUS]
    estimates: dict[str, Estimate] = {}
    for kind in dict.fromkeys(homes[id(f)] for f in formulas):
        of_kind = [f for f in formulas if homes[id(f)] == kind]
        pairs = too_many_pairs(rows) if kind == "pairwise" else 0
        if pairs:
            estimates |= {f.key: _not_computed(f, rows, settings, pairs) for f in of_kind}
            continue
        units = panel_units(kind, rows, of_kind)
        here = [fitted(f, kind, units) for f in of_kind]
        for estimate in estimate_all(here, units, settings, key=stream_of(label)):
            estimates[estimate.text] = replace(
                estimate, score="human", why=why(estimate, kind, rows)
            )
    return [estimates[f.key] for f in formulas]


def _not_computed(formula: Formula, rows: Rows, settings: Settings, pairs: int) -> Estimate:
    """Say that there are more pairs of raters than can be resampled."""
    too_many = f"{pairs:,} pairs of raters are too many to resample; name fewer raters with --human"
    return Estimate(
        key=formula.key, value=np.nan, level=settings.level,
        n=int(rows.rated().counts.sum()), score="human", why=f"{too_many}, or read conger_kappa",
    )  # fmt: skip


def why(estimate: Estimate, kind: str, rows: Rows) -> str:
    """The reason why a statistic of a panel is undefined, or which pairs it leaves out."""
    if estimate.n > 0 and rows.twice.any():
        left, pairs = estimate.parts.get("pairs_left_out", 0), estimate.parts.get("pairs", 0)
        left_out = f"{int(left)} of {int(left + pairs)} pairs of raters left out: {NO_KAPPA}"
        words = [estimate.why, left_out if left and pairs else ""]
        return "; ".join(word for word in words if word)
    return UNRATED.get(kind, "no response was rated twice")
