"""Reading: one call from a file or frame to its tally."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial, wraps
from typing import Any, NamedTuple, ParamSpec

import numpy as np
from msgspec.structs import replace

from tallymark.scale import HALF_STEP, Scale, trim_steps
from tallymark.sources.assembling import Opened, TalliedTable, assemble
from tallymark.sources.cells import ScoreCells, long_cells, wide_cells
from tallymark.sources.checks import Check, checked_words, score_checks
from tallymark.sources.conditions import narrowed, no_rows, only
from tallymark.sources.crosstab import cross_table, only_sheet
from tallymark.sources.facts import Layout, Scores
from tallymark.sources.filters import (
    SUPPRESSED,
    Filters,
    candidate_checks,
    check_filters,
    flag_checks,
    make_filters,
    zero_check,
)
from tallymark.sources.given import check_elsewhere, check_number, fewer
from tallymark.sources.guessing import guess_roles, likely_columns
from tallymark.sources.known import known_roles
from tallymark.sources.labelled import WithLabels, join_labels
from tallymark.sources.long import long_roles
from tallymark.sources.near import tallied
from tallymark.sources.needs import most_ratings, need_checks, rating_checks, slot_checks
from tallymark.sources.probabilities import probability_checks
from tallymark.sources.profiles import Profiles
from tallymark.sources.repeating import repeat_checks
from tallymark.sources.resolution import COUNTED
from tallymark.sources.roles import PromptOptions, Roles, check_systems, named_roles, slots
from tallymark.sources.settings import (
    Options,
    Setting,
    asked_of,
    check_settings,
    declared,
    make_settings,
    two_ends,
    with_needs,
    written,
)
from tallymark.sources.tables import SqlTable, open_table
from tallymark.sources.values import MissingWords
from tallymark.sources.weighing import weight_checks
from tallymark.sources.wording import meant

P = ParamSpec("P")
AnyScale = Scale | str | Sequence[object]


@contextmanager
def open_scores(  # noqa: PLR0913 - one parameter per option
    source: object,
    *,
    roles: Roles,
    scale: AnyScale | None = None,
    categories: AnyScale | None = None,
    positive: str | None = None,
    system_scale: AnyScale | None = None,
    resolve: str = "first",
    adjudication: str = "expert",
    adjacency: float = 1.0,
    missing: Sequence[str] = (),
    exclude: Sequence[str] = (),
    prompts: Mapping[str, PromptOptions] | None = None,
    trim: str | float = HALF_STEP,
    people_only: bool = False,
    exclude_zero: bool = False,
    flags: Mapping[str, object] | None = None,
    candidate: str | None = None,
    min_items: int | None = None,
    numbered: bool = False,
    sheet: str | None = None,
    records: str | None = None,
    where: str | None = None,
    memory_limit: str | None = None,
    allow_network: bool = False,
    human_file: object = None,
    table: bool = False,
    engine: str = "duckdb",
    master: str | None = None,
) -> Iterator[Opened]:
    """Read a file, frame or mapping of columns and tally its scores; the table stays open meanwhile.

    Whatever ``roles`` leaves open is guessed. ``missing`` are texts that mean a missing value;
    ``categories`` are labels without an order; ``positive`` is the one of two labels to be found.
    ``exclude`` (text, infinite, off-scale, duplicate, weight, probability) turns these errors into counted exclusions.
    ``trim`` says how far beyond the scale a system's score may lie: half-step, range, none or a
    number of steps. With ``people_only`` neither a system nor a gold is looked for. ``exclude_zero`` takes human
    scores of zero for missing; ``flags`` name the values of columns that are kept; a ``candidate``
    with fewer than ``min_items`` usable responses is left out. ``numbered`` keeps every
    response apart, with the number of its row. ``sheet`` names one of an Excel file, ``records``
    the path to the records of JSON; only rows ``where`` a condition holds are read. ``memory_limit`` and ``allow_network`` are the database's. A ``human_file`` has people's scores, joined by id. A ``table`` is a cross-table of counts. The ``engine`` is where the
    rows are read: here, or by Spark's ``master``.
    """
    cross, scale = None, declared(scale, categories, resolve, system_scale, prompts or {})
    if table:
        others = {"--records": records, "--human-file": human_file, "--where": where}
        lone = only_sheet(sheet, others)
        cross = cross_table(source, roles, scale, lone, people_only=people_only)
        roles, scale = cross.roles, Scale.of(cross.scale)
    filters = make_filters(exclude_zero, flags, candidate, min_items)
    usual = Setting(scale, resolve, trim_steps(trim), two_ends(system_scale))
    words = MissingWords(tuple(str(word).strip() for word in missing)), checked_words(exclude)
    settings, third = make_settings(usual, prompts or {}), resolve == "adjudicated"
    how = adjudication, adjacency, *words, people_only, numbered, positive
    options = Options(settings, *how)
    asked = {
        "scale" if categories is None else "categories": written(scale),
        "positive": positive,
        "system_scale": written(system_scale),
        **({"adjudication": adjudication, "adjacency": adjacency} if third else {}),
        "missing": list(missing),
        "exclude": list(exclude),
        "prompts": {prompt: asked_of(differing) for prompt, differing in (prompts or {}).items()},
        "exclude_zero": exclude_zero,
        "flags": {column: list(values) for column, values in filters.flags.items()},
        "candidate": candidate,
        "min_items": min_items,
        "sheet": sheet,
        "records": records,
        "where": where and where.strip(),
        "human_file": None if human_file is None else "LABELS",
        "trim": trim if isinstance(trim, str) and trim != HALF_STEP else None,
        "table": table,
    }
    given = {key: value for key, value in asked.items() if value}
    place: Any = {"sheet": sheet, "records": records, "engine": engine, "master": master}
    place |= {"memory_limit": memory_limit, "allow_network": allow_network}
    with open_table(source, **place) if cross is None else cross.open() as opened:
        read = _opened(WithLabels(opened, roles), human_file, where, options, filters)
        yield read._replace(scores=replace(read.scores, options=given))


def _opened(
    both: WithLabels, human_file: object, where: str | None, options: Options, filters: Filters
) -> Opened:
    """Read a table, after people's scores were brought to it where they are in one of their own."""
    if human_file is not None:
        words = options.missing, options.settings.words
        both = join_labels(both.table, human_file, both.roles, *words)
        filters = replace(filters, labels=both.lacking)
    table = both.table if where is None else narrowed(both.table, where)
    read = assemble(*_read(table, both.roles, options, filters))
    return read._replace(scores=replace(read.scores, facts=both.said_in(read.scores.facts)))


