"""What agreement with these people is attainable."""

from tallymark.catalogue.reasons import SHROUT, UTO
from tallymark.catalogue.row import AT_MOST_ONE, POSITIVE, PROPORTION, UNBOUNDED, Row

ROWS = (
    Row(
        name="reliability",
        title="Reliability of human scores",
        by="ceilings",
        reading="Share of the variance that is not rater error: of one rating, or of the mean "
        "of a response's ratings. fixed: these very raters, whose severity does not count as "
        "error.",
        misreading="Not agreement: raters of different severity can be reliable. Low where "
        "responses are much alike.",
        formula="one: s_T^2 / (s_T^2 + s_E^2); mean: s_T^2 / (s_T^2 + s_E^2 / k)",
        undefined="no response was rated twice",
        reference=SHROUT,
        aliases=("rho_X", "rho_Y", "human reliability"),
        choices={"of": ("one", "mean"), "raters": ("fixed",), "for": ("raters like these",)},
        range=AT_MOST_ONE,
    ),
    Row(
        name="rater_reliability",
        title="Reliability of one rater",
        by="ceilings",
        reading="Share of the variance of this rater's ratings that follows the true score, "
        "from the responses shared with other raters. Near 0: the rater rates at random. Above "
        "1 (a Heywood case): the error variance is estimated below 0, from too few responses "
        "or because errors are shared; ceilings take it as 0. parts: error variance, slope "
        "beside the raters' mean.",
        misreading="No measure of severity: a rater one point too severe throughout can be "
        "perfectly reliable.",
        formula="l_j^2 / s_j^2, s_jk = l_j l_k; two raters: s_12 / s_j^2",
        undefined="the rater shares too few responses with others, or the ratings do not vary "
        "together",
        reference="Grubbs (1948), doi:10.1214/aoms/1177730031; Joreskog (1971), "
        "doi:10.1007/BF02291393",
        aliases=("reliability of a rater",),
        choices={"rater": ()},
        range=UNBOUNDED,
    ),
    Row(
        name="sem",
        title="Standard error of measurement",
        by="ceilings",
        reading="How far a human score lies from the true score, in score points: of one "
        "rating, or of the mean of a response's ratings.",
        misreading="A typical error, not the largest: about one score in three lies further "
        "from the true score.",
        formula="one: s_E; mean: s_E / sqrt(k)",
        undefined="no response was rated twice",
        aliases=("standard error of measurement", "SEM"),
        choices={"of": ("one", "mean")},
        range=POSITIVE,
        style="points",
        better="lower",
    ),
    Row(
        name="ceiling_theoretical",
        title="Theoretical ceiling",
        by="ceilings",
        reading="The highest correlation, or QWK of calibrated scores, that a scorer who knew "
        "every true score would reach against this kind of gold. Each rater has an error of "
        "their own; pool: all ratings have the same error, raters drawn anew for each "
        "response; fixed: the same error, severity counting for none. A number: if the errors "
        "of raters correlate by so much.",
        misreading="Not a target: nobody knows true scores. Agreement above it means chance, "
        "shared errors or a system trained on these ratings.",
        formula="sqrt(1 - noise / variance of the gold); sum w_j X_j by the same raters: sum "
        "w_j l_j / sqrt((sum w_j l_j)^2 + sum w_j^2 s_j^2); pool: sqrt(rho_Y); other golds: "
        "sqrt(Var E(Y|T) / Var Y)",
        undefined="no response was rated twice, or the ratings do not vary",
        reference=UTO,
        short="theoretical",
        gloss="a scorer who knew every true score",
        aliases=(
            "theoretical ceiling",
            "theoretical upper bound",
            "QWK ceiling",
            "theoretical limit",
        ),
        choices={
            "gold": (),
            "raters": ("pool", "fixed", "components", "severity"),
            "for": ("raters like these",),
            "shared": (),
        },
        range=PROPORTION,
        better="neither",
    ),
    Row(
        name="ceiling_human_like",
        title="Human-like ceiling",
        by="ceilings",
        reading="What one more rater like these, calibrated, would reach against this kind of "
        "gold, on average over the raters. pool: all ratings have the same error.",
        misreading="Not what people reach against each other: the gold errs less than one "
        "rater where it rests on several ratings.",
        formula="mean_j sqrt(reliability of rater j) x theoretical ceiling; pool: sqrt(rho_X "
        "rho_Y)",
        undefined="no response was rated twice, or the ratings do not vary",
        reference=UTO,
        short="human-like",
        gloss="one more rater, calibrated",
        aliases=("human-like ceiling", "human ceiling"),
        choices={
            "gold": (),
            "raters": ("pool", "fixed", "components", "severity"),
            "for": ("raters like these",),
        },
        range=PROPORTION,
        better="neither",
    ),
    Row(
        name="ceiling_uncalibrated",
        title="Reached without calibration",
        by="ceilings",
        reading="QWK against the mean of the ratings of the true score itself (theoretical) or "
        "of one more rater (human_like), whose spread is not matched to the gold's.",
        misreading="Not a limit: matching the spread of the scores to the gold's reaches more.",
        formula="theoretical: 2 rho_Y / (1 + rho_Y); human_like: 2 / (1 / rho_X + 1 / rho_Y)",
        undefined="no response was rated twice, or the ratings do not vary",
        aliases=("uncalibrated ceiling",),
        choices={"of": ("theoretical", "human_like")},
        range=PROPORTION,
        better="neither",
    ),
    Row(
        name="rater_in_gold",
        title="A rater who is part of the gold",
        by="ceilings",
        reading="Correlation of the mean rating with a rating that is in it. It is high "
        "because the rating meets itself: never compare a system with it.",
        misreading="Never a standard for a system: the rating agrees with itself.",
        formula="sqrt(rho_X / rho_Y)",
        undefined="no response was rated twice, or the ratings do not vary",
        aliases=("part-whole correlation",),
        range=PROPORTION,
        better="neither",
    ),
    Row(
        name="ceiling_quantised",
        title="Quantised ceiling",
        by="ceilings",
        reading="The highest QWK of scores that must lie on the points, against a gold that "
        "does too. On few points the theoretical ceiling cannot be reached. uncalibrated: the "
        "true score, just rounded.",
        misreading="Not the theoretical ceiling: on few points less can be reached.",
        formula="max over maps of T onto points of QWK(map(T), gold), T normal and cut off, "
        "fitted to mean, variance and error of the ratings",
        undefined="no response was rated twice, or scores and gold do not lie on points",
        short="quantised",
        gloss="the same, on the points",
        aliases=("quantised ceiling", "quantized ceiling", "ceiling_quantized"),
        choices={"gold": (), "scores": ("uncalibrated",)},
        range=(-1.0, 1.0),
        better="neither",
    ),
    Row(
        name="gold_rule",
        title="How the gold was made",
        by="ceilings",
        reading="Share of the responses with two ratings or more whose gold this rule gives; "
        "parts tell the same of responses on which raters differ.",
        misreading="A high share does not prove the rule: where raters agree, many rules give "
        "the same gold.",
        formula="share of responses with rule(ratings) = gold",
        undefined="no response was rated twice, or there is no column of golds",
        aliases=("resolution rule",),
        choices={"rule": ()},
        range=PROPORTION,
        style="plain",
        better="neither",
    ),
    Row(
        name="share_of_ceiling",
        title="Share of a ceiling",
        by="ceilings",
        reading="The system's statistic divided by the ceiling; 1 is at the ceiling.",
        misreading="Above 1 is no mistake: ceilings are estimated, and these data are one sample.",
        formula="s(gold, system) / ceiling",
        undefined="the ceiling is undefined or 0",
        called="Share of the ceiling of",
        sets="policy standing",
        aliases=("percent of ceiling",),
        choices={"of": (), "ceiling": ("human_human", "human_like", "quantised", "theoretical")},
        range=UNBOUNDED,
        style="plain",
    ),
    Row(
        name="gap_to_ceiling",
        title="Distance from a ceiling",
        by="ceilings",
        reading="The system's statistic less the ceiling; negative is below. The interval is "
        "of the difference on the same responses.",
        misreading="Not room for improvement alone: an interval that holds 0 leaves open "
        "whether any is left.",
        formula="s(gold, system) - ceiling",
        undefined="the ceiling is undefined",
        called="Distance from the ceiling of",
        sets="policy standing",
        aliases=("headroom", "distance to ceiling"),
        choices={"of": (), "ceiling": ("human_human", "human_like", "quantised", "theoretical")},
        range=(-2.0, 2.0),
        better="neither",
    ),
    Row(
        name="reference",
        title="A published number",
        by="ceilings",
        reading="Given by the user, to be placed among the ceilings; nothing was computed.",
        misreading="Not computed from these data: it may come from other responses, raters or "
        "scales.",
        formula="as given",
        undefined="no published number was given",
        aliases=("published number",),
        choices={"name": ()},
        range=(-1.0, 1.0),
        better="neither",
    ),
)
