"""An article is right for whatever word follows it, also where a sentence has a field there."""

import ast
import re
from pathlib import Path

import pytest

import tallymark

SOURCE = Path(tallymark.__file__).parent
ARTICLE = re.compile(r"(?<![\w'/-])([Aa]n?) (?:[\"'`*]+)?(\{[^}]*\}|[A-Za-z]+\b)")
VOWEL = re.compile(
    r"[aeioAEIO](?!ne\b|nce\b|u[rl])|[uU](?!ni|se|sua|tili|til)|hour|honest|(?!SAS|NUL)[FHLMNRSX][A-Z0-9]*$"
)
FIELDS = {
    ("an", "{name}"): "AC1 or AC2",
    ("a", "{role}"): "human score, gold or system score",
    ("a", "{words}"): "duplicate ..., response ..., negative ...: what a check found",
}
"""Fields behind an article, and the words that can stand there."""


def texts(tree):
    """Every text of a module that is no docstring; a field of an f-string is in braces."""
    bare = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(
                f"{{{ast.unparse(part.value)}}}"
                if isinstance(part, ast.FormattedValue)
                else str(ast.literal_eval(part))
                for part in node.values
            )
        elif (
            isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in bare
        ):
            yield node.value


def wrong_articles(text):
    """Articles that do not fit the word behind them, or stand before a field that nobody declared."""
    for found in ARTICLE.finditer(text):
        article, word = found[1].lower(), found[2]
        if word.startswith("{"):
            right = (article, word) in FIELDS
        else:
            right = (VOWEL.match(word) is not None) == (article == "an")
        if not right:
            yield found[0]


def test_articles_fit_the_words_behind_them():
    wrong = [
        (module.name, article, text)
        for module in sorted(SOURCE.rglob("*.py"))
        for text in texts(ast.parse(module.read_text("utf-8")))
        for article in wrong_articles(text)
    ]
    assert not wrong


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("a evaluation.json", ["a evaluation"]),
        ("an score of an hour and a one", ["an score"]),
        ("an unknown name of a unit, a user and an ICC", []),
        ("gives a {level:level} interval", ["a {level:level}"]),
        ("an RMSE, an SD and an F of a European", []),
    ],
)
def test_a_wrong_article_is_found(text, wrong):
    assert [*wrong_articles(text)] == wrong
