"""Reference scorers in words and on a terminal: what they are, who beats them, and how to go on."""

from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from pathlib import Path
from shlex import quote

from msgspec.structs import replace

from tallymark.analyses.sections import sections
from tallymark.analyses.summary import DATA, summary
from tallymark.catalogue import texts
from tallymark.questions.comparison.pairs import SystemPair, answers, heading, pairs_of, ranked_by
from tallymark.questions.comparison.papers import systems_table
from tallymark.questions.verdict.matrix import section as matrix
from tallymark.render.layout import Line
from tallymark.render.literal import literal
from tallymark.render.model import Column, Rank, Says, Section, Table, Text
from tallymark.render.numbers import intervals
from tallymark.render.sentences import Sentence, Words, joined
from tallymark.render.subsets import headline_subsets
from tallymark.render.terminal import section_lines
from tallymark.results import Estimate, Evaluation
from tallymark.scorers.models import MODELS
from tallymark.scorers.out_of_fold import FitsToCome
from tallymark.scorers.predictions import DEV_TEST, Baseline, BaselineRun, is_table
from tallymark.sources.resolution import RULES
from tallymark.sources.roles import listed
from tallymark.study.again import command
from tallymark.study.request import fields_of

PURPOSE = (
    "These are reference scorers, trained on the responses at hand to show what a simple model "
    "reaches. They are not a scoring engine: do not score candidates with them."
)
FOR_PAGE = (
    "{names}: reference scorers, trained on these responses to show what a simple model reaches; they are not "
    "a scoring engine"
)
ONE_PROMPT = "No off-topic probes: they are responses to another prompt; name the column of prompts with --prompt."
_SHORT, _MINUTE, _LONG = 10, 60, 90


def announced(work: FitsToCome, models: int, seeds: int) -> Sentence:
    """Say how much there is to do, before it begins."""
    seconds = work.seconds / work.workers()
    time: Words = "some seconds"
    if seconds >= _LONG:
        time = Sentence("about {n:about} minutes", n=seconds / _MINUTE)
    elif seconds >= _SHORT:
        time = Sentence("about {n:about} seconds", n=seconds)
    return Sentence(
        "{fits} to come, {time}: {models}, {parts}, 5 folds{rules}{seeds}.",
        fits=_number(work.fits, "fit"),
        time=time,
        models=_number(models, "reference scorer"),
        parts=_number(work.parts, "prompt"),
        rules="" if work.rules == 1 else Sentence(", {n} rules", n=work.rules),
        seeds="" if seeds == 1 else Sentence(", {n} seeds", n=seeds),
    )


def blank(number: int) -> Sentence:
    """Say that some responses have no text."""
    return Sentence("{n:responses} without text: scored as empty.", n=number)


def copied(number: int) -> Sentence:
    """Say that some responses have a text that the models had seen."""
    template = (
        "{n:responses} have the same text as another candidate's in another fold: models had seen it. If they "
        "were copied, a --cluster column that names copies alike keeps them together."
    )
    return Sentence(template, n=number)


def by_chance(evaluation: Evaluation) -> Iterator[Sentence]:
    """Say which reference scorers have an interval that leaves 0 out and yet prove nothing."""
    by = str(evaluation.options.get("by") or texts("preferred")[0])
    scorers = [
        Sentence("{name} {apart}", name=subset.system, apart=estimate)
        for subset in headline_subsets(evaluation)[1]
        if subset.system in MODELS and (estimate := evaluation.of(subset).get(by)) is not None
        if _close(estimate)
    ]
    if scorers:
        yield Sentence(
            "{by}: {near}: no proof that texts tell the score. Responses of different folds teach each other, so "
            "that up to one 95 % interval in six leaves 0 out where there is nothing to learn.",
            by=heading(by),
            near=scorers,
        )


def _close(estimate: Estimate) -> bool:
    """Whether an interval leaves 0 out, but would not if the variance were twice as large."""
    if not (estimate.low > 0 or estimate.high < 0):
        return False
    return estimate.value < 0 or estimate.value < sqrt(2) * (estimate.value - estimate.low)


def too_small(parts: Mapping[str, int], fewest: int) -> Sentence:
    """Say which parts are too small to learn from."""
    return _not_scored(parts, "with fewer than {fewest} candidates each ({names}{more}).", fewest)


