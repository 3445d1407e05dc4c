"""Wording: scores that are words, and the scale that is meant by them."""

import math
import shlex
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, NoReturn

from msgspec.structs import replace

from tallymark.errors import DataError, OptionError
from tallymark.scale import SAME, Scale, quoted
from tallymark.sources.brief import TIMES
from tallymark.sources.cells import is_score, score_columns
from tallymark.sources.judges.shaping import KnownTable
from tallymark.sources.known import known_scales
from tallymark.sources.profiles import Profiles
from tallymark.sources.roles import Roles, listed, natural
from tallymark.sources.settings import Options, ReadingSettings
from tallymark.sources.sql import as_number
from tallymark.sources.values import MissingWords
from tallymark.sources.vocabulary import KNOWN, WORDS, plain_word

_MOST = 60
"""A scale has fewer words; a column with more of them holds texts."""
_LONGEST = 40
TRUTHS = {"true", "false"}


class Worded(NamedTuple):
    """The scale of scores that are words, and what to say of it."""

    scale: Scale
    guess: str


def meant(
    known: KnownTable | None, columns: Profiles, roles: Roles, options: Options
) -> tuple[Options, tuple[str, ...]]:
    """The options with the scale that a file gives, or that the words of scores mean; also what to say."""
    if known is not None:
        options = replace(options, settings=known_scales(known, roles, options.settings))
    settings = options.settings
    if any(setting.scale is not None for setting in settings.all):
        return with_positive(options), ()
    by_words = worded(columns, roles, options.missing)
    if by_words is None:
        return with_positive(options), ()
    options = replace(options, settings=_on_scale(settings, by_words.scale))
    return with_positive(options), (by_words.guess,)


def _on_scale(settings: ReadingSettings, scale: Scale) -> ReadingSettings:
    """The settings with one scale for all prompts."""
    usual, *others = (replace(setting, scale=scale) for setting in settings.all)
    return ReadingSettings(usual, dict(zip(settings.prompts, others, strict=True)))


def with_positive(options: Options) -> Options:
    """The options with the scale on which the label that was named is the higher one."""
    if options.positive is None:
        return options
    scales = {setting.scale for setting in options.settings.all}
    scale = scales.pop() or Scale.of("0,1")
    if scales:
        raise OptionError("--positive needs the same two labels in every prompt")
    scale = scale.with_positive(options.positive)
    return replace(options, settings=_on_scale(options.settings, scale))


def worded(columns: Profiles, roles: Roles, missing: MissingWords) -> Worded | None:
    """The scale that is meant by the words of the scores; None where scores are numbers."""
    texts = _texts(columns, roles)
    words = Counter[str]()
    for name in texts:
        words.update(_words(columns, name, missing))
    if not words or len(words) > _MOST or max(map(len, words)) > _LONGEST:
        return None
    numbers = _numbers(columns, roles, texts, missing)
    known = [word for word in words if plain_word(word) in WORDS]
    if 2 * sum(words[word] for word in known) <= words.total():
        return None if numbers else _refuse(columns.table.name, [*words])
    seen: dict[str, dict[str, str]] = {}
    for word in sorted(known):
        seen.setdefault(plain_word(word), {}).setdefault(word.lower(), word)
    fitting = [known for known in KNOWN if {*seen} <= {*known.places}]
    if numbers:  # beside words of two points, numbers from 0 to 1 stand for them
        two = min(numbers) >= 0 and max(numbers) <= 1
        fitting = [known for known in fitting if two and len(known.labels) == 2]
        if not fitting:
            return None
    exact = [known for known in fitting if all(_used(label, seen) for label in known.labels)]
    chosen = [known.spelled(seen) for known in exact or fitting]
    joined = [] if chosen or numbers else _joined(seen, words)
    others = {*seen} - TRUTHS
    if len(others) < len(seen) and any(others <= {*known.places} for known in KNOWN):
        chosen = chosen or joined  # true and false stand for 1 and 0 beside other words
    if len(chosen) != 1:
        _refuse(columns.table.name, known if chosen else [*words], chosen or joined)
    return Worded(chosen[0], f"scale: {chosen[0]} (the words of the scores, lowest first)")


