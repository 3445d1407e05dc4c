"""Guards of the house: what only one room may do."""

import ast
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

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


def where(findings):
    """What a guard found, a line for each file that has any."""
    found = {str(path.relative_to(ROOT)): [*items] for path, items in findings}
    return {name: items for name, items in found.items() if items}


def test_only_keys_take_bracket_texts_apart():
    others = [path for path in FILES if path != ROOT / "results" / "keys.py"]
    assert where((path, APART.findall(path.read_text("utf-8"))) for path in others) == {}


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


def long_lists(path):
    for line, rows in lists_of_names(path):
        of_one_question = len({row.by for row in rows}) == 1 and rows[0].value is None
        if len(rows) > MOST_NAMES and not of_one_question:
            yield f"line {line} lists {', '.join(row.name for row in rows)}"


def test_lists_of_statistics_are_sets_of_the_catalogue():
    """Make it a set of the rows (catalogue/sets.py) and read it with texts() or members()."""
    above = [path for path in FILES if path.relative_to(ROOT).parts[0] not in BELOW]
    assert where((path, long_lists(path)) for path in above) == {}


def test_what_is_compared_is_told_by_kind_and_not_by_word():
    assert where((path, WORDS.findall(path.read_text("utf-8"))) for path in FILES) == {}


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


def test_only_render_rounds():
    numbers = [path for path in FILES if path.relative_to(ROOT).parts[0] in NUMBERS_ONLY]
    assert where((path, rounded(path)) for path in numbers) == {}


def test_no_two_classes_have_one_name():
    homes: dict[str, list[str]] = {}
    for path in FILES:
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append(str(path.relative_to(ROOT)))
    assert {name: files for name, files in homes.items() if len(files) > 1} == {}


UNREACHED = {
    "consume_value": "click calls it",
    "process_value": "click calls it",
    "format_commands": "click calls it",
    "format_options": "click calls it",
    "get_command": "click calls it",
    "list_commands": "click calls it",
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


def test_data_of_a_test_do_not_depend_on_the_tests_before_it():
    generators = {
        str(path.relative_to(HERE)): [*shared_generators(ast.parse(path.read_text("utf-8")))]
        for path in TESTS
    }
    assert {name: found for name, found in generators.items() if found} == {}
