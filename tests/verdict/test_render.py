"""The verdict on a terminal and as Markdown."""

import math
import re

import pytest
from markdown_it import MarkdownIt
from msgspec.structs import replace

import tallymark as tm
from tallymark.analyses.summary import markdown, summary
from tallymark.catalogue import definitions_of
from tallymark.questions.verdict.view import section
from tallymark.render.layout import plain_text
from tallymark.render.literal import width_of
from tallymark.render.markdown import escaped
from tallymark.render.terminal import section_lines
from tallymark.results import Finding, system_called
from tallymark.verdict.judged import judged
from tests.verdict.made import QWK, evaluation, groups, limit, number, overall, policy

HALF = limit(at_least=0.70)
EACH = limit("smd[unpooled]", "SMD of each group", at_least=-0.1, at_most=0.1, where="every group")
NASTY = "<script>alert(1)</script> | `x` *b* [a](http://e.x) @all\n# h"


def turned(**rules):
    """A finding that the resolution rule decides."""
    numbers = {"accepted": 0.8, "rejected": 0.6, "settled": 2.0}
    return Finding(name="resolution_decides", system="engine", numbers=numbers, texts=rules)


def verdict_lines(found, width):
    return section_lines([section(found)], width, full=True)


def hostile():
    names = (("x", 0.02, 0.05, 500), (NASTY, 0.4, 0.05, 400))
    made = groups(*names, column="a|b")
    subsets = tuple(replace(one, subject=system_called(NASTY)) for one in made.subsets)
    options = {**made.options, "systems": [NASTY]}
    found = turned(accepted=NASTY, rejected="first")
    return replace(made, subsets=subsets, options=options, findings=(found,))


@pytest.mark.parametrize("width", [60, 80, 120])
def test_the_lines_of_a_verdict_fit(width):
    made = judged(hostile(), policy(EACH, HALF))
    assert max(width_of(line.text) for line in verdict_lines(made, width)) <= width


def test_no_policy_no_verdict():
    made = overall(0.8, 0.75, 0.85)
    assert verdict_lines(made, 80) == []
    assert markdown(made).startswith("## Tallymark: engine agrees with the gold at QWK .80")
    assert "\n\nNo verdict: no policy was named.\n\n" in markdown(made)
    assert "| QWK | .80 [.75, .85] |" in markdown(made)
    text = " ".join(plain_text(summary(made)).split())
    assert "QWK .80 [.75, .85]" in text
    assert "QWK is substantial to almost perfect (Landis & Koch; arbitrary bands)." in text


def test_the_verdict_stands_before_the_numbers():
    columns = {"h1": [1, 2, 3, 4, 4, 2] * 30, "engine": [1, 2, 3, 4, 3, 2] * 30}
    found = tm.evaluate(columns, scale="1:4", replicates=100, policy="williamson2012")
    text = plain_text(summary(found))
    assert text.startswith("Verdict: undecided\nPolicy williamson2012, version 2: Limits of")
    assert text.index("Missing evidence: Degradation") < text.index("180 responses read")
    assert "agreement evidence only" in " ".join(text.split())


def test_several_systems_are_counted_by_state():
    made = evaluation(
        ({"subject": system_called("a")}, [number(QWK, 0.8, 0.75, 0.85)]),
        ({"subject": system_called("b")}, [number(QWK, 0.5, 0.45, 0.55)]),
        systems=("a", "b"),
    )
    made = judged(made, policy(HALF))
    assert verdict_lines(made, 80)[0].text == "Verdict on 2 systems: 1 met, 1 not met"
    assert "## Verdict on 2 systems: 1 met, 1 not met" in markdown(made)


def test_criteria_of_many_systems_are_left_to_the_files():
    names = [f"s{i}" for i in range(5)]
    made = evaluation(
        *(({"subject": system_called(name)}, [number(QWK, 0.8, 0.75, 0.85)]) for name in names),
        systems=names,
    )
    made = judged(made, policy(HALF))
    text = plain_text(verdict_lines(made, 80))
    assert "The whole interval" not in text
    assert markdown(made).count("The whole interval") == 5


def test_the_table_of_criteria():
    text = markdown(judged(overall(0.71, 0.66, 0.76, n=376), policy(HALF)))
    assert "| QWK | at least .70 | .71 [.66, .76] | 376 | passes | **undecided** |" in text
    assert "about 20,000 responses settle it with a probability of 80 %" in text
    missing = markdown(judged(overall(math.nan, math.nan, math.nan), policy(HALF)))
    assert "| QWK | at least .70 |   |   |   | **not computable** |" in missing


def test_nothing_of_the_user_becomes_markup():
    text = markdown(judged(hostile(), policy(EACH, HALF)))
    assert "<script>" not in text
    assert "http://" not in text
    assert "@all" not in text
    assert not re.search(r"(?<!\\)`", text)
    assert "\n# h" not in text
    cells = [line for line in text.splitlines() if line.startswith("| SMD of each group")]
    assert len(re.findall(r"(?<!\\)\|", cells[0])) == 7


def test_a_reader_of_markdown_sees_the_names_as_they_are():
    text = markdown(judged(hostile(), policy(EACH, HALF)))
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    inline = [child for token in tokens for child in token.children or []]
    assert not {"link_open", "image", "code_inline", "html_inline", "em_open"} & {
        child.type for child in inline
    }
    html = {line for t in tokens if t.type == "html_block" for line in t.content.splitlines()}
    assert {re.sub(">[^<>]+<", "><", line) for line in html} == {
        "<details><summary></summary>",
        "</details>",
    }
    # a space of no width keeps a code host from taking @all for a mention
    shown = "".join(child.content for child in inline).replace("\u200b", "")
    assert NASTY.replace("\n", " ") in shown
    rows: list[list[object]] = [[]]
    for token in tokens:
        rows += [[]] if token.type == "tr_open" else []
        rows[-1] += [token] if token.type in ("th_open", "td_open") else []
    assert {len(row) for row in rows[1:]} == {6}


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("a_b", "a\\_b"),
        ("# title", "\\# title"),
        ("1. first", "1\\. first"),
        ("- x", "\\- x"),
        ("R&D", "R&amp;D"),
        ("\x1b[31mred", "\\[31mred"),
        ("www.e.x", "www&#46;e.x"),
        ("", ""),
    ],
)
def test_text_is_shown_as_it_is(given, shown):
    assert escaped(given) == shown


def test_loud_diagnoses_are_told_and_quiet_ones_are_not():
    loud = turned(accepted="sum", rejected="first")
    quiet = replace(turned(accepted="higher", rejected="lower"), weight="quiet")
    text = markdown(replace(overall(0.8, 0.7, 0.9), findings=(loud, quiet)))
    assert "- **The resolution rule decides.** At a limit of .70 on QWK the same" in text
    assert "the higher of the ratings" not in text


def test_every_screen_keeps_a_number_apart_from_its_limit():
    # 0.147 is within 0.15, and [-0.03, 0.15] beside "within 0.15" would not say so
    smd = number(("smd", {"kind": "unpooled"}), 0.058, -0.033, 0.147)
    made = judged(
        evaluation(({}, [smd])), policy(limit("smd[unpooled]", "SMD", at_least=-0.15, at_most=0.15))
    )
    assert "0.058 [-0.033, 0.147]" in plain_text(verdict_lines(made, 200))
    assert "| 0.058 [-0.033, 0.147] |" in markdown(made)
    made = replace(made, definitions=definitions_of(made.estimates))
    assert "0.058 <i>[−0.033, 0.147]</i>" in made.to_html()
