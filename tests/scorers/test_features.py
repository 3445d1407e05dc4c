"""Features: true to their definitions, in every script."""

import numpy as np
import pytest

from tallymark.scorers.documents import (
    FEATURES,
    OF_TEXT,
    Documents,
    Rarity,
    read_features,
    sentences,
    variety,
    words,
)
from tallymark.scorers.encoding import Material

TEXTS = {
    "empty": "",
    "space": " \n\t ",
    "signs": "... !!! ???",
    "english": "It rained; however, we didn't stay at home. Why? Because of the well-known match!",
    "portuguese": "Não choveu, porém ficámos em casa. Porquê? Porque o jogo já tinha começado!",
    "arabic": "ذَهَبَ الولدُ إلى المدرسة، لكن المعلم لم يأتِ. لماذا؟ لأن الجو كان باردا.",
    "japanese": "雨が降った。しかし、私たちは家にいなかった。なぜなら試合があったからだ。",
    "chinese": "今天下雨了，但是我们没有留在家里。因为有比赛！",
    "thai": "วันนี้ฝนตก แต่เราไม่อยู่บ้าน",
    "hindi": "वह स्कूल गया। लेकिन शिक्षक नहीं आया।",
    "emoji": "😀 ok 👍🏽",
    "digits": "3.5 + 4 = 7.5",
    "surrogate": "a \ud800 b",
}


def features_of(*texts, **more):
    readings = read_features(Documents.of(texts), **more)
    return [dict(zip(readings.names, row, strict=True)) for row in readings.values]


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_every_text_has_finite_features(text):
    (read,) = features_of(text, prompt_texts=["It rained"], references=[""])
    assert {*read} == {*FEATURES} - {"rarity"}
    assert np.isfinite([*read.values()]).all()
    for share in ("long_words", "variety", "repetition", "prompt_overlap", "reference_overlap"):
        assert 0 <= read[share] <= 1


@pytest.mark.parametrize("name", ["empty", "space", "signs"])
def test_a_text_without_words_has_none_of_anything(name):
    (read,) = features_of(TEXTS[name])
    assert [read[feature] for feature in OF_TEXT if feature != "punctuation"] == [0.0] * 9


@pytest.mark.parametrize(
    ("name", "count", "ends", "markers"),
    [("english", 14, 3, 2), ("portuguese", 13, 3, 2), ("arabic", 13, 3, 2), ("japanese", 32, 3, 2)],
)
def test_words_sentences_and_markers_of_languages(name, count, ends, markers):
    (read,) = features_of(TEXTS[name])
    assert (read["words"], read["sentences"]) == (count, ends)
    assert read["connectives"] * read["words"] / 100 == pytest.approx(markers)


def test_marks_stay_with_their_letters():
    assert words("स्कूल गया") == ["स्कूल", "गया"]
    assert words("ذَهَبَ") == ["ذَهَبَ"]


@pytest.mark.parametrize(
    ("marked", "bare"), [("ذَهَبَ الْوَلَدُ", "ذهب الولد"), ("schön", "schon"), ("स्कूल", "सकल")]
)
def test_marks_make_no_word_longer(marked, bare):
    with_marks, without = features_of(marked, bare)
    for feature in ("word_length", "long_words"):
        assert with_marks[feature] == without[feature]
    assert sentences("वह स्कूल गया। लेकिन शिक्षक नहीं आया।") == 2


def test_variety_is_the_mean_over_windows():
    """Against the definition, window by window."""
    random = np.random.default_rng(3)
    for size in (1, 7, 30, 81):
        tokens = random.integers(0, 12, size).astype(np.uint64)
        window = min(size, 20)
        every = [len({*tokens[i : i + window]}) / window for i in range(size - window + 1)]
        assert variety(tokens, np.array([0, size]), 20)[0] == pytest.approx(np.mean(every))


def test_a_text_twice_repeats_its_pairs():
    once, twice = features_of("a b c d e f", "a b c d e f a b c d e f")
    assert once["repetition"] == 0
    assert twice["repetition"] == pytest.approx(5 / 11)


def test_overlap_is_counted_in_distinct_words():
    (read,) = features_of(
        "water water boils fast", references=["Water boils at 100"], prompt_texts=["Fast?"]
    )
    assert read["reference_overlap"] == pytest.approx(2 / 4)
    assert read["reference_focus"] == pytest.approx(2 / 3)
    assert read["prompt_overlap"] == pytest.approx(1 / 3)


def test_rarity_counts_training_responses():
    documents = Documents.of(["a b", "a c", "a d", "z", ""])
    rarity = Rarity.fit(documents, np.array([0, 1, 2]))
    expected = [(np.log(4 / 4) + np.log(4 / 2)) / 2, np.log(4), 0.0]
    assert rarity.of(documents, np.array([0, 3, 4])) == pytest.approx(expected)


def test_a_text_in_html_is_read_like_the_text_alone():
    plain = "Rain & wind came.\n\nThe <x> of a<b was 3."
    marked = '<p class="c">Rain &amp; <b>wind</b> came.</p><P>The &lt;x&gt; of a&lt;b was 3.</P>'
    values = Material.of([plain, marked]).readings.values
    assert (values[0] == values[1]).all()
