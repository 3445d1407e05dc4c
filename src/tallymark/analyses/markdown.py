"""The summary as Markdown, to be read in a pull request: verdict, numbers, what to know of them."""

from collections.abc import Iterable, Iterator

from tallymark.agreement.bands import band
from tallymark.analyses.findings import hidden, notes
from tallymark.analyses.sections import sections
from tallymark.questions.verdict import say
from tallymark.questions.verdict.view import criteria, missing
from tallymark.questions.verdict.view import table as criteria_table
from tallymark.render.facts import data_lines, intervals, responses
from tallymark.render.leading import Shown, leading
from tallymark.render.markdown import escaped, section_blocks, table, table_blocks
from tallymark.render.numbers import count, with_interval
from tallymark.render.rows import MOST_ROWS
from tallymark.render.sentences import Words, written
from tallymark.render.subsets import headline_subsets
from tallymark.results import (
    Estimate,
    Evaluation,
    Numbers,
)

UNWRAPPED = 1_000_000


def markdown(evaluation: Evaluation) -> str:
    """Return the whole summary; all text of the user is escaped."""
    blocks = [
        *_verdict(evaluation),
        *_numbers(evaluation),
        *section_blocks(sections(evaluation)),
        *section_blocks([hidden(evaluation)]),
        *_facts(evaluation),
        *_cautions(evaluation),
    ]
    return "\n\n".join(blocks) + "\n"


def _verdict(evaluation: Evaluation) -> Iterator[str]:
    verdict = evaluation.verdict
    if verdict is None:
        yield "## Tallymark: no policy, no verdict"
        return
    yield f"## {say.states(verdict)}"
    yield escaped(str(say.policy(verdict)))
    shown = verdict.systems[:MOST_ROWS]
    for one in shown:
        yield f"**{escaped(str(say.judgement(one, verdict)))}**"
        yield from table_blocks(criteria_table(evaluation, one))
        yield _details("Each criterion in words", criteria(evaluation, one))
    if len(verdict.systems) > len(shown):
        yield f"... and {len(verdict.systems) - len(shown)} more systems in evaluation.json"
    yield from (escaped(str(text)) for text in missing(verdict))


def _details(title: str, sentences: Iterable[Words]) -> str:
    """A list that opens on a click."""
    listed = "\n".join(f"- {escaped(written(one))}" for one in sentences)
    return f"<details><summary>{title}</summary>\n\n{listed}\n\n</details>"


def _numbers(evaluation: Evaluation) -> Iterator[str]:
    """The leading numbers of every system, statistics below each other."""
    column, subsets = headline_subsets(evaluation)
    if not subsets:
        return
    over = f", mean over {column}s" if column else ""
    yield f"### Agreement with the gold{over}, {intervals(evaluation)}"
    shown, some = leading(evaluation), subsets[:MOST_ROWS]
    numbers = [evaluation.of(subset) for subset in some]
    rows = [["responses", *(count(subset.n) for subset in some), ""]]
    rows += [
        [escaped(one.heading), *(_cell(one, own) for own in numbers), escaped(one.words)]
        for one in shown
    ]
    yield table(["", *(escaped(subset.system) for subset in some), "what it says"], rows)
    if len(subsets) > len(some):
        yield f"... and {len(subsets) - len(some)} more systems in evaluation.json"


def _cell(one: Shown, numbers: Numbers) -> str:
    found = one.of(numbers)
    if found is None:
        return ""
    words = _band(found) if found.name == "cohen_kappa" else ""
    return with_interval(found) + (f", {words}" if words else "")


def _band(found: Estimate) -> str:
    """The words of Landis and Koch for the whole interval."""
    ends = dict.fromkeys(band(end) for end in (found.low, found.high))
    return " to ".join(word for word in ends if word)


def _facts(evaluation: Evaluation) -> Iterator[str]:
    """What was read and used, and on which scale."""
    lines = [escaped(line.text) for line in data_lines(evaluation, UNWRAPPED, notes(evaluation))]
    yield f"### Data: {responses(evaluation.data.used)}"
    yield "\n".join(f"- {line}" for line in lines)


def _cautions(evaluation: Evaluation) -> Iterator[str]:
    if evaluation.verdict is not None:
        cautions = say.cautions(evaluation, evaluation.verdict)
        yield _details("What this verdict does not say", cautions)
