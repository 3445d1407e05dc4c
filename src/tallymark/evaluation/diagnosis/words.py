"""What the statistics of the diagnosis are, for readers of the results."""

from tallymark.results import Definition

_DOEWES = "Doewes, Kurdhi & Saxena (2023), EDM"
DIAGNOSIS_WORDS: dict[str, Definition] = {
    "stuart_maxwell": Definition(
        name="stuart_maxwell",
        title="Stuart-Maxwell test of equal margins",
        reading="A small p (part `p`) says that the gold and the system do not use the score "
        "points equally often; on two points it is McNemar's test.",
        formula="d' S^- d, chi-squared with rank(S) degrees of freedom",
        reference="Stuart (1955), doi:10.1093/biomet/42.3-4.412; Maxwell (1970), "
        "doi:10.1192/bjp.116.535.651",
        better="neither",
    ),
    "bhapkar": Definition(
        name="bhapkar",
        title="Bhapkar's test of equal margins",
        reading="As Stuart-Maxwell, a little more powerful; nearly equal in large samples.",
        formula="X2 / (1 - X2 / n) of Stuart-Maxwell's X2",
        reference="Bhapkar (1966), doi:10.1080/01621459.1966.10502021",
        better="neither",
    ),
    "qwk_even_position": Definition(
        name="qwk_even_position",
        title="QWK with agreement spread evenly",
        reading="QWK if as many responses agreed, evenly over the score points, and all "
        "disagreements stayed as they are. Far from QWK: the spread of the scores decides it.",
        formula="QWK of the table with n_kk replaced by their mean",
        reference=_DOEWES,
        better="neither",
    ),
    "qwk_lowest_position": Definition(
        name="qwk_lowest_position",
        title="Lowest QWK over placements of the agreement",
        reading="The lowest QWK that the same counts of agreement give at other score points.",
        formula="min of QWK over the orders of n_11 ... n_KK",
        reference=_DOEWES,
        better="neither",
    ),
    "qwk_highest_position": Definition(
        name="qwk_highest_position",
        title="Highest QWK over placements of the agreement",
        reading="The highest QWK that the same counts of agreement give at other score points; on "
        "scales of more than 7 points the highest found, and part `bound` is never exceeded.",
        formula="max of QWK over the orders of n_11 ... n_KK",
        reference=_DOEWES,
        better="neither",
    ),
}
