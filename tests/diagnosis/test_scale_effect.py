"""The same scores on coarser scales and under other rules: what moves, and what is said of it."""

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

import tallymark as tm
from tallymark.catalogue import find
from tallymark.diagnosis.binning import BinnedTables, coarser, merged, way
from tallymark.questions.scale.compute import COEFFICIENTS, QWK, decision, on_other_scales
from tallymark.results import OTHER_SCALES, Estimate, Key
from tallymark.sources import PromptOptions
from tests.diagnosis.only import curves, diagnoses, found, only, scored

pytestmark = pytest.mark.filterwarnings("error")


def retold(columns, **options):
    return only(on_other_scales, columns, **options)


def line_of(evaluation, name):
    return curves(evaluation)[f"scale_effect[{name}]"]


def test_bins_are_as_equal_as_they_can_be():
    assert merged(6, 2).tolist() == [0, 0, 0, 1, 1, 1]
    for k in range(3, 40):
        for m in range(2, k):
            sizes = np.bincount(merged(k, m), minlength=m)
            assert sizes.sum() == k
            assert sizes.max() - sizes.min() <= 1


def test_coarser_scales_of_short_and_long_ones():
    assert coarser(2) == []
    assert coarser(3) == [2]
    assert coarser(40) == [*range(2, 11), 20]


def test_the_published_pair_of_tables_is_one_scale_and_its_coarser_version():
    # Doewes et al. (2023), Table 2: 1,2,4 against 2,1,4 gives 11/14; with 2 and 3 merged the same
    # responses are 1,2,3 against 2,1,3 and give 1/2
    columns = {"gold": [1, 2, 4], "s": [2, 1, 4]}
    qwk = line_of(retold(columns, scale="1:4"), QWK)
    told = dict(zip(qwk.x, qwk.y, strict=True))
    assert told[4.0] == pytest.approx(11 / 14, abs=1e-12)
    assert told[3.0] == pytest.approx(1 / 2, abs=1e-12)


def test_rules_on_a_file_worked_by_another_program():
    # the system has whole and half points; it is doubled for the sum, rounded half up elsewhere
    h1, h2 = [1, 2, 3, 4, 4, 2, 3, 1], [2, 2, 4, 4, 3, 1, 3, 1]
    s = [1.5, 2, 3.5, 4, 3, 2, 3.5, 1]
    evaluation = retold({"h1": h1, "h2": h2, "s": s}, scale="1:4")
    golds = {
        "first": (h1, 1, range(1, 5)),
        "higher": (np.maximum(h1, h2), 1, range(1, 5)),
        "lower": (np.minimum(h1, h2), 1, range(1, 5)),
        "rounded mean": (np.floor(np.add(h1, h2) / 2 + 0.5), 1, range(1, 5)),
        "sum": (np.add(h1, h2), 2, range(2, 9)),
    }
    for rule, (gold, times, labels) in golds.items():
        system = np.floor(np.multiply(s, times) + 0.5)
        for text, weights in ((QWK, "quadratic"), ("cohen_kappa[linear]", "linear")):
            expected = cohen_kappa_score(
                np.asarray(gold, int), system.astype(int), labels=list(labels), weights=weights
            )
            value = found(evaluation, f"resolved[{text},{rule}]").value
            assert value == pytest.approx(expected, abs=1e-12), rule


def test_a_sum_and_a_plain_mean_are_the_same_but_for_the_unit():
    columns = scored(150, noise=0.6)
    by_mean = line_of(retold(columns, resolve="mean"), QWK).y[-1]
    by_sum = found(retold(columns), f"resolved[{QWK},sum]").value
    assert by_sum == pytest.approx(by_mean, abs=1e-12)


def test_a_system_on_the_scale_of_sums_is_carried_to_the_raters_scale():
    columns = scored(150)
    doubled = {**columns, "s": 2 * columns["s"]}
    plain, summed = retold(columns), retold(doubled, resolve="sum")
    for rule in ("first", "higher", "lower", "rounded mean", "sum"):
        text = f"resolved[{QWK},{rule}]"
        assert found(plain, text).value == pytest.approx(found(summed, text).value, abs=1e-12)


def test_the_longest_scale_is_the_one_of_the_headline():
    evaluation = tm.evaluate(
        scored(150, noise=0.6), humans=["h1", "h2"], systems=["s"], scale="1:6", replicates=200
    )
    for name in COEFFICIENTS:
        line = line_of(evaluation, name)
        headline = evaluation.numbers[0][name]
        assert line.x[-1] == 6
        last, wanted = (line.low[-1], line.high[-1]), (headline.low, headline.high)
        assert line.y[-1] == pytest.approx(headline.value, rel=1e-14)
        if find(name).unseen:  # the headline allows for errors that no response shows
            assert wanted[0] <= last[0] + 1e-11
            assert last[1] <= wanted[1] + 1e-11
        else:
            assert last == pytest.approx(wanted, rel=1e-11)


