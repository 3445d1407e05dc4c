"""Assembling: from rows as they were read to the tally that statistics see."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.arrays import Floats
from tallymark.results import DesignWeights
from tallymark.scale import MOST_POINTS, Scale
from tallymark.sources.advising import prompts_apart, traits_apart
from tallymark.sources.cells import ScoreCells
from tallymark.sources.checks import LISTED, Check, ExcludedRow
from tallymark.sources.facts import DataFacts, Layout, MadeGold, Scores, tally_hash
from tallymark.sources.given import SECOND, SLOT, by_rater, made_gold, second_rating
from tallymark.sources.guessing_keys import TRAITS_DEPEND
from tallymark.sources.mapping import place_systems
from tallymark.sources.probabilities import check_given, check_points
from tallymark.sources.responses import ListedResponses
from tallymark.sources.roles import Roles
from tallymark.sources.scoring import (
    SettingPart,
    infer_scale,
    on_points,
    resolved,
    scale_of_gold_column,
    split,
    together,
)
from tallymark.sources.settings import Options, Setting
from tallymark.sources.tables import SqlTable
from tallymark.sources.tallying import ROW, RawTally
from tallymark.sources.weighing import check_strata, weigh
from tallymark.tally import Patterns
from tallymark.tally.patterns import STRATUM


class TalliedTable(Struct, frozen=True):
    """A table whose roles are known and whose rows are tallied."""

    table: SqlTable
    cells: ScoreCells
    checks: Sequence[Check]
    roles: Roles
    layout: Layout
    humans: tuple[str, ...]
    raw: RawTally
    guesses: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def used(self) -> NDArray[np.bool_]:
        """Which readable patterns are used; statistics of people use all of them."""
        return self.raw.usable[self.raw.readable]

    def responses(self, scores: Mapping[str, Floats], width: Floats) -> ListedResponses:
        """The responses, which can be found again while the table is open."""
        by = "id" if self.roles.long or self.roles.id else "row"
        return ListedResponses(self.table, self.cells, self.checks, by, self.raw, scores, width)


class Opened(NamedTuple):
    """Scores, and the responses they were made of, as long as their table is open.

    Responses that are not used are listed once they were looked for, in one scan with any others.
    """

    scores: Scores
    responses: ListedResponses

    def listing(self, excluded: tuple[ExcludedRow, ...]) -> Scores:
        """The scores with the responses that are not used."""
        facts = self.scores.facts
        if len(excluded) == LISTED:
            note = f"only the first {LISTED} excluded rows are listed"
            facts = replace(facts, notes=(*facts.notes, note))
        return replace(self.scores, excluded=excluded, facts=facts)


def assemble(tallied: TalliedTable, options: Options) -> Opened:
    """Resolve the gold, trim the systems, and put tally and facts together.

    Also the responses as they were read, to be found again while the table is open.
    """
    raw, used, roles = tallied.raw, tallied.used, tallied.roles
    scores = {name: v[raw.readable] for name, v in raw.scores.items()}
    parts, golds = _gold(tallied, options, scores)
    check_points(roles, [_if_fine(part.gold) for part in parts])
    check_given(roles, scores, [(part.rows & used, part.gold) for part in parts])
    weights = _weighed(tallied, scores)
    notes = _notes(tallied, parts, scores)
    judged = {name: values[used] for name, values in scores.items()}
    responses = tallied.responses(judged, _widths(parts, used))
    humans, keys = by_rater(raw, tallied.humans, scores, name=tallied.table.name)
    patterns = _patterns(raw, scores, keys)
    rater, gold = map(_if_fine, _main_scales(parts))
    scales = _scales(parts)
    facts = DataFacts(
        name=tallied.table.name,
        layout=tallied.layout,
        read=raw.read,
        used=int(raw.counts[raw.usable].sum()),
        exclusions=raw.exclusions,
        guesses=tallied.guesses,
        weights=weights,
        notes=notes,
        missing={system: _absent(patterns, system) for system in roles.systems},
        golds=golds,
        near=tallied.cells.near,
        hash=tally_hash(_as_read(patterns), {"": (rater, gold), **scales}),
    )
    read = Scores(
        patterns=patterns,
        roles=roles,
        humans=humans,
        rater_scale=rater,
        gold_scale=gold,
        scales=scales,
        resolve=_rule(tallied, options),
        facts=facts,
    )
    if read.strata is not None:
        check_strata(("", *patterns.labels[STRATUM]), read.strata.drawn)
    return Opened(read, responses)


def scales_of(tallied: TalliedTable, options: Options) -> list[SettingPart]:
    """The scales of people and of the gold, by setting, of a tally that may have no systems."""
    scores = {name: v[tallied.raw.readable] for name, v in tallied.raw.scores.items()}
    return _gold(tallied, options, scores)[0]


def _weighed(tallied: TalliedTable, scores: dict[str, Floats]) -> DesignWeights | None:
    counts = np.where(tallied.used, tallied.raw.counts[tallied.raw.readable], 0)
    return weigh(scores, counts, str(tallied.roles.weight))


def _scales(parts: Sequence[SettingPart]) -> dict[str, tuple[Scale, Scale]]:
    """The scales of raters and of the gold on prompts with options of their own."""
    return {
        part.prompt: (_if_fine(part.rater), _if_fine(part.gold))
        for part in parts
        if part.prompt is not None
    }


def _widths(parts: Sequence[SettingPart], used: NDArray[np.bool_]) -> Floats:
    """The range of the gold's scale for each used pattern; 1 where it has none."""
    width = np.ones(used.size)
    for part in parts:
        width[part.rows] = (part.gold.high - part.gold.low) or 1.0
    return width[used]


