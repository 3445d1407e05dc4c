"""Ceilings in words and tables: what is attainable, and where each system stands."""

import math
from collections.abc import Iterator, Sequence

from tallymark.questions.ceilings.behind import behind_sentences
from tallymark.questions.ceilings.told_apart import MODEL
from tallymark.questions.ceilings.within import within_sentences
from tallymark.questions.ceilings.words import rule_words
from tallymark.render.facts import intervals, responses
from tallymark.render.layout import Line, paragraph, table
from tallymark.render.leading import Shown
from tallymark.render.literal import literal
from tallymark.render.numbers import decimals, percent, rounded, value_text, with_interval
from tallymark.render.rows import MOST_ROWS, Row, more, reasons, rows, worded
from tallymark.render.subsets import (
    by_kind_of_part,
    place,
    system_against,
    whole,
)
from tallymark.results import (
    CEILING,
    PEOPLE,
    Evaluation,
    Key,
    Numbers,
    Subset,
    gold_in_use,
    published,
)

MOST_SENTENCES = 3
_RUNGS = {
    "human_human": ("human-human", "above human-human", "at human-human", "below human-human"),
    "human_like": (
        "human-like",
        "above the human-like ceiling",
        "at the human-like ceiling",
        "below the human-like ceiling",
    ),
    "quantised": (
        "quantised",
        "above the ceiling on these points",
        "at the ceiling on these points",
        "below the ceiling on these points",
    ),
    "theoretical": (
        "theoretical",
        "above the theoretical ceiling",
        "at the theoretical ceiling",
        "below the theoretical ceiling",
    ),
}
_CAUTION = '"At" means that the interval of the difference holds 0: a gap may still be there.'


def ceiling_lines(evaluation: Evaluation, width: int) -> list[Line]:
    """Everything about what is attainable: the ladder, what lies behind it, each part."""
    own = _people(evaluation)
    everyone = [subset for subset in own if whole(subset)]
    lines: list[Line] = []
    for subset in everyone or own[:1]:
        lines += [*_ladder(evaluation, subset, width), *_behind(evaluation, subset, width)]
    lines += _references(evaluation, width)
    for title, subsets in by_kind_of_part(own):
        lines += _part(evaluation, title, subsets, width)
    return lines or [Line("No response was rated twice: nothing is known about rater error.")]


def standing_lines(evaluation: Evaluation, width: int) -> list[Line]:
    """Where systems stand among the ceilings, for the summary of an evaluation."""
    own = [subset for subset in _people(evaluation) if whole(subset)]
    if not own:
        return []
    lines = _ladder(evaluation, own[0], width)
    told = system_against(evaluation, CEILING)
    if len(told) > MOST_SENTENCES:
        lines += _table_of_systems(evaluation, told, width)
        return [*lines, Line("")]
    sentences = [*filter(None, (standing_sentence(evaluation, one) for one in told))]
    for sentence in sentences:
        lines += paragraph(sentence, width, indent="  ")
    if any(words[2] in sentence for sentence in sentences for words in _RUNGS.values()):
        lines += paragraph(_CAUTION, width, weight="lesser")
    return [*lines, Line("")]


def _people(evaluation: Evaluation) -> list[Subset]:
    return [s for s in evaluation.subsets if s.against == CEILING and s.subject == PEOPLE]


def _ladder(evaluation: Evaluation, subset: Subset, width: int) -> list[Line]:
    """The ceilings from the top down, against the gold that is used."""
    numbers = evaluation.of(subset)
    gold = gold_in_use(evaluation, subset)
    points = gold if Key("ceiling_quantised", gold=gold) in numbers else "mean_up"
    kappa = "lin_ccc" if "human_human[lin_ccc]" in numbers else "cohen_kappa[quadratic]"
    both = "" if points == gold else ", gold too"
    name = "CCC" if kappa == "lin_ccc" else "QWK"
    shown = [
        Shown(
            Key("ceiling_theoretical", gold=gold),
            "theoretical",
            "a scorer who knew every true score",
        ),
        Shown(Key("ceiling_quantised", gold=points), "quantised", f"the same, on the points{both}"),
        Shown(Key("ceiling_human_like", gold=gold), "human-like", "one more rater, calibrated"),
        Shown(Key("human_human", of=kappa), "human-human", f"{name} of two raters"),
        Shown("human_human[pearson]", "and their r", "correlation of two raters"),
    ]
    shown = [one for one in shown if one.text in numbers]
    where = "".join(f" of {column} {name}" for column, name in place(subset).items())
    title = (
        f"Ceilings of QWK and r if the gold is {rule_words(gold)}: {responses(subset.n)}{where}, "
    )
    title += f"{intervals(evaluation)}, for these raters"
    lines = [*paragraph(title, width, weight="heading"), *worded(shown, numbers, width)]
    lines += reasons(shown, [numbers], width)
    for sentence in assumed(evaluation, subset):
        lines += paragraph(sentence, width, weight="lesser")
    columns = {key for other in _people(evaluation) for key in place(other)}
    for column in sorted(columns & {"prompt", "trait"}) if whole(subset) else []:
        text = f"Differences between {column}s count as reliable here: see each {column}."
        lines += paragraph(text, width, weight="lesser")
    return lines


