"""What the sources say, claim by claim: whether it holds, and the command that shows it."""

from collections.abc import Iterator

import tallymark as tm

YC = "Yannakoudakis & Cummins (2015)"
DO = "Doewes, Kurdhi & Saxena (2023)"
UT = "Uto (2026)"
FU = "Funayama et al. (2020)"
RSM = "RSMTool, evaluation metrics page"
HEAD = """# What the sources say

Every claim of the five sources that Tallymark rests on: whether it holds, the numbers that decide it, and the command that shows it. Claims that an
experiment decides are run by the [lab](lab.md) when this page is written; the others are held by published numbers in the tests
(`tests/goldens/`), and the command shows the same statistic on a file of yours. What
is marked *beyond the source* is ours. This page is written from the code.
"""
TESTED = (
    (YC, "Tables 1 and 2: kappa .60 and .49 and .12, BP .60 and .60, AC .60 and .67", "holds", "kappa .600, .490, .118; BP .600, .600; AC .600, .675", "tallymark evaluate FILE --statistic kappa"),
    (YC, "Chance agreement of BP is 1/K, 1-(K+1)/(3K), 1-(K+1)/(6(K-1)) by weights", "holds exactly", "K = 5: .20, .60, .75", "tallymark explain brennan_prediger"),
    (YC, "The curves on the FCE corpus", "not repeated", "the corpus is not redistributed; synthetic scores take its place", "tallymark lab run scale-binning"),
    (DO, "Eq. 4: prevalence from the diagonal", "holds, corrected", "pairs run over i < j of all points: 10, 20, 30 of 100 give .133", "tallymark explain prevalence_doewes"),
    (DO, "An accepted QWK is .70, rounded normally", "holds", ".695 passes, .6949999 does not; rounded as decimals", "tallymark evaluate FILE --policy williamson2012"),
    (DO, "Bands of Landis and Koch", "holds, as continuous bands", ".205 is fair, .20 slight", 'make test ARGS="-k bands_of_kappa"'),
    (DO, "Models on ASAP (Tables 4 and 5)", "not repeated", "texts and models are not part of the sources' text", "tallymark lab run resolution"),
    (UT, "With k = 2: human-like ceiling = rho_Y / sqrt(2 - rho_Y), single reliability = rho_Y / (2 - rho_Y)", "holds", "11 printed rows, differences at most .0015 and .002", "tallymark ceiling FILE"),
    (UT, "QWK is 2 Cov / (Var + Var + difference of means squared)", "holds exactly", "an equality on the same data, divisor n", "tallymark explain QWK"),
    (FU, "Table 2: share of critical errors between people", "holds", "171 to 7 of 600: 28.5 % to 1.2 %", "tallymark evaluate FILE --lambda .2"),
    (FU, "Scores 0 to N are N categories, with (N-1) squared in the weights", "does not hold", "N + 1 categories and N squared; it cancels in kappa", "tallymark explain QWK"),
    (FU, "A critical error is larger than lambda N (the text), or at least lambda N (the formula)", "holds for the formula only", "at least, with 1e-9 for rounding", "tallymark explain csrate"),
    (FU, "Trust score d_c / (d_p + d_c)", "holds", ".739 on the worked example; same ranking as the ratio", "from tallymark.selective.trust import trust_score"),
    (RSM, "PRMSE: V_i without the square, error variance over N", "does not hold", "the code squares, and divides by the sum of (c_i - 1); so do we", "tallymark explain prmse"),
    (RSM, "OSD and CSD are of absolute errors", "does not hold", "the code takes signed errors; so do we", "tallymark explain osd"),
    (RSM, "OSA, OSD and CSD are percentages of variance", "does not hold", "they are adjusted R squared", "tallymark explain osa"),
    (RSM, "R squared with the variance over N - 1", "does not hold", "the code divides both sums by N", "tallymark explain r2"),
    (RSM, "DSM divides by sigma_S", "does not hold", "it is sigma_M: z scores by the means and SDs of the whole set", "tallymark explain dsm"),
    (RSM, "CSD shows unfairness at the same human score", "holds in part", "a fair system gets .175 SD where groups differ in ability; the group effect at the same true score stands beside it", "tallymark evaluate FILE --group COL"),
)  # fmt: skip
"""Source, claim, verdict, numbers, command: decided by goldens and commands."""


def sources_page() -> str:
    """The whole page."""
    rows = [*TESTED, *_of_the_lab()]
    lines = [HEAD]
    for source in (YC, DO, UT, FU, RSM):
        lines += [
            f"## {source}",
            "",
            "| claim | where | holds? | numbers | command |",
            "|---|---|---|---|---|",
        ]
        for of, claim, verdict, numbers, command in rows:
            if of.startswith(source.partition(" (")[0]):
                where = of.removeprefix(source).lstrip(", ") or "text and tables"
                cells = (claim, where, f"**{verdict}**", numbers, f"`{command}`")
                lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
        lines.append("")
    return "\n".join(lines)


def _of_the_lab() -> Iterator[tuple[str, str, str, str, str]]:
    for name in tm.lab.names():
        for claim in tm.lab.run(name).claims:
            says = (
                claim["claim"]
                if claim["by"] == "source"
                else f"*Beyond the source*: {claim['claim']}"
            )
            yield claim["source"], says, claim["verdict"], claim["evidence"], claim["command"]
