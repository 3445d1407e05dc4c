"""Closed forms of planning against simulation, and the plans made of them."""

import math
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

import tallymark as tm
from tallymark.accuracy.true_score import prmse
from tallymark.errors import DataError, OptionError
from tallymark.planning import double_scores
from tallymark.planning.forecast import LimitEnds, Smooth
from tallymark.planning.forecast import needed as smallest
from tallymark.planning.population import bell, difference_sd, latent_table, table_with
from tallymark.tally import PairCounts, RatedSums
from tests.classes.forms import FORMS, responses
from tests.said import notes

RNG = np.random.default_rng


def statistic(name):
    from tallymark.catalogue import find

    return find(name).value


def needed(plan):
    return int(notes(plan)[0].split()[0].replace(",", ""))


def test_two_points_of_correlated_normal_scores_are_sheppards_formula():
    for r in (-0.5, 0.0, 0.3, 0.9):
        both = latent_table(np.array([0.5, 0.5]), r)[0, 0]
        assert both == pytest.approx(0.25 + math.asin(r) / (2 * math.pi), abs=1e-10)


def test_margins_are_the_shares():
    shares = np.array([0.1, 0.6, 0.25, 0.05])
    table = latent_table(shares, 0.8)
    assert table.sum(axis=1) == pytest.approx(shares, abs=1e-9)
    assert table.sum(axis=0) == pytest.approx(shares, abs=1e-9)


@pytest.mark.parametrize(("name", "value"), [("qwk", 0.75), ("kappa", 0.5), ("ac2", 0.9)])
def test_responses_give_the_width_they_promise(name, value):
    half_width = 0.05
    n = needed(tm.plan.width(half_width=half_width, statistic=name, value=value, points=5))
    shares, of = bell(5), statistic(name)
    points = np.arange(1.0, 6)
    # the correlation that gives the value, by search; then samples of that population
    grid = np.linspace(0, 0.995, 400)
    values = [float(of(PairCounts(latent_table(shares, r), points))) for r in grid]
    table = latent_table(shares, float(np.interp(value, values, grid)))
    drawn = RNG(1).multinomial(n, table.ravel(), size=4000).reshape(-1, 5, 5)
    spread = of(PairCounts(drawn, points)).std()
    assert 1.96 * spread == pytest.approx(half_width, rel=0.06)


def test_power_between_two_limits_needs_both_ends():
    number, limits = Smooth(0.05, 1.0, 1.959964, 1.959964, 1), LimitEnds(-0.15, 0.15)
    n = smallest(lambda sizes: number.decides(sizes, limits), 0.8)
    se = 1 / math.sqrt(n)
    found = RNG(3).normal(0.05, se, 20_000)
    inside = (found - 1.96 * se > -0.15) & (found + 1.96 * se < 0.15)
    assert inside.mean() == pytest.approx(0.8, abs=0.01)


@pytest.mark.parametrize(("first", "second", "between"), [(0.75, 0.65, 0.5), (0.8, 0.8, 0.9)])
def test_spread_of_a_difference_of_normal_scores(first, second, between):
    matrix = np.array([[1, first, second], [first, 1, between], [second, between, 1]])
    x = RNG(4).normal(size=(3000, 400, 3)) @ np.linalg.cholesky(matrix).T
    gold, pair = x[..., 0], x[..., 1:]
    ccc = []
    for j in range(2):
        b = pair[..., j]
        cov = ((gold - gold.mean(1, keepdims=True)) * (b - b.mean(1, keepdims=True))).mean(1)
        ccc.append(2 * cov / (gold.var(1) + b.var(1) + (gold.mean(1) - b.mean(1)) ** 2))
    spread = (ccc[0] - ccc[1]).std() * math.sqrt(400)
    assert difference_sd(first, second, between) == pytest.approx(spread, rel=0.06)


@pytest.mark.parametrize(("responses", "double"), [(300, 100), (1000, 100), (1000, 1000)])
def test_spread_of_prmse(responses, double):
    model = {"value": 0.8, "true_variance": 1.1, "error_variance": 0.3}
    rng, found = RNG(5), []
    for _ in range(800):
        truth = rng.normal(0, math.sqrt(1.1), responses)
        system = 0.8 * truth + rng.normal(0, math.sqrt(0.8 * 0.2 * 1.1), responses)
        people = truth[:, None] + rng.normal(0, math.sqrt(0.3), (responses, 2))
        people[double:, 1] = np.nan
        found.append(float(prmse(RatedSums(RatedSums.rows(people, system).sum(axis=0)))))
    whole = double_scores.standard_error(double, responses=responses, **model)
    assert whole == pytest.approx(np.std(found), rel=0.1)
    # what rater error alone adds is less than the whole
    assert double_scores.error_part(double, responses=responses, **model) < whole


def test_raters_by_spearman_and_brown():
    # one rater of .7: three reach .875, four .903
    assert needed(tm.plan.raters(reliability=0.9, single=0.7)) == 4
    assert needed(tm.plan.raters(reliability=0.7, single=0.7)) == 1


