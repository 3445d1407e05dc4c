"""Routing, as sections: what may be said and the rule behind it; decisions; audits."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from tallymark.questions.routing import say
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
)
from tallymark.render.records import given_table
from tallymark.render.sentences import Sentence
from tallymark.render.subsets import system_against
from tallymark.results import CONFIDENCE, Evaluation
from tallymark.results import ResultTable as Given

if TYPE_CHECKING:
    from tallymark.questions.routing.artifact import Routing
    from tallymark.questions.routing.decisions import ConfidenceDrift, Decisions
    from tallymark.questions.routing.watch import Watched

_MOST = math.log(1e6)
"""Evidence above this, or as far below 1, is not written as a number."""
_BEYOND = ("below 0.000001", "above 1,000,000")
MOST_REFUSED = 2
"""Of more prompts what they lack is in the table alone."""
FEW_ERRORS = 3
"""So many of the errors stand on a terminal."""
_RULES = {"all": "all are accepted", "none": "none is accepted", "batch": "found in each batch"}


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
    options = evaluation.options
    statements = [*_statements(tables["routing"])]
    if len(statements) > 1 or numbers["accepted"].value:  # else it is the headline
        yield from (Text(statement, "lead", rank=Rank.FIRST) for statement in statements)
    if any(row[1] == "yes" for row in tables["routing"].rows):
        yield Text(say.ASSUMED, "lesser", rank=Rank.FIRST)
    by_prompt = {
        p: float(setting["lambda"])
        for p, setting in options.get("prompts", {}).items()
        if "lambda" in setting
    }
    others = {prompt: share for prompt, share in by_prompt.items() if share != options["lambda"]}
    confidence, points = str(options["confidence"]), options.get("critical")
    critical = say.critical(float(options["lambda"]), others, confidence, points)
    nominal = evaluation.data.view == "nominal"
    yield Text(
        Sentence(say.ANY_LABEL, confidence=confidence) if nominal else critical, rank=Rank.FIRST
    )
    yield _thresholds(tables["routing"])
    sentences = [
        *say.shares(numbers, float(options["level"])),
        *_no_worse(tables.get("no_worse"), float(options["delta"])),
    ]
    yield Says(tuple(sentences), rank=Rank.FIRST)
    if not numbers["accepted"].value:
        return
    yield Heading(tables["plan"].title, rank=Rank.FIRST)
    yield Says(tuple(map(_planned, tables["plan"].rows)), rank=Rank.FIRST)
    yield _costs(tables["cost"], Rank.FIRST if options.get("prices") else Rank.FULL)
    groups, errors = tables["groups"], tables["accepted_errors"]
    if groups.rows:
        keys = {"coverage": "accepted", "CSRate": "accepted_csrate"}
        yield given_table(groups, groups.title, names=2, keys=keys, rank=Rank.FIRST)
    if errors.rows:
        yield replace(given_table(errors, errors.title, rank=Rank.FIRST), most=FEW_ERRORS)
    yield Text(say.AGAIN, "lesser", rank=Rank.FIRST)


def _costs(given: Given, rank: Rank) -> Table:
    """Work and prices; the share of the work that is saved as shares are written elsewhere."""
    table = given_table(given, given.title, rank=rank)
    saved = next(row[-1] for row in given.rows if row[0] == say.WORK_SAVED)
    written = str(Sentence("{share:tenths}", share=float(saved or 0)))
    rows = [(*row[:-1], written) if row[0] == say.WORK_SAVED else row for row in table.rows]
    return replace(table, rows=tuple(rows))


def _statements(thresholds: Given) -> Iterator[Sentence]:
    """The guarantee in one sentence, each once; by prompt where prompts differ."""
    place = thresholds.columns.index("statement")
    certified = thresholds.columns.index("certified")
    prompts: dict[tuple[bool, str], list[str]] = {}
    for row in thresholds.rows:
        prompts.setdefault((row[certified] == "yes", str(row[place])), []).append(str(row[0]))
    refused = sum(not yes for yes, _ in prompts)
    for (yes, statement), names in prompts.items():
        if not yes and refused > MOST_REFUSED:
            continue
        template = "{names}: {statement}" if len(prompts) > 1 else "{statement}"
        yield Sentence(template, names=names, statement=statement)
    if refused > MOST_REFUSED:
        yield Sentence(say.LACKING)


def _thresholds(given: Given) -> Table:
    rows: list[tuple[Value, ...]] = []
    for prompt, _, rule, tau, coverage, n, k, upper, needed, _ in given.rows:
        # a threshold is no estimate: rounded it would accept other responses
        exact = Sentence("confidence {rule} {tau:exact}", rule=str(rule), tau=float(tau or 0))
        covered = Sentence("{share:percent}", share=float(coverage or 0))
        errors = Sentence("{k} of {n}", k=int(k or 0), n=int(n or 0))
        accept = _RULES.get(str(rule), str(exact))
        bound = None if upper is None else str(Sentence("{bound:tenths}", bound=float(upper)))
        rows.append((str(prompt), accept, str(covered), str(errors), bound, needed or None))
    titles = ["", "accept", "coverage", "critical errors", "bound", "labels needed"]
    if not any(row[-1] for row in rows):
        titles, rows = titles[:-1], [row[:-1] for row in rows]
    return Table(
        id="thresholds",
        caption="Thresholds",
        columns=tuple(map(Column, titles)),
        rows=tuple(rows),
        rank=Rank.FIRST,
    )


def _no_worse(given: Given | None, delta: float) -> Iterator[Sentence]:
    if given is not None:
        row = dict(zip(given.columns, given.rows[0], strict=True))
        bound = row["upper bound"]
        yield say.no_worse(
            str(row["rater"]), float(row["margin"] or 0), None if bound is None else float(bound),
            int(row["responses"] or 0), delta,
        )  # fmt: skip


def _planned(row: Sequence[str | int | float | None]) -> Sentence:
    what, number, meaning = row
    return Sentence(
        "{what}: {number} {meaning}",
        what=str(what),
        number=number if isinstance(number, int | float) else "-",
        meaning=str(meaning),
    )


def decisions(decided: "Decisions", routing: "Routing") -> Section:
    """Show how many responses are accepted, and why the others are not."""
    counted = tuple((times, reason) for reason, times in decided.counts().items())
    columns = (Column("n", numeric=True), Column("reason"))
    blocks: list[Block] = [
        Text(say.decided(decided.accepted.size, int(decided.accepted.sum())), rank=Rank.FIRST),
        Text(routing.statement, rank=Rank.FIRST),
        Table(id="reasons", caption="", columns=columns, rows=counted, names=0, rank=Rank.FIRST),
        *_drift(decided.shifts),
    ]
    if any(drift.large for drift in decided.shifts.values()):
        blocks.append(Text(say.UNLIKE, "warning", rank=Rank.FIRST))
    return Section(
        id="decisions",
        title="Decisions",
        question="Which of these scores are accepted?",
        blocks=tuple(blocks),
    )


def audits(watched: "Watched") -> Section:
    """Show whether the certificate still holds, and what speaks for or against it."""
    rows = []
    for name, watch in (("since the start", watched.since_start), ("lately", watched.lately)):
        highest = float(
            watch.log_evidence.max()
        )  # where it reached the limit, it may have fallen since
        evidence = math.exp(highest) if abs(highest) < _MOST else _BEYOND[highest > 0]
        alarm = Sentence("alarm at audit {at}" if watch.alarm else "no alarm", at=watch.alarm or 0)
        rows.append((name, evidence, float(round(math.exp(watch.log_limit))), str(alarm)))
    titles = ("too many", "highest evidence", "limit", "")
    watches = Table(
        id="watches",
        caption="",
        columns=tuple(map(Column, titles)),
        rows=tuple(rows),
        rank=Rank.FIRST,
    )
    about = [Text(words, "lesser", rank=Rank.FIRST) for words in say.about_audits(watched)]
    return Section(
        id="audits",
        title="Audits",
        question="Does the certificate still hold?",
        blocks=(
            *(Text(words, rank=Rank.FIRST) for words in say.audits(watched)),
            watches,
            *about,
            *_drift(watched.drifts),
        ),
    )


def _drift(drifts: Mapping[str, "ConfidenceDrift"]) -> Iterator[Table]:
    """How far confidences and scores are from those of the calibration."""
    rows = []
    for name, drift in drifts.items():
        word = (
            "not like the calibration"
            if drift.large
            else "some"
            if drift.some
            else "little or none"
        )
        psi, ks = (str(Sentence("{p:p}", p=shift.p)) for shift in drift)
        rows.append((name, drift.psi.value, psi, drift.ks.value, ks, word))
    titles = ("shift among the accepted", "PSI", "p", "KS", "p", "")
    columns = tuple(map(Column, titles))
    if rows:
        yield Table(id="drift", caption="", columns=columns, rows=tuple(rows), rank=Rank.FIRST)
