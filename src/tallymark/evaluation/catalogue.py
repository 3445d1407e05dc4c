"""CATALOGUE: every statistic, told once. Report order, choices, docs, laws and JSON names."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from tallymark.accuracy import error
from tallymark.agreement import (
    brennan_prediger,
    chance,
    concordance,
    correlation,
    gwet,
    kappa,
    krippendorff,
    paradox,
    percent,
)
from tallymark.agreement.weights import NAMED
from tallymark.errors import OptionError, did_you_mean
from tallymark.inference import Formula
from tallymark.inference.estimate import Analytic, Kind
from tallymark.reliability import icc
from tallymark.results import named

Floats = NDArray[np.float64]
TallyKind = Literal[
    "table", "moments", "ranks", "errors", "panel", "pairable", "raters", "complete"
]
Better = Literal["higher", "lower", "zero", "neither"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistic:
    """One statistic: its formula, what it needs, how it is read, where it comes from.

    ``tallies`` are the tallies the formula accepts, preferred first. ``params`` maps each
    parameter to its default, ``choices`` to the values it may take. The fields from ``interval``
    on say how its intervals are made; see :class:`tallymark.inference.Formula`.
    """

    name: str
    title: str
    reading: str
    formula: str
    reference: str
    value: Callable[..., Floats]
    tallies: tuple[TallyKind, ...]
    params: Mapping[str, Any] = field(default_factory=dict)
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    symmetric: bool = True
    range: tuple[float, float] = (-1.0, 1.0)
    better: Better = "higher"
    undefined: str = ""
    score: Literal["rounded", "trimmed"] = "rounded"
    interval: Kind = "bca"
    analytic: Analytic | None = "normal"
    linear: Callable[..., Floats] | None = None
    influence: Callable[[Any], Floats] | None = None
    ddof: int = 0
    parts: Callable[..., Mapping[str, float]] | None = None
    closed_form: Callable[..., tuple[float, float]] | None = None

    def bind(self, params: Mapping[str, Any] | None = None) -> Formula:
        """Return the formula with its parameters fixed, defaults filled in."""
        given = self.check(params or {})
        return Formula(
            name=self.name,
            params=given,
            value=partial(self.value, **given),
            interval=self.interval,
            analytic=self.analytic,
            linear=partial(self.linear, **given) if self.linear else None,
            influence=self.influence,
            ddof=self.ddof,
            parts=partial(self.parts, **given) if self.parts else None,
            undefined=self.undefined,
            ranks=self.tallies == ("ranks",),
            closed_form=_closed(self.closed_form, given),
        )

    def check(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """Fill in defaults and refuse unknown parameters and values."""
        for key, value in params.items():
            if key not in self.params:
                known = ", ".join(self.params) or "none"
                raise OptionError(
                    f"{self.name} has no parameter {key!r}; it takes {known}."
                    + did_you_mean(key, self.params)
                )
            allowed = self.choices.get(key, ())
            if isinstance(value, str) and value not in allowed:
                raise OptionError(
                    f"unknown {key} {value!r} for {self.name}; choose {', '.join(allowed)}."
                    + did_you_mean(value, allowed)
                )
        filled = {**self.params, **params}
        if filled.get("weights") is not None and "metric" in filled:
            filled.pop("metric")
        return {key: value for key, value in filled.items() if value is not None}


def _closed(
    function: Callable[..., tuple[float, float]] | None, params: Mapping[str, Any]
) -> Callable[[Any, float], tuple[float, float]] | None:
    if function is None:
        return None
    return lambda tally, level: function(tally, level=level, **params)


def _chance_parts(
    disagreement: Callable[..., chance.Disagreement],
) -> Callable[..., Mapping[str, float]]:
    def parts(tally: Any, **params: Any) -> Mapping[str, float]:
        observed, expected = disagreement(tally, **params)
        return {"pa": 1 - float(observed), "pe": 1 - float(expected)}

    return parts


def _cohen_parts(pairs: Any, **params: Any) -> Mapping[str, float]:
    null = float(kappa.se_under_chance(pairs, **params))
    return {**_chance_parts(kappa.cohen_disagreement)(pairs, **params), "se_null": null}


def _percent_parts(tally: Any) -> Mapping[str, float]:
    return {"pa": float(percent.percent_agreement(tally)), "pe": 0.0}


def _gwet(value: Callable[..., Floats]) -> dict[str, Any]:
    """Gwet's standard error: the share of responses rated twice is taken as given.

    The factor is 1, but its derivative takes that of the share out of the statistic's.
    Gwet (2008), doi:10.1348/000711006X126600.
    """

    def linear(tally: Any, **params: Any) -> Floats:
        share = tally.paired / tally.n
        return np.asarray(value(tally, **params) * share / np.real(share))

    return {"value": value, "linear": linear, "analytic": "t", "ddof": 1}


WEIGHTED: dict[str, Any] = {"params": {"weights": "identity"}, "choices": {"weights": NAMED}}
ONE_POINT = "both scores are one and the same point throughout: chance leaves nothing to agree on"
ONE_POINT_SCALE = "the scale has one point only"
TWO_POINTS = "defined for a scale of two points"
CONSTANT = "a score does not vary"
NO_PAIRS = "no response was scored twice"

CATALOGUE: tuple[Statistic, ...] = (
    Statistic(
        name="percent_agreement",
        title="Exact agreement",
        reading="Share of responses with the same score; high wherever one score dominates.",
        formula="sum_k p_kk",
        reference="Gwet (2014), Handbook of Inter-Rater Reliability, 4th ed.",
        tallies=("table", "panel"),
        range=(0.0, 1.0),
        undefined=NO_PAIRS,
        interval="wilson",
        parts=_percent_parts,
        **_gwet(percent.percent_agreement),
    ),
    Statistic(
        name="adjacent_agreement",
        title="Adjacent agreement",
        reading="Share of responses whose scores differ by at most the tolerance.",
        formula="sum_{|x_i - x_j| <= tolerance} p_ij",
        reference="Williamson, Xi & Breyer (2012), doi:10.1111/j.1745-3992.2011.00223.x",
        tallies=("table",),
        params={"tolerance": 1.0},
        range=(0.0, 1.0),
        undefined=NO_PAIRS,
        interval="wilson",
        **_gwet(percent.adjacent_agreement),
    ),
    Statistic(
        name="cohen_kappa",
        title="Cohen's kappa",
        reading="Agreement beyond what the two score distributions alone would give; with "
        "quadratic weights (QWK) large differences weigh most. It falls when one score dominates.",
        formula="(pa - pe) / (1 - pe), pe = sum_ij w_ij p_i. p_.j",
        reference="Cohen (1968), doi:10.1037/h0026256",
        value=kappa.cohen_kappa,
        tallies=("table",),
        undefined=ONE_POINT,
        parts=_cohen_parts,
        **WEIGHTED,
    ),
    Statistic(
        name="scott_pi",
        title="Scott's pi",
        reading="Agreement beyond chance if both raters shared one score distribution.",
        formula="(pa - pe) / (1 - pe), pe = sum_kl w_kl pi_k pi_l",
        reference="Scott (1955), doi:10.1086/266577",
        tallies=("table",),
        undefined=ONE_POINT,
        parts=_chance_parts(kappa.fleiss_disagreement),
        **WEIGHTED,
        **_gwet(kappa.fleiss_kappa),
    ),
    Statistic(
        name="fleiss_kappa",
        title="Fleiss' kappa",
        reading="Agreement of any number of raters beyond chance, one score distribution for all.",
        formula="(pa - pe) / (1 - pe), pe = sum_kl w_kl pi_k pi_l",
        reference="Fleiss (1971), doi:10.1037/h0031619",
        tallies=("panel",),
        undefined=ONE_POINT,
        parts=_chance_parts(kappa.fleiss_disagreement),
        **WEIGHTED,
        **_gwet(kappa.fleiss_kappa),
    ),
    Statistic(
        name="conger_kappa",
        title="Conger's kappa",
        reading="Agreement of any number of raters beyond chance, each with their own scores.",
        formula="(pa - pe) / (1 - pe), pe = mean over rater pairs of sum_kl w_kl p_gk p_hl",
        reference="Conger (1980), doi:10.1037/0033-2909.88.2.322",
        tallies=("raters",),
        undefined=ONE_POINT,
        parts=_chance_parts(kappa.conger_disagreement),
        **WEIGHTED,
        **_gwet(kappa.conger_kappa),
    ),
    Statistic(
        name="gwet_ac",
        title="Gwet's AC",
        reading="Agreement beyond chance that stays high when one score dominates; read it beside "
        "a correlation, for a system that cannot tell responses apart can reach a high AC.",
        formula="(pa - pe) / (1 - pe), pe = sum_kl w_kl / (K (K - 1)) sum_k pi_k (1 - pi_k)",
        reference="Gwet (2008), doi:10.1348/000711006X126600",
        tallies=("table", "panel"),
        range=(-math.inf, 1.0),
        undefined=ONE_POINT_SCALE,
        parts=_chance_parts(gwet.gwet_disagreement),
        **WEIGHTED,
        **_gwet(gwet.gwet_ac),
    ),
    Statistic(
        name="brennan_prediger",
        title="Brennan-Prediger",
        reading="Agreement beyond uniform guessing on the declared scale.",
        formula="(pa - pe) / (1 - pe), pe = sum_kl w_kl / K^2",
        reference="Brennan & Prediger (1981), doi:10.1177/001316448104100307",
        tallies=("table", "panel"),
        range=(-math.inf, 1.0),
        undefined=ONE_POINT_SCALE,
        parts=_chance_parts(brennan_prediger.brennan_prediger_disagreement),
        **WEIGHTED,
        **_gwet(brennan_prediger.brennan_prediger),
    ),
    Statistic(
        name="krippendorff_alpha",
        title="Krippendorff's alpha",
        reading="Agreement beyond chance of any number of raters, corrected for small samples.",
        formula="1 - (N - 1) sum_ck o_ck d_ck / sum_ck n_c n_k d_ck",
        reference="Krippendorff (2011), repository.upenn.edu/asc_papers/43",
        value=krippendorff.krippendorff_alpha,
        tallies=("table", "pairable"),
        params={"metric": "interval", "weights": None},
        choices={"metric": ("nominal", "ordinal", "interval", "ratio"), "weights": NAMED},
        undefined="only one score point was used: chance leaves nothing to agree on",
        parts=_chance_parts(krippendorff.alpha_disagreement),
        linear=krippendorff.large_sample_alpha,
        analytic="t",
        ddof=1,
    ),
    Statistic(
        name="icc",
        title="Intraclass correlation",
        reading="Reliability of one rating, or of the mean of all k (types with k).",
        formula="1,1: (MSB - MSW) / (MSB + (k - 1) MSW); see Shrout & Fleiss for the others",
        reference="Shrout & Fleiss (1979), doi:10.1037/0033-2909.86.2.420",
        value=icc.icc,
        tallies=("complete",),
        params={"type": "2,1"},
        choices={"type": icc.TYPES},
        range=(-math.inf, 1.0),
        undefined="fewer than two complete responses, or ratings that do not vary",
        score="trimmed",
        interval="analytic",
        closed_form=icc.icc_interval,
    ),
    Statistic(
        name="lin_ccc",
        title="Concordance (QWK of unrounded scores)",
        reading="Quadratic weighted kappa for scores that need not lie on the scale.",
        formula="2 s_ab / (s_a^2 + s_b^2 + (mean a - mean b)^2), divisor n",
        reference="Lin (1989), doi:10.2307/2532051",
        value=concordance.lin_ccc,
        tallies=("moments",),
        undefined=ONE_POINT,
        score="trimmed",
    ),
    Statistic(
        name="pearson",
        title="Pearson correlation",
        reading="How close the scores lie to a straight line; blind to severity and compression.",
        formula="s_ab / (s_a s_b)",
        reference="Fisher (1921) for the z interval",
        value=correlation.pearson,
        tallies=("moments",),
        undefined=CONSTANT,
        score="trimmed",
        analytic="fisher_z",
    ),
    Statistic(
        name="spearman",
        title="Spearman correlation",
        reading="Do both put the responses in the same order? Correlation of middle ranks.",
        formula="Pearson correlation of middle ranks",
        reference="Spearman (1904), doi:10.2307/1412159",
        value=correlation.spearman,
        tallies=("ranks",),
        undefined=CONSTANT,
        score="trimmed",
        analytic="spearman_z",
        influence=correlation.spearman_influence,
    ),
    Statistic(
        name="kendall_tau_b",
        title="Kendall's tau-b",
        reading="Pairs of responses ordered alike less those ordered oppositely, ties corrected.",
        formula="(C - D) / sqrt((P - T_a)(P - T_b))",
        reference="Kendall (1945), doi:10.1093/biomet/33.3.239",
        value=correlation.kendall_tau_b,
        tallies=("ranks",),
        undefined=CONSTANT,
        score="trimmed",
        influence=correlation.kendall_influence,
    ),
    Statistic(
        name="bias",
        title="Bias",
        reading="Mean of system minus gold in score points; negative is severe.",
        formula="mean(b - a)",
        reference="Williamson, Xi & Breyer (2012), doi:10.1111/j.1745-3992.2011.00223.x",
        value=error.bias,
        tallies=("moments",),
        symmetric=False,
        range=(-math.inf, math.inf),
        better="zero",
        undefined=NO_PAIRS,
        score="trimmed",
        ddof=1,
    ),
    Statistic(
        name="mae",
        title="Mean absolute error",
        reading="Mean distance of system and gold in score points.",
        formula="mean |b - a|",
        reference="Willmott & Matsuura (2005), doi:10.3354/cr030079",
        value=error.mae,
        tallies=("moments",),
        range=(0.0, math.inf),
        better="lower",
        undefined=NO_PAIRS,
        score="trimmed",
        ddof=1,
    ),
    Statistic(
        name="rmse",
        title="Root mean squared error",
        reading="Like the mean absolute error, but large errors weigh more.",
        formula="sqrt(mean (b - a)^2)",
        reference="Willmott & Matsuura (2005), doi:10.3354/cr030079",
        value=error.rmse,
        tallies=("moments",),
        range=(0.0, math.inf),
        better="lower",
        undefined=NO_PAIRS,
        score="trimmed",
    ),
    Statistic(
        name="macro_mae",
        title="Macro mean absolute error",
        reading="Mean absolute error at each gold score, averaged: rare scores count as much.",
        formula="mean over gold scores c of mean |b - c|",
        reference="Baccianella, Esuli & Sebastiani (2009), doi:10.1109/ISDA.2009.230",
        value=error.macro_mae,
        tallies=("errors",),
        symmetric=False,
        range=(0.0, math.inf),
        better="lower",
        undefined=NO_PAIRS,
        score="trimmed",
    ),
    Statistic(
        name="macro_rmse",
        title="Macro root mean squared error",
        reading="Root mean squared error at each gold score, averaged: rare scores count as much.",
        formula="mean over gold scores c of sqrt(mean (b - c)^2)",
        reference="Baccianella, Esuli & Sebastiani (2009), doi:10.1109/ISDA.2009.230",
        value=error.macro_rmse,
        tallies=("errors",),
        symmetric=False,
        range=(0.0, math.inf),
        better="lower",
        undefined=NO_PAIRS,
        score="trimmed",
    ),
    Statistic(
        name="pabak",
        title="PABAK",
        reading="Kappa of two points if both were equally common and equally used.",
        formula="2 po - 1",
        reference="Byrt, Bishop & Carlin (1993), doi:10.1016/0895-4356(93)90018-V",
        value=paradox.pabak,
        tallies=("table",),
        undefined=TWO_POINTS,
    ),
    Statistic(
        name="prevalence_index",
        title="Prevalence index",
        reading="How much one of two points dominates the agreement; far from 0 kappa is low.",
        formula="(n_11 - n_22) / n",
        reference="Byrt, Bishop & Carlin (1993), doi:10.1016/0895-4356(93)90018-V",
        value=paradox.prevalence_index,
        tallies=("table",),
        better="neither",
        undefined=TWO_POINTS,
    ),
    Statistic(
        name="bias_index",
        title="Bias index",
        reading="How much more the first rater than the second uses the first of two points.",
        formula="(n_12 - n_21) / n",
        reference="Byrt, Bishop & Carlin (1993), doi:10.1016/0895-4356(93)90018-V",
        value=paradox.bias_index,
        tallies=("table",),
        symmetric=False,
        better="zero",
        undefined=TWO_POINTS,
    ),
    Statistic(
        name="prevalence_doewes",
        title="Prevalence (many points)",
        reading="How unevenly the agreement is spread over the score points; 0 is evenly.",
        formula="2 / (n c (c - 1)) sum_{i<j} |n_ii - n_jj|",
        reference="Doewes, Kurdhi & Saxena (2023), EDM, equation 4 corrected",
        value=paradox.prevalence_doewes,
        tallies=("table",),
        range=(0.0, 1.0),
        better="neither",
        undefined=ONE_POINT_SCALE,
        analytic=None,
    ),
)

BY_NAME: dict[str, Statistic] = {row.name: row for row in CATALOGUE}

ALIASES: dict[str, tuple[str, dict[str, Any]]] = {
    "qwk": ("cohen_kappa", {"weights": "quadratic"}),
    "lwk": ("cohen_kappa", {"weights": "linear"}),
    "kappa": ("cohen_kappa", {"weights": "identity"}),
    "quadratic_weighted_kappa": ("cohen_kappa", {"weights": "quadratic"}),
    "ac1": ("gwet_ac", {"weights": "identity"}),
    "ac2": ("gwet_ac", {"weights": "quadratic"}),
    "bp": ("brennan_prediger", {}),
    "alpha": ("krippendorff_alpha", {}),
    "ccc": ("lin_ccc", {}),
    "exact": ("percent_agreement", {}),
    "adjacent": ("adjacent_agreement", {}),
    "r": ("pearson", {}),
    "tau": ("kendall_tau_b", {}),
}
"""Input words only; results always carry the catalogue's names."""


