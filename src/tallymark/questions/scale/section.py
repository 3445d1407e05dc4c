"""Other scales, other rules, every pass mark and recalibration, as a section and as findings."""

from collections.abc import Iterator

from msgspec.structs import replace

from tallymark.render.model import Block, Heading, Rank, Section, Text
from tallymark.render.records import curves_of, drawing, table_block, tables_of
from tallymark.render.sentences import FindingWords, Sentence, Tellers
from tallymark.results import Evaluation, Finding, Key

QWK, CCC = Key("cohen_kappa", weights="quadratic"), Key("lin_ccc")
SETTLED = (
    " These data settle neither: both intervals hold .70.",
    " These data settle only one of the two.",
    "",
)
"""What is said of two decisions of which none, one or both are settled."""
ORDER_IS_RIGHT = 0.8
"""From this tau-b on the order of responses is called right: of ten pairs that both scores order, nine
are in the same order."""
RECALIBRATION = {"linear": "A linear recalibration", "isotonic": "An isotonic recalibration"}
IN_TABLE = (Key("pass_fail", of="prevalence"), Key("pass_fail", of="sim_pass"))
"""Curves of which the table tells what matters."""
TOPICS = (
    (
        "scale_effect",
        "The same scores on other scales",
        "Coefficients change when scores are put into fewer points, or when another rule makes the gold of the ratings. The people and the system are the same each time.",
        "coefficients on fewer score points",
    ),
    (
        "pass_fail",
        "Pass and fail",
        "Each score point is taken as a pass mark. A scorer without skill, who decides as most of the gold does, should get nothing.",
        "agreement on pass and fail by pass mark",
    ),
)
"""The name of tables and curves, their title, what they show, and the caption of the figure."""


def section(evaluation: Evaluation) -> Section:
    """Show what other scales, rules and pass marks would say, and what recalibration would do."""
    return Section(
        id="scale",
        title="Other scales",
        question="Would another scale, rule or pass mark decide otherwise?",
        blocks=tuple(_blocks(evaluation)),
    )


def _blocks(evaluation: Evaluation) -> Iterator[Block]:
    for name, title, words, caption in TOPICS:
        tables = tables_of(evaluation, name)
        if not tables:
            continue
        yield Heading(title, rank=Rank.PAGE, folded=True)
        yield Text(words, rank=Rank.PAGE)
        for curves in curves_of(evaluation, name):
            drawn = [curve for curve in curves if curve.name not in IN_TABLE]
            yield drawing(evaluation, drawn, caption)
        coefficients = name == "scale_effect"  # a table of cuts also holds scores
        shares = () if coefficients else ("largest distance", "most that no skill gets")
        styles = dict.fromkeys(shares, "share")
        for table in tables:
            yield table_block(evaluation, table, coefficients=coefficients, styles=styles)
    tables = tables_of(evaluation, "recalibration")
    if tables:
        yield Heading("Recalibration", rank=Rank.PAGE, folded=True)
    for table in tables:
        block, numbers = table_block(evaluation, table), evaluation.numbers[table.subset]
        keys = [Key("recalibrated", of=name, by="linear") for name in (QWK, CCC)]
        line = next(numbers[key].parts for key in keys if key in numbers)
        template = "The line is {shift} + {slope} x score. {note}"
        note = Sentence(template, shift=line["shift"], slope=line["slope"], note=block.note)
        yield replace(block, note=note)


def decides(finding: Finding, _: Evaluation) -> FindingWords:
    """The choice of scale or rule turns the decision at QWK .70 around."""
    numbers = finding.numbers
    words = Sentence(
        "At a limit of .70 on QWK the same scores pass {accepted} ({best:share}) and fail {rejected} "
        "({worst:share}).{settled}",
        accepted=_way(finding, "accepted"),
        rejected=_way(finding, "rejected"),
        best=numbers["accepted"],
        worst=numbers["rejected"],
        settled=SETTLED[int(numbers["settled"])],
    )
    advice = (
        "Fix the scale and the resolution rule before you see the numbers, and report both with "
        "QWK; AC2 and Brennan-Prediger change less with the scale."
    )
    rule = finding.name == "resolution_decides"
    ways = tuple(str(_way(finding, side)) for side in ("accepted", "rejected"))
    title = f"The {'resolution rule' if rule else 'scale'} decides"
    return FindingWords(words, advice, title, (*ways, numbers["settled"]))


def _way(finding: Finding, side: str) -> Sentence:
    if side in finding.texts:
        return Sentence("with the {rule} of the ratings as gold", rule=finding.texts[side])
    return Sentence("on {points} points", points=finding.numbers[f"{side}_points"])


def recalibrate(finding: Finding, evaluation: Evaluation) -> FindingWords:
    """Level or spread cost agreement that the order of responses would allow."""
    estimates, numbers = evaluation.numbers[finding.subset], finding.numbers
    way = finding.texts["by"]
    gain = Key("recalibration_gain", of=QWK, by=way)
    name = "QWK" if gain in estimates else "CCC"
    right = numbers["tau_b"] >= ORDER_IS_RIGHT
    closer = abs(numbers["smd_after"]) < abs(numbers["smd_before"])
    words = Sentence(
        "{name} is {before:share}{order} (r {r:share}, tau-b {tau:share}). {way}, which keeps the "
        "order of responses, would reach {after:share}, a gain of {gain}, cross-fitted{smd}.",
        name=name,
        smd=Sentence(
            "; SMD{rounded} would move from {off:hundredths} to {still:hundredths}",
            rounded=" of the rounded scores" if name == "QWK" else "",
            off=numbers["smd_before"],
            still=numbers["smd_after"],
        )
        if closer
        else "",
        order=Sentence(
            ", but their order is right: tau-b is {limit:goal} or more", limit=ORDER_IS_RIGHT
        )
        if right
        else "",
        before=numbers["before"],
        r=numbers["r"],
        tau=numbers["tau_b"],
        way=RECALIBRATION[way],
        after=numbers["after"],
        gain=estimates[gain if gain in estimates else Key("recalibration_gain", of=CCC, by=way)],
    )
    advice = (
        "Fit a recalibration on other responses than those it is judged on, and evaluate again; tables "
        "named recalibration show one."
    )
    title = "Order is right, level is not" if right else "Level or spread is off"
    return FindingWords(words, advice, title, (right, way, numbers["smd_before"] > 0))


FINDINGS: Tellers = {
    "scale_decides": decides,
    "resolution_decides": decides,
    "recalibrate": recalibrate,
}
