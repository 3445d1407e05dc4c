"""The section of docs/coverage.md on groups: groups.py measures."""

from tests.intervals.groups import CLUSTERED, SHOWN, WORSE
from tests.intervals.measuring import Measured
from tests.intervals.tables import grid, plain, samples, share

GROUPS = """## Groups

A fair system, two raters and six points; six groups of 40, 25, 15, 10, 6 and 4 % of the responses. {samples}; t intervals of the groups by size, largest first. At n = 60 the two smallest
groups have 3.6 and 2.4 responses on average; a group of one response has no interval. BCa, when it was chosen against (300 samples), held DSM of the groups of n = 60 in .953, .933, .920, .900, .771 and
.755 and the true effect of the last four in .937, .923, .799 and .751.

{sixty}

{many}

Where the second group is worse by .5 points and gets .4 too much (true DSM .238, effect .385, from 300,000 responses), its t intervals hold the truth in {dsm} (DSM) and {effect} (effect) of
{fewer} samples of 120, 200 and 500 responses. With 100 candidates of 6 responses as clusters DSM's hold in {candidates}, with 10 classes of 30 (groups within classes) in {classes}.
"""
SIZES = {
    "n = 60": ("24", "15", "9", "6", "3.6", "2.4"),
    "n = 200": ("80", "50", "30", "20", "12", "8"),
}


def groups(measured: Measured) -> str:
    """The section."""
    cells = measured["groups"]
    tables = [_table(measured, name) for name in SIZES]
    worse = [
        ", ".join(plain(cells[name][f"{text}, group 1"].share) for name in WORSE)
        for text in ("dsm", "true_effect")
    ]
    apart = []
    for name in CLUSTERED:
        held = [cells[name][f"dsm, group {g}"].share for g in range(6)]
        apart.append(f"{plain(min(held))} to {plain(max(held))}")
    return GROUPS.format(
        samples=samples({name: cells[name] for name in SIZES}),
        fewer=next(iter(cells[next(iter(WORSE))].values())).runs,
        sixty=tables[0],
        many=tables[1],
        dsm=worse[0],
        effect=worse[1],
        candidates=apart[0],
        classes=apart[1],
    )


def _table(measured: Measured, name: str) -> str:
    cells = measured["groups"][name]
    columns = {
        size: {
            text: found
            for text in SHOWN
            if (found := cells.get(f"{text}, group {g}")) and found.made > found.runs / 4
        }
        for g, size in enumerate(SIZES[name])
    }
    return grid(name, {words: text for text, words in SHOWN.items()}, columns, text=share)
