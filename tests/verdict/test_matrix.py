"""The matrix: every system by criterion and by prompt, the same on every screen."""

import re
from itertools import product

import numpy as np
import pytest
from msgspec.structs import replace

import tallymark as tm
from tallymark.analyses.summary import markdown, summary
from tallymark.questions.verdict.matrix import section
from tallymark.render.grids import cell_text
from tallymark.render.latex import section_tables
from tallymark.render.layout import plain_text, table
from tallymark.render.literal import shortened, width_of
from tallymark.render.markdown import section_blocks
from tallymark.render.model import Held, Table
from tallymark.render.terminal import section_lines
from tallymark.results import AMONG_PEOPLE, CEILING, GOLD, PEOPLE, Key

QWK = Key("cohen_kappa", weights="quadratic")


def scored(systems, prompts, *, n=40, seed=3, raters=2):
    """Scores of some systems, prompts and raters."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(3.5, 1.2, n * prompts)

    def given(sd):
        return np.clip(np.rint(truth + rng.normal(0, sd, truth.size)), 1, 6).astype(int).tolist()

    columns = {f"h{i + 1}": given(0.6) for i in range(raters)}
    columns |= {f"bot-{chr(97 + i)}": given(0.5 + 0.3 * i) for i in range(systems)}
    if prompts > 1:
        columns["prompt"] = [f"prompt {i + 1}" for i in range(prompts) for _ in range(n)]
    return columns


def evaluated(systems, prompts, **options):
    data = scored(systems, prompts)
    return tm.evaluate(
        data,
        humans=["h1", "h2"],
        systems=[name for name in data if name.startswith("bot")],
        prompt="prompt" if prompts > 1 else None,
        scale="1:6",
        interval="analytic",
        **options,
    )


@pytest.fixture(scope="module")
def judged():
    return evaluated(4, 3, policy="williamson2012")


def tables(evaluation):
    return [block for block in section(evaluation).blocks if isinstance(block, Table)]


def by_part(table):
    """The numbers of a matrix by system and heading, whichever way it is turned."""
    titles = [column.title for column in table.columns]
    return {
        frozenset((row[0], title)): cell
        for row in table.rows
        for title, cell in zip(titles[1:], row[1:], strict=True)
    }


@pytest.mark.parametrize(("systems", "prompts"), [*product((1, 2, 4), (1, 2, 4))])
def test_there_is_a_matrix_from_three_systems_or_prompts_on(systems, prompts):
    evaluation = evaluated(systems, prompts, statistics=["qwk"])
    assert bool(tables(evaluation)) == (max(systems, prompts) >= 3)


@pytest.mark.parametrize(("systems", "prompts"), [(1, 4), (4, 3), (4, 12)])
def test_every_number_of_a_prompt_is_its_own_with_its_state(systems, prompts):
    evaluation = evaluated(systems, prompts, policy="williamson2012")
    cells = by_part(tables(evaluation)[-1])
    states = {
        (judgement.system, part.name): part.state
        for judgement in evaluation.verdict.systems
        for criterion in judgement.criteria
        if criterion.statistic == QWK
        for part in criterion.parts
    }
    for subset in evaluation.subsets:
        if subset.against == GOLD and subset.prompt is not None:
            cell = cells[frozenset((subset.system, subset.prompt.removeprefix("prompt ")))]
            assert cell.number is evaluation.of(subset)[QWK]
            assert cell.state == states[subset.system, subset.prompt]
    assert len(cells) == (systems + 2) * (prompts + 1)


def test_people_and_the_ceiling_stand_beside_the_systems(judged):
    cells = by_part(tables(judged)[-1])
    for subset in judged.subsets:
        if (subset.subject, subset.against) == (PEOPLE, CEILING) and subset.prompt is not None:
            numbers, title = judged.of(subset), subset.prompt.removeprefix("prompt ")
            people = cells[frozenset(("human-human", title))].number
            assert people is numbers[Key("human_human", of=QWK)]
            top = cells[frozenset(("ceiling", title))].number
            assert top is numbers[Key("ceiling_theoretical", gold="first")]


def test_each_system_has_its_verdict_and_each_limit_its_number(judged):
    table = tables(judged)[0]
    assert [row[1].state for row in table.rows[:4]] == [j.state for j in judged.verdict.systems]
    for row, judgement in zip(table.rows, judged.verdict.systems, strict=False):
        known = [criterion for criterion in judgement.criteria if criterion.rows]
        held = [cell for cell in row if isinstance(cell, Held)]
        assert [cell.state for cell in held] == [criterion.state for criterion in known]
        assert [cell.number.value for cell in held] == [criterion.value for criterion in known]
    assert [cell_text(cell) for cell in table.rows[4][:4]] == ["limit", "", "≥ .70", "≥ .70"]


def test_every_screen_writes_the_same_numbers(judged):
    shown = section(judged)
    held = [c for t in tables(judged) for row in t.rows for c in row if isinstance(c, Held)]
    values = [cell_text(cell).split(" ")[0] for cell in held]
    terminal = plain_text(section_lines([shown], 160))
    texts = {
        "terminal": terminal,
        "Markdown": "\n".join(section_blocks([shown])),
        "LaTeX": section_tables(shown).replace("$-$", "-"),
        "page": re.sub(r"<[^>]+>", " ", judged.to_html()).replace("−", "-"),
    }
    for name, text in texts.items():
        words = re.findall(r"-?\d*\.\d+", text)
        assert not [value for value in values if value not in words], name


def test_a_state_is_told_by_a_sign_on_every_screen(judged):
    shown = section(judged)
    assert "x not met" in plain_text(section_lines([shown], 80))
    assert re.search(r"\.\d\d x( |$)", plain_text(section_lines([shown], 80)), re.MULTILINE)
    assert re.search(r"\.\d\d \[[^]]+\] ✕ \|", markdown(judged))
    assert re.search(r"\} \$\\times\$", section_tables(shown))
    assert re.search(r'<b role="img" aria-label="not met">✕</b>', judged.to_html())


@pytest.mark.parametrize("width", [60, 80, 120])
def test_it_fits_a_terminal_and_leaves_out_intervals_first(judged, width):
    lines = section_lines([section(judged)], width)
    assert max(width_of(line.text) for line in lines) <= width
    assert all(line.text[start:end].strip() for line in lines for start, end, _ in line.states)
    marked = [line.text[start:end] for line in lines for start, end, _ in line.states]
    assert marked
    assert all(text.endswith(("+", "x", "?", "met", "undecided", "–", "-")) for text in marked)


def test_the_matrix_comes_before_all_but_the_verdict(judged):
    text = plain_text(summary(judged))
    assert text.index("Systems by criterion") < text.index("responses read")
    assert "Systems by criterion" in markdown(judged)
    page = judged.to_html()
    assert page.index("Systems by criterion") < page.index('<section id="data"')
    assert page.count("Systems by criterion") == 1


def test_many_systems_are_told_by_the_matrix_and_not_in_sentences(judged):
    text = plain_text(summary(judged, full=False))
    assert "limits of williamson2012:" not in text
    assert "limits of williamson2012:" in markdown(judged)
    assert "| criterion | limit |" not in markdown(judged)


def test_names_that_begin_alike_are_shortened_where_that_saves_a_block():
    names = [f"gpt-4o-mini-{name}" for name in ("zero", "few", "human")]
    rows = [[name, *["0.59 x"] * 7] for name in names] + [["human-human", *["0.50"] * 7]]
    headings = ["system", *map(str, range(7))]
    wide, narrow = (plain_text(table(headings, rows, width, below=1)) for width in (90, 70))
    assert "gpt-4o-mini-zero" in wide
    *lines, explained = narrow.splitlines()
    assert [line.split()[0] for line in lines[1:]] == [
        *("...zero", "...few", "...human", "human-human"),
    ]
    assert explained == "... stands for gpt-4o-mini-"


def test_the_badge_is_about_each_system_and_not_about_all(judged):
    first = judged.to_html().partition('<section id="data"')[0]
    claims = first.partition("<table")[0]
    assert 'class="state' not in claims
    assert "None of 4 systems meets williamson2012." in claims
    states = tuple(replace(j, state="met") for j in judged.verdict.systems[:2])
    mixed = replace(judged.verdict, systems=states + judged.verdict.systems[2:])
    text = replace(judged, verdict=mixed).to_html()
    assert "2 of 4 systems meet williamson2012: bot-a, bot-b." in text


def test_what_all_names_begin_with_is_left_out_at_a_separator():
    assert shortened(["gpt-4-zero", "gpt-4-few"]) == ["zero", "few"]
    assert shortened(["essay", "essays"]) == ["essay", "essays"]
    assert shortened(["prompt 1"]) == ["prompt 1"]
    assert shortened(["item-", "item-a"]) == ["item-", "item-a"]


def test_names_of_the_user_stay_text():
    data = scored(3, 3)
    nasty = "<img src=x> | `a`"
    data[nasty] = data.pop("bot-a")
    evaluation = tm.evaluate(
        data,
        humans=["h1", "h2"],
        systems=[nasty, "bot-b", "bot-c"],
        prompt="prompt",
        scale="1:6",
        interval="analytic",
        policy="williamson2012",
    )
    assert "<img" not in evaluation.to_html()
    assert "<img" not in "\n".join(section_blocks([section(evaluation)]))
    assert AMONG_PEOPLE in {subset.against for subset in evaluation.subsets}
