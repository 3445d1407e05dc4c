"""The rule that makes one gold of two ratings changes the scale, and with it every coefficient."""

from collections.abc import Sequence

import numpy as np

from tallymark.lab.experiment import LabExperiment, Place, Ruling, Shown, Statement, Sweep, Traces
from tallymark.lab.rulings import EXACT, KAPPA, KAPPA_L, KAPPA_Q, ruled, state_of
from tallymark.lab.samples import Floats, Rng, Whole, counted, rated
from tallymark.render.sentences import Sentence, joined

N, TOP, SPREAD, ENGINE = 1000, 5, 1.3, 0.7
NOISES = (0.2, 0.4, 0.6, 0.8, 1.0)
RULES = ("higher", "lower", "mean", "sum")
MIDDLE = 2
"""The noise at which rules are compared."""


def draw(rng: Rng, replicates: int) -> Sequence[Sweep]:
    """Two raters and a machine; the gold by each rule, the machine's score on its scale."""
    places: dict[str, list[Place]] = {rule: [] for rule in RULES}
    for noise in NOISES:
        made = rated((replicates, N), TOP, SPREAD, noise, rng)
        raw = made.truth + ENGINE * rng.standard_normal(made.truth.shape)
        first, second = (ratings.astype(np.int64) for ratings in made.ratings)
        golds = {
            "higher": np.maximum(first, second),
            "lower": np.minimum(first, second),
            "mean": (first + second + 1) // 2,
            "sum": first + second,
        }
        for rule, gold in golds.items():
            places[rule].append(_place(noise, gold, raw, 2 if rule == "sum" else 1))
    return [
        Sweep(name=rule, title=rule, x_title="rater error (SD)", settings=tuple(along))
        for rule, along in places.items()
    ]


def _place(noise: float, gold: Whole, raw: Floats, times: int) -> Place:
    top = TOP * times
    system = np.floor(times * raw + 0.5).clip(0, top).astype(np.int64)
    return Place(x=noise, tables=counted(gold, system, np.arange(top + 1.0)))


def _by_rule(traces: Traces, name: str) -> dict[str, float]:
    return {rule: float(traces.of(name, rule).mean[MIDDLE]) for rule in RULES}


def _matters(traces: Traces) -> Ruling:
    means = _by_rule(traces, KAPPA_Q)
    said = [Sentence("{rule} {qwk:share}", rule=rule, qwk=qwk) for rule, qwk in means.items()]
    spread = max(means.values()) - min(means.values())
    return ruled(spread > 0.02, joined(said, "; "))


def _sum(traces: Traces) -> Ruling:
    qwk, kappa = _by_rule(traces, KAPPA_Q), _by_rule(traces, KAPPA)
    held = [max(qwk, key=qwk.__getitem__) == "sum", min(kappa, key=kappa.__getitem__) == "sum"]
    words = Sentence(
        "of the sum QWK {q:share} and kappa {k:share}; of the other rules QWK up to {q2:share} and kappa "
        "down to {k2:share}",
        q=qwk["sum"],
        k=kappa["sum"],
        q2=max(v for rule, v in qwk.items() if rule != "sum"),
        k2=min(v for rule, v in kappa.items() if rule != "sum"),
    )
    return Ruling(
        state_of(held), words, "" if all(held) else "for one of the two only" if any(held) else ""
    )


def _flattest(traces: Traces) -> Ruling:
    spreads = {}
    for name in (KAPPA_Q, KAPPA_L, KAPPA):
        means = _by_rule(traces, name)
        spreads[name] = max(means.values()) - min(means.values())
    held = min(spreads, key=spreads.__getitem__) == KAPPA_L
    said = [
        Sentence("{name} moves by {by:share}", name=label, by=spreads[name])
        for label, name in (("QWK", KAPPA_Q), ("kappa linear", KAPPA_L), ("kappa", KAPPA))
    ]
    return ruled(held, joined(said, "; "))


EXPERIMENT = LabExperiment(
    name="resolution",
    title="The rule that makes the gold",
    source="Doewes, Kurdhi & Saxena (2023), score resolution",
    question="How much of a coefficient is the rule by which two ratings become one gold?",
    how="1,000 responses on 0 to 5: two raters with noise, a machine with an error of .7. The gold is the "
    "higher or the lower rating, their mean rounded half up, or their sum on 0 to 10; the machine's "
    "unrounded score is doubled for the sum. Numbers in the claims are at a noise of .6. For models "
    "that are trained (Tables 4 and 5), see doewes-resolution.",
    draw=draw,
    figures=(
        Shown("QWK by rule", tuple((rule, KAPPA_Q) for rule in RULES)),
        Shown("Kappa with linear weights by rule", tuple((rule, KAPPA_L) for rule in RULES)),
        Shown("Unweighted kappa by rule", tuple((rule, KAPPA) for rule in RULES)),
        Shown("Exact agreement by rule", tuple((rule, EXACT) for rule in RULES)),
    ),
    statements=(
        Statement("The resolution rule changes QWK by more than .02", _matters),
        Statement("The sum has the highest QWK and the lowest unweighted kappa", _sum),
        Statement("Linear weights are the flattest over rules", _flattest),
    ),
    replicates=60,
)
