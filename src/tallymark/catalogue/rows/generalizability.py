"""Where the variance of ratings comes from, and what more ratings would bring."""

from tallymark.catalogue.reasons import BRENNAN
from tallymark.catalogue.row import AT_MOST_ONE, POSITIVE, UNBOUNDED, Row

ROWS = (
    Row(
        name="variance_component",
        title="Variance component",
        by="generalizability",
        reading="How much of the variance of one rating comes from the responses, from raters' "
        "severity, and from neither, in squared score points. The responses' holds differences "
        "between the responses that raters were given. Estimates below 0 are kept, and taken "
        "as 0 in coefficients. crossed: raters are known; nested: as if they were not, "
        "severity is then in the residual; once: every response was read once; prompts: "
        "candidates by raters by prompts.",
        misreading="An estimate below 0 is no error: the true component is near 0.",
        formula="expected mean squares; Henderson's method 3, responses absorbed, where cells "
        "are missing",
        undefined="no response was rated twice, or ratings do not vary",
        reference=BRENNAN,
        aliases=("sigma2", "variance components"),
        choices={
            "design": ("crossed", "nested", "once", "prompts"),
            "of": ("response", "rater", "residual"),
        },
        range=UNBOUNDED,
        style="squared",
        better="neither",
    ),
    Row(
        name="generalizability",
        title="Generalizability of the mean of n' ratings",
        by="generalizability",
        reading="Reliability for ranking responses that the same raters scored: severity does "
        "not count. 1 is perfect, 0.80 is often asked for. Intervals are for these raters.",
        misreading="Blind to severity: use dependability where the score itself counts, not "
        "the ranking.",
        formula="s2_p / (s2_p + s2_pr / n')",
        undefined="responses do not differ beyond error",
        reference=BRENNAN,
        aliases=("G coefficient", "Erho2", "relative reliability"),
        choices={"design": ("crossed", "nested", "prompts"), "raters": (), "prompts": ()},
        range=AT_MOST_ONE,
    ),
    Row(
        name="dependability",
        title="Dependability of the mean of n' ratings",
        by="generalizability",
        reading="Reliability of the score as it stands, whoever rated: severity is error too. "
        "Intervals are for these raters.",
        misreading="Lower than generalizability because severity counts as error; raters who "
        "read piles of their own make it lower still.",
        formula="s2_p / (s2_p + (s2_r + s2_pr) / n')",
        undefined="responses do not differ beyond error",
        reference=BRENNAN,
        aliases=("Phi", "Phi coefficient", "absolute reliability"),
        choices={"design": ("crossed", "nested", "prompts"), "raters": (), "prompts": ()},
        range=AT_MOST_ONE,
    ),
    Row(
        name="sem_relative",
        title="Standard error of the mean of n' ratings, severity aside",
        by="generalizability",
        reading="In score points; for comparing responses that the same raters scored.",
        misreading="Leaves severity out: too small for a score that is read on its own.",
        formula="sqrt(s2_pr / n')",
        undefined="the variance components are undefined",
        reference=BRENNAN,
        aliases=("SEM_rel", "relative error"),
        choices={"design": ("crossed", "nested", "prompts"), "raters": (), "prompts": ()},
        range=POSITIVE,
        style="points",
        better="lower",
    ),
    Row(
        name="sem_absolute",
        title="Standard error of the mean of n' ratings, severity included",
        by="generalizability",
        reading="In score points; how far a score lies from that of all raters like these.",
        misreading="For raters like these: it says nothing about raters trained otherwise.",
        formula="sqrt((s2_r + s2_pr) / n')",
        undefined="the variance components are undefined",
        reference=BRENNAN,
        aliases=("SEM_abs", "absolute error"),
        choices={"design": ("crossed", "nested", "prompts"), "raters": (), "prompts": ()},
        range=POSITIVE,
        style="points",
        better="lower",
    ),
    Row(
        name="raters_needed",
        title="Raters needed for a coefficient",
        by="generalizability",
        reading="How many ratings of each response reach the target; round up.",
        misreading="Assumes further raters like these, and ratings given independently.",
        formula="n' = error of one rating / s2_p * target / (1 - target)",
        undefined="responses do not differ beyond error, so no number of ratings reaches the "
        "target",
        reference=BRENNAN,
        aliases=("D study", "number of raters", "Spearman-Brown"),
        choices={
            "design": ("crossed", "nested"),
            "of": ("generalizability", "dependability"),
            "target": (),
        },
        range=POSITIVE,
        style="count",
        better="lower",
    ),
    Row(
        name="random_assignment",
        title="Were raters given their responses at random?",
        by="generalizability",
        reading="Effects of raters from within responses against those that take responses as "
        "dealt at random. A p (in parts) below .2 says they were not; one above says so only "
        "where the share, variance of the contrast over that of the effects, is at most .5 "
        "(part random). Part all_count is 1 where responses read once count too.",
        misreading="A large p is no proof that responses were dealt at random; read the share too.",
        formula="F = (m - q) / (q (m - 1)) d' V^- d",
        undefined="no two raters share responses, or too few do",
        reference="Hausman (1978), doi:10.2307/1913827",
        aliases=("Hausman test",),
        range=POSITIVE,
        style="plain",
        better="neither",
    ),
)
