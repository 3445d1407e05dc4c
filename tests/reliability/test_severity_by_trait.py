"""Severity within traits, and within prompts on scales of their own; the mean over them."""

import numpy as np
import pytest

import tallymark as tm
from tests.evaluation.panels import of
from tests.said import notes

RATERS = ("r1", "r2", "r3")
TRAITS = {"ideas": (1.0, 0.0, -1.0), "style": (-1.0, 0.0, 1.0), "form": (0.6, 0.0, -0.6)}
POINTS = np.arange(5)
FIT = ("severity", "fair_difference", "fair_average", "infit", "outfit", "rater_spread")


def scored(rng, quality, severity, thresholds=(-1.5, -0.5, 0.5, 1.5)):
    """Scores of the Rasch model, drawn one response at a time."""
    logits = (quality - severity)[:, None] * POINTS - np.concatenate([[0], np.cumsum(thresholds)])
    chance = np.exp(logits - logits.max(axis=1, keepdims=True))
    chance /= chance.sum(axis=1, keepdims=True)
    return (rng.random(quality.size)[:, None] > chance.cumsum(axis=1)).sum(axis=1)


def traits(seed, n=400, severities=TRAITS):
    """Every trait of every response, rated by all; a good response is good in all traits."""
    rng = np.random.default_rng(seed)
    quality = rng.normal(0, 1, n)
    own = {trait: quality + rng.normal(2 * i - 2, 0.7, n) for i, trait in enumerate(severities)}
    table = {
        rater: np.concatenate([scored(rng, own[t], severities[t][i]) for t in severities])
        for i, rater in enumerate(RATERS)
    }
    return {**table, "trait": np.repeat([*severities], n), "text": [*range(n)] * len(severities)}


def rated(table, **options):
    return tm.raters(table, humans=[*RATERS], scale="0:4", cluster="text", **options)


def severity(found, rater, part):
    return of(found, f"{rater} against the other raters|{part}")["severity"]


def test_severities_that_differ_by_trait_are_found_in_each_and_as_their_mean():
    found = rated(traits(1), trait="trait")
    for i, rater in enumerate(RATERS):
        for trait, truth in TRAITS.items():
            here = severity(found, rater, f"trait={trait}")
            assert here.value == pytest.approx(truth[i], abs=4 * here.se)
            assert here.se < 0.15
        mean = severity(found, rater, "average:trait")
        assert mean.value == pytest.approx(
            np.mean([t[i] for t in TRAITS.values()]), abs=4 * mean.se
        )
        each = [severity(found, rater, f"trait={trait}").value for trait in TRAITS]
        assert mean.value == pytest.approx(np.mean(each))


def test_no_severity_is_claimed_of_all_traits_together():
    found = rated(traits(2, n=100), trait="trait")
    for rater in RATERS:
        assert not set(FIT) & set(of(found, f"{rater} against the other raters"))
        assert set(FIT) <= set(of(found, f"{rater} against the other raters|average:trait"))


def test_a_trait_has_the_numbers_that_it_has_alone():
    table = traits(3, n=150)
    found, n = rated(table, trait="trait"), 150
    for i, trait in enumerate(TRAITS):
        alone = rated({name: column[i * n : (i + 1) * n] for name, column in table.items()})
        for rater in RATERS:
            one = of(alone, f"{rater} against the other raters")
            here = of(found, f"{rater} against the other raters|trait={trait}")
            for name in FIT:
                got, expected = here[name], one[name]
                assert (got.value, got.low, got.high) == pytest.approx(
                    (expected.value, expected.low, expected.high)
                ), name


