"""Guards of the house: what only one room may do."""

import ast
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from tallymark.catalogue import BY_NAME
from tallymark.results import split_key

ROOT = Path(__file__).parents[1] / "src" / "tallymark"
FILES = sorted(ROOT.rglob("*.py"))
HERE = Path(__file__).parent
TESTS = sorted(HERE.rglob("*.py"))
APART = re.compile(
    r"""partition\(\s*["']\[|split\(\s*["']\[|startswith\(\s*["']\w+\[|(index|find)\(\s*["']\[["']"""
)

WORDS = re.compile(r"""\.(against|subject)(\.kind)?\s*(==|!=|in|not in)\s*\(?["']""")


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_only_keys_take_bracket_texts_apart(path):
    if path != ROOT / "results" / "keys.py":
        assert not APART.findall(path.read_text("utf-8"))


BELOW = {
    "accuracy", "agreement", "catalogue", "diagnosis", "fairness", "metrics", "reliability",
    "results", "selective",
}  # fmt: skip
"""Rooms that the catalogue stands on, or whose public functions bear the names of statistics."""
MOST_NAMES = 3


def lists_of_names(path):
    """Yield the catalogue's names in every literal that holds several of them."""
    literal: Sequence[ast.expr | None]
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Dict):
            literal = node.keys
        elif isinstance(node, ast.Tuple | ast.List | ast.Set):
            literal = node.elts
        else:
            continue
        words = [word.value for word in literal if isinstance(word, ast.Constant)]
        names = [split_key(word)[0] for word in words if isinstance(word, str)]
        yield node.lineno, [BY_NAME[name] for name in names if name in BY_NAME]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_lists_of_statistics_are_sets_of_the_catalogue(path):
    if path.relative_to(ROOT).parts[0] in BELOW:
        return
    for line, rows in lists_of_names(path):
        of_one_question = len({row.by for row in rows}) == 1 and rows[0].value is None
        assert len(rows) <= MOST_NAMES or of_one_question, (
            f"line {line} lists {', '.join(row.name for row in rows)}: make it a set of the rows "
            "(catalogue/sets.py) and read it with texts() or members()"
        )


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_is_compared_is_told_by_kind_and_not_by_word(path):
    assert not WORDS.findall(path.read_text("utf-8"))


NUMBERS_ONLY = {"analyses", "catalogue", "questions", "study", "verdict"}
"""Rooms between the formulas and the screens: their numbers stay numbers."""
ROUNDED = re.compile(r"\.\d+[fgeE%]?$|[fFeE%]$")
EXACT = ".12g"


def rounded(path):
    """Yield where digits are cut off; the degrees of freedom in the name of a method are no number."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(node, ast.JoinedStr):
            continue
        for part, then in zip(node.values, [*node.values[1:], None], strict=True):
            if not isinstance(part, ast.FormattedValue) or part.format_spec is None:
                continue
            spec = ast.unparse(part.format_spec)[2:-1]
            of_method = isinstance(then, ast.Constant) and str(then.value).startswith(" df")
            if ROUNDED.search(spec) and spec != EXACT and not of_method:
                yield part.lineno, spec


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_only_render_rounds(path):
    if path.relative_to(ROOT).parts[0] in NUMBERS_ONLY:
        assert list(rounded(path)) == []


def test_no_two_classes_have_one_name():
    homes: dict[str, list[str]] = {}
    for path in FILES:
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append(str(path.relative_to(ROOT)))
    assert {name: files for name, files in homes.items() if len(files) > 1} == {}


UNREACHED = {
    "consume_value": "click calls it",
    "dump_bytecode": "jinja2 calls it",
    "format_commands": "click calls it",
    "format_options": "click calls it",
    "get_command": "click calls it",
    "list_commands": "click calls it",
    "load_bytecode": "jinja2 calls it",
    "ppi_mean": "for few labels, from Python",
}
"""What nothing in the program calls, and who does."""


def test_every_function_is_reached():
    """The name of each function and class stands somewhere beside its own lines."""
    texts = [path.read_text("utf-8") for path in FILES]
    every = Counter(word for text in texts for word in re.findall(r"\w+", text))
    alone = set()
    for text in texts:
        lines = text.splitlines()
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("__"):
                inside = "\n".join(lines[node.lineno - 1 : node.end_lineno])
                if every[node.name] == len(re.findall(rf"\b{node.name}\b", inside)):
                    alone.add(node.name)
    assert alone == {*UNREACHED}


def shared_generators(tree):
    """Yield the random generators of a module that its functions draw from."""
    made = {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
        for target in node.targets
        if isinstance(target, ast.Name) and ast.unparse(node.value.func).endswith("default_rng")
    }
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.Lambda):
            used = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
            yield from made & used


@pytest.mark.parametrize("path", TESTS, ids=lambda path: str(path.relative_to(HERE)))
def test_data_of_a_test_do_not_depend_on_the_tests_before_it(path):
    assert not [*shared_generators(ast.parse(path.read_text("utf-8")))]


VAGUE = {"found", "one", "own", "told"}
"""Words that say nothing of what they hold; compounds such as ``own_clusters`` may be clear."""


def names(tree):
    """Yield every name that the code binds or uses, with its line."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.arg(arg=name) | ast.Attribute(attr=name):
                yield node.lineno, name
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield node.lineno, name
            case ast.keyword(arg=str(name)):
                yield node.value.lineno, name
            case ast.alias(name=name, asname=other):
                yield node.lineno, other or name


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_names_say_what_they_hold(path):
    tree = ast.parse(path.read_text("utf-8"))
    assert [(line, name) for line, name in names(tree) if name.strip("_").lower() in VAGUE] == []


STILTED = re.compile(r"\bwhence\b|\bthat which\b|\b(is|are|be|was|were) told\b(?! apart)")


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_words_are_those_of_a_native_writer(path):
    """Numbers are reported, users are told nothing "of"; CONTRIBUTING has pairs of examples."""
    assert STILTED.findall(path.read_text("utf-8")) == []
