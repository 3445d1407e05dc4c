"""A comparison on a terminal: the answer first, then the ranking, the numbers and the prompts."""

import math
from collections.abc import Mapping

from tallymark.catalogue import texts
from tallymark.render.comparing import (
    FEW_PAIRS,
    Record,
    answers,
    heading,
    leading_pairs,
    p_text,
    records,
    signed,
)
from tallymark.render.facts import data_lines, intervals
from tallymark.render.layout import Line, paragraph, table
from tallymark.render.leading import Shown, leading
from tallymark.render.literal import literal
from tallymark.render.numbers import count, rounded, with_interval
from tallymark.render.rows import MOST_ROWS, cell, more, reasons
from tallymark.render.subsets import headline_subsets, place, whole
from tallymark.results import Estimate, Evaluation, Key, Kind, Subset, split_key

MOST_LETTERS = 3
BETWEEN = "between_prompt_sd"
NEW_PROMPT = "new_prompt"


def compare_lines(evaluation: Evaluation, width: int) -> list[Line]:
    """Return the lines of a comparison."""
    lines = [
        line
        for text in answers(evaluation)
        for line in paragraph(text, width, indent="  ", weight="heading")
    ]
    lines += [Line(""), *data_lines(evaluation, width), Line("")]
    lines += [*_ranking(evaluation, width), *_pairs(evaluation, width)]
    lines += [*_numbers(evaluation, width), *_parts(evaluation, width)]
    lines += [*_new_prompt(evaluation, width), *_confidences(evaluation, width)]
    lines += paragraph(_method(evaluation), width, weight="lesser")
    return lines


def _ranking(evaluation: Evaluation, width: int) -> list[Line]:
    ranked = records(evaluation, "ranking")
    if not ranked:
        return []
    text = str(evaluation.options["by"])
    lines = paragraph(
        f"Ranking by {heading(text)}, {intervals(evaluation)}", width, weight="heading"
    )
    cells = []
    for one in ranked[:MOST_ROWS]:
        low, high = one["rank_low"], one["rank_high"]
        places = f"{low}" if low == high else f"{low} to {high}"
        known = one["rank"] is not None
        rank, share = (str(one["rank"]), _percent(one["share_first"])) if known else ("-", "-")
        name, group = literal(str(one["system"])), _letters(str(one["groups"]))
        cells.append([name, rank, _value(one, text), places, share, group])
    headings = ["system", "rank", heading(text), "may be", "first in", "group"]
    lines += table(headings, cells, width, right=("rank", "first in"))
    lines += more(len(ranked) - MOST_ROWS)
    words = "may be: ranks that all tests together leave open; first in: share of resamples; "
    words += "systems that share a group letter are not told apart"
    return [*lines, *paragraph(words, width, weight="lesser"), Line("")]


def _letters(groups: str) -> str:
    """Groups follow on each other, so that the first and the last are enough."""
    every = groups.split()
    return groups if len(every) <= MOST_LETTERS else f"{every[0]} to {every[-1]}"


def _percent(share: float) -> str:
    return f"{rounded(100 * share, 0)} %"


def _value(one: Record, text: str) -> str:
    value, low, high = (
        math.nan if one[key] is None else one[key] for key in ("value", "low", "high")
    )
    name, _ = split_key(text)
    found = Estimate(key=Key(name), value=value, low=low, high=high, n=0)
    return with_interval(found)


def _pairs(evaluation: Evaluation, width: int) -> list[Line]:
    """The pairs in a table, where they are too many for sentences."""
    pairs, text = leading_pairs(evaluation), str(evaluation.options["by"])
    if len(pairs) <= FEW_PAIRS:
        return []
    number = len(evaluation.options["systems"])
    every = number * (number - 1) // 2
    title = f"Pairs by {heading(text)}, first less second"
    title += f": {len(pairs)} of {count(every)}, with the best and of neighbours" * (
        len(pairs) < every
    )
    cells = [
        [
            literal(str(pair["system"])),
            literal(str(pair["against"])),
            signed(pair, text),
            p_text(pair["p_holm"]) + "*" * bool(pair["better"]),
        ]
        for pair in pairs[:MOST_ROWS]
    ]
    lines = [*paragraph(title, width, weight="heading")]
    lines += table(["first", "second", "difference", "adj. p"], cells, width, names=2)
    lines.append(Line("* settled: the adjusted test tells the two apart", "lesser"))
    return [*lines, *more(len(pairs) - MOST_ROWS), Line("")]


def _numbers(evaluation: Evaluation, width: int) -> list[Line]:
    """The leading statistics of every system, then of the baselines."""
    column, systems = headline_subsets(evaluation)
    base = baseline_subsets(evaluation, column)
    shown = [one for one in leading(evaluation) if _is_brief(evaluation, one)]
    own = [(literal(s.system), s.n, evaluation.of(s)) for s in systems[:MOST_ROWS]]
    own += [(f"({literal(s.system)})", s.n, evaluation.of(s)) for s in base]
    over = f", mean over {column}s" if column else ""
    title = f"Against the gold{over}, {intervals(evaluation)}; baselines in brackets"
    cells = [[name, count(n), *(_short(one, found) for one in shown)] for name, n, found in own]
    lines = paragraph(title, width, weight="heading")
    lines += table(["", "n", *(one.heading for one in shown)], cells, width)
    lines += more(len(systems) - MOST_ROWS)
    lines += reasons(shown, [found for _, _, found in own[: min(len(systems), MOST_ROWS)]], width)
    return [*lines, Line("")]


