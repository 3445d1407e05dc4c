"""Laws of certificates, and everything for which there is none."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tallymark.errors import DataError, OptionError
from tallymark.selective.bounds import binomial_cdf, n_min
from tallymark.selective.certify import certify, certify_each, dev_zero, one_per_cluster
from tallymark.selective.conformal import select
from tallymark.selective.curve import risk_coverage
from tallymark.selective.ltt import Candidates, loosest, rank_candidates, starts_of

seeds = st.integers(0, 10_000)


def sample(seed, n=400, values=None):
    rng = np.random.default_rng(seed)
    confidence = rng.random(n) if values is None else rng.integers(0, values, n) / values
    return confidence, rng.random(n) < rng.choice([0.3, 1]) * (1 - confidence) ** 3


def same(one, other):
    return (one.certified, one.n, one.k, one.coverage, one.needed) == (
        other.certified,
        other.n,
        other.k,
        other.coverage,
        other.needed,
    )


@given(seeds, st.sampled_from([None, 7]))
def test_only_the_order_of_the_confidences_counts(seed, values):
    confidence, errors = sample(seed, values=values)
    shuffled = np.random.default_rng(seed).permutation(confidence.size)
    own = certify(confidence, errors, alpha=0.05)
    assert certify(confidence[shuffled], errors[shuffled], alpha=0.05) == own or not own.certified
    for change in (np.exp, lambda c: -1 / (c + 1), lambda c: 1e-9 * c - 5):
        assert same(certify(change(confidence), errors, alpha=0.05), own)
        assert same(
            certify(change(confidence), errors, alpha=0.05, method="crc"),
            certify(confidence, errors, alpha=0.05, method="crc"),
        )


@given(seeds)
def test_counts_are_repetitions(seed):
    confidence, errors = sample(seed, values=9)
    told, times = np.unique(np.stack([confidence, errors]), axis=1, return_counts=True)
    for method in ("ltt", "crc"):
        whole = certify(confidence, errors, alpha=0.05, method=method)
        assert same(certify(*told, alpha=0.05, method=method, counts=times), whole)
    new = np.linspace(0, 1, 30)
    apart = select(told[0], told[1], new, 0.1, counts=times)
    assert apart.accepted.tolist() == select(confidence, errors, new, 0.1).accepted.tolist()


@given(seeds)
def test_several_starts_share_delta(seed):
    confidence, errors = sample(seed, n=1000)
    sizes, parts = starts_of(0.05, 0.05, 1000)
    assert parts.sum() == pytest.approx(0.05)
    own = certify(confidence, errors, alpha=0.05)
    assert own.starts == tuple(sizes)
    # what Bonferroni over the same starts alone would certify is certified too
    found = rank_candidates([risk_coverage(confidence, errors)])
    alone = [
        binomial_cdf(found.k[0, s - 1], s, 0.05) <= p for s, p in zip(sizes, parts, strict=True)
    ]
    assert own.certified == any(alone)
    if own.certified:
        assert own.p <= own.delta_each <= 0.05 * (1 + 1e-9)
        assert own.upper <= 0.05 * (1 + 1e-9)
        assert own.n >= max(s for s, ok in zip(sizes, alone, strict=True) if ok)


def test_a_chain_hands_its_part_on_unless_it_failed():
    n, parts = np.array([[60, 75, 80, 100]]), [0.0475, 0.0005, 0.002]
    clean, slip, late = ([[0, 0, k, j]] for k, j in ((0, 0), (1, 1), (0, 1)))
    p = [float(binomial_cdf(*pair, 0.05)) for pair in ((0, 60), (1, 80), (1, 100))]
    assert p[0] <= parts[0] < p[1]  # one error of 80 is too many, of 100 it is not
    assert 0.002 < p[2] < 0.04

    def reached(k, starts=(0, 1, 3)):
        found = Candidates(np.arange(4.0), n, np.array(k), inclusive=True)
        passed = loosest(found, starts, parts[: len(starts)], 0.05)
        return passed.last, round(passed.level, 6)

    assert reached(clean) == reached(late) == (3, 0.05)  # all parts together
    assert reached(slip) == (1, 0.048)  # the last start has .002 of its own, and not enough
    assert reached(slip, [0]) == (1, 0.0475)
    assert reached(slip, [3]) == (3, 0.0475)  # begun after the failure


def test_a_start_does_not_move_as_labels_are_added():
    before = starts_of(0.05, 0.05, 60).sizes[:-1].tolist()
    for n in range(61, 3000, 37):
        sizes = starts_of(0.05, 0.05, n).sizes.tolist()
        assert sizes[-1] == n
        assert sizes[: len(before)] == before
        before = sizes[:-1]
    sizes, parts = starts_of(0.02, 0.05, 20)
    assert (sizes.tolist(), parts.tolist()) == ([20], [0.05])


@settings(max_examples=30)
@given(seeds, st.integers(5, 700))
@example(0, 208)
def test_the_labels_said_to_be_needed_are_the_fewest(seed, n):
    rng = np.random.default_rng(seed)
    confidence, errors = rng.random(n), rng.random(n) < rng.choice([0.02, 0.1])
    own = certify(confidence, errors, alpha=0.05)
    if own.certified:
        assert own.needed == 0
        return

    def with_clean(more):
        return certify(
            np.append(confidence, 2 + np.arange(more)),
            np.append(errors, np.zeros(more, bool)),
            alpha=0.05,
        ).certified

    assert with_clean(own.needed)
    assert not with_clean(own.needed - 1)
    assert np.isnan(own.tau)
    assert own.statement == f"Cannot certify: {own.why}."
    assert f"{own.needed} more accepted calibration label" in own.why


def test_nothing_to_certify_with():
    assert certify([0.5], [0], alpha=0.05).needed == 58
    nearly = certify(np.arange(58), np.zeros(58), alpha=0.05)
    assert nearly.why.startswith("at least 1 more accepted calibration label without")
    assert nearly.why.endswith("is needed")
    constant = certify(np.ones(100), np.zeros(100), alpha=0.05)
    assert constant.certified
    assert constant.accepts_all
    assert constant.tied
    hopeless = certify(np.arange(100), np.ones(100), alpha=0.05)
    # a third of delta for a start without errors: ln (.05 / 3) / ln .95 = 79.8
    assert (hopeless.certified, hopeless.needed) == (False, 80)
    assert hopeless.why.endswith(
        "more labels alone may not do: 80 of the 80 most confident are errors"
    )


def test_ties_stand_or_fall_together():
    # 100 clean at the top; the 60 tied below have errors that row order would hide at the end
    confidence = np.repeat([2.0, 1.0], [100, 60])
    errors = np.repeat([0, 0, 1], [100, 40, 20])
    for order in (slice(None), slice(None, None, -1)):
        own = certify(confidence[order], errors[order], alpha=0.05, starts=(0,))
        assert (own.tau, own.inclusive, own.n, own.k) == (1.0, False, 100, 0)


def test_a_fixed_grid_accepts_what_reaches_it():
    confidence, errors = sample(1, n=1000)
    own = certify(confidence, errors, alpha=0.05, grid=np.linspace(0, 1, 21))
    assert own.inclusive
    assert own.n == np.sum(confidence >= own.tau)
    assert own.grid == "fixed"
    pool = certify(confidence, errors, alpha=0.05, pool=np.random.default_rng(0).random(500))
    assert pool.grid == "pool"
    assert pool.certified
    assert pool.n == np.sum(confidence >= pool.tau)


def test_the_starts_on_a_pool_do_not_see_the_calibration_confidences():
    errors, pool = np.zeros(300, bool), np.random.default_rng(0).random(500)
    # nothing above .5: a chain that begins at the expected count finds too few responses there
    low = certify(np.linspace(0, 0.5, 300), errors, alpha=0.05, pool=pool, starts=(0,))
    assert not low.certified
    assert low.needed > 0


def test_conformal_selection_of_nothing():
    own = certify([0.9, 0.8], [1, 1], alpha=0.05, method="batch", batch=[0.5, 0.7])
    assert not own.certified
    assert own.coverage == 0
    assert "no response of the batch" in own.why
    found = certify(*sample(3), alpha=0.1, method="batch", batch=np.linspace(0, 1, 50))
    assert found.certified
    assert found.inclusive
    assert "On average" in found.statement
    with pytest.raises(OptionError, match="give the confidences of its responses as batch="):
        certify([1], [0], alpha=0.05, method="batch")


@given(
    st.lists(st.tuples(st.integers(1, 3), st.booleans()), min_size=5, max_size=8),
    st.sampled_from([0.3, 0.5, 0.7]),
)
@example([(1, True)] * 5 + [(1, False)] * 3, 0.5)
def test_conformal_selection_keeps_its_rate_over_every_split_with_ties(pool, alpha):
    """Labelled and new responses are alike, so that each split of them is as likely as another."""
    shares = []
    for new in map(list, combinations(range(len(pool)), 3)):
        rest = [one for i, one in enumerate(pool) if i not in new]
        batch = [pool[i][0] for i in new]
        found = select([c for c, _ in rest], [wrong for _, wrong in rest], batch, alpha)
        above = [sum(bad and c >= mine for c, bad in rest) for mine in batch]
        assert found.p == pytest.approx([(1 + k) / (1 + len(rest)) for k in above])
        wrong = np.array([pool[i][1] for i in new])
        shares.append((wrong & found.accepted).sum() / max(1, found.accepted.sum()))
    assert np.mean(shares) <= alpha + 1e-9


def test_risk_control_says_how_many_labels_are_missing():
    own = certify([0.9, 0.8], [0, 0], alpha=0.05, method="crc")
    assert own.needed == 17
    full = certify(np.arange(19), np.zeros(19), alpha=0.05, method="crc")
    assert full.accepts_all
    wrong_top = certify(np.arange(19), np.arange(19) == 18, alpha=0.05, method="crc")
    assert (wrong_top.tau, wrong_top.n, wrong_top.coverage) == (18, 0, 0)


def test_the_rule_of_the_paper_is_never_a_certificate():
    clean = dev_zero(np.arange(1000), np.zeros(1000))
    assert not clean.certified
    assert clean.coverage == 1
    assert clean.statement.startswith("Not a guarantee")
    none = dev_zero([0.9, 0.5], [1, 0])
    assert np.isnan(none.tau)
    assert none.statement.startswith("Not a guarantee, and no threshold")


@given(seeds)
def test_prompts(seed):
    confidence, errors = sample(seed, n=1200)
    prompts = np.repeat(["a", "b", "<c>"], 400)
    own = certify_each(confidence, errors, prompts, alpha=0.1)
    assert list(own) == ["<c>", "a", "b"]
    alone = certify(confidence[:400], errors[:400], alpha=0.1, delta=0.05 / 3)
    assert same(own["a"], alone)
    wider = certify_each(confidence, errors, prompts, alpha=0.1, family="sidak")
    assert wider["a"].delta_each > own["a"].delta_each
    shared = certify_each(confidence, errors, prompts, alpha=0.1, family="common")
    assert len({(c.certified, c.tau) for c in shared.values() if c.certified}) <= 1
    for name, one in shared.items():
        if one.certified:
            above = (prompts == name) & (confidence > one.tau)
            assert (one.n, one.k) == (above.sum(), errors[above].sum())
            assert one.p <= one.delta_each
            assert "every prompt with a threshold; 3 were tried" in one.statement


def test_a_common_threshold_names_the_prompt_that_lacks_labels():
    confidence, prompts = np.linspace(0, 1, 330), np.repeat([1, 2], [300, 30])
    own = certify_each(confidence, np.zeros(330), prompts, alpha=0.05, family="common")
    assert own["2"].needed == int(n_min(0.05, 0.05)) - 30
    assert own["1"].needed == 0
    assert own["1"].why == "another prompt needs more calibration labels"


def test_one_response_of_each_cluster_whatever_the_order():
    rng = np.random.default_rng(0)
    clusters = np.repeat([f"c{i}" for i in range(50)], rng.integers(1, 6, 50))
    confidence, errors = rng.random(clusters.size), rng.random(clusters.size) < 0.3
    own = one_per_cluster(clusters, confidence, errors, 3, "clusters")
    assert sorted(clusters[own]) == sorted(set(clusters))
    order = rng.permutation(clusters.size)
    for weigh in ("clusters", "responses"):
        once = one_per_cluster(clusters, confidence, errors, 3, weigh)
        again = one_per_cluster(clusters[order], confidence[order], errors[order], 3, weigh)
        assert sorted(confidence[order][again]) == sorted(confidence[once])


def test_a_cluster_is_kept_in_proportion_to_its_size():
    clusters = np.repeat(np.arange(30), np.tile([1, 2, 4], 10))
    sizes = np.bincount(clusters)
    kept = np.zeros(30)
    for seed in range(4000):
        own = one_per_cluster(clusters, np.zeros(70), np.zeros(70), seed)
        kept[clusters[own]] += 1
        assert np.unique(clusters[own]).size == own.size
    assert kept / 4000 == pytest.approx(sizes / 4, abs=4 * np.sqrt(0.25 / 4000))
    alike = np.repeat(np.arange(30), 3)
    assert one_per_cluster(alike, np.zeros(90), np.zeros(90)).size == 30


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"alpha": 0}, OptionError, "zero cannot be certified"),
        ({"alpha": -0.1}, OptionError, "zero cannot be certified"),
        ({"alpha": 0.05, "delta": 0}, OptionError, "delta must lie"),
        ({"alpha": 0.05, "method": "safe"}, OptionError, "ltt, batch or crc"),
        ({"alpha": 0.05, "starts": ()}, OptionError, "starts must be"),
        ({"alpha": 0.05, "grid": [np.nan]}, DataError, "grid must be"),
        ({"alpha": 0.05, "pool": []}, DataError, "pool must be"),
    ],
)
def test_what_cannot_be_certified_is_refused(options, error, message):
    with pytest.raises(error, match=message):
        certify([0.5, 0.6], [0, 1], **options)


def test_families_and_prompts_are_checked():
    with pytest.raises(OptionError, match="family must be one of"):
        certify_each([1], [0], ["a"], alpha=0.1, family="holm")  # type: ignore[arg-type]
    with pytest.raises(DataError, match="one prompt for each of 1 responses"):
        certify_each([1], [0], ["a", "b"], alpha=0.1)
    with pytest.raises(DataError, match="confidences are missing"):
        certify([np.nan, 1], [0, 0], alpha=0.1)
