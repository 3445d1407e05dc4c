"""Whatever a public function is given, it answers or raises an error of Tallymark's, in Python's words."""

import inspect
import random
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from typing import Any

import numpy as np
import pytest

import tallymark as tm
from tallymark import lab, labels, metrics, plan, route, simulation
from tallymark.study.fields import COLUMNS, LONG
from tallymark.study.request import COMMANDS, fields_of

N = 24
RNG = np.random.default_rng(30)
H1 = RNG.integers(1, 5, N)
TABLE: dict[str, list[Any]] = {
    "essay": [f"e{i}" for i in range(N)],
    "prompt": [*"pq"] * (N // 2),
    "trait": ["form"] * N,
    "school": [f"s{i % 6}" for i in range(N)],
    "native": [*"yyn"] * (N // 3),
    "h1": H1.tolist(),
    "h2": np.clip(H1 + RNG.integers(-1, 2, N), 1, 4).tolist(),
    "engine": np.clip(H1 + RNG.integers(-1, 2, N), 1, 4).tolist(),
    "other": np.clip(H1 + RNG.integers(-1, 2, N), 1, 4).tolist(),
    "sure": RNG.random(N).round(2).tolist(),
    "words": RNG.integers(50, 400, N).tolist(),
    "text": [" ".join(["word"] * int(k)) for k in H1 * 3],
}
PEOPLE: dict[str, Any] = {"humans": ["h1", "h2"], "scale": "1:4", "interval": "analytic"}
SYSTEMS: dict[str, Any] = PEOPLE | {"systems": ["engine", "other"]}
ROUTING: dict[str, Any] = {
    "humans": ["h1", "h2"],
    "system": "engine",
    "confidence": "sure",
    "scale": "1:4",
}


def _routed(function: Callable[..., Any], **keywords: Any) -> Any:
    """Call what needs the routing file of a certificate."""
    return function(routing(), TABLE, **keywords)


@cache
def routing() -> Any:
    return route.certify(TABLE, **ROUTING, alpha=0.2)


CALLS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "evaluate": (partial(tm.evaluate, TABLE), SYSTEMS),
    "raters": (partial(tm.raters, TABLE), PEOPLE),
    "ceiling": (partial(tm.ceiling, TABLE), PEOPLE),
    "compare": (partial(tm.compare, TABLE), SYSTEMS),
    "whatif": (
        partial(tm.whatif, TABLE),
        {"humans": ["h1"], "systems": ["engine"], "scale": "1:4"},
    ),
    "baseline": (partial(tm.baseline, TABLE), {"text": "text", "humans": ["h1"]}),
    "route certify": (partial(route.certify, TABLE), ROUTING | {"alpha": 0.2}),
    "plan width": (plan.width, {"half_width": 0.05, "value": 0.7, "scale": "1:4"}),
    "plan settle": (plan.settle, {"at_least": 0.6, "value": 0.8, "scale": "1:4"}),
    "plan difference": (plan.difference, {"values": [0.7, 0.75], "between": 0.8, "scale": "1:4"}),
    "plan double-scores": (
        plan.double_scores,
        {
            "half_width": 0.05,
            "responses": 500,
            "value": 0.7,
            "true_variance": 0.8,
            "error_variance": 0.2,
        },
    ),
    "plan raters": (plan.raters, {"reliability": 0.8, "single": 0.6}),
    "plan certify": (plan.certify, {"alpha": 0.05}),
    "labels draw": (partial(labels.draw, TABLE), {"n": 6, "id": "essay"}),
    "route apply": (partial(_routed, route.apply), {}),
    "route monitor": (partial(_routed, route.monitor), {}),
    "lab run": (lab.run, {"name": "nothing"}),
    "lab properties": (partial(lab.properties, "nothing"), {}),
    "explain": (tm.explain, {}),
    "estimate": (tm.estimate, {"name": "qwk", "ratings": H1, "second": H1, "interval": "analytic"}),
    "gwet_ac": (metrics.gwet_ac, {"y_true": H1, "y_pred": H1}),
    "icc": (metrics.icc, {"ratings": np.stack([H1, H1], axis=1)}),
    "prmse": (metrics.prmse, {"ratings": np.stack([H1, H1], axis=1), "y_pred": H1}),
    "osa": (metrics.osa, {"y_true": H1, "y_pred": H1, "group": TABLE["native"]}),
    "smd": (metrics.smd, {"y_true": H1, "y_pred": H1, "group": H1 > 2}),
    "degradation": (metrics.degradation, {"y_true": H1, "y_pred": H1, "second": H1}),
    "simulate": (tm.simulate, {"n": 20, "scale": "1:4", "raters": [simulation.Rater("a")]}),
    "simulation.corpus": (simulation.corpus, {"n": 8}),
    "simulation.joint": (
        simulation.joint,
        {"gold": [0.5, 0.5], "system": [0.5, 0.5], "agreement": 0.8},
    ),
    "simulation.pairs": (
        simulation.pairs,
        {"n": 9, "table": np.full((4, 4), 1 / 16), "scale": "1:4"},
    ),
    "simulation.Rater": (simulation.Rater, {"name": "a"}),
    "simulation.System": (simulation.System, {"name": "a"}),
    "simulation.Prompt": (simulation.Prompt, {"name": "a"}),
    "simulation.Group": (simulation.Group, {"name": "a"}),
}
VALUES: tuple[Any, ...] = (
    None, "", " ", "nobody", "tallymark row", -1, 0, 1, 2**70, 0.5, -0.1, 1e308, float("nan"), float("inf"),
    True, [], [""], ["nobody"], ["h1", "h1"], [None], [["h1"]], {}, {"": ""}, {"nobody": "h1"},
    {"engine": "nobody"}, {"engine": None}, {"engine": {"a": 1}}, {1: 2}, (), b"h1", object(), 2j, np.array(["h1"]),
    np.array([[1, 2], [3, 4]]), "h1", "1:4", "4:1", "a,b", "é\ud800", "x" * 300,
)  # fmt: skip


def mutations() -> Iterator[tuple[str, str, Any]]:
    """Every keyword of every call, with each of the values."""
    for command in CALLS:
        for name in keywords_of(command):
            if name not in ("cache", "progress"):
                yield from ((command, name, value) for value in VALUES)


def keywords_of(command: str) -> Iterable[str]:
    if command in COMMANDS:
        return fields_of(command)
    function, _ = CALLS[command]
    parameters = inspect.signature(function).parameters
    return [name for name in parameters if name not in ("args", "kwargs", "params")]


def refusal(call: Callable[[], Any]) -> str:
    """What is wrong with how a call failed; nothing where it answered, or refused as it should."""
    try:
        call()
    except tm.TallymarkError as refused:
        said = re.sub(r"'[^']*'|`[^`]*`", "", str(refused))
        return f"an option of the shell: {refused}" if re.search(r"(?<!\S)--[a-z]", said) else ""
    except TypeError as refused:  # a keyword that is missing, as Python itself says it
        return "" if "needs the keyword" in str(refused) else f"TypeError: {refused}"
    except Exception as failed:  # noqa: BLE001 - what the law forbids
        return f"{type(failed).__name__}: {failed}"
    return ""


def broken(mutation: tuple[str, str, Any]) -> str:
    """What is wrong with how a call answers one changed keyword, and which it is."""
    command, name, value = mutation
    function, keywords = CALLS[command]
    wrong = refusal(lambda: function(**keywords | {name: value}))
    return wrong and f"{command}: {name}={value!r}: {wrong}"


@pytest.mark.parametrize(
    "command", [c for c in CALLS if not c.startswith(("lab", "route apply", "route monitor"))]
)
def test_the_call_itself_is_answered(command):
    function, keywords = CALLS[command]
    assert function(**keywords) is not None


def test_every_wrong_value_is_refused_in_the_words_of_python():
    quick = {
        c
        for c in CALLS
        if c not in ("evaluate", "raters", "ceiling", "compare", "whatif", "baseline")
    }
    drawn = [mutation for mutation in mutations() if mutation[0] in quick]
    drawn = random.Random(30).sample(drawn, 600)
    assert [wrong for mutation in drawn if (wrong := broken(mutation))] == []


@pytest.mark.slow
@pytest.mark.parametrize("command", CALLS)
def test_every_wrong_value_of_every_keyword_is_refused(command):
    every = [mutation for mutation in mutations() if mutation[0] == command]
    assert [wrong for mutation in every if (wrong := broken(mutation))] == []


@pytest.mark.parametrize("command", ["evaluate", "raters", "ceiling", "compare", "whatif"])
def test_wrong_names_of_columns_are_refused(command):
    """What is most often wrong: a column that is not there, an empty text, a wrong kind."""
    wrong = ("nobody", "", ["nobody"], [""], 7, {"engine": "nobody"})
    columns = [n for n, field in fields_of(command).items() if field.section in (COLUMNS, LONG)]
    drawn = [(command, name, value) for name in columns for value in wrong]
    drawn += [(command, "seed", -1)] if "seed" in fields_of(command) else []
    assert [said for mutation in drawn if (said := broken(mutation))] == []