def _is_brief(evaluation: Evaluation, one: Shown) -> bool:
    """Whether a statistic stands in the table: as asked, else a few, with that of the ranking."""
    by = str(evaluation.options["by"])
    return bool(evaluation.options["statistics"]) or one.text in (*texts("comparison"), by)


def _short(one: Shown, found: Mapping[str, Estimate]) -> str:
    return cell(one, found).replace(" (no interval)", "").replace("undefined", "-")


def baseline_subsets(evaluation: Evaluation, column: str) -> list[Subset]:
    """The baselines on the responses, or averaged, as the systems are."""
    found = [s for s in evaluation.subsets if s.subject.kind is Kind.BASELINE]
    return [s for s in found if s.average == (column or None) and (column or whole(s))]


def _parts(evaluation: Evaluation, width: int) -> list[Line]:
    """Differences on each part of the data."""
    systems = evaluation.options["systems"]
    own = [s for s in evaluation.subsets if s.against.kind is Kind.SYSTEM and place(s)]
    if not own or len(systems) > FEW_PAIRS:
        return []
    text = str(evaluation.options["by"])
    cells = []
    for subset in own[:MOST_ROWS]:
        found = next(iter(evaluation.of(subset).values()))
        pair = {"difference": found.value, "low": found.low, "high": found.high}
        known = {key: None if math.isnan(number) else number for key, number in pair.items()}
        names = f"{literal(subset.system)} less {literal(str(subset.against))}"
        part = ", ".join(place(subset).values())
        cells.append([part, names, count(subset.n), signed(known, text)])
    title = f"{heading(text)} on each part of the data (no tests: these intervals are not adjusted)"
    lines = paragraph(title, width, weight="heading")
    lines += table(["", "difference of", "n", heading(text)], cells, width, names=2)
    return [*lines, *more(len(own) - MOST_ROWS), Line("")]


def _new_prompt(evaluation: Evaluation, width: int) -> list[Line]:
    """What a new prompt may bring."""
    lines: list[Line] = []
    for subset in evaluation.subsets:
        if subset.average != "prompt" or subset.fisher_z:
            continue
        found = evaluation.of(subset)
        text = str(evaluation.options["by"])
        new, spread = found.get(Key(NEW_PROMPT, of=text)), found.get(Key(BETWEEN, of=text))
        new = new or next((e for e in found.values() if e.name == NEW_PROMPT), None)
        spread = spread or next((e for e in found.values() if e.name == BETWEEN), None)
        if new is None or spread is None or math.isnan(new.value):
            continue
        said = f"{literal(subset.system)} on a new prompt: {heading(text)} {_as(new, text)}; "
        said += f"SD between prompts {_as(spread, text)}"
        lines += paragraph(said, width, indent="  ")
    return [*lines, Line("")] if lines else []


def _confidences(evaluation: Evaluation, width: int) -> list[Line]:
    """Whose confidence knows its critical errors better."""
    rows = records(evaluation, "confidences")
    if not rows:
        return []
    cells = [
        [
            f"{literal(str(one['system']))} less {literal(str(one['against']))}",
            _heading_of(str(one["statistic"])),
            *(rounded(one[key], 3, coefficient=True) for key in ("value", "value_against")),
            signed(one, "pearson"),
            "" if one["p"] is None else p_text(one["p"]),
        ]
        for one in rows[:MOST_ROWS]
    ]
    title = "Confidences: area under risk and coverage (lower is better), share accepted (higher)"
    lines = paragraph(title, width, weight="heading")
    heads = ["", "statistic", "first", "second", "difference", "p"]
    lines += table(heads, cells, width, names=2)
    return [*lines, *more(len(rows) - MOST_ROWS), Line("")]


def _heading_of(statistic: str) -> str:
    """AURC, or the share accepted at a rate of critical errors."""
    name, rate = split_key(statistic)
    return "AURC" if name == "aurc" else f"share at {_percent(float(rate))} critical"


def _as(found: Estimate, text: str) -> str:
    """Write an estimate as the statistic that it is about is written."""
    name, _ = split_key(text)
    return with_interval(
        Estimate(key=Key(name), value=found.value, low=found.low, high=found.high, n=0)
    )


def _method(evaluation: Evaluation) -> str:
    pairs = leading_pairs(evaluation)
    test = str(pairs[0]["test"]) if pairs else ""
    null = "null hypothesis: the two scores of a response are exchangeable; "
    null = null if test.startswith("studentised") else ""
    return f"Test: {literal(test)}; {null}adjusted over all pairs by Holm." if test else ""
