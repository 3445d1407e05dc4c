"""What a system makes of the length of responses."""

from functools import partial

from tallymark.catalogue.reasons import CHODOROW
from tallymark.catalogue.row import POSITIVE, UNBOUNDED, Row, Variant

row = partial(Row, by="length", reference=CHODOROW)
ROWS = (
    row(
        name="length_correlation",
        title="Correlation with length",
        reading="How closely the system's scores, or people's ratings, follow the length of responses.",
        misreading="High is no fault in itself: longer responses are often better. Compare the system "
        "with people.",
        formula="cor(l, m) of the system, cor(l, mean h) of people",
        undefined="the length, or a score, does not vary",
        short="r with length",
        params={"of": "system"},
        choices={"of": ("system", "human")},
        variants=(
            Variant(
                "system",
                short="r with length",
                gloss="correlation of length and system",
                sets="length:1",
            ),
            Variant(
                "human",
                short="people's r",
                gloss="correlation of length and mean rating",
                sets="length:2",
            ),
        ),
        better="neither",
    ),
    row(
        name="length_partial",
        title="Correlation of error and length at the same true score",
        reading="Above 0, of two equally good responses the longer gets more from the system. Responses "
        "rated twice take rater error out of the true score.",
        misreading="Without responses rated twice, ratings pass for true scores, and part of what is "
        "read as length is quality that the ratings missed.",
        formula="partial correlation of m and l given t, var t = var(mean h) - s_e^2 mean(1/c)",
        undefined="true scores do not vary, or the system follows them as closely as rater error lets "
        "one see",
        short="partial r",
        gloss="of error and length at the same true score, 0 if length does not matter",
        aliases=("partial correlation with length",),
        sets="length:3 policy",
        range=UNBOUNDED,
        values="-1 to 1 in truth; an estimate may leave it",
        better="zero",
    ),
    row(
        name="length_share",
        title="Variance explained by length, over that explained by the system",
        reading="How much of people's ratings length alone explains, as a share of what the system "
        "explains. 1 or more: counting does as well as the system.",
        misreading="Not the share of the system's scores that is due to length: a good system and length "
        "may explain the same, since better responses are longer.",
        formula="r_hl^2 / r_hm^2",
        undefined="the system explains nothing of the ratings, or the length does not vary",
        short="length's share",
        gloss="what length alone explains of people's ratings, beside what the system explains",
        aliases=("explained by length",),
        sets="length:4 policy",
        range=POSITIVE,
        better="lower",
    ),
    row(
        name="length_slope",
        title="Error by length",
        reading="By how many score points the system's error rises with one standard deviation of length.",
        misreading="Not at the same quality: a system that spreads its scores less than people do gives "
        "good, and so long, responses less.",
        formula="cov(m - g, l) / sd(l)",
        undefined="the length does not vary",
        short="error by length",
        gloss="points of error for one standard deviation of length",
        aliases=("error slope on length",),
        sets="length:5 policy",
        range=UNBOUNDED,
        style="points",
        signed=True,
        better="zero",
    ),
)