def _alone(opening: Callable[P, AbstractContextManager[Opened]]) -> Callable[P, Scores]:
    """Return a function that reads the scores and closes the table."""

    @wraps(opening)
    def read(*args: P.args, **options: P.kwargs) -> Scores:
        with opening(*args, **options) as opened:
            return opened.listing(opened.responses.find(np.array([], np.intp), 0).excluded)

    return read


read_scores = _alone(open_scores)
"""Read a file, frame or mapping of columns and tally its scores, as :func:`open_scores` does."""


def _read(
    table: SqlTable, asked: Roles, options: Options, filters: Filters
) -> tuple[TalliedTable, Options]:
    if asked.count is not None and SUPPRESSED in table.columns:
        filters = replace(filters, suppressed=True)
    if table.known is not None and not asked.long and not options.people_only:
        filters = replace(filters, reasons=table.known.reasons)
    roles, guesses, notes, columns = _understood(table, asked, options, filters)
    options, said = meant(table.known, columns, roles, options)
    guesses += said
    table = columns.table
    pairs = () if roles.long else slots(roles.humans, [*table.columns])
    layout: Layout = "long" if roles.long else "wide"
    if any(slot.rater is not None for slot in pairs):
        layout = "slots"
    humans = roles.humans if roles.long else tuple(slot.score for slot in pairs)
    check_number(table.name, len(humans), fewer(roles))
    if roles.gold is None and not options.people_only:
        check_settings(
            options.settings,
            raters=len(humans),
            adjudication=options.adjudication,
            adjacency=options.adjacency,
        )
    worded, known = bool(options.settings.words), [*table.columns]
    check_filters(filters, known, table.name, long=roles.long, words=worded)
    cells = _cells(table, roles, options, filters, columns)
    checks = _data_checks(cells, options, filters, roles)
    if roles.long or asked.id is not None:
        checks += repeat_checks(table, cells, roles, options.missing, rows=columns.rows)
    if any(check.by_id for check in checks):
        cells = replace(cells, brief=None)
    checks, options = _with_needs(table, cells, options, filters, checks)

    bare = partial(
        TalliedTable, table, checks=checks, roles=roles, layout=layout, humans=humans,
        guesses=guesses,
    )  # fmt: skip
    return tallied(bare, cells, options, columns.rows, notes), options


