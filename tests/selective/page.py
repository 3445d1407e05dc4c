"""The page that states the guarantees and publishes what was measured: docs/guarantees.md."""

from collections.abc import Mapping
from itertools import product
from pathlib import Path

from tallymark.selective import guarantees as words
from tallymark.selective.bounds import upper
from tests.selective import sections
from tests.selective.measured import ALPHAS, LIMIT, RUNS, SCENARIOS, SIZES, Findings, find
from tests.selective.violations import DELTA, RULES

PAGE = Path(__file__).parents[2] / "docs" / "guarantees.md"


def as_markdown(found: Findings) -> str:
    """The whole page."""
    parts = [
        _sentences(),
        NEEDS,
        _violations(found),
        _coverage(found),
        sections.power(found.used),
        sections.few(found.used),
        _broken(found),
        _average(found),
        sections.labels(),
        sections.PEOPLE + "\n\n" + sections.second(found.used),
        _watches(found),
        sections.watching(found.used),
        sections.shifted(found.used),
        RANKS,
    ]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def _sentences() -> str:
    fill = {"sure": 95, "alpha": 2}
    return f"""# What a threshold guarantees

A threshold on the confidence decides which machine scores stand alone and which go to people. Tallymark can attach one of three
guarantees to it. They say different things; none of them says "safe". This page gives their sentences, what they assume, what breaks
them, and how often each rule failed in simulation. `make slow` measures again and rewrites the page.

| | method | the sentence (alpha = .02, delta = .05) |
|---|---|---|
| **G1, high probability** (default) | `ltt` | {words.HIGH_PROBABILITY.format(**fill)} |
| **G2, on average, of a batch** | `batch` | {words.BATCH.format(**fill)} |
| **G3, on average, of the submitted** | `crc` | {words.SUBMITTED.format(**fill)} |

- **G1** (learn then test, Angelopoulos et al. 2021) is about this threshold: unless the calibration sample was an unlucky one, of which there are
  at most 5 in 100, its rate of critical errors is at most alpha. Choose it when one threshold will be used for long.
- **G2** (conformal selection, Jin & Candès 2023) and **G3** (conformal risk control, Angelopoulos et al. 2024) average over calibration samples as
  well: your own sample may be one of the bad ones. G2 is for one batch that is scored at once. G3 counts errors per submitted response, so a
  small coverage hides a high rate among the accepted.
- **`dev_zero`**, the rule of Funayama et al. (2020), takes the lowest threshold without a critical error in the data at hand. It is printed with the
  words "not a guarantee" and with the bound that would hold *if the threshold had been fixed beforehand*. A development
  set that accepts 96 responses without one would then show a rate below {100 * float(upper(0, 96, 0.05)):.1f} %, one that accepts 29 a rate below {100 * float(upper(0, 29, 0.05)):.1f} %.
- "Cannot certify: at least 57 more accepted calibration labels … are needed" is a normal answer, not a failure of the program."""


NEEDS = """## What they assume

1. **The calibration responses are a random sample of those to come**: same prompts in the same mix, same population, same system and
   version, same rubric. A threshold for all prompts together is certified for their mixture, not for each of them.
2. **They are independent.** Several responses of one candidate are not: certify on one response per candidate, or not at all. Of
   candidates with unequal numbers of responses those with many must be kept more often, as `--one-per-cluster` does.
3. **They served for nothing else**: not for training, tuning the prompt, fitting or choosing the confidence, or choosing lambda.
4. **One look.** Adding labels because the first try failed is a second look. Plan the number beforehand, or share delta between the looks.
5. **The human score is the truth.** A critical error is one against a human score. Where two people differ by as much in 6 % of the
   responses, an alpha of 2 % asks the labels for more than they know, unless they were adjudicated.
6. **Confidences without ties**, for the exact proof on the rank grid (no grid and no pool given); with ties see below. With
   thresholds from a **pool** of other, unlabelled responses it holds with ties too. With a **grid** alone, chains begin where enough
   calibration responses are accepted; everything else was fixed beforehand.

Whether a confidence is calibrated does not matter: G1 to G3 use its order only. A poor confidence costs coverage, not validity."""