@pytest.mark.parametrize("method", ["conditional", "mml"])
def test_a_trait_given_twice_tells_no_more_than_once(method):
    once = {name: column[:150] for name, column in traits(4, n=150).items()}
    twice = {name: [*column, *column] for name, column in once.items()}
    twice["trait"] = ["one"] * 150 + ["two"] * 150
    alone, found = rated(once, severity=method), rated(twice, trait="trait", severity=method)
    for rater in RATERS:
        one = of(alone, f"{rater} against the other raters")
        mean = of(found, f"{rater} against the other raters|average:trait")
        for name in FIT:
            assert mean[name].value == pytest.approx(one[name].value), name
        for end in ("se", "low", "high"):
            expected = getattr(one["severity"], end)
            assert getattr(mean["severity"], end) == pytest.approx(expected), end
        wide = [e.high - e.low for e in (mean["fair_difference"], one["fair_difference"])]
        assert wide[0] == pytest.approx(wide[1], rel=0.02)  # one carries ends over, one the slope


def test_traits_of_different_responses_halve_the_variance_of_the_mean():
    once = {name: column[:150] for name, column in traits(5, n=150).items()}
    twice = {name: [*column, *column] for name, column in once.items()}
    twice |= {"trait": ["one"] * 150 + ["two"] * 150, "text": [*range(300)]}
    alone, found = rated(once), rated(twice, trait="trait")
    one = of(alone, "r1 against the other raters")["severity"]
    assert severity(found, "r1", "average:trait").se == pytest.approx(one.se / 2**0.5)


def test_a_rater_without_a_severity_in_one_trait_has_no_mean_and_it_is_said_why():
    table = traits(6, n=100)
    table["r3"] = np.where(table["trait"] == "form", 4, table["r3"])
    found = rated(table, trait="trait")
    mean = severity(found, "r3", "average:trait")
    assert np.isnan(mean.value)
    assert mean.why == "in 1 of 3 traits the rater gave only the lowest or only the highest score"
    assert severity(found, "r3", "trait=ideas").value < 0
    assert not np.isnan(severity(found, "r1", "average:trait").value)


def test_prompts_on_scales_of_their_own_have_a_severity_in_each():
    table = traits(7, n=150)
    table["essay"] = table.pop("trait")
    for rater in RATERS:
        table[rater] = np.where(table["essay"] == "form", 2 * table[rater], table[rater])
    scales = {"ideas": "0:4", "style": "0:4", "form": "0:8:2"}
    prompts = {name: {"scale": scale} for name, scale in scales.items()}
    found = tm.raters(table, humans=[*RATERS], prompt="essay", prompts=prompts, cluster="text")
    assert (
        severity(found, "r1", "prompt=ideas").low > 0 > severity(found, "r1", "prompt=style").high
    )
    each = [severity(found, "r1", f"prompt={prompt}").value for prompt in scales]
    assert severity(found, "r1", "average:prompt").value == pytest.approx(np.mean(each))


def test_prompts_on_one_scale_share_a_model_that_links_their_raters():
    table = traits(8, n=150)
    table["essay"] = table.pop("trait")
    found = rated(table, prompt="essay")
    assert "severity" in of(found, "r1 against the other raters")
    assert "severity" not in of(found, "r1 against the other raters|average:prompt")


def test_a_system_is_judged_within_traits_and_as_their_mean():
    table = traits(9, n=150)
    found = tm.evaluate(
        table, humans=["r1", "r2"], systems=["r3"], scale="0:4", cluster="text", trait="trait"
    )
    each = {
        s.trait or s.average: found.of(s) for s in found.subsets if str(s.against) == "severity"
    }
    assert {*each} == {*TRAITS, "trait"}
    mean = np.mean([each[trait]["severity"].value for trait in TRAITS])
    assert each["trait"]["severity"].value == pytest.approx(mean)
    assert each["ideas"]["severity"].high < 0 < each["style"]["severity"].low


def test_points_nobody_gave_are_named_with_their_trait():
    table = traits(10, n=100)
    for rater in RATERS:
        table[rater] = np.where(table["trait"] == "form", np.minimum(table[rater], 3), table[rater])
    assert any(
        said.startswith("form: nobody gave the score 4")
        for said in notes(rated(table, trait="trait"))
    )
