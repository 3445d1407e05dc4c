"""The surest scores by prompt, over runs and on the test responses alone, against a few lines of NumPy."""

import json

import numpy as np
import pytest

import tallymark as tm
from tallymark.analyses.sections import sections
from tallymark.render.model import Drawing, Heading, Table
from tests.routing.data import write

RUNS = {"seed1": "sure1", "seed2": "sure2", "seed3": "sure3"}
SHARES = (0.2, 0.5, 0.8)
PROMPTS = {"essay": 6, "letter": 4, "story": 11}


def columns(n=900, seed=3):
    """Three prompts on scales of their own, three seeds of one system, folds dev and test."""
    rng = np.random.default_rng(seed)
    prompt = rng.choice(list(PROMPTS), n)
    points = np.array([PROMPTS[name] for name in prompt])
    gold = rng.integers(0, points)
    table = {"prompt": prompt, "fold": rng.choice(["dev", "test", "test"], n), "h1": gold}
    for score, sure in RUNS.items():
        table[sure] = rng.random(n).round(2)  # with ties
        spread = rng.normal(0, 0.35 * points * (1.05 - table[sure]), n)
        table[score] = np.clip(np.rint(gold + spread), 0, points - 1).astype(int)
    return table


def evaluated(table, **options):
    given = {
        "human": ["h1"], "system": [*RUNS], "confidence": RUNS, "repeat": {"seed1": (*RUNS,)},
        "prompt": "prompt", "fold": "fold", "lambda_": 0.3, "surest": SHARES,
        "prompts": {name: {"scale": f"0:{points - 1}"} for name, points in PROMPTS.items()},
    }  # fmt: skip
    return tm.evaluate(
        {name: values.tolist() for name, values in table.items()}, **{**given, **options}
    )


@pytest.fixture(scope="module")
def table():
    return columns()


@pytest.fixture(scope="module")
def found(table):
    return evaluated(table)


def named(evaluation, name, system="seed1"):
    for one in evaluation.tables:
        if one.name == name and evaluation.subsets[one.subset].system == system:
            return {row["prompt"]: row for row in one.records()}
    raise AssertionError(name)


def surest(table, prompt, score, share):
    """Gold and score of the surest share of a prompt's test responses, ties at its end kept."""
    here = (table["prompt"] == prompt) & (table["fold"] == "test")
    sure = table[RUNS[score]][here]
    wanted = int(np.ceil(share * sure.size - 1e-9))
    top = sure >= np.sort(sure)[::-1][wanted - 1]
    return table["h1"][here][top], table[score][here][top]


def qwk(gold, score, prompt):
    apart = (gold - gold.mean()) @ (score - score.mean()) / gold.size
    return 2 * apart / (gold.var() + score.var() + (gold.mean() - score.mean()) ** 2)


def csrate(gold, score, prompt):
    return np.mean(np.abs(gold - score) >= 0.3 * (PROMPTS[prompt] - 1) - 1e-9)


@pytest.mark.parametrize(
    ("name", "of"), [("surest_qwk_by_prompt", qwk), ("surest_csrate_by_prompt", csrate)]
)
def test_each_share_of_a_prompt_is_the_mean_least_and_most_of_the_runs(table, found, name, of):
    rows = named(found, name)
    assert list(rows) == [*PROMPTS, "Avg."]
    for heading, share in {"20 %": 0.2, "50 %": 0.5, "80 %": 0.8, "all": 1.0}.items():
        every = np.array(
            [[of(*surest(table, p, score, share), p) for p in PROMPTS] for score in RUNS]
        )
        every = np.column_stack([every, every.mean(axis=1)])
        for at, row in enumerate(rows.values()):
            seen = [row[heading], row[f"{heading} low"], row[f"{heading} high"]]
            of_runs = every[:, at]
            assert seen == pytest.approx([of_runs.mean(), of_runs.min(), of_runs.max()])


