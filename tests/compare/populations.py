"""Populations in which systems agree with the gold equally well, and err in different ways."""

from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from tallymark.catalogue import find
from tallymark.inference import Settings
from tallymark.inference.permutation import swap_test
from tallymark.questions.comparison.compute import _differences, best_first
from tallymark.questions.comparison.differences import difference, spreads
from tallymark.questions.comparison.shared import Arena, ground_of
from tallymark.questions.comparison.testing import settled, tests_of
from tallymark.scale import Scale
from tallymark.study.parts import Part
from tallymark.study.rows import Rows
from tallymark.tally import PairPatterns

SCALE = Scale((1.0, 2.0, 3.0, 4.0, 5.0, 6.0))
POINTS = np.asarray(SCALE.points)
POPULATION = 200_000
QWK = find("qwk")


def rounded(scores):
    return np.clip(np.floor(scores + 0.5), 1, 6)


def noisy(truth, rng, size):
    return rounded(truth + rng.normal(0, size, truth.size))


def severe(truth, rng, size):
    return rounded(truth - size + rng.normal(0, 0.3, truth.size))


def compressed(truth, rng, size):
    return rounded(3.5 + (truth - 3.5) * (1 - size) + rng.normal(0, 0.3, truth.size))


def slipping(truth, rng, size):
    wild = rng.random(truth.size) < size
    return np.where(wild, rng.integers(1, 7, truth.size), noisy(truth, rng, 0.3))


KINDS = {"noise": noisy, "severity": severe, "compression": compressed, "slips": slipping}


def drawn(n, rng):
    truth = rng.normal(3.5, 1.2, n)
    return truth, noisy(truth, rng, 0.5)


def qwk(gold, scores):
    return float(QWK.value(PairPatterns.of(gold, scores).table(POINTS)))


def size_for(kind, wanted):
    """How much a system must err in its way to agree with the gold this well."""
    truth, gold = drawn(POPULATION, np.random.default_rng(99))
    low, high = 0.0, 3.0 if kind in ("noise", "severity") else 0.99
    for _ in range(30):
        middle = (low + high) / 2
        made = KINDS[kind](truth, np.random.default_rng(98), middle)
        low, high = (middle, high) if qwk(gold, made) > wanted else (low, middle)
    return low


def arena_of(gold, *systems):
    rows = Rows(np.stack([gold, *systems], axis=1), np.ones(gold.size, np.int64), POINTS)
    rows = rows.distinct()
    part = Part(None, np.ones(rows.counts.size, dtype=bool))  # type: ignore[arg-type]
    return Arena((part,), (SCALE,), (rows,))


def sample(kinds, sizes, n, seed):
    rng = np.random.default_rng(seed)
    truth, gold = drawn(n, rng)
    return arena_of(gold, *(KINDS[k](truth, rng, s) for k, s in zip(kinds, sizes, strict=True)))


def p_values(kinds, sizes, n, runs, permutations=500):
    """P-values of the studentised and of the plain test, run by run."""
    from tallymark.questions.comparison import testing

    found = []
    for seed in range(runs):
        arena = sample(kinds, sizes, n, seed)
        settings = Settings(replicates=permutations, seed=seed)
        (spread,) = spreads(arena, [QWK], replace(settings, interval="analytic"))
        studentised = tests_of(arena, [spread], settings, test="auto")[spread.text].p[0, 1]
        ground = ground_of([testing._gold_and_two(arena.rows[0], 0, 1, rounded=True)])
        stratum = testing._by_margins(ground.parts[0], [QWK], ground.places[0])
        plain = swap_test(
            [stratum], ground.times, permutations=permutations, seed=(seed, 1), studentised=False
        )
        z = testing._by_t(spread, 0, 1)
        found.append((studentised, plain.p_values[0], z))
    return np.array(found)


def covered(kinds, sizes, true, n, runs, replicates=1000):
    """How often the interval of the difference holds the true one."""
    hits = 0
    for seed in range(runs):
        (spread,) = spreads(
            sample(kinds, sizes, n, seed), [QWK], Settings(replicates=replicates, seed=seed)
        )
        found = difference(spread, 0, 1, Settings(replicates=replicates))
        hits += found.low <= true <= found.high
    return hits / runs


def wrongly_ranked(kinds, sizes, true, n, runs, permutations=500):
    """How often any pair is settled the wrong way or although equal, and how many are settled."""
    wrong, told, first = 0, 0, 0
    for seed in range(runs):
        arena = sample(kinds, sizes, n, seed)
        settings = Settings(replicates=permutations, seed=seed)
        (spread,) = spreads(arena, [QWK], replace(settings, interval="analytic"))
        tests = tests_of(arena, [spread], settings, test="auto")[spread.text]
        beats = settled(tests, spread, better="higher", level=0.95)
        really = np.asarray(true)[:, None] > np.asarray(true)[None, :] + 1e-9
        wrong += bool((beats & ~really).any())
        told += beats.sum()
        first += best_first(spread.values, list("abcdefgh")[: len(true)])[0] == int(np.argmax(true))
    return wrong / runs, told / runs, first / runs


class Pairing(NamedTuple):
    """One sample of two systems: interval, p-value, and the share of responses they differ in."""

    low: float
    high: float
    p: float
    apart: float


def nearly_identical(changed, worse, n, runs, *, seed=0, clusters=0, prompts=1, settings=None):
    """Two systems that differ in a few responses, which the second scored anew, maybe worse.

    With clusters, whole clusters are scored anew; with prompts, the mean over them is compared.
    """
    for run in range(runs):
        rng = np.random.default_rng([seed, run])
        truth, gold = drawn(n, rng)
        first = noisy(truth, rng, 0.8)
        unit = np.arange(n) % clusters if clusters else np.arange(n)
        new = (rng.random(n) < changed)[unit]
        second = np.where(new, noisy(truth, rng, worse), first)
        arena = split(gold, first, second, unit if clusters else None, prompts)
        own = replace(settings or Settings(replicates=400), seed=run)
        (spread,) = spreads(arena, [QWK], own)
        tests = tests_of(arena, [spread], own, test="auto")
        found = _differences(spread, [(0, 1)], tests, own)[0, 1]
        yield Pairing(found.low, found.high, tests[spread.text].p[0, 1], (first != second).mean())


def true_difference(changed, worse):
    """Of the same two systems, from very many responses."""
    rng = np.random.default_rng(5)
    truth, gold = drawn(4 * POPULATION, rng)
    first, again = noisy(truth, rng, 0.8), noisy(truth, rng, worse)
    second = np.where(rng.random(truth.size) < changed, again, first)
    return qwk(gold, first) - qwk(gold, second)


def split(gold, first, second, unit, prompts):
    """A arena of several prompts, responses dealt in turn."""
    rows, every = [], np.arange(gold.size)
    for prompt in range(prompts):
        here = every % prompts == prompt
        scores = np.stack([gold, first, second], axis=1)[here]
        own = Rows(
            scores, np.ones(len(scores), np.int64), POINTS, None if unit is None else unit[here]
        )
        rows.append(own.distinct())
    parts = tuple(
        Part(None, np.ones(own.counts.size, dtype=bool))  # type: ignore[arg-type]
        for own in rows
    )
    return Arena(parts, (SCALE,) * prompts, tuple(rows), over="prompt" if prompts > 1 else "")
