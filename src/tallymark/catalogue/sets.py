"""Sets: which numbers are in a list, and in which order."""

from functools import cache
from typing import NamedTuple

from tallymark.catalogue.every import BY_NAME, CATALOGUE
from tallymark.catalogue.row import Row, Style, Variant
from tallymark.results import split_key

SETS: dict[str, str] = {
    "default": "computed by an evaluation unless told otherwise",
    "two_points": "also computed where the scale has two points",
    "by_part": "all that is computed for each of many prompts, traits, folds or groups",
    "compared": "in which a system is compared with a further rater",
    "leading": "shown first",
    "leading_continuous": "shown instead of QWK where scores are continuous",
    "preferred": "the one number to say: the first of them that was computed",
    "brief": "shown of each prompt, trait and group",
    "errors": "shown of how far off systems are",
    "panel": "computed for the raters as a panel",
    "panel_by_part": "computed for the panel in each of many parts of the data",
    "panel_shown": "shown of the raters as a panel",
    "panel_brief": "shown of the panel in each prompt, trait and group",
    "groups": "shown of each group beside the others",
    "tested": "tested between systems, beside the one that they are ranked by",
    "comparison": "shown of each system in a comparison",
    "beside_people": "shown of a system beside people",
    "rater_pairs": "shown of every two raters",
    "rater_fit": "shown of each rater's severity and fit",
    "scales": "told on coarser scales and under other resolution rules",
    "what_if": "told of a table whose counts were moved",
    "length": "shown of what a system makes of length",
    "true_scores": "shown of a system against true scores",
    "beside_others": "of a rater against the mean of the other raters",
    "by_margins": "need only the margins of a table and mean distances",
    "chance_corrected": "coefficients to which a limit made for QWK does not carry over",
    "policy": "of a system as a whole: a policy may limit them, as it may any statistic",
    "policy_group": "of a group only: a policy may limit them",
    "contrast": "of another statistic, between system and people",
    "standing": "of another statistic, beside a ceiling",
    "routed": "known only where a threshold was certified",
    "rsmtool": "of RSMTool's main score, for all responses and each group",
    "rsm_tables": "of every kind of rounded score in RSMTool's files",
    "rsm_people": "of the two raters in RSMTool's files",
    "rsm_moments": "of every kind of score in RSMTool's files",
    "rsm_compared": "of every experiment that rsmcompare and rsmsummarize set side by side",
}
"""What the members of a set are."""


class Member(NamedTuple):
    """A number in a set: its text, column heading and the few words beside it."""

    text: str
    heading: str
    gloss: str
    panel_gloss: str
    row: Row


@cache
def members(name: str) -> tuple[Member, ...]:
    """Return the numbers of a set, in its order.

    >>> [member.heading for member in members("brief")]
    ['QWK', 'CCC', 'exact', 'bias']
    """
    if name not in SETS:
        raise KeyError(name)
    placed_members: list[tuple[int, Member]] = []
    for row in CATALOGUE:
        for variant in (Variant("", sets=row.sets), *row.variants):
            places = dict(_placed(word) for word in variant.sets.split())
            if name in places:
                placed_members.append((places[name], member(_text(row, variant))))
    return tuple(entry for _, entry in sorted(placed_members, key=lambda placed: placed[0]))


def texts(name: str) -> tuple[str, ...]:
    """Return the texts of a set's numbers, in its order.

    >>> texts("two_points")
    ('pabak', 'prevalence_index', 'bias_index')
    """
    return tuple(entry.text for entry in members(name))


def member(text: str) -> Member:
    """Return the heading and the few words of a number."""
    name, inside = split_key(text)
    row = BY_NAME[name]
    words = (
        row.variant(inside)
        if inside
        else Variant("", row.short, gloss=row.gloss, panel_gloss=row.panel_gloss)
    )
    # one sentence is enough beside a number
    gloss = words.gloss or row.reading.partition(";")[0].rstrip(".")
    return Member(text, words.short or _title(row, inside), gloss, words.panel_gloss or gloss, row)


def called(text: str) -> str:
    """Return what a sentence calls a number: its short name, else its title; never its key.

    >>> called("cohen_kappa[quadratic]"), called("pearson"), called("scott_pi[linear]")
    ('QWK', 'r', "Scott's pi, linear")
    """
    name, inside = split_key(text)
    row = BY_NAME[name]
    words = row.variant(inside) if inside else Variant("", row.short, row.called)
    return words.called or words.short or _title(row, inside)


def _title(row: Row, inside: str) -> str:
    return f"{row.title}, {inside}" if inside else row.title


def style_of(text: str) -> Style:
    """Return how a number is written; that of a statistic is written as the statistic is.

    >>> style_of("cohen_kappa[linear]"), style_of("degradation[bias]"), style_of("unheard of")
    ('share', 'points', 'plain')
    """
    name, inside = split_key(text)
    row = BY_NAME.get(name)
    if row is None:
        return "plain"
    if row.style == "of":
        return style_of(inside.partition(",")[0]) if inside else "plain"
    return row.variant(inside).style or row.style


def is_signed(text: str) -> bool:
    """Whether a number above 0 is written with its sign.

    >>> is_signed("paired_difference[mae]"), is_signed("bias")
    (True, False)
    """
    row = BY_NAME.get(split_key(text)[0])
    return row is not None and row.signed


def _text(row: Row, variant: Variant) -> str:
    return f"{row.name}[{variant.inside}]" if variant.inside else row.name


def _placed(word: str) -> tuple[str, int]:
    name, _, place = word.partition(":")
    return name, int(place or 0)
