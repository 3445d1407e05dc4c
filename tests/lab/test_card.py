"""Cards: grades follow from numbers, and a user's function is graded as the catalogue's is."""

import math

import numpy as np
import pytest

import tallymark as tm
from tallymark.errors import OptionError
from tallymark.lab.cards import PROPERTIES, cards, every_text
from tests.lab import metrics

OF = [of.name for of in PROPERTIES]


def graded(statistic):
    """The grades of one statistic by property."""
    (card,) = cards([statistic])
    return dict(zip(OF, card.grades, strict=True))


def test_the_sources_findings_are_on_the_cards():
    kappa, bp, ac = (
        graded(f"{n}[quadratic]") for n in ("cohen_kappa", "brennan_prediger", "gwet_ac")
    )
    assert (kappa["prevalence"], bp["prevalence"]) == ("no", "yes")
    assert (kappa["marginals"], bp["marginals"], ac["marginals"]) == ("no", "yes", "yes")
    assert (kappa["majority"], bp["majority"], ac["majority"]) == ("yes", "no", "no")
    assert (kappa["closeness"], ac["closeness"]) == ("no", "yes")
    assert graded("mae")["magnitude"] == "no"
    assert graded("percent_agreement")["magnitude"] == "no"


def test_a_user_s_kappa_has_the_card_of_ours_where_both_apply():
    ours, theirs = cards(["qwk", metrics.qwk])
    same = [name for name in OF if name not in ("interval", "missing", "degenerate")]
    for name in same:
        place = OF.index(name)
        assert theirs.values[place] == pytest.approx(ours.values[place], abs=1e-9, nan_ok=True)
    assert theirs.values[OF.index("interval")] > 0.85


def test_gaps_and_degenerate_data_are_tried_on_a_user_s_function():
    place = OF.index("missing")
    assert cards([metrics.qwk])[0].values[place] == 0  # NaN goes in, NaN comes out

    def careful(gold, system):
        both = ~(np.isnan(gold) | np.isnan(system))
        return float(np.mean(gold[both] == system[both]))

    def strict(gold, system):
        if np.ptp(gold) == 0:
            raise ValueError("no spread")
        return careful(gold, system)

    assert cards([careful])[0].values[place] == 0.5
    assert cards([careful])[0].values[OF.index("degenerate")] == 1
    assert cards([strict])[0].values[OF.index("degenerate")] < 1


def test_every_statistic_of_two_scores_has_a_card_or_measures_no_agreement():
    made = {card.name for card in tm.lab.properties().cards}
    left = {text for text in every_text() if text not in made}
    assert {text.partition("[")[0] for text in left} == {
        "bias", "smd", "sd_ratio", "pabak", "prevalence_index", "bias_index", "prevalence_doewes",
        "sensitivity", "specificity", "precision", "negative_predictive_value", "f1", "positive_rate",
    }  # fmt: skip


def test_a_score_is_the_mean_of_its_grades():
    (card,) = cards(["qwk"])
    points = [{"yes": 1, "partly": 0.5, "no": 0}[grade] for grade in card.grades if grade]
    assert card.score == pytest.approx(sum(points) / len(points))
    assert not math.isnan(card.score)


def test_cards_are_written_as_text_json_csv_and_markdown():
    made = tm.lab.properties(["qwk", "mae"])
    assert "null" in made.to_json()
    assert "NaN" not in made.to_json()
    assert made.to_csv().startswith("statistic,score,prevalence,prevalence_value")
    assert "| `cohen_kappa[quadratic]` |" in made.to_markdown()
    assert "cohen_kappa[quadratic]" in repr(made)


def test_what_measures_no_agreement_has_no_card():
    with pytest.raises(OptionError, match="bias has no card: it does not tell perfect agreement"):
        tm.lab.properties("bias")
