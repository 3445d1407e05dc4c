"""The statistics that are shown first, what they are called in a table, and how to read them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tallymark.results import Estimate, Evaluation


@dataclass(frozen=True, slots=True)
class Shown:
    """A statistic in a table: its text, its heading, and a few words on what it says."""

    text: str
    heading: str
    words: str

    def of(self, estimates: Mapping[str, Estimate]) -> Estimate | None:
        """Return the estimate of this statistic; a parameter that was left open may be any."""
        if self.text in estimates:
            return estimates[self.text]
        return next((found for found in estimates.values() if found.name == self.text), None)


LEADING: tuple[Shown, ...] = (
    Shown("percent_agreement", "exact", "share of responses with the same score"),
    Shown("adjacent_agreement", "adjacent", "share of responses with neighbouring scores"),
    Shown("cohen_kappa[quadratic]", "QWK", "agreement beyond chance, big gaps weigh most"),
    Shown("gwet_ac[quadratic]", "AC2", "the same, steady when one score dominates"),
    Shown("pearson", "Pearson r", "close to a straight line, blind to severity"),
    Shown("kendall_tau_b", "tau-b", "same order of responses, ties corrected"),
    Shown("bias", "bias", "mean of system minus gold in score points"),
    Shown("mae", "MAE", "mean distance from the gold in score points"),
)
CONTINUOUS = Shown("lin_ccc", "CCC", "quadratic weighted kappa, unrounded scores")
"""Takes the place of QWK where scores are continuous."""
BRIEF = ("cohen_kappa[quadratic]", "lin_ccc", "percent_agreement", "bias")
"""What is shown of each prompt, trait and group."""


def leading(evaluation: Evaluation) -> tuple[Shown, ...]:
    """Return the statistics to show: those that were asked for, else the leading ones."""
    if evaluation.options.get("statistics"):
        return tuple(_asked(evaluation))
    known = {*evaluation.definitions, *(one.name for one in evaluation.definitions.values())}
    shown = [one for one in LEADING if one.text in known]
    if "cohen_kappa" not in known and CONTINUOUS.text in known:
        shown.insert(0, CONTINUOUS)
    return tuple(shown)


def brief(evaluation: Evaluation) -> tuple[Shown, ...]:
    """Return the few statistics to show of each part of the data."""
    shown = leading(evaluation)
    few = [one for text in BRIEF for one in shown if one.text == text]
    return tuple(few[:3]) if few else shown[:3]


def _asked(evaluation: Evaluation) -> Iterable[Shown]:
    """Every statistic that was computed, with the heading it would have among the leading ones."""
    known = {one.text: one for one in (*LEADING, CONTINUOUS)}
    for text, definition in evaluation.definitions.items():
        usual = known.get(text) or known.get(definition.name)
        if usual is None:
            # one sentence is enough beside a number
            usual = Shown(text, text, definition.reading.partition(";")[0].rstrip("."))
        yield Shown(text, usual.heading, usual.words)
