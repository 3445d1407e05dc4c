"""The page that publishes the measured coverage: docs/coverage.md."""

import math
from collections.abc import Mapping
from pathlib import Path

from tests.intervals.cluster_cells import CLUSTERS
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
    sections = [_panels(panels), CLUSTERS, SECTION, GROUPS, _misses(results), _without(results)]
    return "\n".join([HEAD, *tables, *sections])


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


GROUPS = """## Groups

A fair system, two raters and six points; six groups of 40, 25, 15, 10, 6 and 4 % of the responses. 400 samples (BCa: 300; standard error .011 to
.013); intervals of the groups by size, largest first, *t* as they are now and *BCa* as they were. At n = 60 the two smallest groups have 3.6 and 2.4
responses on average; a group of one response has no interval. `make slow` holds the first against .90 (tests/fairness).

| n = 60 | 24 | 15 | 9 | 6 | 3.6 | 2.4 |
|---|---|---|---|---|---|---|
| dsm, t | .980 | .950 | .973 | .977 | .997 | .996 |
| dsm, BCa | .953 | .933 | **.920** | **.900** | **.771** | **.755** |
| true_effect, t | – | .955 | .965 | .969 | .974 | .992 |
| true_effect, BCa | – | .946 | .937 | .923 | **.799** | **.751** |
| osd_effect, t | – | .945 | .970 | .977 | .991 | .989 |
| difference of QWK, t | .970 | .978 | .970 | .951 | **.902** | **.888** |
| difference of CSRate, t | .953 | .960 | .953 | .964 | .989 | .992 |

| n = 200 | 80 | 50 | 30 | 20 | 12 | 8 |
|---|---|---|---|---|---|---|
| dsm, t | .965 | .978 | .965 | .958 | .950 | .977 |
| dsm, BCa | .957 | .933 | .943 | .927 | **.907** | **.903** |
| true_effect, t | – | .975 | .950 | .960 | .953 | .967 |
| true_effect, BCa | – | .950 | .950 | .933 | .940 | **.903** |
| difference of QWK, t | .965 | .970 | .980 | .973 | .963 | .945 |

Where the second group is worse by .5 points and gets .4 too much (true DSM .238, effect .385, from 300,000 responses), its t intervals hold the truth in .965,
.970, .968 (DSM) and .959, .952, .963 (effect) of 400 samples of 120, 200 and 500 responses. With 100 candidates of 6 responses as clusters DSM's
hold in .952 to .985, with 10 classes of 30 (groups within classes) in .968 to 1.000.
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
