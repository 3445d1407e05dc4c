"""Sentences of a plan: the answer, and what it assumes."""

from tallymark.render.numbers import is_coefficient
from tallymark.render.sentences import FindingWords, Said, Sentence, Tellers
from tallymark.results import Estimate, Evaluation, Finding, Key

TRUE_RATE = "true rate"
"""The column of a table that holds a share."""


def beyond(most: float) -> Sentence:
    """Say that more are needed than were looked at."""
    return Sentence("over {most}", most=round(most))


_ANSWERS = {
    "plan_width": "{needed} responses give {statistic} = {value} an interval of ±"
    "{half_width} at level {level:level}.",
    "plan_settle": "{needed} {what} settle, with probability {power:level}, that {statistic} "
    "{verb} the limit of {limits}, if it truly is {value}.",
    "plan_settle_policy": "{needed} responses settle, with probability {power:level}, that {system} "
    "{verb} all limits of {policy}, if they are like those of the pilot.",
    "plan_difference": "{needed} responses tell the two systems apart with probability "
    "{power:level} if their {statistic} truly differs by {value}.",
    "plan_double-scores": "{needed} of {responses} responses rated twice give PRMSE an "
    "interval of ±{half_width} at level {level:level}; they must be drawn at random.",
    "plan_raters": "{needed} {raters} per response {give} a reliability of {reached} (goal {reliability}), "
    "if one rating has {single}{ends}.",
    "plan_certify": "{needed} labelled responses{each} certify, with probability {power:level}, that "
    "at most {alpha:level} of the accepted responses are critical errors ({sure:level} sure), if "
    "{rate:level} truly are, {coverage:level} of the responses are accepted, and the threshold was "
    "fixed beforehand.",
}
_NO_NUMBER = {
    "plan_settle": "{statistic} = {value} is the limit itself: no number of responses settles it.",
    "plan_settle_policy": "{system} lies on a limit of {policy}: no number of responses settles it.",
    "plan_difference": "the two systems are equal: no number of responses tells them apart.",
    "plan_double-scores": "no number of double scores among {responses} responses gives PRMSE an "
    "interval of ±{half_width}: more responses are needed.",
    "plan_raters": "raters cannot tell responses apart: no number of them is reliable.",
    "plan_certify": "no number of labels certifies this: {why}.",
}
_ASSUMED = {
    "plan_points": "scores of both are taken for normal ones, cut so that the points get {shares} of the "
    "responses.",
    "plan_jeffreys": "the pilot shows {found}, which no sample proves of all responses: planned for "
    "{value:coefficient}, the mean of what such a pilot leaves possible (Jeffreys).",
    "plan_fewest": "with fewer than {fewest} a verdict decides nothing.",
    "plan_correlation": "scores are normal with equal means and spreads; the systems correlate at "
    "{correlation}, as given. Score points make intervals somewhat wider: prefer a pilot.",
    "plan_independent": "scores are normal with equal means and spreads; the systems correlate at "
    "{correlation}, so that their errors are independent. Score points make intervals somewhat "
    "wider: prefer a pilot.",
    "plan_continuous": "continuous normal scores would need {normal} (on Fisher's scale {fisher}).",
    "plan_variances": "PRMSE {value:coefficient}, variance of true scores {true_variance}, of rater errors "
    "{error_variance}, {source}; scores normal, the system calibrated.",
    "plan_rater_assumed": "reliability of one rater as assumed.",
    "plan_rater": "Phi of one rating {reliability} for raters like these, from {n:responses}{within}.",
    "plan_search": "tallymark route certify looks for the threshold with the same labels: it then "
    "accepts so many with probability {whole:percent}, any with {some:percent}, if the rate is the "
    "same at every confidence; {more}.",
    "plan_least": "the least that can certify is {none} accepted labels without a critical error, "
    "{one} with one, {two} with two.",
    "plan_clean": "to show that none of the next 100 accepted is a critical error takes {clean} "
    "clean labels.",
}
"""What a plan rests on."""


def _assumed(finding: Finding, _: Evaluation) -> FindingWords:
    numbers = finding.numbers
    clauses: dict[str, Said] = {}
    if finding.name == "plan_points":
        clauses["shares"] = [Sentence("{share:percent}", share=share) for share in numbers.values()]
    if finding.name == "plan_variances":
        source = "from {n} responses of the pilot" if numbers["n"] else "as assumed"
        means = f" (means of its {finding.texts['over']}s)" if finding.texts else ""
        clauses["source"] = Sentence(f"{source}{means}", n=numbers["n"])
    if finding.name == "plan_rater":
        value, low, high, n = (numbers[key] for key in ("value", "low", "high", "n"))
        key = Key("dependability", design="crossed", raters=1)
        clauses["within"] = _within(finding)
        clauses["reliability"] = Estimate(key=key, value=value, low=low, high=high, n=int(n))
    if finding.name == "plan_search":
        clauses["more"] = _enough(finding)
    return FindingWords(Sentence(_ASSUMED[finding.name], **clauses, **numbers))


