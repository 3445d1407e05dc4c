"""Probes: texts in the place of responses, for reference scorers and for any other system."""

from typing import Any

import numpy as np
import pytest

import tallymark as tm
from tallymark.errors import DataError, OptionError
from tallymark.scorers.documents import parted, plain, sentences, words
from tallymark.scorers.fitting import generator
from tallymark.scorers.probes import shuffled
from tests.scorers.made import table

ASKED: Any = {"text": "essay", "humans": ["h1", "h2"], "prompt": "prompt", "id": "id"}
FAST = ["majority", "length", "ridge", "multinomial"]


def essays(n=40, prompts=("p", "q")):
    """Responses with several sentences."""
    columns = table(n=n, prompts=prompts)
    random = np.random.default_rng(1)
    columns["essay"] = [
        " ".join(f"{word}." if random.random() < 0.2 else word for word in essay.split())
        for essay in columns["essay"]
    ]
    return columns


def numbers(evaluation, system, name):
    """The number of each probe, of all responses together."""
    return {
        subset.against.name: numbers[name]
        for subset in evaluation.subsets
        if subset.against.kind == "probe" and subset.system == system and subset.whole
        if name in (numbers := evaluation.of(subset))
    }


def test_a_system_that_counts_words_gains_just_that_and_one_that_ignores_texts_nothing():
    columns = essays()
    count = lambda text: min(len(text.split()) / 4, 20.0)  # noqa: E731
    columns |= {"words": [count(text) for text in columns["essay"]], "dull": [2.0] * 80}
    made = tm.baseline(columns, **ASKED, models=["length"], probes=True)
    probes = made.run.probes
    assert probes is not None
    scored = {**probes, "words": [*map(count, probes["text"])], "dull": [2.0] * len(probes["row"])}
    asked: Any = {"humans": ["h1"], "systems": ["words", "dull"], "id": "id", "scale": "0:20"}
    read = tm.evaluate(columns, **asked, probe_scores=scored)
    before = {row: count(text) for row, text in enumerate(columns["essay"], 1)}
    for probe, estimate in numbers(read, "words", "probe_change").items():
        apart = [
            count(text) - before[int(row)]
            for row, kind, text in zip(probes["row"], probes["probe"], probes["text"], strict=True)
            if kind == probe
        ]
        assert estimate.value == pytest.approx(np.mean(apart))
        if probe in ("repeated", "off-topic"):
            # the mean of some hundred differences: the interval is about that of Student
            half = 1.99 * np.std(apart, ddof=1) / np.sqrt(len(apart))
            assert estimate.high - estimate.low == pytest.approx(2 * half, rel=0.1)
    for probe, rises in numbers(read, "words", "probe_rises").items():
        assert probe != "repeated" or rises.value > 0.9
        assert probe not in ("shuffled", "empty") or rises.value == 0
    assert {e.value for e in numbers(read, "dull", "probe_change").values()} == {0.0}
    assert {e.value for e in numbers(read, "dull", "probe_rises").values()} == {0.0}
    assert {*numbers(read, "dull", "probe_score")} == {"repeated", "shuffled", "off-topic", "empty"}


def test_probes_of_reference_scorers_are_read_back_as_they_were():
    columns = essays()
    made = tm.baseline(columns, **ASKED, models=FAST, systems=["engine"], probes=True)
    without = tm.baseline(columns, **ASKED, models=FAST, systems=["engine"])
    assert made.run.to_csv() == without.run.to_csv()  # probes change nothing that is learned
    asked: Any = {"humans": ["h1", "h2"], "prompt": "prompt", "id": "id"}
    systems = ["length", "ridge", "multinomial"]
    read = tm.compare(made.columns, **asked, systems=systems, probe_scores=made.run.probes)
    for system in systems:
        first, again = (numbers(e, system, "probe_change") for e in (made.evaluation, read))
        assert repr(first) == repr(again)
        assert {*first} == {"repeated", "shuffled", "off-topic", "empty"}
    assert numbers(made.evaluation, "length", "probe_change")["repeated"].low > 0
    assert numbers(made.evaluation, "length", "probe_change")["shuffled"].value == 0


def test_probes_are_the_same_for_a_seed_whatever_the_order_of_rows():
    columns = essays(n=20)
    asked: Any = {**ASKED, "models": ["length"], "probes": True}

    def texts(given, **more):
        probes = tm.baseline(given, **asked, **more).run.probes
        assert probes is not None
        return {*zip(probes["id"], probes["probe"], probes["text"], strict=True)}

    turned = {name: values[::-1] for name, values in columns.items()}
    assert texts(columns) == texts(turned)
    assert texts(columns) != texts(columns, seed=1)