def test_responses_are_those_of_the_test_fold(table, found):
    rows = named(found, "surest_qwk_by_prompt")
    for prompt in PROMPTS:
        here = (table["prompt"] == prompt) & (table["fold"] == "test")
        assert rows[prompt]["responses"] == here.sum()
    other = {name: values.copy() for name, values in table.items()}
    dev = other["fold"] == "dev"
    other["seed1"][dev] = 0  # what happens in dev does not matter
    assert named(evaluated(other), "surest_qwk_by_prompt") == rows


def test_a_prompt_without_test_responses_has_no_row_and_no_part_in_the_mean(table):
    other = {name: values.copy() for name, values in table.items()}
    other["fold"][other["prompt"] == "essay"] = "dev"
    found = evaluated(other)
    rows = named(found, "surest_qwk_by_prompt")
    assert list(rows) == ["letter", "story", "Avg."]
    both = [rows[prompt]["50 %"] for prompt in ("letter", "story")]
    assert rows["Avg."]["50 %"] == pytest.approx(np.mean(both))
    assert {*curves_of(found)} == {None, "letter", "story"}


def test_one_run_has_no_least_and_most_and_without_a_test_fold_all_responses_count(table):
    alone = {"fold": None, "repeat": None, "system": ["seed1"], "confidence": {"seed1": "sure1"}}
    found = evaluated({name: table[name] for name in ("prompt", "h1", "seed1", "sure1")}, **alone)
    rows = named(found, "surest_qwk_by_prompt")
    assert list(rows["essay"]) == ["prompt", "responses", "20 %", "50 %", "80 %", "all"]
    assert sum(rows[prompt]["responses"] for prompt in PROMPTS) == 900
    assert "test responses" not in next(
        t.title for t in found.tables if t.name == "surest_qwk_by_prompt"
    )


def test_the_tables_are_on_the_terminal_in_csv_and_in_latex(table, tmp_path, run):
    path = write(tmp_path / "scores.csv", {name: v.tolist() for name, v in table.items()})
    settings = {"prompts": {name: {"scale": f"0:{p - 1}"} for name, p in PROMPTS.items()}}
    lines = [f'[prompts.{name}]\nscale = "{s["scale"]}"' for name, s in settings["prompts"].items()]
    (tmp_path / "c.toml").write_text("\n".join(lines), encoding="utf-8")
    words = ["evaluate", str(path), "--human", "h1", "--prompt", "prompt", "--fold", "fold"]
    for score, sure in RUNS.items():
        words += ["--system", score, "--confidence", f"{score}={sure}"]
    words += ["--repeat", f"seed1={','.join(RUNS)}", "--surest", ".2,.5,.8", "--full"]
    words += ["--config", str(tmp_path / "c.toml"), "--out", str(tmp_path / "out")]
    shown = run(*words)[1]
    assert "QWK of the surest scores by prompt, test responses" in shown
    assert "Mean of 3 runs" in shown
    assert (tmp_path / "out/tables/surest_qwk_by_prompt.csv").exists()
    assert "QWK of the surest scores" in (tmp_path / "out/tables/selective.tex").read_text("utf-8")
    options = json.loads((tmp_path / "out/evaluation.json").read_text("utf-8"))["options"]
    assert options["surest"] == [0.2, 0.5, 0.8]


def rmse(gold, score, prompt):
    return np.sqrt(np.mean((gold - score) ** 2))


def curves_of(evaluation, system="seed1", name="risk_coverage_runs"):
    return {
        evaluation.subsets[curve.subset].prompt: curve
        for curve in evaluation.curves
        if curve.name == name and evaluation.subsets[curve.subset].system == system
    }


@pytest.mark.parametrize(
    ("name", "of"), [("risk_coverage_runs", csrate), ("rmse_coverage_runs", rmse)]
)
def test_the_curve_of_each_prompt_is_the_mean_least_and_most_of_the_runs_on_test(
    table, found, name, of
):
    curves = curves_of(found, name=name)
    together = {None} if name == "risk_coverage_runs" else set()  # points of three scales
    assert {*curves} == {*together, *PROMPTS}
    for prompt in PROMPTS:
        curve = curves[prompt]
        for i in (0, 19, 49, 73, 99):
            pairs = [surest(table, prompt, score, curve.x[i]) for score in RUNS]
            every = [of(gold, given, prompt) for gold, given in pairs]
            seen = (curve.y[i], curve.low[i], curve.high[i])
            assert seen == pytest.approx((np.mean(every), min(every), max(every)))