MANY = (
    "With many labels delta is nearly used up, not exceeded: A at alpha = .05 with 3,000 labels gave .040 with the default chains (10,000 samples, "
    "standard error .002). By the argument below .043 is the most that it can give, plus what the last start, with all accepted, adds: next to nothing."
)


def _violations(found: Findings) -> str:
    lines = [
        "## How often the promise was broken",
        "",
        (
            f"Share of {RUNS:,} simulated calibration samples whose threshold accepts a true rate above alpha; delta = {DELTA:g}. Confidences are uniform, "
            "the probability of a critical error depends on the confidence:"
        ),
        "",
        "- **A** .4(1 − c)³. **B** .01 + .3(1 − c)³. **C** the top 3 % are confidently wrong (.10), then .002, and .15 below c = .6.",
        "- **D** flat, 1.1 alpha: every threshold is unsafe. **E** safe, unsafe, safe and unsafe again (.2, 4, .1 and 6 alpha above .8, .7, .4 and 0).",
        "",
        f"**Bold**: above {LIMIT:.3f}, that is delta and three standard errors.",
    ]
    for alpha in ALPHAS:
        cells = list(product(SCENARIOS, SIZES))
        lines += ["", f"alpha = {alpha:g}", "", _row("rule", [f"{s} {n}" for s, n in cells])]
        lines.append(_row("---", ["---"] * len(cells)).replace(" ", ""))
        for rule in RULES:
            shares = [found.rules[alpha, s, n][rule].violated for s, n in cells]
            lines.append(_row(rule, [_marked(share) for share in shares]))
    lines += ["", _worst(found), "", MANY]
    return "\n".join(lines)


def _worst(found: Findings) -> str:
    worst = {rule: max(cell[rule].violated for cell in found.rules.values()) for rule in RULES}
    ltt = max(value for rule, value in worst.items() if rule.startswith("ltt"))
    scan = worst["scan: loosest with its own bound"]
    return (
        f"The highest share of any LTT variant is {ltt:.3f}. The rule of the paper reaches {worst['dev_zero (the paper)']:.3f}, "
        f"taking the observed rate at its word {worst['observed rate at most alpha']:.3f}. The *scan* looks harmless, for each of its thresholds has "
        f"its own valid bound; but it takes the loosest of many, and reaches {scan:.3f}. dev_zero is not bad everywhere: it controls nothing that "
        "can be stated."
    )


def _coverage(found: Findings) -> str:
    lines = [
        "## What the guarantee costs",
        "",
        "Mean share of responses accepted (nothing certified counts as 0), and the largest share that is safe in truth; alpha = .05.",
        "",
        _row("", [f"{s} {n}" for s, n in product("ABCE", SIZES)]),
        _row("---", ["---"] * 12).replace(" ", ""),
    ]
    for rule in RULES:
        if rule.startswith("ltt"):
            cells = [found.rules[0.05, s, n][rule] for s, n in product("ABCE", SIZES)]
            lines.append(_row(rule, [_short(cell.coverage) for cell in cells]))
    truth = [next(iter(found.rules[0.05, s, n].values())).oracle for s, n in product("ABCE", SIZES)]
    lines.append(_row("safe in truth", [_short(value) for value in truth]))
    lines += [
        "",
        (
            "Several starts (at 0, 1, 3, 7 ... critical errors, each with a third of what is left of delta, the rest where all are accepted) save "
            "the day where one of the most confident responses is an error (B, C): a single chain dies there. A chain that comes alive to the "
            "next start hands its part of delta on (fallback procedure, Wiens & Dmitrienko 2005), so that little is lost where they are clean (A)."
        ),
    ]
    return "\n".join(lines)