def find(name: str, params: Mapping[str, Any] | None = None) -> Formula:
    """Look a statistic up by name, ``name[parameter]`` or alias, and bind its parameters.

    >>> find("cohen_kappa[quadratic]").params == find("qwk").params
    True
    """
    word, given = _parsed(name)
    alias, preset = ALIASES.get(word.lower(), (word, {}))
    if alias not in BY_NAME:
        known = [*BY_NAME, *ALIASES]
        raise OptionError(
            f"unknown statistic {name!r}.{did_you_mean(word, known)} Known: {', '.join(BY_NAME)}"
        )
    row = BY_NAME[alias]
    return row.bind({**preset, **_by_place(row, given), **(params or {})})


def _parsed(name: str) -> tuple[str, list[str]]:
    word, bracket, rest = name.partition("[")
    if not bracket:
        return word, []
    if not rest.endswith("]"):
        raise OptionError(f"cannot read {name!r}: write name[parameter], with a closing bracket")
    return word, [rest[:-1]]


def _by_place(row: Statistic, given: Sequence[str]) -> dict[str, Any]:
    """Values inside brackets: ``key=value``, or a bare value for the statistic's parameter."""
    found: dict[str, Any] = {}
    for text in given:
        key, equals, value = text.partition("=")
        if not equals:
            if not row.params:
                raise OptionError(f"{row.name} takes no parameter, got [{text}]")
            takes = [name for name, allowed in row.choices.items() if text in allowed]
            key, value = next(iter([*takes, *row.params])), text
        found[key] = value if key in row.choices else _number(row, key, value)
    return found


def _number(row: Statistic, key: str, value: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise OptionError(f"{key} of {row.name} must be a number, got {value!r}") from None


def text_of(name: str, params: Mapping[str, Any]) -> str:
    """Write the statistic as policies and the JSON do."""
    return named(name, params)