def _gold(
    tallied: TalliedTable, options: Options, scores: dict[str, Floats]
) -> tuple[list[SettingPart], tuple[MadeGold, ...]]:
    """Bring human scores onto their points and add the gold, part by part."""
    raw, used = tallied.raw, tallied.used
    people = [f"human:{name}" for name in tallied.humans] or ["gold"]
    codes, labels = raw.keys.get("prompt"), raw.labels.get("prompt", ())
    every = split(options.settings, codes, labels, raw.counts.size)
    inferred = _inferred([raw.scores[name] for name in people], raw, every)
    gold = np.where(used, scores.get("gold", np.nan), np.nan)
    resolve = tallied.roles.gold is None and not options.people_only
    parts, golds = [], []
    for prompt, setting, rows in every:
        here = rows[raw.readable]
        if not here.any():
            continue
        rater = inferred if setting.scale is None else setting.scale
        for name in people:
            scores[name][here] = on_points(scores[name][here], rater)
        panel = np.stack([scores[name] for name in people])
        if options.people_only:
            scale = rater
        elif resolve:
            ours = here & used
            gold[ours], scale = resolved(
                panel[:, ours],
                rater,
                setting,
                adjudication=options.adjudication,
                adjacency=options.adjacency,
            )
            golds.append(made_gold(raw, tallied.humans, panel, ours, setting.resolve, prompt))
        else:
            most = int((~np.isnan(panel)).sum(axis=0).max(initial=1))
            scale = scale_of_gold_column(gold[here], rater, most)
        parts.append(SettingPart(prompt, setting, here, rater, scale))
    scores["gold"] = gold
    if resolve and len(people) > 1:
        scores[SECOND] = second_rating([scores[name] for name in people], golds, parts)
    return parts, tuple(golds)


def _notes(
    tallied: TalliedTable, parts: Sequence[SettingPart], scores: dict[str, Floats]
) -> tuple[str, ...]:
    """Map and trim the systems; return what should be said about the data."""
    raw = tallied.raw
    counts = np.where(tallied.used, raw.counts[raw.readable], 0)
    traits = raw.keys.get("trait", raw.readable)[raw.readable][tallied.used]
    several = np.unique(traits).size > 1  # filters may leave a single one
    notes = [note for note in tallied.notes if several or not note.startswith(TRAITS_DEPEND)]
    notes += _apart(tallied, parts, scores)
    notes += place_systems(scores, parts, counts, _main_scales(parts)[1])
    return tuple(notes)


def _apart(
    tallied: TalliedTable, parts: Sequence[SettingPart], scores: Mapping[str, Floats]
) -> list[str]:
    """Say that prompts, or traits, may be on scales of their own, where no scale was declared."""
    raw = tallied.raw
    usual = next((part for part in parts if part.prompt is None), None)
    if usual is None or usual.setting.scale is not None:
        return []
    people = [f"human:{name}" for name in tallied.humans] or ["gold"]
    here = [np.where(usual.rows, scores[name], np.nan) for name in people]
    counts, notes = raw.counts[raw.readable], []
    for key, apart in (("prompt", prompts_apart), ("trait", traits_apart)):
        codes = raw.keys.get(key)
        if codes is not None:
            notes += apart(here, counts, codes[raw.readable], raw.labels[key])
    return notes


def _rule(tallied: TalliedTable, options: Options) -> str:
    """How the gold came about."""
    if options.people_only:
        return "none"
    return "column" if tallied.roles.gold is not None else options.settings.usual.resolve


def _inferred(
    people: Sequence[Floats],
    raw: RawTally,
    parts: Sequence[tuple[str | None, Setting, NDArray[np.bool_]]],
) -> Scale:
    """Read one scale off the human scores of all parts that declare none."""
    rows = np.zeros(raw.counts.size, dtype=bool)
    for _, setting, here in parts:
        if setting.scale is None:
            rows |= here & raw.readable
    if not rows.any():
        return together([setting.scale for _, setting, _ in parts if setting.scale is not None])
    return infer_scale([column[rows] for column in people])


def _if_fine(scale: Scale) -> Scale:
    """A scale of so many points that tables of them say nothing is a continuous one."""
    if scale.labels or len(scale.points) <= MOST_POINTS:
        return scale
    return Scale((scale.low, scale.high), continuous=True, inferred=scale.inferred)


def _main_scales(parts: Sequence[SettingPart]) -> tuple[Scale, Scale]:
    """The scales of the usual setting; where every prompt has its own, of all together."""
    for part in parts:
        if part.prompt is None:
            return part.rater, part.gold
    return together([part.rater for part in parts]), together([part.gold for part in parts])


def _patterns(raw: RawTally, scores: dict[str, Floats], kept: Sequence[str]) -> Patterns:
    """Sort by name of column, so that the order of options does not matter; drop unused labels."""
    keys, labels = {}, {}
    for name in kept:
        used, compact = np.unique(raw.keys[name][raw.readable], return_inverse=True)
        missing = int(used.size > 0 and used[0] == -1)
        keys[name] = compact.astype(np.int64) - missing
        labels[name] = tuple(raw.labels[name][code] for code in used[missing:])
    patterns = Patterns(scores, raw.counts[raw.readable], keys, labels)
    return patterns.distinct(sorted(scores), sorted(keys))


def _as_read(patterns: Patterns) -> Patterns:
    """Forget the numbers of rows, so that the hash is the same for any order of them."""
    kept = [n for n in patterns.scores if n not in (ROW, SECOND) and not n.startswith(SLOT)]
    return patterns.distinct(kept, [*patterns.keys])


def _absent(patterns: Patterns, system: str) -> int:
    lacking = np.isnan(patterns.scores[f"system:{system}"]) & ~np.isnan(patterns.scores["gold"])
    return int(patterns.counts[lacking].sum())
