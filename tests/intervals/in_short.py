"""What docs/coverage.md says on its first screen: from how many responses on an interval can be trusted."""

from collections.abc import Iterator, Mapping, Sequence

from tests.intervals.coverage import Coverage
from tests.intervals.measuring import Cells, Measured
from tests.intervals.tables import known, plain, too_narrow

SIZES = (50, 200, 1000)
TWO = "two raters"
KINDS: Mapping[str, tuple[str, Sequence[str]]] = {
    "exact and adjacent agreement, CSRate": (TWO, ("percent_ag", "adjacent", "csrate")),
    "kappa, QWK, Scott's pi, alpha, CCC": (TWO, ("cohen", "scott", "kripp", "lin_ccc")),
    "AC1, AC2, Brennan-Prediger": (TWO, ("gwet", "brennan")),
    "r, Spearman, tau-b": (TWO, ("pearson", "spearman", "kendall")),
    "bias, MAE, MSE, RMSE, R²": (TWO, ("bias", "mae", "mse", "rmse", "r2")),
    "SMD": (TWO, ("smd",)),
    "SD ratio": (TWO, ("sd_ratio",)),
    "degradation of QWK and r": ("derived", ("degradation",)),
    "PRMSE": ("derived", ("prmse",)),
    "means over 4 prompts (n of each)": ("derived", ("mean of", "Fisher")),
    "ceilings of two raters": ("ceilings", ("reliability", "ceiling")),
    "coefficients of 3 raters, a third missing": ("panels", ("",)),
}
LEFT_OUT = ("bias_index", "F-based", "mean_pairwise")

SHORT = """## In short

Of 100 intervals 95 should hold the true value. The table has the smallest and the largest share that did, over two to eight populations. **Bold**: in at least one of them fewer than chance
explains. The rows from degradation on rest on 100 to 160 samples, whose shares vary by ±.04 by chance alone.

{table}

So trust the default intervals of all of these from 200 responses on (the bold cell there, adjacent agreement of .92, holds in .938 by exact calculation: Wilson's interval goes up and down with n).
With 50 trust all but the SD ratio where low scores dominate, and degradation. Take care with:

- **Degradation** of fewer than 100 responses: with 30 or 50 a limit is called met by mistake in .040 to .064 of samples, not .025 ([verdict](verdict.md#how-often-it-errs)).
- **Rare large errors.** Where one response in 200 is off by several points, 30 to 100 responses seldom show one: then the intervals of QWK hold in {qwk} of samples or more, those of MSE and RMSE in {mse} ([small samples](#small-samples)).
- **Fewer than 30 responses**: not measured, but for [groups](#groups).
- **`macro_mae` and `macro_rmse`** have an interval only if every gold score has 8 responses (the latter: 20); `prevalence_doewes` has none.
- **Clusters.** Responses of one class or candidate are alike: without `--cluster` every interval is too narrow. With 4 to 40 clusters QWK and SMD hold in {clusters} ([few clusters](#few-clusters)).
- **Groups** of 8 responses or more hold in {groups}; the difference of QWK in groups of two or three in {small}.
- **Panels with gaps**: mean pairwise kappa of 50 responses where low scores dominate holds in {pairwise}. `--interval analytic` of ICC holds in {f_based} ([panels](#panels)).
- **Means over more than 30 prompts** hold in {many}. With fewer than 30 responses a prompt read none as settled.
- **Mean severity over traits** without `--cluster` holds in {traits}, by rater and design ([severity](#severity-and-variance-components)).
"""


def in_short(measured: Measured) -> str:
    """The section."""
    rows = ["| | n = 50 | n = 200 | n = 1,000 |", "|---|---|---|---|"]
    for words, (section, names) in KINDS.items():
        each = (_span(_of(measured[section], names, size)) for size in SIZES)
        rows.append(f"| {words} | {' | '.join(each)} |")
    rare = measured["rare errors"].values()
    groups = measured["groups"]
    large = [c for name, c in _parts(groups) if not name.startswith("n = 60")]
    traits = measured["mean severity"]
    return SHORT.format(
        table="\n".join(rows),
        qwk=plain(min(own["cohen_kappa[quadratic]"].share for own in rare)),
        mse=plain(min(own["mse"].share for own in rare)),
        clusters=_span(c for _, c in _parts(measured["few clusters"])),
        groups=_span(large),
        small=plain(groups["n = 60"]["difference[cohen_kappa[quadratic]], group 5"].share),
        pairwise=plain(_share(measured["panels"], "mean_pairwise", "skewed n=50")),
        f_based=_span(c for name, c in _parts(measured["panels"]) if name.endswith("F-based")),
        many=_span(c for _, c in _parts(measured["many prompts"])),
        traits=_span(c for name, c in _parts(traits) if "no cluster" in name),
    )


def _parts(cells: Mapping[str, Cells]) -> Iterator[tuple[str, Coverage]]:
    return ((f"{where}; {name}", c) for where, own in cells.items() for name, c in own.items())


def _of(cells: Mapping[str, Cells], names: Sequence[str], size: int) -> Iterator[Coverage]:
    for where, own in cells.items():
        if f"n={size}" in where.split():
            yield from (
                c
                for name, c in own.items()
                if name.startswith(tuple(names)) and not any(word in name for word in LEFT_OUT)
            )


def _share(cells: Mapping[str, Cells], name: str, where: str) -> float:
    return next(c.share for text, c in cells[where].items() if text.startswith(name))


def _span(found: Iterator[Coverage] | Sequence[Coverage]) -> str:
    """From the least share to the most; bold if one is too narrow."""
    each = [c for c in found if known(c)]
    if not each:
        return "–"
    text = f"{plain(min(c.share for c in each))} to {plain(max(c.share for c in each))}"
    return f"**{text}**" if any(map(too_narrow, each)) else text
