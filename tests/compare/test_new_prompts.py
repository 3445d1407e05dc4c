"""Prompts as a sample: what a difference on these says of new ones."""

import numpy as np
import pytest
from scipy.stats import ttest_1samp

import tallymark as tm
from tallymark.analyses.summary import summary
from tallymark.inference.heterogeneity import for_new_prompts
from tallymark.render.layout import plain_text

QWK = "cohen_kappa[quadratic]"


def columns(prompts=6, each=60, apart=0.4):
    rng = np.random.default_rng(2)
    n = prompts * each
    prompt = np.arange(n) % prompts
    true = rng.normal(3.5, 1.2, n)
    noise = 0.6 + apart * np.where(prompt % 2, 1.0, -0.6)  # b is worse on every second prompt only
    given = {"h1": 0.4, "a": 0.6, "b": noise}
    made = {k: np.clip(np.rint(true + s * rng.normal(0, 1, n)), 1, 6) for k, s in given.items()}
    return {**made, "prompt": [f"p{i}" for i in prompt]}


def pair_of(found):
    table = next(t for t in found.tables if t.name == "pairs")
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    return next(row for row in rows if row["statistic"] == QWK)


def test_the_interval_for_new_prompts_is_a_t_interval_of_the_differences_on_each():
    found = tm.compare(
        columns(), humans=["h1"], systems=["a", "b"], prompt="prompt", scale="1:6", replicates=200
    )
    each = [
        e.value
        for e in found.estimates
        if e.name == "paired_difference" and found.subsets[e.subset].prompt
    ]
    pair, test = pair_of(found), ttest_1samp(each, 0)
    assert pair["prompts"] == len(each) == 6
    assert pair["new_p"] == pytest.approx(test.pvalue)
    ends = test.confidence_interval()
    assert (pair["new_low"], pair["new_high"]) == pytest.approx((ends.low, ends.high))
    words = " ".join(plain_text(summary(found)).split())
    assert "on these 6 prompts: QWK" in words
    assert "For new prompts like these: " in words


def test_two_prompts_say_nothing_of_others():
    found = tm.compare(
        columns(prompts=2),
        humans=["h1"],
        systems=["a", "b"],
        prompt="prompt",
        scale="1:6",
        replicates=200,
    )
    assert pair_of(found)["new_p"] is None
    assert "new prompts" not in plain_text(summary(found))


def test_equal_differences_have_no_spread_to_judge_by():
    assert np.isnan(for_new_prompts(np.array([0.1, 0.1, 0.1]), 0.95).p)


@pytest.mark.slow
def test_the_interval_holds_the_mean_over_all_prompts():
    rng, hits = np.random.default_rng(1), 0
    for _ in range(4000):
        true = rng.normal(0.02, 0.03, 6)
        (low, high), _p = for_new_prompts(true + rng.normal(0, 0.02, 6), 0.95)
        hits += low <= 0.02 <= high
    assert hits / 4000 == pytest.approx(0.95, abs=0.011)
