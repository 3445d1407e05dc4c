"""Explain: a number in words, and where each analysis shows it."""

from tallymark.analyses.sections import COMMANDS, sections
from tallymark.catalogue import Explanation, Row
from tallymark.catalogue import explain as explained
from tallymark.results import Data, Evaluation
from tallymark.signatures import typed

_PANEL = "panel_shown"
"""Numbers of this set stand beside people, too."""


@typed
def explain(name: str | None = None) -> Explanation:
    """Explain a number by any of its names; without a name, list all numbers by family.

    >>> print(explain("QWK").title)
    QWK: Cohen's kappa (cohen_kappa[quadratic])
    """
    return explained(name, appears_in)


def appears_in(row: Row) -> str:
    """The commands and sections that show a number, and what they need."""
    sets = " ".join([row.sets, *(variant.sets for variant in row.variants)])
    questions = [row.by, *(["people"] if _PANEL in sets else [])]
    shown = [
        (command, section)
        for command in COMMANDS
        for section in sections(empty(command))
        if section.id in questions
    ]
    places: dict[str, list[str]] = {}
    for command, section in sorted(shown, key=lambda entry: entry[1].page_only):
        place = f'section "{section.title}"{" (page only)" if section.page_only else ""}'
        places.setdefault(place, []).append(command)
    needs = next((section.needs or section.takes for _, section in shown), "")
    words = [f"{', '.join(commands)}, {place}" for place, commands in places.items()]
    return f"tallymark {'; '.join(words)}.{f' Needs {needs}' if needs else ''}"


def empty(command: str) -> Evaluation:
    """An evaluation without numbers: its sections have their titles and say what they need."""
    data = Data(read=0, used=0, scale="")
    return Evaluation(kind=command, options={}, data=data, definitions={}, subsets=(), estimates=())
