"""Needs: the ratings without which a response has no gold, and who must have given them."""

from collections.abc import Sequence
from itertools import combinations

from tallymark.sources.cells import ScoreCells
from tallymark.sources.checks import Check, problem
from tallymark.sources.resolution import lacks_rating, present_of
from tallymark.sources.settings import ReadingSettings, Setting
from tallymark.sources.sql import all_of, any_of
from tallymark.sources.tables import SqlTable


def need_checks(
    cells: ScoreCells, settings: ReadingSettings, *, adjacency: float, people_in: str = "s"
) -> list[Check]:
    """A response needs the ratings that make its gold, and a score by at least one system or a run of it.

    ``people_in`` starts the SQL names of human scores.
    """
    people = [f"{people_in}{i}" for i in cells.at("human:")]

    def lacks(setting: Setting) -> str:
        return lacks_rating(people, setting.resolve, adjacency=adjacency, needed=setting.needed)

    gold = cells.at("gold")
    if gold:
        lacking, words = f"{people_in}{gold[0]} IS NULL", "no gold score"
    else:
        lacking = settings.by_prompt(cells.key("prompt"), lacks)
        words = " or ".join(dict.fromkeys(_need(setting) for setting in settings.all))
    scored = [*cells.at("system:"), *cells.at("repeat:")]
    unscored = all_of(f"s{i} IS NULL" for i in scored)
    return [
        Check("unresolved", "", lacking, words=words),
        Check("unscored", "", unscored, words="no system score"),
    ]


def _need(setting: Setting) -> str:
    if setting.needed:
        return f"fewer than the {setting.needed} ratings that the rule {setting.resolve!r} takes"
    return f"no human score that the rule {setting.resolve!r} needs"


def most_ratings(
    table: SqlTable, cells: ScoreCells, settings: ReadingSettings, checks: Sequence[Check]
) -> list[int]:
    """The greatest number of ratings of a response under each setting; ``checks`` rule some out."""
    ratings = [f"s{i}" for i in cells.at("human:")]
    rows = table.rows(
        f"SELECT {settings.place(cells.key('prompt'))}, max({present_of(ratings)}) "
        f"FROM ({cells.tallied}) WHERE {problem(checks)} = -1 GROUP BY 1"
    )
    most = {int(place): int(number) for place, number in rows}
    return [most.get(i, 0) for i in range(len(settings.all))]


def rating_checks(cells: ScoreCells, *, people_in: str = "s") -> list[Check]:
    """A response needs a rating where only people are examined."""
    unrated = all_of(f"{people_in}{i} IS NULL" for i in cells.at("human:"))
    return [Check("unresolved", "", unrated, words="no human score")]


def slot_checks(cells: ScoreCells) -> list[Check]:
    """In slots a score has its rater, and nobody scores a response twice."""
    slots = [
        (f"s{i}", key, cells.scores[i].column)
        for i in cells.at("human:")
        if (key := cells.key(f"rater:{cells.scores[i].column}")) is not None
    ]
    checks = [
        Check("unnamed", column, f"{score} IS NOT NULL AND {key} IS NULL", words="no rater")
        for score, key, column in slots
    ]
    twice = [
        all_of([f"{a[0]} IS NOT NULL", f"{b[0]} IS NOT NULL", f"{a[1]} = {b[1]}"])
        for a, b in combinations(slots, 2)
    ]
    if twice:
        words = "response scored twice by one rater"
        checks.append(Check("duplicate", "", any_of(twice), "id", words))
    return checks
