"""Which coefficient to trust, where the agreement sits, and single responses: a section and findings."""

import math
from collections.abc import Iterator

from msgspec.structs import replace

from tallymark.questions.diagnosis.part import ACCEPTED
from tallymark.render.model import Block, Heading, Rank, Section, Table
from tallymark.render.records import some_columns, table_block, tables_of
from tallymark.render.sentences import FindingWords, Said, Sentence, Tellers
from tallymark.results import GOLD, TRUE_SCORES, Estimate, Evaluation, Finding, Key, Numbers
from tallymark.results import ResultTable as Record

QWK = Key("cohen_kappa", weights="quadratic")
KAPPA = Key("cohen_kappa", weights="identity")
AC = Key("gwet_ac", weights="quadratic")
EXACT, TAU, R = Key("percent_agreement"), Key("kendall_tau_b"), Key("pearson")
PRMSE, EVEN = Key("prmse"), Key("qwk_even_position")
SETTLED = 0.05
"""A smaller p-value settles that the margins differ."""
MOST_LISTED = 10
PROPERTIES = ("robust", "penalises", "detects", "corrects", "needs")
TITLES = {
    "metrics_here": "Which coefficient to trust here",
    "agreement_by_point": "Where the agreement sits",
    "largest_disagreements": "Largest disagreements",
    "influential": "Influence of single responses",
}
STYLES = dict.fromkeys(
    ("qwk_without", "qwk_change", "r_without", "r_change", "share_of_gold"), "share"
)
"""How numbers of the listed tables are written; others are scores and counts."""


def section(evaluation: Evaluation) -> Section:
    """Show the tables that findings rest on; all of them stand on the page alone."""
    return Section(
        id="diagnosis",
        title="What these numbers hide",
        question="What do the coefficients hide?",
        blocks=tuple(_blocks(evaluation)),
    )


def _blocks(evaluation: Evaluation) -> Iterator[Block]:
    for name, title in TITLES.items():
        tables = [table for table in tables_of(evaluation, name) if table.rows]
        if tables:
            yield Heading(title, rank=Rank.PAGE, folded=True)
        if name == "metrics_here":
            yield from _metrics(evaluation, tables)
        else:
            yield from (_listed(evaluation, table) for table in tables)


def _metrics(evaluation: Evaluation, tables: list[Record]) -> Iterator[Table]:
    """The numbers of each system, and once what coefficients can see in general."""
    for table in tables:
        on_data = [
            i
            for i, name in enumerate(table.columns)
            if not name.startswith(("statistic", *PROPERTIES))
        ]
        numbers = some_columns(table, on_data)
        yield table_block(
            evaluation,
            replace(numbers, title=f"{table.title}: what each says on these data"),
            coefficients=True,
        )
    for table in tables[:1]:
        general = ("title", *PROPERTIES)
        columns = [i for i, name in enumerate(table.columns) if name.startswith(general)]
        general_table = replace(some_columns(table, columns), subset=-1, note="")
        yield table_block(
            evaluation, replace(general_table, title=f"{table.title}: what each can see")
        )


def _listed(evaluation: Evaluation, table: Record) -> Table:
    """The first rows of a table."""
    block = table_block(evaluation, table, styles=STYLES)
    titled = tuple(replace(c, title=c.title.replace("qwk", "QWK")) for c in block.columns)
    block = replace(block, columns=titled)
    qwk = evaluation.beside(table.subset, GOLD).get(QWK)
    by_point = table.name == "agreement_by_point"
    note = Sentence("QWK is {qwk}.", qwk=qwk) if by_point and qwk else block.note
    left = max(len(block.rows) - MOST_LISTED, 0)
    return replace(block, rows=block.rows[:MOST_LISTED], left=left, note=note)


def kappa_paradox(finding: Finding, evaluation: Evaluation) -> FindingWords:
    """High agreement, low kappa: one score dominates."""
    gold, numbers = _gold(finding, evaluation), finding.numbers
    words = Sentence(
        "Exact agreement is {exact} but kappa {kappa}{qwk}. {most:percent} of "
        "all scores are {point}, so two scorers who never read a response would agree on "
        "{chance:percent}. Were the points used evenly, the same agreement would be a kappa of "
        "{even:share}. {margins}",
        exact=gold[EXACT],
        kappa=gold[KAPPA],
        qwk="" if _two_points(evaluation) else Sentence(" and QWK {qwk:value}", qwk=gold[QWK]),
        most=numbers["largest_share"],
        point=finding.texts["most_common"],
        chance=gold[KAPPA].parts.get("pe", math.nan),
        even=numbers["kappa_if_points_were_even"],
        margins=_margins(numbers["margin_gap"], numbers["stuart_maxwell_p"]),
    )
    blind = any(
        (other.name, other.system, other.subset)
        == ("ac_without_discrimination", finding.system, finding.subset)
        for other in evaluation.findings
    )
    advice = (
        "Here kappa is right to be low: the system does not tell responses apart."
        if blind
        else "Show AC or Brennan-Prediger beside kappa, and score more responses with the rare "
        "scores: these data say little about them."
    )
    state = (blind, numbers["stuart_maxwell_p"] < SETTLED)
    return FindingWords(words, advice, "High agreement, low kappa", state)


