"""Places: where the numbers of a question appear in the outputs."""

from typing import NamedTuple


class Place(NamedTuple):
    """The commands that report a question's numbers, and the section they stand in."""

    commands: tuple[str, ...]
    section: str
    needs: str = ""

    def __str__(self) -> str:
        """In one sentence, without a full stop."""
        commands = ", ".join(f"`tallymark {name}`" for name in self.commands)
        needs = f"; it needs {self.needs}" if self.needs else ""
        return f'{commands}, section "{self.section}"{needs}'


_EVALUATING = ("evaluate", "rsmeval")
PLACES: dict[str, Place] = {
    "agreement": Place(("evaluate", "compare", "raters", "rsmeval"), "Agreement"),
    "accuracy": Place(("evaluate", "compare", "rsmeval"), "Accuracy"),
    "people": Place(("evaluate", "raters"), "People and systems", "responses scored by two people"),
    "repeats": Place(("evaluate",), "Repeated runs", "repeated runs (--repeat)"),
    "true_scores": Place(
        (*_EVALUATING, "ceiling"), "True scores", "responses scored by two people"
    ),
    "fairness": Place(_EVALUATING, "Fairness", "a column of groups (--group)"),
    "comparison": Place(("compare", "rsmcompare"), "Comparison", "two systems or more"),
    "ceilings": Place(("ceiling", "evaluate"), "Ceilings", "responses scored by two people"),
    "generalizability": Place(
        ("raters", "evaluate"), "Number of raters", "responses scored by two people"
    ),
    "raters": Place(("raters",), "Each rater", "responses scored by two people"),
    "severity": Place(("raters", "evaluate"), "Severity", "raters who share responses"),
    "confidence": Place(
        ("evaluate", "route"),
        "Selective scoring",
        "a confidence (--confidence, --probabilities or --repeat)",
    ),
    "cuts": Place(("evaluate",), "Pass marks", "cuts (--cut)"),
    "scale": Place(("evaluate",), "Other scales"),
    "diagnosis": Place(("evaluate",), "What these numbers hide"),
}
"""By question."""
