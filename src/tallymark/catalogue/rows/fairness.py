"""Groups."""

from functools import partial

from tallymark.catalogue.reasons import LOUKINA_2019, WILLIAMSON
from tallymark.catalogue.row import PROPORTION, UNBOUNDED, Row

row = partial(Row, by="fairness", better="zero")
ROWS = (
    row(
        name="dsm",
        title="Difference of standardized means",
        reading="How much the system favours (above 0) or disfavours a group, beyond its effect on "
        "everyone. Beyond 0.10 is commonly cited as too much.",
        misreading="Not the group's bias: a system that is equally severe to everyone has a DSM of 0.",
        formula="(mean m_g - mean m) / sd m - (mean h_g - mean h) / sd h",
        undefined="the gold or the system's scores do not vary",
        reference=WILLIAMSON,
        short="DSM",
        gloss="standardized system mean of the group less its standardized gold mean, 0 if even",
        aliases=("DSM", "difference_of_standardized_means"),
        sets="policy_group groups:1",
        range=UNBOUNDED,
        style="plain",
        example=("[1, 2, 4], [2, 3, 4], [True, True, False]", "0.046"),
    ),
    row(
        name="difference",
        title="Group less the other groups",
        reading="The statistic in the group minus the statistic in all other responses. Parts give "
        "the p-value, plain and adjusted over all groups and tests of the column (step-down "
        "max-T).",
        misreading="No proof of unfairness: one group's responses may simply be harder to score.",
        formula="s(group) - s(others)",
        undefined="the statistic is undefined in the group or among the others",
        aliases=("group difference",),
        choices={"of": ()},
        range=UNBOUNDED,
        style="plain",
    ),
    row(
        name="osa",
        title="Overall score accuracy",
        reading="Share of the variance of squared errors that groups explain; 0 is fair.",
        misreading="A small share can hide a large error in a small group: read the effects too.",
        formula="adjusted R2 of e^2 ~ group, not below 0",
        undefined="there is only one group, or squared errors do not vary",
        reference=LOUKINA_2019,
        short="OSA",
        aliases=("overall score accuracy",),
        range=PROPORTION,
        example=("[1, 2, 3, 4], [1, 3, 5, 7], ['a', 'a', 'b', 'b']", "0.602"),
    ),
    row(
        name="osd",
        title="Overall score difference",
        reading="Share of the variance of errors that groups explain; 0 is fair.",
        misreading="A small share can hide a large difference in a small group: read the "
        "effects too.",
        formula="adjusted R2 of e ~ group, not below 0",
        undefined="there is only one group, or errors do not vary",
        reference=LOUKINA_2019,
        short="OSD",
        aliases=("overall score difference",),
        range=PROPORTION,
        example=("[1, 2, 3, 4], [1, 3, 5, 7], ['a', 'a', 'b', 'b']", "0.700"),
    ),
    row(
        name="csd",
        title="Conditional score difference",
        reading="Share of the variance of errors that groups explain at the same human score. Flags "
        "fair systems where groups differ in ability, because the human score errs too: see "
        "true_effect.",
        misreading="Above 0 is no proof of bias where groups differ in ability.",
        formula="adjusted R2 of e ~ group + human score, less that of e ~ human score, not below 0",
        undefined="there is only one group, or errors do not vary",
        reference=LOUKINA_2019,
        short="CSD",
        aliases=("conditional score difference",),
        range=PROPORTION,
        example=("[1, 1, 2, 2, 1, 1, 2, 2], [1, 2, 2.5, 4, 2, 3.5, 3, 5], [*'aaaabbbb']", "0.162"),
    ),
    row(
        name="osa_effect",
        title="Squared error, group less reference group",
        reading="Above 0, the system errs more in this group than in the largest group.",
        misreading="Says how much the system errs, not in whose favour.",
        formula="mean e^2 in the group - mean e^2 in the reference",
        undefined="the group is the reference group, or has no responses",
        reference=LOUKINA_2019,
        aliases=("OSA estimate",),
        sets="policy_group",
        range=UNBOUNDED,
        style="squared",
    ),
    row(
        name="osd_effect",
        title="Error, group less reference group",
        reading="Above 0, the system favours this group over the largest group, in score points.",
        misreading="Not corrected for ability: where groups differ in ability, a fair system can differ "
        "here.",
        formula="mean e in the group - mean e in the reference",
        undefined="the group is the reference group, or has no responses",
        reference=LOUKINA_2019,
        short="error effect",
        gloss="mean error less that of the largest group, in score points",
        aliases=("OSD estimate",),
        sets="policy_group groups:2",
        range=UNBOUNDED,
        style="points",
    ),
    row(
        name="csd_effect",
        title="Error at the same human score, group less reference group",
        reading="The error effect among responses with the same human score. Biased where groups "
        "differ in ability: see the effect at the same true score.",
        misreading="Above or below 0 is no proof of bias where groups differ in ability.",
        formula="coefficient of the group in e ~ group + human score",
        undefined="the group is the reference group, or human scores leave nothing to compare",
        reference=LOUKINA_2019,
        aliases=("CSD estimate",),
        sets="policy_group",
        range=UNBOUNDED,
        style="points",
    ),
    row(
        name="true_effect",
        title="Score at the same true score, group less reference group",
        reading="Above 0, the system gives this group more score points than the largest group for "
        "equally good responses. Double scores take rater error out.",
        misreading="With few double scores the interval is wide: unsettled does not mean fair.",
        formula="(mean m_g - mean m_1) - b (mean h_g - mean h_1), b corrected for rater error",
        undefined="no response was rated twice, or true scores do not vary",
        reference="Fuller (1987), doi:10.1002/9780470316665",
        short="true effect",
        gloss="the same among equally good responses, rater error taken out",
        aliases=("errors-in-variables effect",),
        sets="policy_group groups:3",
        range=UNBOUNDED,
        style="points",
    ),
)
