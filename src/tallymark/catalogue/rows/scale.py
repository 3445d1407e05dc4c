"""The same scores on other scales, and after recalibration."""

from functools import partial

from tallymark.catalogue.reasons import DOEWES, KOLEN, YANNAKOUDAKIS
from tallymark.catalogue.row import UNBOUNDED, Row

row = partial(Row, by="scale")
ROWS = (
    row(
        name="binned",
        title="The statistic on a coarser scale",
        reading="The statistic after neighbouring points are merged into this many points of equal "
        "width. Quadratic kappa moves most, so it cannot be compared across scales.",
        misreading="Neither better nor worse scoring: the same scores on a coarser scale.",
        formula="statistic of B' O B, B merging point i of K into floor((i + 1/2) m / K)",
        undefined="the merged scores do not vary",
        reference=YANNAKOUDAKIS,
        aliases=("coarser scale",),
        choices={"of": (), "points": ()},
        range=UNBOUNDED,
        style="of",
    ),
    row(
        name="resolved",
        title="The statistic under another resolution rule",
        reading="The statistic with the gold resolved by this rule, on the responses that every "
        "rater scored. A plain mean gives the same as the sum.",
        misreading="No reason to change the rule once the numbers are known.",
        formula="statistic of the gold under the rule and the system at its nearest point",
        undefined="no response was scored by every rater, or the gold does not vary",
        reference=DOEWES,
        aliases=("other resolution",),
        choices={"of": (), "rule": ("first", "higher", "lower", "rounded mean", "sum")},
        range=UNBOUNDED,
        style="of",
    ),
    row(
        name="distance_to_agreement",
        title="Distance from percent agreement over all pass marks",
        reading="How far the coefficient lies below the share of equal decisions, averaged over "
        "every cut of the scale; parts give the largest distance. Small is close to what "
        "people see, but a coefficient must also be low for a system that always decides as "
        "most of the gold does.",
        misreading="Small is not good in itself: percent agreement rewards a system without skill.",
        formula="mean over cuts of percent agreement - coefficient, pass = score >= cut",
        undefined="the coefficient is undefined at a cut",
        reference=YANNAKOUDAKIS,
        aliases=("distance from percent agreement",),
        choices={"of": ()},
        range=(-1.0, 2.0),
        better="neither",
    ),
    row(
        name="recalibrated",
        title="After recalibration",
        reading="What the system would reach with the gold's mean and spread: by a straight line, or "
        "by rising steps that also correct the shape. Each response is recalibrated by a fit "
        "to the other folds; the interval takes these fits as given.",
        misreading="Not what the system does today: its scores would have to be changed this way.",
        formula="linear: mean g + (s_g / s_m)(m - mean m); isotonic: steps, then the same",
        undefined="the system's scores do not vary",
        reference=KOLEN,
        aliases=("after recalibration",),
        choices={"of": (), "by": ("linear", "isotonic")},
        range=UNBOUNDED,
        style="of",
        better="neither",
    ),
    row(
        name="recalibration_gain",
        title="Gain by recalibration",
        reading="Agreement after recalibration minus agreement now: what severity, spread or shape "
        "alone costs although the order of responses is right.",
        misreading="Near 0 does not mean a good system: recalibration cannot correct a wrong order.",
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