def test_one_run_has_a_curve_without_a_band_on_test_alone(found):
    assert all(curve.low == () for curve in curves_of(found, "seed2").values())
    assert "runs" not in curves_of(found, "seed2")["essay"].y_title


def test_on_one_scale_the_rmse_of_all_is_the_statistic_of_that_name(table):
    here = table["prompt"] == "story"
    runs = {name: values[here] for name, values in table.items() if name not in ("prompt", "fold")}
    found = evaluated(runs, prompt=None, fold=None, prompts=None, scale="0:10")
    curve = curves_of(found, name="rmse_coverage_runs")[None]
    every = [rmse(runs["h1"], runs[run], "story") for run in RUNS]
    seen = (curve.y[-1], curve.low[-1], curve.high[-1])
    assert seen == pytest.approx((np.mean(every), min(every), max(every)))
    assert found["rmse", "seed1"].value == pytest.approx(np.mean(every))  # of a system with runs
    assert found["rmse", "seed2"].value == pytest.approx(every[1])


def panels_of(found, title, what):
    """The drawings below a heading: one for each prompt."""
    blocks = [block for section in sections(found) for block in section.blocks]
    heading = f"seed1: {title}, mean of 3 runs (least to most), test responses"
    (at,) = [i for i, b in enumerate(blocks) if isinstance(b, Heading) and str(b.words) == heading]
    panels = [b for b in blocks[at + 1 : at + 1 + len(PROMPTS)] if isinstance(b, Drawing)]
    assert [str(panel.caption) for panel in panels] == [f"seed1, {p}: {what}" for p in PROMPTS]
    return panels


def test_the_page_has_a_panel_of_the_rmse_for_each_prompt_in_its_own_points(found):
    panels = panels_of(found, "RMSE of the accepted, in score points", "RMSE, points")
    highest = [max(panel.args[0][0].high) for panel in panels]
    assert [panel.options["y_domain"] for panel in panels] == [(0, high) for high in highest]


def test_tables_over_runs_are_shown_of_the_system_and_not_of_each_run(found):
    captions = [
        str(block.caption)
        for section in sections(found)
        for block in section.blocks
        if isinstance(block, Table) and "surest scores by prompt" in str(block.caption)
    ]
    assert [caption.partition(":")[0] for caption in captions] == ["seed1", "seed1"]


def test_the_page_has_a_panel_for_each_prompt_on_one_axis(found):
    panels = panels_of(found, "critical errors among the accepted", "critical errors")
    assert len({panel.options["y_domain"] for panel in panels}) == 1
    highest = max(high for panel in panels for high in panel.args[0][0].high)
    assert panels[0].options["y_domain"] == (0, highest)


def test_thresholds_of_dev_have_the_mean_of_the_prompts_below(table, found):
    rows, every = named(found, "dev_test"), []
    for prompt, points in PROMPTS.items():
        for score, sure in RUNS.items():
            wide = 0.3 * (points - 1) - 1e-9
            wrong, sures = np.abs(table["h1"] - table[score]) >= wide, table[sure]
            here = table["prompt"] == prompt
            dev, test = (here & (table["fold"] == fold) for fold in ("dev", "test"))
            tau = sures[dev & (sures > sures[dev & wrong].max())].min()
            kept = test & (sures >= tau)
            every.append((tau, kept.sum() / test.sum(), wrong[kept].sum(), wrong[kept].mean()))
    columns = ("threshold", "accepted", "critical errors", "CSRate")
    assert list(rows) == [*PROMPTS, "all", "Avg."]
    assert [rows["Avg."][name] for name in columns] == pytest.approx(np.mean(every, axis=0))


@pytest.mark.parametrize("share", [0, 1, -0.2, 1.5, float("nan")])
def test_a_share_outside_0_to_1_is_refused(table, share):
    with pytest.raises(tm.TallymarkError, match="between 0 and 1"):
        evaluated(table, surest=[share])