def test_a_pilot_of_clusters_needs_more_responses():
    rng = RNG(6)
    truth = np.repeat(rng.normal(size=100), 5)  # five responses of one candidate err alike
    gold = np.clip(np.round(3.5 + truth + 0.2 * rng.normal(size=500)), 1, 6)
    shared = np.repeat(rng.normal(size=100), 5)
    system = np.clip(np.round(3.5 + truth + 0.8 * shared), 1, 6)
    columns = {"h": gold, "m": system, "who": np.repeat(np.arange(100), 5)}
    roles: dict[str, Any] = {"humans": ["h"], "systems": ["m"], "scale": "1:6", "half_width": 0.05}
    alone = needed(tm.plan.width({k: columns[k] for k in ("h", "m")}, **roles))
    together = needed(tm.plan.width(columns, cluster="who", **roles))
    assert together > 1.5 * alone


@pytest.mark.parametrize(
    ("question", "asked", "said"),
    [
        ("width", {"half_width": 0.05}, "name a pilot file, or the value"),
        ("width", {"half_width": 2, "value": 0.7}, "half width must lie between 0 and 1"),
        ("width", {"half_width": 0.05, "value": 0.7, "statistic": "pearson"}, "needs a pilot file"),
        ("width", {"half_width": 0.05, "value": 0.7, "points": 1}, "two points or more"),
        ("width", {"half_width": 0.05, "value": 0.7, "statistic": "kapa"}, "Did you mean"),
        ("settle", {"value": 0.7}, "name a limit"),
        ("settle", {"value": 0.7, "at_least": 1, "at_most": 0}, "must lie below"),
        ("difference", {}, "two values to tell apart"),
        ("difference", {"values": [0.9, 0.1], "between": 0.9}, "cannot go with"),
        ("difference", {"values": [0.9, 0.8], "statistic": "mae"}, "mae needs a pilot file"),
        ("double_scores", {"half_width": 0.1, "responses": 100}, "or also value"),
        ("raters", {"reliability": 0.9}, "single="),
    ],
)
def test_questions_without_an_answer_are_refused(question, asked, said):
    with pytest.raises(OptionError, match=said):
        getattr(tm.plan, question)(**asked)


@pytest.mark.parametrize(
    ("gold", "system", "said"),
    [([1, 2, 3, 4], [3, 3, 3, 3], "does not show how far"), ([2, 2], [2, 2], "is undefined")],
)
def test_a_pilot_without_spread_is_refused(gold, system, said):
    roles: dict[str, Any] = {"humans": ["h"], "systems": ["m"], "scale": "1:4"}
    pilot = {"h": gold, "m": system}
    with pytest.raises(DataError, match=said):
        tm.plan.width(pilot, half_width=0.05, **roles)
    with pytest.raises(DataError, match=said):
        tm.plan.settle(pilot, at_least=0.7, **roles)


def test_raters_who_do_not_vary_have_no_reliability():
    pilot = {"h1": [2, 2, 2], "h2": [2, 2, 2]}
    with pytest.raises(DataError, match="no reliability of one rater: responses do not differ"):
        tm.plan.raters(pilot, humans=["h1", "h2"], scale="1:4", reliability=0.9)


def test_equal_systems_cannot_be_told_apart():
    plan = tm.plan.difference(values=[0.7, 0.7])
    assert notes(plan) == ("the two systems are equal: no number of responses tells them apart",)


def test_a_plan_names_the_level_it_was_made_for():
    for plan in (
        tm.plan.difference(values=[0.8, 0.7], level=0.9),
        tm.plan.settle(value=0.8, at_least=0.7, level=0.9),
        tm.plan.width(value=0.8, half_width=0.05, level=0.9),
    ):
        assert plan.options["level"] == 0.9


def test_a_plan_survives_json():
    plan = tm.plan.raters(reliability=0.9, single=0.7)
    assert tm.Evaluation.from_json(plan.to_json()) == plan


def test_labels_for_a_certificate():
    # spec of the planner: 286 accepted labels at (.05, .02), half of the responses accepted
    assert needed(tm.plan.certify(alpha=0.05, rate=0.02, coverage=0.5)) == 572
    hopeless = tm.plan.certify(alpha=0.02, rate=0.03)
    assert notes(hopeless)[0].startswith("no number of labels certifies this")
    with pytest.raises(OptionError, match="zero"):
        tm.plan.certify(alpha=0)


@pytest.mark.parametrize(
    "asked",
    [
        ("width", "--half-width", ".05", "--value", ".75"),
        ("settle", "--value", ".75", "--at-least", ".695"),
        ("difference", "--values", ".75,.7"),
        ("double-scores", "--half-width", ".05", "--responses", "900", "--value", ".8",
         "--true-variance", "1", "--error-variance", ".3"),
        ("raters", "--reliability", ".9", "--single", ".7"),
        ("certify", "--alpha", ".02", "--rate", ".005"),
    ],
)  # fmt: skip
def test_every_question_is_a_command(asked, capsys):
    from tallymark.cli.main import main

    for extra in ([], ["--json"]):
        with pytest.raises(SystemExit) as end:
            main(["plan", *asked, *extra])
        assert end.value.code == 0
    printed = capsys.readouterr().out
    plan = tm.Evaluation.from_json(printed[printed.index("{\n") :])
    assert plan.kind == "plan"
    assert " ".join(notes(plan)[0].split()[:3]) in " ".join(printed.split())


