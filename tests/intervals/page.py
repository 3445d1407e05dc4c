"""The page that publishes the measured coverage: docs/coverage.md."""

from collections.abc import Mapping
from pathlib import Path

from tests.intervals.cluster_cells import clusters
from tests.intervals.coverage import RUNS, STATISTICS
from tests.intervals.derived_cells import derived, rare_errors
from tests.intervals.group_cells import groups
from tests.intervals.in_short import in_short
from tests.intervals.measuring import Measured
from tests.intervals.panels import LINES, MISSING, RATERS, K
from tests.intervals.rater_cells import raters
from tests.intervals.rule import COLUMNS, beside, columns_of
from tests.intervals.small_samples import MACRO, SMALL
from tests.intervals.tables import (
    LEVEL,
    Cells,
    difference,
    grid,
    named,
    plain,
    samples,
    standard_error,
    too_narrow,
)
from tests.intervals.unmeasured import REST, confidences

PAGE = Path(__file__).parents[2] / "docs" / "coverage.md"

HEAD = f"""# How often the default intervals hold the true value

Measured, not promised. We draw {RUNS:,} samples of each size from populations whose true values are known, make the default interval
of every statistic (level {LEVEL}), and count how many intervals hold the true value.
"""
HOW = f"""## How it was measured

The default is ABC (DiCiccio & Efron 1992): the second-order interval that BCa approaches by resampling, in closed form, without draws or a seed. It is widened for small samples
as a t interval is, and where a few responses carry the statistic ([how](#small-samples)). Exceptions: `percent_agreement`, `adjacent_agreement` and
`csrate` of two raters have Wilson's interval; `bias` has a t interval; `bias_index` keeps BCa ([why](#the-rule-statistic-by-statistic));
`prevalence_doewes` has none, because no known interval holds its true value. Where a statistic is not smooth, expanded BCa with 2,000 replicates stands in, and `method` says so.
`--interval bca` asks for BCa everywhere. All tables come from one run of the present program ([Small samples](#small-samples) says which do not); `make slow` measures again and rewrites this page.

- **Populations**: scales of K = 2, 4 and 6 points. The system gives the gold score or one further away: each step is a quarter as
  likely as the one before, and upwards is one and a half times as likely as downwards. *Even*: all scores about equally common. *Skewed*: each
  score a quarter to a third as common as the one below it; the lowest holds two thirds to three quarters of the responses.
  Two more populations, on six points, played no part in choosing the method. *Essays*: the scores that a person and a language model gave
  686 essays on five competences. *Beta-binomial*: both scores are binomial with the same chance, which is beta with 1.2 and 0.8.
- **True value**: the formula on the exact joint distribution, not a second simulation.
- **Monte Carlo error** of a cell is ±{standard_error(RUNS):.3f} (one standard error). **Bold** cells lie more than three standard errors below
  {LEVEL} (under {LEVEL - 3 * standard_error(RUNS):.3f} where every sample has an interval): the interval is too narrow there. *Slanted* cells lie as far above: it is wider than need be.
- Samples that give no interval (a statistic undefined, data that do not vary, too few responses at a score) are left out of the
  share and [listed below](#samples-without-an-interval); where fewer than a tenth of the samples have one, there is no share.
"""


def as_markdown(measured: Measured) -> str:
    """The whole page."""
    cells = measured["two raters"]
    tables = [
        f"## {title}\n\n{grid('statistic', named(STATISTICS), columns_of(cells, title))}\n"
        for title in COLUMNS
    ]
    small = [SMALL, rare_errors(measured), MACRO]
    others = [derived, confidences, clusters, raters, groups]
    ends = [_misses(cells), _without(cells), REST]
    return "\n".join(
        [
            HEAD,
            in_short(measured),
            HOW,
            *tables,
            beside(measured),
            *small,
            _panels(measured["panels"]),
            *(section(measured) for section in others),
            *ends,
        ]
    )


