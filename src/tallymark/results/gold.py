"""Which gold is in use: the rule that made it, of all responses or of a part of them."""

from collections.abc import Mapping
from typing import Any

from tallymark.defaults import RELIABLY
from tallymark.results.keys import Key
from tallymark.results.records import Evaluation
from tallymark.results.subsets import Subset, parts_of


def gold_rule(evaluation: Evaluation, people: Subset) -> str | None:
    """Return the rule that made the gold of the responses behind some ceilings.

    It is the one that was asked for; of a gold column, the one that reproduces it. None where it is
    not known.
    """
    if people.average is not None:
        rules = {gold_rule(evaluation, part) for part in parts_of(evaluation.subsets, people)}
        return rules.pop() if len(rules) == 1 else None
    if not evaluation.options.get("gold"):
        return resolved_rule(evaluation.options, people.prompt)
    for estimate in evaluation.of(people).values():
        if estimate.name == "gold_rule":  # the best stands first
            return str(estimate.params["rule"]) if estimate.value >= RELIABLY else None
    return None


def gold_in_use(evaluation: Evaluation, people: Subset) -> str:
    """Return the kind of gold whose ceilings are shown: as it was made, else the mean."""
    rule = gold_rule(evaluation, people)
    known = rule and Key("ceiling_theoretical", gold=rule) in evaluation.of(people)
    return rule if rule and known else "mean"


def resolved_rule(options: Mapping[str, Any], prompt: str | None) -> str | None:
    """Return how the gold was resolved from the ratings, as options say.

    None without a gold, and where prompts with different rules are taken together.

    >>> resolved_rule({"resolve": "first", "prompts": {"a": {"resolve": "mean"}}}, "a")
    'mean'
    """
    usual = str(options.get("resolve", "none"))
    prompts = options.get("prompts", {})
    rules = {name: str(asked.get("resolve", usual)) for name, asked in prompts.items()}
    rule = usual if prompt is None else rules.get(prompt, usual)
    if rule == "none" or (prompt is None and set(rules.values()) - {usual}):
        return None
    if rule == "rounded-mean":
        return "mean_up"
    if rule == "adjudicated":
        return "parity" if options.get("adjudication") == "parity" else "third_mean"
    return rule
