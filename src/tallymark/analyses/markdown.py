"""The summary as Markdown, to be read in a pull request: verdict, numbers, what to know of them."""

import math
from collections.abc import Iterator, Sequence

from tallymark.agreement.bands import band
from tallymark.analyses.sections import sections
from tallymark.evaluation.verdict.numbers import bare, plain
from tallymark.render.facts import data_lines, intervals, responses
from tallymark.render.leading import Shown, leading
from tallymark.render.markdown import escaped, section_blocks, table
from tallymark.render.numbers import count, is_coefficient, with_interval
from tallymark.render.rows import MOST_ROWS
from tallymark.render.subsets import headline_subsets
from tallymark.render.verdict import missing, states
from tallymark.results import (
    Criterion,
    Estimate,
    Evaluation,
    Judgement,
    Key,
    Numbers,
    Verdict,
    split_key,
)

UNWRAPPED = 1_000_000


def markdown(evaluation: Evaluation) -> str:
    """Return the whole summary; all text of the user is escaped."""
    blocks = [
        *_verdict(evaluation.verdict),
        *_numbers(evaluation),
        *section_blocks(sections(evaluation)),
        *_diagnoses(evaluation),
        *_facts(evaluation),
        *_cautions(evaluation.verdict),
    ]
    return "\n\n".join(blocks) + "\n"


def _verdict(verdict: Verdict | None) -> Iterator[str]:
    if verdict is None:
        yield "## Tallymark: no policy, no verdict"
        return
    yield f"## {states(verdict)}"
    yield f"Policy {escaped(verdict.policy)}, version {escaped(verdict.version)}: {escaped(verdict.title)}"
    shown = verdict.systems[:MOST_ROWS]
    for one in shown:
        yield f"**{escaped(one.words)}**"
        yield _criteria(one)
        yield _details("Each criterion in words", [_worded(each) for each in one.criteria])
    if len(verdict.systems) > len(shown):
        yield f"... and {len(verdict.systems) - len(shown)} more systems in evaluation.json"
    yield from (escaped(text) for text in missing(verdict))


def _criteria(judgement: Judgement) -> str:
    rows = [
        [escaped(one.title), _limit(one), _value(one), _n(one), _point(one), _state(one)]
        for one in judgement.criteria
    ]
    return table(["criterion", "limit", "value and interval", "n", "as a point", "state"], rows)


def _limit(one: Criterion) -> str:
    write = bare if is_coefficient(one.statistic) else plain
    low, high = one.at_least, one.at_most
    if low is not None and high is not None:
        return f"±{write(high, 2)}" if low == -high else f"{write(low, 2)} to {write(high, 2)}"
    if low is not None:
        return f"at least {write(low, 2)}"
    return f"at most {write(high, 2)}" if high is not None else ""


def _value(one: Criterion) -> str:
    if math.isnan(one.value):
        return ""
    name, inside = split_key(one.statistic)
    params = {"of": inside} if inside else {}
    shown = with_interval(
        Estimate(key=Key(name, **params), value=one.value, low=one.low, high=one.high, n=one.n)
    )
    group = f"{one.group_column} {one.group}: " if one.group is not None else ""
    return escaped(group) + shown


def _n(one: Criterion) -> str:
    return count(one.n) if one.n else ""


def _point(one: Criterion) -> str:
    return "" if one.passes is None else "passes" if one.passes else "fails"


def _state(one: Criterion) -> str:
    by_point = " (by the point)" if one.decide == "point" and one.passes is not None else ""
    return f"{one.state}{by_point}" if one.state == "met" else f"**{one.state}**{by_point}"


def _worded(one: Criterion) -> str:
    return f"{one.state}: {escaped(one.words)}"


def _details(title: str, lines: Sequence[str]) -> str:
    """A list that opens on a click."""
    listed = "\n".join(f"- {line}" for line in lines)
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


def _diagnoses(evaluation: Evaluation) -> Iterator[str]:
    loud = [one for one in evaluation.diagnoses if one.loud]
    if not loud:
        return
    yield "### Read before you rely on a number"
    lines = [
        f"- **{escaped(one.system)}**: {escaped(f'{one.words} {one.advice}'.strip())}"
        for one in loud[:MOST_ROWS]
    ]
    if len(loud) > len(lines):
        lines.append(f"- ... and {len(loud) - len(lines)} more in evaluation.json")
    yield "\n".join(lines)


def _facts(evaluation: Evaluation) -> Iterator[str]:
    """What was read and used, and on which scale."""
    lines = [escaped(line.text) for line in data_lines(evaluation, UNWRAPPED)]
    yield f"### Data: {responses(evaluation.data.used)}"
    yield "\n".join(f"- {line}" for line in lines)


def _cautions(verdict: Verdict | None) -> Iterator[str]:
    if verdict is not None:
        yield _details(
            "What this verdict does not say", [escaped(text) for text in verdict.cautions]
        )