def test_tables_of_resamples_are_those_of_each_alone():
    rng = np.random.default_rng(0)
    first, second = rng.integers(0, 5, (2, 12))
    value = COEFFICIENTS[QWK]
    ways = [way("3", np.arange(3), merged(5, 3)[first], merged(5, 3)[second], [value])]
    counts = rng.integers(0, 9, (4, 12)) * 1.0
    together = BinnedTables(counts @ ways[0].rows, ways).pairs[0]
    alone = [value(BinnedTables(row @ ways[0].rows, ways).pairs[0]) for row in counts]
    assert value(together) == pytest.approx(np.stack(alone))
    assert np.array_equal(together.n, counts.sum(axis=1))


def test_from_forty_levels_to_three_quadratic_kappa_falls_most():
    # the reference run of the specification: kappa .778 to .588, BP .952 to .833, AC .957 to .886
    rng = np.random.default_rng(3)
    a = rng.standard_normal(1238)
    b = 0.78 * a + np.sqrt(1 - 0.78**2) * rng.standard_normal(1238)
    gold, s = (np.clip(np.floor(20.5 + 6.5 * x + 0.5), 1, 40) for x in (a, b))
    evaluation = retold({"gold": gold, "s": s}, scale="1:40", replicates=100)
    fall = {}
    for name in (QWK, "gwet_ac[quadratic]", "brennan_prediger[quadratic]"):
        line = line_of(evaluation, name)
        fall[name] = line.y[-1] - line.y[line.x.index(3.0)]
    assert fall[QWK] == pytest.approx(0.19, abs=0.06)
    assert fall[QWK] > fall["brennan_prediger[quadratic]"] > fall["gwet_ac[quadratic]"] > 0


def test_a_file_on_which_the_scale_decides_which_is_no_alarm_as_nobody_uses_that_scale():
    told = diagnoses(retold(scored(3000, noise=0.5, system=0.7)), "scale_decides")
    assert [d.loud for d in told] == [False]
    assert "pass on 6 points" in told[0].words
    assert "fail on 3 points" in told[0].words
    assert told[0].numbers["accepted"] > 0.7 > told[0].numbers["rejected"]


def test_a_file_on_which_the_resolution_rule_decides():
    # people differ a lot: the mean of two is a better gold than the first of them
    told = diagnoses(retold(scored(3000, noise=1.0, system=0.5)), "resolution_decides")
    assert [d.loud for d in told] == [True]
    assert "pass with the sum of the ratings as gold" in told[0].words
    assert "fail with the first of the ratings as gold" in told[0].words


def test_a_file_on_which_neither_decides():
    assert retold(scored(3000, noise=0.2, system=0.2)).diagnoses == ()


def test_a_small_file_settles_nothing_and_says_so_quietly():
    told = diagnoses(retold(scored(100, noise=0.5, system=0.9)))
    assert told
    assert not any(d.loud for d in told)
    assert all("settle" in d.words for d in told)


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [(0.695, 0.8, "accepted"), (0.6949, 0.8, "not settled"), (0.5, 0.6949, "rejected")],
)
def test_the_limit_is_met_by_what_rounds_to_it(low, high, expected):
    assert decision(Estimate(key=Key("x"), value=0.7, low=low, high=high, n=9)) == expected


def test_prompts_with_scales_of_their_own_are_told_apart():
    columns = scored(80)
    columns = {key: np.tile(value, 2) for key, value in columns.items()}
    columns["prompt"] = np.repeat(["a", "b"], 80)
    evaluation = retold(
        columns, roles={"prompt": "prompt"}, prompts={"b": PromptOptions(scale="0:7")}
    )
    told = [s.prompt for s in evaluation.subsets if s.against == OTHER_SCALES]
    assert told == ["a", "b"]


def test_nothing_to_tell_on_two_points_or_a_continuous_scale():
    two = retold({"gold": [0, 1, 1, 0], "s": [0, 1, 0, 0]}, scale=None)
    assert not [name for name in curves(two) if name.startswith("scale_effect")]
    rng = np.random.default_rng(1)
    gold = rng.standard_normal(150)
    unbroken = retold({"gold": gold, "s": gold + rng.standard_normal(150)}, scale=None)
    assert not [s for s in unbroken.subsets if s.against == OTHER_SCALES]
