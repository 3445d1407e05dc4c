"""Confidence, and what may be accepted without a person."""

from functools import partial

from tallymark.catalogue.reasons import FUNAYAMA, GEIFMAN
from tallymark.catalogue.row import POSITIVE, PROPORTION, UNBOUNDED, Row

row = partial(Row, by="selective")
ROWS = (
    row(
        name="aurc",
        title="Area under risk and coverage (AURC)",
        reading="Critical error rate of the r most confident responses, averaged over all r. The "
        "most confident few weigh most. 0 is best.",
        misreading="Comparable only between confidences on the same system and responses: it rises with "
        "the error rate.",
        formula="(1/n) sum_r E[K_r] / r, ties averaged; other programs integrate by trapezoids",
        undefined="no response has a confidence",
        reference=GEIFMAN,
        short="AURC",
        aliases=("area under the risk-coverage curve",),
        range=PROPORTION,
        better="lower",
    ),
    row(
        name="e_aurc",
        title="Excess AURC",
        reading="AURC minus that of a confidence that puts every critical error last: what a better "
        "confidence could gain.",
        misreading="0 means a perfect order of the responses, not an absence of errors.",
        formula="AURC - (1/n) sum_{r > n-M} (r - (n-M)) / r, M critical errors",
        undefined="no response has a confidence",
        reference=GEIFMAN,
        short="E-AURC",
        aliases=("E-AURC", "excess AURC"),
        range=PROPORTION,
        better="lower",
    ),
    row(
        name="augrc",
        title="Area under generalized risk and coverage (AUGRC)",
        reading="Critical errors accepted per submitted response, averaged over all numbers of "
        "accepted responses. The most confident few do not dominate it.",
        misreading="Not the error rate of accepted responses: it counts per submitted response.",
        formula="(1/n) sum_r E[K_r] / n, ties averaged",
        undefined="no response has a confidence",
        reference="Traub, Bungert, Lueth et al. (2024), arXiv:2407.01032",
        short="AUGRC",
        aliases=("area under the generalized risk-coverage curve",),
        range=PROPORTION,
        better="lower",
    ),
    row(
        name="auroc_cse",
        title="Power of the confidence to tell critical errors (AUROC)",
        reading="How often, of a score with a critical error and one without, the one without has "
        "the higher confidence; .5 says nothing.",
        misreading="High does not make a threshold safe: it says how well errors are ranked, not how "
        "many there are.",
        formula="P(c_right > c_wrong) + P(c_right = c_wrong) / 2",
        undefined="there is no critical error, or nothing else",
        reference="DeLong, DeLong & Clarke-Pearson (1988), doi:10.2307/2531595",
        short="AUROC",
        gloss="how often the right one of two scores is the surer one; .50 says nothing",
        aliases=("AUROC", "AUC", "auroc"),
        range=PROPORTION,
    ),
    row(
        name="coverage_at",
        title="Coverage at a critical error rate",
        reading="The largest share of responses that can be accepted at this critical error rate or "
        "below. max: by any threshold. prefix: by a threshold at which all stricter ones "
        "keep the rate too. Optimistic, because the threshold is chosen on these data.",
        misreading="No guarantee: the threshold was chosen on these data. `tallymark route "
        "certify` gives one.",
        formula="max{n_tau / n : k_tau / n_tau <= rate}",
        undefined="no response has a confidence",
        reference=FUNAYAMA,
        aliases=("steady coverage", "coverage", "CovAtxRisk"),
        choices={"rate": (), "kind": ("max", "prefix")},
        range=PROPORTION,
    ),
    row(
        name="most_confident",
        title="A statistic among the most confident responses",
        reading="The statistic in this share of the responses, those with the highest confidence. "
        "Equal confidences stay together, so the share may be larger.",
        misreading="The easier responses remain, so it says little about the system as a whole.",
        formula="s(responses with c >= the share's quantile)",
        undefined="the statistic is undefined among these responses",
        reference=FUNAYAMA,
        aliases=("QWK at top q", "selective QWK"),
        choices={"of": (), "share": ()},
        range=UNBOUNDED,
        style="of",
        better="neither",
    ),
    row(
        name="accepted",
        title="Share of responses accepted",
        reading="The share of these responses that need no person, at the threshold that applies to them. A group "
        "that is always sent to people is treated differently from the others.",
        misreading="Not accuracy: it says how many responses need no person, not how well they are "
        "scored.",
        formula="n_tau / n",
        undefined="no response has a confidence",
        called="Certified coverage",
        aliases=("acceptance rate", "workload saved", "certified coverage"),
        sets="policy routed",
        choices={"share": ()},
        range=PROPORTION,
        better="neither",
    ),
    row(
        name="accepted_csrate",
        title="Critical errors among the accepted",
        reading="The share of accepted responses that are critical errors, at the threshold that applies to them.",
        misreading="An estimate, not a bound: the threshold was chosen on these data.",
        formula="k_tau / n_tau",
        undefined="no response is accepted",
        reference=FUNAYAMA,
        aliases=("critical errors", "selective risk", "risk"),
        choices={"share": ()},
        range=PROPORTION,
        better="lower",
    ),
    row(
        name="ece_cse",
        title="Expected calibration error",
        reading="The confidence read as the probability of no critical error: its mean distance from "
        "the observed share, over ten bins of equal width. Guarantees do not need it.",
        misreading="0 does not make a confidence useful: always stating the overall rate is calibrated "
        "too.",
        formula="sum_b n_b / n |mean c_b - share right_b|, bins (a, b]",
        undefined="the confidence is not a probability, or no response has one",
        reference="Naeini, Cooper & Hauskrecht (2015), doi:10.1609/aaai.v29i1.9602",
        short="ECE",
        aliases=("ECE", "expected calibration error"),
        range=PROPORTION,
        better="lower",
    ),
    row(
        name="brier_cse",
        title="Brier score of the confidence",
        reading="Mean squared distance between the confidence and 1 (no critical error) or 0.",
        misreading="Depends on how common critical errors are: compare only on the same responses.",
        formula="mean (c - right)^2",
        undefined="the confidence is not a probability, or no response has one",
        reference="Brier (1950), Monthly Weather Review 78, 1-3",
        short="Brier, confidence",
        aliases=("binary Brier",),
        range=PROPORTION,
        better="lower",
    ),
    row(
        name="brier",
        title="Brier score of the class probabilities",
        reading="Mean squared distance between the probabilities of all score points and 1 at the "
        "gold score, 0 elsewhere. 0 is best, 2 worst.",
        misreading="A near miss costs as much as a far one; rps tells them apart. Compare only on the "
        "same responses.",
        formula="mean sum_j (p_j - o_j)^2",
        undefined="no response has probabilities (--probabilities)",
        reference="Brier (1950), Monthly Weather Review 78, 1-3",
        short="Brier",
        aliases=("brier score", "multi-class Brier"),
        range=(0.0, 2.0),
        better="lower",
    ),
    row(
        name="rps",
        title="Ranked probability score",
        reading="Mean squared distance between the cumulative probabilities and those of the gold "
        "score, summed over score points: probability far from the gold costs more. 0 is "
        "best.",
        misreading="Grows with the number of score points: compare only on the same scale and "
        "responses.",
        formula="mean sum_j (F_j - O_j)^2",
        undefined="no response has probabilities (--probabilities)",
        reference="Epstein (1969), doi:10.1175/1520-0450(1969)008<0985:ASSFPF>2.0.CO;2",
        short="RPS",
        aliases=("ranked probability score",),
        range=POSITIVE,
        better="lower",
    ),
    row(
        name="human_csrate",
        title="Critical errors between two people",
        reading="Share of pairs of ratings of one response that differ by at least lambda times the "
        "range, each response counting once.",
        misreading="Not one person's error rate: two people err in each pair.",
        formula="mean over responses of #{|h - h'| >= lambda (max - min)} / pairs",
        undefined="no response was rated twice",
        reference=FUNAYAMA,
        aliases=("human-human CSRate",),
        choices={"of": ("accepted",)},
        range=PROPORTION,
        better="lower",
    ),
    row(
        name="excess_csrate",
        title="Critical errors of the system less those of a second rater",
        reading="System and second rater, both against the first rater, on accepted responses that "
        'two people scored. "No worse than a second rater" holds only if the upper bound '
        "lies below a margin declared in advance.",
        misreading="Below 0 is not enough: only the upper bound shows that the system is no worse.",
        formula="(b - c) / n: b only the system erred, c only the rater",
        undefined="no accepted response was scored by two people",
        reference="Tango (1998), Statistics in Medicine 17, 891-908",
        aliases=("non-inferiority",),
        range=(-1.0, 1.0),
        better="lower",
    ),
    row(
        name="human_gap",
        title="Mean gap between two people",
        reading="As a share of the score range. A lambda below it would call ordinary differences "
        "between people critical.",
        misreading="Not a limit for the system: it helps you choose lambda.",
        formula="mean |h - h'| / (max - min)",
        undefined="no response was rated twice",
        reference=FUNAYAMA,
        aliases=("mean human gap",),
        range=PROPORTION,
        better="lower",
    ),
)
