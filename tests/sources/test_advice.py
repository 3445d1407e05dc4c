"""Advice on scales is followed here: what is printed must help, and a silent tool must not have."""

import re
import tomllib
from typing import Any

import numpy as np
import pytest

import tallymark as tm
from tallymark.errors import OptionError, ScaleError
from tallymark.results import Evaluation
from tallymark.study.again import toml

QWK = "cohen_kappa[quadratic]"
SCALES = {"1": (1, 6), "2": (0, 3), "7": (0, 15), "8": (0, 30)}


def essays(seed: int, *, n: int = 120, scales: Any = None) -> dict[str, Any]:
    """Prompts on their own scales, two raters each, and a system on the raters' or the sum's scale."""
    rng = np.random.default_rng(seed)
    table: dict[str, list[Any]] = {
        name: [] for name in ("id", "prompt", "h1", "h2", "rater", "sums")
    }
    for prompt, (low, high) in (scales or SCALES).items():
        width = high - low
        truth = rng.beta(2, 2, n) * width + low

        def given(sd: float, times: int = 1, low=low, high=high, width=width, truth=truth) -> Any:
            scores = np.round(times * (truth + rng.normal(0, sd * width, n)))
            return np.clip(scores, times * low, times * high)

        table["id"] += [f"{prompt}-{i}" for i in range(n)]
        table["prompt"] += [prompt] * n
        table["h1"] += given(0.12).tolist()
        table["h2"] += given(0.12).tolist()
        table["rater"] += given(0.15).tolist()
        table["sums"] += given(0.15, 2).tolist()
    return table


def evaluated(table: dict[str, Any], system: str, **options: Any) -> Evaluation:
    named = {"humans": ["h1", "h2"], "systems": [system], "id": "id", "prompt": "prompt"}
    named["statistics"] = [QWK, "lin_ccc", "mae"]
    return tm.evaluate(table, **{**named, **options})


def fit(evaluation: Evaluation) -> tuple[float, float]:
    """QWK (or concordance) and mean distance from the gold, of all responses or their mean."""
    of_gold = [s for s in evaluation.subsets if str(s.against) == "gold" and not s.fisher_z]
    subset = next((s for s in of_gold if s.average == "prompt"), of_gold[0])
    numbers = evaluation.of(subset)
    if "mae" in numbers:
        distance = numbers["mae"].value
    else:  # points of prompts on scales of their own have no mean; here all shrink or none
        distance = sum(evaluation.of(s)["mae"].value for s in of_gold if s.prompt)
    return numbers[QWK if QWK in numbers else "lin_ccc"].value, distance


def advised(evaluation: Evaluation) -> str | None:
    """The scale of systems that a note advises."""
    for note in evaluation.data.notes:
        if given := re.search(r"--system-scale (\S+)$", note):
            return given[1]
    return None


def own_scales(times: int = 1) -> dict[str, Any]:
    return {p: {"scale": f"{low * times}:{high * times}"} for p, (low, high) in SCALES.items()}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("system", ["rater", "sums"])
@pytest.mark.parametrize("declared", ["none", "one prompt", "each prompt"])
def test_following_an_advised_system_scale_brings_the_scores_nearer_to_the_gold(
    seed, system, declared
):
    scales = {"1": SCALES["1"]} if declared == "one prompt" else None
    table = essays(seed, scales=scales)
    options: dict[str, Any] = {"resolve": "sum"}
    if declared == "each prompt":
        options["prompts"] = own_scales()
    found = evaluated(table, system, **options)
    advice = advised(found)
    if advice is not None:
        before, after = fit(found), fit(evaluated(table, system, system_scale=advice, **options))
        assert after[0] > before[0]
        assert after[1] < before[1]
    if declared == "one prompt":
        assert (advice is not None) == (system == "rater")
    if system == "sums":
        assert advice is None


