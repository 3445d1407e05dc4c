"""Claims of the sources that no experiment of the lab decides: each computed here from published numbers.

A claim names its source, what it says, a function that decides it and gives the numbers, and a command that shows
the statistic: as it stands, or on ``FILE``, for which the tests take the bundled scores.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import tallymark as tm
from tallymark import metrics
from tallymark.questions.agreement import band
from tallymark.render.numbers import rounded
from tallymark.rsmtool.analysis import whole
from tallymark.selective.bounds import upper
from tallymark.selective.curve import critical_errors
from tallymark.selective.trust import trust_score
from tallymark.tally import trim
from tallymark.verdict.states import bounds_of, inside
from tests.goldens import Golden, goldens
from tests.verdict.uto import AVERAGE, eighth

YC = "Yannakoudakis & Cummins (2015)"
DO = "Doewes, Kurdhi & Saxena (2023)"
UT = "Uto (2026)"
FU = "Funayama et al. (2020)"
RSM = "RSMTool, evaluation metrics page"
Decision = tuple[str, str]
Array = NDArray[Any]
HALF = 0.005 + 1e-9
"""Half a unit of the second decimal, as the papers print."""


class Decided(NamedTuple):
    """A claim, and how it is decided: whether it holds, and the numbers that say so."""

    source: str
    where: str
    says: str
    decide: Callable[[], Decision]
    command: str
    ours: bool = False


def of(name: str) -> Golden:
    return goldens()[f"papers:{name}"]


def share(value: float, places: int = 3) -> str:
    return rounded(value, places, coefficient=True)


def shares(*values: float, places: int = 3) -> str:
    return ", ".join(share(value, places) for value in values)


def held(*tests: bool) -> str:
    return "holds" if all(tests) else "holds in part" if any(tests) else "does not hold"


def refuted(*tests: bool) -> str:
    """The verdict on a claim that these tests, all of them, speak against."""
    return "does not hold" if all(tests) else "holds in part"


def not_repeated(why: str) -> Callable[[], Decision]:
    return lambda: ("not repeated", why)


def of_table(name: str, table: object) -> tm.Estimate:
    counts = np.asarray(table)
    first, second = (np.repeat(axis.ravel(), counts.ravel()) for axis in np.indices(counts.shape))
    scale = f"0:{len(counts) - 1}"
    return tm.estimate(name, first, second, scale=scale, interval="analytic")


# Yannakoudakis & Cummins


def tables_1_and_2() -> Decision:
    printed = {
        "kappa": {"t1_left": 0.60, "t1_right": 0.49, "t2_left": 0.12},
        "brennan_prediger": {"t1_left": 0.60, "t1_right": 0.60},
        "gwet_ac": {"t1_left": 0.60, "t1_right": 0.67},
    }
    labels = {"kappa": "kappa", "brennan_prediger": "BP", "gwet_ac": "AC"}
    near, said = [], []
    for name, cases in printed.items():
        tables = [of(f"yc.{case}").input["table_rows_system_cols_gold"] for case in cases]
        values = [of_table(name, table).value for table in tables]
        near += [abs(v - p) <= HALF for v, p in zip(values, cases.values(), strict=True)]
        said.append(f"{labels[name]} {shares(*values)}")
    return held(*near), "; ".join(said)


def chance_of_bp() -> Decision:
    equal = []
    for k in range(2, 12):
        by_hand = {
            "identity": 1 / k,
            "linear": 1 - (k + 1) / (3 * k),
            "quadratic": 1 - (k + 1) / (6 * (k - 1)),
        }
        for weights, chance in by_hand.items():
            made = of_table(f"brennan_prediger[{weights}]", np.eye(k, dtype=int)).parts["pe"]
            equal.append(abs(made - chance) < 1e-12)
    pe = [of_table(f"brennan_prediger[{w}]", np.eye(5, dtype=int)).parts["pe"] for w in by_hand]
    return f"{held(*equal)} exactly", f"K = 2 to 11; K = 5: {shares(*pe, places=2)}"


# Doewes, Kurdhi & Saxena


def equation_4() -> Decision:
    given = of("do.prevalence").input
    table = np.diag(given["diag"])
    table[0, 1] = given["n"] - sum(given["diag"])
    value = of_table("prevalence_doewes", table).value
    matched = (
        abs(value - 40 / 3 / 100) < 1e-12
    )  # |10-20| + |10-30| + |20-30| = 40, over three pairs
    return f"{held(matched)}, corrected", (
        f"pairs run over i < j of all points: 10, 20, 30 of 100 give {share(value)}"
    )


def accepted() -> Decision:
    bounds = bounds_of(0.70, None, decimals=2)
    passes, fails = inside(0.695, bounds), inside(0.6949999, bounds)
    return held(passes, not fails), ".695 passes, .6949999 does not; rounded as decimals"


def bands() -> Decision:
    golden = of("do.landis_koch")
    made = [band(value) for value in golden.input["values"]]
    matched = made == golden.expected["bands"]
    return f"{held(matched)}, as continuous bands", f".205 is {band(0.205)}, .20 {band(0.20)}"


# Uto


def two_raters() -> Decision:
    rows = [golden for name, golden in goldens().items() if "uto.identity" in name]
    off = np.array(
        [
            [
                abs(g.expected["human_like"] - g.expected["printed_human_like"]),
                abs(g.expected["rho_X"] - g.expected["printed_qwk_hh"]),
            ]
            for g in rows
        ]
    ).max(axis=0)
    worst = shares(*off, places=4)
    return held(off[0] <= 0.0015, off[1] <= 0.002), (
        f"{len(rows)} printed rows, differences at most {worst.replace(', ', ' and ')}"
    )


def qwk_is_concordance() -> Decision:
    rng = np.random.default_rng(0)
    apart = []
    for _ in range(20):
        a, b = rng.integers(0, 6, (2, 50))
        moments = 2 * np.cov(a, b, ddof=0)[0, 1]
        apart.append(
            metrics.quadratic_weighted_kappa(a, b)
            - moments / (a.var() + b.var() + (a.mean() - b.mean()) ** 2)
        )
    furthest = float(np.abs(apart).max())
    return f"{held(furthest < 1e-12)} exactly", "20 samples, the same to 12 digits; divisor n"


def average_row() -> Decision:
    fits = eighth()
    printed = ", ".join(share(value) for value in AVERAGE.values())
    return held(bool(fits)), (
        f"{printed} are the means of seven printed rows and an eighth with theoretical ceiling "
        f"{share(min(fits))} to {share(max(fits))}, which is not at hand"
    )


# Funayama et al.


def table_2() -> Decision:
    given = of("fu.table2").input
    made = []
    for k in given["n_cse"]:
        gold = np.zeros(given["n"], dtype=int)
        made.append(metrics.csrate(gold, np.where(np.arange(given["n"]) < k, 5, 0), scale="0:10"))
    matched = np.allclose(np.multiply(100, made), of("fu.table2").expected["csrate_pct"], atol=0.05)
    first, last = (f"{100 * rate:.1f} %" for rate in (made[0], made[-1]))
    ends = given["n_cse"][0], given["n_cse"][-1]
    return held(matched), f"{ends[0]} to {ends[1]} of {given['n']}: {first} to {last}"


def categories() -> Decision:
    a, b, n = np.array([0, 1, 2, 3, 3, 1]), np.array([0, 2, 2, 3, 2, 0]), 3
    counts = np.zeros((n + 1, n + 1))
    np.add.at(counts, (a, b), 1)
    apart = np.subtract.outer(np.arange(n + 1), np.arange(n + 1)) ** 2
    chance = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / counts.sum()
    by = [
        1 - (apart / width * counts).sum() / (apart / width * chance).sum()
        for width in (n**2, (n - 1) ** 2)
    ]
    made = metrics.quadratic_weighted_kappa(a, b, scale=f"0:{n}")
    same = np.allclose(by, made, atol=1e-12)
    return refuted(len(counts) == n + 1, same), (
        f"scores 0 to 3 have 4 categories; QWK is {share(made)} with either divisor, which cancels"
    )


def at_least() -> Decision:
    exactly, below = critical_errors([0, 0], [3, 2.999], 0.2, 15)
    return f"{held(bool(exactly), not below)} for the formula only", (
        "a gap of just lambda N is critical, with 1e-9 for rounding"
    )


def trust() -> Decision:
    golden = of("fu.trust")
    given = golden.input
    made = trust_score(given["train"], given["labels"], [given["x"]], [given["pred"]])
    value = float(made.share[0])
    matched = abs(value - golden.expected["trust"]) < 1e-10
    return held(matched), f"{share(value)} on the worked example; same ranking as the ratio"


def zero_of_96() -> Decision:
    bound = float(upper(np.array([0]), np.array([96]), 0.05)[0])
    return held(abs(bound - 0.0307) < 5e-5), (
        f"96 accepted without one: at most {100 * bound:.2f} % at 95 %, for a threshold set beforehand"
    )


# RSMTool


def error_variance() -> Decision:
    golden = of("rsm.prmse_ordinary")
    ratings = np.array(golden.input["ratings"], dtype=float)
    counts = (~np.isnan(ratings)).sum(axis=1)
    twice = counts > 1
    gaps = ratings[twice] - np.nanmean(ratings[twice], axis=1, keepdims=True)
    unsquared = np.nansum(gaps)
    over_n = np.nansum(np.nansum(gaps**2, axis=1) / (counts[twice] - 1)) / len(ratings)
    made = metrics.error_variance(ratings)
    same = abs(made - golden.expected["ve"]) < 1e-9
    return refuted(same, abs(unsquared) < 1e-9, abs(over_n - made) > 0.01), (
        f"without the square it is 0; over N {share(over_n)}; RSMTool's code squares and divides by the sum "
        f"of (c_i - 1), so do we: {share(made)}"
    )


def grouped() -> tuple[Array, Array, Array]:
    given = of("rsm.dsm").input
    return np.array(given["human"]), np.array(given["system"]), np.array(given["group"])


def adjusted_r2(y: Array, group: Array) -> float:
    names = np.unique(group)
    fitted = np.select(
        [group == name for name in names], [y[group == name].mean() for name in names]
    )
    left, total, n = ((y - fitted) ** 2).sum(), ((y - y.mean()) ** 2).sum(), y.size
    return float(1 - left / total * (n - 1) / (n - names.size))


def signed() -> Decision:
    human, system, group = grouped()
    made, gaps = metrics.osd(human, system, group), system - human
    by = adjusted_r2(gaps, group), adjusted_r2(np.abs(gaps), group)
    return refuted(abs(made - by[0]) < 1e-9, abs(made - by[1]) > 0.01), (
        f"OSD of 12 scores {share(made)}: of signed errors {share(by[0])}, of absolute ones {share(by[1])}; "
        "RSMTool's code takes signed ones, so do we"
    )


def percentages() -> Decision:
    human, system, group = grouped()
    made = metrics.osa(human, system, group)
    by_hand = adjusted_r2((system - human) ** 2, group)
    return refuted(abs(made - by_hand) < 1e-9, made < 0), (
        f"they are adjusted R squared, which may be negative: OSA of 12 scores {share(made)}"
    )


def r_squared() -> Decision:
    golden = of("rsm.observed")
    made = metrics.r2(golden.input["human"], golden.input["system"])
    page = golden.expected["r2_page_formula_N_minus_1"]
    return refuted(abs(made - golden.expected["r2"]) < 1e-9, abs(made - page) > 0.001), (
        f"{share(made)} with N, as RSMTool's code has it; {share(page)} as the page says"
    )


def dsm() -> Decision:
    human, system, group = grouped()
    z = [(x - x.mean()) / x.std(ddof=1) for x in (system, human)]
    by_hand = {name: float((z[0] - z[1])[group == name].mean()) for name in np.unique(group)}
    made = {name: metrics.dsm(human, system, group == name) for name in by_hand}
    expected = of("rsm.dsm").expected
    same = [abs(made[n] - by_hand[n]) < 1e-9 and abs(made[n] - expected[n]) < 1e-9 for n in made]
    return refuted(*same), (
        f"there is no sigma_S; with sigma_M, the system's SD over the whole set, three groups have {shares(*made.values())}"
    )


def csd_is_unfair() -> Decision:
    rng = np.random.default_rng(1)
    n = 200_000
    group = rng.integers(0, 2, n)
    truth = rng.normal(0.6 * group, 1)
    human, system = truth + rng.normal(0, 0.6, n), truth + rng.normal(0, 0.3, n)
    at = np.column_stack([np.ones(n), group, human])
    effect = np.linalg.lstsq(at, system - human, rcond=None)[0][1] / human.std()
    plain = (
        (system - human)[group == 1].mean() - (system - human)[group == 0].mean()
    ) / human.std()
    return "holds in part" if effect > 0.1 > abs(plain) else "holds", (
        f"a fair system differs by {share(float(effect), 2)} SD at the same human score where groups differ in ability "
        f"by .6, and by {share(abs(float(plain)), 2)} SD overall; the effect at the same true score stands beside it"
    )


def expected_counts() -> Decision:
    golden = of("rsm.observed")
    made = metrics.cohen_kappa(golden.input["human"], golden.input["rounded_system"])
    same = abs(made - golden.expected["kappa_rounded"]) < 1e-9
    return refuted(
        same
    ), f"they are expected counts, n_j+ n_+k / N; kappa of 12 scores {share(made)}"


def four_differences() -> Decision:
    golden = of("rsm.smd")
    human, system = (np.array(golden.input[key]) for key in ("human", "system"))
    rows = np.isin(np.arange(human.size), golden.input["subgroup_rows_for_williamson_and_johnson"])
    made = {
        kind: metrics.smd(human, system, kind=kind, group=None if "pooled" in kind else rows)
        for kind in ("unpooled", "pooled", "williamson", "johnson")
    }
    same = [abs(value - golden.expected[kind]) < 1e-9 for kind, value in made.items()]
    return held(*same), "; ".join(f"{kind} {share(value)}" for kind, value in made.items())


def trimmed() -> Decision:
    golden = of("rsm.trim")
    given = golden.input
    made = trim(given["values"], given["min"], given["max"], tolerance=given["tolerance"])
    same = np.allclose(made, golden.expected["trimmed"], atol=1e-12)
    return held(same, whole(made).tolist() == golden.expected["rounded"]), (
        "on 1 to 4, 5.7 becomes 4.4998 and then 4; .1 becomes .5002 and then 1"
    )


def zeros() -> Decision:
    golden = of("rsm.zero")
    columns = {key: golden.input[key] for key in ("human", "system")}
    asked: dict[str, Any] = {
        "humans": "human",
        "systems": "system",
        "statistics": "qwk",
        "scale": "0:4",
    }
    used = [tm.evaluate(columns, **asked, exclude_zero=zero).data.used for zero in (True, False)]
    same = used == [golden.expected[key] for key in ("n_used", "n_used_if_false")]
    return held(same), f"of 8 responses {used[0]} are used, with --exclude-zero off {used[1]}"


CORPUS = "tallymark evaluate FILE --prompt prompt"
SUREST = "tallymark evaluate FILE --system engine --confidence engine=engine_confidence --prompt prompt --surest .2,.4,.6,.8 --out OUT"
DECIDED = (
    Decided(YC, "Tables 1 and 2", "Kappa .60, .49 and .12, BP .60 and .60, AC .60 and .67", tables_1_and_2, "tallymark evaluate FILE --statistic kappa --statistic AC1"),
    Decided(YC, "chance agreement", "BP expects 1/K, 1-(K+1)/(3K), 1-(K+1)/(6(K-1)) by weights", chance_of_bp, "tallymark explain brennan_prediger"),
    Decided(YC, "the FCE corpus", "The curves on real essays", not_repeated("the corpus is not redistributed; synthetic scores take its place"), "tallymark lab run scale-binning"),
    Decided(DO, "eq. 4", "Prevalence from the diagonal", equation_4, "tallymark explain prevalence_doewes"),
    Decided(DO, "acceptance", "A QWK of .70 is accepted, rounded normally", accepted, "tallymark evaluate FILE --policy williamson2012"),
    Decided(DO, "interpretation", "Bands of Landis and Koch", bands, "tallymark explain kappa"),
    Decided(DO, "Tables 4 and 5", "Models on ASAP", not_repeated("texts and models are not part of the source's text"), CORPUS),
    Decided(UT, "k = 2", "Human-like ceiling = rho_Y / sqrt(2 - rho_Y), single reliability = rho_Y / (2 - rho_Y)", two_raters, "tallymark ceiling FILE"),
    Decided(UT, "QWK as concordance", "QWK is 2 Cov / (Var + Var + difference of means squared)", qwk_is_concordance, "tallymark explain QWK"),
    Decided(UT, "Table 2, Avg.", "The average row is the plain mean of the prompts", average_row, CORPUS),
    Decided(UT, "Tables 2 and 3", "Ceilings of two corpora, and systems beside them", not_repeated("the ratings are not at hand; the table of a file has the same columns, published systems by --reference"), CORPUS),
    Decided(FU, "Table 2", "Share of critical errors between people", table_2, "tallymark explain csrate"),
    Decided(FU, "weights of QWK", "Scores 0 to N are N categories, with (N-1) squared in the weights", categories, "tallymark explain QWK"),
    Decided(FU, "critical errors", "A critical error is larger than lambda N (the text), or at least lambda N (the formula)", at_least, "tallymark explain csrate"),
    Decided(FU, "trust score", "d_c / (d_p + d_c)", trust, 'python -c "from tallymark.selective.trust import trust_score"'),
    Decided(FU, "Figure 2", "The panels of the source's answers", not_repeated("the answers are not redistributed; the page of a file has the same panels, one for each prompt"), SUREST),
    Decided(FU, "Table 3", "Its rows on the source's answers", not_repeated("the answers are not redistributed; with --fold the table dev_test has the same rows"), SUREST),
    Decided(FU, "Table 3", "96 accepted without a critical error leave a rate of up to 3.07 %", zero_of_96, "tallymark explain csrate", ours=True),
    Decided(FU, "Table 4", "Its rows on the source's answers", not_repeated("the answers are not redistributed; surest_qwk_by_prompt has the same rows, for any shares"), SUREST),
    Decided(RSM, "PRMSE", "V_i without the square, error variance over N", error_variance, "tallymark explain prmse"),
    Decided(RSM, "OSD, CSD", "They are of absolute errors", signed, "tallymark explain osd"),
    Decided(RSM, "OSA, OSD, CSD", "They are percentages of variance", percentages, "tallymark explain osa"),
    Decided(RSM, "R squared", "The variance is over N - 1", r_squared, "tallymark explain r2"),
    Decided(RSM, "DSM", "It divides by sigma_S", dsm, "tallymark explain dsm"),
    Decided(RSM, "CSD", "It shows unfairness at the same human score", csd_is_unfair, "tallymark evaluate FILE --group gender --system engine"),
    Decided(RSM, "kappa", "m_jk are summed percentages", expected_counts, "tallymark explain kappa"),
    Decided(RSM, "SMD", "Four ways to divide: unpooled, pooled, williamson, johnson", four_differences, "tallymark explain smd"),
    Decided(RSM, "trimming", "Scores are trimmed to the scale and .4998 beyond, then rounded", trimmed, "tallymark rsmeval --help"),
    Decided(RSM, "zero scores", "Human scores of zero are left out, and counted", zeros, "tallymark evaluate FILE --exclude-zero --statistic qwk"),
)  # fmt: skip
