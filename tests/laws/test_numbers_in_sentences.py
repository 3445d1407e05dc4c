"""A number in a sentence is one of the estimates, tables or options of the evaluation, and printed as such.

Sentences hold their numbers as numbers: each must be on file, to nine digits, beside what findings
say of themselves. Whatever the page prints with an interval must be an estimate, digit by digit.
"""

import json
import math
import re
from collections.abc import Iterator
from functools import cache
from string import Formatter

import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.render.limits import Beside, End
from tallymark.render.model import Drawing, Grid, Heading, Remark, Says, Table, Text
from tallymark.render.sentences import Sentence, Words
from tallymark.results import Estimate
from tests.screens import cases, recorded

DERIVED = {
    "Without {count": ("without", "a statistic without some responses: no table has it"),
    "agreements lie at": (
        "agreed most",
        "a sum of counts in the table of score points, and a share",
    ),
    "would lie anywhere from": ("lowest highest", "QWK with the same agreements at other scores"),
    "that always gives {point}": ("trivial", "AC2 of a scorer that these data do not have"),
    "with the mean of the other raters": ("r", "a correlation that names the rater to look at"),
    "of the responses are off by": ("errors low high", "a share of errors that a high QWK hides"),
    "high from {limit": (
        "limit",
        "from where on a coefficient is called high: chosen, not measured",
    ),
    "{out} excluded": ("out", "one count of responses less another"),
}
"""Words of a sentence, the fields whose numbers are in no table, and why."""
NUMBER = r"[-−+]?[\d,]*\.?\d+"
INTERVAL = re.compile(rf"(?<![\w.])({NUMBER})(?: %)? \[({NUMBER}), ({NUMBER})\]")


def sentences(block) -> list[Sentence]:
    """The sentences of a block that are not yet text."""
    found: list[Words] = []
    match block:
        case Text() | Heading():
            found = [block.words]
        case Says():
            found = [*block.sentences]
        case Remark():
            found = [block.title, block.words, block.advice]
        case Drawing():
            found = [block.caption]
        case Grid() | Table():
            found = [block.caption, block.note]
    return [words for words in found if isinstance(words, Sentence)]


def derived(template: str) -> set[str]:
    """The fields of a sentence that need not be on file."""
    return {
        field
        for words, (fields, _) in DERIVED.items()
        if words in template
        for field in fields.split()
    }


def numbers_of(said) -> Iterator[float]:
    """The numbers of a sentence and of its clauses that must be on file."""
    match said:
        case Sentence():
            for _, name, _, _ in Formatter().parse(said.template):
                if name is not None and name not in derived(said.template):
                    yield from numbers_of(said.values[name])
        case Beside():
            yield from numbers_of(said.estimate)
        case Estimate():
            yield from (said.value, said.low, said.high)
        case str() | End():
            return
        case int() | float():
            yield float(said)
        case _:
            for clause in said:
                yield from numbers_of(clause)


def leaves(tree) -> Iterator[float]:
    """Every number of a JSON document."""
    match tree:
        case dict():
            for branch in tree.values():
                yield from leaves(branch)
        case list():
            for branch in tree:
                yield from leaves(branch)
        case int() | float():
            yield float(tree)


def digits(number: float) -> str:
    """Nine digits without a sign: a gap is said as so much above or below."""
    return f"{abs(number):.9g}"


@cache
def on_file(command: str, name: str) -> frozenset[str]:
    """The numbers of evaluation.json, also in percent, without what findings hold."""
    document = json.loads(recorded(command, name).json)
    numbers = [n for key, tree in document.items() if key != "findings" for n in leaves(tree)]
    return frozenset(digits(factor * number) for number in numbers for factor in (1, 100))


def unfounded(words: Sentence, numbers: frozenset[str]) -> list[float]:
    """The numbers of a sentence that are not on file."""
    return [n for n in numbers_of(words) if math.isfinite(n) and digits(n) not in numbers]