@pytest.mark.parametrize("seed", range(3))
def test_the_tables_advised_for_single_prompts_do_the_same(seed):
    table = essays(seed)
    found = evaluated(table, "rater", resolve="sum", prompts=own_scales())
    (note,) = [note for note in found.data.notes if "system_scale" in note]
    tables = tomllib.loads(
        "\n".join(re.findall(r"\[prompts[^;]*?\"(?=;| in )", note)).replace("] ", "]\n")
    )
    own = {p: {**setting, **tables["prompts"].get(p, {})} for p, setting in own_scales().items()}
    again = evaluated(table, "rater", resolve="sum", prompts=own)
    assert fit(again)[0] > fit(found)[0] + 0.1
    assert fit(again)[1] < fit(found)[1]
    assert any(note.startswith("system scores were mapped linearly: ") for note in again.data.notes)


@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (0.0, 100.0), (200.0, 800.0), (-3.0, 3.0)])
def test_a_system_elsewhere_is_refused_with_a_scale_that_reads_it(low, high):
    table = essays(1, scales={"1": (1001, 1006)})
    before = fit(evaluated(table, "rater", scale="1001:1006"))
    table["rater"] = [low + (s - 1001) / 5 * (high - low) for s in table["rater"]]
    with pytest.raises(ScaleError) as caught:
        evaluated(table, "rater", scale="1001:1006")
    scale = re.search(r'system_scale="(\S+)",', str(caught.value))
    assert scale is not None
    after = fit(evaluated(table, "rater", scale="1001:1006", system_scale=scale[1]))
    assert after == pytest.approx(before)


@pytest.mark.parametrize("command", [tm.evaluate, tm.raters])
@pytest.mark.parametrize("seed", range(3))
def test_prompts_on_scales_of_their_own_are_recognised_and_the_remedy_declares_them(seed, command):
    table = essays(seed)
    alone = {"systems": ["rater"], "statistics": [QWK, "lin_ccc", "mae"]}
    systems = alone if command is tm.evaluate else {}
    named: dict[str, Any] = {"humans": ["h1", "h2"], "prompt": "prompt", **systems}
    notes = command(table, **named).data.notes
    (note,) = [n for n in notes if "scales of their own" in n]
    assert not any("was read off" in n for n in notes)
    text = re.search(r"in --config \((.*)\);", note)
    assert text is not None
    own = tomllib.loads(text[1].replace(", [", "\n[").replace("] ", "]\n"))["prompts"]
    assert set(own) == set(SCALES)
    again = command(table, prompts=own, **named)
    (note,) = [n for n in again.data.notes if "scales of their own" in n]
    assert note.startswith("prompts on scales of their own: ")


@pytest.mark.parametrize("seed", range(5))
def test_prompts_of_one_scale_are_left_alone(seed):
    rng = np.random.default_rng(seed)
    scales = dict.fromkeys("abcdef", (1, 6))
    table = essays(seed, scales=scales, n=int(rng.integers(30, 300)))
    found = tm.raters(table, humans=["h1", "h2"], prompt="prompt")
    assert not any("scales of their own" in note for note in found.data.notes)


def test_a_declared_scale_is_not_doubted():
    table = essays(1)
    found = tm.raters(table, humans=["h1", "h2"], prompt="prompt", scale="0:30")
    assert not any("scales of their own" in note for note in found.data.notes)


def test_a_prompt_takes_the_scale_of_systems_under_both_spellings_and_keeps_it():
    table = essays(1)
    found = [
        evaluated(
            table,
            "rater",
            resolve="sum",
            prompts={p: {"scale": s["scale"], key: s["scale"]} for p, s in own_scales().items()},
        )
        for key in ("system-scale", "system_scale")
    ]
    assert found[0].to_json() == found[1].to_json()
    assert found[0].options["prompts"]["8"] == {"scale": "0:30", "system_scale": "0:30"}
    again = tomllib.loads(toml(found[0]))["prompts"]
    assert evaluated(table, "rater", resolve="sum", prompts=again).to_json() == found[0].to_json()


@pytest.mark.parametrize("command", [tm.evaluate, tm.compare])
def test_one_end_is_no_scale_of_systems(command):
    table = essays(1)
    named: dict[str, Any] = {
        "humans": ["h1", "h2"],
        "systems": ["rater", "sums"],
        "prompt": "prompt",
    }
    with pytest.raises(OptionError, match="needs a low and a high end"):
        command(table, prompts={"1": {"system-scale": "3"}}, **named)
