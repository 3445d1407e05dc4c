"""The bundled scores are what the committed call makes, and they tell the story of their README."""

import csv

import numpy as np
import pytest

from tallymark.demo import SCORES
from tallymark.demo.generate import generate, to_csv


@pytest.fixture(scope="module")
def columns():
    with SCORES.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    text = {"response", "candidate", "prompt", "gender", "first_language"}
    return {
        name: np.array([row[name] if name in text else float(row[name] or "nan") for row in rows])
        for name in rows[0]
    }


def agreement(a, b):
    both = ~(np.isnan(a) | np.isnan(b))
    a, b = a[both], b[both]
    return 1 - np.mean((a - b) ** 2) / (a.var() + b.var() + (a.mean() - b.mean()) ** 2)


def whole(scores):
    return np.floor(np.clip(scores, 0.5002, 6.4998) + 0.5)


def test_the_committed_call_makes_the_bundled_file_byte_for_byte():
    assert to_csv(generate().columns()).encode() == SCORES.read_bytes()


def test_the_people_and_the_engine_agree_alike_and_the_chatbot_less(columns):
    h1 = columns["h1"]
    assert np.isfinite(columns["h2"]).sum() == 472
    assert agreement(h1, columns["h2"]) == pytest.approx(0.800, abs=5e-4)
    assert agreement(h1, whole(columns["engine"])) == pytest.approx(0.793, abs=5e-4)
    assert agreement(h1, columns["chatbot"]) == pytest.approx(0.703, abs=5e-4)


def test_only_the_chatbot_is_unfair_and_only_to_one_group(columns):
    found = {}
    for system in ("engine", "chatbot"):
        gap = columns[system] - columns["h1"]
        for language in ("English", "Mandarin", "Spanish"):
            found[system, language] = gap[columns["first_language"] == language].mean()
    assert found.pop(("chatbot", "Mandarin")) == pytest.approx(-0.470, abs=5e-4)
    assert max(abs(gap) for gap in found.values()) < 0.05


def test_the_confident_part_of_the_engine_has_fewer_large_errors_and_the_chatbots_has_not(columns):
    def rates(system):
        wrong = np.abs(whole(columns[system]) - columns["h1"]) >= 2
        kept = np.argsort(-columns[f"{system}_confidence"], kind="stable")[:960]
        return wrong.mean(), wrong[kept].mean()

    engine, confident_engine = rates("engine")
    chatbot, confident_chatbot = rates("chatbot")
    assert confident_engine < engine / 3
    assert confident_chatbot > 0.8 * chatbot
