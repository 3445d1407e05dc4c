"""What is said holds for what was asked: laws over awkward data sets."""

import math
import re
from typing import Any

import numpy as np
import pytest

import tallymark as tm
from tallymark.analyses.pages import report
from tallymark.analyses.sections import sections
from tallymark.analyses.summary import markdown, summary
from tallymark.catalogue import BY_NAME
from tallymark.render.model import Remark, Says
from tallymark.render.sentences import written
from tallymark.results import AMONG_PEOPLE, CEILING, GOLD, ITSELF, Evaluation, parts_of
from tests.awkward import awkward
from tests.screens import cases, recorded, sets

FACETED = ("long_traits", "prompts_far_apart")
"""Prompts or traits so far apart that all responses together look reliable, and no part is."""
CASES = cases("evaluate", "raters", "ceiling")


def evaluated(command: str, name: str) -> Evaluation:
    """What a command finds of an awkward data set."""
    return recorded(command, name).evaluation


def screens(evaluation: Evaluation) -> dict[str, str]:
    """All that is said of an evaluation, by where it is said."""
    page = re.sub(r"<script.*?</script>", " ", report(evaluation), flags=re.DOTALL)
    terminal = "\n".join(line.text for line in summary(evaluation, width=10_000, full=True))
    return {"terminal": terminal, "page": page, "summary.md": markdown(evaluation)}


def known(evaluation: Evaluation, *against: Any) -> bool:
    """Whether any number of such a comparison is defined."""
    return any(
        not math.isnan(e.value)
        for e in evaluation.estimates
        if evaluation.subsets[e.subset].against in against
    )


def rated_twice(name: str) -> bool:
    """Whether two people rated the same response, straight from the columns."""
    columns, roles = awkward(name)
    given = [columns[human] == columns[human] for human in roles["humans"]]
    return bool((sum(each.astype(int) for each in given) > 1).any())


ABSENT = {
    r"(?<!where undefined, )\b[Nn]o response was rated (twice|by two)": (AMONG_PEOPLE, CEILING),
    r"second --human column": (AMONG_PEOPLE, CEILING),
    r"How well people agree with each other is not known": (AMONG_PEOPLE, CEILING),
    r"there are no repeated runs|no repeated runs": (ITSELF,),
}
"""What is said to be absent, and the comparisons that would contradict it."""


@pytest.mark.parametrize(("command", "name"), CASES)
def test_nothing_is_said_to_be_absent_beside_numbers_of_it(command, name):
    evaluation = evaluated(command, name)
    for where, text in screens(evaluation).items():
        for words, contradicted_by in ABSENT.items():
            if re.search(words, text):
                assert not known(evaluation, *contradicted_by), (where, words)
        if rated_twice(name) and "statistics" not in awkward(name).roles:
            assert not re.search(r"second --human", text), where
            if command == "ceiling":
                assert "No ceiling" not in text


@pytest.mark.parametrize(("command", "name"), CASES)
def test_prompts_and_traits_are_named_only_where_there_are_such(command, name):
    said = screens(evaluated(command, name))
    for facet in {"prompt", "trait"} - {*awkward(name).roles}:
        for where in ("terminal", "summary.md"):
            named = re.search(rf".*\b(?<!in each ){facet}s?\b.*", said[where])
            assert named is None, (where, named)


@pytest.mark.parametrize("name", FACETED)
@pytest.mark.parametrize("command", ["evaluate", "raters", "ceiling"])
def test_no_sentence_quotes_a_coefficient_that_differences_between_parts_inflate(command, name):
    inflated = (
        r"(QWK|alpha|ICC|PRMSE|tau-b|CCC|Pearson r|Phi|theoretical|human-like|[Rr]eliability)"
        r"[^.;]{0,25} \.[89]\d"
    )
    for section in sections(evaluated(command, name)):
        for block in section.blocks:
            said = block.sentences if isinstance(block, Says) else ()
            words = [block.words] if isinstance(block, Remark) else []
            for sentence in (*said, *words):
                text = re.sub(r"(Phi|for a reliability) of \.\d+", "", written(sentence))  # a goal
                assert not re.search(inflated, text), text


