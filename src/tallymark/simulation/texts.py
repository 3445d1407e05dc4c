"""Synthetic texts whose words carry the true score: what a scorer of texts can be tried on.

The words belong to no language. Their frequencies follow Zipf's law; how much more often better
responses use a word is fixed, and so is what a prompt is about: seeds differ in what is drawn.
"""

from functools import cache
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tallymark.arrays import Floats
from tallymark.defaults import SEED
from tallymark.errors import OptionError
from tallymark.signatures import typed
from tallymark.simulation.generator import Simulated, simulate
from tallymark.simulation.population import Codes, Group, Prompt, Rater, Shift

WORDS, TOPIC, BOOST = 2000, 24, 15.0
"""Words of the language, those that a prompt is about, and how much more often they occur there."""
RANK_SHIFT = 2.7
"""Mandelbrot's constant: how much the most frequent words fall short of Zipf's law."""
SPREAD = 0.35
"""Standard deviation of the logarithm of the length."""
SENTENCE, COMMA = 14.0, 0.06
LEVELS = 61
"""Places of the true score, from -3 to 3 standard deviations, for which frequencies are made."""
PLAIN, FIRST, COMMAS, LAST, ALONE = range(5)


class Corpus(Struct, frozen=True):
    """Synthetic texts, the scores that people gave them, and the truth behind them."""

    made: Simulated
    text: NDArray[np.object_]
    prompt_text: NDArray[np.object_]

    @property
    def truth(self) -> Floats:
        """The true score of each response."""
        return self.made.truth

    def columns(self) -> dict[str, NDArray[Any]]:
        """What a file would hold, one row per response; the truth is not in it."""
        return {**self.made.columns(), "prompt_text": self.prompt_text, "text": self.text}


