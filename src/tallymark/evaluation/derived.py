"""Derived statistics: what is said of people, raters and repeated runs, by name."""

from tallymark.results import Definition

DERIVED: dict[str, Definition] = {
    "human_system": Definition(
        name="human_system",
        title="Agreement of the system with a person",
        reading="The statistic between the system and one rater, averaged over raters, on the "
        "responses that have the system's score and two ratings or more.",
        formula="mean over raters r of s(r, system)",
    ),
    "human_human": Definition(
        name="human_human",
        title="Agreement of people with each other",
        reading="The statistic between two raters, averaged over pairs, on those same responses.",
        formula="mean over rater pairs of s(r, r')",
    ),
    "degradation": Definition(
        name="degradation",
        title="System against people, less people against each other",
        reading="0 or more: the system agrees with a person as well as another person does. "
        "Negative: worse. The interval is of the difference on the same responses.",
        formula="human_system - human_human",
        reference="Williamson, Xi & Breyer (2012), doi:10.1111/j.1745-3992.2011.00223.x",
    ),
    "self_consistency": Definition(
        name="self_consistency",
        title="Consistency of repeated runs",
        reading="exact: how often two runs give the same score; changed: share of responses whose "
        "score is not the same in all runs; icc: reliability of one run; sd: spread of runs in "
        "score points.",
        formula="exact: P(run = run'); changed: share; icc: ICC(1,1) of runs; sd: sqrt(MSW)",
        better="neither",
    ),
    "rater_mean": Definition(
        name="rater_mean",
        title="Mean score of a rater",
        reading="Over all responses the rater scored; raters of different responses may differ.",
        formula="mean x",
        better="neither",
    ),
    "rater_sd": Definition(
        name="rater_sd",
        title="Spread of a rater's scores",
        reading="Standard deviation; a small one means the rater hardly uses the scale.",
        formula="sqrt(sum (x - mean x)^2 / (n - 1))",
        better="neither",
    ),
    "modal_share": Definition(
        name="modal_share",
        title="Share of the most used score",
        reading="How much of a rater's scores fall on a single point; near 1 the rater does not "
        "tell responses apart.",
        formula="max_k share of point k",
        better="neither",
    ),
}
"""Definitions of statistics that are no rows of the catalogue, by name."""