def _joined(seen: Mapping[str, Mapping[str, str]], words: Iterable[str]) -> list[Scale]:
    """The scale of two points whose words are those of several, such as no and fail, yes and pass."""
    two = [known.places for known in KNOWN if len(known.labels) == 2]
    places = {word: {at[word] for at in two if word in at} for word in seen}
    if len(seen) < len({*map(plain_word, words)}) or any(len(at) != 1 for at in places.values()):
        return []
    ends = [[seen[word] for word in seen if places[word] == {end}] for end in (0, 1)]
    for end in ends:
        end.sort(key=lambda spelling: plain_word(next(iter(spelling))) in TRUTHS)
    labels = [SAME.join(spelling for each in end for spelling in each.values()) for end in ends]
    return [Scale.of(labels)] if all(labels) else []


def _used(label: str, seen: Mapping[str, object]) -> bool:
    return any(word in seen for word in label.split(SAME))


def _texts(columns: Profiles, roles: Roles) -> list[str]:
    """The columns of scores that hold words, as far as profiles tell."""
    names = [roles.score] if roles.score else _scores(columns, roles)
    names = [name for name in names if not columns.table.columns[name].numeric]
    columns.look(names)
    return [n for n in names if columns[n].numbers < columns[n].values or columns[n].truths]


def _scores(columns: Profiles, roles: Roles) -> list[str]:
    named = score_columns(roles, columns.table)
    scores = [column for name, column in named.items() if is_score(name)]
    return [*dict.fromkeys(scores)]


def _words(columns: Profiles, name: str, missing: MissingWords) -> dict[str, int]:
    """The texts of a column that are no numbers, and how often they occur."""
    column = columns.table.columns[name]
    source, times = columns.table.data([name]), "1"
    if columns.brief is not None and columns.brief.covers([name]):
        source, times = f"({columns.brief.rows([column.sql])})", TIMES
    cells = f"SELECT {missing.text(column)} AS word, {times} AS n FROM {source}"
    rows = columns.table.rows(
        f"SELECT word, CAST(sum(n) AS BIGINT) AS times FROM ({cells}) WHERE word IS NOT NULL AND "
        f"{as_number('word')} IS NULL GROUP BY word ORDER BY times DESC, word LIMIT {_MOST + 1}"
    )
    return dict(rows)


def _numbers(
    columns: Profiles, roles: Roles, texts: Sequence[str], missing: MissingWords
) -> list[float]:
    """The least and the greatest of the numbers beside words; none where scores are words alone."""
    ends: list[float] = []
    for name in [roles.score] if roles.score else _scores(columns, roles):
        if name in texts:
            cells = f"SELECT {missing.text(columns.table.columns[name])} AS word FROM {columns.table.data([name])}"
            number = as_number("word")
            [row] = columns.table.rows(f"SELECT min({number}), max({number}) FROM ({cells})")
            ends += [end for end in row if end is not None and not math.isnan(end)]
        else:
            ends += [end for end in (columns[name].low, columns[name].high) if not math.isnan(end)]
    return ends


def _refuse(source: str, words: Sequence[str], scales: Sequence[Scale] = ()) -> NoReturn:
    """Say which words scores have, and how to declare them."""
    named = listed(sorted(words, key=natural))
    if scales:
        ways = " or ".join(f"--scale {_in_shell(str(scale))}" for scale in scales[:4])
        raise DataError(
            f"the scores of {source} are words of several scales ({named}); name the one that is meant: "
            f"{ways}"
        )
    example = _in_shell(",".join(map(quoted, sorted(words, key=natural)[:6])))
    raise DataError(
        f"the scores of {source} are words: {named}. List them from the lowest to the highest, such as "
        f"--scale {example} or, if they have no order, --categories {example}; --missing WORD reads one "
        "as missing"
    )


def _in_shell(text: str) -> str:
    """Write an argument as shells of every system read it, where one spelling suits them all."""
    return shlex.quote(text) if any(mark in text for mark in '"$`\\!') else f'"{text}"'