def flat(parts: Mapping[str, int]) -> Sentence:
    """Say where all responses have the same gold."""
    reason = "in which all have the same gold ({names}{more}); there is nothing to learn."
    return _not_scored(parts, reason)


def _not_scored(parts: Mapping[str, int], reason: str, fewest: int = 0) -> Sentence:
    return Sentence(
        f"Not scored: {{responses:responses}} of {{n}} {reason}",
        responses=sum(parts.values()),
        n=_number(len(parts), "prompt"),
        fewest=fewest,
        names=[*parts][:5],
        more="" if len(parts) <= 5 else " ...",
    )


def unclassified(points: int) -> Sentence:
    """Say that classifiers are left out."""
    words = "No classifiers where the gold is continuous or has more than {points} points."
    return Sentence(words, points=points)


def _number(number: int, noun: str) -> Words:
    return f"1 {noun}" if number == 1 else Sentence(f"{{n}} {noun}s", n=number)


def beaten(evaluation: Evaluation, systems: Sequence[str]) -> Iterator[Sentence]:
    """Say of each of the user's systems which reference scorers it beats, and by how much."""
    by = ranked_by(evaluation)
    pairs = pairs_of(evaluation, by)
    for system in systems:
        ordered = [
            p if p.first == system else p.turned for p in pairs if system in (p.first, p.second)
        ]
        against = [p for p in ordered if p.second in MODELS]
        if against:
            yield _of_system(system, heading(by), against)


def _of_system(system: str, by: str, pairs: Sequence[SystemPair]) -> Sentence:
    """What is settled first: beaten, then behind; by how much, the closest last."""
    beats = [p for p in pairs if p.better == system]
    loses = [p.turned for p in pairs if p.better == p.second]
    unsettled = [p for p in pairs if not p.better]
    count = ""
    if len(pairs) > 1 and len(pairs) in (len(beats), len(loses)):
        count = "both: " if len(pairs) == 2 else "all {n}: "
    clauses: list[Words] = []
    if beats:
        clauses.append(Sentence(f"beats {count}{{each}}", n=len(beats), each=_each(beats)))
    if loses:
        clauses.append(Sentence(f"is behind {count}{{each}}", n=len(loses), each=_each(loses)))
    if unsettled:
        clauses.append(
            Sentence("not settled: {each}", each=_each(unsettled, "against {name} {apart}"))
        )
    return Sentence(
        "{by}: {system} {clauses}.", by=by, system=system, clauses=joined(clauses, "; ")
    )


def _each(pairs: Sequence[SystemPair], template: str = "{name} by {apart}") -> list[Words]:
    sentences: list[Words] = []
    for pair in sorted(pairs, key=lambda pair: -abs(pair.difference.value)):
        scorer = pair.second if pair.second in MODELS else pair.first  # a turned pair has it first
        sentences.append(Sentence(template, name=MODELS[scorer].title, apart=pair.difference))
    return sentences


PREDICTIONS, PROBES = "predictions.csv", "probes.csv"
PROBED = "probes"
MANY_PARTS = 12
"""With more prompts the numbers of each are left to the page."""

ALPHA = "0.1"
"""The rate of critical errors in the command to certify with; it is there to be changed."""


def labelled(run: BaselineRun) -> Evaluation:
    """The comparison, with notes on the reference scorers for readers who see nothing else."""
    data = run.evaluation.data
    notes = [FOR_PAGE.format(names=listed([*run.predictions.systems]))]
    notes += [str(note).removesuffix(".") for note in (*run.notes, *by_chance(run.evaluation))]
    return replace(run.evaluation, data=replace(data, notes=(*notes, *data.notes)))


def lines(baseline: Baseline, out: Path | None, width: int) -> Iterator[Line]:
    """What was learned under each rule, and where it was written."""
    intro = Section(
        id="baseline",
        title="Reference scorers",
        question="What do simple models reach on these texts?",
        blocks=(Text(PURPOSE, rank=Rank.FIRST), Says(baseline.notes, rank=Rank.FIRST)),
    )
    yield from section_lines([intro], width)
    yield from section_lines([*_by_rule(baseline)], width)
    several = len(baseline.runs) > 1
    for run in baseline.runs:
        if several:
            yield from [Line("")] if run is not baseline.run else []
            yield Line(f"Gold by the rule {run.rule}", "heading")
            yield Line("")
        if run.evaluation.kind == "compare":
            yield from section_lines([*_sections(run)], width)
        else:
            yield from summary(run.evaluation, width=width, full=False)
            yield Line("")
        yield from _next(run, out / run.rule if out is not None and several else out)