@typed
def corpus(
    n: int,
    *,
    prompts: int = 4,
    words: float = 150.0,
    signal: float = 0.2,
    length: float = 0.5,
    noise: float = 0.5,
    seed: int = SEED,
) -> Corpus:
    """Make n synthetic essays on 1 to 6 by two raters, to several prompts, with two groups.

    Two responses come from each candidate; ``noise`` is the error of the raters in points. The
    other keywords are those of :func:`texts`.

    >>> made = corpus(200, prompts=2, words=40, seed=1)
    >>> list(made.columns())
    ['response', 'candidate', 'prompt', 'group', 'h1', 'h2', 'prompt_text', 'text']
    >>> str(made.prompt_text[0])
    'Write about nunrin, palsur, selfak, vakas, guspor and zanpes.'
    """
    if prompts < 1:
        raise OptionError(f"prompts must be a whole number of 1 or more, got {prompts}")
    made = simulate(
        n,
        scale="1:6",
        raters=[Rater("h1", noise=noise), Rater("h2", noise=noise)],
        prompts=[Prompt(f"synthetic {i}", difficulty=0.3 * (i % 2)) for i in range(1, prompts + 1)],
        groups={"group": [Group("A", share=2), Group("B", ability=-0.3)]},
        candidates=max(1, (n + 1) // 2),
        seed=seed,
    )
    written = texts(made, words=words, signal=signal, length=length)
    questions = np.array([_question(i) for i in range(prompts)], object)
    return Corpus(made, written, questions[made.people.keys["prompt"]])


@typed
def texts(
    made: Simulated,
    *,
    words: float = 150.0,
    signal: float = 0.2,
    length: float = 0.5,
    longer: Shift | None = None,
) -> NDArray[np.object_]:
    """Write a synthetic text for each simulated response.

    ``words`` is the typical length; its logarithm correlates with the true score by ``length`` and
    has a standard deviation of .35. ``signal`` is the standard deviation, over words, of how
    strongly their frequency depends on the true score: at 0 the words say nothing. ``longer``
    adds to the logarithm of the length by prompt or group, whatever the true score.

    >>> made = simulate(3, scale="1:6", seed=1)
    >>> len(texts(made, words=5))
    3
    """
    _check(words, signal, length)
    people = made.people
    rng = np.random.default_rng(np.random.SeedSequence(made.seed, spawn_key=(_STREAM,)))
    z = (people.truth - people.mean) / (people.sd or 1.0)
    deviations = rng.standard_normal(people.n)
    longs = SPREAD * (length * z + np.sqrt(1 - length**2) * deviations) + people.shifted(
        longer or {}
    )
    sizes = np.maximum(1, np.rint(words * np.exp(longs))).astype(np.int64)
    about = people.keys.get("prompt", np.zeros(people.n, np.int64))
    tokens = _tokens(z, about, sizes, signal, rng)
    return _written(tokens, sizes, rng)


_STREAM = 100
"""Beside the streams of :func:`simulate`, so that texts do not disturb scores."""


def _tokens(
    z: Floats, about: Codes, sizes: Codes, signal: float, rng: np.random.Generator
) -> Codes:
    """The words of all texts in a row, drawn for each prompt and place of the true score at once."""
    owner = np.repeat(np.arange(z.size), sizes)
    places = np.clip(np.rint((z + 3) / 6 * (LEVELS - 1)), 0, LEVELS - 1).astype(np.int64)
    cell = (about * LEVELS + places)[owner]
    drawn = rng.random(owner.size)
    tokens = np.empty(owner.size, np.int64)
    order = np.argsort(cell, kind="stable")
    starts = np.flatnonzero(np.diff(cell[order], prepend=-1))
    for rows in np.split(order, starts[1:]):
        prompt, place = divmod(int(cell[rows[0]]), LEVELS)
        level = 6 * place / (LEVELS - 1) - 3
        tokens[rows] = np.searchsorted(_frequencies(prompt, level, signal), drawn[rows])
    return tokens


def _frequencies(prompt: int, level: float, signal: float) -> Floats:
    """Cumulative frequencies of the words in responses of a standardised true score."""
    weight = np.exp(signal * level * _tilts()) / (np.arange(WORDS) + 1 + RANK_SHIFT)
    weight[_topic(prompt)] *= BOOST
    cumulated = np.cumsum(weight)
    return np.asarray(cumulated / cumulated[-1])


@cache
def _tilts() -> Floats:
    """How much more often better responses use each word: rarer words more, and some by chance.

    Standardised over the words as they are used.
    """
    rng = np.random.default_rng(3)
    rank = np.log(np.arange(WORDS) + 1 + RANK_SHIFT)
    used = 1 / np.exp(rank)
    used /= used.sum()
    parts = []
    for values in (rank, rng.standard_normal(WORDS)):
        centred = values - used @ values
        parts.append(centred / np.sqrt(used @ centred**2))
    tilts = parts[0] + parts[1]
    return np.asarray(tilts / np.sqrt(used @ tilts**2))


def _topic(prompt: int) -> Codes:
    """The words that a prompt is about: neither frequent nor rare."""
    rng = np.random.default_rng([4, prompt])
    return rng.choice(np.arange(60, 800), TOPIC, replace=False)


def _question(prompt: int) -> str:
    *first, last = [_vocabulary()[i] for i in _topic(prompt)[:6]]
    return f"Write about {', '.join(first)} and {last}."


@cache
def _vocabulary() -> tuple[str, ...]:
    """Distinct words of syllables; frequent ones are short."""
    rng = np.random.default_rng(5)
    starts, vowels, ends = (
        list("bdfghjklmnprstvz"),
        list("aeiou"),
        ["", "", "n", "r", "l", "s", "k"],
    )
    words: dict[str, None] = {}
    while len(words) < WORDS:
        syllables = 1 + (len(words) >= 60) + (len(words) >= 700)
        drawn = [rng.choice(part) for _ in range(syllables) for part in (starts, vowels, ends)]
        words["".join(drawn)] = None
    return tuple(words)


@cache
def _forms() -> NDArray[np.object_]:
    """Each word inside a sentence, first in it, before a comma, last in it, and alone in it."""
    words = _vocabulary()
    capital = [word.capitalize() for word in words]
    forms = [words, capital, [f"{w}," for w in words], [f"{w}." for w in words]]
    return np.array([*forms, [f"{w}." for w in capital]], object)


def _written(tokens: Codes, sizes: Codes, rng: np.random.Generator) -> NDArray[np.object_]:
    """Put words into sentences, and sentences into texts."""
    ends = np.cumsum(sizes)
    chance = rng.random(tokens.size)
    last = chance < 1 / SENTENCE
    last[ends - 1] = True
    first = np.append(True, last[:-1])
    form = np.where(chance > 1 - COMMA, COMMAS, PLAIN)
    form = np.select([first & last, first, last], [ALONE, FIRST, LAST], form)
    words = _forms()[form, tokens].tolist()
    starts = (ends - sizes).tolist()
    return np.array(
        [" ".join(words[a:b]) for a, b in zip(starts, ends.tolist(), strict=True)], object
    )


def _check(words: float, signal: float, length: float) -> None:
    if not 1 <= words < 100_000:
        raise OptionError(f"words must be from 1 to 100,000, got {words:g}")
    if not 0 <= signal <= 3:
        raise OptionError(f"signal must be from 0 to 3, got {signal:g}")
    if not -1 <= length <= 1:
        raise OptionError(f"length must lie between -1 and 1, got {length:g}")
