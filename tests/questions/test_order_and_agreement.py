"""Rank correlation beside agreement: four readings, each where its numbers are."""

import numpy as np
import pytest

import tallymark as tm
from tallymark.analyses.summary import summary
from tallymark.questions.agreement import HIGH, READINGS, band, order_and_agreement
from tallymark.render.layout import plain_text
from tallymark.results import Estimate, Key


@pytest.mark.parametrize("ranks", [HIGH - 0.01, HIGH])
@pytest.mark.parametrize("kappa", [HIGH - 0.01, HIGH])
def test_each_of_four_readings_has_its_numbers(ranks, kappa):
    one, other = (Estimate(key=Key("spearman"), value=value, n=50) for value in (ranks, kappa))
    said = str(order_and_agreement("engine", one, "QWK", other))
    assert READINGS[ranks >= HIGH, kappa >= HIGH] in said
    assert f"rank correlation {'high' if ranks >= HIGH else 'low'}" in said
    assert f"agreement {'high' if kappa >= HIGH else 'low'}" in said


@pytest.mark.parametrize("open_one", ["ranks", "kappa", "both"])
def test_no_reading_is_given_where_an_interval_holds_the_limit(open_one):
    def found(name):
        half = 0.05 if open_one in {name, "both"} else 0.005
        return Estimate(
            key=Key("spearman"), value=HIGH + 0.01, low=HIGH + 0.01 - half, high=0.8, n=50
        )

    said = str(order_and_agreement("engine", found("ranks"), "QWK", found("kappa")))
    assert said.endswith("these data do not settle which.")
    assert not any(reading in said for reading in READINGS.values())
    assert said.count("low or high") == 1 + (open_one == "both")


def test_a_severe_system_orders_well_and_agrees_badly():
    rng = np.random.default_rng(0)
    gold = rng.integers(2, 9, 200).astype(float)
    columns = {"h1": gold, "engine": np.clip(gold - 3 + rng.integers(0, 2, 200), 0, 8)}
    found = tm.evaluate(columns, humans=["h1"], systems=["engine"], scale="0:8")
    text = " ".join(plain_text(summary(found)).split())
    assert "rank correlation high" in text
    assert "agreement low" in text
    assert READINGS[True, False] in text


def test_nothing_is_said_of_what_is_undefined():
    gone = Estimate(key=Key("spearman"), value=float("nan"), n=50)
    assert order_and_agreement("engine", gone, "QWK", gone) is None


def test_the_band_of_the_interval_stands_on_the_first_screen_with_its_warning():
    gold = np.resize(np.arange(6), 300)
    system = np.where(np.arange(300) % 4 == 0, np.roll(gold, 1), gold)
    found = tm.evaluate(
        {"h1": gold, "engine": system}, humans=["h1"], systems=["engine"], scale="0:5"
    )
    qwk = found["qwk"]
    words = dict.fromkeys(map(band, (qwk.low, qwk.high)))
    text = " ".join(plain_text(summary(found)).split())
    assert f"engine: QWK is {' to '.join(words)} (Landis & Koch; arbitrary bands)." in text