@cache
def triples(command: str, name: str) -> NDArray[np.float64]:
    """Every estimate with its interval, and any three numbers that follow each other in a table."""
    evaluation = recorded(command, name).evaluation
    found = [(e.value, e.low, e.high) for e in evaluation.estimates]
    new = [e for e in evaluation.estimates if "new_low" in e.parts]  # on new prompts like these
    found += [(e.value, e.parts["new_low"], e.parts["new_high"]) for e in new]
    for row in (row for table in evaluation.tables for row in table.rows):
        cells = [cell if isinstance(cell, int | float) else math.nan for cell in row]
        found += zip(cells, cells[1:], cells[2:], strict=False)
    known = np.array([t for t in found if t[1] <= t[0] <= t[2]]).reshape(-1, 3)
    return np.concatenate([known, -known[:, [0, 2, 1]]])


def unprinted(text: str, numbers: NDArray[np.float64]) -> list[str]:
    """Intervals in a text that none of these numbers has, rounded or, where counts, rounded up."""
    left = []
    for found in INTERVAL.finditer(text.replace("−", "-")):
        ends = [end.replace(",", "") for end in found.groups()]
        printed = np.array(list(map(float, ends)))
        half = [0.5 * 10.0 ** -len(end.partition(".")[2]) * (1 + 1e-9) for end in ends]
        of = numbers * (100 if " %" in found[0] else 1)
        same = np.abs(of - printed) <= half
        if " %" not in found[0] and "." not in found[0]:
            same |= (np.ceil(of - 1e-9) == printed).all(axis=1, keepdims=True)
        if not same.all(axis=1).any():
            left.append(found[0])
    return left


@pytest.mark.parametrize(("command", "name"), cases())
def test_a_number_in_a_sentence_is_on_file(command, name):
    blocks = [block for section in recorded(command, name).sections for block in section.blocks]
    for words in (words for block in blocks for words in sentences(block)):
        assert not unfounded(words, on_file(command, name)), words


@pytest.mark.parametrize(("command", "name"), cases())
def test_an_interval_on_a_page_is_that_of_an_estimate(command, name):
    recording = recorded(command, name)
    cells = " | ".join(recording.page.cells).replace("−", "-")
    for text in (*recording.page.paragraphs, *recording.lines):
        if re.search(r"[a-z]{2}", text):  # words, no reading of a slider
            found = unprinted(text, triples(command, name))
            assert not [interval for interval in found if interval not in cells], text


def altered(words: Sentence) -> Iterator[Sentence]:
    """The sentence with one of its estimates moved by half a point in the third decimal."""
    for field, value in words.values.items():
        if isinstance(value, Estimate) and f"{{{field}" in words.template:
            moved = replace(value, value=value.value + 0.0005)
            yield Sentence(words.template, **{**words.values, field: moved})


def misprinted(text: str) -> Iterator[str]:
    """Each interval of a text with another last digit of its value."""
    for found in INTERVAL.finditer(text):
        value = found[1]
        yield f"{value[:-1]}{(int(value[-1]) + 1) % 10}{found[0][len(value) :]}"


@pytest.mark.xdist_group("screens of two_systems")
def test_a_number_that_is_altered_in_a_sentence_is_found():
    """Always where it is still a number; in print another estimate can be like it by chance."""
    screen = ("evaluate", "two_systems")
    blocks = [block for section in recorded(*screen).sections for block in section.blocks]
    said = [words for block in blocks for words in sentences(block)]
    moved = [each for words in said for each in altered(words)]
    assert len(moved) > 10
    assert all(unfounded(words, on_file(*screen)) for words in moved)
    printed = [each for words in said for each in misprinted(str(words))]
    found = [text for text in printed if unprinted(text, triples(*screen)) == [text]]
    assert len(printed) > 20
    assert len(found) > 0.9 * len(printed)
