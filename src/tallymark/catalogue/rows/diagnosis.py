"""Tests of margins, and where the agreement lies."""

from tallymark.catalogue.reasons import DOEWES
from tallymark.catalogue.row import POSITIVE, Row

ROWS = (
    Row(
        name="stuart_maxwell",
        title="Stuart-Maxwell test of equal margins",
        by="diagnosis",
        reading="A small p (part `p`) says that the gold and the system do not use the score "
        "points equally often; on two points it is McNemar's test.",
        misreading="A large sample makes a trifling difference significant: look at the score "
        "distributions.",
        formula="d' S^- d, chi-squared with rank(S) degrees of freedom",
        undefined="gold and system use only one point",
        reference="Stuart (1955), doi:10.1093/biomet/42.3-4.412; Maxwell (1970), "
        "doi:10.1192/bjp.116.535.651",
        aliases=("McNemar", "marginal homogeneity"),
        range=POSITIVE,
        style="plain",
        better="neither",
    ),
    Row(
        name="bhapkar",
        title="Bhapkar's test of equal margins",
        by="diagnosis",
        reading="As Stuart-Maxwell, a little more powerful; nearly equal in large samples.",
        misreading="A large sample makes a trifling difference significant: look at the score "
        "distributions.",
        formula="X2 / (1 - X2 / n) of Stuart-Maxwell's X2",
        undefined="gold and system use only one point",
        reference="Bhapkar (1966), doi:10.1080/01621459.1966.10502021",
        aliases=("Bhapkar's test",),
        range=POSITIVE,
        style="plain",
        better="neither",
    ),
    Row(
        name="qwk_even_position",
        title="QWK with agreement spread evenly",
        by="diagnosis",
        reading="QWK if as many responses agreed, evenly over the score points, and all "
        "disagreements stayed as they are. Far from QWK: the spread of the scores decides it.",
        misreading="Not a better estimate of QWK: it shows how much the position of the "
        "agreement decides.",
        formula="QWK of the table with n_kk replaced by their mean",
        undefined="the two scores are one and the same point throughout",
        reference=DOEWES,
        aliases=("QWK of even agreement",),
        better="neither",
    ),
    Row(
        name="qwk_lowest_position",
        title="Lowest QWK over placements of the agreement",
        by="diagnosis",
        reading="The lowest QWK that the same counts of agreement give at other score points.",
        misreading="No bound on the QWK of other data: only the placement of the agreement "
        "changes.",
        formula="min of QWK over the orders of n_11 ... n_KK",
        undefined="the two scores are one and the same point throughout",
        reference=DOEWES,
        aliases=("lowest QWK",),
        better="neither",
    ),
    Row(
        name="qwk_highest_position",
        title="Highest QWK over placements of the agreement",
        by="diagnosis",
        reading="The highest QWK that the same counts of agreement give at other score points; "
        "on scales of more than 7 points the highest found, and part `bound` is never "
        "exceeded.",
        misreading="Not a ceiling: people and system stay as they are.",
        formula="max of QWK over the orders of n_11 ... n_KK",
        undefined="the two scores are one and the same point throughout",
        reference=DOEWES,
        aliases=("highest QWK",),
        better="neither",
    ),
)
