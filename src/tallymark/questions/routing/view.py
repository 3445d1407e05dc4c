"""Routing, as sections: what may be said and the rule behind it; decisions; audits."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from tallymark.render.model import (
    Block,
    Column,
    Heading,
    Rank,
    Says,
    Section,
    Table,
    Text,
    Value,
    table_by,
)
from tallymark.render.records import given_table
from tallymark.render.sentences import FindingWords, Sentence, Tellers
from tallymark.render.subsets import system_against
from tallymark.results import CONFIDENCE, Estimate, Evaluation, Finding, Key, Numbers, ResultTable
from tallymark.selective.guarantees import METHODS
from tallymark.sources.roles import listed, natural

if TYPE_CHECKING:
    from tallymark.questions.routing.decisions import ConfidenceDrift, Decisions
    from tallymark.questions.routing.monitoring import Watched
    from tallymark.questions.routing.routing_file import Routing

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
_SINCE_START = (
    "Alarm: since the start, critical errors are more frequent than {rate:level} among the accepted: "
    "the evidence reached its limit at audit {audit}."
)
_LATELY = (
    "Alarm: critical errors became more frequent than {rate:level} at some point: the detector gave "
    "its alarm at audit {audit}."
)
_MOST_EVIDENCE = math.log(1e6)
"""Evidence above this, or as far below 1, is not written as a number."""
_BEYOND = ("below 0.000001", "above 1,000,000")
MOST_REFUSED = 2
"""Of more prompts what they lack is in the table alone."""
FEW_ERRORS = 3
"""So many of the errors stand on a terminal."""
_RULES = {"all": "all are accepted", "none": "none is accepted", "batch": "found in each batch"}


def _note(finding: Finding, _: Evaluation) -> FindingWords:
    return FindingWords(Sentence(_NOTES[finding.name], **finding.numbers, **finding.texts))


def _people_differ(finding: Finding, _: Evaluation) -> FindingWords:
    value, low, high = (finding.numbers[name] for name in ("value", "low", "high"))
    people = Estimate(key=Key("human_csrate"), value=value, low=low, high=high, n=0)
    return FindingWords(
        Sentence(_NOTES[finding.name], people=people, alpha=finding.numbers["alpha"])
    )


def _one_per_cluster(finding: Finding, _: Evaluation) -> FindingWords:
    """Say how the responses of clusters count."""
    numbers = finding.numbers
    every_cluster = numbers["kept"] == numbers["clusters"]
    weight = "" if every_cluster else _IN_PROPORTION
    if finding.texts["weigh"] == "clusters":
        weight = "; clusters count alike, whatever their size"
    return FindingWords(
        Sentence(
            "tested on one response of {clusters} clusters, drawn with seed {seed:g}{weight}.",
            clusters=Sentence(
                "each of {clusters}" if every_cluster else "{kept} of {clusters}", **numbers
            ),
            seed=numbers["seed"],
            weight=weight,
        )
    )


FINDINGS: Tellers = {
    **dict.fromkeys(_NOTES, _note),
    "people_differ": _people_differ,
    "one_per_cluster": _one_per_cluster,
}


def section(evaluation: Evaluation) -> Section:
    """Show what was certified, for whom, and what it costs."""
    return Section(
        id="routing",
        title="Routing",
        question="Which scores are accepted, and with which guarantee?",
        blocks=tuple(_blocks(evaluation)),
    )


def _blocks(evaluation: Evaluation) -> Iterator[Block]:
    tables = {table.name: table for table in evaluation.tables}
    if "routing" not in tables:
        return
    numbers = evaluation.of(system_against(evaluation, CONFIDENCE)[0])
    options, thresholds = evaluation.options, tables["routing"].records()
    statements = [*_statements(thresholds)]
    if len(statements) > 1 or numbers["accepted"].value:  # else it is the headline
        yield from (Text(statement, "lead", rank=Rank.FIRST) for statement in statements)
    if any(threshold["certified"] == "yes" for threshold in thresholds):
        yield Text(ASSUMED, "lesser", rank=Rank.FIRST)
    yield Text(_critical(evaluation), rank=Rank.FIRST)
    yield _thresholds(thresholds)
    sentences = [*_shares(numbers, float(options["level"]))]
    if "no_worse" in tables:
        sentences.append(_no_worse(tables["no_worse"].records()[0], float(options["delta"])))
    yield Says(tuple(sentences), rank=Rank.FIRST)
    if not numbers["accepted"].value:
        return
    yield Heading(tables["plan"].title, rank=Rank.FIRST)
    yield Says(tuple(_planned(row) for row in tables["plan"].records()), rank=Rank.FIRST)
    yield _costs(tables["cost"], Rank.FIRST if options.get("prices") else Rank.FULL)
    groups, errors = tables["groups"], tables["accepted_errors"]
    if groups.rows:
        keys = {"coverage": "accepted", "CSRate": "accepted_csrate"}
        yield given_table(groups, groups.title, names=2, keys=keys, rank=Rank.FIRST)
    if errors.rows:
        yield replace(given_table(errors, errors.title, rank=Rank.FIRST), most=FEW_ERRORS)
    yield Text(AGAIN, "lesser", rank=Rank.FIRST)


def _statements(thresholds: list[dict[str, Any]]) -> Iterator[Sentence]:
    """The guarantee in one sentence, each once; by prompt where prompts differ."""
    prompts: dict[tuple[bool, str], list[str]] = {}
    for threshold in thresholds:
        promise = threshold["certified"] == "yes", str(threshold["statement"])
        prompts.setdefault(promise, []).append(str(threshold["prompt"]))
    refused = sum(not certified for certified, _ in prompts)
    template = "{names}: {statement}" if len(prompts) > 1 else "{statement}"
    for (certified, statement), names in prompts.items():
        if certified or refused <= MOST_REFUSED:
            yield Sentence(template, names=names, statement=statement)
    if refused > MOST_REFUSED:
        yield Sentence(LACKING)


def _critical(evaluation: Evaluation) -> Sentence:
    """Say which errors are critical: from some points on, or from a share of the range on."""
    options = evaluation.options
    confidence, lambda_ = str(options["confidence"]), options["lambda"]
    if evaluation.data.view == "nominal":
        return Sentence(ANY_LABEL, confidence=confidence)
    if (points := options.get("critical")) is not None:
        words = "An error of {points} or more is critical. Confidence: {confidence}."
        return Sentence(words, points=_counted(points, "point"), confidence=confidence)
    prompts: dict[float, list[str]] = {}
    for prompt, of_prompt in options.get("prompts", {}).items():
        if of_prompt.get("lambda", lambda_) != lambda_:
            prompts.setdefault(float(of_prompt["lambda"]), []).append(prompt)
    of_prompts = {
        f"prompts{i}": Sentence(
            ", of {prompts} from {share:g} % on",
            prompts=listed(sorted(names, key=natural)),
            share=100 * share,
        )
        for i, (share, names) in enumerate(sorted(prompts.items()))
    }
    places = "".join(f"{{{place}}}" for place in of_prompts)
    return Sentence(
        f"An error is critical from {{share:g}} % of the score range on{places}. "
        "Confidence: {confidence}.",
        share=100 * float(lambda_),
        confidence=confidence,
        **of_prompts,
    )


def _counted(number: float, noun: str) -> Sentence:
    """Write how many, of one or of several."""
    return Sentence(f"{{number:g}} {noun}" + "s" * (number != 1), number=number)


def _thresholds(thresholds: list[dict[str, Any]]) -> Table:
    def accept(row: dict[str, Any]) -> Value:
        # a threshold is no estimate: rounded it would accept other responses
        words = "confidence {rule} {tau:exact}"
        exact = Sentence(words, rule=row["rule"], tau=float(row["threshold"] or 0))
        return _RULES.get(row["rule"], str(exact))

    def errors(row: dict[str, Any]) -> Value:
        k, n = int(row["critical errors"] or 0), int(row["accepted"] or 0)
        return str(Sentence("{k} of {n}", k=k, n=n))

    columns = [
        (Column(""), lambda row: str(row["prompt"])),
        (Column("accept"), accept),
        (Column("coverage"), lambda row: _share(row["coverage"] or 0, "percent")),
        (Column("critical errors"), errors),
        (Column("bound"), lambda row: _share(row["upper bound"], "tenths")),
    ]
    if any(row["labels needed"] for row in thresholds):
        columns.append((Column("labels needed"), lambda row: row["labels needed"] or None))
    return table_by("thresholds", "Thresholds", thresholds, *columns, rank=Rank.FIRST)


def _share(share: float | None, style: str) -> str | None:
    return None if share is None else str(Sentence(f"{{share:{style}}}", share=float(share)))


def _shares(numbers: Numbers, level: float) -> Iterator[Sentence]:
    """Say how much is accepted and how much of it is wrong, with people beside it."""
    if not numbers["accepted"].value:
        return
    shares = {"accepted": numbers["accepted"], "rate": numbers["accepted_csrate"]}
    clauses = [
        "Accepted: {accepted:percent} of the calibration responses",
        "critical errors among them {rate:percent}",
    ]
    if "human_csrate" in numbers:
        shares["people"] = numbers["human_csrate"]
        clauses.append("two people differ by as much on {people:percent}")
        if "human_csrate[accepted]" in numbers:
            shares["on_accepted"] = numbers["human_csrate[accepted]"]
            clauses[-1] += ", on {on_accepted:percent} of the accepted"
    if "excess_csrate" in numbers:
        shares["excess"] = numbers["excess_csrate"]
        clauses.append("the system's rate less a second rater's {excess:percent}, one-sided bounds")
    yield Sentence(f"{'; '.join(clauses)} ({{level:level}} intervals).", level=level, **shares)


def _no_worse(row: dict[str, Any], delta: float) -> Sentence:
    """Say whether the system is shown to be no worse than a second rater."""
    bound, margin = row["upper bound"], float(row["margin"] or 0)
    claim = Sentence(
        "to be no worse than rater {rater} where scores are accepted", rater=str(row["rater"])
    )
    if bound is None:
        return Sentence(
            "Not shown {claim}: no accepted response has that rater's score.", claim=claim
        )
    return Sentence(
        ("Shown" if bound < margin else "Not shown")
        + " {claim}: the rate of critical errors, less the rater's, is at most {bound:tenths} on "
        "{n:responses} (exact one-sided bound, level {level:level}); the margin is {margin:level}.",
        claim=claim,
        bound=float(bound),
        n=int(row["responses"] or 0),
        level=1 - delta,
        margin=margin,
    )


def _planned(row: dict[str, Any]) -> Sentence:
    number = row["number"]
    return Sentence(
        "{what}: {number} {meaning}",
        what=str(row["what"]),
        number=number if isinstance(number, int | float) else "-",
        meaning=str(row["meaning"]),
    )


def _costs(costs: ResultTable, rank: Rank) -> Table:
    """Work and prices; the share of the work that is saved as shares are written elsewhere."""
    table = given_table(costs, costs.title, rank=rank)
    rows = [
        (*row[:-1], _share(float(costs.rows[i][-1] or 0), "tenths"))
        if row[0] == WORK_SAVED
        else row
        for i, row in enumerate(table.rows)
    ]
    return replace(table, rows=tuple(rows))


def lacking_prompts(routing: "Routing") -> Iterator[Sentence]:
    """Name the prompts without a certificate, where others have one."""
    lacking = [str(t.prompt) for t in routing.thresholds if not t.certified]
    if routing.by_prompt and lacking and routing.certified:
        yield Sentence(
            "Not certified: {lacking} of {every} prompts ({prompts}); their responses go to people.",
            lacking=len(lacking),
            every=len(routing.thresholds),
            prompts=lacking,
        )


def decisions_section(decisions: "Decisions", routing: "Routing") -> Section:
    """Show how many responses are accepted, and why the others are not."""
    reasons = table_by(
        "reasons",
        "",
        decisions.counts().items(),
        (Column("n", numeric=True), lambda pair: pair[1]),
        (Column("reason"), lambda pair: pair[0]),
        names=0,
        rank=Rank.FIRST,
    )
    blocks: list[Block] = [
        Text(_accepted(decisions), rank=Rank.FIRST),
        Text(routing.statement, rank=Rank.FIRST),
        reasons,
        *_drift(decisions.shifts),
    ]
    if any(drift.large for drift in decisions.shifts.values()):
        blocks.append(Text(UNLIKE, "warning", rank=Rank.FIRST))
    return Section(
        id="decisions",
        title="Decisions",
        question="Which of these scores are accepted?",
        blocks=tuple(blocks),
    )


def decision_sentences(decisions: "Decisions") -> Iterator[Sentence]:
    """Say how many responses are accepted, and how often each reason was given."""
    yield _accepted(decisions)
    for reason, times in decisions.counts().items():
        yield Sentence("  {times}: {reason}", times=times, reason=reason)


def _accepted(decisions: "Decisions") -> Sentence:
    n, accepted = decisions.accepted.size, int(decisions.accepted.sum())
    return Sentence(
        "{n:responses}: {accepted} accepted ({share:tenths}), {left} to people.",
        n=n,
        accepted=accepted,
        share=accepted / max(n, 1),
        left=n - accepted,
    )


def audits_section(watched: "Watched") -> Section:
    """Show whether the certificate still holds, and what speaks for or against it."""
    rows = []
    for name, watch in (("since the start", watched.since_start), ("lately", watched.lately)):
        # where it reached the limit, it may have fallen since
        highest = float(watch.log_evidence.max())
        number = abs(highest) < _MOST_EVIDENCE
        evidence = math.exp(highest) if number else _BEYOND[highest > 0]
        alarm = Sentence(
            "alarm at audit {audit}" if watch.alarm else "no alarm", audit=watch.alarm or 0
        )
        rows.append((name, evidence, float(round(math.exp(watch.log_limit))), str(alarm)))
    titles = ("too many", "highest evidence", "limit", "")
    return Section(
        id="audits",
        title="Audits",
        question="Does the certificate still hold?",
        blocks=(
            *(Text(words, rank=Rank.FIRST) for words in audit_sentences(watched)),
            _first_table("watches", titles, rows),
            *(Text(words, "lesser", rank=Rank.FIRST) for words in _about_audits(watched)),
            *_drift(watched.drifts),
        ),
    )


def audit_sentences(watched: "Watched") -> Iterator[Sentence]:
    """Say whether the certificate still holds, and what was seen."""
    yield from _alarms(watched)
    rate = Estimate(
        key=Key("accepted_csrate"),
        value=watched.errors / watched.audited,
        low=watched.low,
        high=watched.high,
        n=watched.audited,
    )
    yield Sentence(
        "{errors} among {n} audited: {rate:percent}; {limit}.",
        errors=_counted(watched.errors, "critical error"),
        n=watched.audited,
        rate=rate,
        limit=Sentence(METHODS[watched.method].watched, rate=round(watched.rate, 4)),
    )
    if watched.valid:
        guaranteed = watched.method != "dev_zero"
        subject = "certificate" if guaranteed else "threshold, which has no guarantee"
        yield Sentence("Nothing speaks against the {subject}.", subject=subject)


def _alarms(watched: "Watched") -> Iterator[Sentence]:
    """Say what speaks against the certificate."""
    for words, watch in ((_SINCE_START, watched.since_start), (_LATELY, watched.lately)):
        if not watch.valid:
            yield Sentence(words, rate=round(watched.rate, 4), audit=watch.alarm)
    for name, drift in watched.drifts.items():
        if drift.large:
            yield Sentence(
                "Alarm: the {name}s are not like those of the calibration (PSI {psi}): the "
                "certificate is not for such responses.",
                name=name,
                psi=drift.psi.value,
            )


def _about_audits(watched: "Watched") -> Iterator[Sentence]:
    """Say how the watches differ, and what the audits were where it matters."""
    yield Sentence(
        "Since the start: the chance of a false alarm, ever, is delta at most; slow to see a change "
        "after good times. Lately: quick; while the promise is kept, a false alarm comes after "
        "{length} audits on average, or later.",
        length=watched.run_length,
    )
    if watched.clusters:
        yield Sentence(
            "{audits} audits come from {clusters} clusters, such as candidates: false alarms are "
            "then more frequent than said. Audit one response of each.",
            audits=watched.audited,
            clusters=watched.clusters,
        )
    if watched.not_accepted:
        yield Sentence(
            "Left out: {n:responses} that the routing file does not accept.", n=watched.not_accepted
        )


def _drift(drifts: Mapping[str, "ConfidenceDrift"]) -> Iterator[Table]:
    """How far confidences and scores are from those of the calibration."""
    rows = []
    for name, drift in drifts.items():
        size = "some" if drift.some else "little or none"
        if drift.large:
            size = "not like the calibration"
        psi, ks = (str(Sentence("{p:p}", p=shift.p)) for shift in drift)
        rows.append((name, drift.psi.value, psi, drift.ks.value, ks, size))
    if rows:
        titles = ("shift among the accepted", "PSI", "p", "KS", "p", "")
        yield _first_table("drift", titles, rows)


def _first_table(name: str, titles: tuple[str, ...], rows: Sequence[tuple[Value, ...]]) -> Table:
    columns = tuple(map(Column, titles))
    return Table(id=name, caption="", columns=columns, rows=tuple(rows), rank=Rank.FIRST)
