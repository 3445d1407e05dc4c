"""What agreement with these people is attainable."""

from functools import partial

from tallymark.catalogue.reasons import SHROUT, UTO
from tallymark.catalogue.row import AT_MOST_ONE, POSITIVE, PROPORTION, UNBOUNDED, Row

row = partial(Row, by="ceilings")
ROWS = (
    row(
        name="reliability",
        title="Reliability of human scores",
        reading="Share of the variance that is not rater error: of one rating, or of the mean of a "
        "response's ratings. fixed: for exactly these raters, whose severity is not error.",
        misreading="Not agreement: raters of different severity can be reliable. Low where responses "
        "are much alike.",
        formula="one: s_T^2 / (s_T^2 + s_E^2); mean: s_T^2 / (s_T^2 + s_E^2 / k)",
        undefined="no response was rated twice",
        reference=SHROUT,
        aliases=("rho_X", "rho_Y", "human reliability"),
        choices={"of": ("one", "mean"), "raters": ("fixed",), "for": ("raters like these",)},
        range=AT_MOST_ONE,
    ),
    row(
        name="rater_reliability",
        title="Reliability of one rater",
        reading="Share of the variance of this rater's ratings that follows the true score, from "
        "responses shared with other raters. Near 0, the rater scores at random. Above 1 (a "
        "Heywood case), the error variance is estimated below 0, because responses are too "
        "few or errors are shared; ceilings then use 0. Parts: error variance, and slope "
        "relative to the raters' mean.",
        misreading="Not a measure of severity: a rater one point too severe throughout can be perfectly "
        "reliable.",
        formula="l_j^2 / s_j^2, s_jk = l_j l_k; two raters: s_12 / s_j^2",
        undefined="the rater shares too few responses with others, or the ratings do not vary "
        "together",
        reference="Grubbs (1948), doi:10.1214/aoms/1177730031; Joreskog (1971), "
        "doi:10.1007/BF02291393",
        aliases=("reliability of a rater",),
        choices={"rater": ()},
        range=UNBOUNDED,
    ),
    row(
        name="sem",
        title="Standard error of measurement",
        reading="How far a human score lies from the true score, in score points: of one "
        "rating, or of the mean of a response's ratings.",
        misreading="A typical error, not the largest: about one score in three lies further from the "
        "true score.",
        formula="one: s_E; mean: s_E / sqrt(k)",
        undefined="no response was rated twice",
        aliases=("standard error of measurement", "SEM"),
        choices={"of": ("one", "mean")},
        range=POSITIVE,
        style="points",
        better="lower",
    ),
    row(
        name="ceiling_theoretical",
        title="Theoretical ceiling",
        reading="The highest correlation, or QWK of calibrated scores, that a scorer who knew every "
        "true score would reach against this kind of gold. Each rater has their own error. "
        "pool: all ratings have the same error, and raters are drawn anew for each response. "
        "fixed: the same error, and severity is not error. A number: the errors of raters "
        "correlate by that much.",
        misreading="Not a target: nobody knows true scores. Agreement above it means chance, shared "
        "errors, or a system trained on these ratings.",
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
            "raters": ("pool", "fixed", "components"),
            "for": ("raters like these",),
            "shared": (),
        },
        range=PROPORTION,
        better="neither",
    ),
    row(
        name="ceiling_human_like",
        title="Human-like ceiling",
        reading="What one more rater like these would reach against this kind of gold once "
        "calibrated, averaged over the raters. pool: all ratings have the same error.",
        misreading="Not what people reach against each other: a gold of several ratings errs less than "
        "one rater does.",
        formula="mean_j sqrt(reliability of rater j) x theoretical ceiling; pool: sqrt(rho_X "
        "rho_Y)",
        undefined="no response was rated twice, or the ratings do not vary",
        reference=UTO,
        short="human-like",
        gloss="one more rater, calibrated",
        aliases=("human-like ceiling", "human ceiling"),
        choices={
            "gold": (),
            "raters": ("pool", "fixed", "components"),
            "for": ("raters like these",),
        },
        range=PROPORTION,
        better="neither",
    ),
    row(
        name="ceiling_uncalibrated",
        title="Reached without calibration",
        reading="QWK against the mean rating for the true score itself (theoretical) or for one more "
        "rater (human_like), when the spread is not matched to the gold's.",
        misreading="Not a limit: scores whose spread matches the gold's reach more.",
        formula="theoretical: 2 rho_Y / (1 + rho_Y); human_like: 2 / (1 / rho_X + 1 / rho_Y)",
        undefined="no response was rated twice, or the ratings do not vary",
        aliases=("uncalibrated ceiling",),
        choices={"of": ("theoretical", "human_like")},
        range=PROPORTION,
        better="neither",
    ),
    row(
        name="rater_in_gold",
        title="A rater who is part of the gold",
        reading="Correlation of the mean rating with one of the ratings in it. High because the "
        "rating meets itself.",
        misreading="Never a standard for a system: the rating agrees with itself.",
        formula="sqrt(rho_X / rho_Y)",
        undefined="no response was rated twice, or the ratings do not vary",
        aliases=("part-whole correlation",),
        range=PROPORTION,
        better="neither",
    ),
    row(
        name="ceiling_quantised",
        title="Quantised ceiling",
        reading="The highest QWK that scores on the points can reach against a gold on points. With "
        "few points the theoretical ceiling is out of reach. uncalibrated: the true score, "
        "simply rounded.",
        misreading="Not the theoretical ceiling: with few points, less is within reach.",
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
    row(
        name="gold_rule",
        title="How the gold was made",
        reading="Share of responses with two or more ratings whose gold this rule reproduces. Parts "
        "give the same for responses on which raters differ.",
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
    row(
        name="share_of_ceiling",
        title="Share of a ceiling",
        reading="The system's statistic divided by the ceiling; 1 is at the ceiling.",
        misreading="Above 1 can be chance, since ceilings are estimates. With its whole interval above 1, "
        "the system shares errors with the raters, or was trained on these ratings.",
        formula="s(gold, system) / ceiling",
        undefined="the ceiling is undefined or 0",
        called="Share of the ceiling of",
        sets="policy standing",
        aliases=(
            "share",
            "percent of ceiling",
        ),
        choices={"of": (), "ceiling": ("human_human", "human_like", "quantised", "theoretical")},
        range=UNBOUNDED,
        style="plain",
    ),
    row(
        name="gap_to_ceiling",
        title="Distance from a ceiling",
        reading="The system's statistic minus the ceiling; negative is below. The interval is that "
        "of the difference on the same responses.",
        misreading="Not all of it is room for improvement: an interval that includes 0 leaves open "
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
    row(
        name="reference",
        title="A published number",
        reading="A number the user gave, to stand among the ceilings. Nothing was computed.",
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