def _broken(found: Findings) -> str:
    names = list(next(iter(found.discrete.values())))
    rules = list(next(iter(found.discrete.values()))[names[0]])
    lines = [
        "## Ties, clusters, strata, second looks, many prompts",
        "",
        "Shares of samples with an unsafe threshold, alpha = delta = .05; bold as above.",
        "",
        "**Ties.** Eleven possible confidences, as repeated runs or rounded probabilities give.",
        "",
        _row("rule", [f"{name}, {n}" for name in names for n in SIZES]),
        _row("---", ["---"] * (3 * len(names))).replace(" ", ""),
    ]
    for rule in rules:
        shares = [found.discrete[n][name][rule] for name in names for n in SIZES]
        lines.append(_row(rule, [_marked(share) for share in shares]))
    lines += [
        "",
        (
            "Equal confidences stand or fall together, so that the rank grid holds here too. The proof below is for continuous confidences; with "
            f"ties the place where a chain begins depends on how many responses share a value. {sections.drawn(found.drawn)} With a pool the starts "
            "do not depend on the calibration sample at all."
        ),
        "",
        (
            f"**Clusters.** 100 candidates with 20 responses each, who fail together; rate 1.1 alpha. {_listed(found.clustered)}. "
            f"200 candidates with 5 each: {_listed(found.clustered_little)}. The tests count responses "
            "as if each were news; Tallymark refuses clustered calibration data unless told to take one response of each."
        ),
        "",
        (
            "**Clusters of unequal size.** 400 candidates; nine in ten have one response and never err, the tenth has nine and errs: 1.1 alpha of "
            f"the responses are critical errors, .22 alpha of one response of each candidate. {_listed(found.used.sized)}. A candidate is therefore "
            "kept with a probability in proportion to the number of responses: what is kept is a candidate drawn with a chance that grows with its size and then one "
            "of its responses at random, that is, a response of the population at random, and independent of the others (the largest number seen "
            "stands for the largest there is). `--weigh clusters` counts candidates alike, and says so in its sentence."
        ),
        "",
        (
            f"**Strata.** Three strata, the common one with more errors; rate 1.08 alpha. {_listed(found.stratified)}. Binomial tests do not know "
            "sampling weights. Draw the calibration sample at random; there is no weighted certificate."
        ),
        "",
        f"**Second looks.** 200 labels, then 200 more while nothing is certified; rate 1.01 alpha. {_listed(found.looked_again)}.",
        "",
        (
            f"**Prompts.** Any of six unsafe, 500 responses each, rate 1.1 alpha. {_listed(found.families)}. *bonferroni* tests each prompt at delta / 6, "
            "*sidak* at 1 − (1 − delta)^(1/6) and needs independent calibration samples, *common* takes one threshold that every prompt must pass."
        ),
        "",
        "Drift of the population between calibration and use: no guarantee survives it; see below.",
    ]
    return "\n".join(lines)


def _average(found: Findings) -> str:
    lines = [
        "## What the guarantees on average keep",
        "",
        "1,000 calibration responses, batches of 500, alpha = .05; means over samples.",
        "",
        "| | critical errors per submitted | per accepted | coverage |",
        "|---|---|---|---|",
    ]
    for name, rules in found.on_average.items():
        for rule, own in rules.items():
            cells = [f"{value:.3f}" for value in own]
            lines.append(_row(f"{name}, {rule}", cells))
    tied = found.tied_risk_control
    lines += [
        "",
        (
            "`batch` keeps its share per accepted response, `crc` only the one per submitted: among the accepted it exceeds alpha. With tied "
            "confidences `crc` must accept what lies strictly above its threshold: with five possible values and alpha = .02 that gives "
            f"{tied['>']:.3f}, accepting the threshold itself {tied['>=']:.3f}."
        ),
    ]
    return "\n".join(lines)


