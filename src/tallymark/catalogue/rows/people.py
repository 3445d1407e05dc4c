"""People beside the system, raters, repeated runs."""

from tallymark.catalogue.reasons import SPEARMAN, WILLIAMSON
from tallymark.catalogue.row import POSITIVE, PROPORTION, UNBOUNDED, Row, Variant

ROWS = (
    Row(
        name="human_system",
        title="Agreement of the system with a person",
        by="people",
        reading="The statistic between the system and one rater, on responses that this rater and "
        "another scored, averaged over all pairs of raters. With many raters, or few shared "
        "responses, it is one statistic over all ratings, each response counting once.",
        misreading="Not agreement with the gold: raters are taken one at a time, and each of "
        "them errs.",
        formula="mean over raters r != r' of s(r, system), where r' rated too",
        undefined="no two raters scored the same responses",
        called="Human-system",
        aliases=("human-machine agreement", "HM", "system-human"),
        sets="policy contrast",
        choices={"of": ()},
        style="of",
    ),
    Row(
        name="human_human",
        title="Agreement of people with each other",
        by="people",
        reading="The statistic between the two raters of each pair on the same responses, averaged "
        "in the same way. Also reported without each rater in turn: one who scores at random "
        "lowers it.",
        misreading="Not a ceiling: a system that errs less than a person agrees with people better than "
        "they agree with each other.",
        formula="mean over raters r != r' of s(r, r')",
        undefined="no two raters scored the same responses, or their ratings do not vary",
        called="Human-human",
        aliases=("their r", "human-human agreement", "HH", "consistency"),
        sets="policy contrast",
        choices={"of": ()},
        style="of",
    ),
    Row(
        name="degradation",
        title="System against people, less people against each other",
        by="people",
        reading="0 or more: the system agrees with a person as well as another person does. "
        "Negative: less well (for an error rate, above 0 is worse). The interval is that of "
        "the difference on the same responses, for these raters; also reported without each "
        "of them in turn. Adjudicators are left out. In a pool of raters the correlation "
        "favours any single scorer slightly, because severity differs between people but not "
        "within the system.",
        misreading="Not agreement with the gold minus agreement between people: both sides use single "
        "raters and the same responses.",
        formula="human_system - human_human",
        undefined="no two raters scored the same responses",
        reference=WILLIAMSON,
        called="Degradation of",
        aliases=("HH-HM gap", "degradation from human-human"),
        sets="policy contrast",
        choices={"of": ()},
        range=(-2.0, 2.0),
        style="of",
        example=("[1, 2, 3, 4], [1, 2, 4, 4], [2, 2, 3, 4]", "0.042"),
    ),
    Row(
        name="disattenuated_r",
        title="Correlation corrected for rater error",
        by="people",
        reading="The correlation the system would have with raters who made no errors. It can exceed 1 "
        "by chance; with its whole interval above 1, the system shares errors with the raters.",
        misreading="No correlation that anyone will see: nobody rates without error.",
        formula="mean r(rater, system) / sqrt(mean r(rater, rater'))",
        undefined="no two raters scored the same responses, or their scores do not correlate "
        "above 0",
        reference=SPEARMAN,
        aliases=("corrected correlation", "disattenuated correlation", "true score correlation"),
        sets="policy",
        range=UNBOUNDED,
        example=("[1, 2, 3, 4], [1, 2, 4, 4], [2, 2, 3, 4]", "0.974"),
    ),
    Row(
        name="self_consistency",
        title="Consistency of repeated runs",
        by="repeats",
        reading="exact: how often two runs give the same score; changed: share of responses "
        "whose score is not the same in all runs; icc: reliability of one run; sd: spread of "
        "runs in score points.",
        misreading="Consistent is not correct: runs can agree on the wrong score.",
        formula="exact: P(run = run'); changed: share; icc: ICC(1,1) of runs; sd: sqrt(MSW)",
        undefined="no response was scored in two runs; for icc, also where responses do not differ",
        aliases=("repeatability", "test-retest"),
        variants=(
            Variant("exact", aliases=("same score",), sets="policy", level="nominal"),
            Variant("changed", aliases=("changed",), sets="policy", level="nominal"),
            Variant("icc", sets="policy", range=(-1.0, 1.0)),
            Variant("sd", style="points", sets="policy", range=POSITIVE),
        ),
        choices={"kind": ("exact", "changed", "icc", "sd")},
        range=PROPORTION,
        better="neither",
    ),
    Row(
        name="rater_mean",
        title="Mean score of a rater",
        by="raters",
        reading="Over all responses the rater scored. Raters may differ because their responses did.",
        misreading="A low mean is not severity: this rater may have read weaker responses. See "
        "severity and rater_difference.",
        formula="mean x",
        undefined="the rater scored no response",
        aliases=(
            "mean",
            "h_mean",
        ),
        range=UNBOUNDED,
        style="points",
        better="neither",
    ),
    Row(
        name="rater_sd",
        title="Spread of a rater's scores",
        by="raters",
        reading="Standard deviation of the rater's scores. A small one means the rater hardly uses "
        "the scale.",
        misreading="A small spread may come from similar responses. See rater_spread.",
        formula="sqrt(sum (x - mean x)^2 / (n - 1))",
        undefined="the rater scored fewer than two responses",
        aliases=(
            "SD",
            "h_sd",
        ),
        range=POSITIVE,
        style="points",
        better="neither",
    ),
    Row(
        name="modal_share",
        title="Share of the most used score",
        by="raters",
        reading="Share of a rater's scores that fall on a single point. Near 1, the rater does not "
        "tell responses apart.",
        misreading="Depends on the responses the rater was given and on the number of score "
        "points.",
        aliases=("most used",),
        formula="max_k share of point k",
        undefined="the rater scored no response, or the scores are continuous",
        range=PROPORTION,
        better="neither",
    ),
)