@pytest.mark.parametrize("name", FACETED)
@pytest.mark.parametrize("command", ["evaluate", "raters", "ceiling"])
def test_raters_needed_are_of_each_part_and_their_mean(command, name):
    evaluation = evaluated(command, name)
    where = [
        evaluation.subsets[e.subset] for e in evaluation.estimates if e.name == "raters_needed"
    ]
    assert {bool(subset.average) for subset in where} == {True, False}
    assert not any(subset.whole for subset in where)


def test_a_mean_over_prompts_is_the_mean_of_the_prompts():
    evaluation = evaluated("evaluate", "repeated_on_own_scales")
    means = [s for s in evaluation.subsets if s.average and not s.fisher_z]
    assert len({str(s.against) for s in means}) >= 6
    for mean in means:
        parts = [evaluation.of(part) for part in parts_of(evaluation.subsets, mean)]
        for key, estimate in evaluation.of(mean).items():
            if estimate.name == "raters_needed":  # with so many the mean reliability is reached
                continue
            values = [numbers[key].value for numbers in parts if key in numbers]
            if len(values) == 3 and not math.isnan(estimate.value):
                assert estimate.value == pytest.approx(sum(values) / 3), (mean.id, key)


@pytest.mark.parametrize("name", sets())
def test_findings_that_are_said_as_one_have_the_same_direction(name):
    """A finding about .70 names on which side a part lies: others are named with it on that side."""
    evaluation = evaluated("evaluate", name)
    moved = [f for f in evaluation.findings if f.name == "influential"]
    up = {
        evaluation.subsets[f.subset].prompt: f.numbers["without"] > f.numbers["value"]
        for f in moved
        if f.subset >= 0
    }
    for section in sections(evaluation):
        for block in section.blocks:
            if isinstance(block, Remark) and block.title == "Influence of single responses":
                named = re.findall(r"prompt (\w+)", f"{block.whose} {written(block.words)}")
                assert len({up[prompt] for prompt in named}) <= 1


@pytest.mark.parametrize(("noise", "right"), [(0.2, True), (1.0, False)])
def test_the_order_of_responses_is_called_right_only_from_a_stated_limit_on(noise, right):
    rng = np.random.default_rng(3)
    gold = rng.integers(2, 9, 300).astype(float)
    system = np.clip(np.rint(gold - 2 + rng.normal(0, noise, 300)), 0, 8)
    evaluation = tm.evaluate(
        {"h1": gold, "engine": system}, humans=["h1"], systems=["engine"], scale="0:8",
        interval="analytic",
    )  # fmt: skip
    (finding,) = [f for f in evaluation.findings if f.name == "recalibrate"]
    assert (finding.numbers["tau_b"] >= 0.8) is right
    said = "order is right: tau-b is .80 or more" in screens(evaluation)["summary.md"]
    assert said is right


@pytest.mark.parametrize("command", ["evaluate", "raters"])
@pytest.mark.parametrize("name", ["own_scales", "repeated_on_own_scales", "wide_panel_of_prompts"])
def test_points_of_different_scales_have_no_mean(command, name):
    """A point of 0:3 is not a point of 0:10."""
    found = evaluated(command, name)
    means = [s for s in found.subsets if s.average and s.against in (GOLD, AMONG_PEOPLE)]
    in_points = {
        e.text
        for mean in means
        for e in found.of(mean).values()
        if BY_NAME[e.name].style in ("points", "squared")
    }
    assert not in_points
    parts = [found.of(s) for s in found.subsets if s.prompt and s.against == GOLD]
    assert command == "raters" or all("bias" in numbers for numbers in parts)