def test_the_command_alone_lists_its_questions(capsys):
    from tallymark.cli.main import main

    with pytest.raises(SystemExit):
        main(["plan"])
    assert "double-scores" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("question", "options"),
    [
        ("width", {"half_width": 1e-300, "value": 0.7}),
        ("certify", {"alpha": 1e-300}),
        ("width", {"half_width": 0.1, "value": 0.7, "level": 1 - 1e-16}),
        ("width", {"half_width": 0.1, "value": 0.7, "points": 100_000}),
        ("width", {"half_width": 0.1, "value": 0.7, "shares": [math.inf, 1]}),
        ("width", {"half_width": 0.1, "value": 0.7, "shares": [1e308, 1e308]}),
        ("certify", {"alpha": 0.02, "coverage": 1e-300}),
        ("certify", {"alpha": 0.02, "prompts": 10**24}),
        ("raters", {"reliability": 0.9, "single": 1e-300}),
        ("difference", {"values": [0.7, 0.6], "between": math.nan}),
        ("difference", {"values": [0.7, 0.6], "between": math.inf}),
        (
            "double_scores",
            {"half_width": 0.1, "responses": 99, "value": 0.8, "true_variance": 1e308, "error_variance": 1},
        ),
    ],
)  # fmt: skip
def test_numbers_beyond_all_measure_are_refused(question, options):
    with pytest.raises(OptionError, match=r"must lie|must be|at most"):
        getattr(tm.plan, question)(**options)


def test_labels_are_planned_for_by_what_they_are():
    """Shares need z^2 p (1 - p) / h^2 of those they are shares of; kappa is that of the labels."""
    frame = responses(FORMS["words"])
    human, judge = frame["human1"] == "fail", frame["judge"] == "fail"
    asked: dict[str, Any] = {"humans": ["human1"], "systems": ["judge"], "half_width": 0.05}
    plan = tm.plan.width(frame, positive="fail", statistic="sensitivity", **asked)
    share = judge[human].mean()
    assert needed(plan) == math.ceil(share * (1 - share) * (1.959964 / 0.05) ** 2 / human.mean())
    assert "kappa" in notes(tm.plan.width(frame, **asked))[0].lower()
    several = responses(FORMS["categories"])
    named = {"categories": ["refuse", "comply", "partial"], **asked}
    answered = notes(tm.plan.width(several, **named))[0]
    kappa = cohen_kappa_score(several["human1"], several["judge"])
    assert "kappa" in answered.lower()
    assert f"{kappa:.3f}".lstrip("0") in answered
    of_one = tm.plan.settle(
        several, statistic="class_recall[refuse]", at_least=0.5,
        **{key: value for key, value in named.items() if key != "half_width"},
    )  # fmt: skip
    assert "refuse" in notes(of_one)[0]
    with pytest.raises(OptionError, match=r"plan for one of them: class_recall\[refuse\]"):
        tm.plan.width(several, statistic="class_recall", **named)


@pytest.mark.slow
@pytest.mark.parametrize(("value", "limit"), [(0.75, 0.695), (0.80, 0.695), (0.65, 0.695)])
def test_the_planned_responses_settle_a_limit_as_often_as_promised(value, limit):
    from tallymark.catalogue import find
    from tallymark.inference import Settings, estimate_all
    from tallymark.study.units import Rows, units_of

    n = needed(tm.plan.settle(at_least=limit, statistic="qwk", value=value, points=6))
    formula, points, rng = find("qwk"), np.arange(1.0, 7), RNG(4)
    table = table_with(value, lambda t: float(formula.value(PairCounts(t, points))), bell(6))
    assert table is not None
    both = np.stack([side.ravel() for side in np.meshgrid(points, points, indexing="ij")], axis=1)
    settled, runs = 0, 300
    for run in range(runs):
        counts = rng.multinomial(n, table.ravel())
        rows = Rows(both[counts > 0], counts[counts > 0], points)
        settings = Settings(replicates=500, seed=run)
        (found,) = estimate_all([formula], units_of("table", rows, [formula]), settings)
        settled += found.low > limit if value > limit else found.high < limit
    assert settled / runs == pytest.approx(0.8, abs=0.07)  # three standard errors


@pytest.mark.parametrize("points", [2, 5, 6])
def test_a_bell_is_a_normal_cut_at_equal_steps(points):
    from scipy.stats import norm

    ends = np.linspace(-2.5, 2.5, points + 1)
    ends[[0, -1]] = -np.inf, np.inf
    assert bell(points) == pytest.approx(np.diff(norm.cdf(ends)))
