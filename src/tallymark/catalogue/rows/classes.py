"""Labels: how well two labels are told apart, and how well each of several is found."""

from functools import partial
from typing import Any

from tallymark.accuracy import class_shares, classes
from tallymark.catalogue.reasons import TWO_POINTS
from tallymark.catalogue.row import PROPORTION, Row, Variant

WILSON = "Wilson (1927), doi:10.1080/01621459.1927.10502953, for the interval"
_F1 = (
    "van Rijsbergen (1979), Information Retrieval, 2nd ed., chapter 7; Hand, Christen & Kirielle "
    "(2021), doi:10.1007/s10994-021-05964-1, for the interval; with weights Zou & Donner (2008), "
    "doi:10.1002/sim.3095"
)
_NO_POSITIVE, _NO_NEGATIVE = "no gold is positive", "no gold is negative"
_KIND: dict[str, Any] = {"by": "agreement", "level": "nominal"}
share = partial(Row, **_KIND, range=PROPORTION, interval="wilson")
of_two = partial(share, tallies=("table",), symmetric=False)
of_label = partial(
    share,
    tallies=("cells",),
    params={"label": 0.0},
    symmetric=False,
    settled=lambda points, **_: bool(points.size < 2),
)


def _undefined(why: str) -> dict[str, Any]:
    """Why a number of two labels is undefined, in general and of one tally."""

    def lacks(tally: Any) -> str:
        return why if tally.points.size == 2 else TWO_POINTS

    return {"undefined": f"{why}, or {TWO_POINTS}", "lacks": lacks}


