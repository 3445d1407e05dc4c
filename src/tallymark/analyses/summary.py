"""The summary, on a terminal and as Markdown: the verdict, then each question in its order."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from tallymark.analyses.claims import claims, labels_found, leader
from tallymark.analyses.findings import first_notes, pooled_notes
from tallymark.analyses.sections import sections
from tallymark.defaults import FEW_SYSTEMS
from tallymark.questions.comparison.pairs import answers
from tallymark.questions.data import notes_left
from tallymark.questions.verdict import say
from tallymark.questions.verdict.headline import judgement as judged_in_words
from tallymark.questions.verdict.matrix import section as matrix
from tallymark.questions.verdict.view import criteria, missing
from tallymark.questions.verdict.view import section as verdict
from tallymark.questions.verdict.view import table as criteria_table
from tallymark.render.grids import opened
from tallymark.render.layout import Line, paragraph
from tallymark.render.literal import literal
from tallymark.render.markdown import escaped, section_blocks, table_blocks
from tallymark.render.model import Rank, Says, Section, Text
from tallymark.render.numbers import MOST_ROWS
from tallymark.render.sentences import Words, written
from tallymark.render.subsets import systems_leading, systems_of
from tallymark.render.terminal import section_lines
from tallymark.results import AMONG_PEOPLE, Evaluation

_IN_SHORT = ("compare", "rsmcompare", "rsmsummarize")
"""Kinds of analysis whose page alone shows all."""
_UNJUDGED = ("evaluate", "rsmeval")
"""Kinds of analysis that a policy may judge."""
_OF_PEOPLE = ("raters", "ceiling")
DATA = "data"
NO_POLICY = "No verdict: no policy was named."


def summary(evaluation: Evaluation, *, width: int = 80, full: bool = True) -> list[Line]:
    """Return the lines of the summary; all text of the user is shown literally.

    What is not ``full`` leaves out, of systems, what a first reading can do without.
    """
    lines = [*_answer(evaluation, width)]
    lines += [Line("")] if lines else []
    shown = [verdict(evaluation, labels_found(evaluation)), *_in_order(evaluation)]
    shown = shown if full else [*_together(shown)]
    files = "--report" if evaluation.kind == "route" else "--out"
    whole = full and evaluation.kind not in (*_IN_SHORT, "route")
    lines += section_lines(shown, width, full=whole, files=files)
    while lines and not lines[-1].text:
        lines.pop()
    return lines if full else [*lines, *paragraph(_more(evaluation), width, weight="lesser")]


def _in_order(evaluation: Evaluation) -> list[Section]:
    """The matrix first, behind the ranking where there is one; what was read comes last."""
    first, shown = matrix(evaluation), sections(evaluation)
    shown.sort(key=lambda section: section.id == DATA)
    if evaluation.kind != "compare":
        return [first, *shown]
    ranked, *others = shown
    return [
        replace(ranked, blocks=(*ranked.blocks[:1], *first.blocks, *ranked.blocks[1:])),
        *others,
    ]


def _more(evaluation: Evaluation) -> str:
    """Where the rest is, and how many notes are part of it."""
    left = notes_left(evaluation, first_notes(evaluation), pooled_notes(evaluation))
    each = f" ({left} more note{'s' if left > 1 else ''})" if left else ""
    return f"--full prints all that was found{each}; --out DIR writes it as report.html."


def markdown(evaluation: Evaluation) -> str:
    """Return the whole summary; all text of the user is escaped."""
    shown = _in_order(evaluation)
    at = Rank.FIRST if evaluation.kind in (*_IN_SHORT, *_UNJUDGED) else Rank.FULL
    blocks = [*_verdict(evaluation), *section_blocks(shown, at), *_cautions(evaluation)]
    return "\n\n".join(blocks) + "\n"


def _verdict(evaluation: Evaluation) -> Iterator[str]:
    verdict = evaluation.verdict
    if verdict is None:
        yield from _claimed(evaluation)
        return
    yield f"## {say.states(verdict)}"
    yield escaped(str(say.policy(verdict)))
    shown, labels = verdict.systems[:MOST_ROWS], labels_found(evaluation)
    for judgement in shown:
        words = judged_in_words(judgement, verdict, labels.get(judgement.system, ""))
        said = escaped(str(words))
        if len(verdict.systems) > FEW_SYSTEMS:  # their numbers stand in the matrix
            yield _details(said, criteria(evaluation, judgement))
            continue
        yield f"**{said}**"
        yield from table_blocks(criteria_table(evaluation, judgement))
        yield _details("Each criterion in words", criteria(evaluation, judgement))
    if len(verdict.systems) > len(shown):
        yield f"... and {len(verdict.systems) - len(shown)} more systems in evaluation.json"
    yield from (escaped(str(text)) for text in missing(verdict))


def _claimed(evaluation: Evaluation) -> Iterator[str]:
    """What the numbers say without a policy: the first claim is the heading."""
    for i, claim in enumerate(claims(evaluation)):
        words = escaped(f"{literal(claim.name)} {written(claim.words)}".strip())
        yield f"**{words}**" if i else f"## Tallymark: {words.removesuffix('.')}"
        detail = escaped(written(claim.detail))
        yield from [detail] if detail else []
    if evaluation.kind in _UNJUDGED:
        yield NO_POLICY


def _details(title: str, sentences: Iterable[Words]) -> str:
    """A list that opens on a click."""
    listed = "\n".join(f"- {escaped(written(sentence))}" for sentence in sentences)
    return f"<details><summary>{title}</summary>\n\n{listed}\n\n</details>"


def _cautions(evaluation: Evaluation) -> Iterator[str]:
    if evaluation.verdict is not None:
        cautions = say.cautions(evaluation, evaluation.verdict)
        yield _details("What this verdict does not say", cautions)


def _together(sections: Iterable[Section]) -> Iterator[Section]:
    """Sections that show sentences alone, under one heading where they follow each other."""
    run: list[Section] = []
    for section in sections:
        _, blocks = opened(section, Rank.FIRST)
        if blocks and section.titled and all(isinstance(block, Text | Says) for block in blocks):
            run.append(replace(section, blocks=tuple(blocks)))
        elif blocks:
            yield from [*_joined(run), section]
            run = []
    yield from _joined(run)


def _joined(run: Sequence[Section]) -> list[Section]:
    if not run:
        return []
    first, *rest = (section.title for section in run)
    title = ", ".join([first, *(f"{other[:1].lower()}{other[1:]}" for other in rest)])
    return [
        replace(run[0], title=title, blocks=tuple(b for section in run for b in section.blocks))
    ]


def _answer(evaluation: Evaluation, width: int) -> Iterator[Line]:
    """What the numbers say where no policy gives a verdict."""
    said = [str(answer) for answer in answers(evaluation)]
    if evaluation.kind in _UNJUDGED and evaluation.verdict is None:
        few = len(systems_of(evaluation)) <= FEW_SYSTEMS
        answering = claims(evaluation) if few else leader(evaluation)
        # what is known of people stands below
        alone = not few or not systems_leading(evaluation, AMONG_PEOPLE)
        said = [
            " ".join([literal(c.name), written(c.words), written(c.detail) if alone else ""])
            for c in answering
        ]
    if evaluation.kind in ("route", *_OF_PEOPLE) and evaluation.verdict is None:
        said = [f"{literal(c.name)} {written(c.words)}" for c in claims(evaluation)]
    for text in said:
        yield from paragraph(text.strip(), width, indent="  ", weight="heading")