def _margins(apart: float, p: float) -> Sentence:
    test = "" if math.isnan(p) else Sentence(", Stuart-Maxwell p {p:after_p}", p=p)
    template = "Gold and system use the points alike (margins differ by {apart:tenths}{test})."
    if p < SETTLED:
        template = template.replace("use the points alike", "also use the points differently")
    return Sentence(template, apart=apart, test=test)


def ac_without_discrimination(finding: Finding, evaluation: Evaluation) -> FindingWords:
    """AC is high although the system does not tell responses apart."""
    gold, constant = _gold(finding, evaluation), finding.texts["constant"]
    reasons: dict[str, Said] = {
        "": Sentence("its correlation with the gold is {r}", r=gold[R]),
        "system": "it gives every response the same score",
        "gold": "the gold is the same for every response, so nothing shows whether it can",
    }
    prmse = _defined(evaluation.beside(finding.subset, TRUE_SCORES), PRMSE)
    name = "AC1" if _two_points(evaluation) else "AC2"
    trivial: Said = ""
    if constant != "gold":
        trivial = Sentence(
            " A scorer that always gives {point} would reach an {name} of {trivial:share}.",
            name=name,
            point=finding.texts["most_common"],
            trivial=finding.numbers["most_common_ac"],
        )
    words = Sentence(
        "{name} is {ac} although the system does not tell responses apart: {reason}{prmse}.{trivial}",
        name=name,
        ac=gold[AC],
        reason=reasons[constant],
        prmse=Sentence("; PRMSE is {prmse}", prmse=prmse) if prmse else "",
        trivial=trivial,
    )
    advice = (
        "Do not accept on AC or percent agreement alone: ask for sensitivity, specificity and kappa "
        "too."
        if _two_points(evaluation)
        else "Do not accept on AC or percent agreement alone: ask for a correlation, QWK or PRMSE too."
    )
    return FindingWords(words, advice, "High AC without telling responses apart", (constant,))


def _two_points(evaluation: Evaluation) -> bool:
    return evaluation.data.view == "binary"


def agreement_without_order(finding: Finding, evaluation: Evaluation) -> FindingWords:
    """Exact agreement is high, and the order of the responses is not that of the gold."""
    gold = _gold(finding, evaluation)
    tau = _defined(gold, TAU)
    words = Sentence(
        "Exact agreement is {exact} but Kendall's tau-b {order}: where two responses differ in the "
        "gold, the system hardly knows which is better. Agreement comes from {point}, "
        "{most:percent} of all scores.",
        exact=gold[EXACT],
        order=Sentence("{tau}", tau=tau) if tau else "undefined, for all its scores are equal",
        point=finding.texts["most_common"],
        most=finding.numbers["largest_share"],
    )
    advice = "Do not use these scores to rank or select; read the responses with other scores."
    return FindingWords(words, advice, "High agreement without order", (tau is None,))


def qwk_without_exact(finding: Finding, evaluation: Evaluation) -> FindingWords:
    """QWK is high, and most responses do not get the score of the gold."""
    gold = _gold(finding, evaluation)
    adjacent = next((e for e in gold.values() if e.name == "adjacent_agreement"), None)
    people = finding.numbers["people"]
    words = Sentence(
        "QWK is {qwk} but only {exact:percent} of the responses get their gold score{near}{people}.",
        qwk=gold[QWK],
        exact=gold[EXACT].value,
        near=Sentence(" ({near:percent} lie within a point)", near=adjacent.value)
        if adjacent
        else "",
        people=""
        if math.isnan(people)
        else Sentence("; two people agree on {people:percent}", people=people),
    )
    advice = (
        "QWK credits near misses. Where single scores are reported or decide something, read the "
        "confusion matrix."
    )
    return FindingWords(words, advice, "High QWK, few exact agreements")


def qwk_with_critical_errors(finding: Finding, evaluation: Evaluation) -> FindingWords:
    """QWK is high, and more than one response in twenty is far off."""
    numbers = finding.numbers
    people = numbers["people"]
    words = Sentence(
        "QWK is {qwk} but {errors:tenths} ({low:tenths} to {high:tenths}) of the responses are "
        "off by {size:g} score points or more{people}.",
        qwk=_gold(finding, evaluation)[QWK],
        errors=numbers["errors"],
        low=numbers["low"],
        high=numbers["high"],
        size=numbers["size"],
        people=""
        if math.isnan(people)
        else Sentence("; two people differ as much on {people:tenths}", people=people),
    )
    advice = "Read these responses before the scores stand alone; QWK averages such errors away."
    return FindingWords(words, advice, "High QWK with critical errors", (numbers["size"],))


