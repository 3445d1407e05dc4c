"""Names that try to be markup, formulas, links, paths or code, in everything that is written."""

import csv
import html
import io
import json
import random
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tallymark as tm
from tallymark.analyses.files import write_folder
from tallymark.render import latex, markdown
from tallymark.render.folder import is_plain
from tallymark.results.cells import inert, original

SCRIPTS = (
    "<script>alert(1)</script>", "</script><script>alert(1)</script>", '"><img src=x onerror=alert(1)>',
    "<svg/onload=alert(1)>", "javascript:alert(1)", "{{ 7 * 7 }}", "{% raw %}", "<!--", "]]>", "</title>",
    "' onmouseover='alert(1)", "\\u003cscript\\u003e", "&lt;script&gt;", "<a href=//x.y>z</a>",
    "</style><style>*{display:none}", "\u2028alert(1)", "\x1b]8;;http://x\x07y", "\u202egnp.exe",
)  # fmt: skip
FORMULAS = (
    "=cmd|'/C calc'!A0", "+1+1|x", "-2+3+cmd", "@SUM(1+9)*cmd", "\t=1+1", "\r=1+1", " =1+1", "＝1+1",
    "=HYPERLINK(\"http://x\",\"y\")", "'=1+1", "-x", "'s-Hertogenbosch",
)  # fmt: skip
LINKS = (
    "#12", "owner/repo#3", "@everyone", "hi @team/all", "!7", "GH-12", "http://x.y", "www.x.y",
    "[x](http://y)", "![x](http://y)", "a@b.cd", "| x |", "# title", "- item", "1. item", "`code`", "~~x~~",
    "$x$", "<b>x</b>", "a\nb", "***", "---", "\\#12",
)  # fmt: skip
TEX = (
    "\\input{/etc/passwd}",
    "\\write18{x}",
    "$x$",
    "a_b^c",
    "100%",
    "~",
    "{",
    "}",
    "&",
    "\\\\",
    "#1",
)
PATHS = ("../../escape", "/etc/x", "..", "a/b", "C:\\x", "con", "x" * 298, "\0", ".hidden")
NAMES = tuple(dict.fromkeys(name for name in (*SCRIPTS, *FORMULAS, *LINKS, *TEX, *PATHS)))


class Tags(HTMLParser):
    """Every element and its attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


def evaluated(first, second, third, fourth):
    """An evaluation in which names of the user stand wherever one can."""
    rng = random.Random(3)
    n = 24
    gold = [rng.randint(1, 4) for _ in range(n)]
    data = {
        first: gold,
        f"{second} 2": [min(4, max(1, g + rng.choice((-1, 0, 0, 1)))) for g in gold],
        f"{third} 3": [min(4, max(1, g + rng.choice((-1, 0, 0, 1)))) for g in gold],
        f"{fourth} 4": [second, third] * (n // 2),
        f"{first} 5": [fourth, first, third] * (n // 3),
    }
    people = [first, f"{second} 2"]
    return tm.evaluate(
        data, humans=people, systems=[f"{third} 3"], groups=[f"{fourth} 4"], prompt=f"{first} 5",
        scale="1:4", replicates=100, statistics=["qwk", "pearson", "smd"], policy="williamson2012",
    )  # fmt: skip


def check_page(text):
    tags = Tags()
    tags.feed(text)
    scripts = [attrs for tag, attrs in tags.found if tag == "script"]
    assert scripts == [{"type": "application/json", "id": "numbers"}, {}]
    assert not [tag for tag, _ in tags.found if tag in ("img", "iframe", "object", "embed", "base")]
    assert len([tag for tag, _ in tags.found if tag == "style"]) == 2
    for _, attrs in tags.found:
        assert not [name for name in attrs if name.startswith("on")]
        target = attrs.get("href") or attrs.get("src") or "#"
        assert target.startswith(("#", "data:,", "https://doi.org/")), target
    numbers = re.search(r'id="numbers">(.*?)</script>', text, re.DOTALL)
    assert numbers is not None
    json.loads(numbers[1])


def links_of(text):
    """What a code host would turn into links: it looks at the text after Markdown and entities."""
    plain = html.unescape(re.sub(r"\\([\\`*_{}\[\]()#+\-.!|~$=<>])", r"\1", text))
    return re.findall(r"(?<![\w&])[@!#]\w|\w#\d|\bGH-\d", plain, re.IGNORECASE)


def check_markdown(text):
    assert links_of(text) == []
    unescaped = re.sub(r"\\.", "", text)
    assert not re.search(r"<(?!/?(details|summary)>)", unescaped)
    assert not re.search(r"(?<!\\)\]\(|!\[", unescaped)
    assert "://" not in text
    assert "www." not in text


def check_csv(text):
    for row in csv.reader(io.StringIO(text, newline="")):
        for cell in row:
            assert not re.match(r"[\s\0]*[=@＝＠]", cell), cell
            if re.match(r"[\s\0]*[+\-＋－]", cell):
                float(cell)


def check_folder(folder):
    for path in folder.rglob("*"):
        assert is_plain(path.relative_to(folder).as_posix())
        if path.suffix == ".csv":
            check_csv(path.read_bytes().decode())
        elif path.suffix == ".md":
            check_markdown(path.read_text("utf-8"))
        elif path.suffix == ".html":
            check_page(path.read_text("utf-8"))
        elif path.suffix == ".json":
            json.loads(path.read_bytes())
        elif path.suffix == ".tex":
            text = path.read_text("utf-8")
            assert not re.search(r"\\(input|write|include|openout|def)", text)
            assert text.count(r"\begin{tabular}") == text.count(r"\end{tabular}") > 0


def attack(seed, folder):
    names = random.Random(seed).sample(NAMES, 4)
    found = evaluated(*names)
    write_folder(found, (), folder / "out")
    check_folder(folder / "out")
    assert [path.name for path in folder.iterdir()] == ["out"]
    assert found.to_html() == tm.Evaluation.from_json(found.to_json()).to_html()


@pytest.mark.parametrize("seed", range(12))
def test_hostile_names_stay_text_in_every_file(seed, tmp_path):
    attack(seed, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 160))
def test_more_hostile_names_stay_text_in_every_file(seed, tmp_path):
    attack(seed, tmp_path)


@pytest.mark.parametrize("name", NAMES)
def test_every_payload_is_inert_by_itself(name):
    check_markdown(f"| {markdown.escaped(name)} |")
    assert not re.search(r"\\(input|write)", latex.escaped(name))
    cell = inert(name)
    assert isinstance(cell, str)
    check_csv(_row(cell))
    assert original(cell) == name


def _row(cell):
    text = io.StringIO(newline="")
    csv.writer(text).writerow([cell])
    return text.getvalue()


@given(st.text(alphabet=st.sampled_from("=+-@'\t\r\n 0.5eax＝"), max_size=6))
def test_cells_are_inert_and_reversible(text):
    cell = inert(text)
    assert isinstance(cell, str)
    assert original(cell) == text
    check_csv(_row(cell))


@pytest.mark.parametrize("number", ["-0.5", "+1", "-1e-05", "-.5", "1", 3, -0.5, None, True])
def test_numbers_are_not_touched(number):
    assert inert(number) == number


def test_text_that_people_write_reads_the_same(tmp_path):
    for text in ("plain", "R&D 2.5", "C# and F#", "5 % of #", "a - b", "Ben & Co."):
        shown = html.unescape(re.sub(r"\\(.)", r"\1", markdown.escaped(text)))
        assert shown.replace("\u200b", "") == text
