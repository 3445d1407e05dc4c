"""The page that publishes the measured coverage: docs/coverage.md."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.intervals.cluster_cells import CLUSTERS
from tests.intervals.coverage import OTHERS, RUNS, SETTINGS, STATISTICS, Coverage, Setting
from tests.intervals.derived_cells import DERIVED
from tests.intervals.group_cells import GROUPS
from tests.intervals.panels import LINES, MISSING, PANELS, RATERS, K, Panel
from tests.intervals.rater_cells import SECTION
from tests.intervals.small_samples import SMALL
from tests.intervals.unmeasured import CONFIDENCES, REST

PAGE = Path(__file__).parents[2] / "docs" / "coverage.md"
LEVEL = 0.95
ERROR = math.sqrt(LEVEL * (1 - LEVEL) / RUNS)
LOW, HIGH = LEVEL - 3 * ERROR, LEVEL + 3 * ERROR

HEAD = f"""# How often the default intervals hold the true value

Measured, not promised. We draw {RUNS:,} samples of each size from populations whose true values are known, make the default interval
of every statistic (level {LEVEL}), and count how many intervals hold the true value. The default is ABC (DiCiccio & Efron 1992):
the second-order interval that BCa approaches by resampling, in closed form, without draws or a seed. It is widened for small samples
as a t interval is, and where a few responses carry the statistic ([how](#small-samples)). Exceptions: `percent_agreement`, `adjacent_agreement` and
`csrate` of two raters have Wilson's interval; `bias` has a t interval; `bias_index` has BCa, which holds it more often (by .004 ± .001, 4,000 samples of 50 responses);
`prevalence_doewes` has none, because no known interval holds its true value. Where a statistic is not smooth, expanded BCa with 2,000 replicates stands in, and `method` says so.
`--interval bca` asks for BCa everywhere. `make slow` measures again and rewrites this page.

- **Populations**: scales of K = 2, 4 and 6 points. The system gives the gold score or one further away: each step is a quarter as
  likely as the one before, and upwards is one and a half times as likely as downwards. *Even*: all scores about equally common. *Skewed*: each
  score a quarter to a third as common as the one below it; the lowest holds two thirds to three quarters of the responses.
  Two more populations, on six points, played no part in choosing the method. *Essays*: the scores that a person and a language model gave
  686 essays on five competences. *Beta-binomial*: both scores are binomial with the same chance, which is beta with 1.2 and 0.8.
- **True value**: the formula on the exact joint distribution, not a second simulation.
- **Monte Carlo error** of a cell is ±{ERROR:.3f} (one standard error). **Bold** cells lie more than three such errors below
  {LEVEL} (under {LOW:.3f}): the interval is too narrow there. *Slanted* cells lie as far above: it is wider than need be.
- Samples that give no interval (a statistic undefined, data that do not vary, too few responses at a score) are left out of the
  share and [listed below](#samples-without-an-interval); where fewer than a tenth of the samples have one, there is no share.
"""


def as_markdown(
    results: Mapping[Setting, Mapping[str, Coverage]],
    panels: Mapping[Panel, Mapping[str, Coverage]],
) -> str:
    """The whole page."""
    tables = [_table(results, title, settings) for title, settings in COLUMNS.items()]
    beside = [BESIDE, *(_differences(results, *pair) for pair in COLUMNS.items()), _worse(results)]
    fixed = [DERIVED, CONFIDENCES, CLUSTERS, SECTION, GROUPS]
    ends = [_misses(results), _without(results), REST]
    sections = [*beside, SMALL, _panels(panels), *fixed, *ends]
    return "\n".join([HEAD, *tables, *sections])


COLUMNS = {
    "Even scores": SETTINGS[:9],
    "Skewed scores": SETTINGS[9:],
    "Essays and beta-binomial scores": OTHERS,
}
BESIDE = f"""## Beside BCa

Coverage of the default less that of expanded BCa (2,000 replicates) on the same samples, in thousandths, with the standard error of the difference;
500 samples where n = 1000. **Bold**: below {LEVEL}, and below BCa by more than three standard errors. Statistics that have another interval than ABC by default are left out.
"""


PANEL_HEAD = f"""## Panels

{RATERS} raters on a scale of {K} points, {MISSING:.0%} of the ratings missing at random, unless the line says otherwise; {RUNS:,}
samples. A response has a true score; each rater gives it or one further away, each step a quarter as likely as the one before. *Even*: all
true scores equally common; *skewed*: each two fifths as common as the one below. The true value is the formula on the exact
distribution of rows of ratings. *F-based* is `interval="analytic"` of ICC. The last four columns are coverage less that of BCa, as above.
"""
PANEL_REASONS = """What this means in practice:

- The F-based interval of ICC takes scores to be normal. On five points it held the true value in .90 to .92 of the samples, where low
  scores dominate in .82, and no more often with 200 responses than with 50.
- `mean_pairwise_kappa` averages over pairs who share about half of the responses: of 50 skewed ones some 25, few of them
  high. The estimate is then too low on average (.52 for a true .56), and no interval around it can mend that. With so few shared
  responses read Fleiss' kappa or alpha instead.
- Gwet's linearised standard error (`se_analytic` of AC, Fleiss, Brennan-Prediger and percent agreement on panels, as in R irrCAC)
  counts a response with a single rating as one without agreement. Where most responses have one rating it can be several times
  too large: for AC2 of the demo, 728 of whose 1,200 responses were rated once, it is .033, while resampling rows gives .006. The
  default interval uses the influence of each response instead; prefer it to `interval="analytic"` wherever many responses have one rating.
"""


def _panels(panels: Mapping[Panel, Mapping[str, Coverage]]) -> str:
    head = [f"{'skewed' if panel.skewed else 'even'} n={panel.n}" for panel in PANELS]
    head += [f"less BCa, {words}" for words in head]
    lines = [PANEL_HEAD, f"| statistic | {' | '.join(head)} |", "|---|" + "---|" * len(head)]
    for name in LINES:
        found = [panels[panel].get(name) for panel in PANELS]
        cells = [*map(_cell, found), *map(_difference, found)]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join([*lines, "", PANEL_REASONS])


def _cell(found: Coverage | None) -> str:
    if found is None or found.made < found.runs / 10:
        return "–"
    text = _plain(found.share)
    return f"**{text}**" if found.share < LOW else f"*{text}*" if found.share > HIGH else text


def _plain(share: float) -> str:
    return f"{share:.3f}".lstrip("0") if share < 1 else "1.000"


def _table(
    results: Mapping[Setting, Mapping[str, Coverage]], title: str, settings: Sequence[Setting]
) -> str:
    lines = [f"## {title}", "", *_head(settings)]
    for name in STATISTICS:
        cells = [_cell(results[setting].get(name)) for setting in settings]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join([*lines, ""])


def _head(settings: Sequence[Setting]) -> list[str]:
    return [
        f"| statistic | {' | '.join(map(_column, settings))} |",
        "|---|" + "---|" * len(settings),
    ]


def _column(setting: Setting) -> str:
    words = f"K={setting.k}" if setting in SETTINGS else setting.kind
    return f"{words} n={setting.n}"


def _differences(
    results: Mapping[Setting, Mapping[str, Coverage]], title: str, settings: Sequence[Setting]
) -> str:
    lines = [f"{title}:", "", *_head(settings)]
    for name in STATISTICS:
        found = [results[setting].get(name) for setting in settings]
        if any(one and one.alone + one.bca_alone for one in found):
            lines.append(f"| {name} | {' | '.join(map(_difference, found))} |")
    return "\n".join([*lines, ""])


def _difference(found: Coverage | None) -> str:
    if found is None or found.paired < RUNS // 10:
        return "–"
    mean, error = found.difference
    text = f"{1000 * mean:+.0f} ± {1000 * error:.0f}"
    return f"**{text}**" if _is_worse(found) else text


def _is_worse(found: Coverage) -> bool:
    """Below its level, and below BCa by more than chance."""
    mean, error = found.difference
    return found.paired >= RUNS // 10 and found.share < LEVEL and mean < -3 * error


def _worse(results: Mapping[Setting, Mapping[str, Coverage]]) -> str:
    """What the rule finds: a statistic that holds less often than by BCa would keep BCa."""
    less: dict[bool, list[str]] = {False: [], True: []}
    for setting, cells in results.items():
        for name, cell in cells.items():
            mean, error = cell.difference
            if cell.paired >= RUNS // 10 and mean < -3 * error:
                shares = f"{_plain(cell.share)} for {_plain(cell.share - mean)}"
                less[_is_worse(cell)].append(f"`{name}` at {_where(setting)} ({shares})")
    return RULE.format(worse=", ".join(less[True]) or "none", less=", ".join(less[False]) or "none")


RULE = f"""**The rule**: a statistic keeps BCa if ABC holds its true value less often, by more than three standard errors of the paired difference. Cells below {LEVEL} where the default holds less often: {{worse}}.
Cells at {LEVEL} or above: {{less}}. In these cells BCa holds more than the level asks and ABC lies nearer to it, so they have ABC all the same: the one exception to the rule.
"""


def _where(setting: Setting) -> str:
    return f"n={setting.n} K={setting.k} {setting.kind}"


def _misses(results: Mapping[Setting, Mapping[str, Coverage]]) -> str:
    lines = ["## Where intervals are too narrow", "", SIDES, ""]
    for name in STATISTICS:
        found = [(s, results[s][name]) for s in results if name in results[s]]
        missed = [
            f"{_where(s)} {_plain(c.share)} ({c.too_low} too low, {c.too_high} too high)"
            for s, c in found
            if c.made >= c.runs / 10 and c.share < LOW
        ]
        if missed:
            lines.append(f"- `{name}` in {len(missed)} of {len(found)}: {'; '.join(missed)}.")
    return "\n".join([*lines, "", REASONS])


SIDES = (
    f"The share of intervals that hold the true value, and how many of {RUNS:,} lie wholly below it "
    "(too low) or above it (too high)."
)
REASONS = """What this means in practice:

- With 50 responses a few of them carry statistics of moments and ranks. [Small samples](#small-samples) says what helped and what did not. Where errors are rarer than in these
  populations, AC2, quadratic Brennan-Prediger, MSE and RMSE of 50 responses hold in as few as .90 of samples.
- `macro_mae` and `macro_rmse` average over the gold scores that occur. They are off where a score is so rare that samples miss it, and no
  interval around them shows it: read them where every score has tens of responses.
- `prevalence_doewes` is a mean of absolute differences, which chance alone makes positive. Where the true value is near 0 it
  is too high, and so would be any interval around it. It describes a table; do not test with it.
"""


def _without(results: Mapping[Setting, Mapping[str, Coverage]]) -> str:
    lines = ["## Samples without an interval", ""]
    for name in STATISTICS:
        few = [
            f"{_where(s)} {1 - c.made / c.runs:.1%}"
            for s in results
            if (c := results[s].get(name)) and c.made < c.runs
        ]
        if few:
            lines.append(f"- `{name}`: {', '.join(few)}.")
    none = "Every sample gave every statistic an interval."
    return "\n".join([*lines, ""]) if len(lines) > 2 else "\n".join([*lines, none, ""])
