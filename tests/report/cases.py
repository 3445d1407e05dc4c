"""Evaluations that the tests of the report share: ordinary, tiny, odd and hostile ones."""

from functools import cache
from typing import Any

import numpy as np
from msgspec.structs import replace

import tallymark as tm
from tallymark.demo import SCORES
from tallymark.results import Criterion, Evaluation, Finding, Judgement, Lack, Missing, Verdict

SCRIPT = "<script>alert(1)</script>"
ROLES: dict[str, Any] = {
    "humans": ["h1", "h2"],
    "systems": ["engine", "chatbot"],
    "confidences": {"engine": "engine_confidence", "chatbot": "chatbot_confidence"},
    "prompt": "prompt",
    "groups": ["gender", "first_language"],
    "cluster": "candidate",
    "id": "response",
    "scale": "1:6",
}


@cache
def demo() -> Evaluation:
    """The bundled scores, with confidences, prompts and groups."""
    return tm.evaluate(SCORES, **ROLES, interval="analytic")


@cache
def judged() -> Evaluation:
    """The bundled scores under a policy."""
    return tm.evaluate(
        SCORES, **{**ROLES, "confidences": {}}, policy="williamson2012", interval="analytic"
    )


@cache
def many() -> Evaluation:
    """Five systems on eight prompts, under a policy."""
    rng = np.random.default_rng(5)
    truth = rng.normal(3.5, 1.2, 8 * 60)

    def scored(sd: float, off: float = 0.0) -> list[int]:
        return [int(x) for x in np.clip(np.rint(truth + rng.normal(off, sd, truth.size)), 1, 6)]

    columns: dict[str, Any] = {"h1": scored(0.7), "h2": scored(0.7)}
    columns |= {f"gpt-4o-mini-{i}": scored(0.4 + 0.2 * i, 0.1 * i) for i in range(5)}
    columns["prompt"] = [f"prompt {i // 60 + 1}" for i in range(truth.size)]
    columns["gender"] = ["x", "y"] * (truth.size // 2)
    return tm.evaluate(
        columns,
        humans=["h1", "h2"],
        systems=[name for name in columns if name.startswith("gpt")],
        prompt="prompt",
        groups=["gender"],
        scale="1:6",
        interval="analytic",
        policy="williamson2012",
    )


@cache
def one_row() -> Evaluation:
    """One response."""
    return tm.evaluate({"h1": [3], "h2": [3], "engine": [4]}, scale="1:6", replicates=100)


@cache
def one_category() -> Evaluation:
    """Everyone gives the same score to everything."""
    same = {"h1": [2] * 30, "h2": [2] * 30, "engine": [2] * 30, "gender": ["x", "y"] * 15}
    return tm.evaluate(same, scale="1:4", replicates=100)


@cache
def many_groups() -> Evaluation:
    """Forty groups, some with long names: two that were evaluated, the others copies of one."""
    rng = np.random.default_rng(7)
    truth = rng.normal(3.2, 1.1, 120)

    def scored(sd: float) -> list[int]:
        return [int(x) for x in np.clip(np.rint(truth + rng.normal(0, sd, truth.size)), 1, 6)]

    data = {"h1": scored(0.5), "engine": scored(0.6), "region": ["group 0", "group 1"] * 60}
    found = tm.evaluate(data, scale="1:6", groups=["region"], interval="analytic")
    subsets, estimates = [*found.subsets], [*found.estimates]
    for place, subset in enumerate(found.subsets):
        for i in range(2, 40) if subset.group == "group 1" else ():
            name = f"group {i}" if i % 7 else f"a group with a rather long name, number {i}"
            copy = replace(subset, id=f"{subset.id} {i}", group=name)
            estimates += [
                replace(e, subset=len(subsets), value=e.value * (1 + i / 40))
                for e in found.estimates
                if e.subset == place
            ]
            subsets.append(copy)
    return replace(found, subsets=tuple(subsets), estimates=tuple(estimates))


@cache
def hostile() -> Evaluation:
    """Names that try to be markup, in every place that shows a name."""
    base = [1, 2, 3, 4, 4, 3, 2, 1, 2, 3, 4, 1] * 5
    data = {
        "h<b>1": base,
        'h"2': [1, 2, 3, 4, 4, 3, 2, 1, 2, 3, 4, 2] * 5,
        SCRIPT: [1, 2, 4, 4, 3, 3, 2, 2, 2, 3, 4, 1] * 5,
        "</title>'; DROP": ["</script><img src=x onerror=alert(2)>", "&amp;", "\u202ereversed"]
        * 20,
        "prompt": ["<!--", "]]>", "{{ 7 * 7 }}"] * 20,
        "sure": [i / 60 for i in range(60)],
    }
    return tm.evaluate(
        data,
        humans=["h<b>1", 'h"2'],
        systems=[SCRIPT],
        groups=["</title>'; DROP"],
        prompt="prompt",
        confidences={SCRIPT: "sure"},
        scale="1:4",
        replicates=100,
    )


@cache
def panel() -> Evaluation:
    """Raters alone."""
    columns = {
        "h1": [1, 2, 3, 4, 4, 3] * 10,
        "h2": [1, 2, 4, 4, 3, 3] * 10,
        "h3": [1, 1, 3, 4, 4, 2] * 10,
    }
    return tm.raters(columns, scale="1:4", replicates=100)


@cache
def verdict() -> Evaluation:
    """A verdict made by hand, undecided, with missing evidence and a loud diagnosis."""
    return with_verdict(hostile())


def with_verdict(evaluation: Evaluation) -> Evaluation:
    """The evaluation with a verdict and a loud diagnosis made by hand."""
    place = next(
        i for i, e in enumerate(evaluation.estimates) if e.text == "cohen_kappa[quadratic]"
    )
    own = evaluation.estimates[place]
    met = Criterion(
        statistic=own.text, title="QWK", state="undecided", value=own.value, low=own.low,
        high=own.high, n=own.n, at_least=0.7, rows=(place,), decided_by=place, passes=True, needed=9400,
    )  # fmt: skip
    absent = Criterion(
        statistic="degradation[pearson]", title="Degradation of r", state="not computable",
        at_least=-0.1, lack=Lack.ONE_RATER,
    )  # fmt: skip
    judgement = Judgement(
        system=own_system(evaluation), state="undecided", criteria=(met, absent),
        missing=(Missing(title="Degradation <r>", lack=Lack.ONE_RATER),),
    )  # fmt: skip
    found = Finding(
        name="resolution_decides", system=own_system(evaluation),
        numbers={"accepted": 0.9123456, "rejected": 0.6, "settled": 2.0},
        texts={"accepted": "sum", "rejected": "first"},
    )  # fmt: skip
    verdict = Verdict(
        policy="ours", version="1", title="Our <policy>", state="undecided", systems=(judgement,),
        cautions=("Limits are conventions.",),
    )  # fmt: skip
    return replace(evaluation, verdict=verdict, findings=(found,))


def own_system(evaluation: Evaluation) -> str:
    """The first system."""
    return str(evaluation.options["systems"][0])
