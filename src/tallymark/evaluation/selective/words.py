"""What the numbers of selective scoring mean, by name."""

from tallymark.results import Definition

_FUNAYAMA = "Funayama, Sasaki, Matsubayashi et al. (2020), doi:10.18653/v1/2020.acl-srw.32"
SELECTIVE_WORDS: dict[str, Definition] = {
    entry.name: entry
    for entry in (
        Definition(
            name="aurc",
            title="Area under risk and coverage (AURC)",
            reading="Critical error rate of the r most confident responses, averaged over all r; "
            "the most confident few weigh most. 0 is best.",
            formula="(1/n) sum_r E[K_r] / r, ties averaged; other programs integrate by trapezoids",
            reference="Geifman, Uziel & El-Yaniv (2019), openreview.net/forum?id=SJfb5jCqKm",
            better="lower",
        ),
        Definition(
            name="e_aurc",
            title="Excess AURC",
            reading="AURC less that of a confidence which puts every critical error last: what a "
            "better confidence could gain.",
            formula="AURC - (1/n) sum_{r > n-M} (r - (n-M)) / r, M critical errors",
            reference="Geifman, Uziel & El-Yaniv (2019), openreview.net/forum?id=SJfb5jCqKm",
            better="lower",
        ),
        Definition(
            name="augrc",
            title="Area under generalized risk and coverage (AUGRC)",
            reading="Critical errors that pass per submitted response, averaged over all numbers "
            "of accepted responses; the most confident few do not dominate it.",
            formula="(1/n) sum_r E[K_r] / n, ties averaged",
            reference="Traub, Bungert, Lueth et al. (2024), arXiv:2407.01032",
            better="lower",
        ),
        Definition(
            name="auroc_cse",
            title="Power of the confidence to tell critical errors (AUROC)",
            reading="How often a score that is no critical error has the higher confidence of the "
            "two; .5 says nothing.",
            formula="P(c_right > c_wrong) + P(c_right = c_wrong) / 2",
            reference="DeLong, DeLong & Clarke-Pearson (1988), doi:10.2307/2531595",
        ),
        Definition(
            name="coverage_at",
            title="Coverage at a critical error rate",
            reading="The largest share of responses that can be accepted at this rate of critical "
            "errors or less; max: by any threshold, prefix: so that stricter ones keep it too. "
            "Chosen on the data at hand, so optimistic.",
            formula="max{n_tau / n : k_tau / n_tau <= rate}",
            reference=_FUNAYAMA,
        ),
        Definition(
            name="most_confident",
            title="A statistic among the most confident responses",
            reading="The statistic in this share of the responses, those with the highest "
            "confidence; equal confidences stay together, so that the share may be larger.",
            formula="s(responses with c >= the share's quantile)",
            reference=_FUNAYAMA,
            better="neither",
        ),
        Definition(
            name="accepted",
            title="Share of responses accepted",
            reading="At one threshold for all: which share of these responses need no person. A "
            "group that is always sent to people is treated unlike the others.",
            formula="n_tau / n",
            better="neither",
        ),
        Definition(
            name="accepted_csrate",
            title="Critical errors among the accepted",
            reading="At one threshold for all: which share of the accepted responses are critical "
            "errors.",
            formula="k_tau / n_tau",
            reference=_FUNAYAMA,
            better="lower",
        ),
        Definition(
            name="ece_cse",
            title="Expected calibration error",
            reading="Mean distance, over ten bins of equal width, of the confidence and the share "
            "of scores without a critical error, if the confidence is read as that probability. "
            "Guarantees do not need it.",
            formula="sum_b n_b / n |mean c_b - share right_b|, bins (a, b]",
            reference="Naeini, Cooper & Hauskrecht (2015), doi:10.1609/aaai.v29i1.9602",
            better="lower",
        ),
        Definition(
            name="brier_cse",
            title="Brier score of the confidence",
            reading="Mean squared distance of the confidence and 1 (no critical error) or 0.",
            formula="mean (c - right)^2",
            reference="Brier (1950), Monthly Weather Review 78, 1-3",
            better="lower",
        ),
        Definition(
            name="human_csrate",
            title="Critical errors between two people",
            reading="Share of pairs of ratings of one response that lie lambda times the range "
            "apart or more, each response counting once.",
            formula="mean over responses of #{|h - h'| >= lambda (max - min)} / pairs",
            reference=_FUNAYAMA,
            better="lower",
        ),
        Definition(
            name="excess_csrate",
            title="Critical errors of the system less those of a second rater",
            reading="Both against the first rater, on accepted responses that two people scored. No "
            "worse than a second rater is shown only if the upper bound lies below a margin that "
            "was declared beforehand.",
            formula="(b - c) / n: b only the system erred, c only the rater",
            reference="Tango (1998), Statistics in Medicine 17, 891-908",
            better="lower",
        ),
        Definition(
            name="human_gap",
            title="Mean gap between two people",
            reading="As a share of the score range: a lambda below it would call the usual "
            "differences of people critical.",
            formula="mean |h - h'| / (max - min)",
            reference=_FUNAYAMA,
            better="lower",
        ),
    )
}
