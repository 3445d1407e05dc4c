"""Mutants: mistakes that each change a public result or a named constant, and who must find them.

When a module moves, its name here moves with it; nothing rests on its text.
"""

import functools
from collections.abc import Callable
from datetime import datetime
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
from msgspec.structs import replace

Change = Callable[[Callable[..., Any]], Callable[..., Any]]


class Mutant(NamedTuple):
    """``module:name`` below tallymark, what takes its place, and the tests that must fail."""

    name: str
    target: str
    change: Any
    tests: str


def result(change: Callable[[Any], Any]) -> Change:
    """The function with its result changed."""

    def planted(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def mutant(*args: Any, **settings: Any) -> Any:
            return change(function(*args, **settings))

        return mutant

    return planted


def settings(**changes: Callable[[Any], Any]) -> Change:
    """The function with keywords changed; one that is not said is handed over as None."""

    def planted(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def mutant(*args: Any, **given: Any) -> Any:
            changed = {name: change(given.get(name)) for name, change in changes.items()}
            return function(*args, **{**given, **changed})

        return mutant

    return planted


def argument(place: int, change: Callable[[Any], Any]) -> Change:
    """The function with an argument changed."""

    def planted(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def mutant(*args: Any, **given: Any) -> Any:
            before, after = args[:place], args[place + 1 :]
            return function(*before, change(args[place]), *after, **given)

        return mutant

    return planted


def instead(change: Callable[..., Any]) -> Change:
    """Another function in its place."""
    return lambda function: functools.wraps(function)(change)


def one_degree_more(shift: Any) -> Any:
    """The p-value of a chi-squared of one degree of freedom more, with ten bins."""
    from scipy.special import chdtrc, chdtri

    return shift._replace(p=float(chdtrc(10, chdtri(9, max(shift.p, 1e-300)))))


def wald(share: float, n: float, level: float) -> Any:
    """Wald's interval."""
    from tallymark.inference.interval import normal

    return normal(share, float(np.sqrt(share * (1 - share) / n)), level)


def without_factor(fit: Any) -> Any:
    """A conditional fit whose errors lack what few responses add."""
    if fit is None:
        return None
    raters = fit.severity.size
    return fit._replace(covariance=fit.covariance * (fit.units - raters + 1) / fit.units)


def book(**changes: Any) -> Change:
    """Excel's workbooks with something else in each."""

    def planted(original: Any) -> Any:
        return SimpleNamespace(of=lambda archive: replace(original.of(archive), **changes))

    return planted


FORMULAS = [
    Mutant("distance", "agreement.weights:distance", result(np.sqrt), "tests/agreement"),
    Mutant("csrate", "agreement.percent:csrate", settings(lambda_=lambda x: (x or 0.2) * 1.001), "tests/evaluation/test_critical_points.py"),
    Mutant("adjacent", "agreement.percent:adjacent_agreement", settings(tolerance=lambda x: (1.0 if x is None else x) - 0.5), "tests/agreement tests/laws/test_laws.py"),
    Mutant("alpha", "agreement.krippendorff:krippendorff_alpha", lambda f: functools.wraps(f)(lambda *a, **k: f(*a, **k) * 0.999), "tests/agreement"),
    Mutant("kendall", "agreement.correlation:kendall_tau_b", result(lambda x: x * 0.999), "tests/agreement tests/metrics"),
    Mutant("rmse", "accuracy.error:rmse", result(lambda x: x * 1.001), "tests/accuracy tests/metrics"),
    Mutant("bias", "accuracy.error:bias", result(lambda x: -x), "tests/accuracy tests/metrics"),
    Mutant("specificity", "accuracy.classes:specificity", result(lambda x: 1 - x), "tests/classes/test_formulas.py"),
    Mutant("smd", "accuracy.standardized:smd", settings(kind=lambda kind: "pooled" if kind in (None, "unpooled") else kind), "tests/accuracy tests/metrics tests/rsmtool/test_rsmeval.py"),
    Mutant("prmse", "accuracy.true_score:prmse", settings(error=lambda _: 0.0), "tests/accuracy tests/metrics tests/rsmtool/test_rsmeval.py"),
    Mutant("stuart_maxwell", "diagnosis.homogeneity:stuart_maxwell", result(lambda x: x._replace(p=x.p / 2)), "tests/diagnosis/test_homogeneity.py"),
    Mutant("isotonic", "diagnosis.recalibration:isotonic", instead(lambda weights, sums: sums / weights), "tests/diagnosis/test_recalibration.py"),
]  # fmt: skip
INFERENCE = [
    Mutant("quantile", "inference.interval:quantile", argument(0, lambda level: 2 * level - 1), "tests/inference"),
    Mutant("wilson", "inference.interval:wilson", instead(wald), "tests/inference tests/classes"),
    Mutant("t_quantile", "inference.distributions:t_quantile", argument(1, lambda _: 1e9), "tests/inference"),
    Mutant("holm", "inference.multiplicity:holm", instead(lambda p_values: [*p_values]), "tests/inference/test_multiplicity.py"),
    Mutant("skewness", "inference.abc:SKEWNESS", 0.0, "tests/inference"),
    Mutant("second_order_of_parts", "inference.joint_formulas:_second_derivatives", result(lambda x: 0 * x), "tests/inference/test_abc.py"),
    Mutant("swap_test", "inference.permutation:swap_test", result(lambda x: x._replace(p=[p / 2 for p in x.p])), "tests/compare/test_permutation.py"),
    Mutant("influence", "inference.influence:standard_error", result(lambda x: x * 1.01), "tests/inference/test_influence.py"),
]  # fmt: skip
SELECTIVE = [
    Mutant("ties_of_a_batch", "selective.conformal:select", argument(2, lambda batch: np.nextafter(np.asarray(batch, float), np.inf)), "tests/selective/test_certify.py"),
    Mutant("psi", "selective.monitor:psi", result(one_degree_more), "tests/selective/test_operation.py"),
    Mutant("e_process", "selective.monitor:e_process", settings(delta=lambda delta: 4 * (delta or 0.05)), "tests/selective/test_operation.py"),
    Mutant("upper", "selective.bounds:upper", argument(2, lambda delta: 2 * np.asarray(delta)), "tests/selective/test_bounds.py"),
    Mutant("n_min", "selective.bounds:n_min", result(lambda n: n - 1), "tests/selective/test_bounds.py tests/selective/test_goldens.py"),
    Mutant("allowed_errors", "selective.conformal:allowed_errors", result(lambda k: k + 1), "tests/selective/test_certify.py"),
    Mutant("part_of", "selective.certify:part_of", instead(lambda delta, *_: delta), "tests/selective/test_certify.py"),
    Mutant("aurc", "selective.curve:aurc", result(lambda x: x * 0.999), "tests/selective/test_curve.py tests/selective/test_goldens.py"),
    Mutant("critical_errors", "selective.curve:critical_errors", argument(2, lambda lam: np.asarray(lam) * 1.001), "tests/selective"),
]  # fmt: skip
READING = [
    Mutant("first_day", "sources.excel:_Book", book(first_day=datetime(1899, 12, 30)), "tests/sources/test_excel.py"),  # noqa: DTZ001
    Mutant("hidden_sheets", "sources.excel:_Book", book(hidden=frozenset()), "tests/sources/test_excel.py"),
    Mutant("trim_steps", "scale:trim_steps", result(lambda steps: 2 * steps), "tests/evaluation/test_trimming.py tests/tally/test_scale.py"),
    Mutant("needs_adjudication", "sources.resolution:needs_adjudication", argument(2, lambda adjacency: adjacency - 1), "tests/sources/test_resolution.py"),
    Mutant("map_system", "sources.scoring:map_system", instead(lambda scores, *_: scores), "tests/sources/test_scales.py"),
    Mutant("kish", "sources.weighing:kish", result(lambda n: n * 1.01), "tests/weights/test_reading.py"),
    Mutant("allocated", "sources.allocating:allocated", result(lambda numbers: numbers[::-1]), "tests/labels"),
    Mutant("likely_ends", "sources.scoring:likely_ends", result(lambda text: text[:-1]), "tests/sources/test_scales.py tests/sources/test_advice.py"),
]  # fmt: skip
RELIABILITY = [
    Mutant("conditional_error", "reliability.rasch_conditional:fit_conditional", result(without_factor), "tests/reliability/test_assignment.py"),
    Mutant("icc", "reliability.icc:icc", settings(type=lambda kind: "3,1" if kind in (None, "2,1") else kind), "tests/reliability tests/metrics"),
    Mutant("theoretical", "reliability.ceiling:theoretical", result(np.square), "tests/ceilings/test_goldens.py tests/ceilings/test_ceiling.py"),
    Mutant("spearman_brown", "reliability.ceiling:spearman_brown", argument(1, lambda ratings: ratings + 1), "tests/ceilings/test_goldens.py tests/ceilings/test_ceiling.py"),
    Mutant("dependability", "reliability.generalizability:dependability", result(lambda x: x * 1.001), "tests/reliability/test_generalizability.py tests/reliability/test_goldens.py"),
    Mutant("gold_weights", "reliability.gold_rule:gold_weights", result(lambda w: None if w is None else w[::-1]), "tests/ceilings/test_by_model.py"),
]  # fmt: skip
FAIRNESS = [
    Mutant("adjusted_r2", "fairness.regression:adjusted_r2", result(lambda x: x + 0.001), "tests/fairness tests/rsmtool/test_rsmeval.py tests/evaluation/test_fairness.py"),
    Mutant("p_values", "fairness.contrasts:p_values", result(lambda p: p / 2), "tests/fairness tests/evaluation/test_fairness.py"),
    Mutant("csd", "fairness.errors_by_group:csd", result(lambda x: x * 1.001), "tests/fairness tests/rsmtool tests/evaluation/test_fairness.py"),
    Mutant("dsm", "accuracy.standardized:dsm", result(lambda x: -x), "tests/accuracy tests/rsmtool tests/metrics"),
]  # fmt: skip
VERDICT = [
    Mutant("state_of", "verdict.states:state_of", result(lambda state: "met" if state == "undecided" else state), "tests/verdict/test_verdict.py"),
    Mutant("overall", "verdict.judged:overall", argument(0, lambda states: [s for s in states if s != "undecided"]), "tests/verdict/test_verdict.py"),
    Mutant("fewest", "verdict.judged:FEWEST", 0, "tests/verdict/test_verdict.py"),
    Mutant("bounds_of", "verdict.states:bounds_of", settings(decimals=lambda _: None), "tests/verdict/test_policy.py tests/verdict/test_verdict.py"),
    Mutant("p_outside", "verdict.states:p_outside", result(lambda p: p / 2), "tests/verdict/test_groups.py"),
]  # fmt: skip
PLANNING = [
    Mutant("for_half_width", "planning.sizes:for_half_width", result(lambda n: n - 1), "tests/planning"),
    Mutant("qwk_fisher", "planning.sizes:qwk_fisher", result(lambda n: n - 1), "tests/planning"),
    Mutant("bell", "planning.population:bell", result(lambda shares: np.full(shares.size, 1 / shares.size)), "tests/planning/test_planning.py"),
    Mutant("double_scores", "planning.double_scores:standard_error", result(lambda se: se * 1.25), "tests/planning/test_planning.py"),
]  # fmt: skip
MUTANTS = [
    *FORMULAS, *INFERENCE, *SELECTIVE, *READING, *RELIABILITY, *FAIRNESS, *VERDICT, *PLANNING,
]  # fmt: skip