def _by_rule(baseline: Baseline) -> Iterator[Section]:
    """The leading number of every scorer under each of several rules, where it is the same."""
    by, *more_statistics = {
        ranked_by(run.evaluation) or texts("preferred")[0] for run in baseline.runs
    }
    if more_statistics or len(baseline.runs) < 2:
        return
    estimates = [
        {s.system: run.evaluation.of(s).get(by) for s in headline_subsets(run.evaluation)[1]}
        for run in baseline.runs
    ]
    columns = (Column("system"), *(Column(run.rule, numeric=True) for run in baseline.runs))
    rows = tuple((name, *(by_system.get(name) for by_system in estimates)) for name in estimates[0])
    over = headline_subsets(baseline.evaluation)[0]
    mean = f", mean over {over}s" if over else ""
    caption = f"{heading(by)} by rule{mean}, {intervals(baseline.evaluation)}"
    yield Section(
        id="rules",
        title="Rules of resolution",
        question="How much of the agreement is the rule by which ratings become one gold?",
        blocks=(Table(id="rules", caption=caption, columns=columns, rows=rows, rank=Rank.FIRST),),
    )


def _sections(run: BaselineRun) -> Iterator[Section]:
    """Who beats whom, the scores of all, and of each prompt where they are few."""
    evaluation = run.evaluation
    sentences: list[Words] = [*beaten(evaluation, run.systems)]
    sentences = sentences or [str(answer) for answer in answers(evaluation)]
    yield Section(
        id="beaten",
        title="Against the reference scorers" if run.systems else "Which of them is best?",
        question="Who beats them?",
        blocks=(
            Says(tuple(sentences), rank=Rank.FIRST),
            *([systems_table(evaluation)] if headline_subsets(evaluation)[1] else ()),
            Says(tuple(by_chance(evaluation)), rank=Rank.FIRST),
        ),
    )
    if len(run.lesson.sample.points) <= MANY_PARTS:
        yield matrix(evaluation)
    for section in sections(evaluation):
        if section.id in (DATA, PROBED):
            yield section


def _next(run: BaselineRun, written: Path | None) -> Iterator[Line]:
    """The commands that read the predictions."""
    if written is None:
        yield Line(
            "--out DIR writes the predictions, for evaluate, compare and route, and the whole"
        )
        yield Line("comparison as report.html.")
        return
    table_only = is_table(written)
    path = written if table_only else written / PREDICTIONS
    yield Line(f"Written: {literal(str(path))}", "heading")
    again = command(run.evaluation).replace(" FILE ", f" {quote(str(path))} ", 1)
    probes = " --probe-scores PROBES"
    if table_only or run.probes is None:
        again = again.replace(probes, "", 1)
    else:
        again = again.replace(probes, f" --probe-scores {quote(str(written / PROBES))}", 1)
    yield from (Line(f"  {literal(line)}") for line in again.splitlines())
    for name in run.confident[-1:]:
        sure = run.predictions.confidences[name]
        shared = [quote(str(path)), *_shared(run.evaluation), "--system", name]
        evaluate = ["evaluate", *shared, "--confidence", f"{name}={sure}", "--fold", DEV_TEST]
        certify = ["route certify", *shared, "--confidence", sure, "--alpha", ALPHA]
        if run.evaluation.options.get("cluster"):
            certify.append("--one-per-cluster")
        for words in (evaluate, certify):
            yield Line(f"  {literal(' '.join(['tallymark', *words]))}")


def _shared(evaluation: Evaluation) -> Iterator[str]:
    """How people's scores are read, as each command asks for it."""
    fields = fields_of("route certify")
    for name in ("humans", "gold", "resolve", "prompt", "cluster", "id", "scale"):
        option = evaluation.options.get(name)
        if option and not (name == "resolve" and option not in RULES):
            for text in fields[name].texts(option):
                yield from (fields[name].flag, quote(text))
