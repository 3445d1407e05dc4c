"""Tests of margins, and where the agreement lies."""

from functools import partial

from tallymark.catalogue.reasons import DOEWES
from tallymark.catalogue.row import POSITIVE, Row

row = partial(Row, by="diagnosis", better="neither")
ROWS = (
    row(
        name="stuart_maxwell",
        title="Stuart-Maxwell test of equal margins",
        reading="A small p (part p) says that the gold and the system do not use the score points "
        "equally often. On two points it is McNemar's test.",
        misreading="In a large sample a trivial difference is significant: look at the score "
        "distributions.",
        formula="d' S^- d, chi-squared with rank(S) degrees of freedom",
        undefined="gold and system use only one point",
        reference="Stuart (1955), doi:10.1093/biomet/42.3-4.412; Maxwell (1970), "
        "doi:10.1192/bjp.116.535.651",
        aliases=("McNemar", "marginal homogeneity"),
        range=POSITIVE,
        style="plain",
    ),
    row(
        name="bhapkar",
        title="Bhapkar's test of equal margins",
        reading="Like Stuart-Maxwell, slightly more powerful; nearly equal in large samples.",
        misreading="In a large sample a trivial difference is significant: look at the score "
        "distributions.",
        formula="X2 / (1 - X2 / n) of Stuart-Maxwell's X2",
        undefined="gold and system use only one point",
        reference="Bhapkar (1966), doi:10.1080/01621459.1966.10502021",
        aliases=("Bhapkar's test",),
        range=POSITIVE,
        style="plain",
    ),
    row(
        name="qwk_even_position",
        title="QWK with agreement spread evenly",
        reading="QWK if as many responses agreed, spread evenly over the score points, and all "
        "disagreements stayed as they are. Far from QWK, the position of the agreement "
        "decides it.",
        misreading="Not a better estimate of QWK: it shows how much the position of the agreement "
        "matters.",
        formula="QWK of the table with n_kk replaced by their mean",
        undefined="the two scores are one and the same point throughout",
        reference=DOEWES,
        aliases=("QWK of even agreement",),
    ),
    row(
        name="qwk_lowest_position",
        title="Lowest QWK over placements of the agreement",
        reading="The lowest QWK that the same counts of agreement would give at other score points.",
        misreading="Not a bound on the QWK of other data: only the placement of the agreement changes.",
        formula="min of QWK over the orders of n_11 ... n_KK",
        undefined="the two scores are one and the same point throughout",
        reference=DOEWES,
        aliases=("lowest QWK",),
    ),
    row(
        name="qwk_highest_position",
        title="Highest QWK over placements of the agreement",
        reading="The highest QWK that the same counts of agreement would give at other score points. "
        "On scales of more than 7 points it is the highest found, and part bound is never "
        "exceeded.",
        misreading="Not a ceiling: people and system stay as they are.",
        formula="max of QWK over the orders of n_11 ... n_KK",
        undefined="the two scores are one and the same point throughout",
        reference=DOEWES,
        aliases=("highest QWK",),
    ),
)
