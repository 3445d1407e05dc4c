"""Systems beside each other, and prompts."""

from functools import partial

from tallymark.catalogue.row import POSITIVE, UNBOUNDED, Row

row = partial(Row, by="comparison", style="of")
ROWS = (
    row(
        name="paired_difference",
        title="Paired difference",
        reading="The statistic of one system or experiment minus that of another, on the responses "
        "both scored, resampled together. Parts give the p-value where one was tested, plain "
        "and adjusted over all pairs (Holm).",
        misreading="Unsettled does not mean equal: read the interval.",
        formula="s(this) - s(other)",
        undefined="the statistic is undefined for one of the two, or they share no response",
        aliases=("difference between systems",),
        choices={"of": ()},
        range=UNBOUNDED,
        signed=True,
        better="zero",
    ),
    row(
        name="between_prompt_sd",
        title="Spread between prompts",
        reading="Standard deviation of the statistic's true value from prompt to prompt, with each "
        "prompt's sampling error taken out.",
        misreading="Not the spread of the printed values, which includes sampling error.",
        formula="tau such that sum (s_p - mean)^2 / (se_p^2 + tau^2) = P - 1; 0 where none is",
        undefined="there are too few prompts, or the statistic is undefined for one of them",
        reference="Viechtbauer (2007), doi:10.1002/sim.2514, for the interval",
        aliases=("tau between prompts", "heterogeneity"),
        choices={"of": ()},
        range=POSITIVE,
        better="lower",
    ),
    row(
        name="new_prompt",
        title="On a new prompt",
        reading="The mean over prompts, with the interval for the value on one more prompt, drawn "
        "like these and with about as many responses. Wider than the interval of the mean, "
        "which covers these prompts only.",
        misreading="No promise for a prompt of another kind: it holds for prompts drawn like these.",
        formula="mean +- t s sqrt(1 + 1/P), s the standard deviation of the prompts' values",
        undefined="there are too few prompts, or the statistic is undefined for one of them",
        reference="Higgins, Thompson & Spiegelhalter (2009), doi:10.1111/j.1467-985X.2008.00552.x",
        aliases=("prediction interval",),
        choices={"of": ()},
        range=UNBOUNDED,
    ),
)