def assumed(evaluation: Evaluation, subset: Subset) -> Iterator[str]:
    """Say what the ceilings assume of the raters."""
    place = evaluation.subsets.index(subset)
    for one in evaluation.tables:
        if one.name == MODEL and one.subset == place:
            yield f"Assumed: {one.rows[0][2]}."


def _behind(evaluation: Evaluation, subset: Subset, width: int) -> list[Line]:
    """Reliability, other golds, other raters, and how many raters would be needed."""
    numbers = evaluation.of(subset)
    lines: list[Line] = []
    gold = gold_in_use(evaluation, subset)
    for sentence in within_sentences(evaluation) or behind_sentences(numbers, gold):
        lines += paragraph(sentence, width, indent="  ")
    return [Line(""), *lines, Line("")] if lines else [Line("")]


def standing_sentence(evaluation: Evaluation, subset: Subset) -> str:
    """Say where one system stands."""
    numbers = evaluation.of(subset)
    of = _kappa(numbers)
    places = [text for rung in _RUNGS if (text := _place(numbers, of, rung))]
    share = numbers.get(Key("share_of_ceiling", of=of, ceiling="theoretical"))
    if not places:
        return ""
    whole_share = ""
    if share is not None and not math.isnan(share.value):
        whole_share = f"; {percent(share)} of the theoretical ceiling"
    name = "QWK" if of != "lin_ccc" else "CCC"
    text = f"{literal(subset.system)}: {name} {_statistic(numbers, of)} is "
    return f"{text}{', '.join(places)}{whole_share}."


def _kappa(numbers: Numbers) -> str:
    """The statistic that is compared: QWK, or concordance where scores are continuous."""
    continuous = "gap_to_ceiling[lin_ccc,human_human]" in numbers
    return "lin_ccc" if continuous else "cohen_kappa[quadratic]"


def _statistic(numbers: Numbers, of: str) -> str:
    """Write the statistic itself, with the digits of its distance from people."""
    gap = numbers[Key("gap_to_ceiling", of=of, ceiling="human_human")]
    value = gap.parts.get("statistic", math.nan)
    if math.isnan(value):
        return "undefined"
    places = decimals(value, gap.low, gap.high, coefficient=True)
    return rounded(value, places, coefficient=True)


def _place(numbers: Numbers, of: str, rung: str) -> str:
    """Above, at or so far below a rung; nothing where it is unknown."""
    gap = numbers.get(Key("gap_to_ceiling", of=of, ceiling=rung))
    if gap is None or math.isnan(gap.value):
        return ""
    _, above, at, below = _RUNGS[rung]
    if gap.low > 0:
        return above
    return f"{rounded(-gap.value, 2, coefficient=True)} {below}" if gap.high < 0 else at


def _table_of_systems(evaluation: Evaluation, told: Sequence[Subset], width: int) -> list[Line]:
    """One row per system: its statistic and how far it is from each rung."""
    cells, headings = [], ["QWK less", "QWK", *(words[0] for words in _RUNGS.values())]
    for subset in told[:MOST_ROWS]:
        numbers = evaluation.of(subset)
        of = _kappa(numbers)
        gaps = [numbers.get(Key("gap_to_ceiling", of=of, ceiling=rung)) for rung in _RUNGS]
        written = ["-" if gap is None else with_interval(gap) for gap in gaps]
        cells.append([literal(subset.system), _statistic(numbers, of), *written])
    return [*table(headings, cells, width), *more(len(told) - MOST_ROWS)]


def _references(evaluation: Evaluation, width: int) -> list[Line]:
    """Where published numbers stand."""
    lines: list[Line] = []
    for name in evaluation.options.get("references", {}):
        for subset in evaluation.subsets:
            if (subset.subject, subset.against) != (
                published(name),
                CEILING,
            ) or not whole(subset):
                continue
            numbers = evaluation.of(subset)
            places = [text for rung in _RUNGS if (text := _place(numbers, "reference", rung))]
            value = value_text(numbers["reference"])
            lines += paragraph(
                f"{literal(name)} ({value}): {', '.join(places)}.", width, indent="  "
            )
    return [Line("Published numbers", "heading"), *lines, Line("")] if lines else []


def _part(evaluation: Evaluation, title: str, subsets: Sequence[Subset], width: int) -> list[Line]:
    """The ceilings of each prompt or trait."""
    named: list[Row] = []
    for subset in subsets[:MOST_ROWS]:
        numbers = evaluation.of(subset)
        named.append((", ".join(place(subset).values()), subset.n, numbers))
    gold = gold_in_use(evaluation, subsets[0])
    kappa = "lin_ccc" if "human_human[lin_ccc]" in named[0][2] else "cohen_kappa[quadratic]"
    shown = [
        Shown(Key("human_human", of=kappa), "human-human", ""),
        Shown(Key("ceiling_human_like", gold=gold), "human-like", ""),
        Shown(Key("ceiling_theoretical", gold=gold), "theoretical", ""),
    ]
    lines = [Line(title, "heading"), *rows("", named, shown, width)]
    return [*lines, *more(len(subsets) - MOST_ROWS), Line("")]
