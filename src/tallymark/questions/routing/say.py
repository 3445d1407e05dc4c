"""Sentences on a routing file: what may be said, what it rests on, and whether it still holds."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from tallymark.questions.routing.artifact import Routing
from tallymark.questions.routing.calibration import Calibration, Terms
from tallymark.questions.routing.watch import Watched
from tallymark.render.sentences import Sentence
from tallymark.results import Estimate, Key, Numbers
from tallymark.selective.certify import part_of
from tallymark.selective.plan import search_labels, search_power
from tallymark.sources.roles import listed

FEW_VALUES = 30
"""A confidence with fewer distinct values is coarse."""
WORTH_TRYING = 0.8
"""Labels are few if they certify a system at a quarter of alpha less often than this."""

_LIMITS = {
    "ltt": "promised {rate} at most",
    "batch": "promised {rate} at most on average; every response given is taken as accepted in its "
    "batch",
    "crc": "{rate} is alpha, which counts submitted responses, at the coverage of the calibration",
    "dev_zero": "watched for {rate}, the bound that was told; not a guarantee",
}
ASSUMED = (
    "It holds if the calibration is a random sample of the responses to come, and did not train the "
    "system, tune its prompt, fit its confidence or choose lambda."
)
AGAIN = (
    "Certify again after: a new prompt, rubric or scale; another version of the system or of its "
    "confidence; other candidates; an alarm of `tallymark route monitor`."
)
UNLIKE = (
    "These responses are not like those of the calibration: what is said above is not about them. "
    "Find out why before their scores are used."
)


def findings(
    found: Calibration, terms: Terms, routing: Routing, people: Sequence[Estimate]
) -> Iterator[Sentence]:
    """Say what a reader must know before the numbers."""
    yield from _drawn(found, terms)
    if people and people[0].value > terms.alpha and terms.method != "dev_zero":
        yield Sentence(
            "two people differ by a critical error on {people:percent} of the responses they both "
            "scored; labels like these cannot show that a system errs less often, and alpha is "
            "{alpha:g} %: have the labels adjudicated, or state alpha as the rate against one "
            "person's score",
            people=people[0],
            alpha=100 * terms.alpha,
        )
    yield from _few_labels(terms, routing)
    distinct = np.unique(found.judged.confidence).size
    if distinct < FEW_VALUES and any(one.grid == "rank" for one in routing.thresholds):
        yield Sentence(
            "the confidence takes only {distinct} {values}: equal confidences are accepted or left "
            "together, so coverage moves in large steps",
            distinct=distinct,
            values="value" if distinct == 1 else "values",
        )
    if routing.thresholds[0].prompt is None and len(routing.prompts) > 1:
        yield Sentence(
            "the threshold is for the {prompts} prompts together, in the mixture of the "
            "calibration; a single prompt may have more critical errors: see --by prompt",
            prompts=len(routing.prompts),
        )
    if not routing.ids:
        yield Sentence(
            "no id column is known, so responses of the calibration cannot be told from new ones: "
            "name it with --id"
        )


def _drawn(found: Calibration, terms: Terms) -> Iterator[Sentence]:
    """Say how the responses of clusters count."""
    if not found.clustered or found.judged.clusters is None:
        return
    clusters, kept = int(np.unique(found.judged.clusters).size), int(found.used.sum())
    which = Sentence(
        "each of {clusters}" if kept == clusters else "{kept} of {clusters}",
        kept=kept,
        clusters=clusters,
    )
    drawn = Sentence(
        "tested on one response of {which} clusters, drawn with seed {seed:g}",
        which=which,
        seed=terms.seed,
    )
    if terms.weigh == "clusters":
        yield Sentence("{drawn}; clusters count alike, whatever their size", drawn=drawn)
    elif kept == clusters:
        yield drawn
    else:
        yield Sentence(
            "{drawn}: clusters differ in size and were kept in proportion to it, so that responses "
            "count alike; --weigh clusters keeps all, for a promise about one response of each",
            drawn=drawn,
        )


def _few_labels(terms: Terms, routing: Routing) -> Iterator[Sentence]:
    """Few labels seldom certify, so much of what they do certify is luck."""
    sizes = [one.total for one in routing.thresholds if one.certified]
    if routing.method != "ltt" or not sizes:
        return
    each = part_of(terms.delta, len(routing.thresholds) if terms.by_prompt else 1, terms.family)
    n, rate = min(sizes), terms.alpha / 4
    chance = search_power(n, n, terms.alpha, each, rate).some
    if chance < WORTH_TRYING:
        yield Sentence(
            "{n} labels are few: they certify {chance:percent} of systems whose rate is {rate:g}, "
            "a quarter of alpha. The promise counts every calibration, also those that certify "
            "nothing; of the rare certificates from few labels, a third and more were unsafe in "
            "simulations. {enough} labels or more make this one worth relying on",
            n=n,
            chance=chance,
            rate=rate,
            enough=round(search_labels(terms.alpha, each, rate, 1.0, WORTH_TRYING)),
        )


def critical(lambda_: float, others: Mapping[str, float], confidence: str) -> Sentence:
    """Say which errors are critical, also of prompts with a share of their own."""
    prompts: dict[float, list[str]] = {}
    for prompt, share in others.items():
        prompts.setdefault(share, []).append(prompt)
    own = [
        Sentence(
            ", of {prompts} from {share:g} % on", prompts=listed(sorted(names)), share=100 * share
        )
        for share, names in sorted(prompts.items())
    ]
    return Sentence(
        "An error is critical from {share:g} % of the score range on{own}. Confidence: {confidence}.",
        share=100 * lambda_,
        own=Sentence("".join(f"{{own{i}}}" for i in range(len(own))),
                     **{f"own{i}": one for i, one in enumerate(own)}),
        confidence=confidence,
    )  # fmt: skip


def shares(numbers: Numbers, level: float) -> Sentence:
    """Say how much is accepted and how much of it is wrong, with people beside it."""
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
            Sentence("system less a second rater {excess}, one-sided bounds", excess=excess)
        )
    template = "; ".join(f"{{clause{i}}}" for i in range(len(clauses)))
    said = {f"clause{i}": one for i, one in enumerate(clauses)}
    return Sentence(f"{template} ({{level:g}} % intervals).", level=100 * level, **said)


def no_worse(rater: str, margin: float, bound: float | None, n: int, delta: float) -> Sentence:
    """Say whether the system is shown to be no worse than a second rater."""
    claim = Sentence("to be no worse than rater {rater} where scores are accepted", rater=rater)
    if bound is None:
        return Sentence(
            "Not shown {claim}: no accepted response has that rater's score.", claim=claim
        )
    return Sentence(
        ("Shown" if bound < margin else "Not shown")
        + " {claim}: the rate of critical errors, less the rater's, is at most {bound:share} on "
        "{n:responses} (exact one-sided bound, level {level:g}); the margin is {margin:g}.",
        claim=claim, bound=bound, n=n, level=1 - delta, margin=margin,
    )  # fmt: skip


def decided(n: int, accepted: int) -> Sentence:
    """Say how many responses are accepted."""
    return Sentence(
        "{n:responses}: {accepted} accepted ({share:tenths}), {left} to people.",
        n=n, accepted=accepted, share=accepted / max(n, 1), left=n - accepted,
    )  # fmt: skip


def alarms(found: Watched) -> Iterator[Sentence]:
    """Say what speaks against the certificate."""
    if not found.since_start.valid:
        yield Sentence(
            "Alarm: critical errors are more frequent than {rate} among the accepted since the "
            "start: the evidence reached its limit at audit {audit}.",
            rate=found.rate,
            audit=found.since_start.alarm or 0,
        )
    if not found.lately.valid:
        yield Sentence(
            "Alarm: critical errors became more frequent than {rate} at some point: the detector "
            "gave its alarm at audit {audit}.",
            rate=found.rate,
            audit=found.lately.alarm or 0,
        )
    for name, drift in found.drifts.items():
        if drift.large:
            yield Sentence(
                "Alarm: the {name}s are not like those of the calibration (PSI {psi}): the "
                "certificate is not for such responses.",
                name=name,
                psi=drift.psi.value,
            )


def audits(found: Watched) -> Iterator[Sentence]:
    """Say whether the certificate still holds, and what was seen."""
    yield from alarms(found)
    if found.valid:
        what = "threshold, which has no guarantee" if found.method == "dev_zero" else "certificate"
        yield Sentence(
            "Nothing speaks against the {what}: {n:responses} audited.", what=what, n=found.audited
        )
    seen = Estimate(
        key=Key("accepted_csrate"), value=found.errors / found.audited, low=found.low,
        high=found.high, n=found.audited,
    )  # fmt: skip
    yield Sentence(
        "{errors} critical errors among {n} audited: {seen}; {limit}.",
        errors=found.errors, n=found.audited, seen=seen,
        limit=Sentence(_LIMITS[found.method], rate=found.rate),
    )  # fmt: skip


def about_audits(found: Watched) -> Iterator[Sentence]:
    """Say how the watches differ, and what the audits were where it matters."""
    yield Sentence(
        "Since the start: a false alarm, ever, is as rare as delta; slow after good times. Lately: "
        "quick, with a false alarm after {length:g} audits on average, or later.",
        length=found.run_length,
    )
    if found.clusters:
        yield Sentence(
            "{audits} audits come from {clusters} clusters, such as candidates: false alarms are "
            "then more frequent than said. Audit one response of each.",
            audits=found.audited,
            clusters=found.clusters,
        )
    if found.not_accepted:
        yield Sentence(
            "Left out: {n:responses} that the routing file does not accept.", n=found.not_accepted
        )
