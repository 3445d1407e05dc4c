"""The section of docs/coverage.md on severities and variance components: severities.py measures."""

from collections.abc import Mapping

from tests.intervals.coverage import Coverage
from tests.intervals.measuring import Measured
from tests.intervals.severities import CONDITIONAL
from tests.intervals.tables import grid, plain, pooled, samples, share

SECTION = """## Severity and variance components

Four raters; 800 responses, 200 where all raters read all. *Piles*: the responses that raters are given differ in mean quality by -1, -.33, .33 and
1 (small piles: a fifth of that), in logits or score points. One in ten is read twice unless the line says otherwise. Severity: Rasch model, {of_severity}, the share of
all intervals and that of the rater with the least; *conditional*: how often shared responses alone counted. The true
severity is that of the raters who are simulated. Components and coefficients (two ratings): normal errors, {of_components}, true for these raters.

{severity}

The mean of a rater's severities over three traits or prompts (`raters --trait`), {of_means}; 300 responses each unless the line says otherwise. *Halo*: a rater sees a response as better or worse whatever
the trait (SD .8 logits):

{means}

So name the response with `--cluster` where raters score several traits of it: what a rater sees in a response once is not seen three times.

{components}

Raters drawn anew for each sample, 200 responses that all of them read unless the line says otherwise; variances: responses 1, severity .25, residual .5; {of_others}. What is true is true
of all raters like these:

{others}

The intervals for these raters alone, given as such until now, held the variance of severity of others in .22, Phi(1), the raters needed and `icc[2,1]` in .63 and `sem_absolute` in .32 of samples of three raters.

Measured earlier: ratings on five points by the Rasch model, piles, one in ten read twice, 400 samples: response .945, rater .920, residual .935.

Severity that takes responses as dealt at random held the truth of the two outer raters in none of the samples with piles. Piles of a tenth to a half of that size, one
in ten to all read twice: no rater's intervals held the truth in fewer than .88 of 150 samples (a slow test). With p above .05 as the only condition for random assignment, it was .41 at the worst.
"""
SEVERITY = {
    "dealt at random": "dealt at random",
    "dealt at random, all read twice": "dealt at random, all read twice",
    "piles": "piles",
    "piles, all read twice": "piles, all read twice",
    "small piles, all read twice": "small piles, all read twice",
    "unequal raters, unequal numbers, piles, three in ten read twice": "unequal raters and piles",
    "unequal raters, all read all": "crossed",
    "an erratic rater, all read twice": "an erratic rater",
    "an erratic rater, all read all": "an erratic rater, crossed",
    "a rater who keeps to the middle, half read twice": "a rater who keeps to the middle",
    "candidates with four responses each, piles, all read twice, `--cluster`": (
        "candidates with four responses"
    ),
}
MEANS = {
    "prompts, three in ten read twice": "prompts, three in ten read twice",
    "prompts of 40 responses, all read all": "prompts of 40 responses, all read all",
    "traits of the same responses, all read twice": "traits, all read twice, no cluster",
    "the same, `--cluster` names the response": "traits, all read twice",
    "traits, halo, all read twice": "traits, halo, all read twice, no cluster",
    "the same, `--cluster`": "traits, halo, all read twice",
    "traits, halo, 100 responses, all read all": "traits, halo, all read all, no cluster",
    "the same, `--cluster` ": "traits, halo, all read all",
    "traits, piles, 400 responses, three in ten read twice, `--cluster`": (
        "traits, piles, three in ten read twice"
    ),
}
COMPONENTS = {
    "dealt at random": "dealt at random",
    "dealt at random, unequal raters, all read twice": "dealt at random, all read twice",
    "piles": "piles",
    "piles, all read twice": "piles, all read twice",
    "unequal raters, unequal numbers, piles, three in ten read twice": "unequal raters and piles",
    "unequal raters, all read all": "crossed",
}
OTHERS = {
    "variance of severity": "variance_component[crossed,rater]",
    "Phi(1)": "dependability[crossed,1]",
    "Phi(4)": "dependability[crossed,4]",
    "raters needed for a Phi of .8": "raters_needed[crossed,dependability,0.8]",
    "`sem_absolute`, one rating": "sem_absolute[crossed,1]",
    "`icc[2,1]`": "icc[2,1]",
    "`icc[2,k]`": "icc[2,k]",
}


def raters(measured: Measured) -> str:
    """The section."""
    each, means, parts = (measured[name] for name in ("severity", "mean severity", "components"))
    columns = ("response", "rater", "residual", "generalizability", "dependability")
    by_part = {part: {design: cells[part] for design, cells in parts.items()} for part in columns}
    return SECTION.format(
        of_severity=samples(each),
        of_means=samples(means),
        of_components=samples(parts),
        of_others=samples(measured["other raters"]),
        others=grid("other raters", OTHERS, measured["other raters"]),
        severity=_lines("severity", SEVERITY, each, (CONDITIONAL,)),
        means=_lines("mean severity", MEANS, means),
        components=grid("components", COMPONENTS, by_part),
    )


def _lines(
    corner: str,
    lines: Mapping[str, str],
    cells: Mapping[str, Mapping[str, Coverage]],
    others: tuple[str, ...] = (),
) -> str:
    rows = [
        f"| {' | '.join([corner, 'all raters', 'least', *others])} |",
        "|---|" + "---|" * (2 + len(others)),
    ]
    for words, name in lines.items():
        held = [one for rater, one in cells[name].items() if rater not in others]
        least = min(held, key=lambda one: one.share)
        more = [plain(cells[name][other].share) for other in others]
        rows.append(f"| {' | '.join([words.strip(), share(pooled(held)), share(least), *more])} |")
    return "\n".join(rows)
