"""Words: what the statistics of a comparison are."""

from tallymark.results import Definition

BETWEEN = "between_prompt_sd"
NEW_PROMPT = "new_prompt"
COMPARISON: dict[str, Definition] = {
    BETWEEN: Definition(
        name=BETWEEN,
        title="Spread between prompts",
        reading="Standard deviation of the statistic's true values from prompt to prompt; the "
        "sampling error of each prompt is taken out.",
        formula="tau such that sum (s_p - mean)^2 / (se_p^2 + tau^2) = P - 1; 0 where none is",
        reference="Viechtbauer (2007), doi:10.1002/sim.2514, for the interval",
        better="lower",
    ),
    NEW_PROMPT: Definition(
        name=NEW_PROMPT,
        title="On a new prompt",
        reading="The mean over prompts, with the interval in which the value on one more prompt "
        "would lie, if it were drawn as these were and had about as many responses. It is wider "
        "than the interval of the mean, which is about these prompts.",
        formula="mean +- t s sqrt(1 + 1/P), s the standard deviation of the prompts' values",
        reference="Higgins, Thompson & Spiegelhalter (2009), doi:10.1111/j.1467-985X.2008.00552.x",
    ),
}
"""Definitions of statistics that only a comparison has, by name."""
