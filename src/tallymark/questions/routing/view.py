"""Routing on a terminal: the sentence that may be said, the rule, what follows from it."""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tallymark.render.facts import intervals, responses
from tallymark.render.layout import Line, paragraph, table
from tallymark.render.literal import literal
from tallymark.render.numbers import count, percent, rounded, with_interval
from tallymark.render.rows import MOST_ROWS, more
from tallymark.render.subsets import system_against
from tallymark.results import CONFIDENCE, Estimate, Evaluation, Key, Table
from tallymark.sources.roles import listed

if TYPE_CHECKING:
    from tallymark.questions.routing.decisions import Decisions, Drift
    from tallymark.questions.routing.watch import Watched

Cell = str | int | float | None
_TOLD = 5
"""So many accepted critical errors are shown."""
_MOST = math.log(1e6)
"""Evidence above this is not told as a number."""
_LIMITS = {
    "ltt": "promised {:.3g} at most",
    "batch": "promised {:.3g} at most on average; every response given is taken as accepted in its batch",
    "crc": "{:.3g} is alpha, which counts submitted responses, at the coverage of the calibration",
    "dev_zero": "watched for {:.3g}, the bound that was told; not a guarantee",
}
_RULES = {"all": "all are accepted", "none": "none is accepted", "batch": "found in each batch"}
_ASSUMED = (
    "It holds if the calibration is a random sample of the responses to come, and did not train the "
    "system, tune its prompt, fit its confidence or choose lambda."
)


def route_lines(evaluation: Evaluation, width: int) -> list[Line]:
    """What was certified, for whom, and what it costs."""
    tables = {one.name: one for one in evaluation.tables}
    whole = system_against(evaluation, CONFIDENCE)[0]
    numbers = evaluation.of(whole)
    lines = _statements(evaluation, tables["routing"], width)
    lines += _thresholds(tables["routing"], width)
    lines += [Line("")]
    lines += _shares(evaluation, numbers, width)
    lines += _no_worse(tables.get("no_worse"), float(evaluation.options["delta"]), width)
    lines += [*_diagnosed(evaluation, width), Line("")]
    if not numbers["accepted"].value:
        return lines
    lines += _plain(tables["plan"], width)
    lines += _plain(tables["cost"], width)
    lines += _groups(evaluation, tables["groups"], width)
    lines += _errors(tables["accepted_errors"], width)
    retest = (
        "Certify again after: a new prompt, rubric or scale; another version of the system or of "
    )
    retest += "its confidence; other candidates; an alarm of `tallymark route monitor`."
    return [*lines, *paragraph(retest, width, weight="lesser")]


def _statements(evaluation: Evaluation, thresholds: Table, width: int) -> list[Line]:
    """The guarantee in one sentence, each once."""
    place = thresholds.columns.index("statement")
    said: dict[str, list[str]] = {}
    for row in thresholds.rows:
        said.setdefault(str(row[place]), []).append(literal(str(row[0])))
    lines = []
    for statement, prompts in said.items():
        whom = f"{', '.join(prompts)}: " if len(said) > 1 else ""
        lines += paragraph(f"{whom}{statement}", width, indent="  ", weight="heading")
    if any(row[1] == "yes" for row in thresholds.rows):
        lines += paragraph(_ASSUMED, width, weight="lesser")
    share = float(evaluation.options["lambda"])
    critical = f"An error is critical from {100 * share:g} % of the score range on"
    critical += f"{_own_shares(evaluation)}. Confidence: "
    critical += f"{literal(str(evaluation.options['confidence']))}."
    return [*lines, *paragraph(critical, width), Line("")]


def _own_shares(evaluation: Evaluation) -> str:
    """Prompts for which an error is critical from another share of the range on."""
    whose: dict[float, list[str]] = {}
    for prompt, own in evaluation.options.get("prompts", {}).items():
        if own.get("lambda", evaluation.options["lambda"]) != evaluation.options["lambda"]:
            whose.setdefault(float(own["lambda"]), []).append(literal(str(prompt)))
    said = [
        f"of {listed(sorted(whose[share]))} from {100 * share:g} % on" for share in sorted(whose)
    ]
    return "".join(f", {one}" for one in said)


