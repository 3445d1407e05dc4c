"""The page of ratios: targets first, then everything that was measured."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from clock import Used

Seconds = Mapping[str, float]
MILLION = "1000000"

HOW = """\
# Speed beside other programs

Written by `make bench`, from one run. A ratio is CPU time divided by CPU time, both the best of
several turns taken side by side on one machine, with one thread for linear algebra; it moves by
some tenths from run to run and from machine to machine. Scores are simulated on a scale of six
points. An interval is BCa with 2,000 replicates, tallying included, unless a line says otherwise;
"every statistic" are those of `tallymark evaluate`, and the scores pass through its checks.

SciPy's bootstrap is given scikit-learn's `cohen_kappa_score` and its cheapest interval
(percentile): BCa would score all rows once more for each row left out. It runs 200, 20 and 3
replicates at 1,000, 100,000 and 1,000,000 rows; its time for 2,000 is extrapolated from these.
irrCAC gives a value and an analytic interval in one call.
"""


class Panels(NamedTuple):
    """CPU seconds of panels by us and others, and the memory of our program."""

    ours: Seconds
    irrcac: Seconds
    pingouin: Mapping[str, Any]
    megabytes: float


class Measured(NamedTuple):
    """CPU seconds of everything, and megabytes of the programs that read files."""

    arrays: Mapping[str, Seconds]
    irrcac: Seconds
    commands: Mapping[str, Used]
    files: Mapping[str, Seconds]
    panels: Panels


def write(path: Path, measured: Measured) -> None:
    """Write the page, and print it."""
    parts = [_targets(measured), _memory(measured), panel_lines(measured.panels), _files(measured)]
    page = "\n".join([HOW, *("\n".join([*part, ""]) for part in parts)]).rstrip()
    path.write_text(page + "\n", encoding="utf-8")
    print(page)


def _targets(measured: Measured) -> list[str]:
    large, small = measured.arrays[MILLION], measured.arrays["1000"]
    commands = measured.commands
    tallied = "bootstrap of QWK, once tallied"
    qwk = large["QWK by scikit-learn"] / large["QWK"]
    resampled = large["QWK bootstrap by scipy"] / large["QWK with BCa"]
    growth = large[tallied] / small[tallied]
    start = commands["version"].seconds / commands["empty click"].seconds
    rows = [
        ("QWK of 1M rows, times faster than scikit-learn", "at least 5", _times(qwk), qwk >= 5),
        (
            "bootstrap of QWK, 1M rows, times faster than SciPy with scikit-learn",
            "at least 1,000",
            _times(resampled),
            resampled >= 1000,
        ),
        (
            "bootstrap once tallied, 1M rows over 1,000 rows",
            "at most 1.5",
            _times(growth),
            growth <= 1.5,
        ),
        (
            "`tallymark --version` over an empty click program",
            "at most 2",
            _times(start),
            start <= 2,
        ),
    ]
    rows += panel_targets(measured.panels)
    cells = [[what, limit, found, "yes" if met else "**no**"] for what, limit, found, met in rows]
    return ["## Targets", "", *_table(["", "target", "measured", "met"], cells)]


def _memory(measured: Measured) -> list[str]:
    pairs = [
        ("QWK", "QWK", "scikit-learn", "QWK by scikit-learn"),
        ("QWK with interval", "QWK with BCa", "SciPy + scikit-learn", "QWK bootstrap by scipy"),
        (
            "every statistic with interval",
            "all with BCa",
            "SciPy + scikit-learn, QWK alone",
            "QWK bootstrap by scipy",
        ),
        ("AC2", "AC2", "irrCAC", ""),
        ("AC2 with interval", "AC2 with BCa", "irrCAC", ""),
    ]
    sizes = [*measured.arrays]
    cells = []
    for what, ours, peer, theirs in pairs:
        ratios = []
        for n in sizes:
            seconds = measured.arrays[n].get(theirs) or measured.irrcac.get(n)
            ratios.append(_times(seconds / measured.arrays[n][ours]) if seconds else "not measured")
        cells.append([what, peer, *ratios])
    header = ["", "times faster than", *(f"{int(n):,} rows" for n in sizes)]
    return ["## Scores in memory", "", *_table(header, cells)]


def _files(measured: Measured) -> list[str]:
    cells = []
    for kind, found in measured.files.items():
        over = [_times(found[step] / found["scan"]) for step in ("read", "statistics")]
        cells.append([kind, *over, f"{found['evaluate MB']:.0f}", f"{found['scan MB']:.0f}"])
    header = ["system scores", "reading", "all statistics", "peak MB", "peak MB of the scan"]
    text = (
        "CPU time over that of DuckDB's plain `GROUP BY` of the same CSV file (two raters, one\n"
        "system). Reading looks at every column once to learn what it is, then checks and tallies."
    )
    return ["## A file of 1,000,000 rows", "", text, "", *_table(header, cells)]


PANELS_TEXT = """\
Ten raters of 100,000 responses, 30 % of the ratings missing, on six points. A value is one number
of `tallymark.metrics`; an interval is BCa with 1,000 replicates, tallying included. irrCAC gives a
value and an analytic interval in one call, krippendorff a value. ICC is of 60,000 responses by two
raters: our value is one type, our interval the F-based one of one type; pingouin gives all six
types with their intervals in one call."""


def panel_lines(panels: Panels) -> list[str]:
    """Our values and intervals over those of other programs."""
    cells = []
    for what in ("AC2", "Fleiss, quadratic", "alpha, interval", "alpha, ordinal"):
        ours, interval = panels.ours[what], panels.ours[f"{what} with interval"]
        peers = {
            "irrCAC": panels.irrcac.get(what),
            "krippendorff": panels.ours.get(f"{what} by krippendorff"),
        }
        cells += [
            [what, peer, _times(theirs / ours), _times(theirs / interval)]
            for peer, theirs in peers.items()
            if theirs
        ]
    if panels.pingouin:
        theirs = panels.pingouin["ICC"]
        name = f"pingouin {panels.pingouin['version']}"
        over = [theirs / panels.ours[one] for one in ("ICC", "ICC with interval")]
        cells.append(["ICC(2,1)", name, *map(_times, over)])
    header = ["", "times faster than", "our value", "our interval"]
    return ["## Panels", "", PANELS_TEXT, "", *_table(header, cells)]


def panel_targets(panels: Panels) -> list[tuple[str, str, str, bool]]:
    """The targets for panels, as far as the other programs could be installed."""
    ours = panels.ours
    three = ("AC2", "Fleiss, quadratic", "alpha, interval")
    alphas = ("alpha, interval", "alpha, ordinal")
    peer = min(ours[f"{what} by krippendorff"] / ours[what] for what in alphas)
    rows = [_target("alpha of a panel, times faster than krippendorff, value", 3, peer)]
    if panels.irrcac:
        value = min(panels.irrcac[what] / ours[what] for what in three)
        interval = min(panels.irrcac[what] / ours[f"{what} with interval"] for what in three)
        text = "AC2, Fleiss and alpha of a panel, times faster than irrCAC, the least of three"
        rows += [_target(f"{text}: value", 3, value), _target(f"{text}: interval", 1, interval)]
    if panels.pingouin:
        over = panels.pingouin["ICC"] / ours["ICC"]
        rows.append(_target("ICC of 60,000 x 2, times faster than pingouin", 100, over))
    memory = panels.megabytes
    return [*rows, ("memory of these panels, MB", "under 500", f"{memory:.0f}", memory < 500)]


def _target(what: str, least: float, ratio: float) -> tuple[str, str, str, bool]:
    return what, f"at least {least:g}", _times(ratio), ratio >= least


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    rule = ["---"] * len(header)
    return [f"| {' | '.join(row)} |" for row in (header, rule, *rows)]


def _times(ratio: float) -> str:
    """Two digits: the third is noise."""
    return f"{float(f'{ratio:.2g}'):,g}"