def influential(finding: Finding, evaluation: Evaluation) -> FindingWords:
    """A handful of responses carries QWK."""
    value, without, se, count = (
        finding.numbers[name] for name in ("value", "without", "se", "responses")
    )
    pairs = zip(*(finding.texts[side].split(", ") for side in ("system", "gold")), strict=True)
    crosses = (without >= ACCEPTED) != (value >= ACCEPTED)
    distance: Said = ""
    if finding.loud and se > 0:
        away = abs(without - value) / se
        distance = Sentence("; that is {away} standard errors of the others", away=away)
    elif finding.loud:
        distance = "; on all others the two agree exactly"
    words = Sentence(
        "Without {count:responses} of {n} (system for gold: {pairs}) {name} would be "
        "{without:share}, not {value:share}{crosses}{far}.",
        count=count,
        n=evaluation.subsets[finding.subset].n,
        pairs=[Sentence("{system} for {gold}", system=system, gold=gold) for system, gold in pairs],
        name="QWK" if QWK in _gold(finding, evaluation) else "CCC",
        without=without,
        value=value,
        crosses=": on the other side of .70" if crosses else "",
        far=distance,
    )
    advice = "Read these responses: a slip in the data, or a kind of response the system fails on?"
    return FindingWords(
        words, advice, "Influence of single responses", (count, crosses, without > value)
    )


def position_effect(finding: Finding, evaluation: Evaluation) -> FindingWords:
    """The place of the agreement decides on which side of .70 QWK lies."""
    numbers = finding.numbers
    words = Sentence(
        "QWK is {qwk}; {most:percent} of the {agreed} agreements lie at {point}. With the same "
        "counts of agreement at other scores it would lie anywhere from {lowest:share} to "
        "{highest:share}, and at {even} were they spread evenly: not one more response would "
        "be scored right or wrong.",
        qwk=_gold(finding, evaluation)[QWK],
        most=numbers["largest_share"],
        agreed=numbers["agreements"],
        point=finding.texts["most_agreed"],
        lowest=numbers["lowest"],
        highest=numbers["highest"],
        even=evaluation.numbers[finding.subset][EVEN],
    )
    advice = "Compare QWK only between sets of responses whose scores are spread alike."
    state = (numbers["qwk"] >= ACCEPTED, numbers["even"] >= numbers["qwk"])
    return FindingWords(words, advice, "QWK depends on where the agreement sits", state)


def metric_to_trust(finding: Finding, evaluation: Evaluation) -> FindingWords:
    """Recommend metrics, with the reasons that these data give."""
    gold = _gold(finding, evaluation)
    prmse = _defined(evaluation.beside(finding.subset, TRUE_SCORES), PRMSE)
    first: Said = ""
    beyond_chance = prmse is not None and prmse.low > 1
    if prmse:
        first = Sentence(
            "Not PRMSE {prmse}, which is {why}. "
            if beyond_chance
            else "PRMSE {prmse} first: rater error does not count against the system in it. ",
            prmse=prmse,
            why=prmse.why,
        )
    trivial = finding.numbers["most_common_ac"]
    beyond = gold[AC].low > trivial
    agreement = Sentence(
        "AC2 {ac} for agreement, as it depends least on how the scores are spread, with tau-b "
        "{tau} for order, which AC2 does not see."
        if beyond
        else "AC2 {ac} says little here, for a scorer that always gives {point} reaches "
        "{trivial:share}: take the order, tau-b {tau}, and QWK instead.",
        ac=gold[AC],
        tau=gold[TAU],
        point=finding.texts["most_common"],
        trivial=trivial,
    )
    words = Sentence(
        "{first}{agreement} {qwk}",
        first=first,
        agreement=agreement,
        qwk=_qwk(finding, evaluation, gold[QWK]),
    )
    advice = "Report them together: a single coefficient hides what the others show."
    return FindingWords(
        words, advice, "Which metric to trust here", (beyond, prmse is None, beyond_chance)
    )


def _qwk(finding: Finding, evaluation: Evaluation, qwk: Estimate) -> Sentence:
    """How to read QWK on these data."""
    ceiling = finding.numbers["ceiling"]
    even = _defined(evaluation.numbers[finding.subset], EVEN)
    return Sentence(
        "QWK {qwk} as policies ask for it{ceiling}{even}.",
        qwk=qwk,
        ceiling=""
        if math.isnan(ceiling)
        else Sentence(", beside its ceiling {ceiling:share}", ceiling=ceiling),
        even=Sentence(" ({even:value} if agreement were spread evenly over the scores)", even=even)
        if even
        else "",
    )


def _gold(finding: Finding, evaluation: Evaluation) -> Numbers:
    """The numbers against the gold on the same responses."""
    return evaluation.beside(finding.subset, GOLD)


def _defined(numbers: Numbers, key: Key) -> Estimate | None:
    estimate = numbers.get(key)
    return None if estimate is None or math.isnan(estimate.value) else estimate


FINDINGS: Tellers = {
    "kappa_paradox": kappa_paradox,
    "ac_without_discrimination": ac_without_discrimination,
    "agreement_without_order": agreement_without_order,
    "qwk_without_exact": qwk_without_exact,
    "qwk_with_critical_errors": qwk_with_critical_errors,
    "influential": influential,
    "position_effect": position_effect,
    "metric_to_trust": metric_to_trust,
}