def _thresholds(found: Table, width: int) -> list[Line]:
    cells = []
    for row in found.rows[:MOST_ROWS]:
        prompt, certified, rule, tau, coverage, n, k, upper, needed, _ = row
        # a threshold is no estimate: rounded it would accept other responses
        accept = _RULES.get(str(rule)) or f"confidence {rule} {float(tau or 0):.12g}"
        bound = "-" if upper is None else rounded(float(upper), 3, coefficient=True)
        covered = f"{rounded(100 * float(coverage or 0), 0)} %"
        errors = f"{_number(k)} of {_number(n)}"
        cells.append([literal(str(prompt)), str(certified), accept, covered, errors, bound])
        cells[-1].append(_number(needed) if needed else "")
    headings = ["", "certified", "accept", "coverage", "critical errors", "bound", "labels needed"]
    if not any(row[-1] for row in cells):
        headings, cells = headings[:-1], [row[:-1] for row in cells]
    return [*table(headings, cells, width), *more(len(found.rows) - MOST_ROWS)]


def _shares(evaluation: Evaluation, numbers: Mapping[str, Estimate], width: int) -> list[Line]:
    """Coverage and critical errors with their intervals, and people beside them."""
    told = [f"Accepted: {percent(numbers['accepted'])} of the calibration responses"]
    told.append(f"critical errors among them {percent(numbers['accepted_csrate'])}")
    people = numbers.get("human_csrate")
    if people is not None:
        beside = f"two people differ by as much on {percent(people)}"
        some = numbers.get("human_csrate[accepted]")
        beside += "" if some is None else f", on {percent(some)} of the accepted"
        told.append(beside)
    excess = numbers.get("excess_csrate")
    if excess is not None:
        told.append(f"system less a second rater {with_interval(excess)}, one-sided bounds")
    text = "; ".join(told)
    return paragraph(f"{text} ({intervals(evaluation)}).", width, indent="  ")


def _no_worse(found: Table | None, delta: float, width: int) -> list[Line]:
    """Whether the system is shown to be no worse than a second rater, in one sentence."""
    if found is None:
        return []
    rater, shown, margin, *_, bound, n = found.rows[0]
    claim = f"to be no worse than rater {literal(str(rater))} where scores are accepted"
    if bound is None:
        return paragraph(f"Not shown {claim}: no accepted response has that rater's score.", width,
                         indent="  ")  # fmt: skip
    text = (
        f"{'Shown' if shown == 'yes' else 'Not shown'} {claim}: the rate of critical errors, less "
    )
    text += f"the rater's, is at most {rounded(float(bound), 3, coefficient=True)} on "
    text += f"{responses(int(n or 0))} (exact one-sided bound, level {1 - delta:g}); the margin is {margin:g}."
    return paragraph(text, width, indent="  ")


def _diagnosed(evaluation: Evaluation, width: int) -> list[Line]:
    lines = []
    for one in evaluation.diagnoses:
        lines += paragraph(f"{literal(one.words)} {literal(one.advice)}", width, indent="  ")
    return lines


def _plain(found: Table, width: int) -> list[Line]:
    """A table of words and numbers with its note."""
    cells = [[literal(str(row[0])), *(_number(cell) for cell in row[1:])] for row in found.rows]
    lines = [Line(found.title, "heading")]
    if found.name == "plan":  # its words are long
        for row in found.rows:
            said = f"{row[0]}: {_number(row[1])} {literal(str(row[2]))}"
            lines += paragraph(said, width, indent="  ")
        return [*lines, Line("")]
    lines += table(["", *found.columns[1:]], cells, width)
    return [*lines, *paragraph(literal(found.note), width, weight="lesser"), Line("")]


def _groups(evaluation: Evaluation, found: Table, width: int) -> list[Line]:
    rows = found.rows[:MOST_ROWS]
    if not rows:
        return []
    cells = [
        [
            literal(str(value)), count(int(n or 0)),
            _share("accepted", *shares[:3]), _share("accepted_csrate", *shares[3:]),
        ]
        for _, value, n, *shares in rows
    ]  # fmt: skip
    title = f"{found.title}, {intervals(evaluation)}"
    lines = [Line(title, "heading"), *table(["", "n", "coverage", "CSRate"], cells, width)]
    return [*lines, *more(len(found.rows) - MOST_ROWS), Line("")]


def _share(name: str, value: Cell, low: Cell, high: Cell) -> str:
    if not isinstance(value, float) or not isinstance(low, float) or not isinstance(high, float):
        return "-"
    return with_interval(Estimate(key=Key(name), value=value, low=low, high=high, n=0))


