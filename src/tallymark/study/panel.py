"""Panels: which tally a statistic of many raters needs, and all of them at once."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from msgspec.structs import replace

from tallymark.catalogue import BY_NAME, find
from tallymark.inference import Formula, OnUnits, Settings, Units, estimate_each
from tallymark.results import AMONG_PEOPLE, PEOPLE, Estimate
from tallymark.study.formulas import of_set
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


def panel_of(parts: Sequence[tuple[Part, People]], settings: Settings) -> list[SubsetResults]:
    """Estimate how the raters of each part agree as a panel."""
    panels = [
        PanelPart(
            of_set("panel_by_part" if part.many or part.grouped else "panel", people.scale),
            people.rows,
            part.label,
            people.scale.continuous,
        )
        for part, people in parts
    ]
    each = panel_estimates_each(panels, settings)
    results = []
    for (part, people), estimates in zip(parts, each, strict=True):
        n = int(people.rows.rated().counts.sum())
        subset = subset_of(part, PEOPLE, n=n, against=AMONG_PEOPLE)
        results.append(SubsetResults(subset, estimates, []))
    return results


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


class PanelPart(NamedTuple):
    """Ratings of a part of the data, and the statistics that are wanted of them."""

    names: Sequence[str]
    rows: Rows
    label: str
    continuous: bool

    def formulas(self) -> dict[str, list[Formula]]:
        """The statistics by the kind of tally they need, those left out that say nothing here."""
        by_kind: dict[str, list[Formula]] = {}
        for formula in map(find, self.names):
            kind = panel_home(formula, self.rows, continuous=self.continuous)
            settled = BY_NAME[formula.name].settled_on(self.rows.points, formula.params)
            if kind in CONTINUOUS if self.continuous else not settled:
                by_kind.setdefault(kind, []).append(formula)
        return by_kind


def panel_estimates(
    names: Sequence[str], rows: Rows, settings: Settings, label: str, *, continuous: bool
) -> list[Estimate]:
    """Estimate statistics of any number of raters; those of one tally share the resamples."""
    return panel_estimates_each([PanelPart(names, rows, label, continuous)], settings)[0]


def panel_estimates_each(panels: Sequence[PanelPart], settings: Settings) -> list[list[Estimate]]:
    """The same for several parts of the data."""
    estimates: list[dict[str, Estimate]] = [{} for _ in panels]
    asked, where = [], []
    for panel, here in zip(panels, estimates, strict=True):
        for kind, formulas in panel.formulas().items():
            pairs = too_many_pairs(panel.rows) if kind == "pairwise" else 0
            if pairs:
                here |= {f.key: _not_computed(f, panel.rows, settings, pairs) for f in formulas}
                continue
            units = panel_units(kind, panel.rows, formulas)
            asked.append(OnUnits([fitted(f, kind, units) for f in formulas], units))
            where.append((panel, here, kind))
    keys = [stream_of(panel.label) for panel, _, _ in where]
    made = estimate_each(asked, settings, keys=keys)
    for (panel, here, kind), of_units in zip(where, made, strict=True):
        for estimate in of_units:
            reason = why(estimate, kind, panel.rows)
            here[estimate.text] = replace(estimate, score="human", why=reason)
    return [
        [here[name] for name in map(_key, panel.names) if name in here]
        for panel, here in zip(panels, estimates, strict=True)
    ]


def _key(name: str) -> str:
    return find(name).key


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
