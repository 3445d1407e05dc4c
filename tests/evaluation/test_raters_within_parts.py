"""Prompts or traits that differ lend no rater their differences: every number is of each, averaged."""

import numpy as np
import pytest

import tallymark as tm
from tallymark.analyses.summary import summary
from tallymark.render.subsets import rater_numbers, rater_pairs, single_raters
from tests.awkward import awkward


@pytest.fixture(params=["long_traits", "prompts_far_apart"])
def rated(request):
    columns, roles = awkward(request.param)
    part = np.asarray(columns[roles["trait" if "trait" in roles else "prompt"]])
    asked = {key: value for key, value in roles.items() if key != "systems"}
    people = {name: np.asarray(columns[name]) for name in roles["humans"]}
    return tm.raters(columns, **asked, interval="analytic"), people, part


def qwk(x, y):
    """1 - mean squared difference over that of independent raters (Cohen, 1968)."""
    chance = ((x[:, None] - y[None, :]) ** 2).mean()
    return 1 - ((x - y) ** 2).mean() / chance


def test_every_two_raters(rated):
    evaluation, people, part = rated
    means = [s for s in rater_pairs(evaluation) if s.average]
    assert len(means) == 3
    for subset in means:
        x, y = people[str(subset.against)], people[subset.system]
        within = np.mean([qwk(x[part == p], y[part == p]) for p in np.unique(part)])
        shown = evaluation.of(subset)["cohen_kappa[quadratic]"].value
        assert shown == pytest.approx(within, abs=1e-9)
        assert shown < qwk(x, y) - 0.2


def test_each_rater_beside_the_others(rated):
    evaluation, people, part = rated
    for subset in single_raters(evaluation):
        x = people[subset.system]
        others = np.mean([scores for name, scores in people.items() if name != subset.system], 0)
        within = np.mean(
            [np.corrcoef(x[part == p], others[part == p])[0, 1] for p in np.unique(part)]
        )
        _, numbers = rater_numbers(evaluation, subset)
        assert numbers["pearson"].value == pytest.approx(within, abs=1e-9)


def test_the_tables_say_over_what_they_average(rated):
    evaluation, *_ = rated
    text = "\n".join(line.text for line in summary(evaluation, width=10_000, full=True))
    assert "Every two raters, mean over " in text
    assert "r and difference: mean over " in text


def test_two_raters_who_meet_in_one_prompt_alone_are_among_the_pairs():
    from tallymark.analyses.summary import markdown, summary
    from tallymark.render.layout import plain_text

    rng = np.random.default_rng(8)
    truth = rng.normal(3, 1.1, 240)
    prompt = np.repeat(["p1", "p2"], 120)
    scores = {n: np.clip(np.rint(truth + rng.normal(0, 0.7, 240)), 0, 6) for n in ("a", "b", "c")}
    scores["c"] = np.where(prompt == "p1", scores["c"], np.nan)  # meets the others in p1 alone
    table = {**scores, "task": prompt}
    found = tm.raters(table, humans=["a", "b", "c"], prompt="task", scale="0:6")
    said = " ".join(plain_text(summary(found, full=True)).split())
    assert "2 of these pairs share responses in one prompt alone" in said
    pairs = [s for s in found.subsets if str(s.against) == "a" and s.system == "c"]
    (alone,) = [s for s in pairs if s.prompt == "p1"]
    assert f"{found.of(alone)['percent_agreement'].value:.2f}"[1:] in said
    assert "share responses in one prompt alone" in markdown(found) or "a, c" in said
