"""Guessing keys: what responses are told apart by, and tables with one row per rating."""

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from tallymark.scale import MOST_POINTS
from tallymark.sources import words
from tallymark.sources.guesser import Guesser
from tallymark.sources.profiles import MOST_CLUSTERS, Profiles
from tallymark.sources.sql import DATA

_MOST_GROUPS = 50
_MOST_PROMPTS = 1_000
_FEW_PROMPTS = 10
_MOST_COLUMNS = 12
"""Of a table with more columns it is not tried out which of them may name responses and raters."""
_ROWS = 100_000
"""So many first rows are looked at to find that out."""
TRAITS_DEPEND = "traits of one response depend on each other"


def most_prompts(responses: int) -> int:
    """With more values than this a column does not name prompts: five responses each, or ten prompts.

    >>> most_prompts(6), most_prompts(40), most_prompts(711), most_prompts(100_000)
    (3, 10, 142, 1000)
    """
    several = min(_MOST_PROMPTS, responses // 5)
    return max(several, min(_FEW_PROMPTS, responses // 2), 1)


def guess_keys(guesser: Guesser) -> None:
    """Guess what responses are told apart by."""
    roles = guesser.roles

    def first(role: str, pattern: re.Pattern[str], most: float) -> str | None:
        fitting = [
            name for name in guesser.free(pattern) if 0 < guesser.columns[name].distinct <= most
        ]
        return next(iter(guesser.take(role, fitting[:1])), None)

    rows = guesser.columns.rows
    few = most_prompts(rows)
    prompt = roles.prompt or first("prompt", words.PROMPT, few)
    trait = roles.trait or first("trait", words.TRAIT, few)
    groups = roles.groups or guesser.take(
        "group",
        (n for n in guesser.free(words.GROUP) if 0 < guesser.columns[n].distinct <= _MOST_GROUPS),
    )
    # where every candidate has one response, clusters are responses
    cluster = roles.cluster or first("cluster", words.CLUSTER, MOST_CLUSTERS * rows)
    fold = roles.fold or first("fold", words.FOLD, few)
    guesser.roles = replace(
        roles, prompt=prompt, trait=trait, groups=groups, cluster=cluster, fold=fold
    )


def guess_id(guesser: Guesser) -> None:
    """Guess the column that names responses; one whose values recur names something else."""
    roles, columns = guesser.roles, guesser.columns
    if roles.id is not None:
        note_traits(guesser, roles.id)
        return
    traits = 1 if roles.trait is None else columns.distinct_of_rows(roles.trait)[0]
    for name in guesser.free(words.IDENTIFIER):
        if not columns.filled(name):
            continue
        each = _rows_of_each(columns, name)
        if each < 2 * traits:
            guesser.roles = replace(roles, id=next(iter(guesser.take("id", [name]))))
            note_traits(guesser, name)
            return
        if roles.cluster is None:
            traits_too = "" if roles.trait else "; if they are traits, add --trait COLUMN"
            guesser.notes.append(
                f"{name} does not identify responses: each value has about {round(each)} rows. If these "
                f"depend on each other, add --cluster {shlex.quote(name)}{traits_too}"
            )
            return


def note_traits(guesser: Guesser, name: str) -> None:
    """Say that the traits of a response are not independent, where nothing tells whose they are."""
    roles, columns = guesser.roles, guesser.columns
    if roles.cluster is not None or roles.trait is None:
        return
    traits, _ = columns.distinct_of_rows(roles.trait)
    if traits > 1 and _rows_of_each(columns, name) > 1.5:
        guesser.notes.append(
            f"{TRAITS_DEPEND}: add --cluster {shlex.quote(name)}, or intervals over all traits are too "
            "narrow"
        )


def _rows_of_each(columns: Profiles, name: str) -> float:
    """Rows of each value of a column, as far as the rows read tell."""
    distinct, rows = columns.distinct_of_rows(name)
    return rows / distinct


def guess_long(guesser: Guesser) -> None:
    """Guess that a table has one row per rating; what names responses is then no prompt."""
    asked = guesser.roles
    rater = guesser.named(words.RATER)
    score = guesser.numeric(guesser.named(words.SCORE))
    response = sorted(guesser.named(words.RESPONSE), key=_like_a_prompt)
    if not (len(rater) == len(score) == 1 and response):
        return
    responses = guesser.columns[response[0]].distinct
    if not responses or responses > 0.9 * guesser.columns.rows:
        return  # every response once: a wide table
    prompt = asked.prompt
    if prompt is not None and any(said.startswith("prompt: ") for said in guesser.said):
        many = guesser.columns[prompt].distinct > most_prompts(responses)
        if prompt == response[0] or many:
            guesser.give_back("prompt", prompt)
            prompt = None
    guesser.roles = replace(
        asked, prompt=prompt, response=response[0], rater=rater[0], score=score[0]
    )
    guesser.take("response, rater, score", (response[0], rater[0], score[0]))


def _like_a_prompt(name: str) -> bool:
    return words.PROMPT.fullmatch(words.plain(name)) is not None


def long_options(guesser: Guesser) -> str:
    """The options that read a table as one row per rating; empty where that is not likely.

    Nobody rates a response twice, and responses and raters both recur.
    """
    columns = guesser.columns
    if len(columns.names) > _MOST_COLUMNS:
        return ""
    rows = min(columns.rows, _ROWS)
    distinct = {name: _distinct(guesser, name) for name in columns.names}
    scores = guesser.numeric(guesser.named(words.SCORE)) or sorted(
        guesser.numeric([name for name in columns.names if not words.names_a_key(name)]),
        key=lambda name: distinct[name],
    )
    if not scores or distinct[scores[0]] > MOST_POINTS:
        return ""
    recurring = [n for n in columns.names if n != scores[0] and 1 < distinct[n] < rows]
    for response, rater in _likely(recurring, distinct):
        if _distinct(guesser, response, rater) == rows:
            named = {"--response": response, "--rater": rater, "--score": scores[0]}
            return " ".join(f"{option} {shlex.quote(name)}" for option, name in named.items())
    return ""


def _likely(names: Sequence[str], distinct: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """Pairs of columns that may name responses and raters, the likeliest first."""

    def as_response(name: str) -> tuple[bool, int]:
        plain = words.plain(name)
        named = words.RESPONSE.fullmatch(plain) or words.IDENTIFIER.fullmatch(plain)
        return not (named or plain.endswith("id")), -distinct[name]

    def as_rater(name: str) -> tuple[bool, int]:
        return not words.RATER.fullmatch(words.plain(name)), distinct[name]

    for rater in sorted(names, key=as_rater):
        for response in sorted(names, key=as_response):
            if response != rater and distinct[response] > distinct[rater]:
                yield response, rater


def _distinct(guesser: Guesser, *names: str) -> int:
    """How many values some columns have together, among the first rows."""
    columns = guesser.columns
    cells = ", ".join(columns.missing.text(columns.table.columns[name]) for name in names)
    known = f"SELECT DISTINCT {cells} FROM (SELECT * FROM {DATA} LIMIT {_ROWS})"
    return int(columns.table.rows(f"SELECT count(*) FROM ({known})")[0][0])
