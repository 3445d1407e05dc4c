"""Sentences on a routing file: what may be said, what it rests on, and whether it still holds."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from tallymark.render.sentences import FindingWords, Sentence, Tellers
from tallymark.results import Estimate, Evaluation, Finding, Key, Numbers
from tallymark.selective.methods import METHODS
from tallymark.sources.roles import listed, natural

if TYPE_CHECKING:
    from tallymark.questions.routing.artifact import Routing
    from tallymark.questions.routing.watch import Watched

WORK_SAVED = "workload saved"
"""The row of work and prices that holds a share."""
_NOTES = {
    "people_differ": "two people differ by a critical error on {people:percent} of the responses "
    "they both scored; labels like these cannot show that a system errs less often, and alpha is "
    "{alpha:level}: have the labels adjudicated, or state alpha as the rate against one person's "
    "score.",
    "few_labels": "{n} labels are few: they certify {chance:percent} of systems whose rate is "
    "{rate:level}, a quarter of alpha. The promise counts every calibration, also those that certify "
    "nothing; of the rare certificates from few labels, a third and more were unsafe in "
    "simulations. {enough} labels or more make this one worth relying on.",
    "coarse_confidence": "the confidence takes few values ({distinct}): equal confidences are "
    "accepted or left together, so coverage moves in large steps.",
    "prompts_together": "the threshold is for the {prompts} prompts together, in the mixture of the "
    "calibration; a single prompt may have more critical errors: see --by prompt.",
    "no_ids": "no id column is known, so responses of the calibration cannot be distinguished from new ones: "
    "name it with --id.",
}
_IN_PROPORTION = (
    ": clusters differ in size and were kept in proportion to it, so that responses count alike; "
    "--weigh clusters keeps all, for a promise about one response of each"
)
ANY_LABEL = "Any label but that of people is a critical error. Confidence: {confidence}."
ASSUMED = (
    "It holds if the calibration is a random sample of the responses to come, and did not train the "
    "system, tune its prompt, fit its confidence or choose lambda."
)
AGAIN = (
    "Certify again after: a new prompt, rubric or scale; another version of the system or of its "
    "confidence; other candidates; an alarm of tallymark route monitor."
)
LACKING = (
    "Where no threshold can be certified, the table says how many more accepted labels without a "
    "critical error it takes at least. No number helps if too many of the most confident are errors."
)
UNLIKE = (
    "What is accepted here is not like what was in the calibration: the promise is not about it. "
    "Find out why before their scores are used."
)


def _words(finding: Finding, _: Evaluation) -> FindingWords:
    return FindingWords(Sentence(_NOTES[finding.name], **finding.numbers, **finding.texts))


def _people_differ(finding: Finding, _: Evaluation) -> FindingWords:
    value, low, high = (finding.numbers[name] for name in ("value", "low", "high"))
    people = Estimate(key=Key("human_csrate"), value=value, low=low, high=high, n=0)
    return FindingWords(
        Sentence(_NOTES[finding.name], people=people, alpha=finding.numbers["alpha"])
    )


def _drawn(finding: Finding, _: Evaluation) -> FindingWords:
    """Say how the responses of clusters count."""
    numbers = finding.numbers
    alike = numbers["kept"] == numbers["clusters"]
    which = Sentence("each of {clusters}" if alike else "{kept} of {clusters}", **numbers)
    how = "" if alike else _IN_PROPORTION
    if finding.texts["weigh"] == "clusters":
        how = "; clusters count alike, whatever their size"
    return FindingWords(
        Sentence(
            "tested on one response of {which} clusters, drawn with seed {seed:g}{how}.",
            which=which,
            seed=numbers["seed"],
            how=how,
        )
    )


FINDINGS: Tellers = {
    **dict.fromkeys(_NOTES, _words),
    "people_differ": _people_differ,
    "one_per_cluster": _drawn,
}


def partly(routing: "Routing") -> Iterator[Sentence]:
    """Name the prompts without a certificate, where others have one."""
    lacking = [str(each.prompt) for each in routing.thresholds if not each.certified]
    if routing.by_prompt and lacking and routing.certified:
        yield Sentence(
            "Not certified: {lacking} of {every} prompts ({prompts}); their responses go to people.",
            lacking=len(lacking),
            every=len(routing.thresholds),
            prompts=lacking,
        )


def critical(
    lambda_: float, others: Mapping[str, float], confidence: str, points: float | None = None
) -> Sentence:
    """Say which errors are critical: from some points on, or from a share of the range on."""
    if points is not None:
        words = "An error of {points} or more is critical. Confidence: {confidence}."
        return Sentence(words, points=_counted(points, "point"), confidence=confidence)
    prompts: dict[float, list[str]] = {}
    for prompt, share in others.items():
        prompts.setdefault(share, []).append(prompt)
    of_prompts = [
        Sentence(
            ", of {prompts} from {share:g} % on",
            prompts=listed(sorted(names, key=natural)),
            share=100 * share,
        )
        for share, names in sorted(prompts.items())
    ]
    return Sentence(
        "An error is critical from {share:g} % of the score range on{more}. Confidence: {confidence}.",
        share=100 * lambda_,
        more=Sentence("".join(f"{{more{i}}}" for i in range(len(of_prompts))),
                     **{f"more{i}": clause for i, clause in enumerate(of_prompts)}),
        confidence=confidence,
    )  # fmt: skip


def _counted(number: float, what: str) -> Sentence:
    """Write how many, of one or of several."""
    return Sentence(f"{{number:g}} {what}" + "s" * (number != 1), number=number)


def shares(numbers: Numbers, level: float) -> Iterator[Sentence]:
    """Say how much is accepted and how much of it is wrong, with people beside it."""
    if not numbers["accepted"].value:
        return
    clauses = [
        Sentence(
            "Accepted: {share:percent} of the calibration responses", share=numbers["accepted"]
        ),
        Sentence("critical errors among them {rate:percent}", rate=numbers["accepted_csrate"]),
    ]
    if "human_csrate" in numbers:
        people = "two people differ by as much on {all:percent}"
        some = numbers.get("human_csrate[accepted]")
        beside = Sentence(people, all=numbers["human_csrate"])
        if some is not None:
            beside = Sentence(
                "{beside}, on {some:percent} of the accepted", beside=beside, some=some
            )
        clauses.append(beside)
    if "excess_csrate" in numbers:
        excess = numbers["excess_csrate"]
        clauses.append(
            Sentence(
                "the system's rate less a second rater's {excess:percent}, one-sided bounds",
                excess=excess,
            )
        )
    template = "; ".join(f"{{clause{i}}}" for i in range(len(clauses)))
    said = {f"clause{i}": clause for i, clause in enumerate(clauses)}
    yield Sentence(f"{template} ({{level:level}} intervals).", level=level, **said)


def no_worse(rater: str, margin: float, bound: float | None, n: int, delta: float) -> Sentence:
    """Say whether the system is shown to be no worse than a second rater."""
    claim = Sentence("to be no worse than rater {rater} where scores are accepted", rater=rater)
    if bound is None:
        return Sentence(
            "Not shown {claim}: no accepted response has that rater's score.", claim=claim
        )
    return Sentence(
        ("Shown" if bound < margin else "Not shown")
        + " {claim}: the rate of critical errors, less the rater's, is at most {bound:tenths} on "
        "{n:responses} (exact one-sided bound, level {level:level}); the margin is {margin:level}.",
        claim=claim, bound=bound, n=n, level=1 - delta, margin=margin,
    )  # fmt: skip


def decided(n: int, accepted: int) -> Sentence:
    """Say how many responses are accepted."""
    return Sentence(
        "{n:responses}: {accepted} accepted ({share:tenths}), {left} to people.",
        n=n, accepted=accepted, share=accepted / max(n, 1), left=n - accepted,
    )  # fmt: skip


def reasons(counts: Mapping[str, int]) -> Iterator[Sentence]:
    """Say how often each reason was given."""
    for reason, times in counts.items():
        yield Sentence("  {times}: {reason}", times=times, reason=reason)


def alarms(watch: "Watched") -> Iterator[Sentence]:
    """Say what speaks against the certificate."""
    if not watch.since_start.valid:
        yield Sentence(
            "Alarm: since the start, critical errors are more frequent than {rate:level} among the "
            "accepted: the evidence reached its limit at audit {audit}.",
            rate=round(watch.rate, 4),
            audit=watch.since_start.alarm or 0,
        )
    if not watch.lately.valid:
        yield Sentence(
            "Alarm: critical errors became more frequent than {rate:level} at some point: the "
            "detector gave its alarm at audit {audit}.",
            rate=round(watch.rate, 4),
            audit=watch.lately.alarm or 0,
        )
    for name, drift in watch.drifts.items():
        if drift.large:
            yield Sentence(
                "Alarm: the {name}s are not like those of the calibration (PSI {psi}): the "
                "certificate is not for such responses.",
                name=name,
                psi=drift.psi.value,
            )


def audits(watch: "Watched") -> Iterator[Sentence]:
    """Say whether the certificate still holds, and what was seen."""
    yield from alarms(watch)
    seen = Estimate(
        key=Key("accepted_csrate"), value=watch.errors / watch.audited, low=watch.low,
        high=watch.high, n=watch.audited,
    )  # fmt: skip
    yield Sentence(
        "{errors} among {n} audited: {seen:percent}; {limit}.",
        errors=_counted(watch.errors, "critical error"), n=watch.audited, seen=seen,
        limit=Sentence(METHODS[watch.method].watched, rate=round(watch.rate, 4)),
    )  # fmt: skip
    if watch.valid:
        what = "threshold, which has no guarantee" if watch.method == "dev_zero" else "certificate"
        yield Sentence("Nothing speaks against the {what}.", what=what)


def about_audits(watch: "Watched") -> Iterator[Sentence]:
    """Say how the watches differ, and what the audits were where it matters."""
    yield Sentence(
        "Since the start: the chance of a false alarm, ever, is delta at most; slow to see a change "
        "after good times. Lately: quick; while the promise is kept, a false alarm comes after "
        "{length} audits on average, or later.",
        length=watch.run_length,
    )
    if watch.clusters:
        yield Sentence(
            "{audits} audits come from {clusters} clusters, such as candidates: false alarms are "
            "then more frequent than said. Audit one response of each.",
            audits=watch.audited,
            clusters=watch.clusters,
        )
    if watch.not_accepted:
        yield Sentence(
            "Left out: {n:responses} that the routing file does not accept.", n=watch.not_accepted
        )


def to_come(volume: int, whose: str) -> Sentence:
    """Say of how many responses a plan speaks."""
    return Sentence("Among the next {volume} {whose}", volume=volume, whose=whose)


def audited(most: int, sure: float) -> Sentence:
    """Say what a clean audit of the accepted would show."""
    return Sentence(
        "accepted responses, at random; if none is a critical error, at most {most} are left among "
        "the others ({sure:level} sure)",
        most=most,
        sure=sure,
    )


def doubted(sure: float) -> Sentence:
    """Say how sure a bound on the errors to come is."""
    return Sentence("with probability {sure:level}, the certificate's doubt included", sure=sure)


def beforehand(sure: float) -> Sentence:
    """Say that a bound holds for a threshold that was not chosen on these data."""
    return Sentence(
        "with probability {sure:level}, had the threshold been fixed beforehand", sure=sure
    )


def prices(
    volume: int, audit: float, step: float, people: float | None, machine: float, *, double: bool
) -> Sentence:
    """Say what prices rest on: how often two scores differ so far that a third person reads."""
    two = "{people:tenths} of responses scored by two people and " if people is not None else ""
    return Sentence(
        "In all: {volume:responses}. CSEs: critical errors. People score {times}; {audit:level} of "
        "the accepted are read all the same; " + two + "{machine:tenths} of those scored by a person "
        "and the machine differ{step} and go to a third.",
        volume=volume, times="twice" if double else "once", audit=audit, people=people or 0.0,
        machine=machine, step=f" by more than {_counted(step, 'point')}" if step else "",
    )  # fmt: skip