def _pilot(finding: Finding, _: Evaluation) -> FindingWords:
    whose = " and ".join(f"{{{name}}}" for name in finding.texts if name != "over")
    within = _within(finding)
    return FindingWords(
        Sentence(
            f"{{n:responses}} scored by {whose}{{within}}.",
            within=within,
            **finding.numbers,
            **finding.texts,
        )
    )


def _within(finding: Finding) -> Sentence:
    """Say that a number is a mean over prompts or traits."""
    over = finding.texts.get("over")
    return Sentence(f", mean over {over}s" if over else "")


def _by_part(finding: Finding, _: Evaluation) -> FindingWords:
    """Say how many raters single prompts or traits take."""
    template = "single {over}s need {fewest} ({least}) to {most} ({last})."
    if "most" not in finding.numbers:
        template = "no number of raters is enough for {over} {last}."
    return FindingWords(Sentence(template, **finding.numbers, **finding.texts))


def _enough(finding: Finding) -> Sentence:
    """How many labels make the search succeed often enough."""
    if "enough" not in finding.numbers:
        words = "more than {most} labels make it {power:level}; a lower rate or a higher alpha takes fewer"
    else:
        each = " of each prompt" * (finding.numbers["prompts"] > 1)
        words = f"about {{enough}} labels{each} make it {{power:level}}"
    return Sentence(words, **finding.numbers)


_STYLED = ("value", "half_width", "reliability", "reached", "single")
"""What is written as the statistic of the plan is."""


def _answer(finding: Finding, evaluation: Evaluation) -> FindingWords:
    """Say how many are needed, or that no number is enough."""
    share = is_coefficient(str(evaluation.options.get("statistic", "reliability")))
    style = "coefficient" if share else "g"
    styled = {
        name: Sentence(f"{{number:{style}}}", number=finding.numbers[name])
        for name in _STYLED
        if name in finding.numbers
    }
    numbers = {name: n for name, n in finding.numbers.items() if name not in styled}
    clauses: dict[str, Said] = {
        **styled,
        "limits": _limits(numbers.get("at_least"), numbers.get("at_most"), style),
        "raters": "rater" if numbers.get("needed") == 1 else "raters",
        "give": "gives" if numbers.get("needed") == 1 else "give",
        "ends": _at_ends(numbers.get("fewest"), numbers.get("most")),
        "each": Sentence(
            " for each of {prompts} prompts, {all} in all" if numbers.get("prompts", 1) > 1 else "",
            prompts=numbers.get("prompts", 1),
            all=numbers.get("in_all", 0),
        ),
    }
    template = (_ANSWERS if "needed" in numbers else _NO_NUMBER)[finding.name]
    return FindingWords(Sentence(template, **clauses, **numbers, **finding.texts))


def _limits(low: float | None, high: float | None, style: str) -> Sentence:
    if low is None or high is None:
        template = "at most" if low is None else "at least"
        limit = low if high is None else high
        return Sentence(f"{template} {{limit:{style}}}", limit=limit or 0.0)
    return Sentence(f"{{low:{style}}} to {{high:{style}}}", low=low, high=high)


def _at_ends(fewest: float | None, most: float | None) -> Sentence:
    """With the ends of the interval of one rater's reliability."""
    if fewest is None or fewest == most:
        return Sentence("")
    last = "no number of" if most is None else "{most}"
    return Sentence(
        "; at the ends of its interval {fewest} to " + last, fewest=fewest, most=most or 0
    )


LABELLED = ("plan_width", "plan_settle", "plan_settle_policy", "plan_certify")
"""Answers that people may be asked for labels by."""


def is_labelled(answer: Finding) -> bool:
    """Whether an answer is a number of responses that people may be asked to label."""
    return answer.name in LABELLED and answer.texts.get("what", "responses") == "responses"


def drawn(answer: Finding) -> Sentence:
    """Name the command that draws so many responses for people to label."""
    number = f" -n {round(answer.numbers['needed'])}" if "needed" in answer.numbers else ""
    return Sentence(
        "{command} draws responses for people to label.",
        command=f"tallymark labels draw FILE{number} --out sheet.csv",
    )


FINDINGS: Tellers = {
    **dict.fromkeys(_ANSWERS, _answer),
    **dict.fromkeys(_ASSUMED, _assumed),
    "plan_pilot": _pilot,
    "plan_raters_by_part": _by_part,
}
