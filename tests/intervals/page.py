"""The page that publishes the measured coverage: docs/coverage.md."""

import math
from collections.abc import Mapping
from pathlib import Path

from tests.intervals.coverage import RUNS, SETTINGS, STATISTICS, Coverage, Setting
from tests.intervals.panels import LINES, MISSING, PANELS, RATERS, K, Panel
from tests.intervals.rater_cells import SECTION

PAGE = Path(__file__).parents[2] / "docs" / "coverage.md"
LEVEL = 0.95
ERROR = math.sqrt(LEVEL * (1 - LEVEL) / RUNS)
LOW, HIGH = LEVEL - 3 * ERROR, LEVEL + 3 * ERROR

HEAD = f"""# How often the default intervals hold the true value

Measured, not promised: {RUNS:,} samples of each size from populations whose true values are known, the default interval
of every statistic (level {LEVEL}), and the share of the intervals that hold the true value. The default is BCa with 2,000
replicates, expanded for small samples as a t interval is (Hesterberg 2015); `percent_agreement`, `adjacent_agreement` and
`csrate` of two raters take Wilson's interval, `bias` a t interval, and `prevalence_doewes` none, for none is known that holds its true value.
`make slow` measures again and rewrites this page.

- **Populations**: scales of K = 2, 4 and 6 points. The system gives the gold score or, a quarter as likely for each step, one
  further away, upwards one and a half times as often as downwards. *Even*: all scores about equally common. *Skewed*: each
  score a quarter to a third as common as the one below it; the lowest holds two thirds to three quarters of the responses.
- **True value**: the formula itself on the exact joint distribution; no second simulation.
- **Monte Carlo error** of a cell is ±{ERROR:.3f} (one standard error). **Bold** cells lie more than three such errors below
  {LEVEL} (under {LOW:.3f}): the interval is too narrow there. *Slanted* cells lie as far above: it is wider than need be.
- Samples that give no interval (a statistic undefined, or replicates that do not vary) are left out of the share and
  told at the end.
"""


def as_markdown(
    results: Mapping[Setting, Mapping[str, Coverage]],
    panels: Mapping[Panel, Mapping[str, Coverage]],
) -> str:
    """The whole page."""
    tables = [_table(results, skewed=skewed) for skewed in (False, True)]
    return "\n".join([HEAD, *tables, _panels(panels), SECTION, _misses(results), _without(results)])


PANEL_HEAD = f"""## Panels

{RATERS} raters on a scale of {K} points, {MISSING:.0%} of the ratings missing at random, unless the line says otherwise; {RUNS:,}
samples. A response has a true score, and each rater gives it or, a quarter as likely for each step, one further away. *Even*: all
true scores equally common; *skewed*: each two fifths as common as the one below. The true value is the formula on the exact
distribution of rows of ratings. Intervals are BCa over responses; *F-based* is `interval="analytic"` of ICC.
"""
PANEL_REASONS = """What this means in practice:

- The F-based interval of ICC takes scores to be normal. On five points it held the true value in .90 to .92 of the samples, where low
  scores dominate in .82, and no more often with 200 responses than with 50. The default is BCa.
- `mean_pairwise_kappa` is an average over pairs who share about half of the responses: of 50 skewed ones some 25, of which few are
  high. The estimate itself is then too low on average (.52 for a true .56), and no interval we tried (percentile, analytic) does
  better. With so few shared responses read Fleiss' kappa or alpha instead.
- Gwet's linearised standard error (`se_analytic` of AC, Fleiss, Brennan-Prediger and percent agreement on panels, as in R irrCAC)
  takes a response with a single rating for one without agreement. Where most responses have one rating it can be several times
  too large: for AC2 of the demo, 728 of whose 1,200 responses were rated once, it is .033, while resampling rows gives .006. The
  default interval is the bootstrap; prefer it to `interval="analytic"` wherever many responses have one rating.
"""


def _panels(panels: Mapping[Panel, Mapping[str, Coverage]]) -> str:
    head = [f"{'skewed' if panel.skewed else 'even'} n={panel.n}" for panel in PANELS]
    lines = [PANEL_HEAD, f"| statistic | {' | '.join(head)} |", "|---|" + "---|" * len(PANELS)]
    for name in LINES:
        cells = [_cell(panels[panel].get(name)) for panel in PANELS]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join([*lines, "", PANEL_REASONS])


def _cell(found: Coverage | None) -> str:
    if found is None or not found.made:
        return "–"
    text = _plain(found.share)
    return f"**{text}**" if found.share < LOW else f"*{text}*" if found.share > HIGH else text


def _plain(share: float) -> str:
    return f"{share:.3f}".lstrip("0") if share < 1 else "1.000"


def _table(results: Mapping[Setting, Mapping[str, Coverage]], *, skewed: bool) -> str:
    columns = [setting for setting in SETTINGS if setting.skewed == skewed]
    head = [f"K={setting.k} n={setting.n}" for setting in columns]
    lines = [
        f"## {'Skewed' if skewed else 'Even'} scores",
        "",
        f"| statistic | {' | '.join(head)} |",
        "|---|" + "---|" * len(columns),
    ]
    for name in STATISTICS:
        cells = [_cell(results[setting].get(name)) for setting in columns]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join([*lines, ""])


def _where(setting: Setting) -> str:
    return f"n={setting.n} K={setting.k} {'skewed' if setting.skewed else 'even'}"


def _misses(results: Mapping[Setting, Mapping[str, Coverage]]) -> str:
    lines = ["## Where intervals are too narrow", "", SIDES, ""]
    for name in STATISTICS:
        found = [(s, results[s][name]) for s in SETTINGS if name in results[s]]
        missed = [
            f"{_where(s)} {_plain(c.share)} ({c.too_low} too low, {c.too_high} too high)"
            for s, c in found
            if c.made and c.share < LOW
        ]
        if missed:
            lines.append(f"- `{name}` in {len(missed)} of {len(found)}: {'; '.join(missed)}.")
    return "\n".join([*lines, "", REASONS])


SIDES = (
    f"The share of intervals that hold the true value, and how many of {RUNS:,} lie wholly below it "
    "(too low) or above it (too high)."
)
REASONS = """What this means in practice:

- With 50 responses and quadratic weights a few large errors carry the statistic, and many samples hold none of them: intervals
  of QWK, AC2, quadratic Brennan-Prediger, interval alpha, Pearson, MSE, RMSE and R2 are then somewhat too narrow. No interval we tried
  (percentile, normal or t with the influence error, the same on Fisher's z scale) does clearly better at that size; from
  200 responses on the shortfall is at most a few percent, at 1,000 it is gone.
- `macro_mae` and `macro_rmse` average over the gold scores that occur. Where a score is so rare that samples miss it, or hold it
  once, the estimate itself is off, and no interval around it can be right: read them only when every score has tens of responses.
- `prevalence_doewes` is a mean of absolute differences, which chance alone makes positive: where the true value is near 0 it
  overestimates, and so would any interval around it; it has none. It describes a table; do not test with it.
"""


def _without(results: Mapping[Setting, Mapping[str, Coverage]]) -> str:
    lines = ["## Samples without an interval", ""]
    for name in STATISTICS:
        few = [
            f"{_where(s)} {1 - c.made / c.runs:.1%}"
            for s in SETTINGS
            if (c := results[s].get(name)) and c.made < c.runs
        ]
        if few:
            lines.append(f"- `{name}`: {', '.join(few)}.")
    none = "Every sample gave every statistic an interval."
    return "\n".join([*lines, ""]) if len(lines) > 2 else "\n".join([*lines, none, ""])