def _watches(found: Findings) -> str:
    lines = [
        "## When to calibrate again",
        "",
        (
            "A certificate is for the system, prompts, rubric and population it was made with. Calibrate anew when any of them changes: a new prompt, "
            "a new version of the model, other instructions to raters, another school year. In between, audit a random share of the accepted "
            "responses and watch them; a shift of confidences or scores (PSI, Kolmogorov-Smirnov) needs no labels and is a reason to look, not a proof."
        ),
        "",
        (
            'Two watches, two questions. The **e-process** answers "has the rate been kept since the start?": if it has, the alarm comes with '
            'probability .05 at most, however long one looks. The **e-detector** answers "did it get worse at some point?": while the rate is kept, '
            "the mean number of audits to a false alarm is at least the stated run length (here 1,000). Median audits from the change to "
            "the alarm, rate .01 before and .08 after, alpha = .02 (in brackets: alarms before the change):"
        ),
        "",
        _row("change after", [f"{change:,} audits" for change in found.delays]),
        _row("---", ["---"] * len(found.delays)).replace(" ", ""),
    ]
    for watch in next(iter(found.delays.values())):
        own = [found.delays[change][watch] for change in found.delays]
        lines.append(_row(watch, [f"{d.median:.0f} ({_marked(d.early, limit=1)})" for d in own]))
    lengths = ", ".join(f"{kind} {value:,.0f}" for kind, value in found.run_lengths.items())
    lines += [
        "",
        (
            "Good periods blind the e-process, as they should: its question is about all of the past. For alarms use the detector. At a rate of "
            f"exactly alpha the mean audits to a false alarm were {lengths} (streams cut at 20,000)."
        ),
    ]
    return "\n".join(lines)


RANKS = """## Why ranks may serve as thresholds

For a threshold fixed beforehand the critical errors among n accepted responses are binomial, and P(Bin(n, alpha) ≤ k) is an exact p-value. Chains
test thresholds from the strictest on and stop at the first failure. Each start j brings a part delta_j along, the parts add up to delta, and a test is
made at the sum of the parts since the last failure (the start included). Of fixed thresholds: before the first error is made, every
unsafe threshold was rejected by no test, so the next one is tested at the parts that were brought along after the one before; these do not
overlap, and by Bonferroni the chance of any error is at most delta, whatever the dependence.

On the rank grid the thresholds are the calibration confidences: accept what lies strictly above the (r + 1)-th, with the r responses above it as
evidence. Let the true rate among the accepted pass alpha at t1 > t2 > ..., into the unsafe and out of it in turn, and let R1 ≤ R2 ≤ ... be the
numbers of calibration responses above these points. The rate among the accepted is alpha at each of them, so it is alpha between any two of them as
well: given R1, R2, ..., the errors above such a point are Bin(R, alpha). The first unsafe threshold below a point of entry has just these R responses
as evidence; a chain that is alive there passed exactly that test, at the parts since the last unsafe threshold. A chain that begins
in an unsafe stretch is tested on R responses at rate alpha and others between, which have a higher one: their errors are stochastically
more than binomial at alpha. So each unsafe stretch costs at most the parts brought along since the one before and within it, and all together
delta at most, however often the rate crosses alpha.
The argument is ours, simple, and not peer-reviewed; the simulations are its check."""


def _row(head: str, cells: list[str]) -> str:
    return f"| {head} | " + " | ".join(cells) + " |"


def _short(value: float) -> str:
    return f"{value:.2f}".removeprefix("0") if value else "0"


def _marked(share: float, limit: float = LIMIT) -> str:
    text = f"{share:.3f}".removeprefix("0") if share else "0"
    return f"**{text}**" if share > limit else text


def _listed(shares: Mapping[str, float]) -> str:
    return "Unsafe: " + ", ".join(f"{rule} {_marked(share)}" for rule, share in shares.items())


if __name__ == "__main__":
    PAGE.write_text(as_markdown(find()), "utf-8")