ROWS = (
    of_two(
        name="sensitivity",
        title="Sensitivity (true positive rate)",
        reading="Share of the positive golds that the system calls positive too.",
        misreading="Says nothing of false alarms: a system that calls everything positive reaches 1.",
        formula="TP / (TP + FN)",
        **_undefined(_NO_POSITIVE),
        reference=f"Yerushalmy (1947), doi:10.2307/4586294; {WILSON}",
        short="sensitivity",
        gloss="TPR: share of the positives that it finds",
        aliases=("TPR", "true positive rate", "recall", "recall_score", "hit rate", "power"),
        sets="two_points binary/by_part:-2 binary/leading:-6 binary/brief:-2 binary/comparison:-2 "
        "binary/tested labels_by_group",
        example=("[0, 0, 1, 1, 1], [0, 1, 1, 1, 0]", "0.667"),
        value=classes.sensitivity,
        base=class_shares.by_gold,
    ),
    of_two(
        name="specificity",
        title="Specificity (true negative rate)",
        reading="Share of the negative golds that the system calls negative too.",
        misreading="High wherever negatives abound and are easy: look at the precision too.",
        formula="TN / (TN + FP)",
        **_undefined(_NO_NEGATIVE),
        reference=f"Yerushalmy (1947), doi:10.2307/4586294; {WILSON}",
        short="specificity",
        gloss="TNR: share of the negatives that it leaves",
        aliases=("TNR", "true negative rate", "selectivity"),
        sets="two_points binary/by_part:-1 binary/leading:-5 binary/brief:-1 binary/comparison:-1 "
        "binary/tested labels_by_group",
        example=("[0, 0, 1, 1, 1], [0, 1, 1, 1, 0]", "0.500"),
        value=classes.specificity,
        base=lambda pairs: 1 - class_shares.by_gold(pairs),
    ),
    of_two(
        name="precision",
        title="Precision (positive predictive value)",
        reading="Share of what the system calls positive that people call positive too.",
        misreading="Falls with the prevalence: it does not carry over to data with fewer positives.",
        formula="TP / (TP + FP)",
        **_undefined("the system calls nothing positive"),
        reference=f"Vecchio (1966), doi:10.1056/NEJM196605262742104; {WILSON}",
        short="precision",
        gloss="PPV: share of its positives that are right",
        aliases=("PPV", "positive predictive value", "precision_score"),
        sets="two_points binary/by_part:3 binary/leading:-4",
        example=("[0, 0, 1, 1, 1], [0, 1, 1, 1, 0]", "0.667"),
        value=classes.precision,
        base=class_shares.by_system,
    ),
    of_two(
        name="negative_predictive_value",
        title="Negative predictive value",
        reading="Share of what the system calls negative that people call negative too.",
        misreading="Rises as positives get rare: it does not carry over to data with more positives.",
        formula="TN / (TN + FN)",
        **_undefined("the system calls nothing negative"),
        reference=f"Vecchio (1966), doi:10.1056/NEJM196605262742104; {WILSON}",
        short="NPV",
        gloss="share of its negatives that are right",
        aliases=("NPV",),
        sets="two_points binary/leading:-3",
        example=("[0, 0, 1, 1, 1], [0, 1, 1, 1, 0]", "0.500"),
        value=classes.negative_predictive_value,
        base=lambda pairs: 1 - class_shares.by_system(pairs),
    ),
    Row(
        **_KIND,
        name="f1",
        title="F1",
        reading="Harmonic mean of precision and sensitivity: high only where both are.",
        misreading="Blind to the negatives that were called so; it rises with the prevalence.",
        formula="2 TP / (2 TP + FP + FN)",
        **_undefined("neither gold nor system has a positive"),
        reference=_F1,
        short="F1",
        gloss="harmonic mean of precision and sensitivity",
        aliases=("F1", "f1_score", "F-measure", "Dice"),
        sets="two_points binary/by_part:3 binary/leading:-2",
        example=("[0, 0, 1, 1, 1], [0, 1, 1, 1, 0]", "0.667"),
        value=classes.f1,
        interval="wilson",
        mean=class_shares.of_positives,
        scored=classes.f1_ends,
        tallies=("table",),
        range=PROPORTION,
    ),
    Row(
        **_KIND,
        name="balanced_accuracy",
        title="Balanced accuracy (macro recall)",
        reading="Mean over the labels of the share of golds that the system gives too: rare labels "
        "count as much as common ones. .5 is chance on two labels.",
        misreading="A few responses of a rare label can decide it: look at the counts.",
        formula="mean over labels k of n_kk / n_k.",
        undefined="the gold has one label only",
        reference="Brodersen, Ong, Stephan & Buhmann (2010), doi:10.1109/ICPR.2010.764; Zou & "
        "Donner (2008), doi:10.1002/sim.3095, for the interval",
        short="balanced acc.",
        called="Balanced accuracy",
        gloss="mean of the shares found of each label",
        aliases=("balanced_accuracy_score", "macro recall", "macro_recall"),
        sets="two_points categories binary/leading:-1 nominal/leading:3",
        example=("[0, 0, 1, 1, 1], [0, 1, 1, 1, 0]", "0.583"),
        value=classes.balanced_accuracy,
        interval="wilson",
        mean=class_shares.recalls,
        tallies=("cells",),
        range=PROPORTION,
        symmetric=False,
    ),
    Row(
        **_KIND,
        name="mcc",
        title="Matthews correlation coefficient",
        reading="Correlation of the labels: 1 is perfect, 0 is chance. On two points it is r.",
        misreading="Not a share of anything: .5 is far from half of the labels right.",
        formula="(po - sum_k p_k. p_.k) / sqrt((1 - sum_k p_k.^2) (1 - sum_k p_.k^2))",
        undefined="gold or system has one label throughout",
        reference="Matthews (1975), doi:10.1016/0005-2795(75)90109-9; of several labels Gorodkin "
        "(2004), doi:10.1016/j.compbiolchem.2004.09.006",
        short="MCC",
        gloss="correlation of the labels",
        aliases=("MCC", "matthews_corrcoef"),
        sets="two_points categories binary/leading:-1 nominal/leading:3 chance_corrected",
        example=("[0, 0, 1, 1, 1], [0, 1, 1, 1, 0]", "0.167"),
        value=classes.mcc,
        tallies=("table",),
    ),
    of_two(
        name="positive_rate",
        title="Positive rate (prevalence)",
        reading="gold: share of the responses that people call positive, the prevalence; system: "
        "share that the system does.",
        misreading="Equal rates are no agreement: other responses may be the positive ones.",
        formula="gold: (TP + FN) / n; system: (TP + FP) / n",
        undefined=TWO_POINTS,
        reference=WILSON,
        aliases=("prevalence", "pass rate"),
        variants=(
            Variant(
                "gold",
                short="rate, people",
                gloss="prevalence: share of positives by people",
                sets="two_points binary/leading:4",
            ),
            Variant(
                "system",
                short="rate, system",
                gloss="share of positives by the system",
                sets="two_points binary/leading:4",
            ),
        ),
        params={"of": "gold"},
        choices={"of": ("gold", "system")},
        better="neither",
        example=("[0, 0, 1, 1, 1], [0, 1, 1, 1, 1], of='system'", "0.800"),
        value=classes.positive_rate,
    ),
    of_label(
        name="class_recall",
        title="Recall of a label",
        reading="Share of the golds with this label to which the system gives it too.",
        misreading="Says nothing of how often the system gives the label where people do not.",
        formula="n_kk / n_k.",
        undefined="no gold has this label",
        reference=WILSON,
        sets="categories labels_by_group each_label",
        short="recall",
        aliases=("per-class recall",),
        example=("[1, 1, 2, 3], [1, 2, 2, 3], label=0", "0.5"),
        value=classes.recall_of,
        base=class_shares.label_by_gold,
    ),
    of_label(
        name="class_precision",
        title="Precision of a label",
        reading="Share of the responses given this label by the system whose gold it is.",
        misreading="Falls as the label gets rare: it does not carry over to other mixtures.",
        formula="n_kk / n_.k",
        undefined="the system never gives this label",
        reference=WILSON,
        sets="categories each_label",
        short="precision",
        aliases=("per-class precision",),
        example=("[1, 1, 2, 3], [1, 2, 2, 3], label=1", "0.5"),
        value=classes.precision_of,
        base=class_shares.label_by_system,
    ),
    Row(
        **_KIND,
        name="class_f1",
        title="F1 of a label",
        reading="Harmonic mean of precision and recall of a label: high only where both are.",
        misreading="Rises as the label gets common: compare it within one data set only.",
        formula="2 n_kk / (n_k. + n_.k)",
        undefined="neither gold nor system has this label",
        reference=_F1,
        short="F1",
        aliases=("per-class F1",),
        sets="categories each_label",
        example=("[1, 1, 2, 3], [1, 2, 2, 3], label=0", "0.667"),
        value=classes.f1_of,
        interval="wilson",
        mean=class_shares.of_label,
        scored=classes.f1_ends_of,
        settled=lambda points, **_: bool(points.size < 2),
        tallies=("cells",),
        params={"label": 0.0},
        range=PROPORTION,
    ),
    Row(
        **_KIND,
        name="macro_precision",
        title="Macro precision",
        reading="Mean precision over the labels that the system gives: rare ones count as much as "
        "common ones.",
        misreading="Labels that the system never gives are left out, which scikit-learn counts as 0.",
        formula="mean over labels k of n_kk / n_.k",
        undefined="no response has both scores",
        reference="Sokolova & Lapalme (2009), doi:10.1016/j.ipm.2009.03.002",
        short="macro precision",
        aliases=("precision_macro",),
        sets="categories",
        example=("[1, 1, 2, 3], [1, 2, 2, 3]", "0.833"),
        value=classes.macro_precision,
        interval="wilson",
        mean=class_shares.precisions,
        settled=lambda points, **_: bool(points.size < 2),
        tallies=("cells",),
        range=PROPORTION,
        symmetric=False,
    ),
    Row(
        **_KIND,
        name="macro_f1",
        title="Macro F1",
        reading="Mean F1 over the labels that gold or system give: rare ones count as much as "
        "common ones. The micro average of F1, precision and recall is exact agreement.",
        misreading="A few responses of a rare label can decide it: look at the counts.",
        formula="mean over labels k of 2 n_kk / (n_k. + n_.k)",
        undefined="no response has both scores",
        reference="Sokolova & Lapalme (2009), doi:10.1016/j.ipm.2009.03.002",
        short="macro F1",
        gloss="mean F1; micro F1 is exact agreement",
        aliases=("f1_macro",),
        sets="categories nominal/leading:3",
        example=("[1, 1, 2, 3], [1, 2, 2, 3]", "0.778"),
        value=classes.macro_f1,
        settled=lambda points, **_: bool(points.size < 2),
        tallies=("cells",),
        range=PROPORTION,
    ),
)
