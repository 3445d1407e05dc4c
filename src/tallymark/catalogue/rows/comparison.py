"""Systems beside each other, and prompts."""

from tallymark.catalogue.row import POSITIVE, UNBOUNDED, Row

ROWS = (
    Row(
        name="paired_difference",
        title="Paired difference",
        by="comparison",
        reading="The statistic of one system or experiment less that of another, on the "
        "responses of both, which are resampled together; parts give the p-value where one was "
        "tested, plain and adjusted over all pairs (Holm).",
        misreading="Not settled is not equal: read the interval.",
        formula="s(this) - s(other)",
        undefined="the statistic is undefined for one of the two, or they share no response",
        aliases=("difference between systems",),
        choices={"of": ()},
        range=UNBOUNDED,
        style="of",
        signed=True,
        better="zero",
    ),
    Row(
        name="between_prompt_sd",
        title="Spread between prompts",
        by="comparison",
        reading="Standard deviation of the statistic's true values from prompt to prompt; the "
        "sampling error of each prompt is taken out.",
        misreading="Not the spread of the prompts' values as printed, which holds sampling "
        "error too.",
        formula="tau such that sum (s_p - mean)^2 / (se_p^2 + tau^2) = P - 1; 0 where none is",
        undefined="there are too few prompts, or the statistic is undefined for one of them",
        reference="Viechtbauer (2007), doi:10.1002/sim.2514, for the interval",
        aliases=("tau between prompts", "heterogeneity"),
        choices={"of": ()},
        range=POSITIVE,
        style="of",
        better="lower",
    ),
    Row(
        name="new_prompt",
        title="On a new prompt",
        by="comparison",
        reading="The mean over prompts, with the interval in which the value on one more "
        "prompt would lie, if it were drawn as these were and had about as many responses. It "
        "is wider than the interval of the mean, which is about these prompts.",
        misreading="No promise for a prompt of another kind: it holds for prompts drawn as "
        "these were.",
        formula="mean +- t s sqrt(1 + 1/P), s the standard deviation of the prompts' values",
        undefined="there are too few prompts, or the statistic is undefined for one of them",
        reference="Higgins, Thompson & Spiegelhalter (2009), doi:10.1111/j.1467-985X.2008.00552.x",
        aliases=("prediction interval",),
        choices={"of": ()},
        range=UNBOUNDED,
        style="of",
    ),
)