PANEL_HEAD = f"""## Panels

{RATERS} raters on a scale of {K} points, {MISSING:.0%} of the ratings missing at random, unless the line says otherwise;
{{samples}}. A response has a true score; each rater gives it or one further away, each step a quarter as likely as the one before. *Even*: all
true scores equally common; *skewed*: each two fifths as common as the one below. The true value is the formula on the exact
distribution of rows of ratings. *F-based* is `interval="analytic"` of ICC. The last four columns are coverage less that of BCa, as above.
"""
PANEL_REASONS = """What this means in practice:

- The F-based interval of ICC takes scores to be normal. On five points it held the true value in .91 to .92 of the samples, where low
  scores dominate in .79 to .84, and no more often with 200 responses than with 50.
- `mean_pairwise_kappa` averages over pairs who share about half of the responses: of 50 skewed ones some 25, few of them
  high. The estimate is then too low on average (.52 for a true .56), and no interval around it can mend that. With so few shared
  responses read Fleiss' kappa or alpha instead.
- Gwet's linearised standard error (`se_analytic` of AC, Fleiss, Brennan-Prediger and percent agreement on panels, as in R irrCAC)
  counts a response with a single rating as one without agreement. Where most responses have one rating it can be several times
  too large: for AC2 of the demo, 728 of whose 1,200 responses were rated once, it is .033, while resampling rows gives .007. The
  default interval uses the influence of each response instead; prefer it to `interval="analytic"` wherever many responses have one rating.
"""


def _panels(cells: Mapping[str, Cells]) -> str:
    columns: dict[str, Cells] = dict(cells)
    less = {f"less BCa, {words}": found for words, found in cells.items()}
    lines = grid("statistic", named(LINES), columns).splitlines()
    beside_it = grid("", named(LINES), less, text=difference).splitlines()
    wide = [
        f"{line}{more[more.index('|', 1) + 1 :]}"
        for line, more in zip(lines, beside_it, strict=True)
    ]
    return "\n".join([PANEL_HEAD.format(samples=samples(cells)), *wide, "", PANEL_REASONS])


def _misses(cells: Mapping[str, Cells]) -> str:
    lines = ["## Where intervals are too narrow", "", SIDES, ""]
    for name in STATISTICS:
        found = [(where, own[name]) for where, own in cells.items() if name in own]
        missed = [
            f"{where} {plain(c.share)} ({c.too_low} too low, {c.too_high} too high)"
            for where, c in found
            if too_narrow(c)
        ]
        if missed:
            lines.append(f"- `{name}` in {len(missed)} of {len(found)}: {'; '.join(missed)}.")
    return "\n".join([*lines, "", REASONS])


SIDES = (
    f"Two raters: the share of intervals that hold the true value, and how many of {RUNS:,} lie wholly below it "
    "(too low) or above it (too high)."
)
REASONS = """What this means in practice:

- With 50 responses a few of them carry statistics of moments and ranks. [Small samples](#small-samples) says what helped and what did not, and how often intervals hold where errors are
  rarer than in these populations.
- `macro_mae` and `macro_rmse` average over the gold scores that occur. They are off where a score is so rare that samples miss it, and no
  interval around them shows it: read them where every score has tens of responses.
- `prevalence_doewes` is a mean of absolute differences, which chance alone makes positive. Where the true value is near 0 it
  is too high, and so would be any interval around it. It describes a table; do not test with it.
"""


def _without(cells: Mapping[str, Cells]) -> str:
    lines = ["## Samples without an interval", ""]
    for name in STATISTICS:
        few = [
            f"{where} {1 - c.made / c.runs:.1%}"
            for where, own in cells.items()
            if (c := own.get(name)) and c.made < c.runs
        ]
        if any(own[name].made for own in cells.values() if name in own) and few:
            lines.append(f"- `{name}`: {', '.join(few)}.")
    return "\n".join([*lines, ""])