def _cells(
    table: SqlTable, roles: Roles, options: Options, filters: Filters, columns: Profiles
) -> ScoreCells:
    read = table, roles, options.missing, options.settings.words
    how: Any = {"no_zero": filters.exclude_zero, "truths": columns.truths, "worded": columns.worded}
    if roles.long:
        return long_cells(*read, **how)
    return wide_cells(*read, extra=filters.columns, brief=columns.brief, **how)


def _data_checks(
    cells: ScoreCells, options: Options, filters: Filters, roles: Roles
) -> list[Check]:
    """What a response may have that keeps it from being used; the first that holds is the reason."""
    return [
        *flag_checks(filters),
        *score_checks(cells, options.settings),
        *weight_checks(cells),
        *probability_checks(cells, roles, several=len(options.settings.all) > 1),
        *slot_checks(cells),
    ]


def _with_needs(
    table: SqlTable, cells: ScoreCells, options: Options, filters: Filters, checks: list[Check]
) -> tuple[list[Check], Options]:
    """Add what a response must have to be used to the checks that come before.

    Also the options with the number of ratings that the rules of resolution take.
    """
    settings = options.settings
    counted = any(setting.resolve in COUNTED for setting in settings.all)
    if counted and not (options.people_only or cells.at("gold")):
        settings = with_needs(settings, most_ratings(table, cells, settings, checks))

    def need(people_in: str) -> list[Check]:
        if options.people_only:
            return rating_checks(cells, people_in=people_in)
        return need_checks(cells, settings, adjacency=options.adjacency, people_in=people_in)

    checks = checks + ([zero_check(need("s")[0], need("z")[0])] if filters.exclude_zero else [])
    checks += need("s")
    checks += candidate_checks(filters, cells, checks)
    return checks, replace(options, settings=settings)


class Understood(NamedTuple):
    """The complete roles, what was guessed, what should be said, and what was seen of the columns."""

    roles: Roles
    guesses: tuple[str, ...]
    notes: tuple[str, ...]
    columns: Profiles


def _understood(table: SqlTable, asked: Roles, options: Options, filters: Filters) -> Understood:
    roles = named_roles(asked, [*table.columns], table.name)
    known = None if roles.long else table.known
    said: tuple[str, ...] = ()
    if known is not None:
        roles, said = known_roles(table.name, known, roles, people_only=options.people_only)
    columns = Profiles(table, options.missing, options.settings.words)
    named = [role.column for role in roles.named(table.columns) if role.option != "--id"]
    named += [name for name in filters.columns.values() if name in table.columns]
    columns.start(named)
    if not columns.rows:
        raise no_rows(table)
    if columns.large or table.elsewhere:
        wide = not (options.numbered or roles.long or columns.maybe_long)
        columns.keep(
            named, *likely_columns(columns, roles, people_only=options.people_only), wide=wide
        )
        table = columns.table
    if known is not None:
        return Understood(roles, said, (*only(table), *known.notes), columns)
    roles, guesses, notes = guess_roles(table.name, columns, roles, people_only=options.people_only)
    if table.elsewhere:
        check_elsewhere(table.name, roles, numbered=options.numbered)
    if roles.long:
        roles, more, left = long_roles(
            table, roles, options.missing, people_only=options.people_only
        )
        guesses += more
        notes += left
    check_systems(roles)
    if table.elsewhere:
        needed = [role.column for role in roles.named(table.columns) if role.option != "--id"]
        columns.cover([*needed, *filters.columns.values()])
    return Understood(roles, guesses, (*table.notes, *only(table), *notes), columns)
