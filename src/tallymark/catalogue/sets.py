"""Sets: which numbers are in a list, and in which order."""

from functools import cache
from typing import NamedTuple

from tallymark.catalogue.every import BY_NAME, CATALOGUE
from tallymark.catalogue.row import Level, Row, Style, Variant
from tallymark.results import split_key
from tallymark.scale import View

SETS: dict[str, str] = {
    "default": "computed by an evaluation unless told otherwise",
    "two_points": "also computed where the scale has two points",
    "categories": "also computed where labels have no order",
    "each_label": "shown of every label",
    "labels_by_group": "shown of each group less the others, at the same label by people",
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
    "probes": "shown of what a system gives probes",
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
def members(name: str, view: View = "ordinal") -> tuple[Member, ...]:
    """Return the numbers of a set, in its order, as they are shown of scores of this kind.

    On two points weights change nothing, and what repeats another number is left out; of labels
    without order those are that need one.

    >>> [member.heading for member in members("brief")]
    ['QWK', 'CCC', 'exact', 'bias']
    >>> [member.heading for member in members("brief", "binary")]
    ['sensitivity', 'specificity', 'kappa', 'exact']
    """
    if name not in SETS:
        raise KeyError(name)
    placed_members: list[tuple[int, Member]] = []
    for row in CATALOGUE:
        for variant in (Variant("", sets=row.sets), *row.variants):
            places = dict(_placed(word) for word in variant.sets.split())
            if view == "binary" and row.on_two_points:
                places.pop(name, None)
            place = places.get(f"{view}/{name}", places.get(name))
            if place is not None:
                placed_members.append((place, member(_text(row, variant))))
    placed_members.sort(key=lambda placed: placed[0])
    if view == "ordinal":
        return tuple(entry for _, entry in placed_members)
    plain = [without_order(e.text) or (e.text * (view == "binary")) for _, e in placed_members]
    return tuple(map(member, dict.fromkeys(filter(None, plain))))


def texts(name: str, view: View = "ordinal") -> tuple[str, ...]:
    """Return the texts of a set's numbers, in its order.

    >>> texts("preferred", "nominal")
    ('cohen_kappa[identity]',)
    """
    return tuple(entry.text for entry in members(name, view))


def level_of(text: str) -> Level:
    """Return the level of measurement that a number needs; of another statistic, what that needs.

    >>> level_of("cohen_kappa[quadratic]"), level_of("degradation[cohen_kappa[identity]]")
    ('interval', 'nominal')
    """
    name, inside = split_key(text)
    row = BY_NAME[name]
    of = split_key(inside)[0]
    if of in BY_NAME and "of" in row.choices:
        return level_of(inside if inside.endswith("]") else inside.partition(",")[0])
    return row.variant(inside).level or row.level


def without_order(text: str) -> str:
    """Return the number itself, or its form that needs no order; empty where there is none.

    >>> without_order("gwet_ac[quadratic]"), without_order("bias")
    ('gwet_ac[identity]', '')
    """
    if level_of(text) == "nominal":
        return text
    row = BY_NAME[split_key(text)[0]]
    return next((_text(row, v) for v in row.variants if v.level == "nominal"), "")


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
