"""What a system gives texts that stand in the place of responses."""

from functools import partial

from tallymark.catalogue.reasons import POWERS
from tallymark.catalogue.row import PROPORTION, UNBOUNDED, Row

row = partial(
    Row, by="probes", reference=POWERS, undefined="no response has a score and a score of the probe"
)
ROWS = (
    row(
        name="probe_score",
        title="Mean score of a probe",
        reading="The mean score that the system gives the texts of a probe.",
        misreading="Texts of a probe have no human score: there is no score that they should get but by judgement.",
        formula="mean(m')",
        short="gets",
        gloss="mean score of the probe",
        sets="probes:1",
        range=UNBOUNDED,
        style="points",
        better="neither",
    ),
    row(
        name="probe_change",
        title="Change of score by a probe",
        reading="By how many points the score of a response changes where the probe takes the place of its text.",
        misreading="0 is right for no probe by itself: shuffled sentences may deserve less, and an empty text the lowest score.",
        formula="mean(m' - m)",
        short="change",
        gloss="score of the probe less that of the response",
        aliases=("gain by a probe",),
        sets="probes:2",
        range=UNBOUNDED,
        style="points",
        signed=True,
        better="neither",
    ),
    row(
        name="probe_rises",
        title="Share of scores that rise by a probe",
        reading="How many responses get a higher score, at the nearest point, where the probe takes the place of their text.",
        misreading="Not the chance that a cheat pays: people see most of these texts.",
        formula="P(m' > m)",
        short="rises",
        gloss="share of responses whose score, at the nearest point, is higher",
        aliases=("share that gains by a probe",),
        sets="probes:3",
        range=PROPORTION,
        better="lower",
    ),
)
