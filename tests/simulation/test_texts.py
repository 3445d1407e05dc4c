"""Synthetic texts carry the true score by their words and their length, as much as was asked for."""

import numpy as np
import pytest

from tallymark.errors import OptionError
from tallymark.simulation import Group, corpus, simulate, texts


def lengths(written):
    return np.array([len(text.split()) for text in written])


def r(a, b):
    return float(np.corrcoef(a, b)[0, 1])


def shares(written, words):
    """The share of certain words in each text."""
    chosen = set(words)
    each = [[word.strip(".,").lower() for word in text.split()] for text in written]
    return np.array([sum(word in chosen for word in text) / len(text) for text in each])


def frequent(written):
    every = [word.strip(".,").lower() for text in written for word in text.split()]
    words, times = np.unique(every, return_counts=True)
    return words[np.argsort(-times)]


def test_the_same_arguments_give_the_same_bytes_and_another_seed_others():
    first, again, other = (corpus(60, words=30, seed=seed).columns() for seed in (3, 3, 4))
    assert first.keys() == again.keys()
    assert all((first[name] == again[name]).all() for name in first)
    assert (first["text"] != other["text"]).all()


def test_texts_leave_the_scores_as_they_are():
    made = corpus(200, words=20, seed=5)
    more = corpus(200, words=40, signal=1, length=0, seed=5)
    assert (made.made.ratings == more.made.ratings).all()


def test_the_length_correlates_with_the_true_score_as_asked():
    made = simulate(6_000, scale="0:100", sd=10, seed=1)
    for asked in (0.0, 0.5, -0.7):
        written = texts(made, words=60, length=asked)
        assert r(np.log(lengths(written)), made.truth) == pytest.approx(asked, abs=0.04)
        assert np.exp(np.log(lengths(written)).mean()) == pytest.approx(60, rel=0.02)


def test_better_responses_use_rarer_words_and_without_a_signal_none_differ():
    made = simulate(1_500, scale="0:100", sd=10, seed=1)
    carrying, silent = (texts(made, words=100, signal=signal) for signal in (0.3, 0.0))
    common = frequent(silent)[:100]
    assert r(shares(carrying, common), made.truth) < -0.6
    assert abs(r(shares(silent, common), made.truth)) < 0.08


def test_word_frequencies_fall_as_in_zipfs_law():
    made = simulate(1_500, scale="0:100", sd=10, seed=1)
    every = [
        word.strip(".,").lower()
        for text in texts(made, words=100, signal=0)
        for word in text.split()
    ]
    times = np.sort(np.unique(every, return_counts=True)[1])[::-1]
    ranks = np.arange(1, 301) + 2.7
    assert r(np.log(ranks), np.log(times[:300])) < -0.97


def test_each_prompt_has_words_of_its_own():
    made = corpus(400, prompts=2, words=80, seed=2)
    columns = made.columns()
    first = columns["prompt"] == "synthetic 1"
    asked = columns["prompt_text"][first][0].removesuffix(".").replace(",", "").split()[2:]
    share = shares(columns["text"], set(asked) - {"and"})
    assert share[first].mean() > 5 * share[~first].mean()


def test_a_group_may_write_longer_texts_at_the_same_true_score():
    made = simulate(3_000, scale="1:6", groups={"group": [Group("A"), Group("B")]}, seed=1)
    written = texts(made, words=50, longer={"group": {"B": 0.4}})
    logs = np.log(lengths(written))
    second = made.people.keys["group"] == 1
    assert logs[second].mean() - logs[~second].mean() == pytest.approx(0.4, abs=0.05)


def test_every_text_is_made_of_sentences():
    for text in corpus(50, words=40, seed=1).text:
        assert text[0].isupper()
        assert text.endswith(".")


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"words": 0}, "words must be from 1"),
        ({"signal": -1}, "signal must be from 0"),
        ({"length": 2}, "length must lie between -1 and 1"),
        ({"prompts": 0}, "prompts must be a whole number of 1 or more"),
        ({"noise": -1}, "noise must be 0 or more"),
    ],
)
def test_impossible_texts_are_refused(wrong, words):
    with pytest.raises(OptionError, match=words):
        corpus(10, **wrong)