def _errors(found: Table, width: int) -> list[Line]:
    if not found.rows:
        return []
    cells = [[_number(cell) for cell in row] for row in found.rows[:_TOLD]]
    title = f"{found.title} ({count(len(found.rows))})"
    lines = [Line(title, "heading"), *table([*found.columns], cells, width)]
    left = len(found.rows) - _TOLD
    return [
        *lines,
        *([Line(f"... and {count(left)} more", "lesser")] if left > 0 else []),
        Line(""),
    ]


def _number(cell: Cell) -> str:
    """Write a cell: counts whole, other numbers with three significant digits."""
    if cell is None:
        return "-"
    if isinstance(cell, str):
        return literal(cell)
    if float(cell).is_integer():
        return count(int(cell))
    places = 3 if abs(cell) < 1 else 2 if abs(cell) < 1000 else 0
    return rounded(float(cell), places)


def decision_lines(found: "Decisions", width: int) -> list[Line]:
    """How many responses were accepted, and why the others were not."""
    n, accepted = found.accepted.size, int(found.accepted.sum())
    share = rounded(100 * accepted / max(n, 1), 1)
    said = (
        f"{responses(n)}: {count(accepted)} accepted ({share} %), {count(n - accepted)} to people."
    )
    lines = paragraph(said, width, weight="heading")
    cells = [[count(times), literal(reason)] for reason, times in found.counts().items()]
    headings = ["n", "reason"]
    lines += [*table(headings, cells[:MOST_ROWS], width, names=0), *more(len(cells) - MOST_ROWS)]
    lines += _drift_lines(found.shifts, width)
    if any(one.large for one in found.shifts.values()):
        said = "These responses are not like those of the calibration: what is said above is not about "
        lines += paragraph(f"{said}them. Find out why before their scores are used.", width,
                           weight="heading")  # fmt: skip
    return lines


def watch_lines(found: "Watched", width: int) -> list[Line]:
    """Whether the certificate still holds, and what speaks for or against it."""
    lines = []
    for alarm in found.alarms:
        lines += paragraph(f"Alarm: {alarm}.", width, indent="  ", weight="heading")
    if found.valid:
        what = "threshold, which has no guarantee" if found.method == "dev_zero" else "certificate"
        said = f"Nothing speaks against the {what}: {responses(found.audited)} audited."
        lines += paragraph(said, width, weight="heading")
    seen = Estimate(
        key=Key("accepted_csrate"), value=found.errors / found.audited, low=found.low, high=found.high,
        n=found.audited,
    )  # fmt: skip
    lines += paragraph(
        f"{count(found.errors)} critical errors among {count(found.audited)} audited: "
        f"{with_interval(seen)}; {_LIMITS[found.method].format(found.rate)}.",
        width,
    )
    cells = []
    for name, watch in (("since the start", found.since_start), ("lately", found.lately)):
        last = float(watch.log_evidence[-1])
        evidence = rounded(math.exp(last), 2) if last < _MOST else "above 1,000,000"
        alarm = f"alarm at audit {count(watch.alarm)}" if watch.alarm else "no alarm"
        cells.append([name, evidence, rounded(math.exp(watch.log_limit), 0), alarm])
    lines += table(["too many", "evidence", "limit", ""], cells, width)
    words = (
        "Since the start: a false alarm, ever, is as rare as delta; slow after good times. Lately: "
    )
    words += f"quick, with a false alarm after {found.run_length:g} audits on average, or later."
    lines += paragraph(words, width, weight="lesser")
    lines += _asides(found, width)
    return [*lines, *_drift_lines(found.drifts, width)]


def _asides(found: "Watched", width: int) -> list[Line]:
    """What the audits were, where it matters."""
    lines = []
    if found.clusters:
        shared = (
            f"{count(found.audited)} audits come from {count(found.clusters)} clusters, such as "
        )
        shared += (
            "candidates: false alarms are then more frequent than said. Audit one response of each."
        )
        lines += paragraph(shared, width)
    if found.not_accepted:
        lines += paragraph(
            f"Left out: {responses(found.not_accepted)} that the routing file does not accept.",
            width,
        )
    return lines


def _drift_lines(drifts: "Mapping[str, Drift]", width: int) -> list[Line]:
    cells = []
    for name, one in drifts.items():
        word = "not like the calibration" if one.large else "some" if one.some else "none seen"
        numbers = [rounded(x, 3) for x in (one.psi.value, one.psi.p, one.ks.value, one.ks.p)]
        cells.append([name, *numbers, word])
    if not cells:
        return []
    headings: Sequence[str] = ["shift of the", "PSI", "p", "KS", "p", ""]
    return [Line(""), *table(headings, cells, width)]
