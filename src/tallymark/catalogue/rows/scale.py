"""The same scores on other scales, and after recalibration."""

from tallymark.catalogue.reasons import DOEWES, KOLEN, YANNAKOUDAKIS
from tallymark.catalogue.row import UNBOUNDED, Row

ROWS = (
    Row(
        name="binned",
        title="The statistic on a coarser scale",
        by="scale",
        reading="What the same scores would give if neighbouring points were merged into so "
        "many of equal width. Quadratic kappa moves most, so it cannot be compared across "
        "scales.",
        misreading="Not better or worse scoring: the same scores on a coarser scale.",
        formula="statistic of B' O B, B merging point i of K into floor((i + 1/2) m / K)",
        undefined="the merged scores do not vary",
        reference=YANNAKOUDAKIS,
        aliases=("coarser scale",),
        choices={"of": (), "points": ()},
        range=UNBOUNDED,
        style="of",
    ),
    Row(
        name="resolved",
        title="The statistic under another resolution rule",
        by="scale",
        reading="What the same ratings and system would give if the gold were resolved so, on "
        "the responses that every rater scored. A plain mean gives what the sum gives.",
        misreading="No reason to change the rule after the numbers are seen.",
        formula="statistic of the gold under the rule and the system at its nearest point",
        undefined="no response was scored by every rater, or the gold does not vary",
        reference=DOEWES,
        aliases=("other resolution",),
        choices={"of": (), "rule": ("first", "higher", "lower", "rounded mean", "sum")},
        range=UNBOUNDED,
        style="of",
    ),
    Row(
        name="distance_to_agreement",
        title="Distance from percent agreement over all pass marks",
        by="scale",
        reading="How far the coefficient lies below the share of equal decisions, on average "
        "over every cut of the scale; parts tell the largest. Small is close to what people "
        "see, but a coefficient must also be low for a system that always decides as most of "
        "the gold does.",
        misreading="Small is not good in itself: percent agreement rewards a system without skill.",
        formula="mean over cuts of percent agreement - coefficient, pass = score >= cut",
        undefined="the coefficient is undefined at a cut",
        reference=YANNAKOUDAKIS,
        aliases=("distance from percent agreement",),
        choices={"of": ()},
        range=(-1.0, 2.0),
        better="neither",
    ),
    Row(
        name="recalibrated",
        title="After recalibration",
        by="scale",
        reading="What the system would reach if its scores were given the gold's mean and "
        "spread: by a straight line, or by rising steps that also mend the shape. Each "
        "response is recalibrated by a fit to the other folds; the interval takes these fits "
        "as given.",
        misreading="Not what the system does today: the scores would have to be changed so.",
        formula="linear: mean g + (s_g / s_m)(m - mean m); isotonic: steps, then the same",
        undefined="the system's scores do not vary",
        reference=KOLEN,
        aliases=("after recalibration",),
        choices={"of": (), "by": ("linear", "isotonic")},
        range=UNBOUNDED,
        style="of",
        better="neither",
    ),
    Row(
        name="recalibration_gain",
        title="Gain by recalibration",
        by="scale",
        reading="Agreement after recalibration less agreement as it is: what was lost by "
        "severity, spread or shape alone, although the order of responses was right.",
        misreading="About 0 does not mean a good system: recalibration cannot mend a wrong order.",
        formula="s(recalibrated) - s(as it is)",
        undefined="the system's scores do not vary",
        reference=KOLEN,
        aliases=("calibration loss",),
        choices={"of": (), "by": ("linear", "isotonic")},
        range=(-2.0, 2.0),
        style="of",
        better="neither",
    ),
)
