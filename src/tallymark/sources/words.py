"""Words: column names by which people usually call each role."""

import re


def plain(name: str) -> str:
    """Write a column name in small letters, with one underscore for whatever is not a letter.

    >>> plain("Race/Ethnicity "), plain("Rater 1")
    ('race_ethnicity', 'rater_1')
    """
    return re.sub(r"[\W_]+", "_", name.casefold()).strip("_")


_PEOPLE = "human|rater|expert|annotator|grader|marker|reader|teacher|examiner"
_MACHINES = (
    "system|engine|machine|model|pred|prediction|predicted|auto|automated|automatic|aes|llm|ai"
    "|chatbot|bot|computer|scorer|judge"
)
_SCORE = "(_?(score|scores|rating|mark|label|verdict|grade|judge?ment|decision|annotation))?"

HUMAN = re.compile(
    rf"({_PEOPLE})_?\d*{_SCORE}|({_PEOPLE}){_SCORE}_?\d+|({_PEOPLE})_?\d+_domain_?1"
    r"|(h|r|sc|hs|score|rating)_?\d+"
)
GOLD = re.compile(
    r"(gold|final|resolved|adjudicated|consensus)(_?(score|label|rating|mark))?|y_true|domain1_score"
)
_NOT_A_SCORE = "length|tokens?|words?|chars?|time|count|cost|latency|id|name|version|seed"
SYSTEM = re.compile(
    rf"(?!.*_({_NOT_A_SCORE})$)(({_MACHINES})(\d*|_.*)|(.*_)?(pred|prediction|predicted))|y_pred"
)
CONFIDENCE = re.compile(r"(?P<system>.*?)_?(confidence|conf|certainty|probability|prob)")
PROMPT = re.compile(r"(prompt|question|item|task|topic)(_?(id|name|no|number))?|essay_?set")
TRAIT = re.compile(r"trait|competenc[ey]|dimension|criterion|aspect|trait_?name")
GROUP = re.compile(
    r"gender|sex|l1|(first|native|home)?_?language|mother_tongue|race|ethnicity|race_ethnicity"
    r"|ethnic_group|region|country|nationality|ell|esl|ell_status|disability|disability_status"
    r"|ses|economically_disadvantaged"
)
CLUSTER = re.compile(
    r"(candidate|student|speaker|examinee|test_?taker|learner|participant|writer|author)(_?(id|no|number))?"
)
FOLD = re.compile(r"(cv_?)?fold(_?(id|no|number))?")
IDENTIFIER = re.compile(r"(response|essay|text|answer)(_?(id|no|number))?|id|spkitemid|.*_id|id_.*")
POSITION = re.compile(r"seg|segment|index|row(_?(number|no))?|unnamed.*|nr|no|n|line")
SCORE = re.compile(r"score|rating|mark")
LABEL = re.compile(r"(human_?)?(label|score|rating|mark|grade|verdict)s?")
"""The column of people's scores in a file of their own."""
RESPONSE = re.compile(r"(response|essay|text|answer|item)(_?id)?|id|doc_?id")
RATER = re.compile(r"(rater|annotator|grader|marker|reader|examiner|judge)(_?(id|name))?")

_KEYS = (PROMPT, TRAIT, GROUP, CLUSTER, FOLD, IDENTIFIER, RESPONSE, RATER)


def names_a_key(name: str) -> bool:
    """Whether the column is named like a key, so that it cannot be taken for a score.

    A column ``judge`` may name a rater or hold the judge's scores: what it holds will tell.
    """
    return plain(name) != "judge" and any(pattern.fullmatch(plain(name)) for pattern in _KEYS)


def only_names_an_id(name: str) -> bool:
    """Whether the column is named like an id and like nothing else that is a key of the tally."""
    others = (PROMPT, TRAIT, GROUP, CLUSTER, FOLD, RATER)
    text = plain(name)
    return bool(IDENTIFIER.fullmatch(text)) and not any(
        pattern.fullmatch(text) for pattern in others
    )


def names_a_score(name: str) -> bool:
    """Whether the column is named like a score of a person or a system, or a confidence."""
    return any(p.fullmatch(plain(name)) for p in (HUMAN, GOLD, SYSTEM, CONFIDENCE, SCORE))


def names_a_role(name: str) -> bool:
    """Whether the column is named like a key, a score or a confidence."""
    return names_a_key(name) or names_a_score(name)
