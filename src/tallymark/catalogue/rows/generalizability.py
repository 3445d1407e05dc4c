"""Where the variance of ratings comes from, and what more ratings would bring."""

from functools import partial

from tallymark.catalogue.reasons import BRENNAN
from tallymark.catalogue.row import AT_MOST_ONE, POSITIVE, UNBOUNDED, Row

row = partial(Row, by="generalizability")
_EACH: dict[str, tuple[str, ...]] = {"prompts": (), "traits": ()}
ROWS = (
    row(
        name="variance_component",
        title="Variance component",
        reading="How much of the variance of one rating comes from responses, from raters' severity "
        "and from neither, in squared score points. The responses' part includes differences "
        "between the responses that raters were given. Estimates below 0 are reported, and "
        "count as 0 in coefficients. crossed: raters are known. nested: as if they were not, "
        "so that severity is in the residual. once: every response was read once. prompts "
        "and traits: candidates by raters by prompts or traits. The interval of the raters' part is "
        "for all raters like these; parts these_raters_low and these_raters_high hold that for these "
        "alone. With unequal numbers of ratings, raters weigh by the information on their severity: "
        "those who share more responses weigh more.",
        misreading="An estimate below 0 is no mistake: the true component is near 0.",
        formula="expected mean squares; Henderson's method 3, responses absorbed, where cells "
        "are missing",
        undefined="no response was rated twice, or ratings do not vary",
        reference=BRENNAN,
        aliases=("variance", "sigma2", "variance components"),
        choices={
            "design": ("crossed", "nested", "once", "prompts", "traits"),
            "of": ("response", "rater", "residual"),
        },
        range=UNBOUNDED,
        style="squared",
        better="neither",
    ),
    row(
        name="generalizability",
        title="Generalizability of the mean of n' ratings",
        reading="Reliability for ranking responses that the same raters scored: severity does not "
        "count. 1 is perfect; 0.80 is often required.",
        misreading="Blind to severity: use dependability where the score itself counts, not "
        "the ranking.",
        formula="s2_p / (s2_p + s2_pr / n')",
        undefined="responses do not differ beyond error",
        reference=BRENNAN,
        aliases=("G coefficient", "Erho2", "relative reliability"),
        choices={"design": ("crossed", "nested", "prompts", "traits"), "raters": (), **_EACH},
        range=AT_MOST_ONE,
    ),
    row(
        name="dependability",
        title="Dependability of the mean of n' ratings",
        reading="Reliability of the score as it stands, whoever rated it: severity counts as error. "
        "Of crossed raters the interval is for other raters like these, and wide where these are few; "
        "parts these_raters_low and these_raters_high take these for all there are.",
        misreading="Lower than generalizability because severity counts as error. Lower still where "
        "raters read separate piles.",
        formula="s2_p / (s2_p + (s2_r + s2_pr) / n')",
        undefined="responses do not differ beyond error",
        reference=BRENNAN,
        aliases=("Phi", "Phi coefficient", "absolute reliability"),
        choices={"design": ("crossed", "nested", "prompts", "traits"), "raters": (), **_EACH},
        range=AT_MOST_ONE,
    ),
    row(
        name="sem_relative",
        title="Standard error of the mean of n' ratings, severity aside",
        reading="In score points, for comparing responses that the same raters scored.",
        misreading="Leaves severity out: too small for a score read on its own.",
        formula="sqrt(s2_pr / n')",
        undefined="the variance components are undefined",
        reference=BRENNAN,
        aliases=("SEM_rel", "relative error"),
        choices={"design": ("crossed", "nested", "prompts", "traits"), "raters": (), **_EACH},
        range=POSITIVE,
        style="points",
        better="lower",
    ),
    row(
        name="sem_absolute",
        title="Standard error of the mean of n' ratings, severity included",
        reading="In score points: how far a score lies from the mean of all raters like these.",
        misreading="Holds for raters like these: it says nothing about raters trained differently.",
        formula="sqrt((s2_r + s2_pr) / n')",
        undefined="the variance components are undefined",
        reference=BRENNAN,
        aliases=("SEM_abs", "absolute error"),
        choices={"design": ("crossed", "nested", "prompts", "traits"), "raters": (), **_EACH},
        range=POSITIVE,
        style="points",
        better="lower",
    ),
    row(
        name="raters_needed",
        title="Raters needed for a coefficient",
        reading="Ratings per response needed to reach the target; round up. Over several traits or "
        "prompts: with so many the mean of their coefficients reaches it. For dependability of "
        "crossed raters the interval is for other raters like these.",
        misreading="Assumes that further raters are like these and rate independently.",
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
    row(
        name="random_assignment",
        title="Were raters given their responses at random?",
        reading="Compares rater effects from within responses with those that treat responses as "
        "dealt at random. A p (in parts) below .2 says they were not dealt at random. A "
        "larger p says they were only where the share, the variance of the contrast over "
        "that of the effects, is at most .5 (part random). Part all_count is 1 where "
        "responses read once count too.",
        misreading="A large p is no proof of random assignment: read the share too.",
        formula="F = (m - q) / (q (m - 1)) d' V^- d",
        undefined="no two raters share responses, or too few do",
        reference="Hausman (1978), doi:10.2307/1913827",
        aliases=("Hausman test",),
        range=POSITIVE,
        style="plain",
        better="neither",
    ),
)
