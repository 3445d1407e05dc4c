"""The section of docs/coverage.md that holds the default beside BCa and decides which one stays."""

from collections.abc import Iterator, Mapping

from tests.intervals.coverage import DOUBT, PAIRED, RUNS, STATISTICS, Coverage
from tests.intervals.measuring import Measured
from tests.intervals.populations import LATTICE, ON_LATTICE, OTHERS, SETTINGS
from tests.intervals.tables import (
    LEVEL,
    Cells,
    difference,
    grid,
    less,
    named,
    paired,
    plain,
    pooled,
    share,
)

COLUMNS = {
    "Even scores": SETTINGS[:9],
    "Skewed scores": SETTINGS[9:],
    "Essays and beta-binomial scores": OTHERS,
}
BESIDE = f"""## Beside BCa

Coverage of the default less that of expanded BCa (2,000 replicates) on the same samples, in thousandths, with the standard error of the difference. BCa stands beside the first {PAIRED} samples, and beside
all {RUNS:,} where ABC held less often in those by {DOUBT} standard errors or more. **Bold**: below {LEVEL}, and below BCa by more than three standard errors. Statistics that have another interval than ABC by
default are left out.
"""
RULE = """### The rule, statistic by statistic

A statistic keeps BCa if ABC is worse: if it holds the true value less often, by more than three standard errors of the paired difference. Each line has the cell where ABC does worst beside BCa, in standard errors,
of all cells of this page in which both were made: coverage of ABC, of BCa (that of ABC less the difference), and the difference.

{table}

{verdict}

`bias_index` keeps BCa, on less evidence than the rule asks. Coverage of BCa less that of ABC there, 1,000 samples: {kept}. Wilson's interval (`percent_agreement`, `adjacent_agreement`, `csrate`) and the t interval (`bias`) are what these statistics
had before.
"""
LETTER = f"""**To the letter** {{count}} of {{all}} lose; chance alone would make one of 740 do so. In these ABC still holds in {LEVEL} of the samples or more, and BCa in more than that: {{above}}. We do not call it worse when an interval that was wider than its level asks comes
nearer to it. Below {LEVEL}: {{below}}. None of them lies below it by more than a standard error. So all of these have ABC.

In all of them the statistic is in effect a share of responses (two points, or errors of one point only), which has few possible values, so that coverage jumps with n. We therefore measured eleven sizes around
each on two points, 300 samples a size; `mae` stands for all that on two points is a function of the share of errors (Brennan-Prediger, `pabak`, `mse`, `rmse`):

{{lattice}}

Averaged over sizes ABC holds in .945 of the samples or more everywhere, and BCa in at most .007 more.
"""
NOBODY = "No statistic loses, in any cell."
SOURCES = {"two raters": "", "rare errors": "", "panels": ", panels", "derived": "", "ceilings": "", "clusters": ""}  # fmt: skip


def beside(measured: Measured) -> str:
    """The section."""
    cells = measured["two raters"]
    tables = [
        f"{title}:\n\n" + grid("statistic", named(_compared(cells)), columns, text=difference)
        for title, columns in ((t, columns_of(cells, t)) for t in COLUMNS)
    ]
    return "\n\n".join([BESIDE.rstrip(), *tables, _rule(measured)])


def columns_of(cells: Mapping[str, Cells], title: str) -> dict[str, Cells]:
    """The populations of one table, as its columns are called."""
    short = {s.words: f"K={s.k} n={s.n}" for s in SETTINGS}
    short |= {s.words: f"{s.kind} n={s.n}" for s in OTHERS}
    return {short[s.words]: cells[s.words] for s in COLUMNS[title]}


def _compared(cells: Mapping[str, Cells]) -> list[str]:
    return [s for s in STATISTICS if any(paired(found.get(s)) for found in cells.values())]


def _rule(measured: Measured) -> str:
    lines = ["| statistic | cells | ABC | BCa | less | where |", "|---|---|---|---|---|---|"]
    losing: list[tuple[str, Coverage]] = []
    by_name: dict[str, list[tuple[str, Coverage]]] = {}
    for name, where, found in _every(measured):
        by_name.setdefault(name, []).append((where, found))
    for name, each in by_name.items():
        where, worst = min(each, key=lambda pair: _in_errors(pair[1]))
        lines.append(f"| {name} | {len(each)} | {_beside(worst)} | {difference(worst)} | {where} |")
        losing += [(_lost(name, at, found), found) for at, found in each if less(found)]
    return RULE.format(
        table="\n".join(lines),
        verdict=_letter(measured, losing) if losing else NOBODY,
        kept=_kept(measured),
    )


def _every(measured: Measured) -> Iterator[tuple[str, str, Coverage]]:
    for section, words in SOURCES.items():
        for cell, found in measured[section].items():
            for name, one in found.items():
                if paired(one):
                    yield f"{name}{words}", cell, one


def _in_errors(found: Coverage) -> float:
    mean, error = found.difference
    return mean / error if error else 0.0


def _beside(found: Coverage) -> str:
    mean, _ = found.difference
    return f"{plain(found.share)} | {plain(found.share - mean)}"


def _lost(name: str, where: str, found: Coverage) -> str:
    mean, _ = found.difference
    return f"`{name}` at {where} ({plain(found.share)} for {plain(found.share - mean)})"


def _letter(measured: Measured, losing: list[tuple[str, Coverage]]) -> str:
    around = {"around n=50": range(40, 61), "around n=200": range(180, 221)}
    cells = measured["two points"]
    lines = ["| | ABC | less BCa |", "|---|---|---|"]
    for name in ON_LATTICE:
        for words, sizes in around.items():
            for kind in ("even", "skewed"):
                own = [s for s in LATTICE if s.kind == kind and s.n in sizes]
                total = pooled(cells[s.words][name] for s in own)
                lines.append(f"| {name}, {kind}, {words} | {share(total)} | {difference(total)} |")
    above, below = (
        ", ".join(words for words, found in losing if (found.share < LEVEL) == low) or "none"
        for low in (False, True)
    )
    return LETTER.format(
        all=f"{sum(1 for _ in _every(measured)):,}",
        count=f"{len(losing)} cells",
        above=above,
        below=below,
        lattice="\n".join(lines),
    ).rstrip()


def _kept(measured: Measured) -> str:
    cells = measured["kept"].items()
    return "; ".join(f"{cell} {difference(found['bias_index'])}" for cell, found in cells)