def test_what_a_probe_is():
    columns = essays(n=30)
    columns["essay"][:2] = ["", "one sentence alone"]
    probes = tm.baseline(columns, **ASKED, models=["length"], probes=True).run.probes
    assert probes is not None
    prompt = dict(zip(columns["essay"], columns["prompt"], strict=True))
    whose: dict[str, set[int]] = {kind: set() for kind in {*probes["probe"]}}
    for row, kind, text in zip(probes["row"], probes["probe"], probes["text"], strict=True):
        response = columns["essay"][int(row) - 1]
        whose[kind].add(int(row))
        if kind == "repeated":
            assert words(plain(text)) == 2 * words(plain(response))
            assert sentences(text) == 2 * sentences(response)
        elif kind == "shuffled":
            assert sorted(words(plain(text))) == sorted(words(plain(response)))
            assert sentences(text) == sentences(response)
            assert text != response
        elif kind == "off-topic":
            assert prompt[text] != prompt[response]
        else:
            assert text == ""
    assert 1 not in whose["empty"]
    assert {1, 2}.isdisjoint(whose["shuffled"])
    assert 2 in whose["repeated"]


@pytest.mark.parametrize(
    "text",
    [
        "雨が降った。「寒い。」と言った！家にいた。",
        "ذَهَبَ الولدُ إلى المدرسة. لماذا؟ لأن الجو كان باردا.",
        "वह स्कूल गया। लेकिन शिक्षक नहीं आया।",
        'He said "No." Why? Because it rained; so he went',
        "Title\n\nFirst sentence. Second one",
    ],
)
def test_sentences_are_shuffled_in_every_script(text):
    other = shuffled(text, generator(3))
    assert other is not None
    assert other != text
    assert sorted(words(plain(other))) == sorted(words(plain(text)))
    assert len(parted(other)) == len(parted(text))
    assert "。 " not in other


def test_one_prompt_says_what_is_missing():
    columns = essays(n=30, prompts=["p"])
    asked: Any = {"text": "essay", "humans": ["h1"], "models": ["length"], "probes": True}
    made = tm.baseline(columns, **asked)
    assert made.run.probes is not None
    assert {*made.run.probes["probe"]} == {"repeated", "shuffled", "empty"}
    assert any("No off-topic probes" in str(note) for note in made.notes)


def refused(columns, probes, **more):
    asked: Any = {"humans": ["h1"], "systems": ["engine"], "id": "id", "scale": "1:4", **more}
    with pytest.raises((DataError, OptionError)) as error:
        tm.evaluate(columns, **asked, probe_scores=probes)
    return str(error.value)


def test_a_file_of_probes_that_does_not_fit_is_refused():
    columns = essays(n=10)
    probes: dict[str, list] = {"id": columns["id"], "probe": ["empty"] * 20, "engine": [1] * 20}
    assert "has no column 'probe'" in refused(columns, {"id": columns["id"], "engine": [1] * 20})
    assert "must say whose probe a row is" in refused(columns, probes, id=None)
    assert "no scores by engine" in refused(
        columns, {"id": columns["id"], "probe": ["empty"] * 20, "text": [""] * 20}
    )
    twice = {name: values * 2 for name, values in probes.items()}
    assert "more than once; keep one row" in refused(columns, twice)
    other = {**probes, "id": [f"x{i}" for i in range(20)]}
    assert "no row of" in refused(columns, other)
    with pytest.raises(OptionError, match="are new texts"):
        tm.baseline(columns, **ASKED, models=["ridge"], probes=True, vectors=np.ones((20, 2)))


def test_the_users_own_probes_and_missing_scores_are_counted():
    columns = essays(n=10)
    given = {
        "id": [*columns["id"], "stranger"],
        "probe": ["keywords"] * 21,
        "engine": [4] * 15 + [None] * 6,
    }
    read = tm.evaluate(
        columns, humans=["h1"], systems=["engine"], id="id", scale="1:4", probe_scores=given
    )
    (estimate,) = numbers(read, "engine", "probe_score").values()
    assert (estimate.value, estimate.n) == (4.0, 15)
    assert any("1 of 21 probes belong to no response" in note for note in read.data.notes)
