"""The report: every section of an analysis, on one HTML page that needs nothing else."""

from collections.abc import Iterator, Sequence
from os import PathLike
from pathlib import Path

from msgspec.structs import replace

from tallymark.analyses.claims import claims
from tallymark.analyses.findings import alarms
from tallymark.analyses.method import method
from tallymark.analyses.sections import opening, sections
from tallymark.defaults import LEVEL
from tallymark.questions.data import used
from tallymark.questions.verdict import say
from tallymark.render.embed import embedded
from tallymark.render.files import write_whole
from tallymark.render.html import anchors_of, page
from tallymark.render.literal import literal
from tallymark.render.model import First, Remark, Section
from tallymark.render.numbers import intervals
from tallymark.render.placed import blocks_placed, claim_placed, placed, remark_text
from tallymark.render.sentences import written
from tallymark.render.subsets import asked_alone, many, rated_twice, scale_called
from tallymark.render.view import View
from tallymark.results import Evaluation

KINDS = {
    "evaluate": "Evaluation",
    "raters": "Evaluation of people",
    "ceiling": "What agreement is attainable",
    "compare": "Comparison",
    "whatif": "What-if tables",
    "route": "Routing",
    "rsmeval": "Evaluation",
    "rsmcompare": "Comparison",
    "rsmsummarize": "Summary",
}


def first(view: View) -> First:
    """Put the first screen together."""
    evaluation = view.evaluation
    verdict = evaluation.verdict
    loud, more = alarms(evaluation)
    kind = KINDS.get(evaluation.kind, evaluation.kind.capitalize())
    return First(
        title=f"{kind} of {_names(view)}" if view.systems else kind,
        policy="" if verdict is None else literal(verdict.title),
        claims=tuple(claim_placed(view, claim) for claim in claims(evaluation)),
        words=tuple(_words(view).items()),
        numbers=tuple(blocks_placed(view, [*opening(evaluation)])),
        warnings=tuple(map(remark_text, loud)),
        more=more,
        missing=tuple(_missing(view)),
        facts=tuple(_facts(view)),
        cautions=() if verdict is None else tuple(map(written, say.cautions(evaluation, verdict))),
        folded=many(evaluation),
    )


def _words(view: View) -> dict[str, str]:
    """What the limits of the policy are about, each said once."""
    verdict, words = view.evaluation.verdict, dict[str, str]()
    for judgement in verdict.systems if verdict else ():
        for criterion in judgement.criteria:
            definition = view.evaluation.definitions.get(criterion.statistic)
            if definition is not None:
                said = definition.reading.partition(";")[0].partition(". ")[0].rstrip(".")
                words.setdefault(literal(criterion.title), f"{said[:1].lower()}{said[1:]}")
    return words


def _missing(view: View) -> Iterator[str]:
    """What would be needed to say more."""
    evaluation = view.evaluation
    if evaluation.kind != "evaluate":
        return
    if evaluation.verdict is None:
        yield "No verdict: no policy was named. Name limits with --policy."
    if not rated_twice(evaluation) and not asked_alone(evaluation):
        yield "Human-human agreement and ceilings are unknown: no response was rated twice."
    if not evaluation.options.get("groups"):
        yield "Fairness was not examined: name a column with --group."


def _names(view: View) -> str:
    """The systems, or that it is about people."""
    names = [literal(name) for name in view.systems]
    if len(names) > 3:
        return f"{len(names)} systems"
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def _facts(view: View) -> Iterator[str]:
    data = view.evaluation.data
    yield written(used(data))
    inferred = ", inferred from the human scores" if data.scale_inferred else ""
    scale = scale_called(view.evaluation)
    yield f"Scale: {literal(scale)}{inferred}."
    if data.gold and view.evaluation.kind not in ("raters", "ceiling"):
        same = data.gold_scale in ("", data.scale) or scale != data.scale
        other = "" if same else f", scale {literal(data.gold_scale)}"
        yield f"Gold, the human score that counts: {literal(data.gold)}{other}."
    yield f"Brackets hold {intervals(view.evaluation)}."


def _without(section: Section, above: Sequence[Remark]) -> Section:
    """A section without the findings that stand on the first screen: once is enough."""
    return replace(section, blocks=tuple(b for b in section.blocks if b not in above))


def report(evaluation: Evaluation, path: str | PathLike[str] | None = None) -> str:
    """Return the page, and write it to a path; the same evaluation gives the same bytes."""
    view = View.of(evaluation)
    top = first(view)
    made = [_without(placed(view, section), top.warnings) for section in sections(evaluation)]
    shown = [section for section in made if section.blocks or section.needs]
    shown.append(method(view))
    anchors = anchors_of(shown)
    leading = Section(id="answer", title="", question="", blocks=top.numbers)
    level = f"{100 * float(evaluation.options.get('level', LEVEL)):g} %"
    foot = f"Made by Tallymark from evaluation.json alone. Intervals are of level {level}."
    text = page(top, shown, anchors, embedded(view, [leading, *shown], anchors), foot)
    if path is not None:
        write_whole(Path(path), text)
    return text
