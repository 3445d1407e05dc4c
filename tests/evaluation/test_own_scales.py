"""Prompts on scales of their own: beside people, at cuts and in the verdict."""

import numpy as np
import pytest

import tallymark as tm
from tallymark.analyses.summary import markdown, summary
from tallymark.catalogue import find
from tallymark.render.layout import plain_text
from tallymark.sources import PromptOptions
from tallymark.tally import PairPatterns
from tests.awkward import awkward

POINTS = {"a": 6, "b": 12}


def scored():
    rng = np.random.default_rng(4)
    columns: dict[str, list[object]] = {name: [] for name in ("h1", "h2", "s", "prompt")}
    for prompt, top in POINTS.items():
        truth = rng.normal((top + 1) / 2, top / 5, 150)
        for name, noise in (("h1", 0.5), ("h2", 0.5), ("s", 0.7)):
            given = np.clip(np.rint(truth + rng.normal(0, noise, 150)), 1, top)
            columns[name] += given.tolist()
        columns["prompt"] += [prompt] * 150
    return columns


@pytest.fixture(scope="module")
def found():
    return tm.evaluate(
        scored(), humans=["h1", "h2"], systems=["s"], prompt="prompt", scale="1:6",
        prompts={"b": PromptOptions(scale="1:12")}, cuts=[4], replicates=200, policy="williamson2012",
    )  # fmt: skip


def test_degradation_is_the_mean_over_prompts(found):
    columns = {name: np.array(values) for name, values in scored().items()}

    def qwk(first, second, prompt):
        here = columns["prompt"] == prompt
        pairs = PairPatterns.of(*(columns[c][here].astype(float) for c in (first, second)))
        return float(find("qwk").value(pairs.table(np.arange(1.0, POINTS[prompt] + 1))))

    lost = [(qwk("h1", "s", p) + qwk("h2", "s", p)) / 2 - qwk("h1", "h2", p) for p in POINTS]
    criteria = {one.title: one for one in found.verdict.systems[0].criteria}
    told = criteria["Degradation of QWK"]
    assert told.value == pytest.approx(np.mean(lost), abs=1e-12)
    assert told.low < told.value < told.high
    assert not told.notes


def test_the_summary_tells_of_each_prompt_and_its_scale(found):
    text = " ".join(plain_text(summary(found)).split())
    assert "Note: prompts on scales of their own: " in text
    assert ", mean of 2 prompts." in text
    assert "At cut 4 of a, s decides" in text
    assert "At cut 4 of b, s decides" in text


def test_a_limit_in_points_on_scales_that_differ_says_how_it_can_be_held(tmp_path):
    columns, roles = awkward("own_scales")
    criterion = '[[criteria]]\nstatistic = "mae"\nat_most = 5\n'
    for where, said in (("", True), ('where = "every prompt"\n', False)):
        policy = tmp_path / "policy.toml"
        policy.write_text(f'name = "mine"\nversion = "1"\ntitle = "Mine"\n{criterion}{where}')
        found = tm.evaluate(columns, **roles, policy=str(policy), interval="analytic")
        assert ("no mean over scales that differ" in markdown(found)) is said
